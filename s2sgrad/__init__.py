"""s2sgrad: gradients of plain NumPy code, as plain NumPy code."""
