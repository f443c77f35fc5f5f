"""Generated code under Numba."""
