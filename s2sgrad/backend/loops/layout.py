"""Floor 6: the order of axes of arrays that only loops use: innermost loops run along memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TypeVar

from s2sgrad.backend.loops.contraction import allocated
from s2sgrad.backend.loops.mapping import mapped
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import read_by
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Sequence, Stmt, Var
from s2sgrad.ir.types import Array, Scalar, Type

_Entry = TypeVar("_Entry", Index, nodes.Store)


@dataclass(frozen=True)
class _Place:
    """Where a statement stands: in so many loops, the innermost of which counts this."""

    counter: str = ""
    depth: int = 0

    def inside(self, counters: tuple[str, ...]) -> _Place:
        return _Place(counters[-1], self.depth + len(counters)) if counters else self


@dataclass
class _Uses:
    """votes: name -> axis -> depth -> entries whose subscript there is the innermost counter, of
    so many loops. mentions: how often a name is used at all; entries: as an entry by numbers."""

    votes: dict[str, dict[int, Counter[int]]] = field(default_factory=dict)
    mentions: Counter[str] = field(default_factory=Counter)
    entries: Counter[str] = field(default_factory=Counter)
    bound: Counter[str] = field(default_factory=Counter)


def laid_out(body: Block, types: dict[str, Type]) -> Block:
    """The body with the axes of such arrays in an order that fits the loops; `types` tells of them
    what they are now."""
    uses = _Uses()
    made: dict[str, int] = {}
    _collect(body, _Place(), uses, made)
    last = {n: _moved(n, rank, uses) for n, rank in made.items()}
    axes = {n: axis for n, axis in last.items() if axis is not None}
    if not axes:
        return body
    types |= {n: _turned_type(types[n], axis) for n, axis in axes.items() if n in types}

    def read(expr: Expr) -> Expr:
        if isinstance(expr, Index) and isinstance(expr.base, Var) and expr.base.name in axes:
            return _entry_of(expr, axes[expr.base.name])
        return expr

    def write(stmt: Stmt) -> list[Stmt]:
        match stmt:
            case nodes.Store(base=Var(name=name)) if name in axes:
                return [_entry_of(stmt, axes[name])]
            case nodes.Assign(targets=(name,), values=(Call() as value,)) if name in axes:
                return [replace(stmt, values=(_allocation(value, axes[name]),))]
        return [stmt]

    return mapped(body, read, write)


def _moved(name: str, rank: int, uses: _Uses) -> int | None:
    """The axis that should be the last one; None if that is so, or other uses forbid it."""
    votes = uses.votes.get(name, {})
    if rank < 2 or uses.bound[name] != 1 or uses.mentions[name] != uses.entries[name] or not votes:
        return None
    deepest = max(depth for counts in votes.values() for depth in counts)

    def weight(axis: int) -> list[int]:
        """What deep loops do counts first: it is done more often than all around them."""
        counts = votes.get(axis, Counter())
        return [counts[depth] for depth in range(deepest, -1, -1)]

    axis = max(votes, key=lambda k: (weight(k), k))
    return axis if weight(axis) > weight(rank - 1) else None


def _turned(parts: tuple, axis: int) -> tuple:
    return (*parts[:axis], *parts[axis + 1 :], parts[axis])


def _turned_type(kind: Type, axis: int) -> Type:
    if not isinstance(kind, Array) or kind.shape is None:
        return kind
    return replace(kind, shape=_turned(kind.shape, axis))


def _entry_of(place: _Entry, axis: int) -> _Entry:
    """An entry of an array that is turned, by its subscript there."""
    base = replace(place.base, type=_turned_type(place.base.type, axis))
    return replace(place, base=base, index=_turned(place.index, axis))


def _allocation(value: Call, axis: int) -> Call:
    shape = value.args[0]
    assert isinstance(shape, Sequence)
    new = replace(shape, items=_turned(shape.items, axis))
    return replace(value, args=(new, *value.args[1:]), type=_turned_type(value.type, axis))


def _collect(block: Block, place: _Place, uses: _Uses, made: dict[str, int]) -> None:
    for stmt in block:
        uses.bound.update(nodes.targets_of(stmt))
        name = allocated(stmt)
        if name is not None:
            shape = stmt.values[0].args[0]  # type: ignore[attr-defined]
            if isinstance(shape, Sequence):
                made[name] = len(shape.items)
        if isinstance(stmt, nodes.Store) and isinstance(stmt.base, Var):
            uses.mentions[stmt.base.name] += 1
            _entry(stmt.base, stmt.index, place, uses)
            exprs: tuple[Expr, ...] = (*stmt.index, stmt.value)
        else:
            exprs = read_by(stmt)
        for expr in exprs:
            _read(expr, place, uses)
        match stmt:
            case Nest(body=body):
                _collect(body, place.inside(stmt.indices), uses, made)
            case nodes.For(body=body):
                _collect(body, place.inside(stmt.targets[:1]), uses, made)
            case _:
                for inner in nodes.blocks(stmt):
                    _collect(inner, place, uses, made)


def _read(expr: Expr, place: _Place, uses: _Uses) -> None:
    for node in nodes.walk(expr):
        match node:
            case Var(name=name):
                uses.mentions[name] += 1
            case Index(base=Var() as base, index=index):
                _entry(base, index, place, uses)


def _entry(base: Var, index: tuple[Expr, ...], place: _Place, uses: _Uses) -> None:
    """Count one entry of an array; a row, or another part, does not count as a use."""
    kind = base.type
    if not isinstance(kind, Array) or kind.shape is None or len(kind.shape) != len(index):
        return
    if not index or not all(isinstance(p.type, Scalar) for p in index):
        return
    uses.entries[base.name] += 1
    votes = uses.votes.setdefault(base.name, {})
    for axis, part in enumerate(index):
        if place.counter in nodes.names_in(part):
            votes.setdefault(axis, Counter())[place.depth] += 1
