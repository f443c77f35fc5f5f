"""Floor 6: entries that a selection reads, ahead of it.

    x_bar[i] = 0.0 if x[i] > y[i] else 0.5 * x_bar[i] if x[i] == y[i] else x_bar[i]

becomes `x_bar_entry = x_bar[i]`, and selections among numbers. LLVM makes branches of selections
that read; several of them in one loop it does not vectorise. An entry is read in any case only if
the same iteration surely reads or writes it anyway: it is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.common import Common
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.read_back import ReadBack
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Assign, Block, Choice, Expr, Index, Stmt, Store, Var
from s2sgrad.ir.types import Array, Scalar, Type
from s2sgrad.transform.writing.rewrite import map_stmt_exprs

_FLOATS = ("float64", "float")


def with_values_named(body: Block, groups: Groups, names: Names, types: dict[str, Type]) -> Block:
    """The body with names for what loops compute twice, read back, or read by chance."""
    for pass_ in (Common, ReadBack, ReadAhead):
        body = pass_(groups, names, types).block(body)
    return body


class ReadAhead:
    """Names such entries in the loops of one function. types: gets those of the new names."""

    def __init__(self, groups: Groups, names: Names, types: dict[str, Type]) -> None:
        self.groups, self.names, self.types = groups, names, types

    def block(self, block: Block, inside: bool = False) -> Block:
        """inside: within loops."""
        result: list[Stmt] = []
        run: list[Stmt] = []
        for stmt in block:
            if inside and isinstance(stmt, Assign | Store):
                run.append(stmt)
                continue
            result += self._run(run)
            run = []
            match stmt:
                case Nest(body=body) | nodes.For(body=body) | nodes.While(body=body):
                    stmt = replace(stmt, body=self.block(body, inside=True))
                case nodes.If(then=then, orelse=orelse):
                    sides = self.block(then, inside), self.block(orelse, inside)
                    stmt = replace(stmt, then=sides[0], orelse=sides[1])
            result.append(stmt)
        return (*result, *self._run(run))

    def _run(self, run: list[Stmt]) -> list[Stmt]:
        """Statements without branches, one after the other."""
        if not any(_read_by_chance(s) for s in run):
            return run
        bound = {t for s in run if isinstance(s, Assign) for t in nodes.targets_of(s)}
        there = {e for s in run for e in _surely(s) if not nodes.names_in(e) & bound}
        entries: dict[Index, Var] = {}
        result: list[Stmt] = []
        for stmt in run:
            for place in _read_by_chance(stmt):
                if place in there and place not in entries:
                    entries[place] = self._named(place, stmt, result)
            result.append(_with_entries(stmt, entries))
            if isinstance(stmt, Store):
                changed = self._memory(stmt.base)
                kept = entries.items()
                entries = {e: v for e, v in kept if self._memory(e.base) not in (changed, None)}
                entries = entries if changed is not None else {}
        return result

    def _named(self, place: Index, stmt: Stmt, before: list[Stmt]) -> Var:
        assert isinstance(place.base, Var)
        name = self.names.fresh(f"{place.base.name}_entry")
        self.types[name] = place.type
        before.append(Assign((name,), (place,), span=stmt.span))
        return Var(name, type=place.type)

    def _memory(self, base: Expr) -> str | None:
        return self.groups.of(base.name) if isinstance(base, Var) else None


def _with_entries(stmt: Stmt, entries: dict[Index, Var]) -> Stmt:
    return map_stmt_exprs(stmt, lambda e: entries.get(e, e) if isinstance(e, Index) else e)


def _is_entry(expr: Expr) -> bool:
    """Whether it is one number of an array."""
    match expr:
        case Index(base=Var(type=Array() as kind), index=index, type=Scalar(dtype=dtype)):
            return dtype in _FLOATS and len(kind.shape or ()) == len(index)
    return False


def _read_by_chance(stmt: Stmt) -> list[Index]:
    """The entries that a statement reads on some paths."""
    found = [e for value in nodes.expressions(stmt) for e, surely in _parts(value) if not surely]
    return [e for e in dict.fromkeys(found) if isinstance(e, Index) and _is_entry(e)]


def _surely(stmt: Stmt) -> Iterator[Index]:
    """The entries that a statement reads on every path, or writes."""
    for value in nodes.expressions(stmt):
        for expr, surely in _parts(value):
            if surely and isinstance(expr, Index) and _is_entry(expr):
                yield expr
    if isinstance(stmt, Store) and isinstance(stmt.base.type, Array):
        yield Index(stmt.base, stmt.index, type=Scalar(stmt.base.type.dtype or ""))


def _parts(expr: Expr, surely: bool = True) -> Iterator[tuple[Expr, bool]]:
    """The expression and all in it; whether each is computed on every path."""
    yield expr, surely
    match expr:
        case Choice(test=test, then=then, orelse=orelse):
            yield from _parts(test, surely)
            yield from _parts(then, False)
            yield from _parts(orelse, False)
        case nodes.Call(text="and" | "or", args=(first, *others)):
            yield from _parts(first, surely)
            for part in others:
                yield from _parts(part, False)
        case _:
            for part in nodes.children(expr):
                yield from _parts(part, surely)


__all__ = ["with_values_named"]
