"""Floor 3: writes into arrays that hold integers on some paths: NumPy rounds what is written.

Where an array of integers and one of floats meet, the variable has a type of floats. What is
written into it has its derivative on some paths only, which nobody knows while compiling.
"""

from __future__ import annotations

from s2sgrad.analysis.activity import Activity
from s2sgrad.analysis.effects import root
from s2sgrad.analysis.maybe_real import widened
from s2sgrad.analysis.whole import may_be_whole
from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block
from s2sgrad.ir.types import Array, Dict, List, Number, is_float_dtype

Names = frozenset[str]


def refuse_rounding(activity: Activity) -> None:
    """Refuse to write numbers that vary into arrays which may hold integers then."""
    if activity.may_be_whole:
        _walk(activity.body, frozenset(), activity)


def _walk(block: Block, whole: Names, activity: Activity) -> Names:
    """The variables that may hold integers behind a block, by those before it."""
    for stmt in block:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                whole = _walk(then, whole, activity) | _walk(orelse, whole, activity)
            case nodes.For() | nodes.While():
                before: Names | None = None
                while whole != before:
                    before = whole
                    entered = whole | widened(stmt, activity.types, is_float_dtype)
                    whole |= _walk(stmt.body, entered, activity)
            case nodes.Store():
                _check(stmt, whole, activity)
                if isinstance(stmt.base.type, List | Dict):
                    whole |= widened(stmt, activity.types, is_float_dtype)
            case nodes.Mutate():
                whole |= widened(stmt, activity.types, is_float_dtype)
            case nodes.Assign(targets=targets, values=values):
                narrow = widened(stmt, activity.types, is_float_dtype)
                pairs = zip(targets, values, strict=True)
                passed = {t for t, v in pairs if root(v) in whole or _may_be_whole(v, whole)}
                whole = (whole - set(targets)) | narrow | passed
    return whole


def _may_be_whole(value: nodes.Expr, whole: Names) -> bool:
    return isinstance(value.type, Array | Number) and may_be_whole(value, whole)


def _check(stmt: nodes.Store, whole: Names, activity: Activity) -> None:
    array = not isinstance(stmt.base.type, List | Dict)  # those hold what they are given
    rounds = array and not stmt.op and root(stmt.base) in whole
    if rounds and activity.depends(stmt.value, activity.varied):
        raise UnsupportedError(
            "writing into an array that holds integers on some paths", stmt.span,
            "NumPy rounds what is written into them, and only a run knows",
            "make it an array of floats at the start: np.zeros(n), or .astype(float)",
        )  # fmt: skip


__all__ = ["refuse_rounding"]
