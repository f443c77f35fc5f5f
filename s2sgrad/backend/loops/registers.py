"""Floor 6: what an innermost loop adds to one entry of an array is added up in a register.

`for j: a[i] += x[j] * y[j]` becomes `total = 0; for j: total += x[j] * y[j]; a[i] += total`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.extents import integer
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.reductions import stepped
from s2sgrad.backend.loops.touches import arrays_read, touches
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Stmt, Var
from s2sgrad.ir.sizes import least
from s2sgrad.ir.types import BOOL, FLOAT, INT, Array, Scalar, Type

_FLOATS = ("float64", "float")


class Registers:
    """Takes such sums out of the innermost loops of one function."""

    def __init__(self, groups: Groups, names: Names, types: dict[str, Type]) -> None:
        self.groups, self.names, self.types = groups, names, types

    def block(self, block: Block) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case Nest():
                    result += self._nest(replace(stmt, body=self.block(stmt.body)))
                    continue
                case nodes.If(then=then, orelse=orelse):
                    stmt = replace(stmt, then=self.block(then), orelse=self.block(orelse))
                case nodes.For(body=body):
                    result += self._loop(replace(stmt, body=self.block(body)))
                    continue
                case nodes.While(body=body):
                    stmt = replace(stmt, body=self.block(body))
            result.append(stmt)
        return tuple(result)

    def _nest(self, nest: Nest) -> list[Stmt]:
        if not nest.indices:
            return [nest]
        *outer, last = nest.indices
        sums = self._sums(nest.body, {last})
        if not sums:
            return [nest]
        extent = nest.extents[-1]
        before, body, after = self._taken(nest.body, sums)
        inner = replace(nest, indices=(last,), extents=(extent,), body=body)
        smallest = None if extent.size is None else least(extent.size)
        if smallest is None or smallest < 1:
            test = Call(np.greater, ">", (extent.count, integer(0)), form="operator", type=BOOL)
            after = (nodes.If(test, after, ()),)
        block = (*before, inner, *after)
        if not outer:
            return list(block)
        return [replace(nest, indices=tuple(outer), extents=nest.extents[:-1], body=block)]

    def _loop(self, loop: nodes.For) -> list[Stmt]:
        source = loop.sources[0]
        counted = isinstance(source, Call) and source.function in (range, "range")
        if not counted or len(loop.targets) != 1:
            return [loop]
        if loop.backwards:
            loop = replace(loop, body=_in_any_order(loop.body))
        sums = self._sums(loop.body, set(loop.targets))
        if not sums:
            return [loop]
        before, body, after = self._taken(loop.body, sums, loop.backwards)
        held, source = self._held(source, loop)  # type: ignore[arg-type]
        trips = Call(len, "len", (source,), type=Scalar("int"))
        test = Call(np.greater, ">", (trips, integer(0)), form="operator", type=BOOL)
        loop = replace(loop, sources=(source,), body=body)
        ends = [a.value for a in source.args if isinstance(a, Const)]
        if len(ends) == len(source.args) and len(range(*ends)) > 0:
            return [*held, *before, loop, *after]
        return [*held, *before, loop, nodes.If(test, after, ())]

    def _held(self, source: Call, loop: nodes.For) -> tuple[list[Stmt], Call]:
        """The range in terms of what is the same after the loop, and statements that name it: its
        bounds may be taken out of a list, or change inside."""
        changed = nodes.bound_in((loop,))
        held: list[Stmt] = []
        args: list[Expr] = []
        for arg in source.args:
            stays = isinstance(arg, Const) or (isinstance(arg, Var) and arg.name not in changed)
            if not stays:
                name = self.names.fresh("bound")
                self.types[name] = INT
                held.append(nodes.Assign((name,), (arg,), span=loop.span))
                arg = Var(name, type=INT)
            args.append(arg)
        return held, replace(source, args=tuple(args))

    def _sums(self, body: Block, counters: set[str]) -> list[nodes.Store]:
        """The additions to an entry that stays, in arrays that are touched in no other way."""
        if not all(isinstance(s, nodes.Store | nodes.Assign) for s in body):
            return []
        found = touches(body)
        if found.odd:
            return []
        moving = found.writes | found.counters | counters
        touched = [self.groups.of(name) for name, _, _ in found.arrays]
        written = {self.groups.of(name) for name, _, mode in found.arrays if mode != "r"}
        return [
            s
            for s in body
            if isinstance(s, nodes.Store)
            and s.op in ("+", "-")
            and isinstance(s.base, Var)
            and isinstance(s.base.type, Array)
            and s.base.type.dtype == "float64"
            and isinstance(s.value.type, Scalar)
            and s.value.type.dtype in _FLOATS
            and bool(s.index)
            and all(isinstance(p.type, Scalar) or isinstance(p, Const) for p in s.index)
            and not any(nodes.names_in(p) & moving for p in s.index)
            and not written & {self.groups.of(n) for n in arrays_read(s.index)}
            and touched.count(self.groups.of(s.base.name)) == 1
        ]

    def _taken(
        self, body: Block, sums: list[nodes.Store], free: bool = True
    ) -> tuple[Block, Block, Block]:
        """Statements before, inside and after the loop. free: whether any order will do."""
        before: list[Stmt] = []
        inside: list[Stmt] = []
        after: list[Stmt] = []
        for stmt in body:
            if not any(stmt is s for s in sums):
                inside.append(stmt)
                continue
            assert isinstance(stmt, nodes.Store)
            name = self.names.fresh("total")
            self.types[name] = FLOAT
            total = Var(name, type=FLOAT)
            before.append(nodes.Assign((name,), (Const(0.0, type=FLOAT),), span=stmt.span))
            step = stepped("sum", total, stmt.value) if free else _next(total, stmt.value)
            inside.append(nodes.Assign((name,), (step,), span=stmt.span))
            after.append(replace(stmt, value=total))
        return tuple(before), tuple(inside), tuple(after)


def _in_any_order(body: Block) -> Block:
    """The statements of an innermost loop of the reverse sweep: what it adds to a cotangent that
    is one number may be added up in any order."""
    if not all(isinstance(s, nodes.Store | nodes.Assign) for s in body):
        return body
    result: list[Stmt] = []
    for stmt in body:
        match stmt:
            case nodes.Store(
                base=Var(name=name, type=Scalar(dtype=own)), index=(), op="+" | "-" as op
            ) if own in _FLOATS and getattr(stmt.value.type, "dtype", "") in _FLOATS:
                value = stmt.value
                if op == "-":
                    value = Call(np.negative, "-", (value,), form="operator", type=FLOAT)
                step = stepped("sum", Var(name, type=FLOAT), value)
                stmt = nodes.Assign((name,), (step,), span=stmt.span)
        result.append(stmt)
    return tuple(result)


def _next(total: Expr, value: Expr) -> Expr:
    return Call(np.add, "+", (total, value), form="operator", type=FLOAT)
