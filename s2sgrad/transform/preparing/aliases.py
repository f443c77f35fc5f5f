"""Floor 5: names for memory that is written in place, followed back to where it lives.

A name that shares written memory with another is an expression on it (`row` is `A[i]`), or has
taken it over (the other name is not used any more). Where neither holds on every path the names
are tangled: their cotangents follow the arrays at run time instead (see shadows.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from s2sgrad.analysis.changes import Changes, entries_of, resizes, shared_part
from s2sgrad.analysis.contiguity import doubtful_names
from s2sgrad.analysis.effects import Effects, root, shares
from s2sgrad.analysis.held import left_open
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.analysis.writes import WrittenLater
from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt, Var
from s2sgrad.ir.types import List, Number, Opaque, Type
from s2sgrad.transform.preparing.steady_places import memory_written, places_read
from s2sgrad.transform.writing.rewrite import map_expr

FIX = "copy it where it gets its second name: b = a.copy()"


@dataclass(frozen=True)
class Sharing:
    """Who shares written memory. A group is named as in `Effects.group`.

    paths: variable -> the expression on another variable that it is. moved: groups in which one
    name takes memory over from another. tangled: groups where names can't be told apart -> why.
    """

    paths: dict[str, Expr]
    moved: frozenset[str]
    tangled: dict[str, UnsupportedError]


def find_sharing(
    block: Block,
    effects: Effects,
    types: dict[str, Type],
    live: frozenset[str],
    given: frozenset[str],
) -> Sharing:
    """Follow the names for written memory through a block; live: what is read after it. given: the
    names that have values before."""
    return _Search(block, effects, types, live, given).run()


class _Search:
    def __init__(
        self,
        block: Block,
        effects: Effects,
        types: dict[str, Type],
        live: frozenset[str],
        given: frozenset[str],
    ) -> None:
        self.body, self.effects, self.types, self.live = block, effects, types, live
        self.changes = Changes(block, effects, types)
        self.doubtful = doubtful_names(block)
        self.paths: dict[str, Expr] = {}
        self.definitions = dict.fromkeys(given, 1)
        self.stored: list[tuple[nodes.Mutate, str, list[str], frozenset[str]]] = []
        self.moved: list[tuple[Stmt, str, list[str], frozenset[str]]] = []
        self.tangled: dict[str, UnsupportedError] = {}
        self.walks: dict[Type, WrittenLater] = {}
        for stmt in nodes.walk_block(block):
            for target in nodes.targets_of(stmt):
                self.definitions[target] = self.definitions.get(target, 0) + 1

    def run(self) -> Sharing:
        Liveness(visit=self._visit).block(self.body, self.live)
        self._follow_moves()
        self._check_displays()
        self._forget_tangled()
        self.paths = {name: _resolve(name, self.paths) for name in self.paths}
        self._check_stored()
        self._check_stable()
        self._forget_tangled()
        moved = frozenset(self.effects.find(target) for _, target, _, _ in self.moved)
        return Sharing(self.paths, moved - set(self.tangled), self.tangled)

    def _tangle(self, stmt: Stmt, name: str) -> None:
        self.tangled.setdefault(self.effects.find(name), _refused(stmt, name))

    def _forget_tangled(self) -> None:
        find = self.effects.find
        self.paths = {n: p for n, p in self.paths.items() if find(n) not in self.tangled}

    def _visit(self, stmt: Stmt, after: frozenset[str]) -> None:
        for target, sources in shares(stmt):
            kind = shared_part(stmt, target, self.types[target])
            held = [s for s in sources if self.changes.seen_through(s, kind)]
            if held and isinstance(stmt, nodes.Mutate):
                if stmt.method != "pop":
                    self.stored.append((stmt, target, held, after))
            elif kind == Opaque("saved"):  # a recursive function's, read by its backward code
                later = [s for s in held if s in self._written_later(stmt, self.types[s])]
                if later:
                    self._tangle(stmt, later[0])
            elif held:
                self._one(stmt, target, held, after)

    def _one(self, stmt: Stmt, target: str, sources: list[str], after: frozenset[str]) -> None:
        """Note what a name shares, or that it takes memory over from names that are done with."""
        value = _value_for(stmt, target)
        if value is not None and left_open(value, self.effects, self.doubtful):
            return self._tangle(stmt, sources[0])
        several = self.definitions.get(target, 0) > 1
        if isinstance(stmt, nodes.Assign):
            first = stmt.targets[stmt.values.index(value)] if value in stmt.values else target
            if isinstance(value, Var) and first != target:  # `a, b = x, x`: b is a
                if several:
                    return self._tangle(stmt, sources[0])
                self.paths[target] = Var(first, type=value.type)
                return None
            taken = all(s not in after or s in stmt.targets for s in sources)
            if taken and isinstance(value, Var | nodes.Sequence):
                return self.moved.append((stmt, target, sources, after))
        unclear = isinstance(value, nodes.Index) and (
            isinstance(value.type, Number) or _copied_part(value)
        )
        if value is None or root(value) is None or several or unclear:
            return self._tangle(stmt, sources[0])
        self.paths[target] = value
        return None

    def _follow_moves(self) -> None:
        """What takes over a view, or memory that is seen through another name, is a view itself."""
        grown = True
        while grown:
            grown = False
            for stmt, target, sources, after in self.moved:
                known = target in self.paths or self.effects.find(target) in self.tangled
                views = (n for n in after if n != target and self._bottom(n) in sources)
                if known or not (any(s in self.paths for s in sources) or any(views)):
                    continue
                value = _value_for(stmt, target)
                if not isinstance(value, Var) or self.definitions.get(target, 0) > 1:
                    self._tangle(stmt, sources[0])
                    continue
                self.paths[target] = value
                grown = True

    def _bottom(self, name: str) -> str | None:
        """The variable that a name is a view of."""
        return root(_resolve(name, self.paths)) if name in self.paths else None

    def _check_displays(self) -> None:
        """A display may hold what shares no memory with its other entries."""
        for stmt, target, sources, _ in self.moved:
            roots = [root(_resolve(s, self.paths)) if s in self.paths else s for s in sources]
            if len(set(roots)) < len(roots) and isinstance(
                _value_for(stmt, target), nodes.Sequence
            ):
                self._tangle(stmt, target)

    def _check_stored(self) -> None:
        """A list may hold an array that keeps its own name if neither is written from then on."""
        for stmt, target, sources, after in self.stored:
            for source in sources:
                below = root(self.paths.get(source, Var(source)))
                if source not in after and below not in after:
                    continue  # the list has taken it over
                later = self._written_later(stmt, self.types[source])
                written = later | {root(self.paths[n]) for n in later if n in self.paths}
                if {target, source} & written or below in written:
                    self._tangle(stmt, source)

    def _written_later(self, stmt: Stmt, kind: Type) -> frozenset[str]:
        if kind not in self.walks:
            self.walks[kind] = WrittenLater(self.body, kind)
        return self.walks[kind].after[id(stmt)]

    def _check_stable(self) -> None:
        """No part of a path may be set anew or moved while its name is still used."""
        parts = {name: nodes.names_in(path) for name, path in self.paths.items()}
        entries = {name: entries_of(path) for name, path in self.paths.items()}
        read = {n: places_read(p, self.effects, self.types) for n, p in self.paths.items()}

        def visit(stmt: Stmt, after: frozenset[str]) -> None:
            targets = nodes.targets_of(stmt)
            moves, written = resizes(stmt), memory_written(stmt, self.effects)
            if not targets and not moves and written is None:
                return
            for name, used in parts.items():
                if name not in after or name in targets:
                    continue
                moved = moves and self.changes.moves(stmt, entries[name])
                if used & set(targets) or moved or written in read[name]:
                    self._tangle(stmt, name)

        if self.paths:
            Liveness(visit=visit).block(self.body, self.live)


def _copied_part(value: Expr) -> bool:
    """Whether a slice of a list is on the way: a list of its own."""
    return any(
        nodes.is_slice(e.index[0]) for e in entries_of(value) if isinstance(e.base.type, List)
    )


def _value_for(stmt: Stmt, target: str) -> Expr | None:
    if isinstance(stmt, nodes.Assign):
        return stmt.values[stmt.targets.index(target)]
    return None


def _refused(stmt: Stmt, name: str) -> UnsupportedError:
    return UnsupportedError(
        f"two names share the memory of '{name}', which is written in place",
        stmt.span,
        "which of the names holds it can't be followed through this statement",
        FIX,
    )


def _resolve(name: str, paths: dict[str, Expr]) -> Expr:
    """The path on a variable that has no path itself."""

    def step(expr: Expr) -> Expr:
        if isinstance(expr, Var) and expr.name in paths:
            return _resolve(expr.name, paths)
        return expr

    value = paths[name]
    below = root(value)
    if below not in paths:
        return value
    return map_expr(value, step)
