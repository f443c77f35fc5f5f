"""Floor 6: variables that hold one of Python's numbers at one time, one of single precision later.

    s = 0.0                     s_single = False
                                s = np.float32(0.0)
    for i in range(n):          for i in range(n):
        s += x[i]                   s_single = True
                                    s = s + x[i]
                                if not s_single: raise ValueError(...)
    return s                    return s

NumPy takes the number for a single one as soon as it meets one, and gives a single one; Numba would
compute both as float64. Flags follow whether it has met one, and where that matters, outside of
loops, they are asked: Python runs the code again after the error. Variables that are
Python's numbers all along remain so.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import reduce

import numpy as np

from s2sgrad.backend.loops.singles import as_single
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Function, Stmt, Var
from s2sgrad.ir.types import BOOL, STR, Array, Known, Scalar, Type
from s2sgrad.transform.writing.rewrite import map_block

WHY = "a number may be one of Python's, or of single precision"
_PYTHON = {"float32": "float", "complex64": "complex"}  # of single precision -> of Python
_OWN = ("float", "int", "bool", "complex")
Kinds = frozenset[str]  # of "own", "single" and "other"
OWN, SINGLE, OTHER = frozenset({"own"}), frozenset({"single"}), frozenset({"other"})
MIXED = OWN | SINGLE


def with_single_numbers(
    function: Function, types: dict[str, Type], names: Names, again: bool
) -> Function:
    """The function with such variables single, and what is never single as Python's number.

    types: of all variables; it changes. again: whether Python may run the code once more.
    """
    given = set(function.parameters) | set(function.inputs)
    return replace(function, body=_with_singles(function.body, types, names, again, given))


def _with_singles(
    body: Block, types: dict[str, Type], names: Names, again: bool, given: set[str]
) -> Block:
    single = {n for n, k in types.items() if isinstance(k, Scalar) and k.dtype in _PYTHON}
    if not single:
        return body
    reader = _Reader(types)
    reader.read(body, single - given)
    own = {n for n in single if reader.kinds.get(n) == OWN}
    mixed = {n for n in single if reader.kinds.get(n) == MIXED}
    if own:
        body = map_block(body, lambda e: _as_own(e, own, reader))
        types.update({n: _own_type(types[n]) for n in own})
    if not mixed:
        return body
    flags: dict[str, str] = {}
    if again:
        asked = {n for s in _outside_loops(body) for n in reader.asked(s, mixed)}
        flags = {n: names.fresh(f"{n}_single") for n in sorted(mixed)} if asked else {}
        types.update(dict.fromkeys(flags.values(), BOOL))
    return _Writer(reader, mixed, flags).written(body)


def _own_type(kind: Type) -> Type:
    assert isinstance(kind, Scalar)
    return replace(kind, dtype=_PYTHON[kind.dtype])


def _as_own(expr: Expr, own: set[str], reader: _Reader) -> Expr:
    """What is computed of Python's numbers only, with their type."""
    if not isinstance(expr.type, Scalar) or expr.type.dtype not in _PYTHON:
        return expr
    renewed = isinstance(expr, Var) and expr.name in own
    if renewed or (isinstance(expr, Call | nodes.Choice) and reader.kind(expr) == OWN):
        return replace(expr, type=_own_type(expr.type))
    return expr


@dataclass
class _Reader:
    """What variables and expressions hold. kinds: of variables, as far as they are single."""

    types: dict[str, Type]
    kinds: dict[str, Kinds] = field(default_factory=dict)

    def read(self, body: Block, names: set[str]) -> None:
        """Find the kinds of variables: those of all that they are given."""
        given = [
            (t, v)
            for s in nodes.walk_block(body) if isinstance(s, nodes.Assign)
            for t, v in zip(s.targets, s.values, strict=True) if t in names
        ]  # fmt: skip
        assigned = {t for t, _ in given}
        elsewhere = {
            t for s in nodes.walk_block(body) if not isinstance(s, nodes.Assign)
            for t in nodes.targets_of(s)
        }  # fmt: skip
        self.kinds = {n: frozenset() for n in assigned}
        self.kinds.update(dict.fromkeys(elsewhere & assigned, SINGLE))
        found: dict[str, Kinds] = {}
        while found != self.kinds:
            found = dict(self.kinds)
            for name, value in given:
                self.kinds[name] |= self.kind(value)

    def kind(self, expr: Expr) -> Kinds:
        """What an expression may be: mixed where the numbers that it is of may all be Python's."""
        if isinstance(expr, Const):
            return OWN if isinstance(expr.value, float | int | complex) else OTHER
        if isinstance(expr, Var) and expr.name in self.kinds:
            return self.kinds[expr.name]
        if isinstance(expr, nodes.Choice):
            return self.kind(expr.then) | self.kind(expr.orelse)
        if isinstance(expr, Call) and expr.form == "operator" and expr.text != "@":
            kinds = [self.kind(arg) for arg in expr.args]
            if isinstance(expr.type, Scalar):
                sure = (k for k in (OTHER, SINGLE) if k in kinds)
                return next(sure, frozenset().union(*kinds))
        dtype = expr.type.dtype if isinstance(expr.type, Scalar | Array) else None
        return SINGLE if dtype in _PYTHON else OWN if dtype in _OWN else OTHER

    def asked(self, stmt: Stmt, mixed: set[str]) -> set[str]:
        """The variables of which a statement has to know what they are."""
        if isinstance(stmt, nodes.While):
            return set()
        parts = nodes.expressions(stmt)
        if isinstance(stmt, nodes.Store) and _is_array(stmt.base):
            parts = (*stmt.index, *([] if isinstance(stmt.value, Var) else [stmt.value]))
        return {name for part in parts for name in self._bare(part, mixed)}

    def _bare(self, expr: Expr, mixed: set[str]) -> Iterator[str]:
        """Those that meet no number of single precision."""
        if isinstance(expr, Var):
            if expr.name in mixed:
                yield expr.name
            return
        children = nodes.children(expr)
        works = isinstance(expr, Call) and (
            (expr.form == "operator" and expr.text != "@") or isinstance(expr.function, np.ufunc)
        )
        single = works and any(self._is_surely_single(c, mixed) for c in children)
        for child in children:
            if not (single and isinstance(child, Var)):
                yield from self._bare(child, mixed)

    def _is_surely_single(self, expr: Expr, mixed: set[str]) -> bool:
        if isinstance(expr, Var) and expr.name in mixed:
            return False
        return self.kind(expr) == SINGLE


def _is_array(expr: Expr) -> bool:
    return isinstance(expr.type, Array) and expr.type.dtype in _PYTHON


@dataclass(frozen=True)
class _Writer:
    """Writes the questions. flags: variable -> the name that says whether it is single."""

    reader: _Reader
    mixed: set[str]
    flags: dict[str, str]

    def written(self, body: Block) -> Block:
        first = tuple(nodes.Assign((f,), (_truth(False),)) for f in self.flags.values())
        return (*first, *map_block(self._asking(body), lambda e: e, self._marked))

    def _asking(self, block: Block) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            names = sorted(self.reader.asked(stmt, self.mixed) & set(self.flags))
            result += [_question(self.flags[n]) for n in names]
            if isinstance(stmt, nodes.If):
                stmt = replace(stmt, then=self._asking(stmt.then), orelse=self._asking(stmt.orelse))
            result.append(stmt)
        return tuple(result)

    def _marked(self, stmt: Stmt) -> list[Stmt]:
        """An assignment with what it makes of its variables."""
        if not isinstance(stmt, nodes.Assign) or not self.mixed & set(stmt.targets):
            return [stmt]
        pairs = list(zip(stmt.targets, stmt.values, strict=True))
        values = tuple(as_single(v) if t in self.mixed else v for t, v in pairs)
        told = [(self.flags[t], self._single(v)) for t, v in pairs if t in self.flags]
        flags, truths = tuple(flag for flag, _ in told), tuple(truth for _, truth in told)
        marks = [nodes.Assign(flags, truths)] if told else []  # before the values change
        return [*marks, replace(stmt, values=values)]

    def _single(self, value: Expr) -> Expr:
        """Whether a value is single: the flag of what it is of."""
        kinds = self.reader.kind(value)
        if kinds != MIXED:
            return _truth(kinds == SINGLE)
        if isinstance(value, Var):
            return Var(self.flags[value.name], type=BOOL)
        if isinstance(value, nodes.Choice):
            sides = self._single(value.then), self._single(value.orelse)
            return nodes.Choice(value.test, *sides, type=BOOL)
        assert isinstance(value, Call)
        parts = [self._single(a) for a in value.args]
        parts = [part for part in parts if part != _truth(False)]
        return reduce(lambda a, b: Call("or", "or", (a, b), form="operator", type=BOOL), parts)


def _outside_loops(block: Block) -> Iterator[Stmt]:
    for stmt in block:
        yield stmt
        if isinstance(stmt, nodes.If):
            yield from _outside_loops(stmt.then)
            yield from _outside_loops(stmt.orelse)


def _truth(value: bool) -> Const:
    return Const(value, type=Scalar("bool", None, value))


def _question(flag: str) -> Stmt:
    test = Call("not", "not", (Var(flag, type=BOOL),), form="operator", type=BOOL)
    error = Call(ValueError, "ValueError", (Const(WHY, type=STR),), type=Known(None))
    return nodes.If(test, (nodes.Do(error, "raise"),), ())


__all__ = ["with_single_numbers"]
