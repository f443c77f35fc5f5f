"""Broadcasting and reducing: each helper stands beside its transpose."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only

__all__ = [
    "as_cotangent",
    "broadcast_like",
    "expand_reduced",
    "laid_as",
    "laid_beside",
    "negated",
    "normalize_axes",
    "outer_sum_left",
    "outer_sum_right",
    "real_like",
    "reduced_count",
    "reread",
    "reshape_like",
    "restrided",
    "unbroadcast",
    "unreduce",
    "unrepeat",
    "unreshape",
    "unresize",
    "unrollaxis",
    "unstrided",
    "untile",
    "untranspose",
    "unwindow",
]

Axis = int | tuple[int, ...] | None


@shape_only(1)
def unbroadcast(x_bar: Any, x: Any) -> Any:
    """Sum `x_bar` down to the shape of `x`: the transpose of `broadcast_like`.

    A cotangent smaller than `x` (one that broadcasts) is spread out instead. Complex
    cotangents of real arguments lose their imaginary part.
    """
    if isinstance(x_bar, float) and isinstance(x, float | int):  # the same, ten times as fast
        return x_bar
    shape = np.shape(x)
    bar_shape = np.shape(x_bar)
    if bar_shape != shape:
        extra = len(bar_shape) - len(shape)
        if extra > 0:
            x_bar = np.sum(x_bar, axis=tuple(range(extra)))
            bar_shape = np.shape(x_bar)
        ones = tuple(
            len(shape) - len(bar_shape) + i
            for i, size in enumerate(bar_shape)
            if size != 1 and shape[len(shape) - len(bar_shape) + i] == 1
        )
        if ones:
            shift = len(shape) - len(bar_shape)
            x_bar = np.sum(x_bar, axis=tuple(i - shift for i in ones), keepdims=True)
        if np.shape(x_bar) != shape:
            x_bar = np.broadcast_to(x_bar, shape).copy()
    return real_like(x_bar, x)


@shape_only(1)
def real_like(x_bar: Any, x: Any) -> Any:
    """`x_bar`, without its imaginary part where `x` is real, and with one where `x` is complex:
    more may be added to an array in place. Lists entry by entry."""
    if isinstance(x_bar, list | tuple):
        return [real_like(bar, item) for bar, item in zip(x_bar, x, strict=True)]
    if np.iscomplexobj(x_bar) and not np.iscomplexobj(x):
        x_bar = np.real(x_bar)
    elif isinstance(x_bar, np.ndarray) and np.iscomplexobj(x) and x_bar.dtype.kind == "f":
        x_bar = x_bar + 0j
    return _number_like(x_bar, x)


def _number_like(x_bar: Any, x: Any) -> Any:
    """A number for a number: an array without axes might be written into under two names."""
    is_bare = isinstance(x_bar, np.ndarray) and not x_bar.ndim
    return x_bar[()] if is_bare and not isinstance(x, np.ndarray) else x_bar


@shape_only(1)
def broadcast_like(x: Any, y: Any) -> Any:
    """`x` spread to the shape of `y` (a read-only view): the transpose of `unbroadcast`.

    Axes of length 1 in front that `y` lacks fall away.
    """
    if np.ndim(x) > np.ndim(y):
        x = np.sum(x, axis=tuple(range(np.ndim(x) - np.ndim(y))))
    return x if np.shape(x) == np.shape(y) else _number_like(np.broadcast_to(x, np.shape(y)), y)


@shape_only(1)
def as_cotangent(x_bar: Any, x: Any) -> Any:
    """What a block of the user's has made of the cotangent of `x`, in the kind of `x`.

    A number stands for an array full of it. Raises ValueError where the shape is another one.
    """
    if isinstance(x, list | tuple):
        if not isinstance(x_bar, list | tuple) or len(x_bar) != len(x):
            raise ValueError(f"a block has to leave {len(x)} cotangents")
        return [as_cotangent(bar, item) for bar, item in zip(x_bar, x, strict=True)]
    if isinstance(x, dict):
        if not isinstance(x_bar, dict) or x_bar.keys() != x.keys():
            raise ValueError(f"a block has to leave the keys {list(x)}")
        return {key: as_cotangent(x_bar[key], item) for key, item in x.items()}
    found, wanted = np.shape(x_bar), np.shape(x)
    if found not in ((), wanted):
        raise ValueError(f"a block made shape {found} of a cotangent of {wanted}")
    if not isinstance(x, np.ndarray):
        return real_like(x_bar, x)
    bar = real_like(np.asarray(x_bar), x)
    bar = bar.astype(x.dtype if x.dtype.kind in "fc" else bar.dtype, copy=False)
    return bar if bar.shape == x.shape else np.full(x.shape, bar)


def normalize_axes(axis: Axis, ndim: int) -> tuple[int, ...]:
    """`axis` as sorted non-negative axes; None stands for all."""
    if axis is None:
        return tuple(range(ndim))
    axes = axis if isinstance(axis, tuple | list) else (axis,)
    return tuple(sorted(a + ndim if a < 0 else a for a in axes))


@shape_only(1)
def expand_reduced(y: Any, a: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """A reduction's result with its lost axes back as size 1, so that it broadcasts against a."""
    ndim = np.ndim(a)
    if keepdims or ndim == 0 or (axis is None and np.ndim(y) == 0):
        return y
    return np.expand_dims(y, normalize_axes(axis, ndim))


@shape_only(1)
def unreduce(
    y_bar: Any, a: Any, axis: Axis = None, keepdims: bool = False, where: Any = True
) -> Any:
    """Spread the cotangent of `np.sum(a, axis, keepdims, where)` back over `a`.

    A read-only view unless `where` is a mask; the transpose of np.sum.
    """
    spread = broadcast_like(expand_reduced(y_bar, a, axis, keepdims), a)
    return spread if where is True else _number_like(np.where(where, spread, 0.0), a)


@shape_only(0)
def reduced_count(a: Any, axis: Axis = None, keepdims: bool = False, where: Any = True) -> Any:
    """How many entries each entry of a reduction over `axis` combines: an int.

    With a mask in `where`, the array of counts, in the shape of the reduction's result.
    """
    shape = np.shape(a)
    if where is not True:
        mask = np.broadcast_to(where, shape)
        return np.sum(mask, axis=axis, keepdims=keepdims)
    count = 1
    for i in normalize_axes(axis, len(shape)):
        count *= shape[i]
    return count


@shape_only(1)
def reshape_like(y_bar: Any, a: Any) -> Any:
    """`y_bar` in the shape of `a`, in C order: the transpose of every reshape in C order."""
    found = np.reshape(y_bar, np.shape(a))
    kind = np.asarray(a).dtype
    if found.dtype.kind == "O" and kind.kind != "O":  # of numbers made objects
        found = found.astype(kind if kind.kind in "fc" else float)
    return _number_like(found, a)


@shape_only(1)
def unreshape(y_bar: Any, a: Any, order: str = "C") -> Any:
    """Cotangent of a in `np.reshape(a, shape, order)`; order "A" and "K" follow a's layout."""
    if order != "K" or np.ndim(a) < 2:
        found = np.reshape(y_bar, np.shape(a), order=_written(a, order))  # type: ignore[call-overload]
        return _number_like(found, a)
    a_bar = np.empty_like(a, dtype=np.asarray(y_bar).dtype)
    np.ravel(a_bar, order="K")[...] = np.ravel(y_bar)
    return a_bar


@shape_only(1)
def reread(z: Any, a: Any, shape: Any, order: str = "C") -> Any:
    """`np.reshape(z, shape, order)`, or np.ravel, where "A" and "K" follow the layout of a."""
    if order == "K" and np.ndim(a) > 1:
        return np.reshape(np.ravel(laid_as(z, a, order), order="K"), shape)
    return np.reshape(z, shape, order=_written(a, order))  # type: ignore[call-overload]


@shape_only(1)
def laid_as(z: Any, a: Any, order: str) -> Any:
    """z laid out in memory as a is, where `order` asks for it ("A" and "K"); or in lists."""
    if isinstance(a, list | tuple):
        return type(a)(laid_as(*both, order) for both in zip(z, a, strict=True))
    if order == "A":
        return np.asarray(z, order=_written(a, order))  # type: ignore[call-overload]
    if order != "K" or np.ndim(a) < 1 or _lies_as(z, a):
        return z  # what is taken of it is a view, as it is of a
    made = empty_as(a, np.asarray(z).dtype)
    made[...] = z
    return made


def _lies_as(z: Any, a: Any) -> bool:
    same = isinstance(z, np.ndarray) and isinstance(a, np.ndarray) and z.shape == a.shape
    return same and z.itemsize == a.itemsize and z.strides == a.strides


@shape_only(1)
def laid_beside(z: Any, arrays: Any) -> Any:
    """z laid out in memory as NumPy lays out what it computes of arrays entry by entry."""
    given = [np.asarray(a) for a in arrays]
    roles: Any = [*[["readonly"]] * len(given), ["writeonly", "allocate"]]
    kinds = [*[None] * len(given), np.asarray(z).dtype]
    found = np.nditer([*given, None], ["refs_ok", "zerosize_ok"], roles, kinds).operands[-1]
    found[...] = z
    return found


def empty_as(a: np.ndarray[Any, Any], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """An array of any numbers whose entries have the distances in memory that those of `a` have:
    what is a view of one, reshaped, is a view of the other."""
    if a.flags.forc or a.size == 0 or 0 in a.strides or dtype.hasobject:
        return np.empty_like(a, dtype=dtype)
    strides = tuple(step // a.itemsize * dtype.itemsize for step in a.strides)
    first = sum(-step * (n - 1) for step, n in zip(strides, a.shape, strict=True) if step < 0)
    last = sum(step * (n - 1) for step, n in zip(strides, a.shape, strict=True) if step > 0)
    memory = np.zeros(first + last + dtype.itemsize, np.uint8)
    return np.ndarray(a.shape, dtype, memory, first, strides)


def _written(a: Any, order: str) -> str:
    """ "F" or "C" for the orders that follow a's layout."""
    if order not in ("A", "K"):
        return order
    flags = getattr(a, "flags", None)
    return "F" if flags is not None and flags.fnc else "C"


def untranspose(y_bar: Any, axes: Any = None) -> Any:
    """The transpose of `np.transpose(a, axes)`: the inverse permutation."""
    if axes is None:
        return np.transpose(y_bar)
    axes = (axes,) if isinstance(axes, int) else axes
    ndim = len(axes)
    return np.transpose(y_bar, tuple(np.argsort([a % ndim for a in axes]).tolist()))


@shape_only(1)
def unrollaxis(y_bar: Any, a: Any, axis: int, start: int = 0) -> Any:
    """The transpose of `np.rollaxis(a, axis, start)`."""
    ndim = np.ndim(a)
    axis, start = axis % ndim, start + ndim if start < 0 else start
    return np.moveaxis(y_bar, start - 1 if axis < start else start, axis)


@shape_only(1)
def unrepeat(y_bar: Any, a: Any, repeats: Any, axis: int | None = None) -> Any:
    """The transpose of `np.repeat(a, repeats, axis)`: sum each run of copies."""
    shape = np.shape(a) if axis is not None and np.ndim(a) else (np.size(a),)
    along = 0 if axis is None else axis % len(shape)
    counts = np.broadcast_to(np.asarray(repeats), (shape[along],))
    a_bar = np.zeros(shape, np.asarray(y_bar).dtype)
    index: Any = (slice(None),) * along + (np.repeat(np.arange(shape[along]), counts),)
    np.add.at(a_bar, index, y_bar)
    return np.reshape(a_bar, np.shape(a))


@shape_only(1)
def untile(y_bar: Any, a: Any, reps: Any) -> Any:
    """The transpose of `np.tile(a, reps)`: sum the copies."""
    reps = tuple(reps) if np.ndim(reps) else (int(reps),)
    shape = np.shape(a)
    ndim = max(len(reps), len(shape))
    reps = (1,) * (ndim - len(reps)) + reps
    shape = (1,) * (ndim - len(shape)) + shape
    split = tuple(n for pair in zip(reps, shape, strict=True) for n in pair)
    summed = np.sum(np.reshape(y_bar, split), axis=tuple(range(0, 2 * ndim, 2)))
    return np.reshape(summed, np.shape(a))


@shape_only(1)
def unresize(y_bar: Any, a: Any) -> Any:
    """The transpose of `np.resize(a, shape)`, which repeats a until the shape is full."""
    size = np.size(a)
    copies = -(-np.size(y_bar) // size) if size else 0
    padding = np.zeros(copies * size - np.size(y_bar), np.asarray(y_bar).dtype)
    rows = np.reshape(np.concatenate((np.ravel(y_bar), padding)), (copies, size))
    return np.reshape(np.sum(rows, axis=0), np.shape(a))


@shape_only(1, 2)
def outer_sum_left(y_bar: Any, a: Any, b: Any) -> Any:
    """Cotangent of a in `np.add.outer(a, b)`: sum over the axes of b, which come last."""
    return np.sum(y_bar, axis=tuple(range(np.ndim(a), np.ndim(y_bar))))


@shape_only(1, 2)
def outer_sum_right(y_bar: Any, a: Any, b: Any) -> Any:
    """Cotangent of b in `np.add.outer(a, b)`: sum over the axes of a, which come first."""
    return np.sum(y_bar, axis=tuple(range(np.ndim(a))))


def negated(shift: Any) -> Any:
    """`-shift`, entry by entry for a tuple: `np.roll(y_bar, negated(shift), axis)` rolls back."""
    return tuple(-s for s in shift) if isinstance(shift, (tuple, list)) else -shift


def unstrided(y_bar: Any, x: Any, shape: Any = None, strides: Any = None) -> Any:
    """The transpose of `as_strided(x, shape, strides)`: an entry that is shown in several places
    takes the sum of their cotangents."""
    x_bar = np.zeros(x.size, np.asarray(y_bar).dtype)
    np.add.at(x_bar, _strided_places(x, shape, strides), y_bar)
    return x_bar.reshape(x.shape)


def restrided(z: Any, x: Any, shape: Any = None, strides: Any = None) -> Any:
    """The entries of z, however it lies in memory, that `as_strided` shows of x."""
    return np.reshape(z, -1)[_strided_places(x, shape, strides)]


def _strided_places(x: Any, shape: Any, strides: Any) -> np.ndarray:
    """Which entries of x, counted in C order, stand where in `as_strided(x, shape, strides)`."""
    shown = _distances(
        x.shape if shape is None else shape, x.strides if strides is None else strides
    )
    own = _distances(x.shape, x.strides).reshape(-1)
    order = np.argsort(own, kind="stable")
    found = np.minimum(np.searchsorted(own, shown, sorter=order), max(own.size - 1, 0))
    places: np.ndarray = order[found] if own.size else found
    if not np.array_equal(own[places] if own.size else own, shown):
        raise ValueError("as_strided shows memory beside the entries of its array")
    return places


def _distances(shape: Any, strides: Any) -> np.ndarray:
    """How far the entries of an array lie behind its first one, in bytes."""
    sizes, steps = np.atleast_1d(shape), np.atleast_1d(strides)
    places = np.indices(tuple(sizes)).reshape(len(sizes), -1)
    total: np.ndarray = steps @ places
    return total.reshape(tuple(sizes))


@shape_only(1)
def unwindow(y_bar: Any, x: Any, window_shape: Any, axis: Any = None) -> Any:
    """The transpose of `sliding_window_view(x, window_shape, axis)`: windows that overlap add."""
    window = window_shape if isinstance(window_shape, tuple) else (window_shape,)
    axes = normalize_axes(axis, np.ndim(x))
    x_bar = np.zeros(np.shape(x), np.asarray(y_bar).dtype)
    for offset in np.ndindex(*window):
        entries = y_bar[(..., *offset)]
        place = [slice(None)] * np.ndim(x)
        for along, start, size in zip(axes, offset, window, strict=True):
            # an axis that is named twice is cut twice
            first = (place[along].start or 0) + start
            last = x_bar.shape[along] if place[along].stop is None else place[along].stop
            place[along] = slice(first, last - size + 1 + start)
        x_bar[tuple(place)] += entries
    return x_bar
