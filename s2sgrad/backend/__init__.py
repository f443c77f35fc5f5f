"""Floor 6: from the representation to Python text, and to running code."""
