"""Floor 5: matrices that are made of rows or of numbers, by the arithmetic that makes them.

`np.cov(x)` becomes a product of what rows deviate from their means, `np.vander(x, 3)` an array into
whose columns powers are written.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import add

import numpy as np

from s2sgrad.ir.nodes import Call, Choice, Const, Expr, Sequence, Slice, Store, Var
from s2sgrad.ir.sizes import Size, of
from s2sgrad.ir.types import BOOL, INT, Array, Tuple
from s2sgrad.transform.preparing.spelling import (
    WHOLE,
    Writer,
    is_real,
    longer,
    number_of,
    options,
    span_of,
    tuple_of,
)
from s2sgrad.transform.writing import build

MOST = 16  # columns that are written out


def blocks(writer: Writer, call: Call) -> Expr | None:
    """`np.block` of rows of matrices: one matrix, into which each of them is written."""
    table = call.args[0]
    rows = table.items if isinstance(table, Sequence) and len(call.args) == 1 else ()
    each = [row.items if isinstance(row, Sequence) else () for row in rows]
    if not rows or not all(each) or not all(_is_matrix(m) for row in each for m in row):
        return None
    named = [[writer.named(m, "block") for m in row] for row in each]
    heights, widths = [row[0] for row in named], named[0]
    shape = [_total(heights, 0), _total(widths, 1)]
    lengths = tuple(_known_total(p, k) for k, p in enumerate((heights, widths)))
    made = build.call(np.empty, "np.empty", tuple_of(shape), kind=Array("float64", lengths))
    matrix = writer.named(made, "blocks")
    for i, row in enumerate(named):
        for j, own in enumerate(row):
            place = _between(heights, i, 0), _between(row, j, 1)
            writer.before.append(Store(matrix, place, own, span=call.span))
    return matrix


def _total(parts: list[Var], axis: int) -> Expr:
    return reduce(lambda a, b: build.binary("+", a, b), (longer(p, axis, 0) for p in parts))


def _known_total(parts: list[Var], axis: int) -> Size | None:
    lengths = [p.type.shape[axis] for p in parts]  # type: ignore[attr-defined]
    return None if None in lengths else reduce(add, lengths)


def _between(parts: list[Var], k: int, axis: int) -> Slice:
    """Where one of the parts lies that follow each other along an axis."""
    start = _total(parts[:k], axis) if k else None
    return Slice(start, _total(parts[: k + 1], axis) if k + 1 < len(parts) else None, None)


def _is_matrix(expr: Expr) -> bool:
    return is_real(expr.type) and len(expr.type.shape) == 2  # type: ignore[attr-defined]


def covariance(writer: Writer, call: Call) -> Expr | None:
    """Of the rows of a matrix, or of two vectors, without options."""
    rows = _rows(writer, call)
    if rows is None:
        return None
    along, kind = Const(1, type=INT), Array("float64", rows.type.shape[:1])  # type: ignore[attr-defined]
    mean = writer.named(build.call(np.mean, "np.mean", rows, kind=kind, axis=along), "mean")
    column = build.index(mean, WHOLE, build.NEWAXIS)
    deviation = writer.named(build.binary("-", rows, column), "deviation")
    square = Array("float64", rows.type.shape[:1] * 2)  # type: ignore[attr-defined]
    product = replace(build.binary("@", deviation, build.transpose(deviation)), type=square)
    count = build.binary("-", longer(rows, 1, 0), Const(1, type=INT))
    return replace(build.binary("/", product, count), type=square)


def correlation(writer: Writer, call: Call) -> Expr | None:
    """The same, in units of the deviations of both; rounding does not lead beyond 1."""
    found = covariance(writer, call)
    if found is None:
        return None
    both = writer.named(found, "covariance")
    kind = Array("float64", both.type.shape[:1])  # type: ignore[attr-defined]
    variance = build.call(np.diag, "np.diag", both, kind=kind)
    deviation = writer.named(build.call(np.sqrt, "np.sqrt", variance, kind=kind), "deviation")
    by_rows = build.binary("/", both, build.index(deviation, WHOLE, build.NEWAXIS))
    result = build.binary("/", by_rows, build.index(deviation, build.NEWAXIS, WHOLE))
    bounds = build.number(-1.0), build.number(1.0)
    return build.call(np.clip, "np.clip", result, *bounds, kind=call.type)


def _rows(writer: Writer, call: Call) -> Var | None:
    """What the covariance is of, as the rows of a matrix."""
    if call.kwargs or _rank(call) != 2:
        return None
    match call.args:
        case (matrix,) if _rank(matrix) == 2:
            return writer.named(matrix, "rows")
        case (one, two) if _rank(one) == _rank(two) == 1 and build.same_shape(one.type, two.type):
            size = one.type.shape[0]  # type: ignore[attr-defined]
            pair = Sequence("tuple", (one, two), type=Tuple((one.type, two.type)))
            kind = Array("float64", (of(2), size))
            return writer.named(build.call(np.stack, "np.stack", pair, kind=kind), "rows")
    return None


def chain(writer: Writer, call: Call) -> Expr | None:
    """`np.linalg.multi_dot` of two or three: of three matrices, in the order that costs less."""
    listed = call.args[0]
    if not isinstance(listed, Sequence) or call.kwargs or len(call.args) != 1:
        return None
    ranks = [_rank(a) for a in listed.items]
    if len(ranks) not in (2, 3) or set(ranks[1:-1]) - {2} or set(ranks) - {1, 2}:
        return None
    factors = [writer.named(a, "factor") for a in listed.items]
    first, *between, last = factors
    if not between:
        return replace(build.binary("@", first, last), type=call.type)
    (middle,) = between
    size = [f.type.shape for f in factors]  # type: ignore[attr-defined]
    left = Array("float64", (*size[0][:-1], size[1][1]))
    right = Array("float64", (size[1][0], *size[2][1:]))
    from_left = build.binary("@", replace(build.binary("@", first, middle), type=left), last)
    from_right = build.binary("@", first, replace(build.binary("@", middle, last), type=right))
    from_left, from_right = replace(from_left, type=call.type), replace(from_right, type=call.type)
    if 1 in ranks:
        return from_left if ranks[0] == 1 else from_right
    rows, inner, columns = longer(first, 0, 0), longer(middle, 0, 0), longer(last, 1, 0)
    other = longer(middle, 1, 0)

    def cost(one: Expr, two: Expr, three: Expr, four: Expr) -> Expr:
        return build.binary("*", build.binary("*", one, two), build.binary("+", three, four))

    test = build.binary("<", cost(rows, other, inner, columns), cost(inner, columns, rows, other))
    return Choice(replace(test, type=BOOL), from_left, from_right, type=call.type)


def powers(writer: Writer, call: Call) -> Expr | None:
    """Of a vector's entries, as many as the code tells."""
    given = options(call, ("N", "increasing"))
    count = number_of((given or {}).get("N"), 0)
    upwards = (given or {}).get("increasing", Const(False))
    if not count or not 0 < count <= MOST or not isinstance(upwards, Const):
        return None
    if _rank(call.args[0]) != 1 or _rank(call) != 2:
        return None
    base = writer.named(call.args[0])
    shape = tuple_of([longer(base, 0, 0), Const(count, type=INT)])
    made = Call(np.empty, "np.empty", (shape,), type=call.type, span=call.span)
    array = writer.named(made, "powers")
    power = base
    for k in range(count):
        column = k if upwards.value else count - 1 - k
        if k > 1:
            power = writer.named(build.binary("*", power, base), "power")
        value = build.index(power, WHOLE, build.NEWAXIS) if k else build.number(1.0)
        writer.store(array, 1, span_of(column, column + 1), value)
    return array


def _rank(expr: Expr) -> int:
    kind = expr.type
    return len(kind.shape or ()) if isinstance(kind, Array) and is_real(kind) else 0


__all__ = ["blocks", "chain", "correlation", "covariance", "powers"]
