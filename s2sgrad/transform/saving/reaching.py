"""Floor 5: which writes change what the reverse sweep still needs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from s2sgrad.analysis.dependence import Access, never_meet
from s2sgrad.analysis.effects import Effects
from s2sgrad.analysis.holders import Sharing
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt
from s2sgrad.ir.types import Array, Scalar, Type
from s2sgrad.transform.saving.fresh import Since, since_made
from s2sgrad.transform.saving.needs import RESULT, Needs, memory_of, part_of


class Reaching:
    """The part of the plan that follows needs to the writes that change them."""

    body: Block
    effects: Effects
    types: Mapping[str, Type]
    aliases: dict[str, Expr]
    stmts: dict[int, Stmt]
    order: dict[int, int]
    parents: dict[int, list[Stmt]]
    shapes: set[tuple[int, str]]
    settled: set[tuple[int, str]]
    places: dict[tuple[int, str], list[nodes.Index] | None]
    moving: set[str]
    made: dict[int, Since | None]
    loops_around: Any

    @cached_property
    def sharing(self) -> Sharing:
        """Which names may hold one array at a write: `effects` knows no order."""
        return Sharing(self.body)

    def _reaches(self, site: int, name: str, stmt: nodes.Store | nodes.Mutate) -> bool:
        """Whether a write may change, later, an entry that a statement's reverse code reads."""
        base = stmt.base
        if (site, name) in self.shapes and isinstance(base.type, Array):
            return False
        if (site, name) in self.settled and site != id(stmt):
            return False
        path = part_of(self.aliases.get(name))
        places = self.places.get((site, name)) if path is None else [path]
        name = name if path is None else path.base.name  # type: ignore[attr-defined]
        plain = isinstance(stmt, nodes.Store) and isinstance(base, nodes.Var) and base.name == name
        if not places or not plain:
            return True
        assert isinstance(stmt, nodes.Store)
        reader = self.stmts[site]
        write = self._access(stmt.index, stmt)
        for place in places:
            own = reader is stmt and place.span is not RESULT
            same = own or self.order[site] < self.order[id(stmt)]
            if not never_meet(self._access(place.index, reader), write, same):
                return True
        return False

    def _access(self, index: tuple[Expr, ...], stmt: Stmt) -> Access:
        names: set[str] = set()
        for loop in self.loops_around(stmt):
            for expr in nodes.expressions(loop):
                names |= nodes.names_in(expr)
        for part in index:
            names |= nodes.names_in(part)
        fixed = frozenset(names - self.moving)
        return Access(index, tuple(self.loops_around(stmt)), self.order[id(stmt)], fixed)

    def _touches(self, name: str, needed: Needs, stmt: nodes.Store | nodes.Mutate) -> bool:
        """Whether memory written through `name` is needed through any name."""
        key, since = self.effects.find(name), self._since(stmt)
        return any(
            (n in (name, memory_of(key)) or self.effects.find(n) == key)
            and not isinstance(self.types.get(n), Scalar)  # which has no memory
            and self.sharing.may_hold_one(stmt, name, n)
            and (since is None or since.sees(site, n, self.effects, self.types))
            and self._reaches(site, n, stmt)
            for n, site in needed
        )

    def _since(self, stmt: Stmt) -> Since | None:
        if id(stmt) not in self.made:
            self.made[id(stmt)] = since_made(stmt, self.parents[id(stmt)], self.body)
        return self.made[id(stmt)]
