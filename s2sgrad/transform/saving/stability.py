"""Floor 5: which tests and loop headers give in the reverse sweep what they gave in the forward
one, so that nothing need be saved of them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from s2sgrad.analysis.changes import Changes as EntryChanges
from s2sgrad.analysis.changes import entries_of
from s2sgrad.analysis.costs import present
from s2sgrad.analysis.effects import has_effect, root
from s2sgrad.analysis.shape_reads import by_value_and_shape
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt
from s2sgrad.ir.types import Dict, List, Scalar
from s2sgrad.transform.saving.needs import Names, breaks


@dataclass
class Changes:
    """At which statements of a block a name is bound, and where bound or changed in place."""

    bound: dict[str, list[int]] = field(default_factory=dict)
    written: dict[str, list[int]] = field(default_factory=dict)


def _last(places: list[int], position: int) -> int:
    """The last place that is no later than a position; -1: none."""
    at = bisect_right(places, position)
    return places[at - 1] if at else -1


class Stability:
    """The part of the plan that asks what is written where."""

    body: Block
    types: Any
    effects: Any
    parents: Any  # statement -> those around it
    head: Any  # loop -> names live at its head
    sizes: Names
    stmts: dict[int, Stmt]
    order: dict[int, int]
    last: dict[int, int]
    _may_change: Any
    decided: bool
    told: set[int]  # branches whose tests read what is there anyway
    needs: Any
    shapes: Any
    changes: dict[int, tuple[Block, Changes]]  # of the blocks that were asked about

    def loops_around(self, stmt: Stmt) -> list[Stmt]:
        """The loops that a statement stands in."""
        return [p for p in self.parents.get(id(stmt), []) if isinstance(p, nodes.For | nodes.While)]

    def written_in(self, block: Block) -> set[str]:
        """Names bound or changed in place anywhere in a block (with all that share memory)."""
        return {name for stmt in nodes.walk_block(block) for name in self._written_by(stmt)}

    def _written_by(self, stmt: Stmt) -> set[str]:
        """Names that a statement itself binds or changes in place."""
        found = set(nodes.targets_of(stmt))
        if isinstance(stmt, nodes.Store | nodes.Mutate):
            name = root(stmt.base)
            if name is not None:
                found |= {name, *self.effects.members(name)}
        return found

    def _changes(self, block: Block) -> Changes:
        if id(block) not in self.changes:  # kept with the block: its id stays its own
            found = Changes()
            for at, stmt in enumerate(block):
                inside = tuple(nodes.walk_block((stmt,)))
                for name in {t for s in inside for t in nodes.targets_of(s)}:
                    found.bound.setdefault(name, []).append(at)
                for name in {n for s in inside for n in self._written_by(s)}:
                    found.written.setdefault(name, []).append(at)
            self.changes[id(block)] = block, found
        return self.changes[id(block)][1]

    def last_bound(self, block: Block, name: str, position: int) -> int:
        """The last statement up to block[position] that binds a name; -1: none."""
        return _last(self._changes(block).bound.get(name, []), position)

    def last_written(self, block: Block, name: str, position: int) -> int:
        """The last one that binds a name or changes its memory; -1: none."""
        return _last(self._changes(block).written.get(name, []), position)

    def moves_entry(self, block: Block, i: int, position: int) -> bool:
        """Whether what block[i] takes out of a list or dict may have made room for something else
        once block[position] has run."""
        taken = [e for value in nodes.expressions(block[i]) for e in entries_of(value)]
        if not taken:
            return False
        later = nodes.walk_block(block[i + 1 : position + 1])
        return any(self.moving_entries.moves(s, taken) for s in later)

    @cached_property
    def moving_entries(self) -> EntryChanges:
        """What lists and dicts hold where, and which statements change that."""
        return EntryChanges(self.body, self.effects, dict(self.types))

    def stable_test(self, stmt: nodes.If) -> bool:
        """Whether a test gives the same in the reverse sweep as it gave in the forward one."""
        names = nodes.names_in(stmt.test)
        if not present().cheap(stmt.test) or has_effect(stmt.test):
            return False
        return self._stable(stmt, names, (*stmt.then, *stmt.orelse))

    def told_inside(self, stmt: nodes.If) -> bool:
        """Whether a test is asked again in the reverse sweep: it gives the same there, or what it
        reads must be there anyway, as the reverse code of what is in the branch reads it too
        (`if k >= 0: y = x[k]**2`)."""
        if self.decided or id(stmt) in self.told:
            return id(stmt) in self.told
        if self._is_told(stmt):
            self.told.add(id(stmt))
            return True
        return False

    def _is_told(self, stmt: nodes.If) -> bool:
        if self.stable_test(stmt):
            return True
        own = (*stmt.then, *stmt.orelse)
        names = nodes.names_in(stmt.test)
        if not present().cheap(stmt.test) or has_effect(stmt.test) or names & self.written_in(own):
            return False
        moving = {n for n in names if not self._stable(stmt, frozenset({n}), own)}
        sites = [(id(s), n) for s in nodes.walk_block(own) for n in self.needs.get(id(s), ())]
        there = {n for site, n in sites if (site, n) not in self.shapes}
        return all(n in there and isinstance(self.types.get(n), Scalar) for n in moving)

    def stable_header(self, stmt: nodes.For, sources: tuple[Expr, ...] | None = None) -> bool:
        """Whether what a loop runs over (sources: in other words) is the same in reverse."""
        names, arrays = by_value_and_shape(*(sources or stmt.sources))
        return self._stable(stmt, names, stmt.body) and self.bound_once(stmt, arrays)

    def bound_once(self, stmt: nodes.For, names: Names) -> bool:
        """Whether names stand for the same arrays and lists throughout, of the same lengths:
        writing into an array, or setting an item of a list, changes none."""
        names = frozenset(filter(self._may_change, names))
        outer = [loop.body for loop in self.loops_around(stmt)]  # type: ignore[attr-defined]
        inside = [s for block in (stmt.body, *outer) for s in nodes.walk_block(block)]
        return not any(names & (set(nodes.targets_of(s)) | self.resized(s)) for s in inside)

    def resized(self, stmt: Stmt) -> set[str]:
        """The names of lists and dicts that a statement may make longer or shorter."""
        if not isinstance(stmt, nodes.Mutate | nodes.Store):
            return set()
        if not isinstance(stmt.base.type, List | Dict):
            return set()
        item = isinstance(stmt, nodes.Store) and not nodes.is_slice(stmt.index[0])
        name = root(stmt.base)
        return set() if item or name is None else {name, *self.effects.members(name)}

    def _stable(self, stmt: Stmt, names: Names, own: Block) -> bool:
        """No name is written inside, nor in an enclosing loop except as that loop's index."""
        names -= self.sizes
        if names & self.written_in(own):
            return False
        for loop in reversed(self.loops_around(stmt)):
            mine = set(nodes.targets_of(loop)) if isinstance(loop, nodes.For) else set()
            if names & (self.written_in(loop.body) - mine):  # type: ignore[attr-defined]
                return False
            names -= mine  # loops further out bind them by way of this one
        return True

    def behind(self, stmt: Stmt) -> Block:
        """The statements that stand behind one, on whatever path."""
        return tuple(s for s in self.stmts.values() if self.order[id(s)] > self.last[id(stmt)])

    def has_break(self, stmt: nodes.For | nodes.While) -> bool:
        """Whether a loop may be left early."""
        return breaks(stmt.body)

    def local_to(self, loop: Stmt, name: str) -> bool:
        """Whether a variable belongs to one iteration of a loop only."""
        inside = nodes.bound_in(loop.body)  # type: ignore[attr-defined]
        return name in inside and name not in self.head[id(loop)]
