"""Floor 5: what the reverse sweep keeps, and what it computes again."""
