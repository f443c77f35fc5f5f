"""Floor 5: rebuild expressions and blocks from the inside out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import is_not
from typing import Any

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import (
    Block,
    Call,
    Choice,
    Expr,
    Index,
    Mapping,
    Sequence,
    Slice,
    Stmt,
    Text,
)

OnExpr = Callable[[Expr], Expr]
OnStmt = Callable[[Stmt], list[Stmt]]


def map_expr(expr: Expr, f: OnExpr) -> Expr:
    """`f` applied to every node, children first. What does not change stays the same object."""
    rebuilt = _REBUILT.get(type(expr))
    return f(expr if rebuilt is None else rebuilt(expr, f))


def _each(parts: tuple[Expr, ...], f: OnExpr) -> tuple[Expr, ...]:
    """The same tuple where nothing in it changes."""
    new = tuple([map_expr(part, f) for part in parts])
    return new if any(map(is_not, parts, new)) else parts


def _call(expr: Call, f: OnExpr) -> Expr:
    args, kwargs = _each(expr.args, f), expr.kwargs
    if kwargs:
        kwargs = tuple((name, map_expr(value, f)) for name, value in kwargs)
        if all(a is b for (_, a), (_, b) in zip(kwargs, expr.kwargs, strict=True)):
            kwargs = expr.kwargs
    same = args is expr.args and kwargs is expr.kwargs
    return expr if same else replace(expr, args=args, kwargs=kwargs)


def _index(expr: Index, f: OnExpr) -> Expr:
    base, index = map_expr(expr.base, f), _each(expr.index, f)
    same = base is expr.base and index is expr.index
    return expr if same else replace(expr, base=base, index=index)


def _slice(expr: Slice, f: OnExpr) -> Expr:
    ends = (expr.lower, expr.upper, expr.step)
    new = tuple([None if end is None else map_expr(end, f) for end in ends])
    if not any(map(is_not, ends, new)):
        return expr
    return replace(expr, lower=new[0], upper=new[1], step=new[2])


def _sequence(expr: Sequence, f: OnExpr) -> Expr:
    items = _each(expr.items, f)
    return expr if items is expr.items else replace(expr, items=items)


def _mapping(expr: Mapping, f: OnExpr) -> Expr:
    return replace(expr, keys=_each(expr.keys, f), values=_each(expr.values, f))


def _choice(expr: Choice, f: OnExpr) -> Expr:
    sides = (expr.test, expr.then, expr.orelse)
    new = _each(sides, f)
    return expr if new is sides else replace(expr, test=new[0], then=new[1], orelse=new[2])


def _text(expr: Text, f: OnExpr) -> Expr:
    return replace(expr, parts=_each(expr.parts, f))


_REBUILT: dict[type, Callable[[Any, OnExpr], Expr]] = {
    Call: _call, Index: _index, Slice: _slice, Sequence: _sequence, Mapping: _mapping,
    Choice: _choice, Text: _text,
}  # fmt: skip


def map_stmt_exprs(stmt: Stmt, f: OnExpr) -> Stmt:
    """The statement with `f` mapped over its own expressions; itself where none changes."""

    match stmt:
        case nodes.Assign(values=values):
            return stmt if (new := _each(values, f)) is values else replace(stmt, values=new)
        case nodes.Unpack(value=value) | nodes.Return(value=value):
            return stmt if (one := map_expr(value, f)) is value else replace(stmt, value=one)
        case nodes.Store(base=base, index=index, value=value):
            parts = (base, *index, value)
            if (new := _each(parts, f)) is parts:
                return stmt
            return replace(stmt, base=new[0], index=new[1:-1], value=new[-1])
        case nodes.Mutate(base=base, args=args):
            return replace(stmt, base=map_expr(base, f), args=_each(args, f))
        case nodes.Do(value=value, extra=extra):
            return replace(stmt, value=map_expr(value, f), extra=extra and map_expr(extra, f))
        case nodes.If(test=test) | nodes.While(test=test):
            return stmt if (one := map_expr(test, f)) is test else replace(stmt, test=one)
        case nodes.For(sources=sources):
            return stmt if (new := _each(sources, f)) is sources else replace(stmt, sources=new)
        case nodes.Splice(value=value, result=result):
            return replace(stmt, value=map_expr(value, f), result=map_expr(result, f))
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
