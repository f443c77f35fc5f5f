"""Floor 6: innermost loops that go backwards, forwards where the order does not matter.

The reverse sweep walks loops from their ends. LLVM turns each vector around that such a loop reads
or writes, or makes no vectors of it: products of rows take three times as long.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.distribute import range_of, summed_in
from s2sgrad.backend.loops.elements import is_scalar
from s2sgrad.backend.loops.touches import Access, Touches, apart, live_after, touches
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Function, Stmt
from s2sgrad.transform.writing.rewrite import map_loops


def forwards(function: Function, groups: Groups) -> Function:
    """The function with such loops turned."""
    turning = _Forwards(groups, live_after(function.body))
    return replace(function, body=turning.block(function.body))


class _Forwards:
    """after: loop (by its id) -> what is read after it."""

    def __init__(self, groups: Groups, after: dict[int, frozenset[str]]) -> None:
        self.groups, self.after = groups, after

    def block(self, block: Block) -> Block:
        return map_loops(block, self._loop)

    def _loop(self, loop: nodes.For | nodes.While) -> list[Stmt]:
        body = self.block(loop.body)
        if isinstance(loop, nodes.While):
            return [replace(loop, body=body)]
        backwards = loop.backwards and not self._in_any_order(loop)
        return [replace(loop, body=body, backwards=backwards)]

    def _in_any_order(self, loop: nodes.For) -> bool:
        """Whether the iterations keep out of each other's way, but for what they add up."""
        if range_of(loop) is None or not all(map(is_plain, loop.body)):
            return False
        found, sums = touches(loop.body), summed_in(loop)
        if not alone(loop, found, sums, self.after[id(loop)]):
            return False
        (counter,) = loop.targets
        arrays = [a for a in found.arrays if a[0] not in sums]
        return apart(arrays, arrays, (counter,), self.groups) or only_added(arrays, self.groups)


def is_plain(stmt: Stmt) -> bool:
    """Whether a statement sets a number, or writes one entry or a sum."""
    match stmt:
        case nodes.Assign(targets=(_,), values=(value,)):
            return is_scalar(value)
        case nodes.Store(base=nodes.Var(), value=value):
            return is_scalar(value)
        case nodes.Comment():
            return True
    return False


def alone(loop: nodes.For, found: Touches, sums: set[str], after: frozenset[str]) -> bool:
    """Whether nothing but arrays and sums goes on from an iteration to another, or out of the loop.

    found: what is read and written inside; sums: numbers that are only added to there.
    """
    counters = found.counters | set(loop.targets)
    own = {*found.writes, *counters} - sums - found.summed
    return not (
        found.odd
        or found.writes - found.first - found.summed - sums
        or counters & found.writes
        or after & own
    )


def only_added(arrays: list[Access], groups: Groups) -> bool:
    """Whether arrays that are written are added to, and touched in no other way."""
    written = {groups.of(name) for name, _, mode in arrays if mode != "r"}
    return all(mode == "a" or groups.of(name) not in written for name, _, mode in arrays)


__all__ = ["alone", "forwards", "is_plain", "only_added"]
