"""Floor 5: what a derivative computes twice from the same arguments: special functions, quotients.

Before:  x_bar = y_bar * digamma(x) * digamma(x)
After:   digamma_x = digamma(x)
         x_bar = y_bar * digamma_x * digamma_x

Arrays that are changed later, or handed out, stay arrays of their own.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.effects import root
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Stmt, Var
from s2sgrad.ir.types import Scalar
from s2sgrad.rules.declare import lookup
from s2sgrad.transform.writing.idle_copies import Changes, sharing
from s2sgrad.transform.writing.rewrite import map_stmt_exprs
from s2sgrad.transform.writing.tidy import memory

_ADDING = ("accumulate", "scatter_add")  # they write into their first argument
_FACTORISATIONS = (np.linalg.svd, np.linalg.eigh, np.linalg.eig, np.linalg.inv, np.linalg.pinv)
_PLAIN = (Var, Const, nodes.Index, nodes.Slice)
Bind = Callable[[str, Expr], Var]  # (what to call it, its value) -> a new variable


def with_shared_calls(block: Block, facts: Any) -> Block:
    """Bind dear calls that several expressions of a block repeat to a name, before the first; and
    quotients, in the statements that are not the user's own."""

    def fresh(base: str, value: Expr) -> Var:
        name = facts.names.fresh(base)
        facts.types[name] = value.type
        return Var(name, type=value.type)

    return _Sharing(block, fresh).block(block)


class _Sharing:
    """whole: the body of the function. fresh: makes a variable."""

    def __init__(self, whole: Block, fresh: Bind) -> None:
        self.whole, self.fresh = whole, fresh
        self.held = memory(whole)  # name -> the names whose memory it may be

    @functools.cached_property
    def changes(self) -> Changes:
        """What is written in the function."""
        return Changes(self.whole)

    def block(self, block: Block) -> Block:
        """A part of the body, with its dear calls shared."""
        result = [self.inside(stmt) for stmt in block]
        at = 0
        while at < len(result):
            for call in dict.fromkeys(_dear_in(result[at])):
                end = _reach(call, result, at, self.held)
                uses = Counter(c for s in result[at:end] for c in _dear_in(s))
                shared = self.shared(call, result[at:end]) if uses[call] > 1 else None
                if shared is not None:
                    result[at:end] = shared
                    at += 1
            at += 1
        return tuple(result)

    def inside(self, stmt: Stmt) -> Stmt:
        """A statement with the blocks in it."""
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                return replace(stmt, then=self.block(then), orelse=self.block(orelse))
            case nodes.For(body=body) | nodes.While(body=body):
                return replace(stmt, body=self.block(body))
        return stmt

    def shared(self, call: Call, block: list[Stmt]) -> list[Stmt] | None:
        """The statements with one call for all; None where its array would be seen to change."""
        one = Var("", type=call.type)
        seen = _with(call, one, block)
        if any(self.gives_away(s) for s in seen):
            return None
        var = self.fresh(_label(call), call)
        return [nodes.Assign((var.name,), (call,)), *_with(call, var, block)]

    def gives_away(self, stmt: Stmt) -> bool:
        """Whether a statement hands the shared array (here without a name) on to changes."""
        if isinstance(stmt, nodes.Return):
            parts = stmt.value.items if isinstance(stmt.value, nodes.Sequence) else ()
            return sum("" in nodes.names_in(p) for p in parts) > 1
        calls = (c for e in nodes.expressions(stmt) for c in nodes.walk(e) if isinstance(c, Call))
        if any(_takes_it(c) and not _only_reads(c.function) for c in calls):
            return True
        return any(self.changes.through(name) for name, held in sharing(stmt) if "" in held)


def _takes_it(call: Call) -> bool:
    """Whether an array without a name is an argument."""
    return any(isinstance(a, Var) and not a.name for a in call.args)


def _only_reads(function: Any) -> bool:
    """Whether a function is known to leave its arguments as they are."""
    name = getattr(function, "__name__", "")
    ours = getattr(s2sgrad_runtime, name, None) is function
    return (ours and name not in _ADDING) or lookup(function) is not None


def _with(call: Call, var: Var, block: list[Stmt]) -> list[Stmt]:
    """The statements with a variable for a call, where they share it."""
    return [
        map_stmt_exprs(s, lambda e: var if e == call else e) if call in _dear_in(s) else s
        for s in block
    ]


def _label(call: Call) -> str:
    """`digamma_x` for `scipy_digamma(x)`."""
    if call.form == "operator":
        return "quotient"
    name = call.text.rpartition(".")[2].removeprefix("scipy_")
    argument = call.args[-1]
    return f"{name}_{argument.name}" if isinstance(argument, Var) else name


def _dear_in(stmt: Stmt) -> Iterator[Call]:
    """The calls worth sharing that a statement surely makes."""
    for expr in nodes.expressions(stmt):
        yield from _dear(expr, quotients=stmt.span is None)


def _dear(expr: Expr, quotients: bool) -> Iterator[Call]:
    if isinstance(expr, Call) and expr.function not in ("and", "or"):
        dear = is_dear(expr.function) or (quotients and _is_quotient(expr))
        if dear and all(_is_arithmetic(a) for a in expr.args):
            yield expr
        for part in (*expr.args, *(v for _, v in expr.kwargs)):
            yield from _dear(part, quotients)
    elif isinstance(expr, nodes.Index):
        yield from _dear(expr.base, quotients)
    elif isinstance(expr, nodes.Sequence):
        for part in expr.items:
            yield from _dear(part, quotients)


def _is_quotient(call: Call) -> bool:
    """Whether it is a quotient of numbers that are not written down."""
    known = isinstance(call.type, Scalar) and call.form == "operator"
    return known and call.text == "/" and not any(isinstance(a, Const) for a in call.args)


def _is_arithmetic(expr: Expr) -> bool:
    """Whether an expression is made of names, subscripts and NumPy's functions of entries."""
    return all(
        isinstance(e.function, np.ufunc) if isinstance(e, Call) else isinstance(e, _PLAIN)
        for e in nodes.walk(expr)
    )


def is_dear(function: Any) -> bool:
    """Whether a function takes many times as long as arithmetic: factorisations of matrices, and
    those of SciPy, entry by entry."""
    if isinstance(function, str):
        return False
    if any(function is f for f in _FACTORISATIONS):
        return True
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
