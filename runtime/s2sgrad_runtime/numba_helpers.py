"""Numba's versions of the runtime helpers that generated code calls most.

Importing this module teaches Numba the helpers (`numba.extending.overload`); nothing else here is
meant to be called. Ranks are known when Numba compiles, so every shape decision costs nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types, vectorize
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import register_jitable
from numba.np import numpy_support

from s2sgrad_runtime import elementwise, indexing, products, reductions, shapes
from s2sgrad_runtime.numba_optional import helper_overload as _overload


def _is_array(kind: Any) -> bool:
    return isinstance(kind, types.Array)


def _is_complex(kind: Any) -> bool:
    return isinstance(getattr(kind, "dtype", kind), types.Complex)


def _is_none(kind: Any) -> bool:
    return kind is None or isinstance(kind, types.NoneType | types.Omitted)


def _is_true(kind: Any) -> bool:
    """Whether `where` was left at True."""
    return kind is True or isinstance(kind, types.Boolean | types.Omitted)


def _one_power_bar_base(y_bar: Any, x1: Any, x2: Any) -> Any:
    return y_bar * x2 * x1 ** (x2 - 1 if x2 != 0 else x2)


def _one_power_bar_exponent(y_bar: Any, y: Any, x1: Any, x2: Any) -> Any:
    return 0.0 * y_bar if y_bar == 0 or (x1 == 0 and x2 >= 0) else y_bar * y * np.log(x1)


def _one_power_bar_complex_exponent(y_bar: Any, y: Any, x1: Any, x2: Any) -> Any:
    flat = y_bar == 0 or (x1 == 0 and (x2.real > 0 or x2 == 0))
    return 0.0 * y_bar * x2 if flat else y_bar * y * np.log(complex(x1))


def _one_tie_share(x1: Any, x2: Any) -> Any:
    if x1 == x2:
        return 0.5
    return 1.0 if x1 > x2 or x2 != x2 else 0.0


def _one_gap(x: Any, y: Any) -> Any:
    return x - y if x != y else 0.0


def _one_inverse_point(x1: Any, x2: Any, square: Any) -> Any:
    scale = 1.0 if square > elementwise.SMALL else elementwise.LARGE
    a, b = x1 * scale, x2 * scale
    low = a * a + b * b
    return a / (low if low != 0.0 else 1.0) * scale


def _one_masked(x_bar: Any, y_bar: Any) -> Any:
    return x_bar if y_bar != 0 or np.isfinite(x_bar) else 0.0 * y_bar


def _one_safe_divide(x: Any, y: Any) -> Any:
    return x / y if y != 0 else 0.0 * y


def _one_counted(x_bar: Any, y_bar: Any) -> Any:
    return np.isfinite(x_bar) or y_bar != 0


def _one_sinc_slope(x: Any) -> Any:
    angle = np.pi * x
    if abs(x) < 0.3:
        series = 1.0
        for k in range(10, 1, -1):
            series = 1.0 - angle**2 * series * (k / ((k - 1) * (2 * k + 1) * (2 * k)))
        return -np.pi / 3.0 * angle * series
    return (np.cos(angle) - np.sin(angle) / angle) / x


_whole = {
    one: vectorize(one)
    for one in (
        _one_power_bar_base, _one_power_bar_exponent, _one_power_bar_complex_exponent,
        _one_tie_share, _one_masked, _one_counted, _one_sinc_slope,
        _one_safe_divide, _one_gap, _one_inverse_point,
    )
}  # fmt: skip


def _entrywise(one: Any, *kinds: Any) -> Any:
    """The function of numbers itself where all arguments are numbers: it compiles much faster."""
    return _whole[one] if any(map(_is_array, kinds)) else register_jitable(one)


@_overload(elementwise.power_bar_base)
def power_bar_base(y_bar: Any, x1: Any, x2: Any) -> Any:
    form = _entrywise(_one_power_bar_base, y_bar, x1, x2)
    return lambda y_bar, x1, x2: form(y_bar, x1, x2)


@_overload(elementwise.power_bar_exponent)
def power_bar_exponent(y_bar: Any, y: Any, x1: Any, x2: Any) -> Any:
    one = _one_power_bar_complex_exponent if _is_complex(x2) else _one_power_bar_exponent
    form = _entrywise(one, y_bar, y, x1, x2)
    return lambda y_bar, y, x1, x2: form(y_bar, y, x1, x2)


@_overload(elementwise.tie_share)
def tie_share(x1: Any, x2: Any) -> Any:
    form = _entrywise(_one_tie_share, x1, x2)
    return lambda x1, x2: form(x1, x2)


@_overload(elementwise.masked)
def masked(x_bar: Any, y_bar: Any) -> Any:
    form = _entrywise(_one_masked, x_bar, y_bar)
    return lambda x_bar, y_bar: form(x_bar, y_bar)


@_overload(elementwise.counted)
def counted(x_bar: Any, y_bar: Any) -> Any:
    form = _entrywise(_one_counted, x_bar, y_bar)
    return lambda x_bar, y_bar: form(x_bar, y_bar)


@_overload(elementwise.safe_divide)
def safe_divide(x: Any, y: Any) -> Any:
    form = _entrywise(_one_safe_divide, x, y)
    return lambda x, y: form(x, y)


@_overload(elementwise.gap)
def gap(x: Any, y: Any) -> Any:
    form = _entrywise(_one_gap, x, y)
    return lambda x, y: form(x, y)


@_overload(elementwise.inverse_point)
def inverse_point(x1: Any, x2: Any, square: Any) -> Any:
    form = _entrywise(_one_inverse_point, x1, x2, square)
    return lambda x1, x2, square: form(x1, x2, square)


@_overload(elementwise.sinc_slope)
def sinc_slope(x: Any) -> Any:
    form = _entrywise(_one_sinc_slope, x)
    return lambda x: form(x)


@_overload(shapes.unbroadcast)
def unbroadcast(x_bar: Any, x: Any) -> Any:
    """Sums every entry of x_bar into the entry of x that it came from; real where x is."""
    if _is_none(x):
        return None  # its type is found out later
    if _is_complex(x_bar) and not _is_complex(x):
        return lambda x_bar, x: shapes.unbroadcast(np.real(x_bar), x)
    if not _is_array(x_bar):
        return (
            (lambda x_bar, x: np.full(x.shape, x_bar)) if _is_array(x) else (lambda x_bar, x: x_bar)
        )
    if not _is_array(x):
        return lambda x_bar, x: np.sum(x_bar)
    extra, ndim = x_bar.ndim - x.ndim, x.ndim
    if extra < 0:
        return lambda x_bar, x: np.broadcast_to(x_bar, x.shape).copy()

    def sum_down(x_bar: Any, x: Any) -> Any:
        shape = x.shape  # of the sums: what x_bar has one entry for, is spread out afterwards
        for axis in range(ndim):
            if shape[axis] != 1:
                shape = tuple_setitem(shape, axis, x_bar.shape[extra + axis])  # type: ignore[call-arg]
        sums = np.zeros(shape, x_bar.dtype)
        for index in np.ndindex(x_bar.shape):
            place = index[extra:]
            for axis in range(ndim):
                if shape[axis] == 1:
                    place = tuple_setitem(place, axis, 0)  # type: ignore[call-arg]
            sums[place] += x_bar[index]
        if shape == x.shape:
            return sums
        return np.broadcast_to(sums, x.shape).copy()

    if ndim == 0:
        return lambda x_bar, x: np.full((), np.sum(x_bar))
    return sum_down


@_overload(shapes.broadcast_like)
def broadcast_like(x: Any, y: Any) -> Any:
    if not _is_array(y):
        return lambda x, y: x
    extra = x.ndim - y.ndim if _is_array(x) else 0
    if extra > 0:
        return lambda x, y: np.broadcast_to(
            np.ascontiguousarray(x).reshape(x.shape[extra:]), y.shape
        )
    return lambda x, y: np.broadcast_to(x, y.shape)


@_overload(shapes.reshape_like)
def reshape_like(y_bar: Any, a: Any) -> Any:
    if not _is_array(a):
        return lambda y_bar, a: np.sum(y_bar)
    if not _is_array(y_bar):
        return lambda y_bar, a: np.full(a.shape, y_bar)
    return lambda y_bar, a: np.ascontiguousarray(y_bar).reshape(a.shape)


@_overload(shapes.unreduce)
def unreduce(y_bar: Any, a: Any, axis: Any = None, keepdims: Any = False, where: Any = True) -> Any:
    """For axis None or one axis, without a mask."""
    if not _is_true(where) or not _is_array(a):
        return None
    if not _is_array(y_bar) or y_bar.ndim in (0, a.ndim):

        def spread(
            y_bar: Any, a: Any, axis: Any = None, keepdims: Any = False, where: Any = True
        ) -> Any:
            return np.broadcast_to(y_bar, a.shape)

        return spread
    if not isinstance(axis, types.Integer | int):
        return None
    ndim = a.ndim

    def spread_axis(
        y_bar: Any, a: Any, axis: Any = None, keepdims: Any = False, where: Any = True
    ) -> Any:
        return np.broadcast_to(np.expand_dims(y_bar, axis + ndim if axis < 0 else axis), a.shape)

    return spread_axis


@_overload(shapes.reduced_count)
def reduced_count(a: Any, axis: Any = None, keepdims: Any = False, where: Any = True) -> Any:
    """For axis None or one axis, without a mask."""
    if not _is_true(where):
        return None
    if not _is_array(a):
        return lambda a, axis=None, keepdims=False, where=True: 1
    if _is_none(axis):
        return lambda a, axis=None, keepdims=False, where=True: a.size
    if isinstance(axis, types.Integer | int):
        return lambda a, axis=None, keepdims=False, where=True: a.shape[axis]
    return None


@_overload(reductions.tie_count)
def tie_count(attained: Any, like: Any, axis: Any = None, initial: Any = None) -> Any:
    """For axis None or one axis."""
    if _is_none(axis):
        return lambda attained, like, axis=None, initial=None: float(max(np.sum(attained), 1))
    ndim = attained.ndim

    def count(attained: Any, like: Any, axis: Any = None, initial: Any = None) -> Any:
        place = axis + ndim if axis < 0 else axis
        return np.expand_dims(np.maximum(np.sum(attained, axis=place), 1) * 1.0, place)

    return count


def outer_of(one: Any, two: Any, sign: float = 1.0) -> Any:
    """`sign * np.outer` for vectors of these types, as loops: they compile ten times as fast."""
    dtype = np.result_type(numpy_support.as_dtype(one.dtype), numpy_support.as_dtype(two.dtype))

    def outer(a: Any, b: Any) -> Any:
        out = np.empty((len(a), len(b)), dtype)
        for i in range(len(a)):
            for j in range(len(b)):
                out[i, j] = sign * a[i] * b[j]
        return out

    return register_jitable(outer)


def _bar_left(y_bar: Any, left: Any, right: Any) -> Any:
    """x1_bar of x1 @ x2 for vectors and matrices."""
    ranks = (left.ndim, right.ndim)
    if ranks == (1, 1):
        return lambda y_bar, x1, x2: y_bar * x2
    if ranks == (2, 1):
        outer = outer_of(y_bar, right)
        return lambda y_bar, x1, x2: outer(y_bar, x2)
    if ranks == (1, 2):
        return lambda y_bar, x1, x2: np.dot(x2, y_bar)
    if ranks == (2, 2):
        return lambda y_bar, x1, x2: np.dot(y_bar, x2.T)
    return None


def _bar_right(y_bar: Any, left: Any, right: Any) -> Any:
    """x2_bar of x1 @ x2 for vectors and matrices."""
    ranks = (left.ndim, right.ndim)
    if ranks == (1, 1):
        return lambda y_bar, x1, x2: y_bar * x1
    if ranks == (2, 1):
        return lambda y_bar, x1, x2: np.dot(x1.T, y_bar)
    if ranks == (1, 2):
        outer = outer_of(left, y_bar)
        return lambda y_bar, x1, x2: outer(x1, y_bar)
    if ranks == (2, 2):
        return lambda y_bar, x1, x2: np.dot(x1.T, y_bar)
    return None


@_overload(products.matmul_bar_left)
def matmul_bar_left(y_bar: Any, x1: Any, x2: Any) -> Any:
    return _bar_left(y_bar, x1, x2)


@_overload(products.matmul_bar_right)
def matmul_bar_right(y_bar: Any, x1: Any, x2: Any) -> Any:
    return _bar_right(y_bar, x1, x2)


def _is_index_array(kind: Any) -> bool:
    return _is_array(kind) and kind.ndim == 1 and isinstance(kind.dtype, types.Integer)


@_overload(indexing.scatter)
def scatter(y_bar: Any, a: Any, index: Any) -> Any:
    """For plain indices, a mask, one array of indices, or one array for each axis."""
    dtype = y_bar.dtype if _is_array(y_bar) else y_bar
    if _is_array(index) and isinstance(index.dtype, types.Boolean) and index.ndim == a.ndim:
        return _scatter_mask(y_bar, dtype)
    if _is_index_array(index):
        return _scatter_rows(y_bar, dtype)
    parts = index.types if isinstance(index, types.Tuple | types.UniTuple) else (index,)
    if len(parts) > 1 and all(map(_is_index_array, parts)):
        return _scatter_points(y_bar, dtype) if len(parts) == a.ndim == 2 else None
    if any(map(_is_array, parts)):
        return None

    def put(y_bar: Any, a: Any, index: Any) -> Any:
        a_bar = np.zeros(a.shape, dtype)
        a_bar[index] = y_bar
        return a_bar

    return put


def _scatter_mask(y_bar: Any, dtype: Any) -> Any:
    """Entries of y_bar in the order of the mask's true entries."""
    if not _is_array(y_bar):
        return lambda y_bar, a, index: np.where(index, y_bar, 0.0)

    def put(y_bar: Any, a: Any, index: Any) -> Any:
        a_bar = np.zeros(a.shape, dtype)
        count = 0
        for place in np.ndindex(a.shape):
            if index[place]:
                a_bar[place] = y_bar[count]
                count += 1
        return a_bar

    return put


def _scatter_rows(y_bar: Any, dtype: Any) -> Any:
    whole = _is_array(y_bar)

    def put(y_bar: Any, a: Any, index: Any) -> Any:
        a_bar = np.zeros(a.shape, dtype)
        for k in range(len(index)):
            if whole:
                a_bar[index[k]] += y_bar[k]
            else:
                a_bar[index[k]] += y_bar
        return a_bar

    return put


def _scatter_points(y_bar: Any, dtype: Any) -> Any:
    whole = _is_array(y_bar)

    def put(y_bar: Any, a: Any, index: Any) -> Any:
        a_bar = np.zeros(a.shape, dtype)
        rows, columns = index
        for k in range(len(rows)):
            if whole:
                a_bar[rows[k], columns[k]] += y_bar[k]
            else:
                a_bar[rows[k], columns[k]] += y_bar
        return a_bar

    return put
