"""Floor 5: keep the zeros of a branch that was not taken apart from infinite slopes.

Before: `x_bar = np.where(c, y_bar, 0.0) / x`, NaN where c is false and x is zero.
After: `x_bar = np.where(c, y_bar / x, 0.0)`. Where the condition is not in the same statement,
a runtime helper looks at the values: `x_bar = masked(y_bar / x, y_bar)`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import s2sgrad_runtime
from s2sgrad.ir.nodes import Call, Const, Expr, Var
from s2sgrad.transform import build


@dataclass(frozen=True)
class Mask:
    """What says where a cotangent counts: a condition (`chosen`: where it is true), or the
    cotangent `by_value` that was there before the statement."""

    condition: Var | None = None
    chosen: bool = True
    by_value: Var | None = None


NO_MASK = Mask()


def split_choice(bar: Expr) -> tuple[Mask, Expr]:
    """The condition and the inside of `np.where(c, b, 0.0)` and `np.where(c, 0.0, b)`."""
    if isinstance(bar, Call) and bar.function is np.where and len(bar.args) == 3:
        condition, then, orelse = bar.args
        if isinstance(condition, Var) and build.is_number(orelse, 0):
            return Mask(condition), then
        if isinstance(condition, Var) and build.is_number(then, 0):
            return Mask(condition, False), orelse
    return NO_MASK, bar


def guarded(value: Expr, mask: Mask) -> Expr:
    """A partial, zero where its cotangent does not count."""
    if mask.condition is not None:
        zero = build.number(0.0)
        sides = (value, zero) if mask.chosen else (zero, value)
        return build.call(np.where, "np.where", mask.condition, *sides)
    if mask.by_value is not None and not isinstance(value, Const):
        return Call(s2sgrad_runtime.masked, "masked", (value, mask.by_value), type=value.type)
    return value
