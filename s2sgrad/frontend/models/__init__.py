"""Floor 4: the standard library, written out in plain Python."""
