"""Systems of linear equations for Numba, solved by LAPACK at its address.

Numba's own `np.linalg.solve` takes seconds to compile, and refuses matrices with NaN, which NumPy
takes. The address is found anew in each process: code on disk refers to it by a symbol.
"""

from __future__ import annotations

import ctypes
from typing import Any

import llvmlite.binding as binding
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload, register_jitable

__all__ = ["solved"]


def solved(a: Any, b: Any) -> Any:
    """`np.linalg.solve(a, b)` for one matrix of floats."""
    return np.linalg.solve(a, b)


def _name_symbol() -> None:
    """Tell LLVM where SciPy's LAPACK solves equations."""
    from scipy.linalg import cython_lapack

    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsule = cython_lapack.__pyx_capi__["dgesv"]
    binding.add_symbol("s2sgrad_dgesv", pointer_of(capsule, name_of(capsule)))


_name_symbol()


@intrinsic  # type: ignore[untyped-decorator]
def _solve_in_place(context: Any, factors: Any, columns: Any, pivots: Any) -> Any:
    """factors: the transposed matrix; columns: one in each row, or one alone. What LAPACK says."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number = ir.IntType(32)
        lu, x, order = (
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args, args, strict=True)
        )
        size = builder.trunc(builder.extract_value(lu.shape, 0), number)
        few = builder.icmp_signed("<", size, number(1))
        step = builder.select(few, number(1), size)
        alone = signature.args[1].ndim == 1
        count = number(1) if alone else builder.trunc(builder.extract_value(x.shape, 0), number)
        numbers = [cgutils.alloca_once_value(builder, v) for v in (size, count, step, number(0))]
        n, columns_given, lead, said = numbers
        passed = (n, columns_given, lu.data, lead, order.data, x.data, lead, said)
        kind = ir.FunctionType(ir.VoidType(), [p.type for p in passed])
        solve = cgutils.get_or_insert_function(builder.module, kind, "s2sgrad_dgesv")
        builder.call(solve, passed)
        return builder.sext(builder.load(said), ir.IntType(64))

    return types.int64(factors, columns, pivots), generate


@register_jitable
def _transposed(a: Any) -> Any:
    """A copy with rows and columns exchanged."""
    out = np.empty((a.shape[1], a.shape[0]))
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[j, i] = a[i, j]
    return out


@register_jitable
def _solve(factors: Any, columns: Any) -> None:
    """Solve for columns, into themselves."""
    if factors.shape[0] != factors.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if factors.shape[0] != columns.shape[-1]:
        raise ValueError("solve: the matrix and the right-hand side have different lengths")
    pivots = np.empty(factors.shape[0], np.int32)
    if _solve_in_place(factors, columns, pivots) > 0:  # type: ignore[call-arg]
        raise np.linalg.LinAlgError("Singular matrix")


@overload(solved, strict=False)
def _solved(a: Any, b: Any) -> Any:
    if a.ndim != 2 or b.ndim not in (1, 2):
        return None
    if b.ndim == 2:

        def solve_columns(a: Any, b: Any) -> Any:
            columns = _transposed(b)
            _solve(_transposed(a), columns)
            return _transposed(columns)

        return solve_columns

    def solve_one(a: Any, b: Any) -> Any:
        column = np.empty(b.shape[0])
        for i in range(b.shape[0]):
            column[i] = b[i]
        _solve(_transposed(a), column)
        return column

    return solve_one
