"""NumPy code on tensors: protocols, traced arrays, islands, compiled functions as nodes."""
