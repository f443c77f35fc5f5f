"""Floor 5: places that a loop writes last, and that no other trip of it comes to.

    for i in reversed(range(n)):
        x_bar[i] += y_bar[i] * w
        y_bar[i] = 0.0

Each trip has an entry of its own: if the array is not read after the loop, nobody reads the zero.
Nor do they where the trips to come read and write entries on the way to the front, `y_bar[i]`
beside `y_bar[i + 1] = 0.0`, and what follows reads the first one, `y_bar[0]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from s2sgrad.analysis.effects import has_effect
from s2sgrad.analysis.shape_reads import contents_read
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Stmt, Store, Var
from s2sgrad.ir.types import Array, Scalar

Group = Callable[[str], str]
Known = Callable[[Expr, tuple[Expr, ...]], bool]  # of an array and a subscript


def left_behind(
    block: Block, group: Group, live: frozenset[str], rest: Block | None, done: frozenset[str]
) -> set[int]:
    """The stores (by id) of loops that nobody reads what they wrote.

    block: a loop. group: name -> what stands for all names whose memory it may share. live: the
    groups whose contents are read after the loop. rest: all that follows; None if not known.
    done: names that alone hold their arrays after the loop, and are not used there.
    """
    found: set[int] = set()
    for stmt, around, path in _paths(block, ()):
        assert isinstance(stmt.base, Var)
        own = group(stmt.base.name)
        loops = _with_own_places(stmt, around)
        if not loops:
            continue
        place = _Place(stmt, loops)
        if not _has_axis(stmt.index, place.at):
            continue
        later = own in live and stmt.base.name not in done
        if later and not (rest is not None and place.is_above(rest, group, own)):
            continue
        alone = all(_meets(s, place, group, own) for s in nodes.walk_block(block))
        after = [s for depth, rest in path if depth >= len(loops) for s in nodes.walk_block(rest)]
        if alone and not any(_comes_again(s, place, group, own) for s in after):
            found.add(id(stmt))
    return found


def _with_own_places(stmt: Store, around: tuple[nodes.For, ...]) -> tuple[nodes.For, ...]:
    """The outer loops of which each trip has a place of its own; those inside come there again."""
    for count in range(len(around), 0, -1):
        if has_own_places(stmt, around[:count]):
            return around[:count]
    return ()


class _Place:
    """Where a store of a loop writes, by the counter of the outermost loop around it."""

    def __init__(self, stmt: Store, loops: tuple[nodes.For, ...]) -> None:
        self.base, self.index = stmt.base, stmt.index
        self.loop, self.alone = loops[0], len(loops) == 1
        counter = self.loop.targets[0]
        found = [(k, c) for k, part in enumerate(self.index) if (c := _counter(part))]
        self.at, self.shift = next((k, n) for k, (name, n) in found if name == counter)

    def is_it(self, base: Expr, index: tuple[Expr, ...]) -> bool:
        """Whether a subscript means the place itself, or parts of its row, where each trip of the
        loop has a row of its own."""
        if (base, index) == (self.base, self.index):
            return True
        own = (self.loop.targets[0], self.shift)
        return self.alone and base == self.base and self._row(index) == own

    def has_left(self, base: Expr, index: tuple[Expr, ...]) -> bool:
        """Whether a subscript means a place that the loop is still to come to: `y[i]`, where it
        counts down and writes `y[i + 1]`."""
        found = self._row(index)
        if base != self.base or found is None or found[0] != self.loop.targets[0]:
            return False
        later = found[1] < self.shift if _counts_down(self.loop) else found[1] > self.shift
        return later and _from_the_front(self.loop.sources[0], found[1])

    def _row(self, index: tuple[Expr, ...]) -> tuple[str, int] | None:
        """The counter along the axis that tells the places apart."""
        return _counter(index[self.at]) if _has_axis(index, self.at) else None

    def is_above(self, rest: Block, group: Group, own: str) -> bool:
        """Whether all that follows the loop reads, if at all, entries in front of its places."""
        lowest = _lowest(self.loop.sources[0])

        def in_front(base: Expr, index: tuple[Expr, ...]) -> bool:
            part = index[self.at] if _has_axis(index, self.at) else None
            known = isinstance(part, Const) and type(part.value) is int and base == self.base
            return known and lowest is not None and 0 <= part.value < lowest + self.shift  # type: ignore[union-attr]

        return all(_reads_only(s, in_front, group, own) for s in nodes.walk_block(rest))


def may_go(stmt: Store) -> bool:
    """Whether a store does nothing besides, but for taking its value out of a list."""
    taken = isinstance(stmt.value, Call) and stmt.value.function == "pop"
    return not any(map(has_effect, stmt.index)) and (taken or not has_effect(stmt.value))


def _paths(
    block: Block, loops: tuple[nodes.For, ...]
) -> Iterator[tuple[Store, tuple[nodes.For, ...], list[tuple[int, Block]]]]:
    """Stores of ours, with the loops around each, and what may run after it in the same trip of
    these: how many of them are around that, and the block. Of a loop inside, that is all of it."""
    for k, stmt in enumerate(block):
        match stmt:
            case Store(base=Var(type=Array()), span=None, op="" | "=", index=index) if index:
                if may_go(stmt):
                    yield stmt, loops, [(len(loops), block[k + 1 :])]
            case nodes.For(body=body):
                for store, around, path in _paths(body, (*loops, stmt)):
                    here = [(len(loops), block[k + 1 :]), (len(loops), body)]
                    yield store, around, [*here, *path]
            case nodes.If(then=then, orelse=orelse):
                for side in (then, orelse):
                    for store, around, path in _paths(side, loops):
                        yield store, around, [(len(loops), block[k + 1 :]), *path]


def has_own_places(stmt: Stmt, loops: tuple[nodes.For, ...]) -> bool:
    """Whether each trip of the loops has a place of its own: their counters stand in the
    subscript, each alone or with a constant, and count places from the front."""
    if not isinstance(stmt, Store):
        return False
    index = stmt.base.index if isinstance(stmt.base, Index) else stmt.index
    counters = dict(filter(None, map(_counter, index)))
    bound = [t for loop in loops for s in nodes.walk_block(loop.body) for t in nodes.targets_of(s)]
    bound += [t for loop in loops for t in loop.targets]
    return all(
        len(loop.targets) == 1
        and loop.targets[0] in counters
        and bound.count(loop.targets[0]) == 1 + loops.index(loop)
        and _from_the_front(loop.sources[0], counters[loop.targets[0]])
        for loop in loops
    )


def _has_axis(index: tuple[Expr, ...], at: int) -> bool:
    """Whether a part of a subscript is for the axis of the same number."""
    before = index[:at]
    return len(index) > at and all(isinstance(p, nodes.Slice) or _is_whole(p) for p in before)


def _is_whole(part: Expr) -> bool:
    return isinstance(part.type, Scalar) and part.type.dtype.startswith("int")


def _counter(part: Expr) -> tuple[str, int] | None:
    """The variable of a part of a subscript, and what is added to it: `i`, `i + 1`, `i - 1`."""
    match part:
        case Var(name=name):
            return name, 0
        case Call(text="+" | "-" as sign, form="operator", args=(Var(name=name), Const(value=c))):
            if type(c) is int:
                return name, c if sign == "+" else -c
    return None


def _from_the_front(source: Expr, shift: int) -> bool:
    """Whether a loop counts places that are no less than 0 once `shift` is added."""
    lowest = _lowest(source)
    return lowest is not None and lowest + shift >= 0


def _reads(stmt: Stmt, group: Group) -> set[str]:
    """The groups of names whose contents a statement itself reads or changes."""
    return {group(name) for name in contents_read(*nodes.expressions(stmt))}


def _meets(stmt: Stmt, place: _Place, group: Group, own: str) -> bool:
    """Whether a statement meets an array only at a store's place, or at some that the loop is
    still to come to, by the same name."""

    def known(base: Expr, index: tuple[Expr, ...]) -> bool:
        return place.is_it(base, index) or place.has_left(base, index)

    return _reads_only(stmt, known, group, own)


def _comes_again(stmt: Stmt, place: _Place, group: Group, own: str) -> bool:
    """Whether a statement behind the store, in the same trip, may read its place."""
    if isinstance(stmt, Store) and stmt.op in ("", "=") and stmt.base == place.base:
        parts = (*stmt.index, stmt.value)
        return any(own == group(n) for p in parts for n in _elsewhere(p, place.has_left))
    return not _reads_only(stmt, place.has_left, group, own)


def _reads_only(stmt: Stmt, known: Known, group: Group, own: str) -> bool:
    """Whether a statement meets an array only at places that are known."""
    if own not in _reads(stmt, group):
        return True
    if isinstance(stmt, nodes.Mutate | nodes.Splice):
        return False
    if isinstance(stmt, Store):
        at_place = known(stmt.base, stmt.index)
        parts = (*stmt.index, stmt.value) if at_place else (stmt.base, *stmt.index, stmt.value)
    else:
        parts = nodes.expressions(stmt)
    return not any(own == group(name) for part in parts for name in _elsewhere(part, known))


def _elsewhere(expr: Expr, known: Known) -> Iterator[str]:
    """The names that an expression reads the contents of, but for places that are known."""
    match expr:
        case Index(base=base, index=index) if known(base, index):
            for part in index:
                yield from _elsewhere(part, known)
            return
        case Var(name=name):
            yield name
            return
    if nodes.children(expr):
        shaped = nodes.names_in(expr) - contents_read(expr)
        for child in nodes.children(expr):
            yield from (n for n in _elsewhere(child, known) if n not in shaped)


def _step_of(source: Expr) -> int | None:
    """By how much a range, or a count, goes on with each trip; None if only a run knows."""
    if nodes.counts(source):
        return 1
    if not isinstance(source, Call) or source.function is not range or source.kwargs:
        return None
    step = source.args[2] if len(source.args) == 3 else Const(1)
    return step.value if isinstance(step, Const) and type(step.value) is int else None


def _counts_down(loop: nodes.For) -> bool:
    """Whether a loop over a range, or a count, goes from the last place to the first."""
    step = _step_of(loop.sources[0])
    return (step is not None and step < 0) != loop.backwards


def _lowest(source: Expr) -> int | None:
    """The lowest number that a loop over a range, or a count, comes to."""
    step = _step_of(source)
    if step is None or not isinstance(source, Call):
        return None
    if nodes.counts(source) or len(source.args) == 1:
        return 0
    end = source.args[0] if step > 0 else source.args[1]
    known = isinstance(end, Const) and type(end.value) is int
    return end.value + (step < 0) if known else None  # type: ignore[attr-defined]


__all__ = ["has_own_places", "left_behind", "may_go"]
