"""Floor 5: numbers that are added up in two statements are added in one."""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.effects import has_effect
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Const, Expr, Stmt, Var
from s2sgrad.ir.types import Scalar
from s2sgrad.transform.writing import build

_LONGEST_SUM = 12  # nodes: about what fits in a line


def joined_sums(block: Block) -> Block:
    """`t_bar = a; t_bar += b` of numbers is `t_bar = a + b`, where that is short."""
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=joined_sums(then), orelse=joined_sums(orelse))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=joined_sums(body))
            case nodes.Store(base=Var(name=name), value=value) if result and _adds(stmt):
                total = _sum_with(result[-1], name, stmt.op, value)
                if total is not None:
                    result[-1] = total
                    continue
        result.append(stmt)
    return tuple(result)


def _adds(stmt: nodes.Store) -> bool:
    """Whether a statement of ours adds to a number."""
    ours = stmt.span is None and not stmt.index and stmt.op in ("+", "-")
    return ours and isinstance(stmt.base.type, Scalar) and isinstance(stmt.value.type, Scalar)


def _sum_with(first: Stmt, name: str, sign: str, value: Expr) -> Stmt | None:
    """The assignment `first` with what is added next; None where they don't belong together."""
    if not isinstance(first, nodes.Assign) or first.targets != (name,) or first.span is not None:
        return None
    (start,) = first.values
    if isinstance(start, Const) or name in nodes.names_in(value):
        return None
    if not isinstance(start.type, Scalar) or has_effect(start) or has_effect(value):
        return None
    if sum(1 for e in (start, value) for _ in nodes.walk(e)) > _LONGEST_SUM:
        return None
    return replace(first, values=(build.binary(sign, start, value),))


__all__ = ["joined_sums"]
