"""How much of what a long loop saves is held at a time."""

from __future__ import annotations

__all__ = ["block_length"]

# In numbers of 8 bytes. What fits into the second cache of a core stays there until it is read.
_CACHE = 1 << 18
_LEAST = 16  # trips, for copies of the state to cost little beside the trips themselves
_COPIED = 8  # numbers that are saved for one of the state that is copied
# Numbers that cost less than running again: the memory of so many is used again and again.
_KEPT, _KEPT_IF_DEAR = 1 << 19, 1 << 23
_CHEAP = 4  # operations for each number that is saved
_MEMORY = 1 << 27


def block_length(trips: int, entries: float, state: float, price: int = 1) -> int:
    """How many trips of a loop run between two checkpoints, at least 1.

    trips: of the whole loop; entries: how many numbers each of them saves; state: how many a
    checkpoint holds; price: operations that run again for each number that is saved. Trips are run
    again where that lets the processor read what they save from a cache, or where memory would run
    out; else there is one block: nothing is run again.

    >>> [block_length(5000, n, n, p) for n, p in [(10, 2), (1000, 2), (1000, 8)]]
    [5000, 262, 5000]
    """
    saved = trips * entries
    if saved <= (_KEPT if price <= _CHEAP else _KEPT_IF_DEAR):
        return max(trips, 1)
    least = max(_LEAST, int(_COPIED * state / entries))
    if entries * least <= _CACHE:
        return min(max(int(_CACHE / entries), least), trips)
    if saved > _MEMORY:
        return min(int((trips * max(state / entries, 1.0)) ** 0.5) + 1, trips)
    return trips
