"""Floor 6: change expressions in blocks that hold nests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from s2sgrad.backend.loops.nests import Nest
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt, Var
from s2sgrad.transform.writing.rewrite import map_expr, map_stmt_exprs

OnExpr = Callable[[Expr], Expr]
OnStmt = Callable[[Stmt], list[Stmt]]


def mapped(block: Block, on_expr: OnExpr, on_stmt: OnStmt | None = None) -> Block:
    """The block with `on_expr` over all expressions, then `on_stmt` over all statements."""
    result: list[Stmt] = []
    for stmt in block:
        new = map_stmt_exprs(stmt, on_expr)
        match new:
            case Nest():
                extents = tuple(replace(e, count=map_expr(e.count, on_expr)) for e in new.extents)
                new = replace(new, extents=extents, body=mapped(new.body, on_expr, on_stmt))
            case nodes.If(then=then, orelse=orelse):
                new = replace(
                    new,
                    then=mapped(then, on_expr, on_stmt),
                    orelse=mapped(orelse, on_expr, on_stmt),
                )
            case nodes.For(body=body) | nodes.While(body=body):
                new = replace(new, body=mapped(body, on_expr, on_stmt))
        result += [new] if on_stmt is None else on_stmt(new)
    return tuple(result)


def renamed(block: Block, names: dict[str, str]) -> Block:
    """The block with variables renamed, those that loops bind too."""

    def expr(e: Expr) -> Expr:
        return replace(e, name=names[e.name]) if isinstance(e, Var) and e.name in names else e

    def stmt(s: Stmt) -> list[Stmt]:
        match s:
            case Nest():
                return [replace(s, indices=tuple(names.get(n, n) for n in s.indices))]
            case nodes.Assign() | nodes.For():
                return [replace(s, targets=tuple(names.get(n, n) for n in s.targets))]
        return [s]

    return mapped(block, expr, stmt)
