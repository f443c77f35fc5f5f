"""Floor 5: the search, and the derivative of the trips that it kept, in place of a loop.

See last_taken.py, which finds such loops.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from s2sgrad.analysis.liveness import Live, reads
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, Stmt, Var
from s2sgrad.ir.types import BOOL, INT, List, Type
from s2sgrad.transform.preparing.running_extremes import (
    Extreme,
    Fresh,
    shared_ties,
)
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block, with_blocks

Loop = nodes.For | nodes.While


@dataclass(frozen=True)
class Place:
    """Where a trip is kept: what runs before it in the trip, and the block of the branch. loops:
    those around it, inside of the one that is looked at."""

    before: Block
    own: Block
    loops: tuple[nodes.For, ...] = ()


@dataclass(frozen=True)
class Kept:
    """A place, the variables set there, what computes them, and the numbers that it reads."""

    place: Place
    names: tuple[str, ...]
    part: Block
    numbers: tuple[str, ...]


class Replacing:
    """Makes what takes the place of loops. active: grows by the new variables that carry
    derivatives. found: see `with_last_taken`."""

    def __init__(self, active: frozenset[str], types: dict[str, Type], fresh: Fresh) -> None:
        self.active, self.types, self.fresh = active, types, fresh
        self.found: dict[tuple[str, str], str] = {}

    def instead(
        self, loop: Loop, kept: list[Kept], extremes: dict[str, Extreme], before: Live
    ) -> list[Stmt] | None:
        """What begins the search, the search, and what the trips that were kept compute.

        extremes: running maxima that are searches now; None where such a loop steps otherwise than
        by one. before: the variables that have values before the loop.
        """
        own = {k.names[0]: extremes[k.names[0]] for k in kept if k.names[0] in extremes}
        kept = [_with_trips(k, own[k.names[0]]) if k.names[0] in own else k for k in kept]
        if own.keys() != extremes.keys() or not all(
            _can_share(k, own[k.names[0]], loop) for k in kept if k.names[0] in own
        ):
            return None
        read = frozenset[str]().union(*map(reads, nodes.walk_block((loop,))))
        sought = {n: self._like(n) for k in kept for n in k.names if n in read}
        begin: list[Stmt] = [
            Assign((new,), (self._var(n),), span=loop.span)
            for n, new in sought.items()
            if n in before
        ]
        after: list[Stmt] = []
        notes: dict[int, list[Stmt]] = {}
        for one in kept:
            start, notes[id(one.place.own)], test, noted = self._asked(loop, one)
            begin += start
            extreme = own.get(one.names[0])
            if extreme is not None:  # as if none were kept
                first = {s.targets[0]: s.values[0] for s in start}
                pairs = zip(extreme.last, extreme.counters, strict=True)
                begin += [_bind(new, first[noted[counter]]) for new, counter in pairs]
            asked = nodes.names_in(test) & {s.targets[0] for s in start}  # nobody else asks those
            known = {n for n in one.names if n in sought and n in before}
            self.found |= {(n, a): sought[n] for n in known for a in asked}
            again = _renamed(one.part, {**self._again(one), **noted})
            after.append(nodes.If(test, again, (), span=loop.span))
            if extreme is not None:
                after.append(self._ties(one, extreme, noted, sought))
        dropped = {n for k in kept for n in k.names if n not in sought}
        body = _renamed(_searching(loop.body, notes, dropped), sought)
        search = replace(loop, body=body)
        if isinstance(search, nodes.While):
            asked_first = nodes.If(search.test, (), ())
            (renamed,) = _renamed((asked_first,), sought)
            search = replace(search, test=renamed.test)  # type: ignore[attr-defined]
        return [*begin, search, *after]

    def _var(self, name: str) -> Var:
        return Var(name, type=self.types[name])

    def _like(self, name: str) -> str:
        return self.fresh(name, self.types[name])

    def _again(self, kept: Kept) -> dict[str, str]:
        """New names for what computes the variables, which carry derivatives as the old ones do."""
        names = sorted(nodes.bound_in(kept.part) - set(kept.names))
        new = {n: self._like(n) for n in names}
        self.active |= {new[n] for n in names if n in self.active}
        return new

    def _asked(
        self, loop: Loop, kept: Kept
    ) -> tuple[list[Assign], list[Stmt], Expr, dict[str, str]]:
        """What begins the notes of a trip, what makes them, the test whether there are any, and
        their names."""
        base = kept.names[0]
        noted = {n: self.fresh(f"{base}_{n}", self.types[n]) for n in kept.numbers}
        none = _no_trip((loop, *kept.place.loops), noted)
        values: dict[str, Expr] = {n: _zero(self.types[n]) for n in noted}
        note: list[Stmt] = [_bind(new, self._var(n)) for n, new in noted.items()]
        start: list[Assign] = []
        if none is None:
            flag = self.fresh(f"has_{base}", BOOL)
            note.append(_bind(flag, Const(True, type=BOOL)))
            start = [_bind(flag, Const(False, type=BOOL))]
            test: Expr = Var(flag, type=BOOL)
        else:
            test, values[none[0]] = none[1:]
        start += [_bind(noted[n], value) for n, value in values.items()]
        return start, note, test, noted

    def _ties(
        self, kept: Kept, extreme: Extreme, noted: dict[str, str], sought: dict[str, str]
    ) -> Stmt:
        """What shares a maximum with the trips that come to the same."""
        best = kept.names[0]
        part = tuple(s for s in kept.part if best not in nodes.targets_of(s))
        trips = {counter: self._like(counter) for counter in extreme.counters}
        versions = []
        for _ in range(2):  # for the test, and for the derivative
            new = {**self._again(kept), **trips}
            value = Var(new[extreme.value], type=self.types[extreme.value])
            versions.append((_renamed(part, new), value))
        loops: list[nodes.For] = []
        for loop, counter in zip(extreme.loops, extreme.counters, strict=True):
            (source,) = _counted(loop, counter)
            (again,) = _renamed((nodes.For((counter,), (source,), ()),), trips)
            loops.append(again)  # type: ignore[arg-type]
        ends = [Var(noted[c], type=INT) for c in extreme.counters]
        last = [Var(n, type=INT) for n in extreme.last]
        found = Var(sought[best], type=self.types[best])
        return shared_ties(loops, ends, last, versions[0], versions[1], self._var(best), found)


def _counted(loop: nodes.For, counter: str) -> list[Expr]:
    """The range of a loop's counter; empty where there is none: of several arrays, say."""
    source = loop.sources[loop.targets.index(counter)]
    others = [s for s in loop.sources if s is not source]
    if nodes.counts(source) and len(others) == 1:
        length = Call(len, "len", tuple(others), type=INT)
        return [Call(range, "range", (length,), type=List(INT))]
    return [] if others or nodes.counts(source) else [source]


def _with_trips(kept: Kept, extreme: Extreme) -> Kept:
    """A running maximum notes all that tells which trip it was."""
    known = set(kept.numbers) <= set(extreme.counters)
    return replace(kept, numbers=extreme.counters) if known else kept


def _can_share(kept: Kept, extreme: Extreme, search: Loop) -> bool:
    """Whether the trips behind the one that was kept can be gone through again."""
    if len(kept.names) != 1 or kept.numbers != extreme.counters:
        return False
    changing = nodes.bound_in((search,)) - set(extreme.counters)
    pairs = zip(extreme.loops, extreme.counters, strict=True)
    sources = [_counted(loop, counter) for loop, counter in pairs]
    return all(sources) and not any(nodes.names_in(s) & changing for (s,) in sources)


def _no_trip(loops: tuple[Loop, ...], noted: dict[str, str]) -> tuple[str, Expr, Expr] | None:
    """The counter of a loop, the test whether it was noted, and a value that says that it was not;
    None where there is no such counter."""
    counted = [loop for loop in loops if isinstance(loop, nodes.For)]
    pairs = [p for loop in counted for p in zip(loop.targets, loop.sources, strict=True)]
    bound = nodes.bound_in(loops)
    for name, source in pairs:
        if name not in noted or not isinstance(source, Call):
            continue
        at = Var(noted[name], type=INT)
        if nodes.counts(source):
            return name, _no_less(at, build.number(0)), Const(-1, type=INT)
        if source.function is not range:
            continue
        args: Any = source.args
        low = args[0] if len(args) > 1 else build.number(0)
        step = args[2].value if len(args) > 2 and isinstance(args[2], Const) else None
        if (len(args) > 2 and not step) or nodes.names_in(low) & bound:
            continue
        if step is None or step > 0:
            return name, _no_less(at, low), build.binary("-", low, build.number(1))
        return name, _no_less(low, at), build.binary("+", low, build.number(1))
    return None


def _no_less(a: Expr, b: Expr) -> Expr:
    """`a >= b`, or `b <= a` where b is the variable."""
    if isinstance(b, Var) and not isinstance(a, Var):
        return Call(np.less_equal, "<=", (b, a), form="operator", type=BOOL)
    return Call(np.greater_equal, ">=", (a, b), form="operator", type=BOOL)


def _bind(name: str, value: Expr) -> Assign:
    return Assign((name,), (value,))


def _zero(kind: Type) -> Const:
    """A number of a kind, for a variable that is read only after it was set."""
    dtype = str(getattr(kind, "dtype", "float"))
    return Const(False if dtype == "bool" else 0 if "int" in dtype else 0.0, type=kind)


def _searching(block: Block, notes: dict[int, list[Stmt]], dropped: set[str]) -> Block:
    """A loop's body that notes the trips it keeps, without the variables that only those set."""
    result: list[Stmt] = []
    for stmt in block:
        if isinstance(stmt, Assign) and dropped & set(stmt.targets):
            pairs = zip(stmt.targets, stmt.values, strict=True)
            if left := [(t, v) for t, v in pairs if t not in dropped]:
                targets, values = zip(*left, strict=True)
                result.append(replace(stmt, targets=targets, values=values))
            continue
        result.append(with_blocks(stmt, lambda b: _searching(b, notes, dropped)))
    end = len(result) - (bool(result) and isinstance(result[-1], nodes.Exit))
    return (*result[:end], *notes.get(id(block), ()), *result[end:])


def _renamed(block: Block, names: dict[str, str]) -> Block:
    """The block with other names for variables, where they are bound too."""

    def read(e: Expr) -> Expr:
        return replace(e, name=names[e.name]) if isinstance(e, Var) and e.name in names else e

    def bind(s: Stmt) -> list[Stmt]:
        match s:
            case nodes.Assign(targets=old) | nodes.Unpack(targets=old) | nodes.For(targets=old):
                return [replace(s, targets=tuple(names.get(t, t) for t in old))]
        return [s]

    return map_block(block, read, bind)


__all__ = ["Kept", "Place", "Replacing"]
