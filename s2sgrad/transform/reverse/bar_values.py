"""Floor 5: what is asked of a value before it becomes, or is added to, a cotangent."""

from __future__ import annotations

import numpy as np

import s2sgrad_runtime
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.nodes import Call, Expr, Index, Ref, Var
from s2sgrad.ir.types import Array, Known, Scalar, Type


def decays(value: Expr) -> bool:
    """Whether an array without axes is a number at run time, as NumPy's functions give it."""
    flat = isinstance(value.type, Array) and value.type.shape == ()
    return flat and isinstance(value, Call) and value.function not in _MAKERS


# of arrays without axes too
_MAKERS = (s2sgrad_runtime.zeros_like, np.zeros_like, np.ones_like, np.full_like, np.copy)


def bar_type(kind: Type) -> Type:
    """The type of a cotangent: the value's own, without known constants."""
    if isinstance(kind, Scalar):
        if kind.dtype in ("int", "bool"):
            return Scalar("float")
        return Scalar(kind.dtype)
    return kind


def zeros_of(shape: Expr, kind: Array) -> Expr:
    """`np.zeros(shape)`, of the array's dtype."""
    if kind.dtype == "float64":
        return Call(np.zeros, "np.zeros", (shape,), type=kind)
    scalar = np.dtype(kind.dtype).type
    dtype = Ref(f"np.{scalar.__name__}", scalar, type=Known(scalar))
    return Call(np.zeros, "np.zeros", (shape, dtype), type=kind)


def bottom(expr: Expr) -> str | None:
    while True:
        match expr:
            case Var(name=name):
                return name
            case Index(base=base):
                expr = base
            case Call(args=args) if args:
                expr = args[0]
            case _:
                return None


def narrower(value: Expr, kind: Type) -> bool:
    """Whether a real cotangent stands for a complex value: complex ones can't be added in it."""
    dtypes = getattr(value.type, "dtype", None), getattr(kind, "dtype", None)
    return None not in dtypes and [is_complex_dtype(d) for d in dtypes] == [False, True]


def same_kind(kind: Array, other: Type) -> bool:
    """Whether adding in place keeps the dtype that adding out of place would give."""
    dtype = getattr(other, "dtype", None)
    return dtype in ("float", "int") or dtype == kind.dtype


__all__ = ["bar_type", "bottom", "decays", "narrower", "same_kind", "zeros_of"]
