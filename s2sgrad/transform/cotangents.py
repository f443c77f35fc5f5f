"""Floor 5: small expressions that bring a cotangent into the form its value needs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.nodes import Call, Expr
from s2sgrad.ir.types import (
    UNKNOWN,
    Array,
    Number,
    Scalar,
    Tuple,
    Type,
    is_complex_dtype,
    is_number,
)
from s2sgrad.transform import build


def summed_axes(small: sizes.Shape, large: sizes.Shape) -> tuple[int, tuple[int, ...]] | None:
    """(leading axes to sum away, axes to sum to size 1); None where that isn't known."""
    leading = len(large) - len(small)
    kept = []
    for i, size in enumerate(small):
        other = large[leading + i]
        if size == sizes.ONE and other != sizes.ONE:
            kept.append(i)
        elif size is None or size != other:
            return None
    return leading, tuple(kept)


def axes_literal(axes: tuple[int, ...]) -> Expr:
    """The `axis=` argument for these axes."""
    if len(axes) == 1:
        return constant(axes[0])
    items = tuple(constant(a) for a in axes)
    return nodes.Sequence("tuple", items, type=Tuple(tuple(i.type for i in items)))


def entry_of(bar: Expr, i: int, kind: Type) -> Expr:
    """`bar[i]`, of type `kind` where it is not known."""
    entry = build.index(bar, constant(i))
    known = is_number(entry.type) and not isinstance(entry.type, Number)
    return entry if known else replace(entry, type=kind)


def any_complex(*exprs: Expr) -> bool:
    """Whether an operation has complex operands or result."""
    return any(
        isinstance(e.type, Scalar | Array)
        and e.type.dtype is not None
        and is_complex_dtype(e.type.dtype)
        for e in exprs
    )


def conjugated(expr: Expr) -> Expr:
    """The conjugate; real numbers as they are."""
    if isinstance(expr, Call) and expr.function is np.conj:
        return expr.args[0]
    if (
        isinstance(expr.type, Scalar)
        and expr.type.value is not UNKNOWN
        and not isinstance(expr.type.value, complex)
    ):
        return expr
    if (
        isinstance(expr.type, Scalar | Array)
        and expr.type.dtype is not None
        and not is_complex_dtype(expr.type.dtype)
    ):
        return expr
    return Call(np.conj, "np.conj", (expr,), type=expr.type)
