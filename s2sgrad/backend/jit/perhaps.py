"""Floor 6: arrays that are None until a run has set them.

While Numba finds out the types of a loop, `m` is None first and None or an array later: zeros like
it would be a number first. An array that is named beside it tells their type.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import s2sgrad_runtime
from s2sgrad.backend.loops.held import begun_as_none
from s2sgrad.ir import sizes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Ref, Sequence, Stmt, Store, Var
from s2sgrad.ir.types import Array, Known, Maybe, Tuple
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block


def zeros_perhaps(expr: Expr) -> Expr | None:
    """`zeros_like(m)` by a function that is told the type; None of other expressions."""
    match expr:
        case Call(function=s2sgrad_runtime.zeros_like, args=(value,)) if isinstance(
            value.type, Maybe
        ):
            return _told(expr, value, value.type.item)
    return None


def _told(expr: Call, value: Expr, kind: object) -> Expr | None:
    from s2sgrad_runtime.numba_optional import zeros_if_there

    if not isinstance(kind, Array) or kind.shape is None or kind.dtype not in _FLOATS:
        return None
    shape = tuple(build.number(1) for _ in kind.shape)
    dtype = np.dtype(kind.dtype).type
    parts = (
        Sequence("tuple", shape, type=Tuple(tuple(n.type for n in shape))),
        Ref(f"np.{kind.dtype}", dtype, type=Known(dtype)),
    )
    ones = Call(np.zeros, "np.zeros", parts, type=Array(kind.dtype, (sizes.ONE,) * len(shape)))
    return Call(zeros_if_there, "zeros_if_there", (value, ones), type=expr.type, span=expr.span)


def changed_where_there(body: Block) -> Block:
    """The body in which `m += y` is `m[...] = m + y` for names that are None somewhere: Numba's
    `+=` takes what is surely an array alone."""
    unsure = begun_as_none(body)
    if not unsure:
        return body

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        match stmt:
            case Store(base=Var(name=name) as base, index=(), op=op, value=value) if (
                op in _SIGNS and name in unsure and _stays(base, value)
            ):
                total = Call(_SIGNS[op], op, (base, value), form="operator", type=base.type)
                whole = Const(..., type=Known(...))
                return [replace(stmt, index=(whole,), op="", value=total)]
        return [stmt]

    return map_block(body, lambda e: e, on_stmt)


def _stays(base: Expr, value: Expr) -> bool:
    """Whether a sum out of place has the dtype that the array keeps in place."""
    kind = base.type.item if isinstance(base.type, Maybe) else base.type
    dtypes = kind.dtype if isinstance(kind, Array) else None, getattr(value.type, "dtype", None)
    return dtypes in (("float64", "float64"), ("float64", "float"), ("float64", "int64"))


_SIGNS = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}
_FLOATS = frozenset({"float64", "float32", "complex128", "complex64"})

__all__ = ["changed_where_there", "zeros_perhaps"]
