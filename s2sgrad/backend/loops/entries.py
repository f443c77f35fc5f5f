"""Floor 6: arrays of which a loop uses nothing but single entries, counted from the start.

Such an array may be longer than it was asked for: nobody sees how long it is.
"""

from __future__ import annotations

from s2sgrad.backend.loops.ranges import Moment
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, Scalar


def only_entries(name: str, loop: nodes.For | nodes.While) -> bool:
    """Whether a loop uses nothing else of an array but where it is made, and never ends early."""
    if any(isinstance(s, nodes.Exit | nodes.Return) for s in nodes.walk_block(loop.body)):
        return False
    return _Reader(name).block((loop,))


class _Reader:
    """Walks a block with the ranges of the counters at each place."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.moment = Moment()

    def block(self, block: Block) -> bool:
        return all(map(self.statement, block))

    def statement(self, stmt: Stmt) -> bool:
        match stmt:
            case nodes.For(sources=sources, body=body):
                good = all(map(self.expr, sources))
                self.moment.enter(stmt)
                good = good and self.block(body)
                self.moment.leave(stmt)
                return good
            case nodes.If(test=test, then=then, orelse=orelse):
                return self.expr(test) and self.block(then) and self.block(orelse)
            case nodes.Store(base=Var(name=name) as base, index=index, value=value):
                entry = name != self.name or self._entry(base, index)
                return entry and all(map(self.expr, (*index, value)))
            case nodes.Assign():
                return all(map(self.expr, stmt.values))
        return not any(map(self._named, _all_of(stmt)))

    def expr(self, expr: Expr) -> bool:
        match expr:
            case Var(name=name):
                return name != self.name
            case Index(base=Var(name=name) as base, index=index) if name == self.name:
                return self._entry(base, index) and all(map(self.expr, index))
        return all(map(self.expr, nodes.children(expr)))

    def _named(self, expr: Expr) -> bool:
        return self.name in nodes.names_in(expr)

    def _entry(self, base: Var, index: tuple[Expr, ...]) -> bool:
        """Whether a subscript takes one entry for certain, counted from the start."""
        if not isinstance(base.type, Array) or len(base.type.shape or ()) != len(index):
            return False
        if not all(isinstance(p.type, Scalar) for p in index):
            return False
        places = [self.moment.value(p) for p in index]
        return all(p is not None and self.moment.not_negative(p) for p in places)


def _all_of(stmt: Stmt) -> list[Expr]:
    """Every expression in a statement, and in those inside it."""
    return [e for s in nodes.walk_block((stmt,)) for e in nodes.expressions(s)]


__all__ = ["only_entries"]
