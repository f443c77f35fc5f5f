"""How the hand-written kernels are compiled."""

from numba import njit

compiled = njit(fastmath=True, cache=True)
