"""Floor 5: cotangents that each trip of a loop begins anew: zero is a number for them.

    for k in reversed(range(n)):                for k in reversed(range(n)):
        y_bar = y_bar + x_bar * w                   y_bar = y_bar + x_bar * w
        ...                                         ...
        y_bar = np.zeros_like(y)                    y_bar = 0.0

What is added first has the whole shape, and y need not be kept for its shape alone.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from s2sgrad.analysis.liveness import read_after
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Expr, Stmt, Store, Var
from s2sgrad.ir.types import FLOAT
from s2sgrad.transform.writing.displays import MayDiffer, exact
from s2sgrad.transform.writing.rewrite import mentions


def with_number_zeros(block: Block, differs: MayDiffer) -> Block:
    """The block with the number 0.0 for zeros to which whole arrays are added first."""
    return _Zeros(block, differs).block(block)


class _Zeros:
    """Rebuilds the loops of a block."""

    def __init__(self, whole: Block, differs: MayDiffer) -> None:
        self.whole, self.differs = whole, differs

    @cached_property
    def after(self) -> dict[int, frozenset[str]]:
        """The names that are read after each statement."""
        return read_after(self.whole)

    def block(self, block: Block) -> Block:
        new = tuple(map(self.statement, block))
        return block if all(a is b for a, b in zip(new, block, strict=True)) else new

    def statement(self, stmt: Stmt) -> Stmt:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                sides = self.block(then), self.block(orelse)
                same = sides[0] is then and sides[1] is orelse
                return stmt if same else replace(stmt, then=sides[0], orelse=sides[1])
            case nodes.For(body=body) | nodes.While(body=body):
                new = tuple(
                    _number(s) if self._begins_anew(s, k, stmt) else s
                    for k, s in enumerate(self.block(body))
                )
                return stmt if new == body else replace(stmt, body=new)
        return stmt

    def _begins_anew(self, zeros: Stmt, place: int, loop: nodes.For | nodes.While) -> bool:
        """Whether a statement of a loop makes zeros for the next trip, which adds to them first."""
        match zeros:
            case Assign(targets=(name,), values=(Call(function=np.zeros_like),), span=None):
                met = [k for k, s in enumerate(loop.body) if mentions(s, name)]
                kind = zeros.values[0].type
            case _:
                return False
        if len(met) < 2 or met[-1] != place or any(map(_leaves, nodes.walk_block(loop.body))):
            return False
        term = _term(loop.body[met[0]], name)
        if term is None or not exact(term.type, kind, self.differs):
            return False
        return name not in self.after.get(id(loop), {name})


def _leaves(stmt: Stmt) -> bool:
    return isinstance(stmt, nodes.Exit | nodes.Return | nodes.Splice)


def _term(stmt: Stmt, name: str) -> Expr | None:
    """What a statement adds to a variable."""
    match stmt:
        case Assign(targets=(target,), values=(Call(form="operator", text="+", args=args),)):
            found = args[1] if target == name and args[0] == Var(name, type=args[0].type) else None
        case Store(base=Var(name=target), index=(), value=value, op="+"):
            found = value if target == name else None
        case _:
            return None
    return None if found is None or name in nodes.names_in(found) else found


def _number(stmt: Stmt) -> Stmt:
    assert isinstance(stmt, Assign)
    return replace(stmt, values=(nodes.Const(0.0, type=FLOAT),))


__all__ = ["with_number_zeros"]
