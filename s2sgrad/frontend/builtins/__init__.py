"""Floor 4: Python's builtins and methods that need more than a rule."""
