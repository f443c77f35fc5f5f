"""Floor 3: whether a loop may begin with an array of one number in place of the number.

`s = 0.0` before `for ...: s = s + v` is a number in the first iteration and an array from then on.
An array of zeros gives the same results, if all that is done with the number until it becomes an
array is elementwise, beside arrays of its later shape.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from s2sgrad.analysis.indexing import size_of
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.assumptions import not_negative
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt, Var
from s2sgrad.ir.sizes import Shape
from s2sgrad.ir.types import Array, List, shape_of

Names = frozenset[str]
NONE: Names = frozenset()


class Differs(Exception):
    """An array would not do what the number does."""


def becomes_arrays(loop: nodes.For, names: Names) -> bool:
    """Whether numbers become arrays in the first iteration of a loop, and meet nothing before
    that could tell. The code is one in which the names are numbers or arrays."""
    return _holds(loop, names, _Reader(shapes=False))


def begun_as_arrays(loop: nodes.For, names: Names) -> bool:
    """The same of code in which the names are arrays: what they meet has their shapes anyway."""
    return _holds(loop, names, _Reader(shapes=True))


def _holds(loop: nodes.For, names: Names, reader: _Reader) -> bool:
    try:
        return runs(loop.sources) and not reader.loop(loop, names) & names
    except Differs:
        return False


def runs(sources: tuple[Expr, ...]) -> bool:
    """Whether a loop over these surely has an iteration, for calls that the code is used for."""
    return all(map(_is_filled, sources))


def _is_filled(source: Expr) -> bool:
    match source:
        case Call(function="count"):
            return True
        case Call(function=function, args=args) if function is range:
            bounds = [size_of(a) for a in args]
            start, stop = (sizes.of(0), bounds[0]) if len(args) == 1 else bounds[:2]
            step = bounds[2].constant if len(args) == 3 and bounds[2] is not None else 1
            if start is None or stop is None or None in bounds or not step:
                return False
            first, last = (start, stop) if step > 0 else (stop, start)
            return not_negative(last - first - sizes.ONE)
    if isinstance(source.type, List) and source.type.count is not None:
        return not_negative(source.type.count - sizes.ONE)
    shape = shape_of(source.type) if isinstance(source.type, Array) else None
    return bool(shape) and shape[0] is not None and not_negative(shape[0] - sizes.ONE)  # type: ignore[index]


class _Ways:
    """What may still be a number where a loop is left, and where it goes on."""

    def __init__(self) -> None:
        self.left: Names = NONE
        self.again: Names = NONE


@dataclass(frozen=True)
class _Reader:
    """Follows the numbers through a loop. shapes: whether those of all arrays are known."""

    shapes: bool

    # --- statements: which names may still hold the number afterwards ----------------------------
    def loop(self, stmt: nodes.For | nodes.While, still: Names) -> Names:
        for expr in nodes.expressions(stmt):
            self.sure(expr, still)
        if isinstance(stmt, nodes.For) and runs(stmt.sources):
            return self._rounds(stmt.body, still)
        return still | self._rounds(stmt.body, still)

    def _rounds(self, body: Block, still: Names) -> Names:
        """What may be a number after the first iteration or any later one."""
        seen: Names = NONE
        while True:
            ways = _Ways()
            end = self.block(body, still | seen, ways)
            after = ways.left | ways.again | (end or NONE)
            if after <= seen:
                return after
            seen |= after

    def block(self, block: Block, still: Names, ways: _Ways) -> Names | None:
        """None where the end of the block is not reached."""
        for stmt in block:
            match stmt:
                case nodes.Exit(kind="break"):
                    ways.left |= still
                    return None
                case nodes.Exit():
                    ways.again |= still
                    return None
                case nodes.If(test=test, then=then, orelse=orelse):
                    self.sure(test, still)
                    ends = [self.block(side, still, ways) for side in (then, orelse)]
                    if ends == [None, None]:
                        return None
                    still = NONE.union(*(end for end in ends if end is not None))
                case nodes.For() | nodes.While():
                    still = self.loop(stmt, still)
                case _:
                    still = self.plain(stmt, still)
        return still

    def plain(self, stmt: Stmt, still: Names) -> Names:
        match stmt:
            case nodes.Assign(targets=targets, values=values):
                kept = [t for t, v in zip(targets, values, strict=True) if self.number(v, still)]
                if any(isinstance(v, Var) and v.name in still for v in values) and not stmt.move:
                    raise Differs  # another name for it: a change in place would be seen there
                return (still - set(targets)) | set(kept)
            case nodes.Store(base=Var(name=name) as base, index=(), value=value) if name in still:
                self.sure(value, still)
                return still - {name} if self.covers([value], base) else still
            case nodes.Store(base=base, index=index, value=value):
                for part in (base, *index):
                    self.sure(part, still)
                if self.number(value, still) and not self.covers([base], value):
                    raise Differs
                return still
        for expr in nodes.expressions(stmt):
            self.sure(expr, still)
        return still - set(nodes.targets_of(stmt))

    # --- expressions: whether they may still be numbers ------------------------------------------
    def sure(self, expr: Expr, still: Names) -> None:
        if self.number(expr, still):
            raise Differs

    def number(self, expr: Expr, still: Names) -> bool:
        """Whether an expression gives a number where the names hold one, and an array else."""
        if not nodes.names_in(expr) & still:
            return False
        match expr:
            case Var():
                return True
            case nodes.Choice(test=test, then=then, orelse=orelse):
                self.sure(test, still)
                return any([self.number(then, still), self.number(orelse, still)])
            case Call(args=args, kwargs=()) if _is_elementwise(expr):
                doubtful = [self.number(a, still) for a in args]
                others = [a for a, d in zip(args, doubtful, strict=True) if not d]
                return any(doubtful) and not self.covers(others, expr)
        for child in nodes.children(expr):
            self.sure(child, still)
        return False

    def covers(self, exprs: list[Expr], whole: Expr) -> bool:
        """Whether operands beside numbers make an array of the result, in its whole shape."""
        if not self.shapes:
            return any(isinstance(e.type, Array) for e in exprs)
        shape: Shape = ()
        for expr in exprs:
            found = shape_of(expr.type)
            if found is None:
                return False
            shape = sizes.broadcast(shape, found)
        return sizes.known(shape) and shape == shape_of(whole.type)


def _is_elementwise(call: Call) -> bool:
    function = call.function
    return function is np.where or (isinstance(function, np.ufunc) and function.signature is None)


__all__ = ["becomes_arrays", "begun_as_arrays", "runs"]
