"""Floor 6: reductions: what is summed, over which axes, and the step for one more entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sgrad.backend.loops.elements import CannotLower, is_array, is_elementwise
from s2sgrad.backend.loops.extents import Extent, integer
from s2sgrad.backend.loops.leaves import DTYPES, constant
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Index, Sequence, Stmt
from s2sgrad.ir.sizes import ONE, least
from s2sgrad.ir.types import BOOL, FLOAT, INT, Array, Scalar

_KINDS = {
    "sum": "sum", "mean": "mean", "max": "max", "min": "min", "amax": "max", "amin": "min",
    "logaddexp.reduce": "logaddexp",
}  # fmt: skip
_ALONG_FIRST = ("logaddexp.reduce",)  # where no axis is named
START = {"sum": 0.0, "mean": 0.0, "max": -np.inf, "min": np.inf, "logaddexp": -np.inf}


@dataclass(frozen=True)
class Reduction:
    """kind: sum, mean, max, min or logaddexp of `value` over the axes `over` (None: all of them).

    like: an array whose lengths the result has to have.
    """

    kind: str
    value: Expr
    over: tuple[int, ...] | None
    keep: bool
    like: Expr | None = None


def reduction(expr: Expr) -> Reduction:
    """What an expression reduces, with constant options; refused if it is no reduction."""
    if not isinstance(expr, Call) or expr.form == "attribute" or not expr.args:
        raise CannotLower("no reduction")
    if expr.text in ("np.dot", "@"):
        return _product(expr)
    if expr.text == "unbroadcast" and len(expr.args) == 2:
        return _summed_down(expr)
    value = expr.args[0]
    text = expr.text.removeprefix("np.")
    kind = _KINDS.get(text)
    named = expr.form == "method" or expr.text.startswith("np.")
    if kind is None or not named or not is_array(value) or len(expr.args) > 2:
        raise CannotLower("no reduction")
    dtype = value.type.dtype  # type: ignore[attr-defined]
    counts = dtype in ("bool", "int64") and kind == "sum"
    if dtype != "float64" and not counts:
        raise CannotLower("dtype")
    options = dict(expr.kwargs)
    if len(expr.args) == 2:
        options["axis"] = expr.args[1]
    keep = options.pop("keepdims", Const(False))
    over = _axes(options.pop("axis", Const(0 if text in _ALONG_FIRST else None)))
    if options or not isinstance(keep, Const) or not _holds(expr):
        raise CannotLower("options")
    return Reduction(kind, value, over, bool(keep.value))


def _summed_down(expr: Call) -> Reduction:
    """A cotangent summed down to the shape of an array with fewer axes, or axes of length 1."""
    value, like = expr.args
    own, other = value.type, like.type
    if not isinstance(own, Array) or not own.shape or own.dtype != "float64" or not is_array(value):
        raise CannotLower("no reduction")
    if isinstance(other, Scalar) and isinstance(expr.type, Scalar):
        return Reduction("sum", value, None, False)
    if not isinstance(other, Array) or not other.shape or other.dtype != "float64":
        raise CannotLower("dtype")
    lead = len(own.shape) - len(other.shape)
    pairs = zip(own.shape[max(lead, 0) :], other.shape, strict=False)
    single = tuple(lead + k for k, (a, b) in enumerate(pairs) if b == ONE and a != ONE)
    if lead < 0 or not _holds(expr) or (lead and single) or not (lead or single):
        raise CannotLower("axes")
    return Reduction("sum", value, single or tuple(range(lead)), not lead, like)


def _holds(expr: Call) -> bool:
    kind = expr.type
    if isinstance(kind, Scalar):
        return True
    return isinstance(kind, Array) and kind.shape not in (None, ()) and kind.dtype in DTYPES


def _axes(axis: Expr) -> tuple[int, ...] | None:
    if isinstance(axis, Const) and axis.value is None:
        return None
    if isinstance(axis, Const) and isinstance(axis.value, tuple | int):
        return axis.value if isinstance(axis.value, tuple) else (axis.value,)
    found = [constant(p, 0) for p in (axis.items if isinstance(axis, Sequence) else (axis,))]
    if any(value is None for value in found):
        raise CannotLower("axis")
    return tuple(v for v in found if v is not None)


def _product(expr: Call) -> Reduction:
    """A product with a vector as a sum; products of two matrices are left to BLAS."""
    left, right = expr.args
    if not all(isinstance(a.type, Array) and a.type.dtype == "float64" for a in expr.args):
        raise CannotLower("dtype")
    shapes = [a.type.shape for a in expr.args]  # type: ignore[attr-defined]
    ranks = [None if s is None else len(s) for s in shapes]
    if (
        shapes[0]
        and shapes[1]
        and ONE in (inner := {shapes[0][-1], shapes[1][0]})
        and len(inner) > 1
    ):
        raise CannotLower("lengths")  # NumPy stretches no factor of a product
    if ranks == [1, 1] and isinstance(expr.type, Scalar):
        return Reduction("sum", _times(left, right, left.type), None, False)
    if not isinstance(expr.type, Array) or not any(map(is_elementwise, expr.args)):
        raise CannotLower("a product for BLAS")
    if _is_turned(left):  # a sum would go down its columns
        raise CannotLower("a product for BLAS")
    if ranks == [2, 1]:
        return Reduction("sum", _times(left, right, left.type), (1,), False)
    if ranks == [2, 2] and shapes[1][1] == ONE:
        turned = Array("float64", shapes[1][::-1])
        row = Call(np.transpose, "T", (right,), form="attribute", type=turned)
        return Reduction("sum", _times(left, row, left.type), (1,), True)
    raise CannotLower("a product for BLAS")


def _is_turned(matrix: Expr) -> bool:
    """Whether it is `A.T` of a variable."""
    turned = isinstance(matrix, Call) and matrix.form == "attribute" and matrix.text == "T"
    return turned and isinstance(matrix.args[0], nodes.Var)  # type: ignore[attr-defined]


def _times(left: Expr, right: Expr, kind: Any) -> Call:
    return Call(np.multiply, "*", (left, right), form="operator", type=kind)


def worth(expr: Expr) -> bool:
    """Whether an expression is a reduction that loops can do."""
    try:
        found = reduction(expr)
    except CannotLower:
        return False
    return not isinstance(found.value, nodes.Const)


def stepped(kind: str, now: Expr, entry: Expr) -> Expr:
    """The accumulator after one more entry."""
    from s2sgrad_runtime import numba_reductions as steps

    dtype = now.type.dtype if isinstance(now.type, Scalar) else "float64"
    if dtype not in ("float", "float64"):
        return Call(np.add, "+", (now, entry), form="operator", type=now.type)
    if kind in ("max", "min"):
        function = steps.larger_of if kind == "max" else steps.smaller_of
        name = "larger_of" if kind == "max" else "smaller_of"
        return Call(function, name, (now, entry), type=now.type)
    if kind == "logaddexp":
        return Call(np.logaddexp, "np.logaddexp", (now, entry), type=now.type)
    match entry:
        case Call(text="*", form="operator", args=(left, right)) if _floats(left, right):
            return Call(steps.add_product, "add_product", (now, left, right), type=now.type)
    return Call(steps.add_to, "add_to", (now, entry), type=now.type)


def _floats(*exprs: Expr) -> bool:
    return all(isinstance(e.type, Scalar) and e.type.dtype in ("float64", "float") for e in exprs)


def divided(total: Expr, counts: tuple[Expr, ...]) -> Expr:
    """A total as a mean; over no axis it is one."""
    if not counts:
        return total
    count = counts[0]
    for more in counts[1:]:
        count = Call(np.multiply, "*", (count, more), form="operator", type=INT)
    return Call(np.divide, "/", (total, count), form="operator", type=total.type)


def refused_if_empty(kind: str, extents: list[Extent], over: tuple[int, ...]) -> list[Stmt]:
    """The error that an extreme of nothing is, where the lengths may be such."""
    doubtful = {k: e.count for k, e in enumerate(extents) if not _some(e)}
    if not doubtful.keys() & set(over):
        return []
    none = [_compared(np.less_equal, "<=", e) for k, e in doubtful.items() if k in over]
    kept = [_compared(np.greater, ">", e) for k, e in doubtful.items() if k not in over]
    test = none[0]
    for more in none[1:]:
        test = Call("or", "or", (test, more), form="operator", type=BOOL)
    for more in kept:
        test = Call("and", "and", (test, more), form="operator", type=BOOL)
    name = {"max": "maximum", "min": "minimum"}[kind]
    text = f"zero-size array to reduction operation {name} which has no identity"
    error = Call(ValueError, "ValueError", (Const(text),))
    return [nodes.If(test, (nodes.Do(error, "raise"),), ())]


def _some(extent: Extent) -> bool:
    """Whether an axis surely has an entry."""
    smallest = None if extent.size is None else least(extent.size)
    return smallest is not None and smallest > 0


def _compared(function: Any, sign: str, count: Expr) -> Expr:
    return Call(function, sign, (count, integer(0)), form="operator", type=BOOL)


def at_least_none(extent: Extent) -> Expr:
    """How many entries an axis has: `[3:]` of two has none, and not -1."""
    smallest = None if extent.size is None else least(extent.size)
    match extent.count:
        case Call(text="-", form="operator") if smallest is None or smallest < 0:
            return Call(max, "max", (extent.count, integer(0)), type=INT)
    return extent.count


def is_ones(value: Expr) -> bool:
    """Whether a value is an array of ones of a shape given by a tuple."""
    return (
        isinstance(value, Call)
        and value.text == "np.ones"
        and len(value.args) == 1
        and isinstance(value.args[0], Sequence)
    )


def counted(expr: Expr, found: Reduction) -> Expr:
    """The sum of ones over some axes: how many they are, for each entry of the rest."""
    value = found.value
    assert isinstance(value, Call) and isinstance(value.args[0], Sequence)
    sizes = value.args[0].items
    over = tuple(a % len(sizes) for a in found.over or ())
    single: Expr = Const(1, type=Scalar("int", ONE, 1))
    kept = [s if k not in over else single for k, s in enumerate(sizes)]
    if not found.keep:
        kept = [s for k, s in enumerate(sizes) if k not in over]
    if found.kind != "sum" or not over:
        raise CannotLower("ones")
    total = entries(value, over)
    shape = Sequence("tuple", tuple(kept))
    return Call(np.full, "np.full", (shape, total), type=expr.type)


def entries(value: Expr, over: tuple[int, ...] | None = None) -> Expr:
    """How many entries an array of ones has (along some axes): its sum, as a float."""
    assert isinstance(value, Call) and isinstance(value.args[0], Sequence)
    count: Expr = Const(1.0, type=FLOAT)
    for k, size in enumerate(value.args[0].items):
        if over is not None and k not in over:
            continue
        count = Call(np.multiply, "*", (count, size), form="operator", type=FLOAT)
    return count


__all__ = [
    "Index",
    "Reduction",
    "at_least_none",
    "reduction",
    "refused_if_empty",
    "stepped",
    "worth",
]
