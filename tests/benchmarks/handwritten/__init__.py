"""Value-and-gradient functions of the kernels, written by hand in Numba, as fast as we know how.

Each takes a kernel's own arguments and returns (value, *gradients). They show the form of fast
adjoints: fused loops for stencils, one pass over memory, gathers instead of scatters, no
allocation inside hot loops, NumPy's ufuncs where they are vectorised and Numba's are not.
In their names a trailing `b` marks a cotangent (`Ab` for `A_bar`), to keep the formulas short.
"""
