"""Floor 6: one element of an array expression, as a scalar expression of loop indices."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.backend.loops.extents import (
    Axes,
    CannotLower,
    Context,
    Extent,
    Space,
    add,
    integer,
    subtract,
)
from s2sgrad.backend.loops.leaves import DTYPES, constant, is_integer, leaf
from s2sgrad.backend.loops.powers import simple_power
from s2sgrad.backend.loops.ranges import lasts
from s2sgrad.backend.loops.singles import as_single
from s2sgrad.backend.loops.turns import is_turn, turn_of, turned_place
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Var
from s2sgrad.ir.sizes import ONE
from s2sgrad.ir.types import BOOL, FLOAT, INT, Array, Scalar

FLOATS = frozenset({"float64", "float32", "complex128"})
ENTRYWISE = frozenset(
    {
        *("power_bar_base", "power_bar_exponent", "tie_share", "masked", "counted"),
        *("sinc_slope", "safe_divide", "gap", "inverse_point"),
    }
)
_HELPERS = frozenset(getattr(s2sgrad_runtime, name) for name in ENTRYWISE)
LOGIC = frozenset({"&", "|", "^", "~"})
SIGNS = frozenset({"+", "-", "*", "/", "**", "<", "<=", ">", ">=", "==", "!="})


def is_array(expr: Expr) -> bool:
    return isinstance(expr.type, Array) and expr.type.shape != ()


def is_scalar(expr: Expr) -> bool:
    return isinstance(expr.type, Scalar) or (
        isinstance(expr, Const) and isinstance(expr.value, int | float | complex)
    )


def rank(expr: Expr) -> int:
    """The number of axes; refused where it isn't known."""
    if not isinstance(expr.type, Array) or expr.type.shape is None:
        raise CannotLower("rank")
    return len(expr.type.shape)


# --- which expressions ---------------------------------------------------------------------
def is_elementwise(expr: Expr) -> bool:
    """Whether an array-valued call works entry by entry."""
    if not isinstance(expr, Call) or not is_array(expr):
        return False
    if expr.kwargs:
        return is_turn(expr)
    if expr.form == "method":
        return is_cast(expr) or (expr.text == "copy" and not isinstance(expr.args[0], Var))
    if expr.function is np.copy and len(expr.args) == 1:
        return not isinstance(expr.args[0], Var)
    if expr.form == "operator":
        return expr.text != "@"
    if expr.form == "attribute":
        return expr.text == "T" and is_elementwise(expr.args[0])
    return expr.form == "call" and (
        (isinstance(expr.function, np.ufunc) and _is_numbas(expr.function))
        or (expr.text == "np.where" and len(expr.args) == 3)
        or is_flip(expr)
        or is_turn(expr)
        or is_outer(expr)
        or is_fitted(expr)
        or is_spread(expr)
        or is_triangle(expr)
        or is_helper(expr)
    )


@cache
def _is_numbas(ufunc: np.ufunc) -> bool:
    """Whether Numba computes single entries of a ufunc. Any other is one call for the array."""
    from numba.np.ufunc_db import get_ufuncs

    return ufunc.nout == 1 and ufunc in get_ufuncs()


def is_cast(expr: Expr) -> bool:
    """Whether an expression is `x.astype(int)` of floats, or `k.astype(float)` of whole numbers."""
    match expr:
        case Call(text="astype", form="method", args=(array, _), kwargs=()):
            pair = getattr(array.type, "dtype", None), getattr(expr.type, "dtype", None)
            return pair in (("float64", "int64"), ("int64", "float64"))
    return False


def is_helper(expr: Expr) -> bool:
    """Whether a call is a runtime helper, or a function of SciPy's, that works entry by entry."""
    if not isinstance(expr, Call) or expr.form != "call" or isinstance(expr.function, str):
        return False
    return (expr.text in ENTRYWISE and expr.function in _HELPERS) or is_special(expr.function)


def is_special(function: Any) -> bool:
    """Whether compiled code has a special function for one entry (see `numba_special.teach`)."""
    taught = sys.modules.get("s2sgrad_runtime.numba_special")
    return taught is not None and taught.has(function)


def is_flip(expr: Expr) -> bool:
    """Whether a call turns a vector round."""
    if not isinstance(expr, Call) or expr.text != "np.flip" or expr.kwargs:
        return False
    shape = expr.args[0].type.shape if isinstance(expr.args[0].type, Array) else None
    plain = len(expr.args) == 1 or (isinstance(expr.args[1], Const) and expr.args[1].value is None)
    return shape is not None and len(shape) == 1 and plain


def is_outer(expr: Expr) -> bool:
    """Whether a call is the outer product of two vectors."""
    if not isinstance(expr, Call) or expr.text != "np.outer" or len(expr.args) != 2 or expr.kwargs:
        return False
    return all(
        isinstance(a.type, Array) and a.type.shape is not None and len(a.type.shape) == 1
        for a in expr.args
    )


def is_fitted(expr: Expr) -> bool:
    """A cotangent brought to a shape of its own rank: maybe the shape that it has."""
    if (
        not isinstance(expr, Call)
        or expr.text not in ("unbroadcast", "broadcast_like")
        or len(expr.args) != 2
    ):
        return False
    shapes = [a.type.shape if isinstance(a.type, Array) else None for a in expr.args]
    own, like = shapes[0] or (), shapes[1] or ()
    if not own or len(own) != len(like):
        return False
    pairs = zip(own, like, strict=True)
    return expr.text == "broadcast_like" or not any(b == ONE and a != ONE for a, b in pairs)


def is_spread(expr: Expr) -> bool:
    """A value in a given shape: `np.broadcast_to(v, shape)`, `np.full(shape, v)`."""
    if not isinstance(expr, Call) or len(expr.args) != 2:
        return False
    if expr.text == "np.broadcast_to":
        return is_array(expr.args[0]) or is_scalar(expr.args[0])
    return expr.text in ("np.full", "np.full_like") and _fills(expr.args[1], expr)


def _fills(number: Expr, made: Expr) -> bool:
    """Whether a number is what an array is filled with: 1.5 is 1 among integers."""
    if not is_scalar(number) or not isinstance(made.type, Array):
        return False
    return made.type.dtype in (_dtype(number), "float64")


def _dtype(number: Expr) -> np.dtype:
    return np.dtype(type(number.value) if isinstance(number, Const) else number.type.dtype)  # type: ignore[attr-defined]


def is_masked(expr: Expr) -> bool:
    """Whether a call keeps zeros of a branch that was not taken apart from infinite slopes."""
    return (
        isinstance(expr, Call)
        and expr.text == "masked"
        and len(expr.args) == 2
        and all(isinstance(a.type, Array) and a.type.dtype == "float64" for a in expr.args)
    )


def is_triangle(expr: Expr) -> bool:
    """`np.triu(a, k)` or `np.tril(a, k)` of a matrix, for a k that is known."""
    if not isinstance(expr, Call) or expr.text not in ("np.triu", "np.tril") or not expr.args:
        return False
    kind = expr.args[0].type
    shift = constant(expr.args[1], 0) if len(expr.args) == 2 else 0
    if not isinstance(kind, Array) or kind.shape is None or len(kind.shape) != 2:
        return False
    return shift is not None and kind.dtype == "float64"


# --- spaces --------------------------------------------------------------------------------
def space_of(expr: Expr, context: Context) -> Space:
    """The extents of an elementwise value; () of a number."""
    if is_scalar(expr):
        return ()
    if not is_elementwise(expr):
        made = _product_space(expr, context)
        return sized(leaf(expr, context).extents if made is None else made, expr)
    assert isinstance(expr, Call)
    args = expr.args
    if is_outer(expr):
        return (*space_of(args[0], context), *space_of(args[1], context))
    if is_fitted(expr):
        return _fitted(expr, context)
    if is_spread(expr):
        return sized(_spread_space(expr, context), expr)
    if expr.form == "attribute":
        return space_of(args[0], context)[::-1]
    if is_flip(expr) or is_turn(expr) or is_triangle(expr) or expr.form == "method":
        return space_of(args[0], context)
    return sized(context.joined([space_of(a, context) for a in args]), expr)


def _product_space(expr: Expr, context: Context) -> Space | None:
    """The extents of a product of vectors and matrices, where only its shape is asked for."""
    if not isinstance(expr, Call) or expr.form != "operator" or expr.text != "@":
        return None
    left, right = (space_of(a, context) for a in expr.args)
    if max(len(left), len(right)) != 2:
        return None
    return (*left[:-1], *right[1:])


def sized(space: Space, expr: Expr) -> Space:
    """The extents with the sizes that the type of the expression knows."""
    shape = expr.type.shape if isinstance(expr.type, Array) else None
    if shape is None or len(shape) != len(space):
        return space
    pairs = zip(space, shape, strict=True)
    return tuple(replace(e, size=s) if e.size is None and s is not None else e for e, s in pairs)


def _fitted(expr: Call, context: Context) -> Space:
    own, like = (space_of(a, context) for a in expr.args)
    for a, b in zip(own, like, strict=True):
        if not a.one:
            context.require(a, b)
    return like


def _spread_space(expr: Call, context: Context) -> Space:
    """The extents that a shape says."""
    shape = expr.args[0] if expr.text == "np.full" else expr.args[1]
    if expr.text == "np.full_like":
        return space_of(expr.args[0], context)
    match shape:
        case Call(text="np.shape", args=(value,)):
            return space_of(value, context)
        case Call(text="shape", form="attribute", args=(Var() as value,)) if is_array(value):
            return space_of(value, context)
        case nodes.Sequence(items=items):
            sizes = [i.type.size if isinstance(i.type, Scalar) else None for i in items]
            counts = (i if lasts(i) else context.named(i, "count") for i in items)
            return tuple(Extent(s, None, n) for s, n in zip(sizes, counts, strict=True))
    raise CannotLower("shape")


# --- elements ------------------------------------------------------------------------------
def element(expr: Expr, axes: Axes, context: Context) -> Expr:
    """The entry of `expr` (broadcast along `axes`) at the loop indices."""
    if is_scalar(expr):
        return _scalar(expr, context)
    if not isinstance(expr.type, Array) or expr.type.shape is None or expr.type.dtype not in DTYPES:
        raise CannotLower("type")
    if isinstance(expr, Call) and is_elementwise(expr):
        return _operation(expr, axes, context)
    part = leaf(expr, context)
    return part.element(_aligned(sized(part.extents, expr), axes, context))


def _scalar(expr: Expr, context: Context) -> Expr:
    if isinstance(expr, Const | Var | nodes.Ref):
        return expr
    return context.named(expr, "scalar")


def _aligned(extents: Space, axes: Axes, context: Context) -> tuple[Expr, ...]:
    if len(extents) > len(axes):
        raise CannotLower("rank")
    found: list[Expr] = []
    for own, (index, extent) in zip(extents, axes[len(axes) - len(extents) :], strict=True):
        if own.one and not extent.one:
            found.append(integer(0))
            continue
        context.require(own, extent)
        found.append(index)
    return tuple(found)


def _operation(expr: Call, axes: Axes, context: Context) -> Expr:
    """An elementwise operation on elements."""
    args = expr.args
    dtype = str(expr.type.dtype)  # type: ignore[attr-defined]
    kind = Scalar(dtype)
    if is_cast(expr):
        function, name = (np.int64, "np.int64") if dtype == "int64" else (float, "float")
        return Call(function, name, (element(args[0], axes, context),), type=kind)
    if expr.form == "method" or expr.function is np.copy:
        return element(args[0], axes, context)
    if expr.form == "attribute":
        return element(args[0], axes[-2:][::-1], context)
    if is_outer(expr):
        if len(axes) != 2:
            raise CannotLower("outer")
        pair = tuple(element(a, (axis,), context) for a, axis in zip(args, axes, strict=True))
        return Call(np.multiply, "*", pair, form="operator", type=kind)
    if is_fitted(expr):
        _fitted(expr, context)
        return element(args[0], axes, context)
    if is_spread(expr):
        if expr.text == "np.broadcast_to":
            return element(args[0], axes, context)
        number = element(args[1], axes, context)
        return number if _dtype(args[1]) == dtype else Call(float, "float", (number,), type=FLOAT)
    if is_flip(expr):
        index, extent = axes[-1]
        turned = subtract(subtract(extent.count, integer(1)), index)
        return element(args[0], ((turned, extent),), context)
    turn = turn_of(expr)
    if turn is not None:
        return element(args[0], _turned(axes, *turn, rank(expr)), context)
    if is_triangle(expr):
        return _triangle(expr, axes, context)
    if is_masked(expr):
        from s2sgrad_runtime.numba_entries import masked_entry

        pair = tuple(element(a, axes, context) for a in args)
        return Call(masked_entry, "masked_entry", pair, type=kind)
    if expr.text == "np.where":
        test, then, orelse = (element(a, axes, context) for a in args)
        if dtype == "float32":
            then, orelse = as_single(then), as_single(orelse)
        return nodes.Choice(replace(test, type=BOOL), then, orelse, type=kind)
    if (expr.form == "operator" and expr.text not in SIGNS | LOGIC) or not _same_arithmetic(
        expr, dtype
    ):
        raise CannotLower("operator")
    if expr.form == "call" and not is_helper(expr) and len(args) != expr.function.nin:
        raise CannotLower("arguments")
    entries = tuple(element(a, axes, context) for a in args)
    if expr.text == "~":
        return Call(np.logical_not, "np.logical_not", entries, type=BOOL)
    return simple_power(replace(expr, args=entries, type=kind))


def _turned(axes: Axes, shift: int, axis: int, ndim: int) -> Axes:
    """Where the entries lie before an array with so many axes is turned."""
    at = len(axes) - ndim + axis
    index, extent = axes[at]
    if extent.one or shift == 0:
        return axes
    place = turned_place(index, shift, extent.count)
    return (*axes[:at], (place, extent), *axes[at + 1 :])


def _triangle(expr: Call, axes: Axes, context: Context) -> Expr:
    shift = constant(expr.args[1], 0) if len(expr.args) == 2 else 0
    entry = element(expr.args[0], axes, context)
    (row, _), (column, _) = axes[-2:]
    sign, function = (">=", np.greater_equal) if expr.text == "np.triu" else ("<=", np.less_equal)
    inside = Call(
        function, sign, (column, add(row, integer(shift or 0))), form="operator", type=BOOL
    )
    return nodes.Choice(inside, entry, Const(0.0, type=Scalar("float")), type=entry.type)


def _same_arithmetic(expr: Call, dtype: Any) -> bool:
    """Whether scalars compute what arrays of these dtypes do."""
    kinds = [a.type.dtype for a in expr.args if isinstance(a.type, Array | Scalar)]
    if len(kinds) != len(expr.args):
        return False
    if expr.text in LOGIC:
        return dtype == "bool" and all(k == "bool" for k in kinds)
    if dtype == "bool":
        truths = expr.text.startswith("np.logical_") and set(kinds) == {"bool"}
        plain = expr.form != "operator" and (truths or "bool" not in kinds)
        return plain or expr.text in ("<", "<=", ">", ">=", "==", "!=")
    return dtype in FLOATS or (expr.text in ("+", "-", "*") and {*kinds} <= {"int64", "int"})


__all__ = ["INT", "ONE", "CannotLower", "element", "is_elementwise", "is_integer", "space_of"]
