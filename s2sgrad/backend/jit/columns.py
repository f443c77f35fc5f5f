"""Floor 6: what is done to lists of tuples and records, done to a list of each of their parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Function, Index, Sequence, Stmt, Var
from s2sgrad.ir.types import INT, Array, Dict, List, Scalar, Tuple, Type
from s2sgrad_runtime import trees

EACH = (
    s2sgrad_runtime.zeros_like, s2sgrad_runtime.accumulate, s2sgrad_runtime.copy_tree, list,
    "list", "list+", "list*",
)  # fmt: skip


class NotApart(Exception):
    """Something is done to a list, or to what is in it, that can't be done to its parts."""


def rows_in(kind: Type | None) -> Tuple | Dict | None:
    """The type of the tuples or records in a list, or in the lists in a list."""
    while isinstance(kind, List) and not kind.fixed:
        kind = kind.item
        if isinstance(kind, Tuple) and kind.items:
            return kind
        if isinstance(kind, Dict) and kind.fields:
            return kind
    return None


def of_table(kind: Type | None) -> bool:
    """Whether it is the type of a list of tuples or records, or of lists of such."""
    return rows_in(kind) is not None


def _keys(row: Type) -> list[tuple[Any, Type]]:
    """The parts of a row, with their types."""
    if isinstance(row, Tuple):
        return list(enumerate(row.items))
    assert isinstance(row, Dict) and row.fields
    return list(row.fields)


def _column(kind: Type, key: Any) -> Type:
    """The type of the list of one part of each row."""
    if isinstance(kind, List):
        return List(_column(kind.item, key), count=kind.count)
    return dict(_keys(kind))[key]


def _depth(kind: Type) -> int:
    return 1 + _depth(kind.item) if isinstance(kind, List) else 0


class Columns:
    """Takes the lists of a group apart: `tables` and `rows` name the parts of a variable."""

    def __init__(self, function: Function, group: frozenset[str], names: Names) -> None:
        self.function, self.names = function, names
        self.types = dict(function.types)
        self.tables = {n: self._parts(n, function.types[n]) for n in sorted(group)}
        self.rows: dict[str, tuple[str, ...]] = {}
        for name in sorted(self._only_rows(function.body)):
            self.rows[name] = self._parts(name, function.types[name])

    def apart(self) -> Function:
        """The function without the lists of the group."""
        given: dict[str, Expr] = {n: Var(n) for n in self.function.parameters}
        given |= self.function.inputs
        inputs = {n: p for n, p in self.function.inputs.items() if n not in self.tables}
        start = [
            self._given(replace(tree, type=self.types[name]), name, inputs)
            for name, tree in given.items()
            if name in self.tables
        ]
        body = (*start, *self.block(self.function.body))
        return replace(self.function, body=body, types=self.types, inputs=inputs)

    def _given(self, tree: Expr, name: str, inputs: dict[str, Expr]) -> Stmt:
        values = []
        depth = Const(_depth(tree.type), type=INT)
        for part, (key, _) in zip(self.tables[name], _keys(_row(tree.type)), strict=True):
            kind = self.types[part]
            path = Call(trees.column, "column", (tree, Const(key), depth), type=kind)
            inputs[part] = path
            values.append(path)
        return nodes.Assign(self.tables[name], tuple(values))

    def _parts(self, name: str, kind: Type) -> tuple[str, ...]:
        """New variables for the parts of a list, or of a row."""
        row = _row(kind) if isinstance(kind, List) else kind
        found = []
        for key, _ in _keys(row):
            part = self.names.fresh(f"{name}_{key}" if f"{name}_{key}".isidentifier() else name)
            self.types[part] = _column(kind, key)
            found.append(part)
        return tuple(found)

    def _only_rows(self, block: Block) -> set[str]:
        """The variables that hold nothing but rows of lists in the group."""
        found, other = set[str](), set[str]()
        for stmt in nodes.walk_block(block):
            values: tuple[Expr | None, ...] = (None,) * len(nodes.targets_of(stmt))
            if isinstance(stmt, nodes.Assign):
                values = stmt.values
            elif isinstance(stmt, nodes.For):
                values = stmt.sources
            for target, value in zip(nodes.targets_of(stmt), values, strict=True):
                own = value is not None and self._gives_row(stmt, value)
                (found if own else other).add(target)
        return {
            n for n in found - other
            if isinstance(self.types[n], Tuple | Dict) and n not in self.function.parameters
        }  # fmt: skip

    def _gives_row(self, stmt: Stmt, value: Expr) -> bool:
        if isinstance(stmt, nodes.For):
            return isinstance(value, Var) and value.name in self.tables and _depth(value.type) == 1
        match value:
            case Index(base=Var(name=name) as base, index=(part,)):
                return name in self.tables and _depth(base.type) == 1 and not nodes.is_slice(part)
        return False

    # --- statements --------------------------------------------------------------------------
    def block(self, block: Block) -> Block:
        return tuple(new for stmt in block for new in self.stmt(stmt))

    def stmt(self, stmt: Stmt) -> list[Stmt]:
        match stmt:
            case nodes.Assign():
                return self._assign(stmt)
            case nodes.Unpack(targets=targets, value=value):
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
                return [replace(stmt, test=self.expr(test), then=then, orelse=orelse)]
            case nodes.While(test=test, body=body):
                return [replace(stmt, test=self.expr(test), body=self.block(body))]
            case nodes.For():
                return [self._for(stmt)]
            case nodes.Return(value=value):
                return [replace(stmt, value=self.result(value))]
            case nodes.Do(value=value, extra=extra):
                return [replace(stmt, value=self.expr(value), extra=extra and self.expr(extra))]
            case nodes.Comment() | nodes.Exit():
                return [stmt]
        raise NotApart

    def _assign(self, stmt: nodes.Assign) -> list[Stmt]:
        targets: list[str] = []
        values: list[Expr] = []
        for target, value in zip(stmt.targets, stmt.values, strict=True):
            if isinstance(value, Var) and value.name == target:
                continue
            if target in self.tables:
                targets += self.tables[target]
                values += self.table(value)
            elif target in self.rows:
                targets += self.rows[target]
                values += self._row(value)
            else:
                targets.append(target)
                values.append(self.expr(value))
        return [replace(stmt, targets=tuple(targets), values=tuple(values))] if targets else []

    def _store(self, stmt: nodes.Store) -> list[Stmt]:
        if not (isinstance(stmt.base.type, List) and self._is_table(stmt.base)):
            base, index = self._place(stmt.base, stmt.index)
            return [replace(stmt, base=base, index=index, value=self.expr(stmt.value))]
        if stmt.op or len(stmt.index) != 1:
            raise NotApart
        bases, index = self.table(stmt.base), (self.expr(stmt.index[0]),)
        values = self.table(stmt.value) if of_table(stmt.value.type) else self._row(stmt.value)
        for k, value in enumerate(values):  # each is stored before the next one is made
            if nodes.names_in(value) & {n for b in bases[:k] for n in nodes.names_in(b)}:
                raise NotApart
        return [
            replace(stmt, base=base, index=index, value=value)
            for base, value in zip(bases, values, strict=True)
        ]

    def _place(self, base: Expr, index: tuple[Expr, ...]) -> tuple[Expr, tuple[Expr, ...]]:
        """Where a store goes: `rows[k][0] = v` to an item of the list of first parts."""
        if isinstance(base.type, Tuple | Dict) and len(index) == 1:
            row = self.row(base)
            if row is not None:
                place = row[self._number(base.type, index[0])]
                if not isinstance(place, Index):
                    raise NotApart
                return place.base, place.index
        return self.expr(base), tuple(map(self.expr, index))

    def _mutate(self, stmt: nodes.Mutate) -> list[Stmt]:
        if not self._is_table(stmt.base):
            return [replace(stmt, base=self.expr(stmt.base), args=tuple(map(self.expr, stmt.args)))]
        if stmt.target is not None or stmt.method not in ("append", "extend", "insert", "clear"):
            raise NotApart
        bases = self.table(stmt.base)
        first = tuple(map(self.expr, stmt.args[:-1]))
        if not stmt.args:
            return [replace(stmt, base=base) for base in bases]
        last = stmt.args[-1]
        values = self.table(last) if of_table(last.type) else self._row(last)
        return [
            replace(stmt, base=base, args=(*first, value))
            for base, value in zip(bases, values, strict=True)
        ]

    def _for(self, stmt: nodes.For) -> nodes.For:
        targets: list[str] = []
        sources: list[Expr] = []
        start: list[Stmt] = []
        for target, source in zip(stmt.targets, stmt.sources, strict=True):
            if not (isinstance(source.type, List) and self._is_table(source)):
                targets.append(target)
                sources.append(self.expr(source))
                continue
            own = self.tables.get(target) or self.rows.get(target)
            if own is None:
                kind = self.types[target]
                own = self._parts(target, kind)
                parts = tuple(Var(n, type=self.types[n]) for n in own)
                start.append(nodes.Assign((target,), (_display(kind, parts),)))
            targets += own
            sources += self.table(source)
        body = (*start, *self.block(stmt.body))
        return replace(stmt, targets=tuple(targets), sources=tuple(sources), body=body)

    # --- expressions -------------------------------------------------------------------------
    def _is_table(self, expr: Expr) -> bool:
        """Whether an expression gives a list of the group."""
        return of_table(expr.type) and bool(nodes.names_in(expr) & self.tables.keys())

    def table(self, expr: Expr) -> list[Expr]:
        """A list of rows, as lists of their parts."""
        keys = [key for key, _ in _keys(_row(expr.type))]
        match expr:
            case Var(name=name) if name in self.tables:
                return [Var(n, type=self.types[n]) for n in self.tables[name]]
            case Index(base=base, index=(part,)) if self._is_table(base):
                bases, index = self.table(base), (self.expr(part),)
                return self._each(expr, keys, lambda k: Index(bases[k], index))
            case Call(function="pop", args=(base, *rest)) if self._is_table(base) and not rest:
                bases = self.table(base)
                return self._each(expr, keys, lambda k: replace(expr, args=(bases[k],)))
            case Call(function=function, args=args, kwargs=()) if function in EACH:
                whole = [self.table(a) if of_table(a.type) else self.expr(a) for a in args]
                return self._each(
                    expr, keys,
                    lambda k: replace(expr, args=tuple(a[k] if isinstance(a, list) else a for a in whole)),
                )  # fmt: skip
            case Sequence(kind="list", items=items):
                nested = _depth(expr.type) > 1
                rows = [self.table(i) if nested else self._row(i) for i in items]
                return self._each(
                    expr, keys, lambda k: replace(expr, items=tuple(row[k] for row in rows))
                )
        raise NotApart

    def _each(self, expr: Expr, keys: list[Any], made: Callable[[int], Expr]) -> list[Expr]:
        return [
            replace(made(k), type=_column(expr.type, key), span=expr.span)
            for k, key in enumerate(keys)
        ]

    def _row(self, expr: Expr) -> list[Expr]:
        found = self.row(expr)
        if found is None:
            raise NotApart
        return found

    def row(self, expr: Expr) -> list[Expr] | None:
        """The parts of a row; None for an expression that gives none of a list of the group."""
        kind = expr.type
        if not isinstance(kind, Tuple | Dict) or (isinstance(kind, Dict) and not kind.fields):
            return None
        match expr:
            case Var(name=name) if name in self.rows:
                return [Var(n, type=k) for n, (_, k) in zip(self.rows[name], _keys(kind), strict=True)]
            case Index(base=base, index=(part,)) if self._is_table(base):
                bases, index = self.table(base), (self.expr(part),)
            case Call(function="pop", args=(base,)) if self._is_table(base):
                bases, index = self.table(base), ()
            case Sequence(items=items) if isinstance(kind, Tuple) and len(items) == len(kind.items):
                return [self.expr(i) for i in items]
            case nodes.Mapping(keys=keys, values=values):
                given = {k.value: self.expr(v) for k, v in zip(keys, values, strict=True) if isinstance(k, Const)}
                wanted = [key for key, _ in _keys(kind)]
                return [given[key] for key in wanted] if set(given) == set(wanted) else None
            case Call(function=s2sgrad_runtime.accumulate, args=(a, b)):
                return self._sums(kind, self._row(a), self._row(b))
            case Var() if isinstance(kind, Tuple):
                return [Index(expr, (Const(k, type=INT),), type=t) for k, t in _keys(kind)]
            case _:
                return None
        parts = []
        for column, (_, one) in zip(bases, _keys(kind), strict=True):
            if index:
                parts.append(Index(column, index, type=one, span=expr.span))
            else:
                parts.append(replace(expr, args=(column,), type=one))
        return parts

    def _sums(self, kind: Type, left: list[Expr], right: list[Expr]) -> list[Expr]:
        """The entrywise sum of two rows."""
        found: list[Expr] = []
        for (_, one), a, b in zip(_keys(kind), left, right, strict=True):
            if isinstance(one, Array | Scalar):
                found.append(Call(np.add, "+", (a, b), form="operator", type=one))
            else:
                tree = s2sgrad_runtime.accumulate
                found.append(Call(tree, "accumulate", (a, b), type=one))
        return found

    def _number(self, kind: Type, part: Expr) -> int:
        """Which part of a row a subscript names."""
        names = [key for key, _ in _keys(kind)]
        value = part.value if isinstance(part, Const) else None
        if isinstance(kind, Tuple) and type(value) is int and -len(names) <= value < len(names):
            return value % len(names)
        if value in names:
            return names.index(value)
        raise NotApart

    def expr(self, expr: Expr) -> Expr:
        """An expression that is no list of the group."""
        match expr:
            case Call(function=function, args=(arg,)) if function is len and self._is_table(arg):
                return replace(expr, args=(self.table(arg)[0],))
            case Index(base=base, index=(part,)):
                row = self.row(base) if self._is_row(base) else None
                if row is not None:
                    return row[self._number(base.type, part)]
        if isinstance(expr, Var) and expr.name in self.tables:
            raise NotApart
        if self._is_row(expr):
            return _display(expr.type, tuple(self._row(expr)))
        return self._inside(expr)

    def _is_row(self, expr: Expr) -> bool:
        """Whether an expression gives a row of a list of the group."""
        match expr:
            case Var(name=name):
                return name in self.rows
            case Index(base=base):
                return self._is_table(base) and isinstance(expr.type, Tuple | Dict)
            case Call(function="pop", args=(base, *_)):
                return self._is_table(base) and isinstance(expr.type, Tuple | Dict)
            case Call(function=function, args=args) if function in EACH:
                return isinstance(expr.type, Tuple) and any(map(self._is_row, args))
        return False

    def _inside(self, expr: Expr) -> Expr:
        """The same with its parts changed."""
        each: Callable[[tuple[Expr, ...]], tuple[Expr, ...]] = lambda parts: tuple(map(self.expr, parts))  # noqa: E731
        match expr:
            case Call(args=args, kwargs=kwargs):
                named = tuple((n, self.expr(v)) for n, v in kwargs)
                return replace(expr, args=each(args), kwargs=named)
            case Index(base=base, index=index):
                return replace(expr, base=self.expr(base), index=each(index))
            case nodes.Slice(lower=lower, upper=upper, step=step):
                ends = [end and self.expr(end) for end in (lower, upper, step)]
                return replace(expr, lower=ends[0], upper=ends[1], step=ends[2])
            case Sequence(items=items):
                return replace(expr, items=each(items))
            case nodes.Mapping(keys=keys, values=values):
                return replace(expr, keys=each(keys), values=each(values))
            case nodes.Choice(test=test, then=then, orelse=orelse):
                test, then, orelse = each((test, then, orelse))
                return replace(expr, test=test, then=then, orelse=orelse)
            case nodes.Text(parts=parts):
                return replace(expr, parts=each(parts))
        return expr

    # --- results -----------------------------------------------------------------------------
    def result(self, expr: Expr) -> Expr:
        """What is given back: rows are put together outside, where they leave compiled code."""
        match expr:
            case Call(function=s2sgrad_runtime.in_structure, args=(bar, tree)) if self._is_table(bar):
                if not (isinstance(tree, Var) and tree.name in self.function.parameters):
                    raise NotApart
                rows = self.result(bar)
                return rows if _as_it_comes(expr.type) else replace(expr, args=(rows, tree))
            case Sequence(items=items):
                return replace(expr, items=tuple(map(self.result, items)))
            case nodes.Mapping(values=values):
                return replace(expr, values=tuple(map(self.result, values)))
        if not self._is_table(expr):
            return self.expr(expr)
        row, depth = _row(expr.type), Const(_depth(expr.type), type=INT)
        keys: Expr = Const(None)
        if isinstance(row, Dict):
            keys = Sequence("tuple", tuple(Const(key) for key, _ in _keys(row)))
        lists = Sequence("tuple", tuple(self.table(expr)))
        return Call(trees.as_rows, "as_rows", (lists, keys, depth), type=expr.type)


def _row(kind: Type) -> Tuple | Dict:
    row = rows_in(kind)
    if row is None:
        raise NotApart
    return row


def _as_it_comes(kind: Type) -> bool:
    """Whether rows that compiled code gives have the structure and dtypes that are wanted."""
    row = kind.item if isinstance(kind, List) else None
    if not isinstance(row, Tuple) or row.made_by is not None:
        return False
    wide = (isinstance(i, Array) and i.dtype in ("float64", "complex128") for i in row.items)
    return all(wide)


def _display(kind: Type, parts: tuple[Expr, ...]) -> Expr:
    """A row of its parts."""
    if isinstance(kind, Dict):
        keys = tuple(Const(key) for key, _ in _keys(kind))
        return nodes.Mapping(keys, parts, type=kind)
    return Sequence("tuple", parts, type=kind)


__all__ = ["Columns", "NotApart", "of_table", "rows_in"]
