"""Floor 5: matrices that are made of rows or of numbers, by the arithmetic that makes them.

`np.cov(x)` becomes a product of what rows deviate from their means, `np.vander(x, 3)` an array into
whose columns powers are written.
"""

from __future__ import annotations

import numpy as np

from s2sgrad.ir.nodes import Call, Const, Expr
from s2sgrad.ir.types import INT, Array
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


def covariance(writer: Writer, call: Call) -> Expr | None:
    """Of the rows of a matrix, without options."""
    if call.kwargs or len(call.args) > 1 or not (_rank(call.args[0]) == _rank(call) == 2):
        return None
    rows = writer.named(call.args[0], "rows")
    along, kind = Const(1, type=INT), Array("float64", rows.type.shape[:1])  # type: ignore[attr-defined]
    mean = writer.named(build.call(np.mean, "np.mean", rows, kind=kind, axis=along), "mean")
    column = build.index(mean, WHOLE, build.NEWAXIS)
    deviation = writer.named(build.binary("-", rows, column), "deviation")
    product = build.binary("@", deviation, build.transpose(deviation))
    return build.binary("/", product, build.binary("-", longer(rows, 1, 0), Const(1, type=INT)))


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


__all__ = ["covariance", "powers"]
