"""Runtime helpers as the engine calls them on small arrays: the same results, fewer steps.

Each function here stands for the helper of its name in `s2sgrad_runtime`, takes arrays only,
handles the common case directly and leaves the rest to the helper. Rules are compiled with these
names for the plain backward pass; recorded passes use the helpers themselves.
"""

from __future__ import annotations

import ast
import copy
from dataclasses import replace
from typing import Any

import numpy as np

import s2sgrad_runtime as helpers
from s2sgrad.eager.recording.sums import column_sums

ndarray, outer = np.ndarray, np.multiply.outer
SMALL = 4096  # up to this many elements a filled array costs no more than a broadcast view


def matmul_bar_left(y_bar: Any, x1: Any, x2: Any) -> Any:
    """y_bar @ x2.T, by the ranks of y_bar and x2, which say the rank of x1."""
    if x2.ndim == 2:
        if y_bar.ndim == 2:
            if y_bar.size > SMALL and lies_by_columns(x1):
                return x2.dot(y_bar.T).T
            return y_bar.dot(x2.T)
        if y_bar.ndim == 1:
            return x2.dot(y_bar)
    elif x2.ndim == 1 and y_bar.ndim < 2:
        return outer(y_bar, x2)
    return helpers.matmul_bar_left(y_bar, x1, x2)


def matmul_bar_right(y_bar: Any, x1: Any, x2: Any) -> Any:
    """x1.T @ y_bar, by the ranks of y_bar and x1, which say the rank of x2."""
    if x1.ndim == 2:
        if y_bar.ndim == 2:
            if y_bar.size > SMALL and lies_by_columns(x2):
                return y_bar.T.dot(x1).T
            return x1.T.dot(y_bar)
        if y_bar.ndim == 1:
            return y_bar.dot(x1)
    elif x1.ndim == 1 and y_bar.ndim < 2:
        return outer(x1, y_bar)
    return helpers.matmul_bar_right(y_bar, x1, x2)


def lies_by_columns(x: Any) -> bool:
    """Whether a cotangent of x should too: contributions then meet in the same order of memory.

    None stands for an argument that was not saved.
    """
    return x is not None and x.flags.f_contiguous and not x.flags.c_contiguous


def unreduce(
    y_bar: Any, a: Any, axis: Any = None, keepdims: bool = False, where: Any = True
) -> Any:
    """A reduction's cotangent spread over `a`: filled where `a` is small, else a view."""
    if where is not True or (axis.__class__ is not int and axis is not None):
        return helpers.unreduce(y_bar, a, axis, keepdims, where)
    if a.size > SMALL:
        if y_bar.__class__ is ndarray and y_bar.flags.c_contiguous:
            return spread_view(y_bar, a.shape, axis, keepdims)
        return helpers.unreduce(y_bar, a, axis, keepdims, where)
    spread = np.empty(a.shape, y_bar.dtype)
    if axis is None or keepdims:
        spread[...] = y_bar
    else:
        spread[...] = y_bar[(slice(None),) * (axis % a.ndim) + (None,)] if y_bar.ndim else y_bar
    return spread


def spread_view(y_bar: Any, shape: tuple[int, ...], axis: Any, keepdims: bool) -> Any:
    """A read-only view of `y_bar` in a shape that was reduced along `axis`."""
    if axis is None:
        strides: Any = (0,) * len(shape)
    else:
        steps, place = y_bar.strides, axis % len(shape)
        strides = (*steps[:place], 0, *steps[place + 1 if keepdims else place :])
    made = ndarray(shape, y_bar.dtype, y_bar, 0, strides)
    made.flags.writeable = False
    return made


def reduced_count(a: Any, axis: Any = None, keepdims: bool = False, where: Any = True) -> Any:
    """How many entries a reduction combines."""
    if where is True and axis is None:
        return a.size
    if where is True and axis.__class__ is int:
        return a.shape[axis]
    return helpers.reduced_count(a, axis, keepdims, where)


def scatter(y_bar: Any, a: Any, index: Any) -> Any:
    """Zeros shaped as `a` with y_bar at `index`."""
    for part in index if index.__class__ is tuple else (index,):
        kind = part.__class__
        if kind is not int and kind is not slice and part is not None and part is not Ellipsis:
            return helpers.scatter(y_bar, a, index)
    if y_bar.size > SMALL:
        spread = among_zeros(y_bar, a.shape, index)
        if spread is not None:
            return spread
    spread = np.zeros(a.shape, y_bar.dtype)
    spread[index] = y_bar
    return spread


def laid_out_like(y_bar: Any, shape: tuple[int, ...]) -> Any:
    """A new array whose axes lie in memory as those of y_bar do, where they are the same ones."""
    if y_bar.ndim != len(shape) or 0 in y_bar.strides:
        return np.empty(shape, y_bar.dtype)
    return np.empty_like(y_bar, shape=shape)


def among_zeros(y_bar: Any, shape: tuple[int, ...], index: Any) -> Any:
    """`scatter` where the slices take neighbours: zeros go only where y_bar does not.

    None where another index is used.
    """
    parts = index if index.__class__ is tuple else (index,)
    if parts and parts[-1] is Ellipsis:
        parts = parts[:-1]
    if any(p.__class__ is not slice or p.step not in (None, 1) for p in parts):
        return None
    spread = laid_out_like(y_bar, shape)
    place: tuple[slice, ...] = ()
    for part, size in zip(parts, shape):  # noqa: B905  (the further axes are taken whole)
        start, stop, _ = part.indices(size)
        spread[(*place, slice(start))] = 0
        spread[(*place, slice(max(start, stop), None))] = 0
        place += (slice(start, max(start, stop)),)
    spread[place] = y_bar
    return spread


def unreshape(y_bar: Any, a: Any, order: str = "C") -> Any:
    """`y_bar` in the shape of `a`."""
    return y_bar.reshape(a.shape) if order == "C" else helpers.unreshape(y_bar, a, order)


def reshape_like(y_bar: Any, a: Any) -> Any:
    """`y_bar` in the shape of `a`."""
    return y_bar.reshape(a.shape)


def untranspose(y_bar: Any, axes: Any = None) -> Any:
    """The inverse permutation; two exchanged axes are their own inverse."""
    if axes is not None:
        axes = tuple(axes)  # NumPy takes an array too
    if axes is None or axes == (1, 0):
        return y_bar.T
    return helpers.untranspose(y_bar, axes)


def unbroadcast(x_bar: Any, x: Any) -> Any:
    """`x_bar` summed down to the shape of `x`."""
    if x_bar.shape == x.shape and x_bar.dtype.kind == "f":
        return x_bar
    return helpers.unbroadcast(x_bar, x)


def fitted_to(x_bar: Any, shape: tuple[int, ...]) -> Any:
    """`x_bar` summed down to a shape it was broadcast from."""
    bar_shape = x_bar.shape
    if bar_shape == shape:
        return x_bar
    extra = len(bar_shape) - len(shape)
    if extra > 0 and bar_shape[extra:] == shape:
        return column_sums(x_bar) if extra == 1 else np.add.reduce(x_bar, tuple(range(extra)))
    like = np.ndarray(shape, x_bar.dtype, _ZERO, 0, (0,) * len(shape))
    return helpers.unbroadcast(x_bar, like)


def where(condition: Any, a: Any, b: Any) -> Any:
    """np.where; with zeros on one side, many entries are masked by their bits.

    That takes the same time for all masks, while np.where waits for each guess that fails.
    """
    zeros_last = is_zero(b)
    kept = a if zeros_last else b
    if kept.__class__ is not ndarray or kept.size <= SMALL or not (zeros_last or is_zero(a)):
        return np.where(condition, a, b)
    bits = _BITS.get(kept.dtype)
    if bits is None or condition.__class__ is not ndarray or condition.dtype != bool:
        return np.where(condition, a, b)
    if condition.shape != kept.shape or not kept.flags.c_contiguous:
        return np.where(condition, a, b)
    ones = condition.view(np.int8)
    mask = (np.negative(ones) if zeros_last else ones - np.int8(1)).astype(bits)
    return np.bitwise_and(mask, kept.view(bits), mask).view(kept.dtype)


def is_zero(value: Any) -> bool:
    """Whether a value is the number 0.0."""
    return value.__class__ is float and value == 0.0


_BITS = {np.dtype(np.float32): np.int32, np.dtype(np.float64): np.int64}
_ZERO = np.zeros(2, np.complex128)
NAMES = (
    "matmul_bar_left", "matmul_bar_right", "reduced_count", "reshape_like", "scatter",
    "unbroadcast", "unreduce", "unreshape", "untranspose",
)  # fmt: skip
SCOPE: dict[str, Any] = {name: globals()[name] for name in NAMES if name in helpers.__all__}
SCOPE["_where"] = where


class _Masks(ast.NodeTransformer):
    """Calls of np.where as calls of `where`."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        return ast.Name("_where", ast.Load()) if ast.unparse(node) == "np.where" else node


def masked_by_bits(node: Any) -> Any:
    """A rule's expression or statement with `where` for np.where."""
    return _Masks().visit(copy.deepcopy(node))


def compiled(rule: Any, argument: str) -> Any:
    """A partial's function for arrays, with the quick helpers."""
    partial = rule.partials[argument]
    setup = tuple(map(masked_by_bits, partial.setup))
    expression = masked_by_bits(partial.expression)
    scope = {**partial.scope, **SCOPE}
    return replace(partial, setup=setup, expression=expression, scope=scope).fn


# --- recorded passes: tensors instead of arrays ------------------------------------------------


def shape_stub(shape: tuple[int, ...], y_bar: Any) -> Any:
    """A stand-in for an argument of which only the shape is read."""
    return np.ndarray(shape, y_bar._array.dtype, _ZERO, 0, (0,) * len(shape))


def graph_fitted_to(x_bar: Any, shape: tuple[int, ...]) -> Any:
    """A tensor summed down to a shape it was broadcast from."""
    if x_bar._array.shape == shape:
        return x_bar
    return helpers.unbroadcast(x_bar, shape_stub(shape, x_bar))


def graph_matmul_bar_left(y_bar: Any, x1: Any, x2: Any) -> Any:
    """y_bar @ x2.T as recorded products of matrices."""
    if y_bar.ndim == 2 and x2.ndim == 2:
        return y_bar @ (x2.t() if hasattr(x2, "_node") else x2.T)
    return lift(helpers.matmul_bar_left)(y_bar, x1, x2)


def graph_matmul_bar_right(y_bar: Any, x1: Any, x2: Any) -> Any:
    """x1.T @ y_bar as recorded products of matrices."""
    if y_bar.ndim == 2 and x1.ndim == 2:
        return (x1.t() if hasattr(x1, "_node") else x1.T) @ y_bar
    return lift(helpers.matmul_bar_right)(y_bar, x1, x2)


def graph_unreduce(
    y_bar: Any, a: Any, axis: Any = None, keepdims: bool = False, where: Any = True
) -> Any:
    """A whole reduction's cotangent spread over `a` by one recorded expansion."""
    if axis is None and not keepdims and where is True and hasattr(y_bar, "_node"):
        return y_bar.expand(a.shape)
    return lift(helpers.unreduce)(y_bar, a, axis, keepdims, where)


def lift(helper: Any) -> Any:
    """The helper, recorded by its own rule."""
    from s2sgrad.eager.recording.record import lifted_helpers

    return lifted_helpers()[helper.__name__]


GRAPH_SCOPE: dict[str, Any] = {
    "matmul_bar_left": graph_matmul_bar_left,
    "matmul_bar_right": graph_matmul_bar_right,
    "unreduce": graph_unreduce,
}
