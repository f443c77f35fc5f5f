"""How much of what a long loop saves is held at a time, for compiled code."""

from __future__ import annotations

from numba import njit
from numba.extending import register_jitable

from s2sgrad_runtime import checkpoints

__all__ = ["block_length"]

_length = register_jitable(checkpoints.block_length)


# Of this module by its name too: code that is kept on disk imports it by that.
@njit  # type: ignore[untyped-decorator]
def block_length(trips: int, entries: float, state: float, price: int) -> int:
    """How many trips of a loop run between two checkpoints; see `checkpoints.block_length`."""
    return int(_length(trips, entries, state, price))
