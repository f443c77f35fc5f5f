"""Floor 8: looking at generated code: explain, export, check."""
