"""Floor 5: what rules say of vectors, where ranks and sizes are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.analysis.indexing import constant_of
from s2sgrad.ir import sizes
from s2sgrad.ir.nodes import Call, Const, Expr, Slice
from s2sgrad.ir.types import Array, Scalar, Tuple, shape_of
from s2sgrad.transform.writing import build

THREE = sizes.of(3)


def _are_vectors(options: tuple[Expr, ...], *arrays: Expr) -> bool:
    """Whether these are vectors of three entries, along the last axis, in arrays of one shape."""
    given = [o for o in options if not (isinstance(o, Const) and o.value is None)]
    if any(constant_of(o) != -1 for o in given):
        return False
    first = arrays[0].type
    known = isinstance(first, Array) and first.dtype == "float64" and sizes.known(first.shape)
    if not known or not first.shape or first.shape[-1] != THREE:  # type: ignore[attr-defined]
        return False
    return all(build.same_shape(a.type, first) for a in arrays)


def cross_bar_left(s: Any, y_bar: Expr, a: Expr, b: Expr, *options: Expr) -> Expr | None:
    """The cotangent of `a` in `np.cross(a, b)`."""
    return (
        build.call(np.cross, "np.cross", b, y_bar) if _are_vectors(options, a, b, y_bar) else None
    )


def cross_bar_right(s: Any, y_bar: Expr, a: Expr, b: Expr, *options: Expr) -> Expr | None:
    """The cotangent of `b` in `np.cross(a, b)`."""
    return (
        build.call(np.cross, "np.cross", y_bar, a) if _are_vectors(options, a, b, y_bar) else None
    )


def unitem(s: Any, y_bar: Expr, a: Expr, *index: Expr) -> Expr | None:
    """The cotangent of a number, of which `a.item()` is what it is."""
    return y_bar if isinstance(a.type, Scalar) else None


def undiagonal(s: Any, z: Expr, a: Expr, *options: Expr) -> Expr | None:
    """A number on the diagonal of a matrix that is zero elsewhere: what a trace hands back."""
    match z:
        case Call(function=np.expand_dims, args=(y_bar, _)) if isinstance(y_bar.type, Scalar):
            pass
        case _:
            return None
    kind, values = a.type, [constant_of(o) for o in options]
    wanted = ([0, 0, 1], [0, -2, -1])
    if not isinstance(kind, Array) or kind.dtype != "float64" or s.rank(a) != 2:
        return None
    if values not in [w[: len(values)] for w in wanted] or len(values) in (1, 2):
        return None
    assert kind.shape is not None
    square = kind.shape[0] is not None and kind.shape[0] == kind.shape[1]
    lengths = [s.size(a, axis) for axis in range(1 if square else 2)]
    return build.binary("*", y_bar, build.call(np.eye, "np.eye", *lengths))


def undiag(s: Any, y_bar: Expr, v: Expr, k: Expr | None = None) -> Expr | None:
    """The diagonal that a vector became, or a square matrix with the one that was taken."""
    offset, shape = constant_of(k) or 0, shape_of(v.type)
    if s.rank(v) == 1 and s.rank(y_bar) == 2:
        places = () if offset == 0 else (k,)
        return build.call(np.diag, "np.diag", y_bar, *places)  # type: ignore[arg-type]
    square = shape is not None and len(shape) == 2 and None not in shape and shape[0] == shape[1]
    if square and offset == 0 and shape_of(y_bar.type) == shape[:1]:  # type: ignore[index]
        return build.call(np.diag, "np.diag", y_bar)
    return None


def ravel(s: Any, a: Expr, order: Expr | None = None) -> Expr | None:
    """The entries of a vector, in any order of axes: the vector."""
    return a if isinstance(a.type, Array) and s.rank(a) == 1 else None


def reshape(s: Any, z: Expr, shape: Expr, order: Expr | None = None) -> Expr | None:
    """A vector in the shape of another, which must be as long."""
    match shape:
        case Call(function=np.shape, args=(like,)):
            alike = s.rank(like) == 1
        case _:
            alike = isinstance(shape.type, Tuple) and len(shape.type.items) == 1
    return z if alike and isinstance(z.type, Array) and s.rank(z) == 1 else None


def unreshape(s: Any, y_bar: Expr, a: Expr, order: Expr | None = None) -> Expr | None:
    """Entries that are read in an order that does not depend on memory, in the shape of `a`."""
    kind, own = a.type, y_bar.type
    if not (isinstance(kind, Array) and isinstance(own, Array) and kind.shape and own.shape):
        return None
    if build.same_shape(own, kind):
        return y_bar
    shape, found = s.shape(a), Array(own.dtype, kind.shape)
    if isinstance(shape, Call) and shape.form == "call":  # a value that is there for this alone
        return None
    if order is None or constant_of(order) == "C":
        same = reshape(s, y_bar, shape)
        return same or build.call(np.reshape, "np.reshape", y_bar, shape, kind=found)
    if constant_of(order) != "F":
        return None
    return build.call(np.reshape, "np.reshape", y_bar, shape, order, kind=found)


def unaccumulate(s: Any, y_bar: Expr, a: Expr, axis: Expr | None = None) -> Expr | None:
    """The running sum from the end, of a vector."""
    if s.rank(a) != 1 or s.rank(y_bar) != 1 or not build.same_shape(y_bar.type, a.type):
        return None
    back = Slice(None, None, build.number(-1), type=build.FULL.type)
    turned = build.call(np.cumsum, "np.cumsum", build.index(y_bar, back))
    return build.index(turned, back)


__all__ = [
    "cross_bar_left",
    "cross_bar_right",
    "ravel",
    "reshape",
    "unaccumulate",
    "undiag",
    "undiagonal",
    "unreshape",
]
