"""Floor 5: keep the zeros of a branch that was not taken apart from infinite slopes.

Before: `x_bar = np.where(c, y_bar, 0.0) / x`, NaN where c is false and x is zero.
After: `x_bar = np.where(c, y_bar / x, 0.0)`. Where the condition is not in the same statement,
a runtime helper looks at the values: `x_bar = masked(y_bar / x, y_bar)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.activity import rule_of
from s2sgrad.analysis.masking import selects
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Var
from s2sgrad.ir.types import Array, Scalar
from s2sgrad.rules.declare import Rule
from s2sgrad.transform.preparing.normalize import label_of
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_expr


@dataclass(frozen=True)
class Mask:
    """What says where a cotangent counts: a condition (`chosen`: where it is true), or the
    cotangent `by_value` that was there before the statement."""

    condition: Var | None = None
    chosen: bool = True
    by_value: Var | None = None


NO_MASK = Mask()
SUMMED_BY = {"axis": None, "keepdims": False, "where": True}  # and what goes without saying


class Guard:
    """The part of `Adjoint` that decides where a partial needs a guard."""

    facts: Any
    masked: bool
    twice: bool
    mask: Mask
    bind: Any
    active: Any

    def guarded(self, value: Expr, target: Expr, call: Call, mask: Mask) -> Expr:
        """A partial behind its guard, or the guard left to the operation that it goes to."""
        self.mask = mask if self.left_to(target, call, mask) else NO_MASK
        return value if self.mask is mask else guarded(value, mask)

    def mask_of(
        self, rule: Rule, call: Call, bar: Expr, steep: bool, given: dict[str, Expr]
    ) -> tuple[Mask, Expr]:
        """How to keep zeros of a branch not taken out of infinite slopes; what is left of bar."""
        if rule.reduces:
            return self._mask_of_reduction(rule, call, bar, steep, given)
        if self.mask is not NO_MASK:
            return self.mask, bar
        if not self.masked or rule.kind != "elementwise" or selects(call):
            return NO_MASK, bar
        mask, inside = split_choice(bar)
        if mask is not NO_MASK:
            beneath = steep or any(map(self.facts.masking.may_be_infinite, nodes.children(call)))
            if not beneath:
                return NO_MASK, bar
            if not self.twice:
                return mask, inside
            held = self.bind(f"{label_of(call)}_bar", bar)  # its zeros are those of both choices
            return (Mask(by_value=held), held) if isinstance(held, Var) else (NO_MASK, held)
        if steep and not isinstance(bar, Const):
            held = self.bind(f"{label_of(call)}_bar", bar)
            return (Mask(by_value=held), held) if isinstance(held, Var) else (NO_MASK, held)
        return NO_MASK, bar

    def _mask_of_reduction(
        self, rule: Rule, call: Call, bar: Expr, steep: bool, given: dict[str, Expr]
    ) -> tuple[Mask, Expr]:
        """Zeros of y_bar leave out all that was reduced to those entries, and `where` does."""
        partly = selects(call)
        if not steep or not (partly or self.masked) or isinstance(bar, nodes.Sequence):
            return NO_MASK, bar
        if isinstance(bar, Const) and not partly:
            return NO_MASK, bar
        bar = self.bind(f"{label_of(call)}_bar", bar)
        said = {k: v for k, v in given.items() if k in SUMMED_BY}
        known = tuple(
            (k, v)
            for k, v in said.items()
            if not (isinstance(v, Const) and v.value is SUMMED_BY[k])
        )
        array = given[rule.arguments[0]]
        spread = Call(s2sgrad_runtime.unreduce, "unreduce", (bar, array), known, type=array.type)
        held = self.bind("counts", spread)
        return (Mask(by_value=held) if isinstance(held, Var) else NO_MASK), bar

    def finite(self, rule: Rule, argument: str, value: Expr, call: Call, y: Expr) -> Expr:
        """A partial by a cotangent that may be infinite, zero where no slope is."""
        if argument in rule.kinks:
            held = self.bind(label_of(call), y)
            return guarded(value, Mask(by_value=held)) if isinstance(held, Var) else value
        return map_expr(value, _chosen) if rule.selects else value

    def left_to(self, target: Expr, call: Call, mask: Mask) -> bool:
        """Whether an operand is an operation that can be guarded together with this one."""
        if not isinstance(target, Call) or not self.active(target) or selects(target):
            return mask is NO_MASK
        rule = rule_of(target.function)
        elementwise = rule is not None and rule.kind == "elementwise" and rule.partials
        alone = sum(map(self.active, nodes.children(target))) == 1
        return mask is NO_MASK or bool(
            elementwise and alone and build.same_shape(target.type, call.type)
        )


def _chosen(expr: Expr) -> Expr:
    """`mask * x` as a choice, where an infinite x would leave NaN beside the mask."""
    if not isinstance(expr, Call) or expr.function is not np.multiply or expr.form != "operator":
        return expr
    first, second = expr.args
    if not isinstance(first.type, Array) or first.type.dtype != "bool":
        return expr
    return build.call(np.where, "np.where", first, second, build.number(0.0), kind=expr.type)


def split_choice(bar: Expr) -> tuple[Mask, Expr]:
    """The condition and the inside of `np.where(c, b, 0.0)` and `np.where(c, 0.0, b)`."""
    if isinstance(bar, Call) and bar.function is np.where and len(bar.args) == 3:
        condition, then, orelse = bar.args
        if isinstance(condition, Var) and build.is_number(orelse, 0):
            return Mask(condition), then
        if isinstance(condition, Var) and build.is_number(then, 0):
            return Mask(condition, False), orelse
    return NO_MASK, bar


def _may_raise(value: Expr, bar: Expr) -> bool:
    """Whether it divides a number by one of Python's: NumPy's is divided by 0, Python's is not."""
    match value:
        case Call(function=np.divide, form="operator", args=(_, Expr(type=Scalar() as divisor))):
            own = divisor.dtype in ("int", "float", "complex")
            return own and isinstance(value.type, Scalar) and isinstance(bar.type, Scalar)
    return False


def guarded(value: Expr, mask: Mask) -> Expr:
    """A partial, zero where its cotangent does not count."""
    if mask.condition is not None:
        zero = build.number(0.0)
        sides = (value, zero) if mask.chosen else (zero, value)
        return build.call(np.where, "np.where", mask.condition, *sides)
    if mask.by_value is not None and not isinstance(value, Const):
        if _may_raise(value, mask.by_value):
            return nodes.Choice(mask.by_value, value, build.number(0.0), type=value.type)
        return Call(s2sgrad_runtime.masked, "masked", (value, mask.by_value), type=value.type)
    return value
