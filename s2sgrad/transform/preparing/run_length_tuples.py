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
from s2sgrad.ir.types import Dict, List, Tuple, Type, carries
from s2sgrad.transform.writing.rewrite import map_block

_COMPARED = ("==", "!=", "<", "<=", ">", ">=")


def with_lists_for_tuples(block: Block, types: dict[str, Type]) -> Block:
    """The block in which such tuples are lists. types: of its variables, as they are in the end."""

    def joined(expr: Expr) -> Expr:
        if isinstance(expr, Call) and expr.function == "list+" and _is_list(expr.type):
            return replace(expr, args=tuple(_as_list(a, expr.type) for a in expr.args))
        rows = isinstance(expr, Call) and expr.function == "list+"
        if rows or (isinstance(expr, nodes.Sequence) and expr.kind == "list"):
            return _of_rows(expr)
        if isinstance(expr, Call) and expr.form == "operator" and expr.text in ("in", "not in"):
            return replace(expr, args=_sought(expr.args, types))
        if isinstance(expr, Call) and expr.form == "operator" and expr.text in _COMPARED:
            kind = next(filter(_is_list, (types.get(n, a.type) for n, a in _sides(expr))), None)
            return expr if kind is None else replace(expr, args=_both_lists(expr.args, kind))
        return expr

    def bound(stmt: Stmt) -> list[Stmt]:
        if isinstance(stmt, nodes.Store | nodes.Mutate):
            return [_put(stmt, types)]
        if not isinstance(stmt, nodes.Assign):
            return [stmt]
        kinds = [types.get(name) for name in stmt.targets]
        pairs = zip(stmt.values, kinds, strict=True)
        values = tuple(_as_held(v, k) for v, k in pairs)
        return [stmt if values == stmt.values else replace(stmt, values=values)]

    return map_block(block, joined, bound)


def _put(stmt: nodes.Store | nodes.Mutate, types: dict[str, Type]) -> Stmt:
    """A write into a list or dict; among lists, a tuple is one."""
    now = types.get(stmt.base.name) if isinstance(stmt.base, Var) else None
    base = now or stmt.base.type
    if not isinstance(base, List | Dict):
        return stmt
    if isinstance(stmt, nodes.Store):
        single = len(stmt.index) == 1 and not nodes.is_slice(stmt.index[0])
        value = _as_held(stmt.value, base.item if single else base)
        return stmt if value == stmt.value else replace(stmt, value=value)
    if stmt.method in ("append", "insert"):
        args = (*stmt.args[:-1], _as_held(stmt.args[-1], base.item))
    elif stmt.method == "extend":
        args = tuple(_as_held(a, base) for a in stmt.args)
    else:
        return stmt
    return stmt if args == stmt.args else replace(stmt, args=args)


def _as_held(value: Expr, kind: Type | None) -> Expr:
    """A value for a place of this type: a tuple as a list, and those in a display."""
    if _is_list(kind):
        return _as_list(value, kind)
    if isinstance(kind, List) and _is_list(kind.item) and isinstance(value, nodes.Sequence):
        items = tuple(_as_list(item, kind.item) for item in value.items)
        return value if items == value.items else replace(value, items=items, type=kind)
    return value


def _of_rows(expr: Expr) -> Expr:
    """A display, or a sum, of lists of rows."""
    if isinstance(expr, Call):
        return replace(expr, args=tuple(_as_held(a, expr.type) for a in expr.args))
    return _as_held(expr, expr.type)


def _sought(sides: tuple[Expr, ...], types: dict[str, Type]) -> tuple[Expr, ...]:
    """`t in rows`, of which one has lists for tuples."""
    item, rows = sides
    kinds = [types.get(n, a.type) for n, a in ((_name(item), item), (_name(rows), rows))]
    if _is_list(kinds[0]):
        return item, _as_held(rows, List(kinds[0]))
    held = kinds[1].item if isinstance(kinds[1], List) else None
    return _as_held(item, held), rows


def _name(expr: Expr) -> str:
    return expr.name if isinstance(expr, Var) else ""


def _sides(expr: Call) -> list[tuple[str, Expr]]:
    return [(_name(a), a) for a in expr.args]


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
