"""Floor 5: updates in place whose old value the reverse sweep reads become new values.

`p /= p.sum()` would have to copy `p` first and to copy it back later. Where nobody else holds the
array, `p = p / p.sum()` leaves the old one as it is.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.activity import Activity
from s2sgrad.analysis.effects import Effects
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Stmt, Var
from s2sgrad.ir.types import Array
from s2sgrad.transform.writing import build


def new_values(body: Block, shared: Effects, activity: Activity, given: frozenset[str]) -> Block:
    """The body with such updates made new values, outside of loops and branches.

    given: names of arrays that others hold.
    """
    return tuple(_new_value(s, shared, activity, given) for s in body)


def _new_value(stmt: Stmt, shared: Effects, activity: Activity, given: frozenset[str]) -> Stmt:
    if not isinstance(stmt, nodes.Store) or stmt.index or stmt.op not in ("*", "/", "**"):
        return stmt
    base = stmt.base
    if not isinstance(base, Var) or base.name in given or shared.members(base.name) != [base.name]:
        return stmt
    curved = stmt.op == "**" or activity.active(stmt.value)
    if not curved or not activity.active(base) or not isinstance(base.type, Array):
        return stmt
    value = build.binary(stmt.op, base, stmt.value)
    if not build.same_shape(value.type, base.type) or value.type != base.type:
        return stmt  # in place, an array keeps its dtype
    return nodes.Assign((base.name,), (replace(value, span=stmt.span),), span=stmt.span)
