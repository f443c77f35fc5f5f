"""Reading and writing entries: each gather stands beside the scatter that is its transpose."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only
from s2sgrad_runtime.shapes import unbroadcast

__all__ = [
    "choose_bars",
    "compress_bar",
    "estimated_edges",
    "extract_bar",
    "first_places",
    "group_means",
    "group_places",
    "group_shares",
    "item",
    "kept_writes",
    "running_places",
    "scatter",
    "select_bars",
    "select_default_bar",
    "take_along_axis_bar",
    "take_bar",
    "take_items",
    "unitem",
    "unkept_writes",
]


def item(a: Any, index: Any = ()) -> Any:
    """`a.item(*index)`: one entry as a Python scalar. A single flat index counts in C order."""
    return a.item(*index) if isinstance(index, tuple) else a.item(index)


@shape_only(1)
def unitem(y_bar: Any, a: Any, index: Any = ()) -> Any:
    """The transpose of `item`: y_bar at that entry of zeros."""
    a_bar = np.zeros(np.shape(a), np.asarray(y_bar).dtype)
    if isinstance(index, tuple) and len(index) == np.ndim(a):
        a_bar[index] = y_bar
    else:
        flat = index[0] if isinstance(index, tuple) and index else index
        a_bar.flat[0 if isinstance(flat, tuple) else flat] = y_bar
    return a_bar


def take_items(a: Any, index: Any) -> Any:
    """`a[index]`: the transpose of `scatter`."""
    return a[index]


@shape_only(1)
def scatter(y_bar: Any, a: Any, index: Any) -> Any:
    """Zeros shaped like `a` with `y_bar` added at `index` (repeats add up).

    The transpose of `take_items`. Allocates one array of the shape of `a`, in y_bar's dtype.
    """
    a_bar = np.zeros(np.shape(a), np.asarray(y_bar).dtype)
    if _plain(index):
        a_bar[index] = y_bar
    else:
        np.add.at(a_bar, index, y_bar)
    return a_bar


def _plain(index: Any) -> bool:
    """Whether an index is made of ints, slices, newaxes and masks: it then hits nothing twice."""
    parts = index if isinstance(index, tuple) else (index,)
    for part in parts:
        if isinstance(part, (int, np.integer, slice)) or part is None or part is Ellipsis:
            continue
        if np.asarray(part).dtype != bool:
            return False
    return True


def _within(indices: Any, size: int, mode: str) -> Any:
    """Indices as np.take reads them in the given mode."""
    places = np.asarray(indices)
    places = places if places.size else places.astype(np.intp)  # `[]` is an array of floats
    if mode == "wrap":
        return places % size
    return np.clip(places, 0, size - 1) if mode == "clip" else places


@shape_only(1)
def take_bar(y_bar: Any, a: Any, indices: Any, axis: int | None = None, mode: str = "raise") -> Any:
    """The transpose of `np.take(a, indices, axis, mode)`; repeats add up."""
    shape = np.shape(a)
    if axis is None:
        flat = np.zeros(np.size(a), np.asarray(y_bar).dtype)
        np.add.at(flat, _within(indices, np.size(a), mode), y_bar)
        return np.reshape(flat, shape)
    axis = axis % len(shape)
    a_bar = np.zeros(shape, np.asarray(y_bar).dtype)
    np.add.at(a_bar, (slice(None),) * axis + (_within(indices, shape[axis], mode),), y_bar)
    return a_bar


def kept_writes(y_bar: Any, index: Any) -> Any:
    """`y_bar[index]`, the cotangent of what `y[index] = value` wrote.

    Where index arrays name an entry several times, NumPy keeps the last write: only that one
    gets the cotangent, the others get zero.
    """
    if _plain(index):
        return y_bar[index]
    return np.where(_stays(y_bar, index), y_bar[index], 0.0)


@shape_only(1)
def unkept_writes(z_bar: Any, y_bar: Any, index: Any) -> Any:
    """The transpose of `kept_writes` in `y_bar`."""
    result = np.zeros(np.shape(y_bar), np.asarray(z_bar).dtype)
    np.add.at(result, index, np.where(_stays(y_bar, index), z_bar, 0.0))
    return result


def _stays(y: Any, index: Any) -> Any:
    """Which of the entries that `y[index] = value` writes are not written over by a later one."""
    last = np.full(np.shape(y), -1)
    shape = last[index].shape
    order = np.arange(int(np.prod(shape))).reshape(shape)
    last[index] = order
    return last[index] == order


@shape_only(1)
def take_along_axis_bar(y_bar: Any, arr: Any, indices: Any, axis: int | None = -1) -> Any:
    """The transpose of `np.take_along_axis(arr, indices, axis)`; repeats add up."""
    if axis is None:
        return take_bar(y_bar, arr, indices)
    shape = np.shape(arr)
    axis = axis % len(shape)
    arr_bar = np.zeros(shape, np.asarray(y_bar).dtype)
    grid = list(np.ogrid[tuple(slice(n) for n in np.shape(y_bar))])
    for i, size in enumerate(shape):
        if i != axis and size == 1:
            grid[i] = np.zeros_like(grid[i])
    grid[axis] = indices
    np.add.at(arr_bar, tuple(grid), y_bar)
    return arr_bar


@shape_only(2)
def compress_bar(y_bar: Any, condition: Any, a: Any, axis: int | None = None) -> Any:
    """The transpose of `np.compress(condition, a, axis)`."""
    return take_bar(y_bar, a, np.flatnonzero(condition), axis)


@shape_only(2)
def extract_bar(y_bar: Any, condition: Any, arr: Any) -> Any:
    """The transpose of `np.extract(condition, arr)`."""
    return take_bar(y_bar, arr, np.flatnonzero(condition))


@shape_only(2)
def choose_bars(y_bar: Any, a: Any, choices: Any, mode: str = "raise") -> list[Any]:
    """Cotangents of all choices of `np.choose(a, choices)`."""
    chosen = _within(a, len(choices), mode)
    return [unbroadcast(np.where(chosen == i, y_bar, 0.0), c) for i, c in enumerate(choices)]


@shape_only(2)
def select_bars(y_bar: Any, conditions: Any, choices: Any) -> list[Any]:
    """Cotangents of all choices of `np.select(conditions, choices)`: the first that holds."""
    found = []
    for condition, choice in zip(conditions, choices, strict=True):
        found.append(unbroadcast(np.where(condition, y_bar, 0.0), choice))
        y_bar = np.where(condition, 0.0, y_bar)
    return found


@shape_only(2)
def select_default_bar(y_bar: Any, conditions: Any, default: Any) -> Any:
    """Cotangent of the default of `np.select`, where no condition holds."""
    for condition in conditions:
        y_bar = np.where(condition, 0.0, y_bar)
    return unbroadcast(y_bar, default)


def group_means(entries: Any, like: Any) -> Any:
    """For each distinct value of `like`, in order, the mean of the entries where it stands."""
    _, group, count = np.unique(like, return_inverse=True, return_counts=True)
    sums = np.zeros(len(count), np.result_type(entries, np.float16))
    np.add.at(sums, np.ravel(group), np.ravel(entries))
    return sums / count


def group_shares(values: Any, like: Any) -> Any:
    """A value for each distinct one of `like`, shared evenly by its entries: the transpose of
    `group_means`."""
    _, group, count = np.unique(like, return_inverse=True, return_counts=True)
    return np.reshape((values / count)[np.ravel(group)], np.shape(like))


def first_places(values: Any, axis: Any = None) -> Any:
    """Where each distinct value (or slice along an axis) stands first, in the values' order."""
    return np.unique(values, return_index=True, axis=axis)[1]


def running_places(a: Any, least: bool = False) -> Any:
    """Where the greatest (or least) entry of a vector so far stands: the first one of equals."""
    best = np.minimum.accumulate(a) if least else np.maximum.accumulate(a)
    places = np.arange(len(a))
    places[1:][(best[1:] == best[:-1]) | np.isnan(best[:-1])] = 0  # nothing is beyond a NaN
    return np.maximum.accumulate(places)


def group_places(values: Any, axis: Any = None) -> Any:
    """(which distinct value each entry is, how often each comes)."""
    _, group, count = np.unique(values, return_inverse=True, return_counts=True, axis=axis)
    return group, count


def estimated_edges(a: Any, bins: str, ends: Any = None) -> Any:
    """Edges of bins whose number is estimated from the entries, by the named method."""
    return np.histogram_bin_edges(a, bins, ends)
