"""Programs that the compiler refuses so far, and what it says: no wrong result, an error.

A program that begins to work fails its test until it is taken off this list. They run on tensors
with the default `fallback="eager"`.
"""

from __future__ import annotations

REFUSED: dict[str, str] = {}

# Refused when the gradient is differentiated again, in reverse.
SECOND_ORDER: frozenset[str] = frozenset()

# Refused in forward mode.
FORWARD: frozenset[str] = frozenset()

# Wrong or refused with jit=True.
NUMBA: frozenset[str] = frozenset()
