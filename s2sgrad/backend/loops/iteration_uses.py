"""Floor 6: what an iteration of a loop reads, changes and binds, by group of shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from s2sgrad.analysis.liveness import Liveness
from s2sgrad.analysis.shape_reads import contents_read
from s2sgrad.backend.loops.aliases import FRESH, Groups
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Expr, Index, Slice, Stmt, Store, Var
from s2sgrad.ir.types import Opaque, Scalar

Part = tuple[str, tuple[Expr, ...]]  # a name, and the subscript of what is meant: () for all


@dataclass
class Uses:
    """What statements do. read, stored: group -> the parts; added: the groups that every store adds
    to. bound: names; exposed: those read before they are bound. sums: how often a name is only
    added to; mentions: how often it is read. lists: those of saved values that are used."""

    read: dict[str, list[Part]] = field(default_factory=dict)
    stored: dict[str, list[Part]] = field(default_factory=dict)
    replaced: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    exposed: set[str] = field(default_factory=set)
    sums: dict[str, int] = field(default_factory=dict)
    times: dict[str, int] = field(default_factory=dict)
    mentions: dict[str, int] = field(default_factory=dict)
    lists: set[str] = field(default_factory=set)
    odd: bool = False

    def add(self, other: Uses) -> None:
        """Join those of other statements."""
        for mine, theirs in ((self.read, other.read), (self.stored, other.stored)):
            for group, parts in theirs.items():
                mine.setdefault(group, []).extend(parts)
        self.bound |= other.bound
        self.exposed |= other.exposed

    def touches(self, other: Uses) -> bool:
        """Whether the one changes what the other reads or changes."""
        names = self.bound & (other.bound | other.exposed) or other.bound & self.exposed
        mine = set(self.stored) & (set(other.read) | set(other.stored))
        return bool(names or mine or set(other.stored) & set(self.read))

    def is_local(self, group: str, counter: str) -> bool:
        """Whether each iteration has entries of its own there: a part of all subscripts of the one
        variable is the counter."""
        parts = [*self.read.get(group, ()), *self.stored.get(group, ())]
        names = {name for name, _ in parts}
        if not parts or len(names) != 1 or names & self.bound:
            return not parts
        places = [_places(index, counter) for _, index in parts]
        return bool(set.intersection(*places))

    def is_added_to(self, group: str) -> bool:
        """Whether sums in it are all that is done with memory."""
        return group not in self.read and group not in self.replaced

    def is_sum(self, name: str) -> bool:
        """Whether a variable is only added to."""
        times = self.times.get(name, 0)
        return times == self.sums.get(name, 0) == self.mentions.get(name, 0)


def _places(index: tuple[Expr, ...], counter: str) -> set[int]:
    """The axes along which a subscript is a loop's counter."""
    found: set[int] = set()
    for axis, part in enumerate(index):
        if not isinstance(part, Slice) and not isinstance(part.type, Scalar):
            break  # it may take several axes, or none
        if part == Var(counter):
            found.add(axis)
    return found


def uses(block: Block, groups: Groups, lists: frozenset[str]) -> Uses:
    """What a block does. lists: of saved values, which are left out."""
    found = Uses()
    exposed = Liveness().block(block, frozenset())[1]
    found.exposed = set(exposed) - lists
    for stmt in nodes.walk_block(block):
        _note(stmt, found, groups, lists)
    own = {n for n in found.bound if n not in found.exposed}
    given = {groups.of(n) for n in exposed}  # what is taken out of a list is there before, too
    for group in list(found.stored):
        parts = [*found.stored[group], *found.read.get(group, ())]
        if all(name in own for name, _ in parts) and group not in given:
            found.stored.pop(group)  # arrays that an iteration makes for itself
            found.read.pop(group, None)
    return found


def _note(stmt: Stmt, found: Uses, groups: Groups, lists: frozenset[str]) -> None:
    found.bound |= set(nodes.targets_of(stmt))
    for name in nodes.targets_of(stmt):
        found.times[name] = found.times.get(name, 0) + 1
    match stmt:
        case nodes.Mutate(base=Var(name=name), method="append", args=args) if name in lists:
            found.lists.add(name)
            exprs: tuple[Expr, ...] = args
        case nodes.Mutate():
            found.odd, exprs = True, ()
        case Store(base=Var(name=name), index=index, value=value, op=op):
            group = groups.of(name)
            found.stored.setdefault(group, []).append((name, index))
            if op not in ("+", "-", "+at", "-at"):
                found.replaced.add(group)
            exprs = (*index, value)
        case Store():
            found.odd, exprs = True, ()
        case Assign(targets=(name,), values=(value,)) if (step := _step(name, value)) is not None:
            found.sums[name] = found.sums.get(name, 0) + 1
            found.mentions[name] = found.mentions.get(name, 0) + 1
            exprs = (step,)
        case _:
            exprs = nodes.expressions(stmt)
    for expr in exprs:
        for name, index in _parts(expr, lists, found):
            found.mentions[name] = found.mentions.get(name, 0) + 1
            found.read.setdefault(groups.of(name), []).append((name, index))


def _step(name: str, value: Expr) -> Expr | None:
    """What is added to a variable by `x = x + step`, or taken off."""
    match value:
        case Call(form="operator", text="+" | "-", args=(Var(name=first), step)) if first == name:
            return step if name not in nodes.names_in(step) else None
    return None


def _parts(expr: Expr, lists: frozenset[str], found: Uses) -> Iterator[Part]:
    """The variables whose values an expression reads, and which part of them."""
    match expr:
        case Call(form="method", text="pop", args=(Var(name=name),)) if name in lists:
            found.lists.add(name)
        case Index(base=Var(name=name), index=index):
            yield name, index
            for part in index:
                yield from _parts(part, lists, found)
        case Var(name=name):
            yield name, ()
        case _:
            read = contents_read(expr)
            for child in nodes.children(expr):
                for name, place in _parts(child, lists, found):
                    if name in read:
                        yield name, place


def is_pure(stmt: Stmt) -> bool:
    """Whether a statement does no more than compute: draws of random numbers keep their order."""
    if not isinstance(stmt, Assign | nodes.Store):
        return False
    return all(_computes(e) for part in nodes.expressions(stmt) for e in nodes.walk(part))


def _computes(expr: Expr) -> bool:
    match expr:
        case Call(form="operator" | "attribute"):
            return True
        case Call(function=function, text=text):
            return isinstance(function, np.ufunc) or function in (len, min, max) or text in FRESH
        case Var(type=kind):
            return not isinstance(kind, Opaque)
    return True


def draws(block: Block) -> bool:
    """Whether a block reads what may change by being read: a generator, say."""
    parts = (e for s in nodes.walk_block(block) for e in nodes.expressions(s))
    inside = (e for part in parts for e in nodes.walk(part))
    return any(
        isinstance(e.type, Opaque) if isinstance(e, Var) else getattr(e, "function", "") == "opaque"
        for e in inside
    )


__all__ = ["Uses", "draws", "is_pure", "uses"]
