"""Floor 6: additions to neighbours in loops of their own, where LLVM could not vectorise one loop.

`x_bar[j + 1] += d; x_bar[j] -= d` reads in each iteration what the one before has written; in two
loops, nothing does. `x_bar[i + 1, j] += d; x_bar[i, j] -= d` writes to two rows. LLVM compares them
as the loop runs, and gives up where there are five. In loops of their own there is nothing to
compare, which was measured to be twice as fast, and four times for some lengths of the rows.

What the loops add is computed again in each of them, or kept in a row of numbers by the first.
Loops of the user's that run backwards are split too: in the reverse sweep any order will do.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from s2sgrad.analysis.costs import COMPILED
from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.distribute import range_of
from s2sgrad.backend.loops.extents import Extent, add, integer
from s2sgrad.backend.loops.made_new import NewArrays
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.ranges import Moment
from s2sgrad.backend.loops.selections import without_branches
from s2sgrad.backend.loops.touches import live_after, touches
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, Index, Stmt, Store, Var
from s2sgrad.ir.sizes import Size
from s2sgrad.ir.types import INT, Array, Scalar
from s2sgrad.transform.writing.rewrite import map_stmt_exprs

CHEAP = 1.0  # nanoseconds of a number that may be computed in each of the loops
FEW = 3  # numbers that may be computed for one that is added
_FLOATS = ("float64", "float")


class Apart:
    """Splits the innermost loops of nests. types: gets those of the new names. stores: arrays in
    which the forward sweep has put something for each iteration of a loop.
    """

    def __init__(
        self, body: Block, groups: Groups, names: Names, types: dict[str, Any],
        stores: frozenset[str],
    ) -> None:  # fmt: skip
        self.groups, self.names, self.types, self.stores = groups, names, types, stores
        self.after = live_after(body)
        self.new = NewArrays(groups)

    def block(self, block: Block) -> Block:
        """The block with the innermost loops of such nests split."""
        result: list[Stmt] = []
        for stmt in block:
            result += self._statement(stmt)
            self.new.after(stmt)
        return tuple(result)

    def _statement(self, stmt: Stmt) -> list[Stmt]:
        match stmt:
            case Nest():
                return self._split(replace(stmt, body=self.block(stmt.body)))
            case nodes.If(then=then, orelse=orelse):
                return [replace(stmt, then=self._inner(then), orelse=self._inner(orelse))]
            case nodes.For(body=body):
                nest = self._nest(stmt)
                split = [] if nest is None else self._split(nest)
                if len(split) > 1:
                    return split
                return [replace(stmt, body=self._inner(body))]
            case nodes.While(body=body):
                return [replace(stmt, body=self._inner(body))]
        return [stmt]

    def _inner(self, block: Block) -> Block:
        outside, self.new = self.new, self.new.entering(block)
        result = self.block(block)
        self.new = outside
        return result

    def _nest(self, loop: nodes.For) -> Nest | None:
        """An innermost loop of the reverse sweep as a nest, where it is one if it can be split."""
        found = range_of(loop) if loop.backwards else None
        if found is None:
            return None
        (name,), (first, count) = loop.targets, found
        body = self._without_branches(loop) or loop.body
        if not all(isinstance(s, Assign | Store) for s in body):
            return None
        touched = touches(body)
        if self.after[id(loop)] & ({*touched.writes, name} - touched.summed):
            return None
        extent = Extent(None, None, count)
        return Nest((name,), (extent,), _moved(body, name, first), span=loop.span)

    def _without_branches(self, loop: nodes.For) -> Block | None:
        return without_branches(loop, self.new.here(), self.names, self.types, self.stores)

    def _each_once(self, nest: Nest) -> Block:
        """The statements of an iteration, in which each name gets one value only."""
        left = Counter(t for s in nest.body for t in nodes.targets_of(s))
        open_names = _inputs(nest)
        now: dict[str, Expr] = {}
        result: list[Stmt] = []
        for stmt in nest.body:
            stmt = map_stmt_exprs(stmt, lambda e: now.get(e.name, e) if type(e) is Var else e)
            match stmt:
                case Assign(targets=(name,), values=(value,)) if name not in open_names:
                    left[name] -= 1
                    fresh = self.names.fresh(name) if left[name] else name
                    self.types[fresh] = self.types.get(name, value.type)
                    now[name] = Var(fresh, type=value.type)
                    stmt = replace(stmt, targets=(fresh,))
            result.append(stmt)
        return tuple(result)

    def _split(self, nest: Nest) -> list[Stmt]:
        groups, whole = self.new.here(), nest
        added = _only_added(nest, groups)
        if len(_parts(nest, added)) == 1:
            return [whole]
        nest = replace(nest, body=self._each_once(nest))
        later = _parts(nest, added)[1:]
        moved = {id(s) for part in later for s in part}
        values = _Values(nest, groups, added)
        added_later = [s for part in later for s in part]
        if not all(values.settle(e) for s in added_later for e in (*s.index, s.value)):
            return [whole]
        own = Var(nest.indices[-1], type=INT)
        count = nest.extents[-1].count
        rows = {name: self._row(name, Moment().value(count)) for name in sorted(values.kept)}
        body = values.needed([s for s in nest.body if id(s) not in moved], rows)
        bodies = [_with_rows_filled(body, rows, own)]
        read = {n: Index(r, (own,), type=Scalar("float64")) for n, r in rows.items()}
        for part in later:
            again = values.again(part)
            bodies.append(tuple(map_stmt_exprs(s, lambda e: _put(e, read)) for s in again))
        one = replace(nest, indices=nest.indices[-1:], extents=nest.extents[-1:])
        inner = tuple(replace(one, body=body) for body in bodies)
        made = [
            Assign((r.name,), (Call(np.empty, "np.empty", (count,), type=r.type),), span=nest.span)
            for r in rows.values()
        ]
        if len(nest.indices) == 1:
            return [*made, *inner]
        return [
            *made, replace(nest, indices=nest.indices[:-1], extents=nest.extents[:-1], body=inner)
        ]  # fmt: skip

    def _row(self, name: str, size: Size | None) -> Var:
        """The row of what a number is at each place of the innermost loop."""
        kind = Array("float64", (size,))
        fresh = self.names.fresh(f"{name}_row")
        self.types[fresh] = kind
        return Var(fresh, type=kind)


def _moved(block: Block, name: str, first: Expr) -> Block:
    """The statements with a counter from 0 in place of one from `first`."""

    def moved(expr: Expr) -> Expr:
        match expr:
            case Var(name=own) if own == name:
                return add(Var(name, type=INT), first)
            case Call(form="operator", text="+" | "-" as sign, args=(left, Const(value=int(by)))):
                if isinstance(left.type, Scalar) and left.type.dtype == "int":
                    return add(left, integer(by if sign == "+" else -by))
        return expr

    return tuple(map_stmt_exprs(s, moved) for s in block)


def _put(expr: Expr, read: dict[str, Index]) -> Expr:
    return read.get(expr.name, expr) if isinstance(expr, Var) else expr


def _with_rows_filled(body: list[Stmt], rows: dict[str, Var], own: Var) -> Block:
    """The statements, with each number that is kept put into its row."""
    result: list[Stmt] = []
    for stmt in body:
        result.append(stmt)
        for name in nodes.targets_of(stmt):
            if name in rows:
                value = Var(name, type=Scalar("float64"))
                result.append(Store(rows[name], (own,), value, span=stmt.span))
    return tuple(result)


@dataclass
class _Values:
    """What the later loops add. kept: numbers that the first loop keeps for them."""

    nest: Nest
    groups: Groups
    added: frozenset[str]
    kept: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        found = touches(self.nest.body)
        self.sums = found.summed
        self.assigned: dict[str, Assign] = {}
        self.twice: set[str] = set()
        for stmt in self.nest.body:
            if isinstance(stmt, Assign) and not set(stmt.targets) & self.sums:
                self.twice |= set(stmt.targets) & set(self.assigned)
                self.assigned[stmt.targets[0]] = stmt
        self.changing = self._written_after_read()

    def _written_after_read(self) -> set[str]:
        """Arrays whose entries a later loop may find changed: it runs after all writes.

        What one name alone writes in full before it reads it is found as it was.
        """
        names: dict[str, set[str]] = {}
        read: set[str] = set()
        written: set[str] = set()
        found: set[str] = set()
        for stmt in self.nest.body:
            used = [(n, mode) for n, _, mode in touches((stmt,)).arrays if n not in self.added]
            for name, _ in used:
                names.setdefault(self.groups.of(name), set()).add(name)
            read |= {self.groups.of(n) for n, mode in used if mode != "w"}
            new = {self.groups.of(n) for n, mode in used if mode != "r"}
            written |= new
            found |= new & read
        return found | {own for own in written if len(names[own]) > 1}

    def settle(self, value: Expr) -> bool:
        """Decide about the numbers in a value; whether it can be had in a later loop."""
        if self._changes(value):
            return False
        return all(self._decide(name) for name in sorted(self._numbers(value)))

    def _numbers(self, value: Expr) -> set[str]:
        return {n for n in nodes.names_in(value) if n in self.assigned}

    def _changes(self, value: Expr) -> bool:
        return any(self.groups.of(n) in self.changing for n in nodes.names_in(value))

    def _decide(self, name: str) -> bool:
        if name in self.kept:
            return True
        value = self.assigned[name].values[0]
        if not self._may_be_kept(name):
            return False
        if not self._again_is_cheap(name):
            dear = {n for n in self._numbers(value) - self.kept if not self._again_is_cheap(n)}
            step = self._stays_cheap(value) and len(dear) == 1 and all(map(self._may_be_kept, dear))
            self.kept |= dear if step else {name}
        return True

    def _may_be_kept(self, name: str) -> bool:
        """Whether a number has one value in each iteration, a float."""
        kind = self.assigned[name].values[0].type
        return name not in self.twice and getattr(kind, "dtype", "") in _FLOATS

    def _again_is_cheap(self, name: str) -> bool:
        """Whether a number is cheap to compute from arrays that stay, with all it is made of."""
        found, new = {name}, [name]
        while new:
            value = self.assigned[new.pop()].values[0]
            more = self._numbers(value) - found - self.kept
            found |= more
            if not self._stays_cheap(value) or len(found) > FEW or more & self.twice:
                return False
            new += sorted(more)
        return True

    def _stays_cheap(self, value: Expr) -> bool:
        own = {*self.assigned, *self.nest.indices}
        same = not nodes.names_in(value) & own  # in each iteration: it is computed once
        return not self._changes(value) and (same or COMPILED.price(value) <= CHEAP)

    def needed(self, body: list[Stmt], rows: dict[str, Var]) -> list[Stmt]:
        """The statements of the first loop, without numbers that only the others read."""
        read = set(rows)
        found: list[Stmt] = []
        for stmt in reversed(body):
            targets = set(nodes.targets_of(stmt))
            if targets & self.assigned.keys() and not targets & read:
                continue
            found.append(stmt)
            read |= {n for e in nodes.expressions(stmt) for n in nodes.names_in(e)}
        return found[::-1]

    def again(self, part: list[Store]) -> list[Stmt]:
        """Additions, after what is computed again for them."""
        read = {n for s in part for e in nodes.expressions(s) for n in nodes.names_in(e)}
        found: list[Stmt] = []
        for name, stmt in reversed(self.assigned.items()):
            if name in read and name not in self.kept:
                found.append(stmt)
                read |= {n for v in stmt.values for n in nodes.names_in(v)}
        return [*found[::-1], *part]


def _parts(nest: Nest, added: frozenset[str]) -> list[list[Store]]:
    """The additions of each loop: to one place of an array. The first loop does the rest too."""
    stores = [s for s in nest.body if isinstance(s, Store)]
    parts: list[list[Store]] = [[]]
    places: list[dict[str, tuple[Expr, ...]]] = [{}]
    for store in stores:
        name = store.base.name if isinstance(store.base, Var) else ""
        if name not in added:
            continue
        k = next((k for k, p in enumerate(places) if p.get(name, store.index) == store.index), -1)
        if k < 0:
            parts.append([])
            places.append({})
        parts[k].append(store)
        places[k][name] = store.index
    return parts


def _only_added(nest: Nest, groups: Groups) -> frozenset[str]:
    """The arrays that a nest adds to and uses in no other way; none where it must stay whole.

    Iterations of the innermost loop meet in entries of these arrays alone, in which the order of
    additions is free, and no number of the nest depends on what it writes.
    """
    found = touches(nest.body)
    nothing: frozenset[str] = frozenset()
    if not nest.indices or not all(isinstance(s, Assign | Store) for s in nest.body):
        return nothing
    if found.odd or (found.writes - found.summed) & _inputs(nest):
        return nothing
    written = {groups.of(name) for name, _, mode in found.arrays if mode != "r"}
    modes: dict[str, set[str]] = {}
    for name, _, mode in found.arrays:
        modes.setdefault(groups.of(name), set()).add(mode)
    own = nest.indices[-1]
    places: dict[str, set[Expr]] = {}
    for name, index, _ in found.arrays:
        places.setdefault(groups.of(name), set()).update((index or ())[-1:])
    added: set[str] = set()
    for name, index, _ in found.arrays:
        if name in found.writes:
            return nothing
        if groups.of(name) not in written:
            continue
        if not index or any(own in nodes.names_in(p) for p in index[:-1]):
            return nothing
        if not _offset(index[-1], own):
            return nothing
        if modes[groups.of(name)] == {"a"}:
            added.add(name)
        elif len(places[groups.of(name)]) > 1 or _less(index[-1]):
            return nothing
    return frozenset(added)


def _offset(part: Expr, name: str) -> bool:
    """Whether a subscript is the counter, or a number more or less."""
    match part:
        case Call(form="operator", text="+" | "-", args=(left, Const())):
            return left == Var(name)
    return part == Var(name)


def _less(part: Expr) -> bool:
    """Whether a subscript is the counter less a number: it may count from the end, and be another
    iteration's too."""
    match part:
        case Call(text="+" | "-" as sign, args=(_, Const(value=int(amount)))):
            return (amount < 0) if sign == "+" else amount > 0
    return False


def _inputs(nest: Nest) -> frozenset[str]:
    """Numbers that an iteration reads before it has set them."""
    known: set[str] = set()
    found: set[str] = set()
    for stmt in nest.body:
        for expr in nodes.expressions(stmt):
            found |= nodes.names_in(expr) - known
        known |= set(nodes.targets_of(stmt))
    return frozenset(found)


__all__ = ["Apart"]
