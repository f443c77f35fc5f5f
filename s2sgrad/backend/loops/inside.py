"""Floor 6: numbers with which every subscript surely lies within its axis.

Compiled code asks of an index that a run computes whether it lies beside the array: the question
keeps LLVM from making vectors of a loop. For counters whose ranges are known, beside the lengths of
all arrays they count along, nothing needs to be asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2sgrad.backend.loops.narrowing import narrowed
from s2sgrad.backend.loops.ranges import Moment
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Function, Index, Stmt, Var
from s2sgrad.ir.sizes import ONE, Size
from s2sgrad.ir.types import Array, Scalar


def with_counted(function: Function) -> Function:
    """The function, with what is known of its counters."""
    return replace(function, inside=counted_inside(function.body))


def counted_inside(body: Block) -> frozenset[str]:
    """Counters that only count entries there are: alone in a subscript, or with a constant."""
    reader = _Reader()
    reader.block(body)
    return frozenset(reader.inside - reader.doubtful)


class _Reader:
    """Walks a block with the ranges of the counters at each place."""

    def __init__(self) -> None:
        self.moment = Moment()
        self.inside: set[str] = set()
        self.doubtful: set[str] = set()

    def block(self, block: Block) -> None:
        for stmt in block:
            self.statement(stmt)

    def statement(self, stmt: Stmt) -> None:
        for expr in nodes.expressions(stmt):
            self.expr(expr)
        match stmt:
            case nodes.Store(base=base, index=index):
                self._subscript(base, index)
            case nodes.For(body=body):
                self.moment.enter(stmt)
                self.block(body)
                self.moment.leave(stmt)
            case nodes.If(test=test, then=then, orelse=orelse):
                with narrowed(self.moment, test):
                    self.block(then)
                with narrowed(self.moment, test, holds=False):
                    self.block(orelse)
            case _:
                for block in nodes.blocks(stmt):
                    self.block(block)

    def expr(self, expr: Expr) -> None:
        """Look at the subscripts in an expression."""
        match expr:
            case Call(form="operator", text="and" | "or" as text, args=(first, *rest)):
                self.expr(first)
                with narrowed(self.moment, first, holds=text == "and"):
                    for part in rest:
                        self.expr(part)
                return
            case nodes.Choice(test=test, then=then, orelse=orelse):
                self.expr(test)
                with narrowed(self.moment, test):
                    self.expr(then)
                with narrowed(self.moment, test, holds=False):
                    self.expr(orelse)
                return
            case Index(base=base, index=index):
                self._subscript(base, index)
        for part in nodes.children(expr):
            self.expr(part)

    def _subscript(self, base: Expr, index: tuple[Expr, ...]) -> None:
        kind = base.type
        shape = kind.shape if isinstance(kind, Array) else None
        plain = shape is not None and all(isinstance(p.type, Scalar) for p in index)
        for axis, part in enumerate(index):
            for name in counted_with(part):
                size = shape[axis] if plain and shape is not None and axis < len(shape) else None
                fits = name in self.moment.counters and self._fits(part, size)
                (self.inside if fits else self.doubtful).add(name)

    def _fits(self, part: Expr, size: Size | None) -> bool:
        value = self.moment.value(part)
        if size is None or value is None:
            return False
        return self.moment.not_negative(value, size - ONE - value)


def counted_with(part: Expr) -> Iterator[str]:
    """The name in a subscript that is a name, or its sum or difference with a constant."""
    match part:
        case Var(name=name, type=Scalar()):
            yield name
        case Call(form="operator", text="+" | "-", args=(Var(name=name), Const())):
            yield name


__all__ = ["with_counted"]
