"""Floor 4: statements, from assignments to `match`."""
