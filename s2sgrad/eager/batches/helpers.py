"""Runtime helpers on batches, where they allocate what a batch can't be written into."""

from __future__ import annotations

from typing import Any

import numpy as np

import s2sgrad_runtime as helpers
from s2sgrad.eager.batches.array import Batched, NeedsExamples, at, bottom, top
from s2sgrad.eager.batches.examples import SPECIAL, call
from s2sgrad.eager.batches.indexing import Place, is_array, parts_of


def scatter(y_bar: Any, a: Any, index: Any) -> Any:
    """Zeros shaped as an example with `y_bar` added at `index`, for all examples."""
    parts = index if isinstance(index, tuple) else (index,)
    level = top((y_bar, *parts))
    if not level:
        return helpers.scatter(y_bar, a, index)
    shape = tuple(np.shape(a))
    count = next(v.count for v in (y_bar, *parts) if at(v, level))
    if top((y_bar.whole if at(y_bar, level) else y_bar, *parts_below(parts, level))):
        raise NeedsExamples
    spread = np.zeros((count, *shape), y_bar.dtype)
    place = Place(index, level, len(shape), count)
    whole = y_bar.whole if at(y_bar, level) else y_bar
    if place.moved and at(y_bar, level):
        sources = tuple(range(1, 1 + place.moved))
        whole = np.moveaxis(whole, tuple(place.before + s for s in sources), sources)
    elif place.moved:
        raise NeedsExamples
    if any(is_array(p) for p in parts_of(index, len(shape))):
        np.add.at(spread, place.index, whole)
    else:
        spread[place.index] = whole
    return Batched(spread, level)


def parts_below(parts: Any, level: int) -> list[Any]:
    """The parts of an index, of those batched at the level what they are of."""
    return [p.whole if at(p, level) else p for p in parts]


def take_along_axis_bar(y_bar: Any, a: Any, indices: Any, axis: Any) -> Any:
    """The transpose of `np.take_along_axis`, for all examples."""
    level = top((y_bar, indices))
    if not level:
        return helpers.take_along_axis_bar(y_bar, a, indices, axis)
    if axis is None:
        raise NeedsExamples
    count = next(v.count for v in (y_bar, indices) if at(v, level))
    wholes = [v.whole if at(v, level) else v for v in (y_bar, indices)]
    if top(wholes):
        raise NeedsExamples
    y_whole, index = (np.broadcast_to(v, (count, *v.shape[-len(np.shape(a)) :])) for v in wholes)
    like = np.broadcast_to(np.zeros((), y_whole.dtype), (count, *np.shape(a)))
    below = axis + 1 if axis >= 0 else axis
    return Batched(helpers.take_along_axis_bar(y_whole, like, index, below), level)


def masked(x_bar: Any, y_bar: Any) -> Any:
    """x_bar, and 0 where y_bar is zero and x_bar is not finite."""
    if np.isfinite(bottom(x_bar)).all():
        return x_bar
    kept = np.where(np.isfinite(x_bar) | (y_bar != 0), x_bar, 0.0)
    return kept.astype(x_bar.dtype, copy=False)


SPECIAL[helpers.masked] = masked
SPECIAL[helpers.scatter] = scatter
SPECIAL[helpers.take_along_axis_bar] = take_along_axis_bar


def batched_helpers(scope: dict[str, Any]) -> dict[str, Any]:
    """The helpers of a rule's scope, each of which is computed at once if it can be."""
    return {name: _one(value) for name, value in scope.items() if name in _NAMES}


_NAMES = frozenset(n for n in helpers.__all__ if callable(getattr(helpers, n)))


def _one(helper: Any) -> Any:
    def computed(*args: Any, **kwargs: Any) -> Any:
        return call(helper, args, kwargs)

    return computed
