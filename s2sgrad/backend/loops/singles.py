"""Floor 6: numbers of single precision beside Python's own, which NumPy takes for single ones.

0.1 is equal to the 0.1 of an array of float32, and `x * 0.1` is computed in single precision. Numba
would compute both as float64. Its `float(x)` and `math.exp(x)` in turn are as wide as x; those of
Python have double precision.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Stmt
from s2sgrad.ir.types import Array, Scalar
from s2sgrad_runtime import tie_share

_SINGLE: dict[str, Any] = {"float32": np.float32, "complex64": np.complex64}
_COMPARING = (
    np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal, tie_share,
)  # fmt: skip
_PYTHON = ("math", "cmath", "s2sgrad_runtime.numba_domains")  # the last one stands for the others
_CHOOSING = (np.where, np.clip)
_WHOLE_POWERS = 4  # Numba multiplies for these; a power of two floats is a function


def with_weak_numbers(expr: Expr) -> Expr:
    """An expression on numbers of single precision, with Python's numbers as NumPy takes them."""
    if not isinstance(expr, Call):
        return expr
    if _leaves_numpy(expr):
        return replace(expr, args=tuple(map(_widened, expr.args)))
    if _compares(expr):
        kinds = {_dtype(a) for a in expr.args}
        return _of_singles(expr) if kinds == {"float", "float32"} else expr
    works = (expr.form == "operator" and expr.text != "@") or isinstance(expr.function, np.ufunc)
    if _dtype(expr) not in _SINGLE or not (works or expr.function in _CHOOSING):
        return expr
    return _of_singles(expr)


def stored_weakly(stmt: Stmt) -> list[Stmt]:
    """`x *= 0.1` with a number of single precision, where x has that."""
    if isinstance(stmt, nodes.Store) and stmt.op and _dtype(stmt.base) in _SINGLE:
        return [replace(stmt, value=as_single(stmt.value))]
    return [stmt]


def _compares(expr: Call) -> bool:
    held = expr.form == "operator" and expr.text in ("in", "not in")
    return held or any(expr.function is known for known in _COMPARING)


def _leaves_numpy(expr: Call) -> bool:
    """Whether a call is of Python's own functions on numbers."""
    if expr.form != "call" or not expr.args:
        return False
    own = expr.function in (float, complex) or expr.text in ("float", "complex", "math.log")
    return own or getattr(expr.function, "__module__", "") in _PYTHON


def _of_singles(expr: Call) -> Call:
    power = expr.text == "**" and isinstance(expr.args[-1], Const)
    if power and expr.args[-1].value in range(_WHOLE_POWERS):  # type: ignore[attr-defined]
        return expr
    return replace(expr, args=tuple(map(as_single, expr.args)))


def as_single(expr: Expr) -> Expr:
    """One of Python's numbers as a number of single precision; others as they are."""
    if not isinstance(expr.type, Scalar) or expr.type.dtype not in ("float", "int", "complex"):
        return expr
    dtype = "complex64" if expr.type.dtype == "complex" else "float32"
    return Call(
        _SINGLE[dtype], f"np.{dtype}", (expr,), type=Scalar(dtype), span=getattr(expr, "span", None)
    )


def _widened(expr: Expr) -> Expr:
    """A number of single precision as one of double precision."""
    if not isinstance(expr.type, Scalar) or expr.type.dtype not in _SINGLE:
        return expr
    wide = np.float64 if expr.type.dtype == "float32" else np.complex128
    kind = Scalar(wide.__name__)
    return Call(wide, f"np.{wide.__name__}", (expr,), type=kind, span=getattr(expr, "span", None))


def _dtype(expr: Expr) -> str | None:
    return expr.type.dtype if isinstance(expr.type, Scalar | Array) else None


__all__ = ["as_single", "stored_weakly", "with_weak_numbers"]
