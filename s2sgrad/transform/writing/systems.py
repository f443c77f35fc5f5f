"""Floor 5: cotangents of systems of linear equations, where there is one matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.ir.nodes import Expr, Sequence
from s2sgrad.ir.types import Array, shape_of
from s2sgrad.transform.writing import build


def _ranks(*args: Expr) -> tuple[int | None, ...]:
    shapes = map(shape_of, (a.type for a in args))
    return tuple(None if shape is None else len(shape) for shape in shapes)


def slogdet_pullback(s: Any, y_bar: Expr, y: Expr, a: Expr) -> Expr | None:
    """y_bar a^-T, for the logarithm of a real determinant."""
    real = isinstance(a.type, Array) and a.type.dtype == "float64"
    if not real or _ranks(a) != (2,) or not isinstance(y_bar, Sequence):
        return None
    inverse = build.transpose(build.call(np.linalg.inv, "np.linalg.inv", a))
    weight = y_bar.items[1]
    return inverse if build.is_number(weight, 1) else build.binary("*", weight, inverse)


def solve_turned(s: Any, y_bar: Expr, a: Expr, b: Expr) -> Expr | None:
    """a^-T y_bar."""
    if _ranks(a, b, y_bar) not in ((2, 1, 1), (2, 2, 2)):
        return None
    return build.call(np.linalg.solve, "np.linalg.solve", build.transpose(a), y_bar)


def solve_bar_left(s: Any, right_bar: Expr, y: Expr, a: Expr, b: Expr) -> Expr | None:
    """The cotangent of `a` in `np.linalg.solve(a, b)`: -right_bar y^T."""
    ranks = _ranks(a, b, right_bar, y)
    if ranks == (2, 1, 1, 1):
        return build.negate(build.call(np.outer, "np.outer", right_bar, y))
    if ranks == (2, 2, 2, 2):
        return build.negate(build.binary("@", right_bar, build.transpose(y)))
    return None
