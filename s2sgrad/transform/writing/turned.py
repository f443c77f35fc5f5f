"""Floor 5: transpositions whose axes are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.analysis.indexing import constant_of
from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Const, Expr
from s2sgrad.ir.types import Tuple
from s2sgrad.transform.writing import build


def untranspose(s: Any, y_bar: Expr, axes: Expr | None = None) -> Expr | None:
    """The cotangent of a transposition without axes, or with axes that are known."""
    if axes is None or (isinstance(axes, Const) and axes.value is None):
        return build.transpose(y_bar)
    numbers = [constant_of(i) for i in axes.items] if isinstance(axes, nodes.Sequence) else []
    if not numbers or not all(type(n) is int for n in numbers):
        return None
    order = [n % len(numbers) for n in numbers]  # type: ignore[operator]
    if sorted(order) != list(range(len(order))):
        return None
    back = tuple(constant(order.index(k)) for k in range(len(order)))
    kind = Tuple(tuple(i.type for i in back))
    return build.call(np.transpose, "np.transpose", y_bar, nodes.Sequence("tuple", back, type=kind))


def matrix_transpose(s: Any, x: Expr) -> Expr | None:
    """The matrices of a stack, each transposed."""
    return build.transpose(x) if s.rank(x) == 2 else None


__all__ = ["matrix_transpose", "untranspose"]
