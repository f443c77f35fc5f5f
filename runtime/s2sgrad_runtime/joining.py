"""Joining and splitting, padding and meshes: each helper is the transpose of what it names."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only
from s2sgrad_runtime.shapes import unbroadcast

__all__ = [
    "append_dot",
    "block_bars",
    "block_diag_bars",
    "block_diag_pushforward",
    "column_stack_bars",
    "cross_like",
    "delete_bar",
    "dstack_bars",
    "hstack_bars",
    "insert_bar",
    "insert_bar_values",
    "insert_dot",
    "join_blocks",
    "mesh_like",
    "pad_bar",
    "pad_dot",
    "split_like",
    "unbroadcast_each",
    "uncross",
    "unmesh",
    "unsplit",
    "unsplit_h",
    "unstack",
    "vstack_bars",
]


@shape_only(1)
def split_like(y_bar: Any, arrays: Any, axis: int | None = 0) -> list[Any]:
    """The transpose of `np.concatenate(arrays, axis)`: each array's part, in its shape."""
    along = 0 if axis is None else axis % np.ndim(y_bar)
    before = (slice(None),) * along
    parts, start = [], 0
    for array in arrays:
        shape = np.shape(array)
        size = np.size(array) if axis is None else shape[along]
        part = y_bar[(*before, slice(start, start + size))]
        parts.append(np.reshape(part, shape)[()] if axis is None else part)
        start += size
    return parts


def unstack(y_bar: Any, axis: int = 0) -> list[Any]:
    """The transpose of `np.stack(arrays, axis)`: its slices."""
    before = (slice(None),) * (axis % np.ndim(y_bar))
    return [y_bar[(*before, i)] for i in range(np.shape(y_bar)[len(before)])]


def _parts(y_bar: Any, arrays: Any, axis: int, shapes: list[tuple[int, ...]]) -> list[Any]:
    """Parts of `y_bar` along `axis`, whose arrays were joined in the given shapes."""
    before = (slice(None),) * axis
    parts, start = [], 0
    for array, shape in zip(arrays, shapes, strict=True):
        part = y_bar[(*before, slice(start, start + shape[axis]))]
        parts.append(np.reshape(part, np.shape(array))[()])  # a number's part is no view
        start += shape[axis]
    return parts


@shape_only(1)
def vstack_bars(y_bar: Any, arrays: Any) -> list[Any]:
    """The transpose of `np.vstack(arrays)`."""
    shapes = [np.shape(a) if np.ndim(a) > 1 else (1, np.size(a)) for a in arrays]
    return _parts(y_bar, arrays, 0, shapes)


@shape_only(1)
def hstack_bars(y_bar: Any, arrays: Any) -> list[Any]:
    """The transpose of `np.hstack(arrays)`, which joins vectors along their only axis."""
    shapes = [np.shape(a) if np.ndim(a) > 0 else (1,) for a in arrays]
    return _parts(y_bar, arrays, 0 if np.ndim(y_bar) == 1 else 1, shapes)


@shape_only(1)
def dstack_bars(y_bar: Any, arrays: Any) -> list[Any]:
    """The transpose of `np.dstack(arrays)`."""
    shapes = [np.shape(a) if np.ndim(a) > 2 else (0, 0, 1) for a in arrays]
    return _parts(y_bar, arrays, 2, shapes)


@shape_only(1)
def column_stack_bars(y_bar: Any, arrays: Any) -> list[Any]:
    """The transpose of `np.column_stack(arrays)`."""
    shapes = [np.shape(a) if np.ndim(a) > 1 else (np.size(a), 1) for a in arrays]
    return _parts(y_bar, arrays, 1, shapes)


def _block_shape(arrays: Any, ndim: int) -> tuple[int, ...]:
    """Shape of `np.block(arrays)` at `ndim` dimensions."""
    if not isinstance(arrays, list):
        return (1,) * (ndim - np.ndim(arrays)) + tuple(np.shape(arrays))
    depth = _depth(arrays)
    shapes = [_block_shape(a, ndim) for a in arrays]
    axis = ndim - depth
    return (
        *shapes[0][:axis],
        sum(s[axis] for s in shapes),
        *shapes[0][axis + 1 :],
    )


def _depth(arrays: Any) -> int:
    return 1 + _depth(arrays[0]) if isinstance(arrays, list) else 0


@shape_only(1)
def block_bars(y_bar: Any, arrays: Any) -> Any:
    """The transpose of `np.block(arrays)`: lists nested as the arrays are."""
    if not isinstance(arrays, list | tuple):
        return np.reshape(y_bar, np.shape(arrays))[()]
    axis = np.ndim(y_bar) - _depth(arrays)
    before = (slice(None),) * axis
    found, start = [], 0
    for array in arrays:
        size = _block_shape(array, np.ndim(y_bar))[axis]
        found.append(block_bars(y_bar[(*before, slice(start, start + size))], array))
        start += size
    return found


def join_blocks(parts: Any) -> Any:
    """`np.block` of lists or tuples, nested as the blocks are."""

    def as_lists(part: Any) -> Any:
        return [as_lists(p) for p in part] if isinstance(part, list | tuple) else part

    return np.block(as_lists(parts))


@shape_only(1)
def append_dot(x_dot: Any, other: Any, axis: int | None, first: bool) -> Any:
    """`x_dot` joined with zeros in the shape of `other`, before them if `first`."""
    zeros = np.zeros(np.shape(other), np.asarray(x_dot).dtype)
    return np.append(x_dot, zeros, axis) if first else np.append(zeros, x_dot, axis)


def insert_dot(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """`np.insert(arr, obj, values, axis)` of floats: the transpose of the two `insert_bar`."""
    return np.insert(np.asarray(arr, np.result_type(arr, values)), obj, values, axis)


@shape_only(1)
def insert_bar(y_bar: Any, arr: Any, obj: Any, axis: int | None = None) -> Any:
    """Cotangent of arr in `np.insert(arr, obj, values, axis)`."""
    new, along = _insertion(y_bar, arr, obj, axis)
    return np.reshape(np.compress(~new, y_bar, axis=along), np.shape(arr))


def _insertion(y_bar: Any, arr: Any, obj: Any, axis: int | None) -> tuple[Any, int]:
    """Mask of the inserted places and the axis they lie on."""
    shape = (np.size(arr),) if axis is None else np.shape(arr)
    along = 0 if axis is None else axis % len(shape)
    count = np.shape(y_bar)[along] - shape[along]
    return np.insert(np.zeros(shape[along], bool), obj, np.ones(count, bool)), along


@shape_only(1, 3)
def insert_bar_values(y_bar: Any, arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """Cotangent of values in `np.insert(arr, obj, values, axis)`."""
    shape = (np.size(arr),) if axis is None else np.shape(arr)
    along = 0 if axis is None else axis % len(shape)
    count = np.shape(y_bar)[along] - shape[along]
    # Where the k-th value goes: insert the numbers 1..count among zeros.
    order = np.insert(np.zeros(shape[along], np.intp), obj, np.arange(1, count + 1))
    where = np.argsort(order, kind="stable")[shape[along] :]
    found = np.take(y_bar, where, axis=along)
    if np.ndim(obj) == 0 and not isinstance(obj, slice):
        # NumPy moves the first axis of values to the axis of a single index.
        found = np.moveaxis(found, along, 0)
    return unbroadcast(found, values)


@shape_only(1)
def delete_bar(y_bar: Any, arr: Any, obj: Any, axis: int | None = None) -> Any:
    """The transpose of `np.delete(arr, obj, axis)`."""
    shape = (np.size(arr),) if axis is None else np.shape(arr)
    along = 0 if axis is None else axis % len(shape)
    kept = np.delete(np.arange(shape[along]), obj)
    arr_bar = np.zeros(shape, np.asarray(y_bar).dtype)
    arr_bar[(slice(None),) * along + (kept,)] = y_bar
    return np.reshape(arr_bar, np.shape(arr))


@shape_only(1)
def unsplit(y_bar: Any, ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """The transpose of `np.split(ary, indices_or_sections, axis)`.

    Parts overlap where places are out of order: what they share gets both cotangents.
    """
    shape = np.shape(ary)
    joined = np.concatenate(y_bar, axis=axis)
    if joined.shape == shape:
        return joined
    ary_bar = np.zeros(shape, joined.dtype)
    rows = np.moveaxis(ary_bar, axis, 0)
    ends = (*indices_or_sections, len(rows))
    for bar, a, b in zip(y_bar, (0, *ends), ends):  # noqa: B905
        rows[a:b] += np.moveaxis(bar, axis, 0)
    return ary_bar


@shape_only(1)
def unsplit_h(y_bar: Any, ary: Any, indices_or_sections: Any) -> Any:
    """The transpose of `np.hsplit(ary, indices_or_sections)`."""
    return unsplit(y_bar, ary, indices_or_sections, min(np.ndim(ary) - 1, 1))


@shape_only(1)
def unbroadcast_each(y_bar: Any, arrays: Any) -> list[Any]:
    """The transpose of `np.broadcast_arrays(*arrays)`."""
    return [unbroadcast(bar, a) for bar, a in zip(y_bar, arrays, strict=True)]


@shape_only(1)
def mesh_like(vectors: Any, grids: Any, indexing: str = "xy") -> list[Any]:
    """np.meshgrid of the vectors in a sequence, sparse where these grids are."""
    sparse = len({np.shape(grid) for grid in grids}) > 1
    return list(np.meshgrid(*vectors, sparse=sparse, indexing=indexing))  # type: ignore


@shape_only(1)
def unmesh(y_bar: Any, vectors: Any, indexing: str = "xy") -> list[Any]:
    """The transpose of `np.meshgrid(*vectors, indexing)`: sum over the other vectors' axes."""
    found = []
    for i, (bar, vector) in enumerate(zip(y_bar, vectors, strict=True)):
        own = 1 - i if indexing == "xy" and i < 2 and len(vectors) > 1 else i
        others = tuple(k for k in range(len(vectors)) if k != own)
        found.append(np.reshape(np.sum(bar, axis=others), np.shape(vector)))
    return found


@shape_only(1)
def cross_like(vectors: Any, grids: Any) -> list[Any]:
    """np.ix_ of the vectors in a sequence, beside these; a mask's tangent is zero."""
    return [_entries_as(v, grid) for v, grid in zip(vectors, grids, strict=True)]


@shape_only(1)
def uncross(y_bar: Any, vectors: Any) -> list[Any]:
    """The transpose of `np.ix_(*vectors)`; nothing reaches a mask, whose places are numbers."""
    return [_entries_as(bar, v) for bar, v in zip(y_bar, vectors, strict=True)]


def _entries_as(values: Any, like: Any) -> Any:
    """The entries in the shape of another array, or zeros where they are of another number."""
    if np.size(values) != np.size(like):
        return np.zeros(np.shape(like))
    return np.reshape(values, np.shape(like))


@shape_only(1)
def pad_bar(
    y_bar: Any,
    array: Any,
    pad_width: Any,
    mode: str = "constant",
    reflect_type: str = "even",
    stat_length: Any = None,
) -> Any:
    """The transpose of `np.pad(array, pad_width, mode)`: each copy adds to its original."""
    shape = np.shape(array)
    copies = mode in ("edge", "reflect", "symmetric", "wrap") and reflect_type == "even"
    if mode in ("maximum", "minimum", "median"):
        raise ValueError(f"no derivative for np.pad with mode='{mode}'")
    for axis in range(len(shape)):
        if not copies and mode not in ("constant", "empty"):
            options = _pad_options(mode, reflect_type, stat_length, axis, len(shape))
            matrix = _pad_matrix(shape[axis], _pad_width(shape, pad_width, axis), mode, options)
            y_bar = np.moveaxis(np.moveaxis(y_bar, axis, -1) @ matrix, -1, axis)
            continue
        if not copies:
            before, _ = _pad_width(shape, pad_width, axis)
            y_bar = y_bar[(slice(None),) * axis + (slice(before, before + shape[axis]),)]
            continue
        index = np.pad(np.arange(shape[axis]), _pad_width(shape, pad_width, axis), mode)  # type: ignore[call-overload]
        rows = np.moveaxis(y_bar, axis, 0)
        summed = np.zeros((shape[axis], *rows.shape[1:]), rows.dtype)
        np.add.at(summed, index, rows)
        y_bar = np.moveaxis(summed, 0, axis)
    return np.copy(y_bar) if mode in ("constant", "empty") else y_bar


def pad_dot(
    array_dot: Any,
    pad_width: Any,
    mode: str = "constant",
    reflect_type: str = "even",
    stat_length: Any = None,
) -> Any:
    """The tangent of `np.pad(array, pad_width, mode)`: what is padded with is fixed."""
    if mode in ("maximum", "minimum", "median"):
        raise ValueError(f"no derivative for np.pad with mode='{mode}'")
    if mode in ("reflect", "symmetric"):
        return np.pad(array_dot, pad_width, mode, reflect_type=reflect_type)  # type: ignore
    options = {"stat_length": stat_length} if mode == "mean" else {}
    return np.pad(array_dot, pad_width, mode, **options)  # type: ignore[call-overload]


def _pad_matrix(size: int, width: tuple[int, int], mode: str, options: dict[str, Any]) -> Any:
    """The matrix by which a linear mode of np.pad makes the padded axis from the axis."""
    widths = (width, (0, 0))
    return np.pad(np.eye(size), widths, mode, **options)  # type: ignore[call-overload]


def _pad_options(
    mode: str, reflect_type: str, stat_length: Any, axis: int, ndim: int
) -> dict[str, Any]:
    """What else a linear mode of np.pad goes by, for one axis."""
    if mode in ("reflect", "symmetric"):
        return {"reflect_type": reflect_type}
    if mode != "mean" or stat_length is None:
        return {}
    before, after = np.broadcast_to(np.asarray(stat_length), (ndim, 2))[axis]
    return {"stat_length": ((int(before), int(after)), (1, 1))}


def _pad_width(shape: tuple[int, ...], pad_width: Any, axis: int) -> tuple[int, int]:
    """How many entries one axis gets before and after."""
    if isinstance(pad_width, dict):
        width: Any = pad_width.get(axis, pad_width.get(axis - len(shape), 0))
        before, after = np.broadcast_to(width, 2)
    else:
        before, after = np.broadcast_to(np.asarray(pad_width), (len(shape), 2))[axis]
    return int(before), int(after)


def block_diag_bars(y_bar: Any, arrs: Any) -> Any:
    """Cotangents of the blocks of block_diag(*arrs): the blocks of y_bar."""
    bars, row, column = [], 0, 0
    for block in arrs:
        matrix = np.atleast_2d(block)
        height, width = np.shape(matrix)[-2:]
        bar = unbroadcast(y_bar[..., row : row + height, column : column + width], matrix)
        bars.append(np.reshape(bar, np.shape(block)))
        row, column = row + height, column + width
    return bars


def block_diag_pushforward(arrs_dot: Any, arrs: Any) -> Any:
    """block_diag of the tangents (a missing one is zero)."""
    filled = [np.zeros_like(a) if d is None else d for a, d in zip(arrs, arrs_dot, strict=True)]
    shapes = [np.shape(np.atleast_2d(a)) for a in arrs]
    lead = np.broadcast_shapes(*[shape[:-2] for shape in shapes])
    rows = []
    for i, block in enumerate(filled):
        left = sum([shape[-1] for shape in shapes[:i]])
        right = sum([shape[-1] for shape in shapes[i + 1 :]])
        matrix = np.broadcast_to(np.reshape(block, shapes[i]), (*lead, *shapes[i][-2:]))
        rows.append(np.pad(matrix, ((0, 0),) * (len(lead) + 1) + ((left, right),)))
    return np.concatenate(rows, axis=-2)
