"""Floor 5: reverse mode: statements walked backwards."""
