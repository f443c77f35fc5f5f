"""Numba's versions of what itertools makes of ranges, as lists of tuples.

Importing this module teaches Numba the functions; nothing here is meant to be called.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from numba import types
from numba.extending import overload

_LONGEST = 8  # tuples
_Level = Callable[[int], str]  # the number of an entry of the tuples -> its `for`, perhaps an `if`


def _listed(parameters: str, count: int, entry: str, level: _Level) -> Any:
    """A function that gives the list of all tuples of so many entries."""
    entries = "".join(f"{entry.format(k)}, " for k in range(count))
    levels = " ".join(map(level, range(count)))
    scope: dict[str, Any] = {}
    exec(f"def listed({parameters}): return [({entries}) {levels}]", scope)
    return scope["listed"]


def _chosen(function: Any, level: _Level) -> None:
    """Teach Numba `function(range, r)`. level: the places that an entry goes through."""
    entry = "iterable.start + p{} * iterable.step"

    def made(iterable: Any, r: Any) -> Any:
        known = isinstance(iterable, types.RangeType) and isinstance(r, types.IntegerLiteral)
        if not known or not 1 <= r.literal_value <= _LONGEST:
            return None
        return _listed("iterable, r", r.literal_value, entry, level)

    overload(function, strict=False, prefer_literal=True)(made)


def _behind(step: int) -> _Level:
    """Places from that of the entry before on, or behind it."""

    def level(k: int) -> str:
        first = f"p{k - 1} + {step}" if k else "0"
        return f"for p{k} in range({first}, len(iterable))"

    return level


def _others(k: int) -> str:
    """All places but those that are taken."""
    taken = "".join(f" if p{k} != p{before}" for before in range(k))
    return f"for p{k} in range(len(iterable)){taken}"


_chosen(itertools.combinations, _behind(1))
_chosen(itertools.combinations_with_replacement, _behind(0))
_chosen(itertools.permutations, _others)


@overload(itertools.product, strict=False)
def product(*iterables: Any) -> Any:
    """Of ranges; of none there is one tuple without entries."""
    known = all(isinstance(one, types.RangeType) for one in iterables)
    if not known or not 1 <= len(iterables) <= _LONGEST:
        return None
    return _listed("*iterables", len(iterables), "i{}", lambda k: f"for i{k} in iterables[{k}]")
