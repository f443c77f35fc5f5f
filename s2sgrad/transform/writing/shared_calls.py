"""Floor 5: special functions that a derivative calls twice with the same arguments.

Before:  x_bar = y_bar * digamma(x) * digamma(x)
After:   digamma_x = digamma(x)
         x_bar = y_bar * digamma_x * digamma_x
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from s2sgrad.analysis.effects import root
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Stmt, Var
from s2sgrad.rules.declare import lookup
from s2sgrad.transform.writing.rewrite import map_stmt_exprs
from s2sgrad.transform.writing.tidy import memory

Bind = Callable[[str, Expr], Var]  # (what to call it, its value) -> a new variable


def with_shared_calls(block: Block, facts: Any) -> Block:
    """Bind dear calls that several expressions of a block repeat to a name, before the first."""

    def fresh(base: str, value: Expr) -> Var:
        name = facts.names.fresh(base)
        facts.types[name] = value.type
        return Var(name, type=value.type)

    return _shared(block, memory(block), fresh)


def _shared(block: Block, held: dict[str, frozenset[str]], fresh: Bind) -> Block:
    """held: name -> the names whose memory it may be. fresh: makes a variable."""
    result = [_inside(stmt, held, fresh) for stmt in block]
    at = 0
    while at < len(result):
        for call in dict.fromkeys(c for e in nodes.expressions(result[at]) for c in _dear(e)):
            end = _reach(call, result, at, held)
            uses = Counter(
                c for s in result[at:end] for e in nodes.expressions(s) for c in _dear(e)
            )
            if uses[call] > 1:
                var = fresh(_label(call), call)
                put = functools.partial(_put, call, var)
                result[at:end] = [map_stmt_exprs(s, put) for s in result[at:end]]
                result.insert(at, nodes.Assign((var.name,), (call,)))
                at += 1
        at += 1
    return tuple(result)


def _inside(stmt: Stmt, held: dict[str, frozenset[str]], fresh: Bind) -> Stmt:
    match stmt:
        case nodes.If(then=then, orelse=orelse):
            return replace(
                stmt,
                then=_shared(then, held, fresh),
                orelse=_shared(orelse, held, fresh),
            )
        case nodes.For(body=body) | nodes.While(body=body):
            return replace(stmt, body=_shared(body, held, fresh))
    return stmt


def _put(call: Call, var: Var, expr: Expr) -> Expr:
    return var if expr == call else expr


def _label(call: Call) -> str:
    """`digamma_x` for `scipy_digamma(x)`."""
    name = call.text.rpartition(".")[2].removeprefix("scipy_")
    argument = call.args[-1]
    return f"{name}_{argument.name}" if isinstance(argument, Var) else name


def _dear(expr: Expr) -> Iterator[Call]:
    """The calls worth sharing that an expression surely makes."""
    if isinstance(expr, Call) and expr.function not in ("and", "or"):
        if is_dear(expr.function) and all(isinstance(a, Var | Const) for a in expr.args):
            yield expr
        for part in (*expr.args, *(v for _, v in expr.kwargs)):
            yield from _dear(part)
    elif isinstance(expr, nodes.Sequence):
        for part in expr.items:
            yield from _dear(part)


def is_dear(function: Any) -> bool:
    """Whether a function takes many times as long as arithmetic: those of SciPy, entry by entry."""
    if isinstance(function, str):
        return False
    rule, home = lookup(function), getattr(function, "__module__", None) or ""
    special = home in ("s2sgrad_runtime.bessel", "s2sgrad_runtime.polygammas")
    return special or (
        rule is not None and rule.kind == "elementwise" and rule.name.startswith("scipy.")
    )


def _reach(call: Call, block: list[Stmt], start: int, held: dict[str, frozenset[str]]) -> int:
    """Up to which statement a call's value stays the same."""
    read = nodes.names_in(call)
    read = read.union(*(held.get(n, frozenset()) for n in read))
    for at in range(start, len(block)):
        stmt = block[at]
        if nodes.blocks(stmt) or isinstance(stmt, nodes.Do | nodes.Splice):
            return at
        changed = root(stmt.base) if isinstance(stmt, nodes.Store | nodes.Mutate) else None
        known = {changed, *held.get(changed, ())} if changed is not None else set()
        if isinstance(stmt, nodes.Store | nodes.Mutate) and (changed is None or known & read):
            return at
        if read & set(nodes.targets_of(stmt)):
            return at + 1
    return len(block)
