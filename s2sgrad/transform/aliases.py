"""Floor 5: names for memory that is written in place, followed back to where it lives.

A name that shares written memory with another is an expression on it (`row` is `A[i]`), or has
taken it over (the other name is not used any more). Where neither holds on every path the names
are tangled: their cotangents follow the arrays at run time instead (see shadows.py).
"""

from __future__ import annotations

from dataclasses import dataclass

from s2sgrad.analysis.effects import Effects, root, shares
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.analysis.writes import WrittenLater
from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt, Var
from s2sgrad.ir.types import List, Number
from s2sgrad.transform.rewrite import map_expr

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


def find_sharing(block: Block, effects: Effects, live: frozenset[str]) -> Sharing:
    """Follow the names for written memory through a block; live: what is read after it."""
    return _Search(block, effects, live).run()


class _Search:
    def __init__(self, block: Block, effects: Effects, live: frozenset[str]) -> None:
        self.body, self.effects, self.live = block, effects, live
        self.paths: dict[str, Expr] = {}
        self.definitions: dict[str, int] = {}
        self.stored: list[tuple[nodes.Mutate, str, list[str]]] = []
        self.moved: list[tuple[Stmt, str, list[str]]] = []
        self.tangled: dict[str, UnsupportedError] = {}
        self.changed: set[str] = set()  # lists that change their length under this name
        for stmt in nodes.walk_block(block):
            if isinstance(stmt, nodes.Mutate) and isinstance(stmt.base, Var):
                self.changed.add(stmt.base.name)
            for target in nodes.targets_of(stmt):
                self.definitions[target] = self.definitions.get(target, 0) + 1

    def run(self) -> Sharing:
        Liveness(visit=self._visit).block(self.body, self.live)
        self._follow_moves()
        self._forget_tangled()
        self.paths = {name: _resolve(name, self.paths) for name in self.paths}
        self._check_stored()
        self._check_stable()
        self._forget_tangled()
        moved = frozenset(self.effects.find(target) for _, target, _ in self.moved)
        return Sharing(self.paths, moved - set(self.tangled), self.tangled)

    def _tangle(self, stmt: Stmt, name: str) -> None:
        self.tangled.setdefault(self.effects.find(name), _refused(stmt, name))

    def _forget_tangled(self) -> None:
        find = self.effects.find
        self.paths = {n: p for n, p in self.paths.items() if find(n) not in self.tangled}

    def _changes(self, name: str, stmt: Stmt) -> bool:
        """Whether what a statement shares is changed in place: written, or a list in a list that
        changes its length."""
        if self.effects.is_written(name):
            return True
        resized = self.effects.find(name) in self.effects.resized
        inner = isinstance(stmt, nodes.Assign) and any(
            isinstance(v, nodes.Index) and isinstance(v.type, List) and t in self.changed
            for t, v in zip(stmt.targets, stmt.values, strict=True)
        )
        return resized and inner

    def _visit(self, stmt: Stmt, after: frozenset[str]) -> None:
        for target, sources in shares(stmt):
            held = [s for s in sources if self._changes(s, stmt)]
            if held and isinstance(stmt, nodes.Mutate):
                if stmt.method != "pop" and any(s in after for s in held):
                    self.stored.append((stmt, target, [s for s in held if s in after]))
            elif held:
                self._one(stmt, target, held, after)

    def _one(self, stmt: Stmt, target: str, sources: list[str], after: frozenset[str]) -> None:
        """Note what a name shares, or that it takes memory over from names that are done with."""
        value = _value_for(stmt, target)
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
                return self.moved.append((stmt, target, sources))
        unclear = isinstance(value, nodes.Index) and isinstance(value.type, Number)
        if value is None or root(value) is None or several or unclear:
            return self._tangle(stmt, sources[0])
        self.paths[target] = value
        return None

    def _follow_moves(self) -> None:
        """What takes over a view is a view itself."""
        grown = True
        while grown:
            grown = False
            for stmt, target, sources in self.moved:
                known = target in self.paths or self.effects.find(target) in self.tangled
                if known or not any(s in self.paths for s in sources):
                    continue
                value = _value_for(stmt, target)
                if not isinstance(value, Var) or self.definitions.get(target, 0) > 1:
                    self._tangle(stmt, sources[0])
                    continue
                self.paths[target] = value
                grown = True

    def _check_stored(self) -> None:
        """A list may hold an array that keeps its own name if neither is written from then on."""
        later = WrittenLater(self.body).after if self.stored else {}
        for stmt, target, sources in self.stored:
            written = later[id(stmt)] | {
                root(self.paths[n]) for n in later[id(stmt)] if n in self.paths
            }
            for source in sources:
                below = root(self.paths.get(source, Var(source)))
                if {target, source} & written or below in written:
                    self._tangle(stmt, source)

    def _check_stable(self) -> None:
        """No part of a path may be set anew while its name is still used."""
        parts = {name: nodes.names_in(path) for name, path in self.paths.items()}

        def visit(stmt: Stmt, after: frozenset[str]) -> None:
            targets = nodes.targets_of(stmt)
            if not targets:
                return
            for name, used in parts.items():
                if name in after and name not in targets and used & set(targets):
                    self._tangle(stmt, name)

        if self.paths:
            Liveness(visit=visit).block(self.body, self.live)


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
