"""Floor 5: passes from representation to representation."""
