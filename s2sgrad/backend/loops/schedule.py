"""Floor 6: which nests of a block run as one, and in what order the block's statements stand.

Statements and what they need of each other form a graph without circles. Nests over the same space
are joined in it, first those that hand whole arrays on to each other, as long as no statement
between them needs the one and is needed by the other. Then the graph is written down again, each
statement as early as it was where it may be.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.extents import Extent
from s2sgrad.backend.loops.fusion import is_check, together
from s2sgrad.backend.loops.made_new import AtOnePlace, NewArrays
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import Touches, touches
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt

LARGEST = 200  # statements of a joined nest: beyond, LLVM has no registers left
HANDED_ON = 4  # what an array that is handed on counts for
PAIRS = 4000  # pairs of nests that are looked at
_ORDERLY = frozenset(
    {"np.empty", "np.zeros", "np.ones", "np.full", "np.zeros_like", "np.empty_like", "copy",
     "shape", "size", "T", "ndim", "slice_bound", "range", "len", "masked_entry"}
)  # fmt: skip


def scheduled(block: Block, groups: Groups) -> Block:
    """The block, and all in it, with nests joined."""
    return _scheduled(block, NewArrays(groups))


def _scheduled(block: Block, new: NewArrays) -> Block:
    """The block, at which these arrays are known to be new."""
    result: list[Stmt] = []
    run: list[_Part] = []
    for stmt in block:
        match stmt:
            case Nest(body=body):
                part = replace(stmt, body=scheduled(body, new.groups))
                run.append(_Part(part, new.own()))
                continue
            case nodes.If(then=then, orelse=orelse) if not is_check(stmt):
                made: Stmt = replace(stmt, then=_inside(then, new), orelse=_inside(orelse, new))
            case nodes.For(body=body) | nodes.While(body=body):
                made = replace(stmt, body=_inside(body, new))
            case nodes.Assign() | nodes.Store() | nodes.Comment() | nodes.If():
                own = new.own()
                new.after(stmt)
                run.append(_Part(stmt, own, new.handed_on(own)))
                continue
            case _:
                made = stmt
        new.after(stmt)
        result += [*_run(run, new.groups), made]
        run = []
    return (*result, *_run(run, new.groups))


def _inside(block: Block, new: NewArrays) -> Block:
    return _scheduled(block, new.entering(block))


@dataclass(frozen=True)
class _Part:
    """A statement. own: the arrays that one name alone holds there, by that name; handed: those
    that it gives another name."""

    stmt: Stmt
    own: dict[str, str]
    handed: frozenset[str] = frozenset()


def _run(parts: list[_Part], groups: Groups) -> list[Stmt]:
    """Statements without loops of the user's, in their new order."""
    if sum(isinstance(p.stmt, Nest) for p in parts) < 2:
        return [p.stmt for p in parts]
    graph = _Graph(parts, groups)
    graph.join()
    return graph.written()


@dataclass
class _Node:
    """A statement, or nests that were joined. place: where it stood. before: comments on it.

    above, below: the nodes that must run earlier and later, as bits. own, handed: see `_Part`.
    level: how many loops must have ended before it, one after the other, for what they sum up.
    """

    stmt: Stmt
    place: int
    touched: Touches
    own: dict[str, str]
    handed: frozenset[str] = frozenset()
    before: list[Stmt] = field(default_factory=list)
    above: int = 0
    below: int = 0
    size: int = 1
    level: int = 0


class _Graph:
    def __init__(self, parts: list[_Part], groups: Groups) -> None:
        self.groups = groups
        self.nodes: list[_Node | None] = []
        comments: list[Stmt] = []
        for part in parts:
            stmt = part.stmt
            if isinstance(stmt, nodes.Comment):
                comments.append(stmt)
                continue
            place = len(self.nodes)
            touched = touches((stmt,))
            named = {n for n, _, _ in touched.arrays} | part.handed
            own = {n: key for n, key in part.own.items() if n in named}
            node = _Node(stmt, place, touched, own, part.handed, comments, size=_count(stmt))
            self.nodes.append(node)
            comments = []
        self.last = comments
        self._find_needs()

    # --- what needs what ---------------------------------------------------------------------
    def _find_needs(self) -> None:
        users: dict[str, _Users] = {}
        checks = 0
        for k, node in enumerate(self.nodes):
            assert node is not None
            direct = 0
            for key, mode in self._uses(node).items():
                direct |= users.setdefault(key, _Users()).note(k, mode)
            if isinstance(node.stmt, Nest):
                direct |= checks
            elif isinstance(node.stmt, nodes.If):
                checks |= 1 << k
            node.above = direct | self._all(direct, "above")
            node.level = max((self._after(j, node) for j in _bits(direct)), default=0)
        for node in reversed(self.nodes):
            assert node is not None
            for j in _bits(node.above):
                self._at(j).below |= 1 << node.place

    def _after(self, k: int, node: _Node) -> int:
        """The level of a statement that needs statement k."""
        earlier = self._at(k)
        if not isinstance(earlier.stmt, Nest):
            return earlier.level
        counter, found = set(earlier.stmt.indices[:1]), earlier.touched
        sums = {
            self.groups.of(name)
            for name, index, mode in found.arrays
            if mode != "r" and not any(counter & nodes.names_in(part) for part in index or ())
        }
        used = {self.groups.of(name) for name, _, _ in node.touched.arrays}
        return earlier.level + bool(sums & used or found.writes & node.touched.reads)

    def _at(self, k: int) -> _Node:
        node = self.nodes[k]
        assert node is not None
        return node

    def _all(self, bits: int, side: str) -> int:
        found = 0
        for k in _bits(bits):
            found |= getattr(self._at(k), side)
        return found

    def _uses(self, node: _Node) -> dict[str, str]:
        """Names and memory that a statement uses: 'r' reads, 'w' writes, 'a' adds to."""
        found: dict[str, str] = {}
        for name in node.touched.reads:
            found[name] = "r"
        for name in node.touched.writes:
            found[name] = "w"
        for name, _, mode in node.touched.arrays:
            key = f"[{node.own.get(name) or self.groups.of(name)}]"
            found[key] = mode if found.get(key, mode) == mode else "w"
        for name in node.handed:  # from here on it is one of its group
            found[f"[{node.own[name]}]"] = found[f"[{self.groups.of(name)}]"] = "w"
        if node.touched.odd or not _orderly(node.stmt):
            found["[order]"] = "w"
        return found

    # --- joining -----------------------------------------------------------------------------
    def join(self) -> None:
        """Join nests, those with most in common first, and of these those of one level: then few
        loops run one after the other. Then also nests of which one has more loops, and what the
        other hands on is used in them."""
        members = [k for k, n in enumerate(self.nodes) if n and isinstance(n.stmt, Nest)]
        common = self._common(members)
        ordered = sorted((-weight, self._differs(a, b), a, b) for (a, b), weight in common.items())
        pairs = [(weight, a, b) for weight, _, a, b in ordered[:PAIRS]]
        heir = {k: k for k in members}
        while self._pass(pairs, heir, False) or self._pass(pairs, heir, True):
            pass

    def _differs(self, a: int, b: int) -> bool:
        return self._at(a).level != self._at(b).level

    def _pass(self, pairs: list[tuple[int, int, int]], heir: dict[int, int], partly: bool) -> bool:
        """Whether any nests could be joined."""
        found = False
        for weight, a, b in pairs:
            while heir[a] != a:
                a = heir[a]
            while heir[b] != b:
                b = heir[b]
            if a == b or (partly and weight > -HANDED_ON):
                continue
            first, second = sorted((a, b))
            if self._fit(first, second, partly) and self._joined(first, second):
                heir[second] = first
                found = True
        return found

    def _fit(self, a: int, b: int, partly: bool) -> bool:
        """Whether the spaces of nests are the same (or one has all of the other's loops)."""
        one, two = _space(self._at(a).stmt), _space(self._at(b).stmt)
        shorter = min(len(one), len(two))
        return _same(one[:shorter], two[:shorter]) and (partly or len(one) == len(two))

    def _common(self, members: list[int]) -> Counter[tuple[int, int]]:
        """How much nests have in common: arrays handed on count for more than arrays read."""
        users: dict[str, list[tuple[int, str]]] = {}
        for k in members:
            for key, mode in self._uses(self._at(k)).items():
                if key.startswith("["):
                    users.setdefault(key, []).append((k, mode))
        found: Counter[tuple[int, int]] = Counter()
        for uses in users.values():
            if len(uses) > 40:
                uses = uses[:40]
            for (a, one), (b, two) in combinations(uses, 2):
                found[a, b] += 1 if one == two == "r" else HANDED_ON
        return found

    def _joined(self, a: int, b: int) -> bool:
        """Join node b to node a; False where that can't be."""
        one, two = self._at(a), self._at(b)
        own = (1 << a) | (1 << b)
        if (one.below & two.above | two.below & one.above) & ~own:
            return False
        if one.size + two.size > LARGEST:
            return False
        first, second = (two, one) if two.below >> a & 1 else (one, two)
        assert isinstance(first.stmt, Nest) and isinstance(second.stmt, Nest)
        alone = {**one.own, **two.own}
        for node in (one, two):
            used = {n for n, _, _ in node.touched.arrays} & alone.keys()
            if any(node.own.get(n) != alone[n] for n in used):
                return False  # a name that stands for another array in one of them
        known = self.groups if not alone else AtOnePlace(self.groups, alone)
        new = together(first.stmt, second.stmt, known, scheduled)
        longest = max(_space(first.stmt), _space(second.stmt), key=len)
        if new is None or not _same(_space(new), longest):
            return False
        above, below = (one.above | two.above) & ~own, (one.below | two.below) & ~own
        size, before = one.size + two.size, one.before + two.before
        touched = touches((new,))
        self.nodes[a] = _Node(new, a, touched, alone, frozenset(), before, above, below, size)
        self.nodes[b] = None
        self._spread(a, b, above, below)
        return True

    def _spread(self, a: int, b: int, above: int, below: int) -> None:
        """What is above the joined node is above all below it."""
        for k in _bits(above):
            node = self._at(k)
            node.below = (node.below | below | 1 << a) & ~(1 << b)
        for k in _bits(below):
            node = self._at(k)
            node.above = (node.above | above | 1 << a) & ~(1 << b)

    # --- writing down ------------------------------------------------------------------------
    def written(self) -> list[Stmt]:
        """The statements, each after all that it needs, otherwise in their old order."""
        left = {k: node for k, node in enumerate(self.nodes) if node is not None}
        waiting = {k: node.above for k, node in left.items()}
        ready = [k for k, above in waiting.items() if not above]
        heapq.heapify(ready)
        result: list[Stmt] = []
        while ready:
            k = heapq.heappop(ready)
            result += [*left[k].before, left[k].stmt]
            for j in _bits(left[k].below):
                waiting[j] &= ~(1 << k)
                if not waiting[j]:
                    heapq.heappush(ready, j)
        return [*result, *self.last]


@dataclass
class _Users:
    """The statements that last wrote something, and have read it or added to it since, as bits."""

    written: int = 0
    added: int = 0
    read: int = 0

    def note(self, k: int, mode: str) -> int:
        """Note a use by statement k; which statements must run before it."""
        if mode == "r":
            needed = self.written | self.added
            self.read |= 1 << k
        elif mode == "a":
            needed = self.written | self.read
            self.added |= 1 << k
        else:
            needed = self.written | self.added | self.read
            self.written, self.added, self.read = 1 << k, 0, 0
        return needed & ~(1 << k)


def _bits(bits: int) -> Iterable[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _orderly(stmt: Stmt) -> bool:
    """Whether a statement only computes: it does nothing else, so that its place is free."""
    return all(_plain(e) for e in nodes.expressions(stmt)) if not isinstance(stmt, Nest) else True


def _plain(expr: Expr) -> bool:
    if isinstance(expr, Call) and expr.form != "operator":
        known = isinstance(expr.function, np.ufunc) or expr.text in _ORDERLY
        if not known:
            return False
    return all(map(_plain, nodes.children(expr)))


def _space(stmt: Stmt) -> tuple[Extent, ...]:
    """The lengths of the loops of a nest and of the deepest nest in it."""
    if not isinstance(stmt, Nest):
        return ()
    inner = max((_space(s) for s in stmt.body), key=len, default=())
    return (*stmt.extents, *inner)


def _same(one: tuple[Extent, ...], two: tuple[Extent, ...]) -> bool:
    return len(one) == len(two) and all(a.same(b) for a, b in zip(one, two, strict=True))


def _count(stmt: Stmt) -> int:
    return 1 + sum(_count(s) for s in stmt.body) if isinstance(stmt, Nest) else 1


__all__ = ["scheduled"]
