"""How loops on all cores are compiled: each is a function of its own, inside of sequential code.

Numba takes writes for dead whose array is read later by another name only, in all of a function
that has a parallel loop. Where the arrays are arguments, it can't.
"""

from __future__ import annotations

from typing import Any

from numba import njit

# Only the loops that were proved: Numba's own rewriting of array code stays off.
_LOOPS = {
    "comprehension": False, "prange": True, "numpy": False, "reduction": False, "setitem": False,
    "stencil": False, "fusion": False, "inplace_binop": False,
}  # fmt: skip
# Without "nnan" and "ninf": what the user's code finds out with isnan and isinf stays true.
FAST = {"reassoc", "contract", "arcp", "nsz", "afn"}

_OPTIONS: dict[str, Any] = {"error_model": "numpy", "parallel": _LOOPS}

on_threads = njit(**_OPTIONS)
on_threads_fast = njit(**_OPTIONS, fastmath=FAST)

__all__ = ["FAST", "on_threads", "on_threads_fast"]
