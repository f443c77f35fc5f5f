"""Floor 4: which names may hold an array that was made just before.

An analysis without order finds `new` and `u` together in `new = u.copy(); ...; u = new`. From
the statement that makes an array to the one that hands it on, only its own name holds it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import copy
from typing import Any, Self

import numpy as np

from s2sgrad.analysis.effects import has_effect
from s2sgrad.analysis.new_arrays import memory_of
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, Ref, Stmt
from s2sgrad.ir.types import Array, Scalar


class Holders:
    """Follows blocks in their order. holders: name -> all names that may hold its array by now, of
    arrays that were made on the way here. shared_once: those whose array had two names at a time.
    arrays: name -> what tells its array from others, whatever name it had before."""

    def __init__(self) -> None:
        self.holders: dict[str, frozenset[str]] = {}
        self.shared_once: frozenset[str] = frozenset()
        self.arrays: dict[str, str] = {}
        self.times: Counter[str] = Counter()  # how often a name got an array

    def shared(self, value: Expr) -> frozenset[str]:
        """The names whose memory a value may share: what is taken out of a list is the list's."""
        if isinstance(value, Const | Ref) or isinstance(value.type, Scalar) or self.is_new(value):
            return frozenset()
        return nodes.names_in(value)

    def is_new(self, value: Expr) -> bool:
        """Whether a value is surely an array of its own."""
        if not isinstance(value, Call) or not isinstance(value.type, Array) or has_effect(value):
            return False
        return (value.form == "operator" or _known(value.function)) and not memory_of(value)

    def binds_none(self, stmt: Stmt) -> bool:
        """Whether a statement surely gives no name an array."""
        return False

    def own(self) -> dict[str, str]:
        """The names that alone hold their arrays here, and what tells these from others.

        Not what had two names before: earlier statements may know it by the other one.
        """
        alone = (n for n in self.holders if self.holders[n] == {n} and n not in self.shared_once)
        return {n: self.arrays[n] for n in alone}

    def handed_on(self, own: dict[str, str]) -> frozenset[str]:
        """Which of the arrays that one name alone held before are now held by others too."""
        return frozenset(n for n in own if len(self.holders.get(n, ())) > 1)

    def entering(self, body: Block) -> Self:
        """What is known in a block inside, of which statements may have run before: what was known
        before it, as far as a turn of it leaves that so (`old, new = new, np.zeros(n)` does)."""
        inner = self._copied()
        if any(isinstance(s, nodes.Exit) for s in nodes.walk_block(body)):
            inner._forget(nodes.walk_block(body))  # a turn may end anywhere
            return inner
        while True:
            turn = inner._copied()
            for stmt in body:
                turn.after(stmt)
            held = {
                n: names | turn.holders[n]
                for n, names in inner.holders.items()
                if n in turn.holders
            }
            shared = inner.shared_once | turn.shared_once
            if held == inner.holders and shared == inner.shared_once:
                return inner
            inner.holders, inner.shared_once = held, shared
            inner._note_shared()

    def _copied(self) -> Self:
        new = copy(self)
        new.holders, new.times, new.arrays = dict(self.holders), self.times, dict(self.arrays)
        return new

    def bind(self, target: str, value: Expr) -> None:
        """A name gets a value."""
        self._bind((target,), (value,))

    def _bind(self, targets: tuple[str, ...], values: tuple[Expr, ...]) -> None:
        """Names get values, all at once."""
        old = self.holders
        came: dict[str, frozenset[str]] = {}  # what held the array until now
        known: list[str] = []
        shared, arrays = self.shared_once.difference(targets), self.arrays.copy()
        for target, value in zip(targets, values, strict=True):
            self.times[target] += 1
            names = self.shared(value)
            came[target] = names.union(*(old[n] for n in names & old.keys()))
            if names & self.shared_once or len(names) > 1:
                shared |= {target}
            before = self.arrays.get(*names) if len(names) == 1 else None
            arrays[target] = before or f"{target} {self.times[target]}"
            if self.is_new(value) or (names and names <= old.keys()):
                known.append(target)
        new = {**old, **{name: frozenset({name}) for name in known}}
        for target in came.keys() - set(known):
            new.pop(target, None)
        # What one name alone holds stays so, unless it is among these.
        moved = frozenset(targets).union(*came.values())
        others_of = (self.shared_once | moved) & old.keys() - came.keys()
        touched = [name for name in others_of if not old[name].isdisjoint(moved)]
        for name in touched:
            heirs = (t for t, held in came.items() if held & old[name])
            new[name] = old[name].difference(targets).union(heirs)
        for name in known:
            others = (t for t, held in came.items() if held & came[name])
            new[name] = came[name].difference(targets).union((name,), others)
        self.holders, self.arrays = new, arrays
        self.shared_once = shared.union(n for n in (*touched, *known) if new[n] != {n})

    def _note_shared(self) -> None:
        """Remember the names of which others hold the array, too."""
        now = {n for n, held in self.holders.items() if held != {n}}
        if not now <= self.shared_once:
            self.shared_once |= now

    def after(self, stmt: Stmt) -> None:
        """A statement has run."""
        match stmt:
            case Assign(targets=targets, values=values) if len(targets) == len(values):
                self._bind(targets, values)
            case _ if self.binds_none(stmt):
                pass
            case nodes.Mutate(base=base, args=args, target=target):
                names = nodes.names_in(base) | ({target} if target else set())
                self.holders = {n: held for n, held in self.holders.items() if n != target}
                self._join(set(names), names.union(*map(self.shared, args)))
            case nodes.Store(base=base, value=value):
                if not isinstance(base.type, Array | Scalar):  # a list holds one thing more
                    self._join(set(nodes.names_in(base)), self.shared(value))
            case _:
                self._forget(nodes.walk_block((stmt,)))
        if kept := _kept(stmt):
            self._join(kept, frozenset(kept))

    def _forget(self, stmts: Iterable[Stmt]) -> None:
        """These statements have run, or some of them, in some order."""
        found: set[str] = set()
        gone: set[str] = set()
        for stmt in stmts:
            if self.binds_none(stmt):
                continue
            bound = _holders(stmt)
            found |= _kept(stmt)
            if isinstance(stmt, nodes.Store | nodes.Mutate):
                plain = isinstance(stmt.base.type, Array | Scalar)
                found |= set() if plain else nodes.names_in(stmt.base)
            found |= set(bound)
            gone |= set(bound)
        self.holders = {n: held | found for n, held in self.holders.items() if n not in gone}
        self._note_shared()

    def _join(self, targets: set[str], names: frozenset[str]) -> None:
        joined = {n: held | targets for n, held in self.holders.items() if held & names}
        self.holders = {**self.holders, **joined}
        self._note_shared()


class Sharing:
    """Which names may hold the array that a write changes, where it stands in a function's body."""

    def __init__(self, body: Block) -> None:
        self._held: dict[int, dict[str, frozenset[str]]] = {}
        self._own: dict[int, frozenset[str]] = {}
        self._follow(body, Holders())

    def _follow(self, block: Block, holders: Holders) -> None:
        for stmt in block:
            if isinstance(stmt, nodes.Store):
                self._held[id(stmt)] = holders.holders
                self._own[id(stmt)] = frozenset(holders.own())
            for inner in nodes.blocks(stmt):
                self._follow(inner, holders.entering(inner))
            holders.after(stmt)

    def is_own(self, stmt: Stmt, name: str) -> bool:
        """Whether a name alone has ever held the array that it holds ahead of a write."""
        return name in self._own.get(id(stmt), ())

    def may_hold_one(self, stmt: Stmt, one: str, other: str) -> bool:
        """Whether two names may hold one array, or parts of one, ahead of a write."""
        held = self._held.get(id(stmt), {})
        if one == other or one not in held or other not in held:
            return True
        return other in held[one] or one in held[other]


def _kept(stmt: Stmt) -> set[str]:
    """The names that a statement hands to functions which may leave one's array in another."""
    calls = (e for expr in nodes.expressions(stmt) for e in nodes.walk(expr))
    return {n for e in calls if isinstance(e, Call) and _may_keep(e) for n in nodes.names_in(e)}


def _may_keep(call: Call) -> bool:
    """Whether a call may leave one of its arguments in another: a function of the user's may."""
    function = call.function
    return call.form == "call" and callable(function) and not (_known(function) or _plain(function))


def _plain(function: Any) -> bool:
    return getattr(function, "__module__", "") in ("builtins", "math", "operator")


def _known(function: Any) -> bool:
    """Whether a function is one of those of which it is known what their results share."""
    home = str(getattr(function, "__module__", "")).split(".")[0]
    return isinstance(function, np.ufunc) or home in ("numpy", "scipy", "s2sgrad_runtime")


def _holders(stmt: Stmt) -> tuple[str, ...]:
    """The names to which a statement may give an array: those of numbers hold none."""
    match stmt:
        case Assign(targets=targets, values=values) if len(targets) == len(values):
            pairs = zip(targets, values, strict=True)
            return tuple(t for t, v in pairs if not isinstance(v.type, Scalar))
        case nodes.For(sources=(Call(function=known),)) if known in (range, "range"):
            return ()
    return nodes.targets_of(stmt)


__all__ = ["Holders", "Sharing"]
