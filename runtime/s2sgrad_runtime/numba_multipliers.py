"""Functions that Numba's modules get once for products: they call BLAS with what strides say."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import signature

__all__ = [
    "CHAR",
    "LETTERS",
    "POINTER",
    "WORD",
    "dot_function",
    "multiplier",
    "vector_multiplier",
]

WORD, CHAR = ir.IntType(64), ir.IntType(8)
POINTER = cgutils.voidptr_t
LETTERS = {"float64": "d", "float32": "s", "complex128": "z", "complex64": "c"}


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


def dot_function(module: Any) -> Any:
    """(length, address, stride, address, stride) -> sum of the products of float64 entries.

    Entry by entry where BLAS, which counts strides in entries, can't tell where they are.
    """
    double = ir.DoubleType()
    kinds = [WORD, POINTER, WORD, POINTER, WORD]
    writer = _Writer(module, "s2sgrad_dot", double, kinds)
    if writer.builder is None:
        return writer.function
    builder, (count, left, left_step, right, right_step) = writer.builder, writer.function.args
    forward = builder.and_(_forward(builder, left_step, 8), _forward(builder, right_step, 8))
    with builder.if_then(forward, likely=True):
        steps = [builder.sdiv(s, WORD(8)) for s in (left_step, right_step)]
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
    whole = builder.icmp_signed("==", builder.srem(step, WORD(size)), WORD(0))
    return builder.and_(whole, builder.icmp_signed(">=", step, WORD(0)))


def _number(builder: Any, value: Any) -> Any:
    """A place that holds an integer for BLAS, which reads 64 bits of it or the lower 32."""
    return cgutils.alloca_once_value(builder, value)


def _entry(builder: Any, start: Any, offset: Any, kind: Any) -> Any:
    return builder.bitcast(builder.gep(start, [offset]), kind.as_pointer())


def multiplier(context: Any, module: Any, dtype: Any) -> Any:
    """(matrix, matrix, two factors, address of the result, its strides).

    The result becomes the one factor times what it was, and the other times the product.

    To BLAS, which thinks in columns, rows are a transposed matrix: (a b)^T = b^T a^T. A result
    whose rows don't lie side by side is computed elsewhere first.
    """
    letter, size = LETTERS[str(dtype)], dtype.bitwidth // 8
    matrix = [POINTER, WORD, WORD, WORD, WORD]
    kinds = [*matrix, *matrix, *[ir.DoubleType()] * 2, POINTER, WORD, WORD]
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
    single = builder.icmp_signed("<=", rows, WORD(1))
    lead = builder.select(single, columns, builder.sdiv(down, WORD(size)))
    passed = [
        right.flag, left.flag, n, m, k, one, right.data, right.lead, left.data, left.lead,
        kept, out, _number(builder, _largest(builder, lead, WORD(1))),
    ]  # fmt: skip
    _call(builder, f"s2sgrad_{letter}gemm", passed)
    left.drop()
    right.drop()
    builder.ret_void()
    return writer.function


def _apart(context: Any, builder: Any, function: Any, dtype: Any) -> None:
    """The product in memory of its own, then entry by entry to where it belongs."""
    size, entry = WORD(dtype.bitwidth // 8), context.get_data_type(dtype)
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


def vector_multiplier(context: Any, module: Any, dtype: Any) -> Any:
    """(matrix, address and stride of a vector, address of the result, which holds zeros)."""
    letter, size = LETTERS[str(dtype)], dtype.bitwidth // 8
    kinds = [POINTER, WORD, WORD, WORD, WORD, POINTER, WORD, POINTER]
    writer = _Writer(module, f"s2sgrad_vector_product_{letter}", ir.VoidType(), kinds)
    if writer.builder is None:
        return writer.function
    builder, given = writer.builder, writer.function.args
    start, step, result = given[5:]
    rows, columns = given[1], given[2]
    matrix = _Laid(context, builder, size, list(given[:5]))
    vector = _Laid(context, builder, size, [start, WORD(1), columns, WORD(0), step])
    down = builder.icmp_signed("==", builder.load(matrix.flag), CHAR(ord("T")))
    across = builder.icmp_signed("==", builder.load(vector.flag), CHAR(ord("N")))
    # Rows are the columns of the transposed matrix, which BLAS turns back.
    turn = cgutils.alloca_once_value(builder, builder.select(down, CHAR(ord("N")), CHAR(ord("T"))))
    high = _number(builder, builder.select(down, rows, columns))
    wide = _number(builder, builder.select(down, columns, rows))
    gap = _number(builder, builder.select(across, WORD(1), builder.load(vector.lead)))
    one = _scalar(context, builder, dtype, ir.DoubleType()(1.0))
    next_to = _number(builder, WORD(1))
    passed = [
        turn, high, wide, one, matrix.data, matrix.lead, vector.data, gap, one, result, next_to,
    ]  # fmt: skip
    _call(builder, f"s2sgrad_{letter}gemv", passed)
    matrix.drop()
    vector.drop()
    builder.ret_void()
    return writer.function


def _call(builder: Any, name: str, passed: list[Any]) -> None:
    passed = [p if p.type == POINTER else builder.bitcast(p, POINTER) for p in passed]
    kind = ir.FunctionType(ir.VoidType(), [POINTER] * len(passed))
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
        self.flag = cgutils.alloca_once(builder, CHAR)
        self.lead = cgutils.alloca_once(builder, WORD)
        function = _layer(context, builder.module, size)
        self.data = builder.call(function, [*matrix, self.flag, self.lead])

    def drop(self) -> None:
        """Free the copy, if there is one."""
        with self.builder.if_then(self.builder.icmp_unsigned("!=", self.data, self.given)):
            self.context.nrt.free(self.builder, self.data)


def _layer(context: Any, module: Any, size: int) -> Any:
    """(matrix, places of flag and lead) -> the address of its entries, or of a copy."""
    kinds = [POINTER, WORD, WORD, WORD, WORD, CHAR.as_pointer(), WORD.as_pointer()]
    writer = _Writer(module, f"s2sgrad_laid_{size}", POINTER, kinds)
    if writer.builder is None:
        return writer.function
    builder = writer.builder
    data, rows, columns, down, across, flag, lead = writer.function.args
    for letter, count, length, step, inner in (
        ("N", rows, columns, down, across),
        ("T", columns, rows, across, down),
    ):
        with builder.if_then(_fits(builder, size, count, length, step, inner)):
            single = builder.icmp_signed("<=", count, WORD(1))
            apart = builder.select(single, length, builder.sdiv(step, WORD(size)))
            builder.store(CHAR(ord(letter)), flag)
            builder.store(_largest(builder, apart, WORD(1)), lead)
            builder.ret(data)
    builder.store(CHAR(ord("N")), flag)
    builder.store(_largest(builder, columns, WORD(1)), lead)
    entry = ir.IntType(8 * size)
    copy = context.nrt.allocate_unchecked(
        builder, builder.mul(builder.mul(rows, columns), WORD(size))
    )
    with cgutils.for_range(builder, rows) as outer:
        row = builder.mul(outer.index, down)
        with cgutils.for_range(builder, columns) as inner:
            place = builder.add(row, builder.mul(inner.index, across))
            value = builder.load(_entry(builder, data, place, entry), align=1)
            number = builder.add(builder.mul(outer.index, columns), inner.index)
            into = _entry(builder, copy, builder.mul(number, WORD(size)), entry)
            builder.store(value, into, align=1)
    builder.ret(copy)
    return writer.function


def _fits(builder: Any, size: int, count: Any, length: Any, step: Any, inner: Any) -> Any:
    """Whether `count` lines of `length` neighbours lie so many entries apart."""
    neighbours = builder.or_(
        builder.icmp_signed("==", inner, WORD(size)),
        builder.icmp_signed("<=", length, WORD(1)),
    )
    far = builder.icmp_signed(">=", step, builder.mul(length, WORD(size)))
    whole = builder.icmp_signed("==", builder.srem(step, WORD(size)), WORD(0))
    single = builder.icmp_signed("<=", count, WORD(1))
    return builder.and_(neighbours, builder.or_(single, builder.and_(far, whole)))
