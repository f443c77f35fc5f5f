"""Floor 4: expressions: names, operators, subscripts, NumPy calls."""
