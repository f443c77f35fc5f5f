"""Floor 1: the typed intermediate representation."""
