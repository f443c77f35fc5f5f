"""Array statements as explicit loop nests, for Numba."""
