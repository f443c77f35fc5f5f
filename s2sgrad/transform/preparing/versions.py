"""Floor 5: one name for each value: variables that are bound again get names of their own.

Readable code uses a short name again where the old value is done with. Loops are found for each
value apart from the others, so each gets a name here: up to the last one in its block.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

from s2sgrad.analysis.liveness import Liveness
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Expr, Function, Stmt, Var
from s2sgrad.ir.types import Scalar
from s2sgrad.transform.writing.rewrite import map_block


def versioned(function: Function, names: Names) -> Function:
    """The function with values told apart that follow each other in one block."""
    splitter = _Splitter(names, dict(function.types))
    body = splitter.block(splitter.loops_apart(function.body))
    return replace(function, body=body, types=splitter.types)


class _Splitter:
    def __init__(self, names: Names, types: dict) -> None:
        self.names, self.types = names, types

    def loops_apart(self, body: Block) -> Block:
        """Loops with names of their own for what belongs to one iteration only."""
        heads: dict[int, frozenset[str]] = {}

        def visit(stmt: Stmt, live: frozenset[str]) -> None:
            heads[id(stmt)] = live

        Liveness(visit=visit).block(body, frozenset())
        mentions = Counter(n for s in nodes.walk_block(body) for n in _mentioned(s))
        counters = {
            t for s in nodes.walk_block(body) if isinstance(s, nodes.For) for t in s.targets
        }

        others = counters & _other_numbers(body)

        def apart(stmt: Stmt) -> Stmt:
            match stmt:
                case nodes.If(then=then, orelse=orelse):
                    return replace(
                        stmt, then=tuple(map(apart, then)), orelse=tuple(map(apart, orelse))
                    )
                case nodes.For(body=inner) | nodes.While(body=inner):
                    own = Counter(n for s in nodes.walk_block(inner) for n in _mentioned(s))
                    bound = nodes.bound_in(inner)
                    local = bound - counters - heads.get(id(stmt), frozenset(bound))
                    new = {n: self.again(n) for n in sorted(local) if mentions[n] > own[n]}
                    inner = tuple(map(apart, inner))
                    made = replace(stmt, body=_renamed(inner, new) if new else inner)
                    own_counter = _counter(made) in others - heads.get(id(stmt), others)
                    return self.counted_apart(made) if own_counter else made
            return stmt

        return tuple(map(apart, body))

    def counted_apart(self, stmt: nodes.For | nodes.While) -> Stmt:
        """A loop with a name of its own for its counter, which nobody reads after it."""
        old = _counter(stmt)
        new = self.names.fresh(old)
        self.types[new] = Scalar("int")
        body = _renamed(stmt.body, {old: new})
        assert isinstance(stmt, nodes.For)
        return replace(stmt, targets=(new,), body=body)

    def again(self, name: str) -> str:
        """A new name for other values of a variable."""
        new = self.names.fresh(name)
        if name in self.types:
            self.types[new] = self.types[name]
        return new

    def block(self, block: Block) -> Block:
        found = list(block)
        places: dict[str, list[int]] = {}
        for k, stmt in enumerate(found):
            if isinstance(stmt, nodes.Assign) and len(stmt.targets) == 1:
                places.setdefault(stmt.targets[0], []).append(k)
        for name, at in places.items():
            for start, stop in pairwise(at):
                between = tuple(found[start + 1 : stop])
                if _binds_or_leaves(between, name):
                    continue
                found[start : stop + 1] = self.renamed(found[start : stop + 1], name)
        return tuple(map(self.inner, found))

    def renamed(self, part: list[Stmt], name: str) -> list[Stmt]:
        """The first statement binds a new name, which the others read up to the last's value."""
        first, last = part[0], part[-1]
        assert isinstance(first, nodes.Assign) and isinstance(last, nodes.Assign)
        new = self.names.fresh(name)
        self.types[new] = first.values[0].type

        def rename(expr: Expr) -> Expr:
            return replace(expr, name=new) if isinstance(expr, Var) and expr.name == name else expr

        inside = map_block(tuple(part[1:]), rename)
        return [replace(first, targets=(new,)), *inside]

    def inner(self, stmt: Stmt) -> Stmt:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                return replace(stmt, then=self.block(then), orelse=self.block(orelse))
            case nodes.For(body=body) | nodes.While(body=body):
                return replace(stmt, body=self.block(body))
        return stmt


_INTEGERS = ("int", "int64")


def _counter(stmt: Stmt) -> str:
    """The variable that counts the turns of a loop over a range; '' of others."""
    match stmt:
        case nodes.For(targets=(target,), sources=(nodes.Call(function=function),)):
            return target if function in (range, "range") else ""
    return ""


def _other_numbers(block: Block) -> set[str]:
    """Names that hold, at times, something else than an integer."""
    found: set[str] = set()
    for stmt in nodes.walk_block(block):
        match stmt:
            case nodes.Assign(targets=targets, values=values):
                pairs = zip(targets, values, strict=True)
                found |= {t for t, v in pairs if getattr(v.type, "dtype", "") not in _INTEGERS}
            case nodes.Unpack(targets=targets):
                found |= set(targets)
    return found


def _mentioned(stmt: Stmt) -> tuple[str, ...]:
    read = tuple(
        n.name for e in nodes.expressions(stmt) for n in nodes.walk(e) if isinstance(n, Var)
    )
    return (*nodes.targets_of(stmt), *read)


def _renamed(block: Block, new: dict[str, str]) -> Block:
    """The block with variables renamed, where they are bound too."""

    def expr(e: Expr) -> Expr:
        return replace(e, name=new[e.name]) if isinstance(e, Var) and e.name in new else e

    def stmt(s: Stmt) -> list[Stmt]:
        match s:
            case nodes.Assign() | nodes.Unpack():
                return [replace(s, targets=tuple(new.get(t, t) for t in s.targets))]
            case nodes.Mutate(target=str(target)):
                return [replace(s, target=new.get(target, target))]
        return [s]

    return map_block(block, expr, stmt)


def _binds_or_leaves(block: Block, name: str) -> bool:
    """Whether statements bind the name themselves, or leave the block it is bound in."""
    return any(
        isinstance(s, nodes.Exit | nodes.Return | nodes.Splice) or name in nodes.targets_of(s)
        for s in nodes.walk_block(block)
    )
