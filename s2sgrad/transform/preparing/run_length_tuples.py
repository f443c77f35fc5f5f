"""Floor 5: a tuple whose length only a run knows is a list, where it carries derivatives.

    t = (x[0],) + tuple(x[1:])        t = [x[0]] + list(x[1:])

Nobody changes it, so it may be one: its cotangent is a list, and Numba takes no tuple of any
length. The frontend makes lists of those that it collects; here are the others that meet them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt, Var
from s2sgrad.ir.types import List, Tuple, Type, carries
from s2sgrad.transform.writing.rewrite import map_block


def with_lists_for_tuples(block: Block, types: dict[str, Type]) -> Block:
    """The block in which such tuples are lists. types: of its variables, as they are in the end."""

    def joined(expr: Expr) -> Expr:
        if isinstance(expr, Call) and expr.function == "list+" and _is_list(expr.type):
            return replace(expr, args=tuple(_as_list(a, expr.type) for a in expr.args))
        if isinstance(expr, Call) and expr.form == "operator" and expr.text in ("==", "!="):
            kind = next(filter(_is_list, (types.get(n, a.type) for n, a in _sides(expr))), None)
            return expr if kind is None else replace(expr, args=_both_lists(expr.args, kind))
        return expr

    def bound(stmt: Stmt) -> list[Stmt]:
        if not isinstance(stmt, nodes.Assign):
            return [stmt]
        kinds = [types.get(name) for name in stmt.targets]
        pairs = zip(stmt.values, kinds, strict=True)
        values = tuple(_as_list(v, k) if _is_list(k) else v for v, k in pairs)
        return [replace(stmt, values=values) if any(map(_is_list, kinds)) else stmt]

    return map_block(block, joined, bound)


def _sides(expr: Call) -> list[tuple[str, Expr]]:
    return [(a.name if isinstance(a, Var) else "", a) for a in expr.args]


def _both_lists(sides: tuple[Expr, ...], kind: Type) -> tuple[Expr, ...]:
    """Two tuples that are compared, of which one is a list, as lists."""
    return tuple(_as_list(side, kind) for side in sides)


def _is_list(kind: Type | None) -> bool:
    """Whether a value of the type is, or may be, a tuple to the user, and a list to us."""
    return isinstance(kind, List) and kind.fixed and carries(kind)


def _as_list(value: Expr, kind: Any) -> Expr:
    """A value that is to be such a list."""
    match value:
        case nodes.Sequence(kind="tuple"):
            return replace(value, kind="list", type=kind)
        case nodes.Choice(then=then, orelse=orelse):
            sides = _as_list(then, kind), _as_list(orelse, kind)
            return replace(value, then=sides[0], orelse=sides[1])
    tuples = isinstance(value.type, List) and value.type.fixed and not carries(value.type)
    if isinstance(value.type, Tuple) or tuples:
        return Call(list, "list", (value,), type=kind, span=value.span)
    return value


__all__ = ["with_lists_for_tuples"]
