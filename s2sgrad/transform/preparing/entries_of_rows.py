"""Floor 5: rows of which single entries are read, as entries of their arrays, in compiled code.

Before:  for x, y in points:             After:  for k in range(len(points)):
             item = points[k]                        x = points[k, 0]
             x = item[0]                             y = points[k, 1]
             y = item[1]

A row has a cotangent of its own, a small array that each trip would make, fill and add to that of
the array; an entry has its place there. A row that is used as a whole anywhere stays one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from s2sgrad.analysis.effects import has_effect
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, For, Index, Stmt, Var
from s2sgrad.ir.types import INT, Array, Scalar, Type
from s2sgrad.transform.preparing.row_loops import index_loop
from s2sgrad.transform.preparing.rows_by_place import by_its_counter
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_stmt_exprs

_MOST = 4  # rows of rows: more axes than that are rare
_NUMBERS = ("float", "int", "bool", "complex")


@dataclass(frozen=True)
class _Row:
    """`base[index]`."""

    base: Var
    index: tuple[Expr, ...]

    @property
    def names(self) -> set[str]:
        """What must not be bound anew while the row has a name."""
        return {self.base.name}.union(*map(nodes.names_in, self.index))


def with_entries_of_rows(body: Block, types: dict[str, Type], fixed: frozenset[str]) -> Block:
    """The body without names for such rows; `types` gets those of new names.

    fixed: parameters, and variables that are read after the body.
    """
    for _ in range(_MOST):
        rows = _only_rows(body) - fixed
        while rows:
            reader = _Reader(rows, Names(set(types) | fixed), dict(types))
            new = reader.block(body, {})
            if not reader.whole:
                break
            rows -= reader.whole
        if not rows:
            return body
        body = new
        types.update(reader.types)
    return body


def _only_rows(body: Block) -> frozenset[str]:
    """The variables that are bound to nothing but rows."""
    rows: set[str] = set()
    others: set[str] = set()
    for stmt in nodes.walk_block(body):
        for name, is_row in _bound(stmt):
            (rows if is_row else others).add(name)
    return frozenset(rows - others)


def _bound(stmt: Stmt) -> Iterator[tuple[str, bool]]:
    """The names that a statement binds, and whether each is bound to a row."""
    match stmt:
        case Assign(targets=targets, values=values):
            for name, value in zip(targets, values, strict=True):
                yield name, _row_of(value) is not None
        case For(targets=targets, sources=sources):
            for name, source in zip(targets, sources, strict=True):
                yield name, isinstance(source, Var) and _axes(source) > 1
        case _:
            yield from ((name, False) for name in nodes.targets_of(stmt))


def _axes(expr: Expr) -> int:
    """How many axes an array of numbers has; 0 for anything else."""
    kind = expr.type
    if not isinstance(kind, Array) or kind.shape is None or kind.dtype is None:
        return 0
    return len(kind.shape) if kind.dtype.startswith(_NUMBERS) else 0


def _row_of(value: Expr) -> _Row | None:
    """The row that a value is: a view by whole numbers."""
    if not isinstance(value, Index) or not isinstance(value.base, Var):
        return None
    inside = 0 < len(value.index) < _axes(value.base) and isinstance(value.type, Array)
    if not inside or not all(map(_is_place, value.index)):
        return None
    return _Row(value.base, value.index)


def _is_place(part: Expr) -> bool:
    whole = isinstance(part.type, Scalar) and part.type.dtype.startswith(("int", "uint"))
    return whole and not has_effect(part)


def _is_plain(part: Expr) -> bool:
    """Whether a place is a variable or a literal, or their sum or difference."""
    match part:
        case Const() | Var():
            return True
        case Call(form="operator", text="+" | "-", args=(Var(), Const())):
            return True
    return False


class _Reader:
    """Puts entries of arrays in the place of those of `rows`. whole: rows that are used otherwise,
    or where it is not known what they are."""

    def __init__(self, rows: frozenset[str], names: Names, types: dict[str, Type]) -> None:
        self.rows, self.names, self.types = rows, names, types
        self.whole: set[str] = set()

    def block(self, block: Block, known: dict[str, _Row]) -> Block:
        """A block, before which rows are known."""
        known = dict(known)
        result: list[Stmt] = []
        for stmt in block:
            result += self.statement(stmt, known)
        return tuple(result)

    def statement(self, stmt: Stmt, known: dict[str, _Row]) -> list[Stmt]:
        """What takes the place of a statement; `known` learns what it binds."""
        if isinstance(stmt, For):
            stmt = self.counted(stmt)
        bound = {t for s in nodes.walk_block((stmt,)) for t in nodes.targets_of(s)}
        again = isinstance(stmt, For | nodes.While)  # what its body binds is bound before it, too
        if again:
            _forget(known, bound)
        match stmt:
            case Assign(targets=targets) if not self.rows.isdisjoint(targets):
                return self.bound(stmt, bound, known)
            case For(body=body):
                sources = tuple(self.expr(s, known) for s in stmt.sources)
                new: Stmt = replace(stmt, sources=sources, body=self.block(body, known))
            case nodes.While(body=body):
                test = self.expr(stmt.test, known)
                new = replace(stmt, test=test, body=self.block(body, known))
            case nodes.If(then=then, orelse=orelse):
                test, sides = self.expr(stmt.test, known), (then, orelse)
                then, orelse = (self.block(side, known) for side in sides)
                new = replace(stmt, test=test, then=then, orelse=orelse)
            case _:
                new = self.simple(stmt, known)
        _forget(known, bound)
        return [new]

    def simple(self, stmt: Stmt, known: dict[str, _Row]) -> Stmt:
        """A statement without others in it."""
        new = map_stmt_exprs(stmt, lambda e: self.entry(e, known))
        inside = nodes.walk_block((new,))
        used = {n for s in inside for e in nodes.expressions(s) for n in nodes.names_in(e)}
        self.whole |= used & self.rows
        return new

    def expr(self, expr: Expr, known: dict[str, _Row]) -> Expr:
        """An expression of a statement that has others in it, or of one that binds a row."""
        new = self.simple(Assign(("",), (expr,)), known)
        assert isinstance(new, Assign)
        return new.values[0]

    def entry(self, expr: Expr, known: dict[str, _Row]) -> Expr:
        """The entry of an array for one of a row, or how long the row is."""
        match expr:
            case Index(base=Var(name=name), index=index, type=Scalar()) if name in known:
                if all(map(_is_place, index)):
                    row = known[name]
                    return replace(expr, base=row.base, index=(*row.index, *index))
            case Call(function=function, args=(Var(name=name),)) if function in (len, "len"):
                if name in known:
                    row = known[name]
                    axis = Const(len(row.index), type=INT)
                    return Index(build.shape(row.base), (axis,), type=expr.type)
        return expr

    def bound(self, stmt: Assign, bound: set[str], known: dict[str, _Row]) -> list[Stmt]:
        """What is left of a statement that binds rows; `known` learns of them."""
        left: list[tuple[str, Expr]] = []
        rows: list[tuple[str, _Row]] = []
        for name, value in zip(stmt.targets, stmt.values, strict=True):
            value = self.expr(value, known)
            row = _row_of(value) if name in self.rows else None
            if row is None or row.names & bound:
                self.whole |= {name} & self.rows
                left.append((name, value))
            else:
                rows.append((name, row))
        _forget(known, bound)
        result: list[Stmt] = []
        for name, row in rows:
            known[name] = self.placed(row, stmt, result)
        if left:
            targets, values = zip(*left, strict=True)
            result.append(replace(stmt, targets=targets, values=values))
        return result

    def placed(self, row: _Row, stmt: Stmt, before: list[Stmt]) -> _Row:
        """A row whose places are variables, or beside them; others get names before a statement."""
        places: list[Expr] = []
        for part in row.index:
            if not _is_plain(part):
                place = self.names.fresh("place")
                self.types[place] = part.type
                before.append(Assign((place,), (part,), span=stmt.span))
                part = Var(place, type=part.type)
            places.append(part)
        return replace(row, index=tuple(places))

    def counted(self, loop: For) -> For:
        """A loop over rows with a counter instead."""
        bound = {t for s in nodes.walk_block(loop.body) for t in nodes.targets_of(s)}
        taken = [(t, s) for t, s in zip(loop.targets, loop.sources, strict=True) if t in self.rows]
        for name, source in taken:
            if not isinstance(source, Var) or {name, source.name} & bound:
                self.whole.add(name)
        if not taken or self.whole & {name for name, _ in taken}:
            self.whole |= {name for name, _ in taken}
            return loop
        return by_its_counter(index_loop(loop, self.names, self.types))


def _forget(known: dict[str, _Row], bound: set[str]) -> None:
    """Names are bound anew."""
    for name in [n for n, row in known.items() if n in bound or row.names & bound]:
        del known[name]


__all__ = ["with_entries_of_rows"]
