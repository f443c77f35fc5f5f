"""Floor 4: calls: what is inlined, entered, lifted, unfolded or left as an island."""
