"""Floor 4: from Python source to the typed representation."""
