"""Floor 5: a loop that only looks for the best has the derivative of the trip that it kept last.

    for j in range(n):               best_j = -1
        d = np.sum((p - q[j])**2)    for j in range(n):
        if d < best:                     d = np.sum((p - q[j])**2)
            best = d      becomes        if d < found:
                                             found = d
                                             best_j = j
                                     if best_j >= 0:
                                         best = np.sum((p - q[best_j])**2)

The search needs no derivative then, and one number is kept in place of a decision for each trip.
What takes the loop's place is made in kept_trips.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from s2sgrad.analysis.costs import COMPILED, present
from s2sgrad.analysis.definite import surely_bound
from s2sgrad.analysis.effects import has_effect
from s2sgrad.analysis.liveness import Live, Liveness, read_after, reads
from s2sgrad.frontend.functions.specialising import UserPair
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Expr, Index, Stmt, Var
from s2sgrad.ir.types import INT, Array, List, Scalar, Type
from s2sgrad.transform.preparing.kept_trips import Kept, Place, Replacing
from s2sgrad.transform.preparing.running_extremes import Extreme, Fresh, with_searches
from s2sgrad.transform.writing.rewrite import with_blocks

Loop = nodes.For | nodes.While
Found = dict[tuple[str, str], str]


def with_last_taken(
    block: Block,
    active: frozenset[str],
    types: dict[str, Type],
    live: Live,
    given: Live,
    fresh: Fresh,
) -> tuple[Block, Found]:
    """The block with such loops taken apart (itself where there are none), and the variables that
    hold what a search has found: (variable, what tells whether it found any) -> the search's own.

    active: the names that carry derivatives. live: what is read after the block; given: what has
    values before it. fresh: makes a variable.
    """
    stmts = list(nodes.walk_block(block))
    if not any(isinstance(s, nodes.For | nodes.While) for s in stmts):
        return block, {}
    walker = _Walker(active, types, fresh)
    walker.after = read_after(block, live)
    walker.bound = surely_bound(block, given)
    walker.times = _times(stmts)
    return walker.block(block), walker.made.found


class _Walker:
    after: dict[int, Live]
    bound: dict[int, Live]
    times: Counter[str]  # how many statements bind each name

    def __init__(self, active: frozenset[str], types: dict[str, Type], fresh: Fresh) -> None:
        self.types, self.fresh = types, fresh
        self.made = Replacing(active, types, fresh)

    @property
    def active(self) -> frozenset[str]:
        return self.made.active

    def block(self, block: Block) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            after, bound = (f.get(id(stmt), frozenset()) for f in (self.after, self.bound))
            new = self._loop(stmt, after, bound)
            if new == [stmt]:
                changed = with_blocks(stmt, self.block)
                new = self._loop(changed, after, bound) if changed is not stmt else new
            result += new
        same = len(result) == len(block) and all(a is b for a, b in zip(result, block, strict=True))
        return block if same else tuple(result)

    def _loop(self, loop: Stmt, after: Live, before: Live) -> list[Stmt]:
        """A loop, or what takes its place. after: the names that are read behind it; before: those
        that surely have values there."""
        if not isinstance(loop, nodes.For | nodes.While):
            return [loop]
        if any(map(_is_odd, nodes.walk_block(loop.body))):
            return [loop]
        search, rows = self._counted(loop)
        extremes = dict[str, Extreme]()
        if present() is COMPILED:
            search, extremes = with_searches(search, self.active, self.fresh)
            self.made.active |= {e.value for e in extremes.values()}
        if rows is None or not any(isinstance(s, nodes.If) for s in nodes.walk_block(search.body)):
            return [loop]
        head = Liveness().stmt(search, frozenset())[1]
        bound = nodes.bound_in((search,))
        names = [n for n in sorted(bound & self.active) if n in after or n in head]
        if not names or set(names) & set(nodes.targets_of(search)):
            return [loop]
        inside = _times(nodes.walk_block((search,)))
        if any(n in head and n not in before and self.times[n] > inside[n] for n in names):
            return [loop]  # one way to the loop gives them values, another one does not
        found = self._all_kept(search.body, rows, names, bound)
        if found is None or not all(self._is_plain(n, search) for n in names):
            return [loop]
        made = self.made.instead(search, found, extremes, before)
        return [loop] if made is None else made

    def _counted(self, loop: Loop) -> tuple[Loop, Block | None]:
        """The loop, with a counter if the rows that it goes through carry derivatives, and what
        binds those in a trip; None where they can't be found again."""
        moving = [t for t in nodes.targets_of(loop) if t in self.active]
        if not moving:
            return loop, ()
        assert isinstance(loop, nodes.For)
        counters = [t for t, s in zip(loop.targets, loop.sources, strict=True) if nodes.counts(s)]
        bound = nodes.bound_in((loop,))
        pairs = [(t, s) for t, s in zip(loop.targets, loop.sources, strict=True) if t in moving]
        if loop.backwards or any(not isinstance(s, Var) or s.name in bound for _, s in pairs):
            return loop, None
        if not counters:
            counters = [self.fresh("k", INT)]
            count = Call("count", "count", (), type=List(INT))
            targets, sources = (*counters, *loop.targets), (count, *loop.sources)
            loop = replace(loop, targets=targets, sources=sources)
        place = Var(counters[0], type=INT)
        rows = [Assign((t,), (Index(s, (place,), type=self.types[t]),)) for t, s in pairs]
        return loop, tuple(rows)

    def _is_plain(self, name: str, loop: Loop) -> bool:
        """Whether a variable is a number, or an array that the loop itself does not read."""
        kind = self.types.get(name)
        return isinstance(kind, Scalar) or (isinstance(kind, Array) and not mentions(loop, name))

    def _all_kept(
        self, body: Block, rows: Block, names: list[str], bound: set[str]
    ) -> list[Kept] | None:
        """The places where all of these variables are set; None where that needs other trips."""
        left, found = set(names), list[Kept]()
        for place in _places(body, rows, ()):
            here = tuple(n for n in names if any(n in nodes.targets_of(s) for s in place.own))
            if not here:
                continue
            kept = self._kept(place, here, bound)
            if kept is None or not left.issuperset(here):
                return None
            left -= set(here)
            found.append(kept)
        inside = [n for s in nodes.walk_block(body) for n in nodes.targets_of(s)]
        set_there = [n for k in found for s in k.place.own for n in nodes.targets_of(s)]
        if left or any(inside.count(n) != set_there.count(n) for n in names):
            return None
        return found

    def _kept(self, place: Place, names: tuple[str, ...], bound: set[str]) -> Kept | None:
        """What computes these variables in the trip that is kept; None: other trips take part."""
        line = (*place.before, *place.own)
        needed, at = set(names), list[int]()
        for i, stmt in reversed(list(enumerate(line))):
            if needed & nodes.bound_in((stmt,)):
                at.append(i)
                needed |= self.active & _all_read((stmt,))
        part = tuple(line[i] for i in reversed(at))
        if any(map(_leaves, part)) or any(has_effect(e) for e in _parts(part)):
            return None
        free = Liveness().block(part, frozenset(names))[1] & bound
        own = nodes.bound_in(part)
        if any((own | free) & _carried(inner) - set(names) for inner in place.loops):
            return None
        for name in free:
            first = min((i for i in at if name in _all_read((line[i],))), default=0)
            moved = name in own or name in nodes.bound_in(line[first:])
            if name in self.active or moved or not _is_number(self.types.get(name)):
                return None
        return Kept(place, names, part, tuple(sorted(free)))


def _is_number(kind: Type | None) -> bool:
    """Whether a variable is one real number, which can be noted."""
    return isinstance(kind, Scalar) and "complex" not in str(kind.dtype)


def _is_odd(stmt: Stmt) -> bool:
    """Whether a statement changes memory, or is none of the loop's own."""
    if isinstance(stmt, nodes.Unpack) and isinstance(stmt.value, Call):
        return isinstance(stmt.value.function, UserPair)  # it may change its arguments
    return isinstance(stmt, nodes.Store | nodes.Mutate | nodes.Return | nodes.Splice)


def _leaves(stmt: Stmt) -> bool:
    """Whether a statement of a trip may end it, or the loop."""
    match stmt:
        case nodes.Exit() | nodes.Do():
            return True
        case nodes.If(then=then, orelse=orelse):
            return any(map(_leaves, (*then, *orelse)))
    return False


def _carried(loop: nodes.For) -> set[str]:
    """The variables that a trip of a loop takes over from the one before."""
    return nodes.bound_in(loop.body) & Liveness().stmt(loop, frozenset())[1]


def _places(block: Block, before: Block, loops: tuple[nodes.For, ...]) -> Iterator[Place]:
    """The blocks of the branches in a block, also in loops in it, and what runs before them."""
    for i, stmt in enumerate(block):
        line = (*before, *block[:i])
        if isinstance(stmt, nodes.If):
            for side in (stmt.then, stmt.orelse):
                yield Place(line, side, loops)
                yield from _places(side, line, loops)
        elif isinstance(stmt, nodes.For):
            yield from _places(stmt.body, line, (*loops, stmt))


def mentions(loop: Loop, name: str) -> bool:
    """Whether a loop reads a variable anywhere."""
    return name in _all_read((loop,))


def _all_read(block: Block) -> frozenset[str]:
    return frozenset[str]().union(*map(reads, nodes.walk_block(block)))


def _parts(block: Block) -> Iterator[Expr]:
    return (e for s in nodes.walk_block(block) for e in nodes.expressions(s))


def _times(stmts: Iterable[Stmt]) -> Counter[str]:
    return Counter(name for stmt in stmts for name in nodes.targets_of(stmt))


__all__ = ["with_last_taken"]
