"""Floor 5: rebuild expressions and blocks from the inside out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt

OnExpr = Callable[[Expr], Expr]
OnStmt = Callable[[Stmt], list[Stmt]]


def map_expr(expr: Expr, f: OnExpr) -> Expr:
    """`f` applied to every node, children first. What does not change stays the same object."""
    if type(expr) is nodes.Var or type(expr) is nodes.Const:
        return f(expr)

    def go(e: Expr) -> Expr:
        return map_expr(e, f)

    def each(parts: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return _each(parts, f)

    match expr:
        case nodes.Call(args=args, kwargs=kwargs):
            new_args = each(args)
            new_kwargs = kwargs and tuple((k, go(v)) for k, v in kwargs)
            if new_args is not args or any(
                a is not b for (_, a), (_, b) in zip(kwargs, new_kwargs, strict=True)
            ):
                expr = replace(expr, args=new_args, kwargs=new_kwargs)
        case nodes.Index(base=base, index=index):
            new_base, new_index = go(base), each(index)
            if new_base is not base or new_index is not index:
                expr = replace(expr, base=new_base, index=new_index)
        case nodes.Slice(lower=lower, upper=upper, step=step):
            new = (lower and go(lower), upper and go(upper), step and go(step))
            if any(a is not b for a, b in zip((lower, upper, step), new, strict=True)):
                expr = replace(expr, lower=new[0], upper=new[1], step=new[2])
        case nodes.Sequence(items=items):
            new_items = each(items)
            if new_items is not items:
                expr = replace(expr, items=new_items)
        case nodes.Mapping(keys=keys, values=values):
            expr = replace(expr, keys=each(keys), values=each(values))
        case nodes.Choice(test=test, then=then, orelse=orelse):
            sides = (test, then, orelse)
            if (new_sides := each(sides)) is not sides:
                expr = replace(expr, test=new_sides[0], then=new_sides[1], orelse=new_sides[2])
        case nodes.Text(parts=parts):
            expr = replace(expr, parts=each(parts))
    return f(expr)


def _each(parts: tuple[Expr, ...], f: OnExpr) -> tuple[Expr, ...]:
    """The same tuple where nothing in it changes."""
    new = tuple([map_expr(part, f) for part in parts])
    return parts if all(x is y for x, y in zip(parts, new, strict=True)) else new


def map_stmt_exprs(stmt: Stmt, f: OnExpr) -> Stmt:
    """The statement with `f` mapped over its own expressions; itself where none changes."""

    def go(e: Expr) -> Expr:
        return map_expr(e, f)

    match stmt:
        case nodes.Assign(values=values):
            return stmt if (new := _each(values, f)) is values else replace(stmt, values=new)
        case nodes.Unpack(value=value) | nodes.Return(value=value):
            return stmt if (one := go(value)) is value else replace(stmt, value=one)
        case nodes.Store(base=base, index=index, value=value):
            parts = (base, *index, value)
            if (new := _each(parts, f)) is parts:
                return stmt
            return replace(stmt, base=new[0], index=new[1:-1], value=new[-1])
        case nodes.Mutate(base=base, args=args):
            return replace(stmt, base=go(base), args=_each(args, f))
        case nodes.Do(value=value, extra=extra):
            return replace(stmt, value=go(value), extra=extra and go(extra))
        case nodes.If(test=test) | nodes.While(test=test):
            return stmt if (one := go(test)) is test else replace(stmt, test=one)
        case nodes.For(sources=sources):
            return stmt if (new := _each(sources, f)) is sources else replace(stmt, sources=new)
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


def map_loops(block: Block, on_loop: Callable[[nodes.For | nodes.While], list[Stmt]]) -> Block:
    """The block with what `on_loop` gives in place of each loop that is not inside of another."""
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.For() | nodes.While():
                result += on_loop(stmt)
            case nodes.If(then=then, orelse=orelse):
                then, orelse = map_loops(then, on_loop), map_loops(orelse, on_loop)
                result.append(replace(stmt, then=then, orelse=orelse))
            case _:
                result.append(stmt)
    return tuple(result)


def mentions(stmt: Stmt, name: str) -> bool:
    """Whether a statement, or one inside it, reads or binds a name."""
    return any(
        name in nodes.targets_of(s) or any(name in nodes.names_in(e) for e in nodes.expressions(s))
        for s in nodes.walk_block((stmt,))
    )


def with_blocks(stmt: Stmt, change: Callable[[Block], Block]) -> Stmt:
    """The statement with the blocks inside of it changed."""
    match stmt:
        case nodes.If(then=then, orelse=orelse):
            return replace(stmt, then=change(then), orelse=change(orelse))
        case nodes.For(body=body) | nodes.While(body=body):
            return replace(stmt, body=change(body))
    return stmt
