"""Floor 5: names that some ways leave without a value, where joins hand something on in its place.

    if a:                              y_bound = True
        y = x[0]                       if a:
    elif b:                                y = x[0]
        y = x[1]                       else:
    return y * 2.0                         y_bound = b
                                           y = 0.0
                                           if b:
                                               y = x[1]
                                       if not y_bound:
                                           raise UnboundLocalError(...)

Elsewhere such a name has no value in generated code either, and reading it is Python's own error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from s2sgrad.analysis.unbound import negated, unbound_error
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Stmt, Var
from s2sgrad.ir.types import BOOL
from s2sgrad.transform.writing.rewrite import map_block

Doubt = dict[str, str]  # variables that may hold nothing -> the user's name for them


def with_names_asked(
    body: Block, results: frozenset[str], fresh: Callable[[str, Expr], Var]
) -> Block:
    """The block, with an error where it reads what stands for no value.

    results: what is read behind it. fresh: makes a variable.
    """
    if not any(isinstance(s, nodes.Assign) and s.nothing for s in nodes.walk_block(body)):
        return body
    asking = _Asking(fresh)
    made, doubt = asking.block(body, {})
    made += tuple(asking.question(n, doubt[n]) for n in sorted(results & (doubt or {}).keys()))
    return _with_flags(made, asking) if asking.flags else body


class _Asking:
    """Asks where a variable is read that may hold nothing. flags: variable -> what tells."""

    def __init__(self, fresh: Callable[[str, Expr], Var]) -> None:
        self.fresh = fresh
        self.flags: dict[str, Var] = {}
        self.breaks: list[Doubt] = []
        self.again: list[Doubt] = []

    def flag(self, name: str, user: str) -> Var:
        """The variable that says whether another has a value."""
        if name not in self.flags:
            self.flags[name] = self.fresh(f"{user}_bound", Const(False, type=BOOL))
        return self.flags[name]

    def question(self, name: str, user: str, guards: tuple[Expr, ...] = ()) -> Stmt:
        """An error where a variable has no value. guards: where it is read at all."""
        return unbound_error(self.flag(name, user), user, guards)

    def block(self, block: Block, doubt: Doubt) -> tuple[Block, Doubt]:
        """The block with its questions, and what may hold nothing behind it."""
        made: list[Stmt] = []
        for stmt in block:
            read = [e for e in nodes.expressions(stmt) if not _hands_on(stmt, e)]
            for name, guards in dict(_reads(read)).items():
                if name in doubt:
                    made.append(self.question(name, doubt[name], guards))
                    if not guards:
                        doubt = {n: u for n, u in doubt.items() if n != name}
            new, doubt = self.stmt(stmt, doubt)
            made.append(new)
        return tuple(made), doubt

    def stmt(self, stmt: Stmt, doubt: Doubt) -> tuple[Stmt, Doubt]:
        match stmt:
            case nodes.Exit(kind=kind):
                (self.breaks if kind == "break" else self.again).append(doubt)
                return stmt, {}
            case nodes.If(then=then, orelse=orelse):
                then, first = self.block(then, doubt)
                orelse, second = self.block(orelse, doubt)
                return replace(stmt, then=then, orelse=orelse), first | second
            case nodes.For() | nodes.While():
                return self.loop(stmt, doubt)
            case nodes.Assign(targets=targets, values=values):
                after = {n: u for n, u in doubt.items() if n not in targets}
                for target, value in zip(targets, values, strict=True):
                    if stmt.nothing:
                        after[target] = stmt.nothing
                    elif stmt.move and isinstance(value, Var) and value.name in doubt:
                        after[target] = doubt[value.name]
                return stmt, after
        return stmt, {n: u for n, u in doubt.items() if n not in nodes.targets_of(stmt)}

    def loop(self, stmt: nodes.For | nodes.While, doubt: Doubt) -> tuple[Stmt, Doubt]:
        """A loop, of whose turns the later ones begin as the earlier ones end."""
        outer = self.breaks, self.again
        while True:
            self.breaks, self.again = [], []
            head = {n: u for n, u in doubt.items() if n not in nodes.targets_of(stmt)}
            body, end = self.block(stmt.body, head)
            ends = [end, *self.again]
            if all(e.items() <= doubt.items() for e in ends):
                break
            for found in ends:
                doubt = doubt | found
        for found in self.breaks:
            doubt = doubt | found
        self.breaks, self.again = outer
        return replace(stmt, body=body), doubt


def _hands_on(stmt: Stmt, value: Expr) -> bool:
    """Whether a value is only copied at a join."""
    return isinstance(stmt, nodes.Assign) and stmt.move and isinstance(value, Var)


def _reads(
    exprs: Iterable[Expr], guards: tuple[Expr, ...] = ()
) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    """What expressions read, and what must be true for it; what is read in any case at last."""
    for expr in exprs:
        match expr:
            case Var(name=name):
                yield name, guards
            case nodes.Choice(test=test, then=then, orelse=orelse):
                yield from _reads([then], (*guards, test))
                yield from _reads([orelse], (*guards, negated(test)))
                yield from _reads([test], guards)
            case Call(text="and" | "or" as word, args=args):
                for k in range(len(args) - 1, -1, -1):
                    before = args[:k] if word == "and" else tuple(map(negated, args[:k]))
                    yield from _reads([args[k]], (*guards, *before))
            case _:
                yield from _reads(nodes.children(expr), guards)


def _with_flags(block: Block, asking: _Asking) -> Block:
    """The block in which flags say which variables have a value."""
    own = nodes.bound_in(block)
    moves = [s for s in nodes.walk_block(block) if isinstance(s, nodes.Assign) and s.move]
    while True:
        handed = [
            (v.name, t) for s in moves for t, v in zip(s.targets, s.values, strict=True)
            if t in asking.flags and isinstance(v, Var) and v.name in own
        ]  # fmt: skip
        new = [(v, t) for v, t in handed if v not in asking.flags]
        if not new:
            break
        for value, target in new:
            asking.flag(value, asking.flags[target].name.removesuffix("_bound"))
    flags = asking.flags

    def told(stmt: Stmt, target: str, value: Expr | None) -> Expr:
        if isinstance(stmt, nodes.Assign) and (stmt.nothing or stmt.move):
            if isinstance(value, Var) and value.name in flags:
                return flags[value.name]
            return Const(not stmt.nothing, type=BOOL)
        return Const(True, type=BOOL)

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        targets = nodes.targets_of(stmt)
        values = stmt.values if isinstance(stmt, nodes.Assign) else (None,) * len(targets)
        pairs = [(t, v) for t, v in zip(targets, values, strict=True) if t in flags]
        if not pairs:
            return [stmt]
        names = tuple(flags[t].name for t, _ in pairs)
        mark = nodes.Assign(names, tuple(told(stmt, t, v) for t, v in pairs), move=True)
        if isinstance(stmt, nodes.For):
            return [replace(stmt, body=(mark, *stmt.body))]
        return [stmt, mark]

    begun = tuple(nodes.Assign((f.name,), (Const(False, type=BOOL),)) for f in flags.values())
    return (*begun, *map_block(block, lambda e: e, on_stmt))


__all__ = ["with_names_asked"]
