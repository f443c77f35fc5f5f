"""Floor 6: expressions of lists of tuples and records, by a list of each of their parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.effects import has_effect
from s2sgrad.backend.jit.column_types import (
    NotApart,
    as_it_comes,
    column_of,
    depth_of,
    display,
    keys_of,
    of_table,
    row_of,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Function, Index, Sequence, Var
from s2sgrad.ir.types import INT, Array, Dict, Scalar, Tuple, Type
from s2sgrad_runtime import trees

EACH = (
    s2sgrad_runtime.zeros_like, s2sgrad_runtime.accumulate, s2sgrad_runtime.copy_tree, list,
    "list", "list+", "list*",
)  # fmt: skip


class Parts:
    """`tables` and `rows` name the variables that hold the parts of a list, or of a row of it."""

    function: Function
    types: dict[str, Type]
    tables: dict[str, tuple[str, ...]]
    rows: dict[str, tuple[str, ...]]

    def is_table(self, expr: Expr) -> bool:
        """Whether an expression gives a list of the group."""
        if isinstance(expr, Var):
            return expr.name in self.tables
        return of_table(expr.type) and bool(nodes.names_in(expr) & self.tables.keys())

    def kind(self, expr: Expr) -> Type:
        """The type of a list: variables may stand in calls without it."""
        known = self.function.types.get(expr.name) if isinstance(expr, Var) else None
        return expr.type if known is None else known

    def table(self, expr: Expr) -> list[Expr]:
        """A list of rows, as lists of their parts."""
        if isinstance(expr, Var) and expr.name in self.tables:
            return [Var(n, type=self.types[n]) for n in self.tables[expr.name]]
        keys = [key for key, _ in keys_of(row_of(expr.type))]
        match expr:
            case Index(base=base, index=(part,)) if self.is_table(base):
                bases, index = self.table(base), (self.repeated(part),)
                return self._each(expr, keys, lambda k: Index(bases[k], index))
            case Call(function="pop", args=(base, *rest)) if self.is_table(base) and not rest:
                bases = self.table(base)
                return self._each(expr, keys, lambda k: replace(expr, args=(bases[k],)))
            case Call(function=function, args=args, kwargs=()) if function in EACH:
                whole = [self.table(a) if of_table(a.type) else self.repeated(a) for a in args]

                def each(k: int) -> Expr:
                    parts = (a[k] if isinstance(a, list) else a for a in whole)
                    return replace(expr, args=tuple(parts))

                return self._each(expr, keys, each)
            case Sequence(kind="list", items=items):
                nested = depth_of(expr.type) > 1
                rows = [self.table(i) if nested else self.own_row(i) for i in items]
                return self._each(
                    expr, keys, lambda k: replace(expr, items=tuple(row[k] for row in rows))
                )
        raise NotApart

    def _each(self, expr: Expr, keys: list[Any], made: Callable[[int], Expr]) -> list[Expr]:
        return [
            replace(made(k), type=column_of(expr.type, key), span=expr.span)
            for k, key in enumerate(keys)
        ]

    def own_row(self, expr: Expr) -> list[Expr]:
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
                return [
                    Var(n, type=k) for n, (_, k) in zip(self.rows[name], keys_of(kind), strict=True)
                ]
            case Index(base=base, index=(part,)) if self.is_table(base):
                place = (self.repeated(part),)
                return self._taken(expr, base, lambda column: Index(column, place))
            case Call(function="pop", args=(base,)) if self.is_table(base):
                return self._taken(expr, base, lambda column: replace(expr, args=(column,)))
            case Sequence(items=items) if isinstance(kind, Tuple) and len(items) == len(kind.items):
                return [self.expr(i) for i in items]
            case nodes.Mapping(keys=keys, values=values):
                given = {
                    k.value: self.expr(v)
                    for k, v in zip(keys, values, strict=True)
                    if isinstance(k, Const)
                }
                wanted = [key for key, _ in keys_of(kind)]
                return [given[key] for key in wanted] if set(given) == set(wanted) else None
            case Call(function=s2sgrad_runtime.accumulate, args=(a, b)):
                return self._sums(kind, self.own_row(a), self.own_row(b))
            case Call(function=s2sgrad_runtime.zeros_like | s2sgrad_runtime.copy_tree, args=(a,)):
                pairs = zip(self.own_row(a), keys_of(kind), strict=True)
                return [replace(expr, args=(part,), type=one) for part, (_, one) in pairs]
            case Var() | Index(base=Var()) if isinstance(kind, Tuple):
                held = self.expr(expr)
                return [Index(held, (Const(k, type=INT),), type=t) for k, t in keys_of(kind)]
        return None

    def _taken(self, row: Expr, base: Expr, made: Callable[[Expr], Expr]) -> list[Expr]:
        """The parts of a row that is taken out of a list."""
        pairs = zip(self.table(base), keys_of(row.type), strict=True)
        return [replace(made(column), type=one, span=row.span) for column, (_, one) in pairs]

    def _sums(self, kind: Type, left: list[Expr], right: list[Expr]) -> list[Expr]:
        """The entrywise sum of two rows."""
        found: list[Expr] = []
        for (_, one), a, b in zip(keys_of(kind), left, right, strict=True):
            if isinstance(one, Array | Scalar):
                found.append(Call(np.add, "+", (a, b), form="operator", type=one))
            else:
                tree = s2sgrad_runtime.accumulate
                found.append(Call(tree, "accumulate", (a, b), type=one))
        return found

    def number(self, kind: Type, part: Expr) -> int:
        """Which part of a row a subscript names."""
        names = [key for key, _ in keys_of(kind)]
        value = part.value if isinstance(part, Const) else None
        if isinstance(kind, Tuple) and type(value) is int and -len(names) <= value < len(names):
            return value % len(names)
        if value in names:
            return names.index(value)
        raise NotApart

    def expr(self, expr: Expr) -> Expr:
        """An expression that is no list of the group."""
        match expr:
            case Index(base=base) if has_effect(base) and self._takes_part(base):
                raise NotApart  # `rows.pop()[0]` takes out of one list only
            case Call(text="len" | "bool" | "not", args=(arg,)) if self.is_table(arg):
                if has_effect(arg):
                    raise NotApart
                return replace(expr, args=(self.table(arg)[0],))
            case Index(base=Index(base=inner, index=(first,)), index=(part,)) if self.is_table(
                inner
            ):
                if not nodes.is_slice(first) and depth_of(self.kind(inner)) == 1:
                    number = self.number(row_of(self.kind(inner)), part)
                    place = (self.expr(first),)
                    return Index(self.table(inner)[number], place, type=expr.type, span=expr.span)
            case Index(base=base, index=(part,)):
                row = self.row(base) if self._is_row(base) else None
                if row is not None:
                    return row[self.number(base.type, part)]
        if isinstance(expr, Var) and expr.name in self.tables:
            raise NotApart
        if self._is_row(expr):
            return display(expr.type, tuple(self.own_row(expr)))
        return self._inside(expr)

    def _takes_part(self, base: Expr) -> bool:
        """Whether a subscript takes one of the parts of what is in a list of the group."""
        inner = base.base if isinstance(base, Index) else base
        return self._is_row(base) or self.is_table(inner)

    def repeated(self, expr: Expr) -> Expr:
        """An expression that is evaluated for each of the parts."""
        if has_effect(expr):
            raise NotApart
        return self.expr(expr)

    def _is_row(self, expr: Expr) -> bool:
        """Whether an expression gives a row of a list of the group."""
        match expr:
            case Var(name=name):
                return name in self.rows
            case Index(base=base):
                return self.is_table(base) and isinstance(expr.type, Tuple | Dict)
            case Call(function="pop", args=(base, *_)):
                return self.is_table(base) and isinstance(expr.type, Tuple | Dict)
            case Call(function=function, args=args) if function in EACH:
                return isinstance(expr.type, Tuple) and any(map(self._is_row, args))
        return False

    def _inside(self, expr: Expr) -> Expr:
        """The same with its parts changed."""

        def each(parts: tuple[Expr, ...]) -> tuple[Expr, ...]:
            return tuple(map(self.expr, parts))

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
            case Call(function=s2sgrad_runtime.in_structure, args=(bar, tree)) if self.is_table(
                bar
            ):
                if not isinstance(tree, Var):
                    raise NotApart
                if tree.name not in self.function.parameters:
                    if tree.name not in self.function.inputs:
                        raise NotApart
                    tree = self.function.inputs[tree.name]
                rows = self.result(bar)
                return rows if as_it_comes(expr.type) else replace(expr, args=(rows, tree))
            case Sequence(items=items):
                return replace(expr, items=tuple(map(self.result, items)))
            case nodes.Mapping(values=values):
                return replace(expr, values=tuple(map(self.result, values)))
            case Call(function=trees.as_rows, args=(lists, *how)):
                return replace(expr, args=(self.result(lists), *how))
        if not self.is_table(expr):
            return self.expr(expr)
        row, depth = row_of(expr.type), Const(depth_of(expr.type), type=INT)
        keys: Expr = Const(None)
        if isinstance(row, Dict):
            keys = Sequence("tuple", tuple(Const(key) for key, _ in keys_of(row)))
        lists = Sequence("tuple", tuple(self.table(expr)))
        return Call(trees.as_rows, "as_rows", (lists, keys, depth), type=expr.type)


__all__ = ["Parts"]
