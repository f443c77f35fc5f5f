"""Floor 6: branches of innermost loops as selections, where what they write lies in the arrays.

`if chosen: x_bar[i] += d` becomes `step = d if chosen else 0.0; x_bar[i] += step`: such a loop can
be split and vectorised. What a branch alone reads is still read where it is chosen only. An entry
that a branch alone writes has to be one of the array's for any value of the counter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sgrad.analysis.indexing import constant_of, size_of
from s2sgrad.backend.loops.extents import shifted
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Assign, Block, Choice, Const, Expr, Index, Stmt, Store, Var
from s2sgrad.ir.sizes import of
from s2sgrad.ir.types import BOOL, Array, Scalar
from s2sgrad.transform.writing.rewrite import map_stmt_exprs

FLOAT = Scalar("float64")
_FLOATS = ("float64", "float")
NOTHING = Const(0.0, type=Scalar("float"))


class Stays(Exception):
    """A branch that has no such form."""


def without_branches(loop: nodes.For, names: Names, types: dict[str, Any]) -> Block | None:
    """What an iteration does, without branches; None where it has none, or they stay."""
    if not any(isinstance(s, nodes.If) for s in loop.body):
        return None
    try:
        return _Selections(loop, names, types).block()
    except Stays:
        return None


class _Selections:
    def __init__(self, loop: nodes.For, names: Names, types: dict[str, Any]) -> None:
        self.loop, self.names, self.types = loop, names, types
        self.known: set[str] = set()  # numbers that have a value in this iteration
        self.inner: set[str] = set()  # numbers that one branch alone sets, for itself
        self.result: list[Stmt] = []

    def block(self) -> Block:
        for stmt in self.loop.body:
            match stmt:
                case nodes.If():
                    self._either(stmt)
                case Assign() | Store():
                    self.result.append(stmt)
                    self.known |= set(nodes.targets_of(stmt))
                case _:
                    raise Stays
        if self.inner & {
            n for s in self.result for e in nodes.expressions(s) for n in nodes.names_in(e)
        }:
            raise Stays  # another iteration's value, or none
        return tuple(self.result)

    def _either(self, stmt: nodes.If) -> None:
        """Both branches, of which one counts."""
        then, orelse, both = _same_end(stmt.then, stmt.orelse)
        chosen = Var(self._fresh("chosen", BOOL), type=BOOL)
        self.result.append(Assign((chosen.name,), (stmt.test,), span=stmt.span))
        first = self._branch(then, lambda value, other: _choice(chosen, value, other))
        second = self._branch(orelse, lambda value, other: _choice(chosen, other, value))
        for name in sorted(first.keys() | second.keys()):
            if name not in self.known and (name not in first or name not in second):
                self.inner.add(name)
                continue
            own = Var(name, type=FLOAT)
            value = _choice(chosen, first.get(name, own), second.get(name, own))
            self.result.append(Assign((name,), (value,), span=stmt.span))
            self.known.add(name)
        for same in both:
            self.known |= set(nodes.targets_of(same))
            if not isinstance(same, Assign | Store):
                raise Stays
            self.result.append(same)

    def _branch(self, block: Block, pick: Callable[[Expr, Expr], Expr]) -> dict[str, Expr]:
        """Write what a branch does where it is chosen; the numbers that it sets."""
        found: dict[str, Expr] = {}
        for stmt in block:
            own = map_stmt_exprs(stmt, lambda e: found.get(e.name, e) if type(e) is Var else e)
            match own:
                case Assign(targets=(name,), values=(value,)) if _is_float(value.type):
                    at_hand = isinstance(value, Const) or stmt is block[-1]
                    found[name] = (
                        value if at_hand else self._named(name, pick(value, NOTHING), stmt)
                    )
                case Store(base=Var(type=Scalar() as kind), index=(), op="+" | "-"):
                    if not _is_float(kind):
                        raise Stays
                    self.result.append(_with_value(own, pick(own.value, NOTHING)))
                case Store(base=Var(type=Array() as kind) as base, index=index, op=op):
                    if not index or kind.dtype != "float64" or not self._inside(index, kind):
                        raise Stays
                    step: Expr
                    if op in ("+", "-"):
                        step = self._named("step", pick(own.value, NOTHING), stmt)
                    elif not op:
                        step = pick(own.value, Index(base, index, type=FLOAT))
                    else:
                        raise Stays
                    self.result.append(_with_value(own, step))
                case nodes.Comment():
                    pass
                case _:
                    raise Stays
        return found

    def _named(self, base: str, value: Expr, stmt: Stmt) -> Var:
        name = self._fresh(base, FLOAT)
        self.result.append(Assign((name,), (value,), span=stmt.span))
        return Var(name, type=FLOAT)

    def _fresh(self, base: str, kind: Any) -> str:
        name = self.names.fresh(base)
        self.types[name] = kind
        return name

    def _inside(self, index: tuple[Expr, ...], kind: Array) -> bool:
        """Whether an entry is one of the array's, in any iteration."""
        if kind.shape is None or len(index) != len(kind.shape):
            return False
        (counter,), (source,) = self.loop.targets, self.loop.sources
        first, stop = (Const(0), *source.args)[-2:]  # type: ignore[attr-defined]
        low, end = constant_of(first), size_of(stop)
        if type(low) is not int or end is None:
            return False
        for part, size in zip(index, kind.shape, strict=True):
            base, more = shifted(part)
            left = None if size is None else size - end - of(more)
            if base != Var(counter) or low + more < 0 or left is None:
                return False
            if left.constant is None or left.constant < 0:
                return False
        return True


def _choice(test: Expr, then: Expr, orelse: Expr) -> Expr:
    return then if then == orelse else Choice(test, then, orelse, type=FLOAT)


def _with_value(store: Store, value: Expr) -> Store:
    return Store(store.base, store.index, value, store.op, span=store.span)


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
