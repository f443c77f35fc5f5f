"""Floor 5: matrix products whose cotangent is the same in every row, or column, or throughout.

The cotangent of `a @ b` under a sum is a number, or a row; it stands for a matrix of equal rows,
which a product need not be taken of: with `y = a @ b` and the row r,
`a_bar = b @ r`, again one row, and `b_bar = np.outer(np.sum(a, axis=0), r)`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.frontend.state import constant
from s2sgrad.ir import sizes
from s2sgrad.ir.nodes import Call, Expr, Slice
from s2sgrad.ir.types import Array, Opaque, Scalar, shape_of
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.norms import takes_small_norm

_RANKS = ((2, 2), (2, 1), (1, 2))
_FLOATS = ("float64", "float32")


_EXTREMES = (np.max, np.amax, np.min, np.amin)
_SUMS = (np.sum, np.mean)


def takes_small(call: Expr, bar: Expr) -> bool:
    """Whether an operation is such a product, and its cotangent is small; or a norm, or the sum,
    mean, largest or smallest of some numbers."""
    if not isinstance(call, Call):
        return False
    if call.function in _EXTREMES:
        return isinstance(bar.type, Scalar) and shape_of(call.args[0].type) is not None
    if call.function in _SUMS:
        known = sizes.known(shape_of(call.args[0].type)) and "where" not in dict(call.kwargs)
        return isinstance(bar.type, Scalar) and known
    if call.function not in (np.matmul, np.dot):
        return takes_small_norm(call)
    if len(call.args) != 2 or call.kwargs:
        return False
    return is_small(bar, call.args[0], call.args[1])


def is_small(bar: Expr, x1: Expr, x2: Expr) -> bool:
    """Whether a cotangent of `x1 @ x2` is smaller than the product."""
    one, two = shape_of(x1.type) or (), shape_of(x2.type) or ()
    if (len(one), len(two)) not in _RANKS or not _is_known(x1) or not _is_known(x2):
        return False
    # what stands for a matrix of equal rows must be proven to be as long as they are
    return one[-1] == two[0] and _kind(bar, x1, x2) is not None


def _is_known(expr: Expr) -> bool:
    kind = expr.type
    return isinstance(kind, Array) and kind.dtype in _FLOATS and sizes.known(kind.shape)


def _kind(bar: Expr, x1: Expr, x2: Expr) -> str | None:
    """'number', 'row' or 'column'; None for a cotangent in its whole shape."""
    if isinstance(bar.type, Scalar):
        return "number" if bar.type.dtype in ("float", *_FLOATS) else None
    one, two = shape_of(x1.type) or (), shape_of(x2.type) or ()
    if len(one) != 2 or len(two) != 2 or not isinstance(bar.type, Array):
        return None
    if bar.type.shape == (two[1],):
        return "row"
    whole = two[1] == sizes.ONE
    return "column" if bar.type.shape == (one[0], sizes.ONE) and not whole else None


def small_bar_left(bar: Expr, x1: Expr, x2: Expr) -> Expr | None:
    """The cotangent of `x1` in `x1 @ x2`; it may be small, too."""
    match _kind(bar, x1, x2):
        case "row":
            return build.binary("@", x2, bar)
        case "number" | "column":
            return build.binary("*", bar, _summed(x2, 1))
    return None


def small_bar_right(bar: Expr, x1: Expr, x2: Expr) -> Expr | None:
    """The cotangent of `x2` in `x1 @ x2`; it may be small, too."""
    match _kind(bar, x1, x2):
        case "row":
            return build.call(np.outer, "np.outer", _summed(x1, 0), bar)
        case "column":
            return build.binary("@", build.transpose(x1), bar)
        case "number":
            total = _summed(x1, 0)
            if len(shape_of(x2.type) or ()) == 2:
                total = build.index(total, build.FULL, build.NEWAXIS)
            return build.binary("*", bar, total)
    return None


def _summed(matrix: Expr, axis: int) -> Expr:
    """The sum over an axis; over one of length 1 (of a vector that stands for it) itself."""
    if len(shape_of(matrix.type) or ()) == 1:
        return matrix
    return build.call(np.sum, "np.sum", matrix, axis=constant(axis))


__all__ = ["is_small", "small_bar_left", "small_bar_right", "takes_small"]


def thin(expr: Expr) -> Expr:
    """What has the shape and dtype of an expression, without its products of matrices.

    `a[:, :1] @ b[:1]` is as large as `a @ b`, and costs as much as a sum.
    """
    if isinstance(expr, Call) and expr.function is np.linalg.inv:
        return thin(expr.args[0])
    if not isinstance(expr, Call) or expr.form != "operator":
        return expr
    args = tuple(map(thin, expr.args))
    if expr.text == "@" and all(len(shape_of(a.type) or ()) == 2 for a in args):
        first = Slice(None, build.number(1), None, type=Opaque("slice"))
        args = build.index(args[0], build.FULL, first), build.index(args[1], first)
    return replace(expr, args=args)
