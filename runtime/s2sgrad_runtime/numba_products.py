"""Products of matrices and vectors for Numba, by BLAS at its address.

Numba's own `a @ b` takes a fifth of a second to compile for each pair of layouts, and copies what
is not contiguous. Here it is one call of a function that looks at strides when it runs: rows or
columns that lie apart go to BLAS as they are.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

from s2sgrad_runtime import numba_blas  # noqa: F401
from s2sgrad_runtime.numba_multipliers import (
    LETTERS,
    POINTER,
    WORD,
    dot_function,
    multiplier,
    vector_multiplier,
)
from s2sgrad_runtime.numba_pages import array_of

__all__ = [
    "add_product_in_place",
    "dot_product",
    "matrix_product",
    "product_in_place",
    "subtract_product_in_place",
]

_NO_FIT = "matmul: the arrays have different lengths where they meet"


def matrix_product(a: Any, b: Any) -> Any:
    """`a @ b`."""
    return a @ b


def dot_product(a: Any, b: Any) -> Any:
    """`np.dot(a, b)`."""
    return np.dot(a, b)


def product_in_place(out: Any, a: Any, b: Any) -> None:
    """`out[...] = a @ b` for matrices; out shares no memory with them."""
    out[...] = a @ b


def add_product_in_place(out: Any, a: Any, b: Any) -> None:
    """`out += a @ b` for matrices; out shares no memory with them."""
    out += a @ b


def subtract_product_in_place(out: Any, a: Any, b: Any) -> None:
    """`out -= a @ b` for matrices; out shares no memory with them."""
    out -= a @ b


# --- types -----------------------------------------------------------------------------------
def _result(a: Any, b: Any) -> Any:
    """The type of a product that is written here; None for one that is left to Numba."""
    if not isinstance(a, types.Array) or not isinstance(b, types.Array) or a.dtype != b.dtype:
        return None
    if str(a.dtype) not in LETTERS or {a.ndim, b.ndim} - {1, 2}:
        return None
    if a.ndim == b.ndim == 1:
        return a.dtype if a.dtype == types.float64 else None
    return types.Array(a.dtype, a.ndim + b.ndim - 2, "C")


class _Typed(AbstractTemplate):
    instead: Any = None

    def generic(self, args: Any, kws: Any) -> Any:
        """Called by Numba: the signature for arguments of these types."""
        if kws or len(args) != 2:
            return None
        result = _result(*args)
        if result is not None:
            return signature(result, *args)
        own = self.context.resolve_value_type(self.instead)
        return own.get_call_type(self.context, args, {})


@infer_global(matrix_product)
class _MatrixProduct(_Typed):
    instead = operator.matmul


@infer_global(dot_product)
class _DotProduct(_Typed):
    instead = np.dot


@lower_builtin(matrix_product, types.Any, types.Any)
def _write_matrix_product(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _write(context, builder, sig, args, operator.matmul)


@lower_builtin(dot_product, types.Any, types.Any)
def _write_dot_product(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _write(context, builder, sig, args, np.dot)


class _TypedInPlace(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        """Called by Numba: the signature for matrices of one kind."""
        if kws or len(args) != 3 or not isinstance(args[0], types.Array):
            return None
        result = _result(*args[1:])
        if not isinstance(result, types.Array) or result.ndim != 2 or not args[0].mutable:
            return None
        fits = (args[0].dtype, args[0].ndim) == (result.dtype, 2)
        return signature(types.none, *args) if fits else None


@infer_global(product_in_place)
class _ProductInPlace(_TypedInPlace):
    pass


@infer_global(add_product_in_place)
class _AddProductInPlace(_TypedInPlace):
    pass


@infer_global(subtract_product_in_place)
class _SubtractProductInPlace(_TypedInPlace):
    pass


@lower_builtin(product_in_place, types.Array, types.Array, types.Array)
def _write_in_place(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _written_into(context, builder, sig, args, 0.0, 1.0)


@lower_builtin(add_product_in_place, types.Array, types.Array, types.Array)
def _write_added(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _written_into(context, builder, sig, args, 1.0, 1.0)


@lower_builtin(subtract_product_in_place, types.Array, types.Array, types.Array)
def _write_subtracted(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _written_into(context, builder, sig, args, 1.0, -1.0)


# --- instructions ------------------------------------------------------------------------------
def _write(context: Any, builder: Any, sig: Any, args: Any, instead: Any) -> Any:
    if _result(*sig.args) is None:
        kind = context.typing_context.resolve_value_type(instead)
        kind.get_call_type(context.typing_context, sig.args, {})
        return context.get_function(kind, sig)(builder, args)
    left, right = _operands(context, builder, sig.args, args)
    _must_be_equal(context, builder, left.lengths[-1], right.lengths[0])
    if left.rank == right.rank == 1:
        return _dot(builder, left, right)
    sizes = [*left.lengths[:-1], *right.lengths[1:]]
    found = array_of(context, builder, sig.return_type, sizes, zeros=len(sizes) == 1)
    out = _Operand(context, builder, sig.return_type, found)
    if len(sizes) == 2:
        _multiply(context, builder, sig.return_type.dtype, out, left, right, 0.0, 1.0)
    else:
        matrix, vector = (left, right) if left.rank == 2 else (right, left)
        passed = [*matrix.whole(turned=left.rank == 1), *vector.whole()[:1], vector.steps[0]]
        passed.append(out.data)
        builder.call(vector_multiplier(context, builder.module, sig.return_type.dtype), passed)
    return found


def _written_into(
    context: Any, builder: Any, sig: Any, args: Any, kept: float, times: float
) -> Any:
    """The instructions for `out = kept * out + times * a @ b`."""
    out, left, right = _operands(context, builder, sig.args, args)
    pairs = [(left.lengths[1], right.lengths[0]), (out.lengths[0], left.lengths[0])]
    for one, two in (*pairs, (out.lengths[1], right.lengths[1])):
        _must_be_equal(context, builder, one, two)
    _multiply(context, builder, sig.args[0].dtype, out, left, right, kept, times)
    return context.get_dummy_value()


def _operands(context: Any, builder: Any, kinds: Any, values: Any) -> list[Any]:
    pairs = zip(kinds, values, strict=True)
    return [_Operand(context, builder, kind, value) for kind, value in pairs]


def _must_be_equal(context: Any, builder: Any, one: Any, two: Any) -> None:
    with builder.if_then(builder.icmp_signed("!=", one, two), likely=False):
        context.call_conv.return_user_exc(builder, ValueError, (_NO_FIT,))


def _multiply(
    context: Any,
    builder: Any,
    dtype: Any,
    out: Any,
    left: Any,
    right: Any,
    kept: float,
    times: float,
) -> None:
    """out = kept * out + times * left @ right; transposed where columns of out lie in one piece."""
    function = multiplier(context, builder.module, dtype)
    size = WORD(dtype.bitwidth // 8)
    upright = builder.and_(
        builder.icmp_signed("==", out.steps[0], size), builder.icmp_signed("!=", out.steps[1], size)
    )
    factors = [ir.DoubleType()(f) for f in (kept, times)]
    with builder.if_else(upright, likely=False) as (turned, plain):
        with turned:
            passed = [*right.whole(True), *left.whole(True), *factors, out.data]

            builder.call(function, [*passed, *out.steps[::-1]])
        with plain:
            passed = [*left.whole(), *right.whole(), *factors, out.data]
            builder.call(function, [*passed, *out.steps])


class _Operand:
    """What is known of an array: where it lies, its lengths and strides."""

    def __init__(self, context: Any, builder: Any, kind: Any, value: Any) -> None:
        array = context.make_array(kind)(context, builder, value)
        self.rank = kind.ndim
        self.data = builder.bitcast(array.data, POINTER)
        self.lengths = cgutils.unpack_tuple(builder, array.shape)
        self.steps = cgutils.unpack_tuple(builder, array.strides)

    def whole(self, turned: bool = False) -> list[Any]:
        """Address, lengths, strides; those of the transposed matrix."""
        order = -1 if turned else 1
        return [self.data, *self.lengths[::order], *self.steps[::order]]


def _dot(builder: Any, left: _Operand, right: _Operand) -> Any:
    """The sum of products of two vectors."""
    module = builder.module
    parts = [o for v in (left, right) for o in (v.data, v.steps[0])]
    return builder.call(dot_function(module), [left.lengths[0], *parts])
