"""Linear equations, inverses and determinants for Numba, by LAPACK at its address.

Numba's own functions of `np.linalg` take up to seconds to compile, and refuse matrices with NaN,
which NumPy takes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit
from numba.core import cgutils, types
from numba.extending import intrinsic

from s2sgrad_runtime import numba_blas  # noqa: F401
from s2sgrad_runtime.numba_compiler import Compiler

__all__ = [
    "crossed",
    "determinant",
    "identity",
    "inverted",
    "outer_product",
    "solve_lower_in_place",
    "solve_upright_in_place",
    "solved",
    "solved_columns",
]


def _compiled(function: Any) -> Any:
    """Each is compiled once, whatever asks for it: Numba compiles what it finds through `overload`
    once more for each kind of caller."""
    function.s2sgrad_helper = True
    return njit(error_model="numpy", pipeline_class=Compiler)(function)


def _said(builder: Any, place: Any) -> Any:
    """What LAPACK left in a place that held zero: 64 bits, or the lower 32."""
    low = builder.trunc(builder.load(place), ir.IntType(32))
    return builder.sext(low, ir.IntType(64))


@intrinsic  # type: ignore[untyped-decorator]
def _solve_in_place(context: Any, factors: Any, columns: Any, pivots: Any) -> Any:
    """factors: the transposed matrix; columns: one in each row, or one alone. What LAPACK says."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number = ir.IntType(64)
        lu, x, order = (
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args, args, strict=True)
        )
        size = builder.extract_value(lu.shape, 0)
        few = builder.icmp_signed("<", size, number(1))
        step = builder.select(few, number(1), size)
        alone = signature.args[1].ndim == 1
        count = number(1) if alone else builder.extract_value(x.shape, 0)
        numbers = [cgutils.alloca_once_value(builder, v) for v in (size, count, step, number(0))]
        n, columns_given, lead, said = numbers
        passed = (n, columns_given, lu.data, lead, order.data, x.data, lead, said)
        kind = ir.FunctionType(ir.VoidType(), [p.type for p in passed])
        solve = cgutils.get_or_insert_function(builder.module, kind, "s2sgrad_dgesv")
        builder.call(solve, passed)
        return _said(builder, said)

    return types.int64(factors, columns, pivots), generate


@intrinsic  # type: ignore[untyped-decorator]
def _factor_in_place(context: Any, factors: Any, pivots: Any) -> Any:
    """A square matrix becomes its triangular factors. What LAPACK says."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number = ir.IntType(64)
        lu, order = (
            context.make_array(kind)(context, builder, value)
            for kind, value in zip(signature.args, args, strict=True)
        )
        size = builder.extract_value(lu.shape, 0)
        few = builder.icmp_signed("<", size, number(1))
        step = builder.select(few, number(1), size)
        n, lead, said = (cgutils.alloca_once_value(builder, v) for v in (size, step, number(0)))
        passed = (n, n, lu.data, lead, order.data, said)
        kind = ir.FunctionType(ir.VoidType(), [p.type for p in passed])
        factor = cgutils.get_or_insert_function(builder.module, kind, "s2sgrad_dgetrf")
        builder.call(factor, passed)
        return _said(builder, said)

    return types.int64(factors, pivots), generate


def _triangular(turned: str) -> Any:
    """What solves for columns in rows without gaps, into themselves, by a lower triangle.

    To BLAS rows are columns: x^T lower = columns^T, where it sees lower^T.
    """

    def solve(context: Any, lower: Any, columns: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            number, letter = ir.IntType(64), ir.IntType(8)
            factor, x = (
                context.make_array(kind)(context, builder, value)
                for kind, value in zip(signature.args, args, strict=True)
            )
            n, m = (builder.extract_value(x.shape, k) for k in (0, 1))
            leads = [
                builder.select(builder.icmp_signed("<", v, number(1)), number(1), v) for v in (n, m)
            ]
            letters = [cgutils.alloca_once_value(builder, letter(ord(c))) for c in f"RU{turned}N"]
            sizes = (cgutils.alloca_once_value(builder, v) for v in (m, n, *leads))
            rows, size, lead, width = sizes
            one = cgutils.alloca_once_value(builder, ir.DoubleType()(1.0))
            passed = (*letters, rows, size, one, factor.data, lead, x.data, width)
            kind = ir.FunctionType(ir.VoidType(), [p.type for p in passed])
            solve = cgutils.get_or_insert_function(builder.module, kind, "s2sgrad_dtrsm")
            builder.call(solve, passed)
            return context.get_dummy_value()

        return types.none(lower, columns), generate

    return intrinsic(solve)


solve_upright_in_place = _triangular("T")  # columns = solve(lower.T, columns)
solve_lower_in_place = _triangular("N")  # columns = solve(lower, columns)


@_compiled  # type: ignore[untyped-decorator]
def _columns(a: Any, turned: bool) -> Any:
    """A copy of a matrix, its columns as rows; turned: its rows."""
    n, m = a.shape
    out = np.empty((n, m) if turned else (m, n))
    for i in range(n):
        for j in range(m):
            if turned:
                out[i, j] = a[i, j]
            else:
                out[j, i] = a[i, j]
    return out


@_compiled  # type: ignore[untyped-decorator]
def _solve(factors: Any, columns: Any) -> None:
    """Solve for columns, into themselves."""
    if factors.shape[0] != factors.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    if factors.shape[0] != columns.shape[-1]:
        raise ValueError("solve: the matrix and the right-hand side have different lengths")
    pivots = np.empty(factors.shape[0], np.int64)
    if _solve_in_place(factors, columns, pivots) > 0:  # type: ignore[call-arg]
        raise np.linalg.LinAlgError("Singular matrix")


@_compiled  # type: ignore[untyped-decorator]
def solved(a: Any, b: Any, turned: bool) -> Any:
    """`np.linalg.solve(a, b)` for one matrix of floats and a vector; turned: of `a.T`."""
    column = np.empty(b.shape[0])
    for i in range(b.shape[0]):
        column[i] = b[i]
    _solve(_columns(a, turned), column)
    return column


@_compiled  # type: ignore[untyped-decorator]
def solved_columns(a: Any, b: Any, turned: bool) -> Any:
    """`np.linalg.solve(a, b)` for two matrices of floats; turned: of `a.T`."""
    columns = _columns(b, False)
    _solve(_columns(a, turned), columns)
    return _columns(columns, False)


@_compiled  # type: ignore[untyped-decorator]
def identity(n: int) -> Any:
    """`np.eye(n)`."""
    out = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            out[i, j] = 1.0 if i == j else 0.0
    return out


@_compiled  # type: ignore[untyped-decorator]
def inverted(a: Any) -> Any:
    """`np.linalg.inv(a)` for one matrix of floats."""
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    found = identity(a.shape[0])
    _solve(_columns(a, True), found)  # a^T x = e for each row: rows of the inverse
    return found


@_compiled  # type: ignore[untyped-decorator]
def determinant(a: Any) -> Any:
    """`np.linalg.det(a)` for one matrix of floats."""
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    factors = _columns(a, True)
    pivots = np.zeros(a.shape[0], np.int64)
    _factor_in_place(factors, pivots)  # type: ignore[call-arg]
    halves = a.shape[0] > 1 and pivots[0] > 0xFFFFFFFF  # two numbers of 32 bits in each place
    found = 1.0
    for i in range(a.shape[0]):
        row = (pivots[i // 2] >> (32 * (i % 2))) & 0xFFFFFFFF if halves else pivots[i]
        found *= factors[i, i] if row == i + 1 else -factors[i, i]
    return found


@_compiled  # type: ignore[untyped-decorator]
def outer_product(a: Any, b: Any) -> Any:
    """`np.outer(a, b)` for two vectors of floats."""
    out = np.empty((len(a), len(b)))
    for i in range(len(a)):
        for j in range(len(b)):
            out[i, j] = a[i] * b[j]
    return out


@_compiled  # type: ignore[untyped-decorator]
def crossed(a: Any, b: Any) -> Any:
    """`np.cross(a, b)` for two vectors of three floats."""
    out = np.empty(3)
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]
    return out
