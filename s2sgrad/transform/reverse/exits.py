"""Floor 5: loops that are left by `break`, in reverse: how many iterations to undo.

trips = n                              An iteration that does nothing but leave is not
for i in range(n):                     counted, so that no test has to be recorded.
    if total > limit:
        trips = i
        break
    ...
for i in reversed(range(trips)):
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from s2sgrad.analysis.effects import root
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt, Var
from s2sgrad.ir.types import INT
from s2sgrad.transform.writing import build


class ExitReversal:
    """The part of the reversal that deals with loops left early."""

    facts: Any
    bars: Any
    plan: Any
    barren: set[int]  # branches that end in a break that is not counted
    shown: dict[int, str]  # loop -> what its index is called, where the user's name is `_`

    def own_counter(self, stmt: nodes.For | nodes.While) -> str | None:
        """The loop's own index, where it counts 0, 1, 2..."""
        if isinstance(stmt, nodes.While):
            return None
        for target, source in zip(stmt.targets, stmt.sources, strict=True):
            if nodes.counts(source):
                return target
            plain = isinstance(source, Call) and source.function is range and len(source.args) == 1
            if plain and not stmt.backwards:
                return target
        return None

    def named_counter(self, stmt: nodes.For) -> str:
        """A name for the loop's index: its own one, unless that is `_` and says that nobody reads
        it."""
        name = stmt.targets[0] if len(stmt.targets) == 1 else self.own_counter(stmt)
        assert name is not None
        if not name.startswith("_") or _is_read(name, stmt.body):
            return name
        if id(stmt) not in self.shown:
            self.shown[id(stmt)] = self.facts.names.fresh("k")
            self.facts.types[self.shown[id(stmt)]] = INT
        return self.shown[id(stmt)]

    def with_counter(self, stmt: Any) -> Any:
        """The loop with the name for its index that generated code reads."""
        if id(stmt) not in self.shown:
            return stmt
        old, new = self.own_counter(stmt) or stmt.targets[0], self.shown[id(stmt)]
        return replace(stmt, targets=tuple(new if t == old else t for t in stmt.targets))

    def look_for_exits(self, stmt: nodes.For | nodes.While) -> bool:
        """Find out whether the iteration that leaves a loop has nothing to undo."""
        if self.own_counter(stmt) is None or not self.plan.stable_header(stmt):
            return False
        found: list[int] = []
        if not self._path(stmt.body, found):
            return False
        self.barren |= set(found)
        return bool(found)

    def _path(self, block: Block, found: list[int]) -> bool:
        """Whether every way to a break in a block passes nothing that is undone."""
        if not any(_breaks(s) for s in block):
            return True
        if self.plan.kept_locals(block):
            return False
        for stmt in block:
            if isinstance(stmt, nodes.If) and _breaks(stmt):
                return self._branch(stmt, found)
            if isinstance(stmt, nodes.Exit):
                return True
            if not self._inert((stmt,)):
                return False
        return True

    def _branch(self, stmt: nodes.If, found: list[int]) -> bool:
        sides = stmt.then, stmt.orelse
        leaving = [side for side in sides if side and _is_break(side[-1])]
        if leaving:
            found.append(id(stmt))
            return all(map(self._inert, leaving)) and all(
                self._path(side, found) for side in sides if side not in leaving
            )
        return self.plan.stable_test(stmt) and all(self._path(side, found) for side in sides)

    def _inert(self, block: Block) -> bool:
        """Whether a block has no reverse code, and saves nothing."""
        active = self.facts.activity.variables
        for stmt in nodes.walk_block(block):
            names = set(nodes.targets_of(stmt))
            if isinstance(stmt, nodes.Store | nodes.Mutate):
                names.add(root(stmt.base) or "")
            if isinstance(stmt, nodes.Splice) or any(
                n in active or n in self.facts.aliases or self.plan.must_save(stmt, n)
                for n in names
            ):
                return False
            if any(self.plan.kept_locals(inner) for inner in nodes.blocks(stmt)):
                return False
        return True

    def counted_by_index(self, stmt: Any, trips: Var, forward: list[Stmt], clean: bool) -> bool:
        """Let a break note the loop's index, rather than count every iteration."""
        index = self.own_counter(stmt)
        if index is None or not self.plan.has_break(stmt) or not self.plan.stable_header(stmt):
            return False
        done: Expr = Var(self.named_counter(stmt), type=INT)
        if not clean:
            done = build.binary("+", done, build.number(1))
        forward[:] = _noted(tuple(forward), nodes.Assign((trips.name,), (done,)))
        return True


def _noted(block: Block, note: Stmt) -> Block:
    """The block with a statement before each break of its own loop."""
    result: list[Stmt] = []
    for stmt in block:
        if isinstance(stmt, nodes.If):
            stmt = replace(stmt, then=_noted(stmt.then, note), orelse=_noted(stmt.orelse, note))
        elif _is_break(stmt):
            result.append(note)
        result.append(stmt)
    return tuple(result)


def _is_break(stmt: Stmt) -> bool:
    return isinstance(stmt, nodes.Exit) and stmt.kind == "break"


def _is_read(name: str, body: Block) -> bool:
    """Whether statements read a name, and none of them binds it."""
    exprs = (e for s in nodes.walk_block(body) for e in nodes.expressions(s))
    return any(name in nodes.names_in(e) for e in exprs) and name not in nodes.bound_in(body)


def _breaks(stmt: Stmt) -> bool:
    if isinstance(stmt, nodes.If):
        return any(_breaks(s) for s in (*stmt.then, *stmt.orelse))
    return _is_break(stmt)


def at_ends(stmts: list[Stmt], push: list[Stmt]) -> list[Stmt]:
    """Statements with `push` wherever they end: also before the jumps in a last branch."""
    last = stmts[-1] if stmts else None
    if isinstance(last, nodes.Exit):
        return [*stmts[:-1], *push, last]
    if isinstance(last, nodes.If) and _jumps(last):
        then, orelse = at_ends(list(last.then), push), at_ends(list(last.orelse), push)
        return [*stmts[:-1], replace(last, then=tuple(then), orelse=tuple(orelse))]
    return [*stmts, *push]


def _jumps(stmt: nodes.If) -> bool:
    ends = [side[-1] for side in (stmt.then, stmt.orelse) if side]
    return any(isinstance(e, nodes.Exit) or (isinstance(e, nodes.If) and _jumps(e)) for e in ends)
