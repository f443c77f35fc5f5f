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
from s2sgrad_runtime.numba_pages import array_of

__all__ = [
    "add_product_in_place",
    "dot_product",
    "matrix_product",
    "product_in_place",
    "subtract_product_in_place",
]

_WORD, _INT, _CHAR = ir.IntType(64), ir.IntType(32), ir.IntType(8)
_POINTER = cgutils.voidptr_t
_LETTERS = {"float64": "d", "float32": "s", "complex128": "z", "complex64": "c"}
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
    if str(a.dtype) not in _LETTERS or {a.ndim, b.ndim} - {1, 2}:
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
        builder.call(_vector_multiplier(context, builder.module, sig.return_type.dtype), passed)
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
    function = _multiplier(context, builder.module, dtype)
    size = _WORD(dtype.bitwidth // 8)
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
        self.data = builder.bitcast(array.data, _POINTER)
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
    return builder.call(_dot_function(module), [left.lengths[0], *parts])


class _Writer:
    """Writes a function that is in a module once; builder is None where it was there already."""

    def __init__(self, module: Any, name: str, result: Any, kinds: list[Any]) -> None:
        self.builder: Any = None
        if name in module.globals:
            self.function = module.globals[name]
            return
        self.function = ir.Function(module, ir.FunctionType(result, kinds), name)
        self.function.linkage = "internal"
        self.function.attributes.add("noinline")
        self.builder = ir.IRBuilder(self.function.append_basic_block())


def _dot_function(module: Any) -> Any:
    """(length, address, stride, address, stride) -> sum of the products of float64 entries.

    Entry by entry where BLAS, which counts strides in entries, can't tell where they are.
    """
    double = ir.DoubleType()
    kinds = [_WORD, _POINTER, _WORD, _POINTER, _WORD]
    writer = _Writer(module, "s2sgrad_dot", double, kinds)
    if writer.builder is None:
        return writer.function
    builder, (count, left, left_step, right, right_step) = writer.builder, writer.function.args
    forward = builder.and_(_forward(builder, left_step, 8), _forward(builder, right_step, 8))
    with builder.if_then(forward, likely=True):
        steps = [builder.sdiv(s, _WORD(8)) for s in (left_step, right_step)]
        n, *own = [_number(builder, v) for v in (count, *steps)]
        passed = [n, left, own[0], right, own[1]]
        kind = ir.FunctionType(double, [p.type for p in passed])
        dot = cgutils.get_or_insert_function(module, kind, "s2sgrad_ddot")
        builder.ret(builder.call(dot, passed))
    total = cgutils.alloca_once_value(builder, double(0.0))
    with cgutils.for_range(builder, count) as loop:
        entries = [
            builder.load(_entry(builder, p, builder.mul(loop.index, s), double))
            for p, s in ((left, left_step), (right, right_step))
        ]
        builder.store(builder.fadd(builder.load(total), builder.fmul(*entries)), total)
    builder.ret(builder.load(total))
    return writer.function


def _forward(builder: Any, step: Any, size: int) -> Any:
    """Whether a stride is a number of entries, and not negative."""
    whole = builder.icmp_signed("==", builder.srem(step, _WORD(size)), _WORD(0))
    return builder.and_(whole, builder.icmp_signed(">=", step, _WORD(0)))


def _number(builder: Any, value: Any) -> Any:
    """A place that holds an integer as BLAS takes it."""
    narrow = builder.trunc(value, _INT) if value.type == _WORD else value
    return cgutils.alloca_once_value(builder, narrow)


def _entry(builder: Any, start: Any, offset: Any, kind: Any) -> Any:
    return builder.bitcast(builder.gep(start, [offset]), kind.as_pointer())


def _multiplier(context: Any, module: Any, dtype: Any) -> Any:
    """(matrix, matrix, two factors, address of the result, its strides).

    The result becomes the one factor times what it was, and the other times the product.

    To BLAS, which thinks in columns, rows are a transposed matrix: (a b)^T = b^T a^T. A result
    whose rows don't lie side by side is computed elsewhere first.
    """
    letter, size = _LETTERS[str(dtype)], dtype.bitwidth // 8
    matrix = [_POINTER, _WORD, _WORD, _WORD, _WORD]
    kinds = [*matrix, *matrix, *[ir.DoubleType()] * 2, _POINTER, _WORD, _WORD]
    writer = _Writer(module, f"s2sgrad_product_{letter}", ir.VoidType(), kinds)
    if writer.builder is None:
        return writer.function
    builder, given = writer.builder, writer.function.args
    rows, columns, (share, times, out, down, across) = given[1], given[7], given[10:]
    with builder.if_then(builder.not_(_fits(builder, size, rows, columns, down, across))):
        _apart(context, builder, writer.function, dtype)
        builder.ret_void()
    left, right = (_Laid(context, builder, size, list(given[k : k + 5])) for k in (0, 5))
    n, m, k = (_number(builder, v) for v in (columns, rows, given[2]))
    one, kept = (_scalar(context, builder, dtype, v) for v in (times, share))
    single = builder.icmp_signed("<=", rows, _WORD(1))
    lead = builder.select(single, columns, builder.sdiv(down, _WORD(size)))
    passed = [
        right.flag, left.flag, n, m, k, one, right.data, right.lead, left.data, left.lead,
        kept, out, _number(builder, _largest(builder, lead, _WORD(1))),
    ]  # fmt: skip
    _call(builder, f"s2sgrad_{letter}gemm", passed)
    left.drop()
    right.drop()
    builder.ret_void()
    return writer.function


def _apart(context: Any, builder: Any, function: Any, dtype: Any) -> None:
    """The product in memory of its own, then entry by entry to where it belongs."""
    size, entry = _WORD(dtype.bitwidth // 8), context.get_data_type(dtype)
    given = function.args
    rows, columns, (share, times, out, down, across) = given[1], given[7], given[10:]
    width = builder.mul(columns, size)
    held = context.nrt.allocate_unchecked(builder, builder.mul(rows, width))
    nothing = ir.DoubleType()(0.0)
    builder.call(function, [*given[:10], nothing, times, held, width, size])
    adds = builder.fcmp_ordered("!=", share, nothing)
    with cgutils.for_range(builder, rows) as i, cgutils.for_range(builder, columns) as j:
        start = builder.mul(i.index, width)
        new = builder.load(
            _entry(builder, held, builder.add(start, builder.mul(j.index, size)), entry)
        )
        place = builder.add(builder.mul(i.index, down), builder.mul(j.index, across))
        into = _entry(builder, out, place, entry)
        with builder.if_else(adds) as (more, alone):
            with more:
                kinds = signature(dtype, dtype, dtype)
                add = context.get_function(operator.add, kinds)
                builder.store(add(builder, (builder.load(into), new)), into)
            with alone:
                builder.store(new, into)
    context.nrt.free(builder, held)


def _vector_multiplier(context: Any, module: Any, dtype: Any) -> Any:
    """(matrix, address and stride of a vector, address of the result, which holds zeros)."""
    letter, size = _LETTERS[str(dtype)], dtype.bitwidth // 8
    kinds = [_POINTER, _WORD, _WORD, _WORD, _WORD, _POINTER, _WORD, _POINTER]
    writer = _Writer(module, f"s2sgrad_vector_product_{letter}", ir.VoidType(), kinds)
    if writer.builder is None:
        return writer.function
    builder, given = writer.builder, writer.function.args
    start, step, result = given[5:]
    rows, columns = given[1], given[2]
    matrix = _Laid(context, builder, size, list(given[:5]))
    vector = _Laid(context, builder, size, [start, _WORD(1), columns, _WORD(0), step])
    down = builder.icmp_signed("==", builder.load(matrix.flag), _CHAR(ord("T")))
    across = builder.icmp_signed("==", builder.load(vector.flag), _CHAR(ord("N")))
    # Rows are the columns of the transposed matrix, which BLAS turns back.
    turn = cgutils.alloca_once_value(
        builder, builder.select(down, _CHAR(ord("N")), _CHAR(ord("T")))
    )
    high = _number(builder, builder.select(down, rows, columns))
    wide = _number(builder, builder.select(down, columns, rows))
    gap = _number(builder, builder.select(across, _INT(1), builder.load(vector.lead)))
    one = _scalar(context, builder, dtype, ir.DoubleType()(1.0))
    next_to = _number(builder, _WORD(1))
    passed = [
        turn, high, wide, one, matrix.data, matrix.lead, vector.data, gap, one, result, next_to,
    ]  # fmt: skip
    _call(builder, f"s2sgrad_{letter}gemv", passed)
    matrix.drop()
    vector.drop()
    builder.ret_void()
    return writer.function


def _call(builder: Any, name: str, passed: list[Any]) -> None:
    passed = [p if p.type == _POINTER else builder.bitcast(p, _POINTER) for p in passed]
    kind = ir.FunctionType(ir.VoidType(), [_POINTER] * len(passed))
    builder.call(cgutils.get_or_insert_function(builder.module, kind, name), passed)


def _scalar(context: Any, builder: Any, dtype: Any, value: Any) -> Any:
    """A place that holds a real number as one of the matrix's kind."""
    return cgutils.alloca_once_value(builder, context.cast(builder, value, types.float64, dtype))


def _largest(builder: Any, left: Any, right: Any) -> Any:
    return builder.select(builder.icmp_signed(">", left, right), left, right)


class _Laid:
    """A matrix as BLAS takes it.

    flag: place of 'N' where rows lie side by side, 'T' where columns do. lead: place of the
    entries from one of them to the next. What lies otherwise is copied.
    """

    def __init__(self, context: Any, builder: Any, size: int, matrix: list[Any]) -> None:
        self.context, self.builder, self.given = context, builder, matrix[0]
        self.flag = cgutils.alloca_once(builder, _CHAR)
        self.lead = cgutils.alloca_once(builder, _INT)
        function = _layer(context, builder.module, size)
        self.data = builder.call(function, [*matrix, self.flag, self.lead])

    def drop(self) -> None:
        """Free the copy, if there is one."""
        with self.builder.if_then(self.builder.icmp_unsigned("!=", self.data, self.given)):
            self.context.nrt.free(self.builder, self.data)


def _layer(context: Any, module: Any, size: int) -> Any:
    """(matrix, places of flag and lead) -> the address of its entries, or of a copy."""
    kinds = [_POINTER, _WORD, _WORD, _WORD, _WORD, _CHAR.as_pointer(), _INT.as_pointer()]
    writer = _Writer(module, f"s2sgrad_laid_{size}", _POINTER, kinds)
    if writer.builder is None:
        return writer.function
    builder = writer.builder
    data, rows, columns, down, across, flag, lead = writer.function.args
    for letter, count, length, step, inner in (
        ("N", rows, columns, down, across),
        ("T", columns, rows, across, down),
    ):
        with builder.if_then(_fits(builder, size, count, length, step, inner)):
            single = builder.icmp_signed("<=", count, _WORD(1))
            apart = builder.select(single, length, builder.sdiv(step, _WORD(size)))
            builder.store(_CHAR(ord(letter)), flag)
            builder.store(builder.trunc(_largest(builder, apart, _WORD(1)), _INT), lead)
            builder.ret(data)
    builder.store(_CHAR(ord("N")), flag)
    builder.store(builder.trunc(_largest(builder, columns, _WORD(1)), _INT), lead)
    entry = ir.IntType(8 * size)
    copy = context.nrt.allocate_unchecked(
        builder, builder.mul(builder.mul(rows, columns), _WORD(size))
    )
    with cgutils.for_range(builder, rows) as outer:
        row = builder.mul(outer.index, down)
        with cgutils.for_range(builder, columns) as inner:
            place = builder.add(row, builder.mul(inner.index, across))
            value = builder.load(_entry(builder, data, place, entry), align=1)
            number = builder.add(builder.mul(outer.index, columns), inner.index)
            into = _entry(builder, copy, builder.mul(number, _WORD(size)), entry)
            builder.store(value, into, align=1)
    builder.ret(copy)
    return writer.function


def _fits(builder: Any, size: int, count: Any, length: Any, step: Any, inner: Any) -> Any:
    """Whether `count` lines of `length` neighbours lie so many entries apart."""
    neighbours = builder.or_(
        builder.icmp_signed("==", inner, _WORD(size)),
        builder.icmp_signed("<=", length, _WORD(1)),
    )
    far = builder.icmp_signed(">=", step, builder.mul(length, _WORD(size)))
    whole = builder.icmp_signed("==", builder.srem(step, _WORD(size)), _WORD(0))
    single = builder.icmp_signed("<=", count, _WORD(1))
    return builder.and_(neighbours, builder.or_(single, builder.and_(far, whole)))
