"""Floor 6: which loop runs inside which: the innermost should go along memory.

`for k: for i, j: x[i, j, k]` becomes `for i, j: for k: x[i, j, k]` where points (i, j) keep out
of each other's way: the nest is then joined to its neighbours, and rows stay at hand. A nest that
runs along memory as it stands is left alone: LLVM makes vectors of it, and none of a loop in which
each turn goes on from the one before. Two loops of the user's that the reverse sweep walks
backwards change places if all they do is to add: it may add in any order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.contraction import allocated
from s2sgrad.backend.loops.distribute import range_of, summed_in
from s2sgrad.backend.loops.forwards import alone, is_plain, only_added
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import Access, apart, every, live_after, touches
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Stmt
from s2sgrad.transform.writing.rewrite import map_loops

STRIDE = 4  # what an entry in another row counts for, where one in the same row counts for 1


def interchanged(body: Block, groups: Groups) -> Block:
    """The body with loops over nests turned inside out where memory is laid out that way."""
    stmts = every(body)
    own = frozenset(name for s in stmts if (name := allocated(s)))
    return _Turning(groups, own, _crossed(stmts, own), live_after(body)).block(body)


@dataclass(frozen=True)
class _Turning:
    """own: arrays made here, whose axes may be laid out in another order (see layout.py).

    after: loop (by its id) -> what is read after it.
    """

    groups: Groups
    own: frozenset[str]
    crossed: frozenset[str]
    after: dict[int, frozenset[str]]

    def block(self, block: Block) -> Block:
        return map_loops(block, self._loop)

    def _loop(self, loop: nodes.For | nodes.While) -> list[Stmt]:
        if isinstance(loop, nodes.While):
            return [replace(loop, body=self.block(loop.body))]
        swapped = _swapped(loop, self.after[id(loop)], self.groups)
        made = swapped or replace(loop, body=self.block(loop.body))
        return [self._turned(made) or made]

    def _turned(self, loop: nodes.For) -> Nest | None:
        """The loop inside its only nest; None where that is not the same, or no better."""
        nest = _only_nest(loop)
        if nest is None:
            return None
        found = touches(nest.body)
        inside = found.writes | found.counters | set(loop.targets)
        if found.odd or (found.writes - found.first - found.summed):
            return None
        if any(nodes.names_in(e.count) & inside for e in nest.extents):
            return None
        if not apart(found.arrays, found.arrays, nest.indices, self.groups):
            return None
        if len(loop.targets) != 1:
            return None
        if not _crosses(nest, found.arrays, self.own - self.crossed):
            return None
        inner, now = (
            _price(c, found.arrays, self.own) for c in (loop.targets[0], nest.indices[-1])
        )
        return replace(nest, body=(replace(loop, body=nest.body),)) if inner < now else None


def _swapped(loop: nodes.For, after: frozenset[str], groups: Groups) -> nodes.For | None:
    """A loop around another one as the inner of the two; None as for `_turned`."""
    match loop:
        case nodes.For(targets=(outer,), backwards=True, body=(nodes.For(backwards=True) as pair,)):
            inner, body = pair.targets[-1], pair.body
        case _:
            return None
    if range_of(loop) is None or range_of(pair) is None or not all(map(is_plain, body)):
        return None
    found, sums = touches(body), summed_in(pair)
    if not alone(loop, found, sums, after) or not alone(pair, found, sums, after):
        return None
    if any(nodes.names_in(e) & {*found.writes, outer} for e in pair.sources):
        return None
    arrays = [a for a in found.arrays if a[0] not in sums]
    if not only_added(arrays, groups):
        return None
    outside, inside = (_price(c, arrays, frozenset()) for c in (outer, inner))
    return replace(pair, body=(replace(loop, body=body),)) if outside < inside else None


def _only_nest(loop: nodes.For) -> Nest | None:
    """The nest that is all a loop does, over axes of more than one entry each."""
    match loop.body:
        case (Nest(indices=(_, *_)) as nest,):
            return nest
    return None


def _crossed(stmts: list[Stmt], own: frozenset[str]) -> frozenset[str]:
    """Arrays made here that loops over nests use together with rows that the nests run across."""
    nests = [nest for s in stmts if isinstance(s, nodes.For) and (nest := _only_nest(s))]
    used = [(nest, touches(nest.body).arrays) for nest in nests]
    crossed: frozenset[str] = frozenset()
    while True:
        rows = [a for nest, a in used if _crosses(nest, a, own - crossed)]
        found = own & {name for arrays in rows for name, *_ in arrays}
        if found == crossed:
            return crossed
        crossed = found


def _crosses(nest: Nest, arrays: list[Access], free: frozenset[str]) -> bool:
    """Whether a nest leaps from row to row in arrays other than those free to be laid out anew."""
    return STRIDE in _prices(nest.indices[-1], arrays, free)


def _price(counter: str, arrays: list[Access], own: frozenset[str]) -> int:
    """What the entries cost that an innermost loop with this counter goes to: nothing if it is
    one and the same, little if they lie side by side."""
    return sum(_prices(counter, arrays, own))


def _prices(counter: str, arrays: list[Access], own: frozenset[str]) -> list[int]:
    prices = []
    for name, index, _ in arrays:
        where = [k for k, part in enumerate(index or ()) if counter in nodes.names_in(part)]
        if where:
            along = where == [len(index or ()) - 1] or name in own
            prices.append(1 if along else STRIDE)
    return prices
