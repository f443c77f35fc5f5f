"""Floor 6: what a loop stores and reads again in the same round is read from a variable.

`a[i] = x - y; b[i] = z; s = a[i] if a[i] > 0 else 0` reads `a[i]` back: LLVM does not know that `b`
is not `a`, and reads entries under a condition one at a time. So
`entry = x - y; a[i] = entry; b[i] = z; s = entry if entry > 0 else 0`.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import arrays_read, touches
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Expr, Index, Stmt, Var
from s2sgrad.ir.types import FLOAT, Array, Scalar, Type
from s2sgrad.transform.writing.rewrite import map_expr, map_stmt_exprs

_FLOATS = ("float64", "float")


class ReadBack:
    """Names such entries in the innermost loops of one function."""

    def __init__(self, groups: Groups, names: Names, types: dict[str, Type]) -> None:
        self.groups, self.names, self.types = groups, names, types

    def block(self, block: Block) -> Block:
        """The block with such entries in variables."""
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case Nest(body=body) | nodes.For(body=body):
                    plain = all(isinstance(s, nodes.Store | nodes.Assign) for s in body)
                    stmt = replace(stmt, body=self._run(body) if plain else self.block(body))
                case nodes.While(body=body):
                    stmt = replace(stmt, body=self.block(body))
                case nodes.If(then=then, orelse=orelse):
                    stmt = replace(stmt, then=self.block(then), orelse=self.block(orelse))
            result.append(stmt)
        return tuple(result)

    def _run(self, body: Block) -> Block:
        if touches(body).odd:
            return body
        held: dict[Expr, Var] = {}
        result: list[Stmt] = []
        for k, stmt in enumerate(body):
            if held:
                stmt = _read(stmt, held)
            own = self._entry(stmt)
            if own is not None and self._read_later(own, body[k + 1 :]):
                assert isinstance(stmt, nodes.Store)
                name = self.names.fresh(f"{own.base.name}_entry")  # type: ignore[attr-defined]
                self.types[name] = FLOAT
                value = Var(name, type=FLOAT)
                result.append(nodes.Assign((name,), (stmt.value,), span=stmt.span))
                stmt = replace(stmt, value=value)
                held = self._left(held, stmt)
                held[own] = value
            else:
                held = self._left(held, stmt)
            result.append(stmt)
        return tuple(result)

    def _entry(self, stmt: Stmt) -> Index | None:
        """The entry that a statement writes a number to, without reading it."""
        match stmt:
            case nodes.Store(
                base=Var(type=Array(dtype="float64")) as base, index=index, value=value, op=""
            ) if index and all(isinstance(p.type, Scalar) for p in index):
                if isinstance(value, Var | nodes.Const):
                    return None
                if isinstance(value.type, Scalar) and value.type.dtype in _FLOATS:
                    return Index(base, index, type=Scalar("float64"))
        return None

    def _read_later(self, entry: Index, rest: Block) -> bool:
        for stmt in rest:
            if any(entry == n for e in _reads(stmt) for n in nodes.walk(e)):
                return True
            if not self._left({entry: Var("")}, stmt):
                return False
        return False

    def _left(self, held: dict[Expr, Var], stmt: Stmt) -> dict[Expr, Var]:
        """The entries that are still what they were after a statement."""
        bound = set(nodes.targets_of(stmt))
        group = ""
        if isinstance(stmt, nodes.Store):
            assert isinstance(stmt.base, Var)
            group = self.groups.of(stmt.base.name)
            if not isinstance(stmt.base.type, Array):
                bound.add(stmt.base.name)
        return {
            entry: value
            for entry, value in held.items()
            if not nodes.names_in(entry) & bound
            and group not in {self.groups.of(n) for n in arrays_read((entry,))}
        }


def _reads(stmt: Stmt) -> tuple[Expr, ...]:
    """What a statement reads entries of: not the base that it stores to."""
    if isinstance(stmt, nodes.Store):
        return (*stmt.index, stmt.value)
    return nodes.expressions(stmt)


def _read(stmt: Stmt, held: dict[Expr, Var]) -> Stmt:
    """The statement with variables in place of these entries."""

    def read(expr: Expr) -> Expr:
        return held.get(expr, expr) if isinstance(expr, Index) else expr

    if isinstance(stmt, nodes.Store):
        index = tuple(map_expr(p, read) for p in stmt.index)
        return replace(stmt, index=index, value=map_expr(stmt.value, read))
    return map_stmt_exprs(stmt, read)


__all__ = ["ReadBack"]
