"""Floor 6: branches of innermost loops as selections, where what they write lies in the arrays.

`if chosen: x_bar[i] += d` becomes `step = d if chosen else 0.0; x_bar[i] += step`: such a loop can
be split and vectorised. An entry that a branch alone writes has to be one of the array's for any
value of the counter. One that it alone reads is read in any case if it is, ahead of the selection:
LLVM makes branches again of selections that read, and several of those it does not vectorise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from s2sgrad.analysis.costs import COMPILED
from s2sgrad.analysis.indexing import constant_of, size_of
from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.extents import shifted
from s2sgrad.backend.loops.reductions import stepped
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Assign, Block, Choice, Const, Expr, Index, Stmt, Store, Var
from s2sgrad.ir.sizes import Size, of
from s2sgrad.ir.types import BOOL, Array, Scalar
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_expr, map_stmt_exprs

CHEAP = 1.0  # nanoseconds of a test that may be made where its branch is not reached
FLOAT = Scalar("float64")
_FLOATS = ("float64", "float")
_WHOLE = ("int", "int64")
NOTHING = Const(0.0, type=Scalar("float"))


class Stays(Exception):
    """A branch that has no such form."""


def without_branches(
    loop: nodes.For,
    groups: Groups,
    names: Names,
    types: dict[str, Any],
    stores: frozenset[str],
) -> Block | None:
    """What an iteration does, without branches; None where it has none, or they stay.

    stores: arrays in which the forward sweep has put something for each iteration. Numbers that
    are only added to may be added to in any order: it is the reverse sweep's.
    """
    if not any(isinstance(s, nodes.If) for s in loop.body):
        return None
    try:
        return _Selections(loop, groups, names, types, stores).block()
    except Stays:
        return None


class _Selections:
    def __init__(
        self, loop: nodes.For, groups: Groups, names: Names, types: dict[str, Any],
        stores: frozenset[str],
    ) -> None:  # fmt: skip
        self.stores = stores
        self.loop, self.groups, self.names, self.types = loop, groups, names, types
        self.counter = Var(loop.targets[0])
        self.certain = _certain_places(loop)
        self.known: set[str] = set()  # numbers that have a value in this iteration
        self.inner: set[str] = set()  # numbers that one branch alone sets, for itself
        self.entries: dict[Index, Var] = {}  # what has been read ahead of a selection
        self.result: list[Stmt] = []

    def block(self) -> Block:
        for stmt in self.loop.body:
            match stmt:
                case nodes.If():
                    self._either(stmt)
                case Assign() | Store():
                    self._write(stmt)
                case _:
                    raise Stays
        if self.inner & {
            n for s in self.result for e in nodes.expressions(s) for n in nodes.names_in(e)
        }:
            raise Stays  # another iteration's value, or none
        return tuple(self.result)

    def _write(self, stmt: Assign | Store) -> None:
        """A statement that runs in any case."""
        match stmt:
            case Store(base=Var(name=name, type=Scalar() as kind) as base, index=(), op="+" | "-"):
                if not _is_float(kind):
                    raise Stays
                more = stmt.value if stmt.op == "+" else build.negate(stmt.value)
                stmt = Assign((name,), (stepped("sum", base, more),), span=stmt.span)
            case Store(base=Var(name=name)):
                changed = self.groups.of(name)
                self.entries = {
                    place: entry
                    for place, entry in self.entries.items()
                    if self.groups.of(place.base.name) != changed  # type: ignore[attr-defined]
                }
        targets = set(nodes.targets_of(stmt))
        self.entries = {
            place: entry
            for place, entry in self.entries.items()
            if not nodes.names_in(place) & targets or isinstance(stmt, Store)
        }
        self.result.append(stmt)
        self.known |= targets

    def _either(self, stmt: nodes.If) -> None:
        """Both branches, of which one counts."""
        then, orelse, both = _same_end(stmt.then, stmt.orelse)
        chosen = self._named("chosen", stmt.test, stmt, BOOL)
        first = self._branch(then, {}, lambda value, other: _choice(chosen, value, other))
        second = self._branch(orelse, {}, lambda value, other: _choice(chosen, other, value))
        for name in sorted(first.keys() | second.keys()):
            if name not in self.known and (name not in first or name not in second):
                self.inner.add(name)
                continue
            own = Var(name, type=FLOAT)
            value = _choice(chosen, first.get(name, own), second.get(name, own))
            self._write(Assign((name,), (value,), span=stmt.span))
        for same in both:
            if not isinstance(same, Assign | Store):
                raise Stays
            self._write(same)

    def _branch(
        self, block: Block, found: dict[str, Expr], pick: Callable[[Expr, Expr], Expr]
    ) -> dict[str, Expr]:
        """Write what a branch does where it is chosen; the numbers that it sets, and `found`."""
        found = dict(found)
        for stmt in block:
            own = map_stmt_exprs(stmt, lambda e: found.get(e.name, e) if type(e) is Var else e)
            match own:
                case nodes.If():
                    self._inner_either(own, found, pick)
                case Assign(targets=(name,), values=(value,)) if _is_float(value.type):
                    value = self._read_ahead(value)
                    at_hand = isinstance(value, Const) or stmt is block[-1]
                    found[name] = (
                        value if at_hand else self._named(name, pick(value, NOTHING), stmt)
                    )
                case Store():
                    self._store(own, pick)
                case nodes.Comment():
                    pass
                case _:
                    raise Stays
        return found

    def _store(self, stmt: Store, pick: Callable[[Expr, Expr], Expr]) -> None:
        value = self._read_ahead(stmt.value)
        match stmt:
            case Store(base=Var(type=Scalar()), index=(), op="+" | "-"):
                step = pick(value, NOTHING)
            case Store(base=Var(type=Array() as kind) as base, index=index, op="" | "+" | "-"):
                if not index or kind.dtype != "float64" or not self._inside(index, kind):
                    raise Stays
                if stmt.op:
                    step = self._named("step", pick(value, NOTHING), stmt)
                else:
                    step = pick(value, self._read_ahead(Index(base, index, type=FLOAT)))
            case _:
                raise Stays
        self._write(Store(stmt.base, stmt.index, step, stmt.op, span=stmt.span))

    def _inner_either(
        self, stmt: nodes.If, found: dict[str, Expr], pick: Callable[[Expr, Expr], Expr]
    ) -> None:
        """Branches within a branch: both are left out where that one is not chosen."""
        test = self._read_ahead(stmt.test)
        reads = any(isinstance(e, Index) for e in nodes.walk(test))
        if reads or COMPILED.price(test) > CHEAP:
            raise Stays
        chosen = self._named("chosen", test, stmt, BOOL)
        first = self._branch(stmt.then, found, lambda v, o: pick(_choice(chosen, v, o), o))
        second = self._branch(stmt.orelse, found, lambda v, o: pick(_choice(chosen, o, v), o))
        for name in sorted(first.keys() | second.keys()):
            both = name in first and name in second
            if not both and name not in found and name not in self.known:
                self.inner.add(name)
                continue
            own = found.get(name, Var(name, type=FLOAT))
            value = _choice(chosen, first.get(name, own), second.get(name, own))
            found[name] = value if value == own else self._named(name, value, stmt)

    def _read_ahead(self, value: Expr) -> Expr:
        """The value with entries that are there in any case as numbers."""

        def read(expr: Expr) -> Expr:
            match expr:
                case Index(base=Var(type=Array() as kind) as base, index=index, type=Scalar()):
                    saved = base.name in self.stores and index[-1] == self.counter
                    if expr not in self.entries and (saved or self._inside(index, kind)):
                        name = f"{base.name}_entry"
                        self.entries[expr] = self._named(name, expr, None, expr.type)
                    return self.entries.get(expr, expr)
            return expr

        return map_expr(value, read)

    def _named(self, base: str, value: Expr, stmt: Stmt | None, kind: Any = FLOAT) -> Var:
        name = self._fresh(base, kind)
        span = None if stmt is None else stmt.span
        self.result.append(Assign((name,), (value,), span=span))
        return Var(name, type=kind)

    def _fresh(self, base: str, kind: Any) -> str:
        name = self.names.fresh(base)
        self.types[name] = kind
        return name

    def _inside(self, index: tuple[Expr, ...], kind: Array) -> bool:
        """Whether an entry is one of the array's, in any iteration."""
        if kind.shape is None or len(index) != len(kind.shape):
            return False
        (source,) = self.loop.sources
        first, stop = (Const(0), *source.args)[-2:]  # type: ignore[attr-defined]
        low, end = constant_of(first), size_of(stop)
        if type(low) is not int or end is None:
            return False
        for part, size in zip(index, kind.shape, strict=True):
            base, more = shifted(part)
            if base != self.counter:
                if (part, size) not in self.certain:
                    return False
                continue
            left = None if size is None else size - end - of(more)
            if low + more < 0 or left is None:
                return False
            if left.constant is None or left.constant < 0:
                return False
        return True


def _certain_places(loop: nodes.For) -> set[tuple[Expr, Size | None]]:
    """Subscripts that stay the same in the loop, of axes of which each iteration uses one there."""
    changing = nodes.bound_in((loop,))
    found: set[tuple[Expr, Size | None]] = set()
    for stmt in loop.body:
        exprs = (stmt.test,) if isinstance(stmt, nodes.If) else nodes.expressions(stmt)
        places = [e for expr in exprs for e in _always(expr)]
        if isinstance(stmt, Store):
            places.append(Index(stmt.base, stmt.index))
        for place in places:
            if isinstance(place, Index) and isinstance(place.base.type, Array):
                shape, numbers = place.base.type.shape or (), _are_numbers(place.index)
                if numbers and len(shape) == len(place.index):
                    pairs = zip(place.index, shape, strict=True)
                    found |= {(p, s) for p, s in pairs if s is not None}
    return {(p, s) for p, s in found if not nodes.names_in(p) & changing}


def _are_numbers(index: tuple[Expr, ...]) -> bool:
    return all(isinstance(p.type, Scalar) and p.type.dtype in _WHOLE for p in index)


def _always(expr: Expr) -> Iterator[Expr]:
    """The parts of an expression that are computed in any case."""
    yield expr
    match expr:
        case Choice(test=test):
            yield from _always(test)
        case nodes.Call(text="and" | "or"):
            yield from _always(expr.args[0])
        case _:
            for part in nodes.children(expr):
                yield from _always(part)


def _choice(test: Expr, then: Expr, orelse: Expr) -> Expr:
    return then if then == orelse else Choice(test, then, orelse, type=FLOAT)


def _same_end(then: Block, orelse: Block) -> tuple[Block, Block, Block]:
    """The branches without the statements with which both end, and those."""
    count = 0
    while count < min(len(then), len(orelse)) and then[-1 - count] == orelse[-1 - count]:
        count += 1
    cut = len(then) - count
    return then[:cut], orelse[: len(orelse) - count], then[cut:]


def _is_float(kind: Any) -> bool:
    return isinstance(kind, Scalar) and kind.dtype in _FLOATS


__all__ = ["without_branches"]
