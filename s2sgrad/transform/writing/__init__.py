"""Floor 5: expressions built, put in place and tidied."""
