"""Floor 6: what is done to lists of tuples and records, done to a list of each of their parts."""

from __future__ import annotations

from dataclasses import replace

import s2sgrad_runtime
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.backend.jit.column_parts import Parts
from s2sgrad.backend.jit.column_types import (
    NotApart,
    column_of,
    depth_of,
    display,
    gives_columns,
    keys_of,
    of_table,
    row_of,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Function, Index, Sequence, Stmt, Var
from s2sgrad.ir.types import INT, Dict, List, Tuple, Type
from s2sgrad_runtime import trees


class Columns(Parts):
    """Takes the lists of a group apart: `tables` and `rows` name the parts of a variable."""

    def __init__(self, function: Function, group: frozenset[str], names: Names) -> None:
        self.function, self.names = function, names
        self.types = dict(function.types)
        self.tables = {n: self._parts(n, function.types[n]) for n in sorted(group)}
        self.rows: dict[str, tuple[str, ...]] = {}
        self.stored = {
            s.base.name for s in nodes.walk_block(function.body)
            if isinstance(s, nodes.Store) and isinstance(s.base, Var)
        }  # fmt: skip
        for name in sorted(self._only_rows(function.body)):
            self.rows[name] = self._parts(name, function.types[name])

    def apart(self) -> Function:
        """The function without the lists of the group."""
        read = Liveness().block(self.function.body, frozenset())[1]  # not those bound anew first
        given: dict[str, Expr] = {n: Var(n) for n in self.function.parameters if n in read}
        given |= self.function.inputs
        inputs = {n: p for n, p in self.function.inputs.items() if n not in self.tables}
        start = [
            self._given(replace(tree, type=self.types[name]), self.tables[name])
            for name, tree in given.items()
            if name in self.tables
        ]
        body = (*start, *self.block(self.function.body))
        return replace(self.function, body=body, types=self.types, inputs=inputs)

    def _given(self, tree: Expr, parts: tuple[str, ...]) -> Stmt:
        """What is taken out of a list before compiled code is called."""
        depth = Const(depth_of(tree.type), type=INT)
        values = [
            Call(trees.column, "column", (tree, Const(key), depth), type=self.types[part])
            for part, (key, _) in zip(parts, keys_of(row_of(tree.type)), strict=True)
        ]
        return nodes.Assign(parts, tuple(values))

    def _parts(self, name: str, kind: Type) -> tuple[str, ...]:
        """New variables for the parts of a list, or of a row."""
        row = row_of(kind) if isinstance(kind, List) else kind
        found = []
        for key, _ in keys_of(row):
            part = self.names.fresh(f"{name}_{key}" if f"{name}_{key}".isidentifier() else name)
            self.types[part] = column_of(kind, key)
            found.append(part)
        return tuple(found)

    def _only_rows(self, block: Block) -> set[str]:
        """The variables that hold nothing but rows of lists in the group, or their cotangents."""
        bound: dict[str, list[Expr | None]] = {}
        loops: set[int] = set()
        for stmt in nodes.walk_block(block):
            values: tuple[Expr | None, ...] = (None,) * len(nodes.targets_of(stmt))
            if isinstance(stmt, nodes.Assign):
                values = stmt.values
            elif isinstance(stmt, nodes.For):
                values = stmt.sources
                loops |= set(map(id, values))
            elif isinstance(stmt, nodes.Mutate) and stmt.method == "pop":
                values = (Index(stmt.base, (Const(-1),)),) * len(values)
            for target, value in zip(nodes.targets_of(stmt), values, strict=True):
                named = isinstance(stmt, nodes.Assign) and isinstance(value, Var)
                if named and {target, value.name} & self.stored:  # type: ignore[union-attr]
                    value = None  # a cotangent that changes, under two names
                bound.setdefault(target, []).append(value)
        rows = {
            n for n in bound
            if isinstance(self.types.get(n), Tuple | Dict) and n not in self.function.parameters
        }  # fmt: skip
        while True:
            kept = {n for n in rows if all(self._gives_row(v, loops, rows) for v in bound[n])}
            if kept == rows:
                return rows
            rows = kept

    def _gives_row(self, value: Expr | None, loops: set[int], rows: set[str]) -> bool:
        """Whether a variable that is bound to a value, or goes through it, holds rows only."""
        match value:
            case Var(name=name) if id(value) in loops:
                return name in self.tables and depth_of(self.kind(value)) == 1
            case Var(name=name):
                return name in rows
            case Index(base=Var(name=name) as base, index=(part,)) if id(value) not in loops:
                one = name in self.tables and depth_of(self.kind(base)) == 1
                return one and not nodes.is_slice(part)
            case Call(function=s2sgrad_runtime.zeros_like, args=(Var(name=name),)):
                return name in rows and isinstance(self.types[name], Tuple)
            case Call(function=s2sgrad_runtime.accumulate, args=(Var(name=name), b)):
                other = isinstance(b, Sequence) or (isinstance(b, Var) and b.name in rows)
                return name in rows and other and isinstance(self.types[name], Tuple)
        return False

    # --- statements --------------------------------------------------------------------------
    def block(self, block: Block) -> Block:
        return tuple(new for stmt in block for new in self.stmt(stmt))

    def stmt(self, stmt: Stmt) -> list[Stmt]:
        if gives_columns(stmt):
            return self._again(stmt)
        match stmt:
            case nodes.Assign():
                return self._assign(stmt)
            case nodes.Unpack(targets=targets, value=value):
                self._refuse(targets)
                row = self.row(value)
                if row is not None:
                    return [nodes.Assign(targets, tuple(row), span=stmt.span)]
                return [replace(stmt, value=self.expr(value))]
            case nodes.Store():
                return self._store(stmt)
            case nodes.Mutate():
                return self._mutate(stmt)
            case nodes.If(test=test, then=then, orelse=orelse):
                then, orelse = self.block(then), self.block(orelse)
                return [replace(stmt, test=self.test(test), then=then, orelse=orelse)]
            case nodes.While(test=test, body=body):
                return [replace(stmt, test=self.test(test), body=self.block(body))]
            case nodes.For():
                return [self._for(stmt)]
            case nodes.Return(value=value):
                return [replace(stmt, value=self.result(value))]
            case nodes.Do(value=value, extra=extra):
                return [replace(stmt, value=self.expr(value), extra=extra and self.expr(extra))]
            case nodes.Comment() | nodes.Exit():
                return [stmt]
        raise NotApart

    def _refuse(self, targets: tuple[str, ...]) -> None:
        """Lists and rows that come from elsewhere than a list of the group."""
        if any(t in self.tables or t in self.rows for t in targets):
            raise NotApart

    def _again(self, stmt: Stmt) -> list[Stmt]:
        """Parts of rows that are rows themselves."""
        assert isinstance(stmt, nodes.Assign)
        found: list[Stmt] = []
        for target, value in zip(stmt.targets, stmt.values, strict=True):
            if target in self.tables:
                found.append(self._given(value, self.tables[target]))
            else:
                found.append(nodes.Assign((target,), (value,)))
        return found

    def test(self, expr: Expr) -> Expr:
        """The test of a statement: a list is true where there is something in it."""
        return self.table(expr)[0] if self.is_table(expr) else self.expr(expr)

    def _assign(self, stmt: nodes.Assign) -> list[Stmt]:
        targets: list[str] = []
        values: list[Expr] = []
        for target, value in zip(stmt.targets, stmt.values, strict=True):
            if target in self.tables:
                targets += self.tables[target]
                values += self.table(value)
            elif target in self.rows:
                targets += self.rows[target]
                values += self.own_row(value)
            else:
                targets.append(target)
                values.append(self._changeable(target, self.expr(value)))
        return [replace(stmt, targets=tuple(targets), values=tuple(values))]

    def _changeable(self, target: str, row: Expr) -> Expr:
        """A row for a variable: cotangents of tuples, which are stored into, are lists."""
        if target in self.stored and isinstance(row, Sequence) and row.kind == "tuple":
            return replace(row, kind="list")
        return row

    def _store(self, stmt: nodes.Store) -> list[Stmt]:
        if not self.is_table(stmt.base):
            return self._store_part(stmt)
        if stmt.op or len(stmt.index) != 1:
            raise NotApart
        bases, index = self.table(stmt.base), (self.repeated(stmt.index[0]),)
        values = self.table(stmt.value) if of_table(stmt.value.type) else self.own_row(stmt.value)
        for k, value in enumerate(values):  # each is stored before the next one is made
            if nodes.names_in(value) & {n for b in bases[:k] for n in nodes.names_in(b)}:
                raise NotApart
        return [
            replace(stmt, base=base, index=index, value=value)
            for base, value in zip(bases, values, strict=True)
        ]

    def _store_part(self, stmt: nodes.Store) -> list[Stmt]:
        """A store that is to no list of the group; to a part of a row, perhaps."""
        base, value, kind = stmt.base, self.expr(stmt.value), stmt.base.type
        row = self.row(base) if isinstance(kind, Tuple | Dict) and len(stmt.index) == 1 else None
        if row is None:
            index = tuple(map(self.expr, stmt.index))
            return [replace(stmt, base=self.expr(base), index=index, value=value)]
        match row[self.number(kind, stmt.index[0])]:
            case Index(base=column, index=place):
                return [replace(stmt, base=column, index=place, value=value)]
            case Var() as part if stmt.op:
                return [replace(stmt, base=part, index=(), value=value)]
            case Var(name=name):
                return [nodes.Assign((name,), (value,), span=stmt.span)]
        raise NotApart

    def _mutate(self, stmt: nodes.Mutate) -> list[Stmt]:
        if not self.is_table(stmt.base):
            self._refuse(nodes.targets_of(stmt))
            return [replace(stmt, base=self.expr(stmt.base), args=tuple(map(self.expr, stmt.args)))]
        bases = self.table(stmt.base)
        if stmt.method == "pop":
            return self._taken_out(stmt, bases)
        if stmt.target is not None or stmt.method not in ("append", "extend", "insert", "clear"):
            raise NotApart
        first = tuple(map(self.repeated, stmt.args[:-1]))
        if not stmt.args:
            return [replace(stmt, base=base) for base in bases]
        last = stmt.args[-1]
        values = self.table(last) if of_table(last.type) else self.own_row(last)
        return [
            replace(stmt, base=base, args=(*first, value))
            for base, value in zip(bases, values, strict=True)
        ]

    def _taken_out(self, stmt: nodes.Mutate, bases: list[Expr]) -> list[Stmt]:
        args = tuple(map(self.repeated, stmt.args))
        if stmt.target is None:
            return [replace(stmt, base=base, args=args) for base in bases]
        own = self.tables.get(stmt.target) or self.rows.get(stmt.target)
        kind = self.kind(stmt.base).item  # type: ignore[attr-defined]
        parts = own or self._parts(stmt.target, kind)
        found: list[Stmt] = [
            replace(stmt, base=base, args=args, target=part)
            for base, part in zip(bases, parts, strict=True)
        ]
        if own is None:
            shown = display(kind, tuple(Var(n, type=self.types[n]) for n in parts))
            shown = self._changeable(stmt.target, shown)
            found.append(nodes.Assign((stmt.target,), (shown,)))
        return found

    def _for(self, stmt: nodes.For) -> nodes.For:
        targets: list[str] = []
        sources: list[Expr] = []
        start: list[Stmt] = []
        for target, source in zip(stmt.targets, stmt.sources, strict=True):
            if not self.is_table(source):
                self._refuse((target,))
                targets.append(target)
                sources.append(self.expr(source))
                continue
            own = self.tables.get(target) or self.rows.get(target)
            if own is None:
                kind = self.kind(source).item  # type: ignore[attr-defined]
                own = self._parts(target, kind)
                parts = tuple(Var(n, type=self.types[n]) for n in own)
                if depth_of(kind):
                    raise NotApart
                shown = self._changeable(target, display(kind, parts))
                start.append(nodes.Assign((target,), (shown,)))
            targets += own
            sources += self.table(source)
        body = (*start, *self.block(stmt.body))
        return replace(stmt, targets=tuple(targets), sources=tuple(sources), body=body)


__all__ = ["Columns"]
