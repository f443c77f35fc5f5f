"""Floor 5: the cotangent of a tuple of numbers, once all is added to it, is written as a list.

`item_bar = zeros_like(item); item_bar[1] += a; item_bar[0] += b` is `item_bar = [b, a]`.
"""

from __future__ import annotations

from dataclasses import replace

import s2sgrad_runtime
from s2sgrad.analysis.effects import has_effect
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Stmt, Var
from s2sgrad.ir.types import Scalar, Tuple
from s2sgrad.transform.writing import build


def with_displays(block: Block) -> Block:
    """The block with lists in the place of zeros to which numbers are added right away."""
    result: list[Stmt] = []
    rest = list(block)
    while rest:
        stmt = rest.pop(0)
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=with_displays(then), orelse=with_displays(orelse))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=with_displays(body))
            case nodes.Assign(targets=(name,), values=(Call() as zeros,)) if _zeros(zeros):
                items = _added(name, rest)
                listed = _listed(zeros, items)
                if listed is not None:
                    stmt = replace(stmt, values=(listed,))
                    del rest[: len(items)]
        result.append(stmt)
    return tuple(result)


def _zeros(call: Call) -> bool:
    """Whether a call makes zeros like a tuple of numbers."""
    if call.function is not s2sgrad_runtime.zeros_like or len(call.args) != 1:
        return False
    kind = call.args[0].type
    return isinstance(kind, Tuple) and all(isinstance(i, Scalar) for i in kind.items)


def _added(name: str, rest: list[Stmt]) -> dict[int, Expr]:
    """What the first statements add to entries of a list, each to another one."""
    found: dict[int, Expr] = {}
    for stmt in rest:
        match stmt:
            case nodes.Store(base=Var(name=base), index=(Const(value=place),), value=value):
                simple = base == name and type(place) is int and place not in found
                if not simple or stmt.op not in ("+", "-") or name in nodes.names_in(value):
                    return found
                if has_effect(value) or not isinstance(value.type, Scalar):
                    return found
                found[place] = value if stmt.op == "+" else build.negate(value)
            case _:
                return found
    return found


def _listed(zeros: Call, items: dict[int, Expr]) -> Expr | None:
    """The list, if it holds floats everywhere that nothing is added to."""
    kinds = zeros.args[0].type.items  # type: ignore[attr-defined]
    count = len(kinds)
    if not items or not all(0 <= place < count for place in items):
        return None
    left = [kind for place, kind in enumerate(kinds) if place not in items]
    if not all(kind.dtype.startswith(("float", "int")) for kind in left):
        return None
    parts = tuple(items.get(place, build.number(0.0)) for place in range(count))
    return nodes.Sequence("list", parts, type=zeros.type)


__all__ = ["with_displays"]
