"""Floor 5: runtime helpers replaced by plain NumPy where the ranks and sizes are known.

An expander takes the helper's arguments and gives an expression, or None to keep the call. A
result may be smaller than the helper's where it is proven to broadcast to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.activity import works_by_entries
from s2sgrad.analysis.indexing import is_chosen
from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.nodes import Const, Expr
from s2sgrad.ir.types import INT, Array, Opaque, Scalar, Tuple, forget, join, shape_of
from s2sgrad.transform.writing import build, exponential_sums, join_parts, vectors
from s2sgrad.transform.writing.axes import axes_of, expand_reduced, flag
from s2sgrad.transform.writing.counted import count_of
from s2sgrad.transform.writing.edges import at_edges
from s2sgrad.transform.writing.einsums import einsum_bars, einsum_bars_dot, einsum_dot
from s2sgrad.transform.writing.norms import norm_pullback, norm_pushforward
from s2sgrad.transform.writing.parts import unsplit, unsplit_h
from s2sgrad.transform.writing.small_products import is_small, small_bar_left, small_bar_right, thin
from s2sgrad.transform.writing.systems import slogdet_pullback, solve_bar_left, solve_turned
from s2sgrad.transform.writing.turned import (
    matrix_transpose,
    stack_bar_left,
    stack_bar_right,
    untranspose,
)


class Sizes:
    """Shapes as expressions: symbolic sizes through the inputs they are read off."""

    def __init__(self, origin: dict[str | sizes.Size, Expr]) -> None:
        self.origin = origin

    def rank(self, expr: Expr) -> int | None:
        """The number of axes; None if not known."""
        shape = shape_of(expr.type)
        return None if shape is None else len(shape)

    def size(self, expr: Expr, axis: int) -> Expr:
        """The length of one axis."""
        shape = shape_of(expr.type)
        if isinstance(expr, nodes.Var) and not (
            shape is not None and (size := shape[axis]) is not None and size.constant is not None
        ):
            return build.index(
                build.attribute(expr, "shape", np.shape, Tuple((INT,) * len(shape or ()))),
                constant(axis),
            )
        size = None if shape is None else shape[axis]
        found = build.size_expr(size, self.origin) if size is not None else None
        if found is not None:
            return found
        if axis == 0 and (count := count_of(expr)) is not None:
            return count
        return replace(build.index(self.shape(expr), constant(axis)), type=INT)

    def shape(self, expr: Expr) -> Expr:
        """The shape: `x.shape` of a variable, else from symbolic sizes, else np.shape(...)."""
        found = shape_of(expr.type)
        if isinstance(expr, nodes.Var) and isinstance(expr.type, Array):
            kind = (
                Tuple(tuple(Scalar("int", s) for s in found))
                if found is not None
                else Opaque("shape")
            )
            return build.attribute(expr, "shape", np.shape, kind)
        if found is not None:
            parts = [build.size_expr(s, self.origin) if s is not None else None for s in found]
            if all(p is not None for p in parts):
                kinds = tuple(Scalar("int", s) for s in found)
                return nodes.Sequence("tuple", tuple(parts), type=Tuple(kinds))  # type: ignore[arg-type]
        if (lengths := self._lengths(expr)) is not None:
            return nodes.Sequence("tuple", lengths, type=Tuple(tuple(n.type for n in lengths)))
        return nodes.Call(np.shape, "np.shape", (thin(expr),), type=Opaque("shape"))

    def spelled(self, kind: Array) -> Expr | None:
        """The shape of an array of floats by the inputs alone, where they tell it."""
        if kind.dtype is None or np.dtype(kind.dtype).kind not in "fc" or not kind.shape:
            return None
        parts = [None if s is None else build.size_expr(s, self.origin) for s in kind.shape]
        if len(parts) == 1 or None in parts:
            return parts[0] if len(parts) == 1 else None
        kinds = tuple(Scalar("int", s) for s in kind.shape)
        return nodes.Sequence("tuple", tuple(parts), type=Tuple(kinds))  # type: ignore[arg-type]

    def _lengths(self, expr: Expr) -> tuple[Expr, ...] | None:
        """The lengths of a product's axes, by those of its factors."""
        if not isinstance(expr, nodes.Call) or expr.kwargs or len(expr.args) != 2:
            return None
        one, other = expr.args
        ranks = (self.rank(one), self.rank(other))
        if expr.function is np.outer and ranks == (1, 1):
            return self.size(one, 0), self.size(other, 0)
        if expr.function not in (np.matmul, np.dot) or not set(ranks) <= {1, 2}:
            return None
        rows = (self.size(one, 0),) if ranks[0] == 2 else ()
        return (*rows, self.size(other, 1)) if ranks[1] == 2 else rows

    def count(self, expr: Expr) -> Expr:
        """The number of entries."""
        expr = _as_large(expr)
        shape = shape_of(expr.type)
        if isinstance(expr, nodes.Var) and isinstance(expr.type, Array):
            return build.attribute(expr, "size", np.size, INT)
        if shape is not None and all(s is not None for s in shape):
            total = sizes.ONE
            for s in shape:
                total = total * s  # type: ignore[operator]
            found = build.size_expr(total, self.origin)
            if found is not None:
                return found
        return nodes.Call(np.size, "np.size", (thin(expr),), type=INT)


def _as_large(expr: Expr) -> Expr:
    """The one array that a value is computed from, entry by entry: it has as many entries."""
    while isinstance(expr, nodes.Call) and not expr.kwargs and works_by_entries(expr.function):
        arrays = [a for a in expr.args if not isinstance(a.type, Scalar)]
        if len(arrays) != 1 or not isinstance(arrays[0].type, Array):
            break
        expr = arrays[0]
    return expr


def unreduce(
    s: Sizes,
    y_bar: Expr,
    a: Expr,
    axis: Expr | None = None,
    keepdims: Expr | None = None,
    where: Expr | None = None,
) -> Expr | None:
    """The cotangent of what `np.sum` reduced."""
    if where is not None and not (isinstance(where, Const) and where.value is True):
        return None
    if not sizes.known(shape_of(a.type)):
        rank = s.rank(a)
        everything = rank is not None and axes_of(axis, rank) == tuple(range(rank))
        return y_bar if everything and isinstance(y_bar.type, Scalar) else None
    if not isinstance(y_bar.type, Scalar) and not sizes.known(shape_of(y_bar.type)):
        return None  # nobody could tell that it is smaller than its value
    return expand_reduced(s, y_bar, a, axis, keepdims)


def reduced_count(
    s: Sizes,
    a: Expr,
    axis: Expr | None = None,
    keepdims: Expr | None = None,
    where: Expr | None = None,
) -> Expr | None:
    """The number of entries that a reduction takes together."""
    if where is not None and not (isinstance(where, Const) and where.value is True):
        return None
    rank = s.rank(a)
    if rank is None:
        return None
    axes = axes_of(axis, rank)
    if axes is None:
        return None
    shape = shape_of(a.type) or ()
    if len(axes) == rank and (is_chosen(a) or any(n and sizes.may_be_none(n) for n in shape)):
        # Nobody gets the quotient where there are none, but Python raises.
        count = s.count(a) if rank != 1 else s.size(a, 0)
        return build.call(max, "max", count, constant(1), kind=INT)
    if len(axes) == rank and rank != 1:
        return s.count(a)
    total: Expr | None = None
    for i in axes:
        size = s.size(a, i)
        total = size if total is None else build.binary("*", total, size)
    return total if total is not None else build.number(1)


def matmul_bar_left(s: Sizes, y_bar: Expr, x1: Expr, x2: Expr) -> Expr | None:
    """The cotangent of `a` in `a @ b`."""
    ranks = (s.rank(x1), s.rank(x2))
    if is_small(y_bar, x1, x2):
        return small_bar_left(y_bar, x1, x2)
    if ranks == (1, 1):
        return build.binary("*", y_bar, x2)
    if ranks in ((2, 2), (1, 2)):
        return build.binary("@", y_bar, build.transpose(x2))
    if ranks == (2, 1):
        return build.call(np.outer, "np.outer", y_bar, x2)
    return stack_bar_left(y_bar, x1, x2)


def matmul_bar_right(s: Sizes, y_bar: Expr, x1: Expr, x2: Expr) -> Expr | None:
    """The cotangent of `b` in `a @ b`."""
    ranks = (s.rank(x1), s.rank(x2))
    if is_small(y_bar, x1, x2):
        return small_bar_right(y_bar, x1, x2)
    if ranks == (1, 1):
        return build.binary("*", y_bar, x1)
    if ranks in ((2, 2), (2, 1)):
        return build.binary("@", build.transpose(x1), y_bar)
    if ranks == (1, 2):
        return build.call(np.outer, "np.outer", x1, y_bar)
    return stack_bar_right(y_bar, x1, x2)


def edge_ratio(s: Sizes, x: Expr, y: Expr) -> Expr | None:
    """A quotient, where the numerator is known not to be 0."""
    known = isinstance(x, Const) and type(x.value) in (int, float) and x.value != 0
    return build.binary("/", *at_edges("/", x, y)) if known else None


def circle_height(s: Sizes, x: Expr) -> Expr | None:
    """1 - x**2, of a complex x on its side of the cut."""
    dtype = getattr(x.type, "dtype", None)
    if dtype is None:
        return None
    square = build.binary("*", x, x)
    if str(dtype).startswith("complex"):
        return build.negate(build.binary("-", square, build.number(1.0)))
    return build.binary("-", build.number(1.0), square)


def power_bar_base(s: Sizes, y_bar: Expr, x1: Expr, x2: Expr) -> Expr | None:
    """The cotangent of `x` in `x**n` with a literal n: n x**(n-1) y_bar."""
    if not isinstance(x2, Const) or type(x2.value) not in (int, float):
        return None
    exponent = x2.value
    if exponent == 0:
        return None
    if exponent == 1:
        return y_bar
    rest = exponent - 1
    rest = int(rest) if float(rest).is_integer() else rest
    power = build.binary("**", x1, build.number(rest))
    return build.binary("*", y_bar, build.binary("*", build.number(float(exponent)), power))


def tie_count(
    s: Sizes, attained: Expr, like: Expr, axis: Expr | None = None, initial: Expr | None = None
) -> Expr | None:
    """How many entries attain an extreme."""
    if not (initial is None or (isinstance(initial, Const) and initial.value is None)):
        return None  # perhaps none does
    named = (
        {} if axis is None or (isinstance(axis, Const) and axis.value is None) else {"axis": axis}
    )
    dtype = getattr(like.type, "dtype", None)
    if dtype not in ("float64", "float") or s.rank(attained) is None:
        return None
    return build.call(np.sum, "np.sum", attained, kind=None, **named, keepdims=constant(True))


def centre(s: Sizes, a: Expr, axis: Expr, where: Expr, mean: Expr) -> Expr | None:
    """The mean that is given, or that of the array."""
    if not isinstance(mean, Const):
        return mean
    named: dict[str, Any] = {"axis": axis} if constant(None) != axis else {}
    named["keepdims"] = constant(True)
    if not (isinstance(where, Const) and where.value is True):
        named["where"] = where
    return build.call(np.mean, "np.mean", a, **named)


def unbroadcast(s: Sizes, x_bar: Expr, x: Expr) -> Expr | None:
    """The cotangent itself, where it has the shape of `x` already."""
    return x_bar if build.same_shape(x_bar.type, x.type) else None


def negated(s: Sizes, shift: Expr) -> Expr | None:
    """`-shift` of a number."""
    return build.negate(shift) if isinstance(shift.type, Scalar) else None


def np_shape(s: Sizes, a: Expr) -> Expr:
    """The shape as a tuple of sizes."""
    return s.shape(a)


def np_ndim(s: Sizes, a: Expr) -> Expr | None:
    """The rank as a literal."""
    rank = s.rank(a)
    return None if rank is None else constant(rank)


def np_size(s: Sizes, a: Expr) -> Expr:
    """The number of entries."""
    return s.count(a)


def np_where(s: Sizes, condition: Expr, *sides: Expr) -> Expr | None:
    """A choice between two numbers."""
    if len(sides) < 2 or not all(isinstance(e.type, Scalar) for e in (condition, *sides)):
        return None
    return nodes.Choice(condition, *sides, type=forget(join(sides[0].type, sides[1].type)))


def hermitian_if(s: Sizes, reads_one_triangle: Expr, a: Expr) -> Expr | None:
    """A matrix of which both triangles are read."""
    return a if flag(reads_one_triangle, True) is False else None


def svd_pushforward(s: Sizes, a_dot: Expr, y: Expr, a: Expr, uv: Expr | None = None) -> Expr | None:
    """The tangent of singular values alone, by vectors that others may read too."""
    if flag(uv, True) is not False:
        return None
    pairs = build.call(np.linalg.svd, "np.linalg.svd", a, full_matrices=constant(False))
    return build.call(s2sgrad_runtime.svdvals_pushforward, "svdvals_pushforward", a_dot, pairs)


def _plain(order: Expr | None) -> bool:
    """Whether an order of entries does not depend on the layout in memory."""
    return order is None or (isinstance(order, Const) and order.value in ("C", "F"))


def laid_as(s: Sizes, z: Expr, a: Expr, order: Expr | None = None) -> Expr | None:
    """An array in the layout of another one, where that is read."""
    return z if _plain(order) else None


def reread(s: Sizes, z: Expr, a: Expr, shape: Expr, order: Expr | None = None) -> Expr | None:
    """np.reshape, where the layout is not read."""
    if not _plain(order):
        return None
    given: dict[str, Any] = {} if order in (None, constant("C")) else {"order": order}
    return build.call(np.reshape, "np.reshape", z, shape, **given)


EXPANDERS: dict[str, Callable[..., Any]] = {
    "einsum_bars": einsum_bars,
    "einsum_bars_dot": einsum_bars_dot,
    "einsum_dot": einsum_dot,
    "laid_as": laid_as,
    "reread": reread,
    "hermitian_if": hermitian_if,
    "svd_pushforward": svd_pushforward,
    "logsumexp_pullback": exponential_sums.logsumexp_pullback,
    "logsumexp_pushforward": exponential_sums.logsumexp_pushforward,
    "norm_pullback": norm_pullback,
    "norm_pushforward": norm_pushforward,
    "expand_reduced": expand_reduced,
    "unreduce": unreduce,
    "reduced_count": reduced_count,
    "matmul_bar_left": matmul_bar_left,
    "matmul_bar_right": matmul_bar_right,
    "cross_bar_left": vectors.cross_bar_left,
    "cross_bar_right": vectors.cross_bar_right,
    "undiag": vectors.undiag,
    "unitem": vectors.unitem,
    "undiagonal": vectors.undiagonal,
    "edge_ratio": edge_ratio,
    "circle_height": circle_height,
    "power_bar_base": power_bar_base,
    "solve_bar_left": solve_bar_left,
    "solve_turned": solve_turned,
    "slogdet_pullback": slogdet_pullback,
    "unaccumulate": vectors.unaccumulate,
    "tie_count": tie_count,
    "centre": centre,
    "unbroadcast": unbroadcast,
    "broadcast_like": unbroadcast,
    "untranspose": untranspose,
    "matrix_transpose": matrix_transpose,
    "unsplit": unsplit,
    "unsplit_h": unsplit_h,
    "negated": negated,
    "np.shape": np_shape,
    "np.ndim": np_ndim,
    "np.size": np_size,
    "np.where": np_where,
    "np.ravel": vectors.ravel,
    "np.reshape": vectors.reshape,
    **join_parts.EXPANDERS,
    **dict.fromkeys(("unreshape", "reshape_like"), vectors.unreshape),
}


def dot_bar(left: bool) -> Callable[..., Any]:
    """The expander of the cotangent of the left or right operand of `np.dot`."""

    def expand(s: Sizes, y_bar: Expr, a: Expr, b: Expr) -> Expr | None:
        if s.rank(a) in (1, 2) and s.rank(b) in (1, 2):
            return (matmul_bar_left if left else matmul_bar_right)(s, y_bar, a, b)
        return None

    return expand


EXPANDERS |= {"dot_bar_left": dot_bar(True), "dot_bar_right": dot_bar(False)}
