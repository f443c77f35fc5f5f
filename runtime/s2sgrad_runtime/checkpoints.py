"""How much of what a long loop saves is held at a time."""

from __future__ import annotations

__all__ = ["block_length"]

# In numbers of 8 bytes. What fits into the second cache of a core stays there until it is read.
_CACHE = 1 << 17
_LEAST = 16  # trips, for copies of the state to cost little beside the trips themselves
_MEMORY = 1 << 27


def block_length(trips: int, entries: int) -> int:
    """How many trips of a loop run between two checkpoints, at least 1.

    trips: of the whole loop; entries: how many numbers each of them saves. Trips are run again
    where that lets the processor read what they save from a cache, or where memory would run out;
    else there is one block: nothing is run again.

    >>> block_length(50, 10), block_length(100_000, 1000)
    (50, 131)
    """
    if entries * _LEAST <= 2 * _CACHE:
        return max(min(max(_CACHE // max(entries, 1), _LEAST), trips), 1)
    if trips * entries > _MEMORY:
        return max(min(int(trips**0.5) + 1, trips), 1)
    return max(trips, 1)
