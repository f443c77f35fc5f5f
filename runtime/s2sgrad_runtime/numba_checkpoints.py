"""How much of what a long loop saves is held at a time, for compiled code."""

from __future__ import annotations

from numba import njit

from s2sgrad_runtime import checkpoints

__all__ = ["block_length"]

block_length = njit(checkpoints.block_length)
