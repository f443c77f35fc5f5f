"""Sums of contributions to one cotangent, in memory that is there already where that is safe."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

LARGE = 4096  # entries from which on a cotangent is added to in place
getrefcount = sys.getrefcount


def combine(grads: dict[Any, Any], edge: Any, x_bar: Any, cotangents: Any, held: int = 0) -> None:
    """Add one contribution to a cotangent that is large, or that of several results.

    The sum goes into the memory of either, if nobody else holds it: NumPy does so with the
    temporaries of an expression. `cotangents` may hold both, as for the two of `x * x`.
    held: what getrefcount says of an x_bar that nobody else holds, if not HELD_BY_LOOP.
    """
    old = grads[edge]
    if old.__class__ is list:
        grads[edge] = merge(old, x_bar)
    elif getrefcount(old) <= HELD_BY_DICT + is_among(old, cotangents) and is_own(old, x_bar):
        old += x_bar
    elif getrefcount(x_bar) <= (held or HELD_BY_LOOP) and is_own(x_bar, old):
        x_bar += old
        grads[edge] = x_bar
    else:
        grads[edge] = old + x_bar


def add_part(grads: dict[Any, Any], node: Any, y_bar: Any) -> bool:
    """Add the cotangent of a part of an array to the array's own, in place, where that is safe."""
    whole = node.parents[0]
    if whole not in grads or y_bar.__class__ is not np.ndarray:
        return False
    old = grads[whole]
    if old.__class__ is not np.ndarray or getrefcount(old) > HELD_BY_DICT:
        return False
    if old.base is not None or not old.flags.writeable or old.dtype != y_bar.dtype:
        return False
    part = node.part_of(old)
    if part is None or not np.may_share_memory(part, old):
        return False
    part += y_bar
    return True


def _count_in_dict() -> int:
    """What getrefcount says in `combine` of an array that only the dict holds."""
    grads: dict[Any, Any] = {0: np.empty(1)}
    old = grads[0]
    return getrefcount(old)


HELD_BY_DICT = _count_in_dict()


def _count_in_loop() -> int:
    """What getrefcount says in `combine` of a contribution that only the loop of `sweep` holds."""

    def combine_like(grads: Any, edge: Any, x_bar: Any, cotangents: Any) -> int:
        return getrefcount(x_bar)

    cotangents = (np.empty(1),)
    found = 0
    for parent, x_bar in zip((0,), cotangents):  # noqa: B905  (as in `sweep`)
        found = combine_like(None, parent, x_bar, cotangents)
    return found


HELD_BY_LOOP = _count_in_loop()


def _count_handed_on() -> int:
    """What getrefcount says in `combine` of a contribution that only `pass_on` holds."""

    def combine_like(grads: Any, edge: Any, x_bar: Any, cotangents: Any, held: int = 0) -> int:
        return getrefcount(x_bar)

    def pass_on_like(edge: Any, x_bar: Any, grads: Any, heap: Any, leaves: Any) -> int:
        return combine_like(grads, edge, x_bar, (), 0)

    def given() -> Any:
        held = [np.empty(1)]
        yield held.pop()

    cotangents = given()
    return pass_on_like(None, next(cotangents), None, None, None)


HELD_BY_HANDING_ON = _count_handed_on()


def is_among(array: Any, cotangents: Any) -> bool:
    """Whether an array is one of those that a node has given."""
    return any(c is array for c in cotangents)


def is_own(old: Any, x_bar: Any) -> bool:
    """Whether `old += x_bar` gives what `old + x_bar` gives, in memory of its own."""
    return (
        old.__class__ is x_bar.__class__ is np.ndarray
        and old.base is None
        and old.flags.writeable
        and old.dtype == x_bar.dtype
        and old.shape == x_bar.shape
    )


def add(old: Any, x_bar: Any) -> Any:
    """Two contributions to one cotangent; several results of a node come as lists."""
    if old.__class__ is list:
        return merge(old, x_bar)
    return old + x_bar


def merge(old: list[Any], more: list[Any]) -> list[Any]:
    """Entry-wise sum of two lists of cotangents with None for nothing."""
    return [b if a is None else a if b is None else a + b for a, b in zip(old, more, strict=True)]
