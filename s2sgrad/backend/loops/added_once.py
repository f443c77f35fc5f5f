"""Floor 6: an entry that one round of a loop adds to several times is read and written once.

    x_bar[j] += a; s = ...; x_bar[j] += b
    entry = x_bar[j] + a; s = ...; x_bar[j] = entry + b

LLVM does not know that what is written in between is another array, so it writes and reads the
entry each time. The sums are the same to the bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.touches import changes_any
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Function, Index, Stmt, Var
from s2sgrad.ir.types import Array, Scalar, Type

_DTYPES = ("float64", "complex128")


def with_entries_added_once(function: Function, outer: Function | None = None) -> Function:
    """The function with such entries in variables. Loops are For by now.

    outer: the function that it is a piece of.
    """
    names = Names(set(function.types) | nodes.bound_in(function.body) | set(function.parameters))
    types = dict(function.types)
    body = _Entries(Groups(function, outer), names, types).block(function.body)
    return replace(function, body=body, types=types)


@dataclass
class _Entries:
    groups: Groups
    names: Names
    types: dict[str, Type]
    looping: bool = False

    def block(self, block: Block) -> Block:
        """The block, and those inside it, with entries of loops held in variables."""
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case nodes.For(body=body) | nodes.While(body=body):
                    inside = replace(self, looping=True)
                    stmt = replace(stmt, body=inside.block(body))
                case nodes.If(then=then, orelse=orelse):
                    stmt = replace(stmt, then=self.block(then), orelse=self.block(orelse))
            result.append(stmt)
        return self._held(tuple(result)) if self.looping else tuple(result)

    def _held(self, block: Block) -> Block:
        result: list[list[Stmt]] = [[stmt] for stmt in block]
        done: set[int] = set()
        for k in range(len(block)):
            chain = [] if k in done else self._chain(block, k)
            if len(chain) > 1:
                done |= set(chain)
                for place, stmts in self._joined(block, chain):
                    result[place] = stmts
        return tuple(s for stmts in result for s in stmts)

    def _chain(self, block: Block, k: int) -> list[int]:
        """Where the entry that a statement writes is added to, before anything else is done to
        its array, beginning with the statement."""
        first = block[k]
        if not _writes_entry(first):
            return []
        assert isinstance(first, nodes.Store) and isinstance(first.base, Var)
        group = self.groups.of(first.base.name)
        place_reads = {n for part in first.index for n in nodes.names_in(part)}
        chain = [k]
        for place in range(k + 1, len(block)):
            stmt = block[place]
            if not isinstance(stmt, nodes.Store | nodes.Assign):
                break
            same = isinstance(stmt, nodes.Store) and _same_entry(stmt, first)
            read = nodes.expressions(stmt)[1:] if same else nodes.expressions(stmt)
            named = {n for e in read for n in nodes.names_in(e)} | set(nodes.targets_of(stmt))
            if any(self.groups.of(n) == group for n in named):
                break
            if changes_any(stmt, place_reads, self.groups):
                break
            if same:
                chain.append(place)
        return chain

    def _joined(self, block: Block, chain: list[int]) -> Iterator[tuple[int, list[Stmt]]]:
        """(place, what stands there now) for the statements of a chain."""
        first = block[chain[0]]
        assert isinstance(first, nodes.Store) and isinstance(first.base, Var)
        assert isinstance(first.base.type, Array)
        kind = Scalar(str(first.base.type.dtype))
        held = ""
        now: Expr = Index(first.base, first.index, type=kind)
        for k, place in enumerate(chain):
            stmt = block[place]
            assert isinstance(stmt, nodes.Store)
            now = _after(now, stmt, kind)
            if k + 1 == len(chain):
                yield place, [replace(stmt, value=now, op="")]
            elif chain[k + 1] == place + 1:
                yield place, []
            else:
                held = held or self._fresh(f"{first.base.name}_entry", kind)
                yield place, [nodes.Assign((held,), (now,), span=stmt.span)]
                now = Var(held, type=kind)

    def _fresh(self, base: str, kind: Type) -> str:
        name = self.names.fresh(base)
        self.types[name] = kind
        return name


def _writes_entry(stmt: Stmt) -> bool:
    """Whether a statement writes a number to an entry, or adds it."""
    match stmt:
        case nodes.Store(
            base=Var(type=Array(dtype=dtype)), index=index, value=value, op="" | "+" | "-"
        ) if index and dtype in _DTYPES:
            return all(isinstance(p.type, Scalar) for p in (*index, value))
    return False


def _same_entry(stmt: nodes.Store, first: nodes.Store) -> bool:
    """Whether a statement adds a number to the entry that another one writes."""
    same = stmt.base == first.base and stmt.index == first.index and stmt.op in ("+", "-")
    return same and isinstance(stmt.value.type, Scalar)


def _after(now: Expr, stmt: nodes.Store, kind: Type) -> Expr:
    """An entry after a statement, by what it is before it."""
    begun = now == Const(0.0) and stmt.op == "+" and stmt.span is None  # of a cotangent
    if not stmt.op or begun:
        return stmt.value
    function = np.add if stmt.op == "+" else np.subtract
    return Call(function, stmt.op, (now, stmt.value), form="operator", type=kind)
