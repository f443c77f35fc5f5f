"""Floor 4: lists, tuples, dicts and objects."""
