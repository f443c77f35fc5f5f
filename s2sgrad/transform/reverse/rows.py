"""Floor 5: from the pullback of a function to all rows of its Jacobian.

The forward sweep runs once, the reverse sweep in a loop over the unit cotangents of the value. The
backward function of a pullback may run again (see pullback.py), so its body may: each iteration
starts from what was saved. What of it does not depend on the cotangent stands before the loop.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

import s2sgrad_runtime
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Assign, Block, Call, Expr, Function, Stmt, Var
from s2sgrad.ir.types import FLOAT, INT, Array, List, Scalar, Type
from s2sgrad.transform.preparing.coalesce import rename
from s2sgrad.transform.reverse.gradient import tuple_of
from s2sgrad.transform.reverse.pullback import Pair
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block, map_expr, map_stmt_exprs
from s2sgrad.transform.writing.tidy import without_unused
from s2sgrad.transform.writing.units import (
    Parts,
    changed_by,
    empty,
    is_plain,
    lengths,
    names_read,
    over_entries,
    rank_of,
    zeros_like,
)

COUNTER = "row"
Path = tuple[object, ...]  # the keys and positions that lead to a part of the value


def over_unit_cotangents(pair: Pair, leaves: dict[str, Type]) -> Function | None:
    """`(arguments) -> (y, rows)` out of a pullback by arguments.

    leaves: the float inputs in these arguments, in order, and their types; rows is one array for
    each of them, in a tuple where they are several. rows[k] is the cotangent for the unit cotangent
    k of y, rows[i, j] where y is an array of rank 2; a number has no such axis, and the entries of
    several results are counted through. None where a result or an input is no float array of known
    rank.
    """
    last = pair.forward.body[-1]
    assert isinstance(last, nodes.Return) and isinstance(last.value, nodes.Sequence)
    value = last.value.items[0]
    places = dict(_places(value, ()))
    sweep = _Sweep.of(pair.backward)
    kinds = [*leaves.values(), *(expr.type for expr in places.values())]
    if sweep is None or len(sweep.cotangents) != len(leaves) or not all(map(is_plain, kinds)):
        return None
    if () not in places and any(_precision(e.type) != "float64" for e in places.values()):
        return None
    made = _Rows(pair, value, places, leaves, sweep)
    return made.function() if made.possible else None


def _places(expr: Expr, path: Path) -> list[tuple[Path, Expr]]:
    """The parts of a result, with the way to them."""
    if isinstance(expr, nodes.Sequence):
        return [p for i, item in enumerate(expr.items) for p in _places(item, (*path, i))]
    if isinstance(expr, nodes.Mapping):
        pairs = zip(expr.keys, expr.values, strict=True)
        return [p for key, item in pairs for p in _places(item, (*path, _constant(key)))]
    return [(path, expr)]


def _constant(key: Expr) -> object:
    return key.value if isinstance(key, nodes.Const) else key


def _precision(kind: Type) -> str:
    dtype = str(getattr(kind, "dtype", None))
    return "float64" if dtype == "float" else dtype


@dataclass(frozen=True)
class _Sweep:
    """A backward function's statements before and after its cotangents are handed back."""

    body: Block
    cotangents: list[Expr]
    after: Block

    @staticmethod
    def of(backward: Function) -> _Sweep | None:
        *body, last = backward.body
        assert isinstance(last, nodes.Return)
        if not isinstance(last.value, Var):
            return _Sweep(tuple(body), _flat(last.value), ())
        for i, stmt in enumerate(body):
            if isinstance(stmt, Assign) and stmt.targets == (last.value.name,):
                return _Sweep(tuple(body[:i]), _flat(stmt.values[0]), tuple(body[i + 1 :]))
        return None

    def mapped(self, change: object) -> _Sweep:
        """The same with `change` applied to every expression."""
        cotangents = [map_expr(c, change) for c in self.cotangents]  # type: ignore[arg-type]
        body, after = (map_block(b, change) for b in (self.body, self.after))  # type: ignore[arg-type]
        return _Sweep(body, cotangents, after)


def _flat(expr: Expr) -> list[Expr]:
    """The cotangents of float inputs out of nested containers."""
    if isinstance(expr, nodes.Sequence):
        return [leaf for item in expr.items for leaf in _flat(item)]
    if isinstance(expr, nodes.Mapping):
        return [leaf for item in expr.values for leaf in _flat(item)]
    return [] if isinstance(expr, nodes.Const) and expr.value is None else [expr]


@dataclass
class _Unit:
    """The unit cotangent: an array, what counts its entries, and how often.

    start: what each iteration does first. numbers of results have no entries to count.
    """

    array: Var | None
    counters: tuple[Var, ...] = ()
    sizes: tuple[Expr, ...] = ()
    made: list[Stmt] = field(default_factory=list)
    start: list[Stmt] = field(default_factory=list)


class _Rows:
    """Makes the function out of a forward sweep and a reverse sweep."""

    def __init__(
        self, pair: Pair, value: Expr, places: dict[Path, Expr], leaves: dict[str, Type],
        sweep: _Sweep,
    ) -> None:  # fmt: skip
        self.forward, self.saved, self.leaves = pair.forward, pair.saved, leaves
        self.first, self.given = pair.forward.body[:-1], pair.backward.parameters[0]
        self.value, self.places = value, places
        self.types = {**pair.forward.types, **pair.backward.types}
        taken = Names({*self.types, *pair.forward.parameters, self.given})
        self.bars = {
            path: taken.fresh(_bar(expr)) if path else self.given for path, expr in places.items()
        }
        self.sweep = sweep if () in places else sweep.mapped(self._at_its_place)
        self.types |= {self.bars[path]: expr.type for path, expr in places.items() if path}
        body = (*self.first, *self.sweep.body, *self.sweep.after)
        self.parts = Parts(pair.forward, body, self.types, frozenset(self.bars.values()))
        read = names_read([e for s in nodes.walk_block(body) for e in nodes.expressions(s)])
        self.possible = () in places or self.given not in read

    def function(self) -> Function:
        """The whole function."""
        parts, named = self.parts, dict[Expr, str]()
        early = [s for s in self.sweep.body if parts.is_fixed(s)]
        late = [parts.with_factors_named(s, named) for s in self.sweep.body if s not in early]
        changed = changed_by((*late, *self.sweep.after), parts.effects)
        kept, values = self._values(changed)
        unit = self._several(values) if () not in values else self._single(values[()])
        given, rows, made, stores = self._rows(unit, named)
        inside = self._from_saved((*_stored_at_once(late, stores), *self.sweep.after), unit)
        block: Block = (*unit.start, *inside)
        if unit.array is not None:
            ones, zeros = (
                nodes.Store(unit.array, unit.counters, build.number(v)) for v in (1.0, 0.0)
            )
            block = over_entries(unit.counters, unit.sizes, (ones, *block, zeros))
        factors = [Assign((name,), (expr,)) for expr, name in named.items()]
        result = nodes.Return(tuple_of([self._result(self.value, (), values), rows]))
        body = (*given, *self.first, *kept, *early, *factors, *unit.made, *made, *block, result)
        name = f"{self.forward.name.removesuffix('_forward')}_rows"
        body = without_unused(body, frozenset())
        return replace(self.forward, name=name, body=body, types=self.types)

    # --- the value and its cotangents ------------------------------------------------------------
    def _at_its_place(self, expr: Expr) -> Expr:
        """The variable in the place of `value_bar[0]`."""
        path: Path = ()
        base = expr
        while isinstance(base, nodes.Index) and len(base.index) == 1:
            path, base = (_constant(base.index[0]), *path), base.base
        ours = isinstance(base, Var) and base.name == self.given and path in self.bars
        return Var(self.bars[path], type=expr.type) if ours else expr

    def _values(self, changed: set[str]) -> tuple[list[Stmt], dict[Path, Var]]:
        """Names for the parts of the value, that stay what they are while the loop runs."""
        kept: list[Stmt] = []
        found = {}
        for path, expr in self.places.items():
            if isinstance(expr, Call) and expr.function is np.copy:  # from what the loop changes
                expr = expr.args[0] if not nodes.names_in(expr) & changed else expr
            if not isinstance(expr, Var) or expr.name in changed:
                var = self.parts.fresh("value", expr.type)
                kept.append(Assign((var.name,), (expr,)))
                expr = var
            found[path] = expr
        return kept, found

    def _result(self, expr: Expr, path: Path, values: dict[Path, Var]) -> Expr:
        """The value, of its named parts."""
        if path in values:
            return values[path]
        if isinstance(expr, nodes.Sequence):
            items = enumerate(expr.items)
            return replace(expr, items=tuple(self._result(e, (*path, i), values) for i, e in items))
        assert isinstance(expr, nodes.Mapping)
        pairs = zip(expr.keys, expr.values, strict=True)
        return replace(
            expr, values=tuple(self._result(e, (*path, _constant(k)), values) for k, e in pairs)
        )

    def _single(self, y: Var) -> _Unit:
        """Unit cotangents of one result: of its own shape, or the number 1."""
        kind, rank = self.types.get(self.given, y.type), rank_of(y.type)
        bar = Var(self.given, type=kind)
        if not rank:
            return _Unit(None, start=[Assign((bar.name,), (build.number(1.0),))])
        counters = self._counters((COUNTER,) if rank == 1 else tuple("ijklmn"[:rank]))
        if self._is_stored(bar.name):
            unit = self.parts.fresh("unit", kind)
            copied = Call(np.copy, "copy", (unit,), form="method", type=kind)
            start: list[Stmt] = [Assign((bar.name,), (copied,))]
        else:
            unit, start = self.parts.fresh("unit", kind) if self._is_bound(bar.name) else bar, []
        made: list[Stmt] = [Assign((unit.name,), (zeros_like(y),))]
        return _Unit(unit, counters, lengths(y), made, start)

    def _several(self, values: dict[Path, Var]) -> _Unit:
        """One vector with the entries of all results, and their parts of it."""
        unit = self.parts.fresh("unit", Array("float64", (None,)))
        total: Expr = nodes.Const(0, type=INT)
        start: list[Stmt] = []
        for path, y in values.items():
            name = self.bars[path]
            before, total = total, _plus(total, _size(y))
            if not rank_of(y.type):
                part: Expr = nodes.Index(unit, (before,), type=FLOAT)
            else:
                first = None if before == nodes.Const(0) else before
                part = nodes.Index(unit, (nodes.Slice(first, total, None),), type=unit.type)
                if rank_of(y.type) > 1:
                    part = Call(np.reshape, "np.reshape", (part, build.shape(y)), type=y.type)
                if self._is_stored(name):
                    part = Call(np.copy, "np.copy", (part,), type=y.type)
            start.append(Assign((name,), (part,)))
        zeros = empty((total,), unit.type)
        return _Unit(
            unit, self._counters((COUNTER,)), (total,), [Assign((unit.name,), (zeros,))], start
        )

    # --- the rows --------------------------------------------------------------------------------
    def _rows(
        self, unit: _Unit, named: dict[Expr, str]
    ) -> tuple[list[Stmt], Expr, list[Stmt], list[Stmt]]:
        """What is kept of the inputs first, the rows, how they are made, and how they are set."""
        given: list[Stmt] = []
        made: list[Stmt] = []
        stores: list[Stmt] = []
        rows: list[Expr] = []
        for (leaf, kind), cotangent in zip(self.leaves.items(), self.sweep.cotangents, strict=True):
            base = "rows" if len(self.leaves) == 1 else f"{leaf}_rows"
            x = Var(leaf, type=kind)
            if self._is_bound(leaf):
                x = self.parts.fresh(f"{leaf}_given", kind)
                given.append(Assign((x.name,), (Var(leaf, type=kind),)))
            if unit.array is None:
                row = self.parts.fresh(base, cotangent.type)
                stores.append(Assign((row.name,), (cotangent,)))
            else:
                zeros = empty((*unit.sizes, *lengths(x)), kind)
                row = self.parts.fresh(base, zeros.type)
                made.append(Assign((row.name,), (zeros,)))
                entry = self.parts.factors_named(_uncopied(cotangent), named)
                stores.append(nodes.Store(row, unit.counters, entry))
            rows.append(row)
        return given, rows[0] if len(rows) == 1 else tuple_of(rows), made, stores

    def _from_saved(self, block: Block, unit: _Unit) -> Block:
        """The reverse sweep, with names of its own for what it binds anew of what was saved."""
        inner = {n: self._inner(n) for n in self.saved if self._is_bound_in(n, block)}
        if unit.array is not None and unit.array.name != self.given and not unit.start:
            inner[self.given] = self.given
        outer = {n: n for n in inner}
        if unit.array is not None:
            outer[self.given] = unit.array.name
        waiting = set(inner)
        found: list[Stmt] = []
        for stmt in block:
            bound = nodes.bound_in((stmt,)) & waiting
            simple = not nodes.blocks(stmt)
            if not simple:
                for name in sorted(bound):
                    value = Var(outer[name], type=self.types[name])
                    found.append(Assign((inner[name],), (value,)))
                waiting -= bound
            reads = {n: outer[n] if n in waiting else inner[n] for n in inner}
            writes = {n: inner[n] for n in inner if n not in waiting or n in bound}
            found.append(_renamed(stmt, reads, writes))
            waiting -= bound
        return tuple(found)

    def _inner(self, name: str) -> str:
        kind = self.types[name]
        left = isinstance(kind, List)
        base = f"{name.removesuffix('_saved')}_left" if left else f"{name}_now"
        return self.parts.fresh(base, kind).name

    # --- names -----------------------------------------------------------------------------------
    def _is_bound(self, name: str) -> bool:
        return self._is_bound_in(name, self.parts.body)

    def _is_bound_in(self, name: str, block: Block) -> bool:
        return any(name in nodes.targets_of(s) for s in nodes.walk_block(block))

    def _is_stored(self, name: str) -> bool:
        """Whether the memory of a cotangent is written to."""
        return self.parts.effects.is_written(name)

    def _counters(self, letters: tuple[str, ...]) -> tuple[Var, ...]:
        return tuple(self.parts.fresh(letter, INT) for letter in letters)


def _bar(expr: Expr) -> str:
    if isinstance(expr, Call) and expr.function is np.copy:
        expr = expr.args[0]
    return f"{expr.name if isinstance(expr, Var) else 'value'}_bar"


def _uncopied(expr: Expr) -> Expr:
    """What is stored needs no copy of its own."""
    copied = isinstance(expr, Call) and expr.function is s2sgrad_runtime.copy_tree
    return expr.args[0] if isinstance(expr, Call) and copied else expr


def _stored_at_once(late: list[Stmt], stores: list[Stmt]) -> list[Stmt]:
    """The statements without a name for what the last of them computes for a store."""
    match late[-1:], stores:
        case [Assign(targets=(name,), values=(value,))], [nodes.Store(value=Var(name=stored)) as s]:
            return [*late[:-1], replace(s, value=value)] if name == stored else [*late, *stores]
    return [*late, *stores]


def _renamed(stmt: Stmt, reads: dict[str, str], writes: dict[str, str]) -> Stmt:
    """The statement with other names for what it reads, and for what it binds."""
    if nodes.blocks(stmt):
        function = Function("", (), (stmt,), {})
        return rename(function, reads).body[0]

    def read(expr: Expr) -> Expr:
        return (
            replace(expr, name=reads.get(expr.name, expr.name)) if isinstance(expr, Var) else expr
        )

    stmt = map_stmt_exprs(stmt, read)
    if isinstance(stmt, Assign | nodes.Unpack):
        return replace(stmt, targets=tuple(writes.get(t, t) for t in stmt.targets))
    if isinstance(stmt, nodes.Mutate) and stmt.target:
        return replace(stmt, target=writes.get(stmt.target, stmt.target))
    return stmt


def _size(y: Var) -> Expr:
    if isinstance(y.type, Scalar) or not rank_of(y.type):
        return nodes.Const(1, type=INT)
    return build.attribute(y, "size", np.size, INT)


def _plus(a: Expr, b: Expr) -> Expr:
    if isinstance(a, nodes.Const) and isinstance(b, nodes.Const):
        return nodes.Const(a.value + b.value, type=INT)
    if isinstance(a, nodes.Const) and a.value == 0:
        return b
    return Call(np.add, "+", (a, b), form="operator", type=INT)


__all__ = ["over_unit_cotangents"]
