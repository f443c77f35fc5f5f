"""Floor 5: the lowered function brought into the form that is differentiated."""
