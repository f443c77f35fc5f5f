"""Floor 5: transpositions whose axes are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.analysis.indexing import constant_of
from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.nodes import Call, Const, Expr
from s2sgrad.ir.sizes import Shape
from s2sgrad.ir.types import Tuple, shape_of
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


def stack_bar_left(y_bar: Expr, x1: Expr, x2: Expr) -> Expr | None:
    """The cotangent of a stack of matrices that was multiplied by a matrix, or by as many."""
    left, right = shape_of(x1.type), shape_of(x2.type)
    if left is None or right is None or not _is_product(y_bar, left, right):
        return None
    return build.binary("@", y_bar, build.transpose(x2) if len(right) == 2 else turned(x2))


def stack_bar_right(y_bar: Expr, x1: Expr, x2: Expr) -> Expr | None:
    """The cotangent of a stack that as many matrices were multiplied by."""
    left, right = shape_of(x1.type), shape_of(x2.type)
    if left is None or right is None or len(right) == 2 or not _is_product(y_bar, left, right):
        return None
    return build.binary("@", turned(x1), y_bar)


def _is_product(y_bar: Expr, left: Shape, right: Shape) -> bool:
    """Whether it has a matrix for each of the left ones, and there is one or as many beside."""
    if len(left) < 3 or not sizes.known(left) or not sizes.known(right):
        return False
    alike = len(right) == 2 or left[:-2] == right[:-2]
    return alike and shape_of(y_bar.type) == (*left[:-1], right[-1])


def turned(x: Expr) -> Expr:
    """The matrices of a stack, each transposed; those of one that has been so itself."""
    last = len(shape_of(x.type) or ())
    match x:
        case Call(function=np.swapaxes, args=(stack, one, other)):
            axes = {constant_of(one), constant_of(other)}
            if axes in ({-1, -2}, {last - 1, last - 2}):
                return stack
        case Call(function=np.transpose, args=(stack, nodes.Sequence(items=order))):
            if [constant_of(k) for k in order] == [*range(last - 2), last - 1, last - 2]:
                return stack
    return build.call(np.swapaxes, "np.swapaxes", x, constant(-1), constant(-2))


__all__ = ["matrix_transpose", "stack_bar_left", "stack_bar_right", "untranspose"]
