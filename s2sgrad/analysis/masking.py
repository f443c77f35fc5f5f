"""Floor 3: where a branch not taken may meet an infinite slope.

`np.where(x > 0, np.log(x), 0.0)` sends an exact zero to the entries of `np.log(x)` that were not
chosen, and zero times an infinite slope is NaN. Two questions are answered here: into which
variables do such zeros flow (`masked`), and which values may be infinite or NaN where they are
not chosen (`risky`). Code is guarded only where both meet.

A mask of zeros and ones that is multiplied with leaves entries out too. And at a kink where the
slope is 0 by convention, `np.sqrt(np.abs(x))` at 0, an infinite cotangent meets an exact zero:
`unbounded` says which cotangents may be infinite, `resting` which tangents a kink may make zero.

So do places that are read (see `parts_read`): entries that nobody reads contribute nothing.

Where the code asks for NaN (np.isnan, np.nansum), the arrays it is given may hold some, too.

A number that is infinite spoils all entries of an array that it multiplies or divides, chosen or
not. Where choices are made entry by entry, it makes nothing risky.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, TypeGuard

import numpy as np

from s2sgrad.analysis.activity import differentiable_parts, flows, root, rule_of, works_by_entries
from s2sgrad.analysis.parts_read import TAKE, read_in_parts
from s2sgrad.analysis.positive import Positive
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Var
from s2sgrad.ir.types import Array, Scalar, Type
from s2sgrad.rules.declare import Rule
from s2sgrad.rules.slicing import Partial

PLACES = (np.flatnonzero, np.nonzero, np.argwhere)


class Masking:
    """masked: variables whose cotangent may hold zeros of a branch not taken. still: those whose
    tangent may. masks: variables of zeros and ones that conditions make. places: those of integers
    that say where a condition holds."""

    def __init__(self, block: Block, still: frozenset[str] = frozenset()) -> None:
        stmts = tuple(nodes.walk_block(block))
        self.positive = Positive(block)
        found = [flow for stmt in stmts for flow in flows(stmt)]
        self.masks = self.places = frozenset[str]()
        self._keep("masks", self.is_mask, found)
        self._keep("places", self.is_place, found)
        self.masked: set[str] = {w for s in stmts if (w := overwritten_by_choice(s))}
        self.risky: set[str] = set()
        self.unbounded: set[str] = set()
        self.resting: set[str] = set()
        self.still: set[str] = {*self.masked, *still}
        every = [e for s in stmts for top in nodes.expressions(s) for e in nodes.walk(top)]
        bends = any(_bends(e) or _may_be_empty(e) for e in every) and any(map(rooted, every))
        choices = [e for e in every if self.selects(e)]
        self.gaps = any(map(_asks_for_nan, every))
        self.risky |= _given(every, found) if self.gaps else set()
        self.by_entries = not any(map(_decided_by_number, choices))
        parts = read_in_parts(stmts)
        self.takes = any(isinstance(e, Call) and e.function in TAKE for e in every)
        if choices or self.still or parts or self.takes:
            self._spread(self.masked, self._backward, tuple(reversed(stmts)))
            self._spread(self.risky, self._forward, stmts)
            self._spread(self.still, self._stilled, stmts)
        self.masked |= parts
        if bends:
            self._spread(self.unbounded, self._unbounded, tuple(reversed(stmts)))
            self._spread(self.resting, self._resting, stmts)

    def _spread(self, names: set[str], step: Any, stmts: Iterable[nodes.Stmt]) -> None:
        size = -1
        while len(names) != size:
            size = len(names)
            for stmt in stmts:
                for target, value in flows(stmt):
                    step(target, value, names)

    def _keep(self, kind: str, holds: Any, found: list[tuple[str, Expr]]) -> None:
        """The variables that are bound to values of one kind only."""
        names: set[str] = set()
        while True:
            setattr(self, kind, names)
            held = {(target, holds(value)) for target, value in found}
            names = {name for name, fits in held if fits} - {
                name for name, fits in held if not fits
            }
            if names == getattr(self, kind):
                return

    def is_place(self, expr: Expr) -> bool:
        """Whether an expression tells where a condition holds, as np.flatnonzero does."""
        if isinstance(expr, Var):
            return expr.name in self.places
        if isinstance(expr, nodes.Index):
            return self.is_place(expr.base)
        if not isinstance(expr, Call):
            return False
        return expr.function in PLACES or (expr.function is np.where and len(expr.args) == 1)

    def picks(self, expr: Expr) -> bool:
        """`selects`, and whether it takes the entries where a condition holds."""
        if isinstance(expr, nodes.Index):
            index: tuple[Any, ...] = expr.index
        else:
            index = expr.args[1:2] if isinstance(expr, Call) and expr.function is np.take else ()
        return selects(expr) or any(self.is_place(p) for p in index if isinstance(p, Expr))

    def is_mask(self, expr: Expr) -> bool:
        """Whether an expression gives entries that a condition made zero."""
        if isinstance(expr, Var) and expr.name in self.masks:
            return True
        if isinstance(expr.type, Array | Scalar) and expr.type.dtype == "bool":
            return True
        if not isinstance(expr, Call):
            return False
        if expr.function is np.where and len(expr.args) == 3:
            return any(isinstance(a, Const) and a.value == 0 for a in expr.args[1:])
        if expr.function is np.multiply and not expr.kwargs:
            return any(map(self.is_mask, expr.args))
        return expr.function in (np.astype, float) and self.is_mask(expr.args[0])

    def by_mask(self, expr: Expr, factor: Expr) -> Expr | None:
        """The mask that a factor is multiplied with, if it is."""
        if not isinstance(expr, Call) or expr.function is not np.multiply or expr.kwargs:
            return None
        others = [a for a in expr.args if a is not factor and a != factor]
        return next(filter(self.is_mask, others), None)

    def selects(self, expr: Expr) -> bool:
        """`picks`, and whether it multiplies with a mask."""
        return self.picks(expr) or (
            isinstance(expr, Call) and any(self.by_mask(expr, a) is not None for a in expr.args)
        )

    def leaves_out(self, expr: Call) -> bool:
        """`selects`, and whether it takes some entries by their places."""
        return expr.function in TAKE or self.selects(expr)

    def _unbounded(self, target: str, value: Expr, names: set[str]) -> None:
        self._mark_unbounded(value, target in names)

    def _mark_unbounded(self, expr: Expr, unbounded: bool) -> None:
        if isinstance(expr, Var):
            if unbounded:
                self.unbounded.add(expr.name)
            return
        for part in differentiable_parts(expr):
            self._mark_unbounded(part, unbounded or rooted(expr))

    def _resting(self, target: str, value: Expr, names: set[str]) -> None:
        if self.may_rest(value):
            names.add(target)

    def may_rest(self, expr: Expr) -> bool:
        """Whether a tangent may be zero because a kink has no slope, or a sum no terms."""
        if isinstance(expr, Var):
            return expr.name in self.resting
        here = bool(_kinks(expr)) or _may_be_empty(expr)
        return here or any(map(self.may_rest, differentiable_parts(expr)))

    def _backward(self, target: str, value: Expr, names: set[str]) -> None:
        self._mark(value, target in names)

    def _mark(self, expr: Expr, masked: bool) -> None:
        if isinstance(expr, Var):
            if masked:
                self.masked.add(expr.name)
            return
        for part in differentiable_parts(expr):
            self._mark(part, masked or self.selects(expr))

    def _forward(self, target: str, value: Expr, names: set[str]) -> None:
        if self.may_be_infinite(value):
            names.add(target)

    def _stilled(self, target: str, value: Expr, names: set[str]) -> None:
        if self.may_stand_still(value):
            names.add(target)

    def may_stand_still(self, expr: Expr) -> bool:
        """Whether a tangent may hold zeros of a branch not taken."""
        if isinstance(expr, Var):
            return expr.name in self.still
        if not self.still and not self.masked and not self.risky:
            return self.selects(expr)
        return self.selects(expr) or any(map(self.may_stand_still, differentiable_parts(expr)))

    def may_be_infinite(self, expr: Expr) -> bool:
        """Whether a value may be infinite or NaN, as far as its own computation tells."""
        if isinstance(expr, Var):
            return expr.name in self.risky
        if isinstance(expr, nodes.Ref | Const):
            return self.gaps and (_has_entries(expr.type) or _is_nan(expr))
        above = self.positive.array_of_choice(expr)
        if above is not None:
            return self._infinite_where_chosen(expr, above)
        if self.picks(expr):
            return any(map(self.may_be_infinite, differentiable_parts(expr)))
        parts = (p for p in differentiable_parts(expr) if not self._spoils_all(p, expr))
        return self._singular(expr) or any(map(self.may_be_infinite, parts))

    def _infinite_where_chosen(self, choice: Expr, above: str) -> bool:
        """`may_be_infinite` of `np.where(r > 0, v, w)`, whose v is not computed at r = 0."""
        assert isinstance(choice, Call)
        return self.may_be_infinite(choice.args[2]) or self._above(choice.args[1], above)

    def _above(self, expr: Expr, array: str) -> bool:
        """`may_be_infinite`, where only entries count at which an array is above zero."""
        if isinstance(expr, Var) and expr.name != array:
            made = self.positive.made(expr.name, array)
            if made is not None:
                return self._above(made, array)
        by_entries = isinstance(expr, Call) and works_by_entries(expr.function)
        if not by_entries or self.picks(expr):  # what stands elsewhere may be zero
            return self.may_be_infinite(expr)
        parts = (p for p in differentiable_parts(expr) if not self._spoils_all(p, expr))
        safe = self.positive.avoids_zero(expr, array)
        return (not safe and self._singular(expr)) or any(self._above(p, array) for p in parts)

    def _spoils_all(self, part: Expr, result: Expr) -> bool:
        """Whether a number stands beside an array whose entries are chosen one by one."""
        return self.by_entries and isinstance(part.type, Scalar) and _has_entries(result.type)

    def _singular(self, expr: Expr) -> bool:
        """Whether an operation has an infinite slope, beside that by a number that spoils all."""
        if not singular(expr) or self.positive.avoids_zero(expr):
            return False
        assert isinstance(expr, Call)
        rule = rule_of(expr.function)
        assert rule is not None
        others = [
            a for name, a in zip(rule.arguments, expr.args, strict=False) if name not in rule.linear
        ]
        return not rule.linear or not all(self._spoils_all(a, expr) for a in others)

    def steep(self, rule: Rule, partial: Partial, values: dict[str, Expr]) -> bool:
        """Whether a partial may be infinite or NaN, given what stands for its parameters."""
        if not (self.masked or self.still or self.takes) or not partial.reads - {"y_bar"}:
            return False
        if rule.reduces and partial.argument != rule.arguments[0]:
            return False
        call = values["y"]
        return self._singular(call) or any(
            self.may_be_infinite(values[name])
            for name in partial.reads
            if name in values and not self._spoils_all(values[name], call)
        )


def selects(expr: Expr) -> bool:
    """Whether an operation passes some entries on and leaves others out, by their values."""
    if isinstance(expr, nodes.Index):
        return any(
            isinstance(p.type, Array) and p.type.dtype == "bool"
            for p in expr.index
            if isinstance(p, Expr)
        )
    if not isinstance(expr, Call) or isinstance(expr.function, str):
        return False
    rule = rule_of(expr.function)
    return rule is not None and (rule.selects or any(k == "where" for k, _ in expr.kwargs))


def _asks_for_nan(expr: Expr) -> bool:
    """Whether an operation is made for data with gaps: then what is given may hold NaN."""
    return isinstance(expr, Call) and getattr(expr.function, "__name__", "") in _ABOUT_NAN


_ABOUT_NAN = frozenset({"isnan", "isfinite", "isinf"}) | {
    name for name in dir(np) if name.startswith("nan") and callable(getattr(np, name))
}


def _is_nan(expr: nodes.Ref | Const) -> bool:
    return isinstance(expr.value, float) and math.isnan(expr.value)


def _given(exprs: list[Expr], found: list[tuple[str, Expr]]) -> set[str]:
    """The arrays that a block reads and does not make."""
    read = {e.name for e in exprs if isinstance(e, Var) and _has_entries(e.type)}
    return read - {target for target, _ in found}


def _between_values(expr: Expr) -> TypeGuard[Call]:
    """Whether `np.where` chooses between two values; beside a constant it is taken for a guard,
    which leaves out what is not finite."""
    if not isinstance(expr, Call) or expr.function is not np.where or len(expr.args) != 3:
        return False
    return not any(isinstance(a, Const) for a in expr.args[1:])


def _decided_by_number(choice: Expr) -> bool:
    """Whether one number chooses for a whole array (or among numbers)."""
    if not isinstance(choice, Call):
        return False
    wheres = [value for name, value in choice.kwargs if name == "where"]
    conditions = wheres or (choice.args[:1] if choice.function is np.where else choice.args)
    return not any(_has_entries(c.type) for c in conditions)


def _has_entries(kind: Type) -> bool:
    return isinstance(kind, Array) and kind.shape != ()


def _kinks(expr: Expr) -> tuple[str, ...]:
    """The arguments of an operation at whose zeros its slope is 0 by convention."""
    rule = rule_of(expr.function) if isinstance(expr, Call) else None
    return rule.kinks if rule is not None else ()


def _bends(expr: Expr) -> bool:
    """Whether an exact zero that a kink or a choice makes multiplies the cotangent."""
    return bool(_kinks(expr)) or (not isinstance(expr, nodes.Index) and selects(expr))


def _may_be_empty(expr: Expr) -> bool:
    """Whether an expression is a slice whose end is not that of its array: it may hold nothing."""
    return isinstance(expr, nodes.Index) and any(
        isinstance(part, nodes.Slice) and part.upper is not None for part in expr.index
    )


def rooted(expr: Expr) -> bool:
    """Whether an operation has an infinite slope at a finite value."""
    rule = rule_of(expr.function) if isinstance(expr, Call) else None
    if rule is None or not rule.rooted or not isinstance(expr, Call):
        return False
    if not callable(rule.rooted):
        return True
    last = _real_exponent(expr)
    return last is not None and bool(rule.rooted(last))


def _real_exponent(expr: Call) -> float | None:
    """The second of two operands, where it is a known real number."""
    last = expr.args[-1] if len(expr.args) == 2 else None
    known = isinstance(last, Const) and isinstance(last.value, int | float)
    return last.value if known else None  # type: ignore[union-attr]


def overwritten_by_choice(stmt: nodes.Stmt) -> str | None:
    """The array of which `y[y < 0] = 0` overwrites entries chosen by a condition."""
    if not isinstance(stmt, nodes.Store) or stmt.op:
        return None
    masked = any(isinstance(p.type, Array) and p.type.dtype == "bool" for p in stmt.index)
    return root(stmt.base) if masked else None


def singular(expr: Expr) -> bool:
    """Whether an operation has an infinite slope (or value) somewhere."""
    if not isinstance(expr, Call) or isinstance(expr.function, str):
        return False
    rule = rule_of(expr.function)
    if rule is None or not rule.infinite_slope:
        return False
    last = _real_exponent(expr)
    return rule.harmless is None or last is None or not rule.harmless(last)
