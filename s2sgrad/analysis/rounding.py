"""Floor 3: writes into arrays that hold integers on some paths: NumPy rounds what is written.

Where an array of integers and one of floats meet, the variable has a type of floats. What is
written into it has its derivative on some paths only, which nobody knows while compiling.
"""

from __future__ import annotations

from s2sgrad.analysis.activity import Activity
from s2sgrad.analysis.costs import COMPILED, present
from s2sgrad.analysis.effects import root
from s2sgrad.analysis.maybe_real import given_by, widened
from s2sgrad.analysis.whole import may_be_whole, narrows
from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block
from s2sgrad.ir.types import Array, Dict, List, Number, Scalar, is_float_dtype

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
                before, found = None, whole
                while before != found:
                    before = found
                    entered = whole | found | _given(stmt, whole | found, activity)
                    found = _walk(stmt.body, entered, activity)
                # a number that each pass makes a float is one behind the loop
                whole = found | {n for n in whole if not _is_number(n, activity)}
            case nodes.Store():
                _check(stmt, whole, activity)
                if isinstance(stmt.base.type, List | Dict):
                    whole |= _given(stmt, whole, activity)
            case nodes.Mutate():
                whole |= _given(stmt, whole, activity)
            case nodes.Assign(targets=targets):
                whole = (whole - set(targets)) | _given(stmt, whole, activity)
    return whole


def _given(stmt: nodes.Stmt, whole: Names, activity: Activity) -> set[str]:
    """The variables to which a statement gives what may be or hold integers."""
    types = activity.types
    found = widened(stmt, types, is_float_dtype)
    for target, value in given_by(stmt):
        number = _is_number(target, activity) and narrows(value.type, types[target])
        if number or root(value) in whole or may_be_whole(value, whole):
            found.add(target)
    return found


def _is_number(name: str, activity: Activity) -> bool:
    return isinstance(activity.types.get(name), Scalar)


def _check(stmt: nodes.Store, whole: Names, activity: Activity) -> None:
    array = not isinstance(stmt.base.type, List | Dict)  # those hold what they are given
    rounds = array and not stmt.op and root(stmt.base) in whole
    varies = activity.depends(stmt.value, activity.varied)
    if rounds and (varies or (present() is COMPILED and _has_fraction(stmt.value))):
        raise UnsupportedError(
            "writing into an array that holds integers on some paths", stmt.span,
            "NumPy rounds what is written into them, and only a run knows",
            "make it an array of floats at the start: np.zeros(n), or .astype(float)",
        )  # fmt: skip


def _has_fraction(value: nodes.Expr) -> bool:
    """Whether integers may round it, in NumPy: a compiled array holds floats on every path."""
    kind = value.type
    return not isinstance(kind, Array | Number | Scalar) or is_float_dtype(kind.dtype or "float")


__all__ = ["refuse_rounding"]
