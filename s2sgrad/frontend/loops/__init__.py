"""Floor 4: loops and comprehensions: attempts until the state settles."""
