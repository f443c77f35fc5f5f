"""Floor 8: a call finds the code that was generated for its kind of arguments."""
