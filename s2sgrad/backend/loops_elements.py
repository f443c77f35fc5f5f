"""Floor 6: one element of an array expression, as a scalar expression of loop indices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from s2sgrad.backend.loops_extents import (
    Axes,
    CannotLower,
    Context,
    Extent,
    add,
    integer,
    length,
    subtract,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Call, Const, Expr, Index, Slice, Var
from s2sgrad.ir.sizes import ONE, Size
from s2sgrad.ir.types import BOOL, INT, Array, Scalar, Type, is_float_dtype

DTYPES = frozenset({"float64", "float32", "complex128", "int64", "bool"})
FLOATS = frozenset({"float64", "float32", "complex128"})
SIGNS = frozenset({"+", "-", "*", "/", "**", "<", "<=", ">", ">=", "==", "!="})


def array_shape(expr: Expr) -> tuple[Size | None, ...] | None:
    return expr.type.shape if isinstance(expr.type, Array) else None


def is_array(expr: Expr) -> bool:
    return isinstance(expr.type, Array) and expr.type.shape != ()


def is_scalar(expr: Expr) -> bool:
    return isinstance(expr.type, Scalar) or (
        isinstance(expr, Const) and isinstance(expr.value, int | float | complex)
    )


def rank(expr: Expr) -> int:
    shape = array_shape(expr)
    if shape is None:
        raise CannotLower("rank")
    return len(shape)


# --- leaves --------------------------------------------------------------------------------
@dataclass(frozen=True)
class Leaf:
    """Part of an array: for each axis of the part, its extent and how its index is made.

    at: result indices -> index of the base, one entry per base axis.
    """

    base: Var
    extents: tuple[Extent, ...]
    at: Callable[[tuple[Expr, ...]], tuple[Expr, ...]] = field(compare=False)
    dtype: str = "float64"

    def element(self, indices: tuple[Expr, ...]) -> Expr:
        return Index(self.base, self.at(indices), type=Scalar(self.dtype))


def leaf(expr: Expr, context: Context) -> Leaf:
    """An array variable, or a part of one made by slices, integers and new axes."""
    kind = expr.type
    if not isinstance(kind, Array) or kind.shape is None or kind.dtype not in DTYPES:
        raise CannotLower("leaf")
    if isinstance(expr, Var):
        extents = tuple(
            Extent(s, ("axis", expr.name, k), length(expr, k)) for k, s in enumerate(kind.shape)
        )
        return Leaf(expr, extents, lambda ix: ix, kind.dtype)
    if isinstance(expr, Call) and expr.form == "attribute" and expr.text == "T":
        inner = leaf(expr.args[0], context)
        return replace(inner, extents=inner.extents[::-1], at=lambda ix: inner.at(ix[::-1]))
    if isinstance(expr, Index) and is_array(expr.base):
        return _part(expr, context)
    raise CannotLower("leaf")


def _part(expr: Index, context: Context) -> Leaf:
    inner = leaf(expr.base, context)
    makers: list[Callable[[list[Expr]], Expr]] = []
    extents: list[Extent] = []
    axis = 0
    for part in _full(expr.index, len(inner.extents)):
        if isinstance(part, Const) and part.value is None:
            extents.append(Extent(ONE, None, integer(1)))
            continue
        own = inner.extents[axis]
        axis += 1
        if isinstance(part, Slice):
            start, step, extent = _slice(part, own, context)
            makers.append(_stepping(len(extents), start, step))
            extents.append(extent)
        elif (
            isinstance(part.type, Scalar)
            and not is_float_dtype(part.type.dtype)
            and part.type.dtype != "bool"
        ):
            makers.append(_fixed(_from_start(part, own, context)))
        else:
            raise CannotLower("index")

    def at(indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return inner.at(tuple(make(list(indices)) for make in makers))

    return Leaf(inner.base, tuple(extents), at, inner.dtype)


def _full(index: tuple[Expr, ...], ndim: int) -> list[Expr]:
    """The index with `...` and trailing axes written out."""
    used = sum(not (isinstance(p, Const) and (p.value is None or p.value is ...)) for p in index)
    rest: list[Expr] = [Slice(None, None, None)] * (ndim - used)
    places = [k for k, p in enumerate(index) if isinstance(p, Const) and p.value is ...]
    if not places:
        return [*index, *rest]
    return [*index[: places[0]], *rest, *index[places[0] + 1 :]]


def _stepping(axis: int, start: Expr, step: int) -> Callable[[list[Expr]], Expr]:
    if step == 1:
        return lambda ix: add(ix[axis], start)
    return lambda ix: subtract(start, ix[axis])


def _fixed(value: Expr) -> Callable[[list[Expr]], Expr]:
    return lambda ix: value


def _from_start(part: Expr, own: Extent, context: Context) -> Expr:
    """An integer index; counted from the end only where it is a negative constant."""
    if isinstance(part, Const):
        return part if part.value >= 0 else subtract(own.count, integer(-part.value))
    if isinstance(part, Var):
        return part
    if (
        isinstance(part, Call)
        and all(isinstance(a, Var | Const) for a in part.args)
        and part.form == "operator"
    ):
        return part
    return context.named(part, "at")


def constant(expr: Expr | None, default: int) -> int | None:
    """The number that a bound is, if it is known."""
    if expr is None:
        return default
    if isinstance(expr, Const) and type(expr.value) is int:
        return expr.value
    if (
        isinstance(expr, Call)
        and expr.form == "operator"
        and expr.text == "-"
        and len(expr.args) == 1
        and isinstance(expr.args[0], Const)
    ):
        return -int(expr.args[0].value)
    return None


def _slice(part: Slice, own: Extent, context: Context) -> tuple[Expr, int, Extent]:
    """(start, step, extent) of a slice of an axis."""
    step = constant(part.step, 1)
    if step not in (1, -1):
        raise CannotLower("step")
    lower, upper = constant(part.lower, 0), constant(part.upper, -1)
    if step == -1:
        if part.lower is not None or part.upper is not None:
            raise CannotLower("step")
        return subtract(own.count, integer(1)), -1, own
    if part.lower is None and part.upper is None:
        return integer(0), 1, own
    whose = own.size or own.key
    if (
        lower is not None
        and lower >= 0
        and (part.upper is None or (upper is not None and upper < 0))
    ):
        cut = lower - (0 if part.upper is None else upper or 0)
        size = None if own.size is None else own.size - _size(cut)
        return (
            integer(lower),
            1,
            Extent(size, ("cut", whose, cut), subtract(own.count, integer(cut))),
        )
    if lower is not None and upper is not None and upper - lower <= 1:
        raise CannotLower("short")  # maybe of length 1, which would broadcast
    start: Expr = (
        integer(lower) if lower is not None and lower >= 0 else _bound(part.lower, own, context)
    )
    stop = own.count if part.upper is None else _bound(part.upper, own, context)
    key = ("slice", whose, part.lower, part.upper)
    count: Expr = stop
    if not isinstance(start, Const) or start.value != 0:
        count = context.once(key, subtract(stop, start), "count")
    return start, 1, Extent(None, key, count)


def _size(value: int) -> Size:
    from s2sgrad.ir.sizes import of

    return of(value)


def _bound(part: Expr | None, own: Extent, context: Context) -> Expr:
    """A bound as slices read it: counted from the end if negative, at most the length."""
    from s2sgrad_runtime.numba_slices import slice_bound

    assert part is not None
    made = Call(slice_bound, "slice_bound", (part, own.count), type=INT)
    return context.once(("bound", own.size or own.key, part), made, "stop")


# --- elements ------------------------------------------------------------------------------
def element(expr: Expr, axes: Axes, context: Context) -> Expr:
    """The entry of `expr` (broadcast along `axes`) at the loop indices."""
    if is_scalar(expr):
        return _scalar(expr, context)
    if not isinstance(expr.type, Array) or expr.type.shape is None or expr.type.dtype not in DTYPES:
        raise CannotLower("type")
    if isinstance(expr, Call):
        found = _operation(expr, axes, context)
        if found is not None:
            return found
    try:
        part = leaf(expr, context)
    except CannotLower:
        if isinstance(expr, Var) or expr.type.shape == ():
            raise
        part = leaf(context.named(expr, "part"), context)
    return part.element(_aligned(part.extents, axes))


def _scalar(expr: Expr, context: Context) -> Expr:
    if isinstance(expr, Const | Var | nodes.Ref):
        return expr
    return context.named(expr, "scalar")


def _aligned(extents: tuple[Extent, ...], axes: Axes) -> tuple[Expr, ...]:
    if len(extents) > len(axes):
        raise CannotLower("rank")
    found = []
    for own, (index, extent) in zip(extents, axes[len(axes) - len(extents) :], strict=True):
        if own.same(extent):
            found.append(index)
        elif own.one:
            found.append(integer(0))
        else:
            raise CannotLower("extent")
    return tuple(found)


def _operation(expr: Call, axes: Axes, context: Context) -> Expr | None:
    """An elementwise operation on elements; None for anything else."""
    if expr.kwargs:
        return None
    dtype = expr.type.dtype if isinstance(expr.type, Array) else None
    if expr.form == "method" and expr.text == "copy":
        return element(expr.args[0], axes, context)
    if is_outer(expr):
        if len(axes) != 2:
            return None
        pair = tuple(element(a, (axis,), context) for a, axis in zip(expr.args, axes, strict=True))
        return Call(np.multiply, "*", pair, form="operator", type=Scalar(str(dtype)))
    if is_same_shape(expr) and _surely_same(expr, context):
        return element(expr.args[0], axes, context)
    if is_flip(expr):
        index, extent = axes[-1]
        turned = subtract(subtract(extent.count, integer(1)), index)
        return element(expr.args[0], ((turned, extent),), context)
    if expr.form == "operator" and expr.text in SIGNS and _same_arithmetic(expr, dtype):
        args = tuple(element(a, axes, context) for a in expr.args)
        return replace(expr, args=args, type=Scalar(str(dtype)))
    if expr.form == "call" and isinstance(expr.function, np.ufunc) and expr.function.nout == 1:
        if not _same_arithmetic(expr, dtype) or len(expr.args) != expr.function.nin:
            return None
        args = tuple(element(a, axes, context) for a in expr.args)
        return replace(expr, args=args, type=Scalar(str(dtype)))
    if expr.form == "call" and expr.text == "np.where" and len(expr.args) == 3:
        test, then, orelse = (element(a, axes, context) for a in expr.args)
        return nodes.Choice(replace_type(test, BOOL), then, orelse, type=Scalar(str(dtype)))
    if (
        expr.form == "call"
        and expr.text in ("np.ones_like", "np.zeros_like", "np.ones", "np.zeros")
        and dtype == "float64"
    ):
        return Const(1.0 if "ones" in expr.text else 0.0, type=Scalar("float"))
    return None


def is_flip(expr: Expr) -> bool:
    """Whether a call turns a vector round."""
    if not isinstance(expr, Call) or expr.text != "np.flip" or expr.form != "call" or expr.kwargs:
        return False
    shape = array_shape(expr.args[0])
    return shape is not None and len(shape) == 1


def is_outer(expr: Expr) -> bool:
    """Whether a call is the outer product of two vectors."""
    if not isinstance(expr, Call) or expr.text != "np.outer" or len(expr.args) != 2 or expr.kwargs:
        return False
    shapes = [array_shape(a) for a in expr.args]
    return all(s is not None and len(s) == 1 for s in shapes)


def is_same_shape(expr: Expr) -> bool:
    """A cotangent brought to a shape of its own rank: maybe the shape that it has."""
    if (
        not isinstance(expr, Call)
        or expr.text not in ("unbroadcast", "broadcast_like")
        or len(expr.args) != 2
    ):
        return False
    shapes = [array_shape(a) for a in expr.args]
    return all(s for s in shapes) and len(shapes[0] or ()) == len(shapes[1] or ())


def _surely_same(expr: Call, context: Context) -> bool:
    """Whether both arguments of `unbroadcast` have leaves of one shape."""
    from s2sgrad.backend.loops_nests import Lowering

    trial = Lowering(Names(), {})
    one, two = (trial.space(a, Context(Names(), {})) for a in expr.args)
    return all(a.same(b) for a, b in zip(one, two, strict=True))


def replace_type(expr: Expr, kind: Type) -> Expr:
    return replace(expr, type=kind)


def _same_arithmetic(expr: Call, dtype: Any) -> bool:
    """Whether scalars compute what arrays of these dtypes do."""
    kinds = [a.type.dtype for a in expr.args if isinstance(a.type, Array | Scalar)]
    if len(kinds) != len(expr.args):
        return False
    if dtype == "bool":
        return expr.text in ("<", "<=", ">", ">=", "==", "!=") or (
            not any(k == "bool" for k in kinds) and expr.form != "operator"
        )
    return dtype in FLOATS
