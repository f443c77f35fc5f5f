"""Floor 5: rebuild expressions and blocks from the inside out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt

OnExpr = Callable[[Expr], Expr]
OnStmt = Callable[[Stmt], list[Stmt]]


def map_expr(expr: Expr, f: OnExpr) -> Expr:
    """`f` applied to every node, children first."""

    def go(e: Expr) -> Expr:
        return map_expr(e, f)

    match expr:
        case nodes.Call(args=args, kwargs=kwargs):
            new_args = tuple(map(go, args))
            new_kwargs = tuple((k, go(v)) for k, v in kwargs)
            if not _same(args, new_args) or any(
                a is not b for (_, a), (_, b) in zip(kwargs, new_kwargs, strict=True)
            ):
                expr = replace(expr, args=new_args, kwargs=new_kwargs)
        case nodes.Index(base=base, index=index):
            new_base, new_index = go(base), tuple(map(go, index))
            if new_base is not base or not _same(index, new_index):
                expr = replace(expr, base=new_base, index=new_index)
        case nodes.Slice(lower=lower, upper=upper, step=step):
            expr = replace(
                expr, lower=lower and go(lower), upper=upper and go(upper), step=step and go(step)
            )
        case nodes.Sequence(items=items):
            expr = replace(expr, items=tuple(map(go, items)))
        case nodes.Mapping(keys=keys, values=values):
            expr = replace(expr, keys=tuple(map(go, keys)), values=tuple(map(go, values)))
        case nodes.Choice(test=test, then=then, orelse=orelse):
            expr = replace(expr, test=go(test), then=go(then), orelse=go(orelse))
        case nodes.Text(parts=parts):
            expr = replace(expr, parts=tuple(map(go, parts)))
    return f(expr)


def _same(a: Iterable[Expr], b: Iterable[Expr]) -> bool:
    return all(x is y for x, y in zip(a, b, strict=True))


def map_stmt_exprs(stmt: Stmt, f: OnExpr) -> Stmt:
    """The statement with `f` mapped over its own expressions."""

    def go(e: Expr) -> Expr:
        return map_expr(e, f)

    match stmt:
        case nodes.Assign(values=values):
            return replace(stmt, values=tuple(map(go, values)))
        case nodes.Unpack(value=value) | nodes.Return(value=value):
            return replace(stmt, value=go(value))
        case nodes.Store(base=base, index=index, value=value):
            return replace(stmt, base=go(base), index=tuple(map(go, index)), value=go(value))
        case nodes.Mutate(base=base, args=args):
            return replace(stmt, base=go(base), args=tuple(map(go, args)))
        case nodes.Do(value=value, extra=extra):
            return replace(stmt, value=go(value), extra=extra and go(extra))
        case nodes.If(test=test) | nodes.While(test=test):
            return replace(stmt, test=go(test))
        case nodes.For(sources=sources):
            return replace(stmt, sources=tuple(map(go, sources)))
        case nodes.Splice(value=value, result=result):
            return replace(stmt, value=go(value), result=go(result))
    return stmt


def map_block(block: Block, on_expr: OnExpr, on_stmt: OnStmt | None = None) -> Block:
    """The block with `on_expr` over all expressions, then `on_stmt` over all statements."""
    result: list[Stmt] = []
    for stmt in block:
        new = map_stmt_exprs(stmt, on_expr)
        match new:
            case nodes.If(then=then, orelse=orelse):
                new = replace(
                    new,
                    then=map_block(then, on_expr, on_stmt),
                    orelse=map_block(orelse, on_expr, on_stmt),
                )
            case nodes.For(body=body) | nodes.While(body=body):
                new = replace(new, body=map_block(body, on_expr, on_stmt))
            case nodes.Splice(body=body):
                new = replace(new, body=map_block(body, on_expr, on_stmt))
        result += [new] if on_stmt is None else on_stmt(new)
    return tuple(result)
