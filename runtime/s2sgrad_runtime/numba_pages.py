"""New arrays: few instructions each, and memory in large pages, as NumPy asks for it.

Fresh memory costs a page fault for every 4 KB of it that is touched: four times what writing it
costs. Linux gives pages of 2 MB where it is told that they are wanted.

Numba's own `np.empty` writes a hundred instructions for each call. Here most of them are in one
function for all calls with that many lengths.
"""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.npydecl import parse_dtype
from numba.extending import intrinsic

from s2sgrad_runtime.numba_kept import FROM, SYMBOL

__all__ = ["array_of", "new_array", "zero_array"]

_FROM = 1 << 22  # bytes: below, pages of 2 MB would hardly fit in
_PAGE = 4096
_HUGE_PAGE = 14  # MADV_HUGEPAGE
_WORD, _BIT, _POINTER = ir.IntType(64), ir.IntType(1), cgutils.voidptr_t
_NO_MEMORY, _NO_LENGTH = 0, 1  # what the allocator returns instead of an address


@intrinsic  # type: ignore[untyped-decorator]
def new_array(context: Any, shape: Any, dtype: Any = None) -> Any:
    """`np.empty(shape, dtype)`; LLVM knows that nothing else lies where the array does."""
    return _made(shape, dtype, zeros=False)


@intrinsic  # type: ignore[untyped-decorator]
def zero_array(context: Any, shape: Any, dtype: Any = None) -> Any:
    """`np.zeros(shape, dtype)`."""
    return _made(shape, dtype, zeros=True)


def _made(shape: Any, dtype: Any, zeros: bool) -> Any:
    """The type of a new array, and what writes its instructions; None for what Numba takes."""
    lengths = (shape,) if isinstance(shape, types.Integer) else getattr(shape, "types", ())
    omitted = dtype is None or isinstance(dtype, types.Omitted | types.NoneType)
    kind = types.float64 if omitted else parse_dtype(dtype)
    numbers = isinstance(kind, types.Number | types.Boolean)
    known = isinstance(shape, types.Integer | types.BaseTuple)
    if not known or not all(isinstance(n, types.Integer) for n in lengths) or not numbers:
        return None
    array = types.Array(kind, len(lengths), "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        given = (
            [args[0]]
            if isinstance(shape, types.Integer)
            else cgutils.unpack_tuple(builder, args[0])
        )
        sizes = [
            context.cast(builder, value, size, types.intp)
            for value, size in zip(given, lengths, strict=True)
        ]
        return array_of(context, builder, array, sizes, zeros)

    return array(shape, types.none if dtype is None else dtype), generate


def array_of(context: Any, builder: Any, kind: Any, sizes: list[Any], zeros: bool) -> Any:
    """The description of a new array."""
    itemsize = _WORD(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    align = ir.IntType(32)(context.get_preferred_array_alignment(kind.dtype))
    make = _allocator(context, builder.module, len(sizes))
    held = builder.call(make, (*sizes, itemsize, align, _BIT(zeros)))
    _check(context, builder, held)
    data = builder.call(_data(context, builder.module), (held,))
    _let_know(builder, data)
    strides, count = [itemsize] if sizes else [], sizes[-1] if sizes else _WORD(1)
    for before, size in zip(reversed(sizes[:-1]), reversed(sizes[1:]), strict=True):
        strides.insert(0, builder.mul(strides[0], size))
        count = builder.mul(count, before)
    pointer = context.get_data_type(kind.dtype).as_pointer()
    fields = {
        "meminfo": held, "parent": _POINTER(None), "nitems": count, "itemsize": itemsize,
        "data": builder.bitcast(data, pointer), "shape": sizes, "strides": strides,
    }  # fmt: skip
    model = context.data_model_manager[kind]
    found = model.get_value_type()(ir.Undefined)
    for name, value in fields.items():
        at = model.get_field_position(name)
        parts = list(enumerate(value)) if isinstance(value, list) else [(None, value)]
        for axis, part in parts:
            found = builder.insert_value(found, part, at if axis is None else (at, axis))
    return found


def _check(context: Any, builder: Any, held: Any) -> None:
    """Leave where there is no memory; all arrays of a function share the way out."""
    state = builder.ptrtoint(held, _WORD)
    failed = builder.icmp_unsigned("<=", state, _WORD(_NO_LENGTH))
    if getattr(builder, "_in_try_block", False):
        with builder.if_then(failed, likely=False):
            _raise(context, builder, state)
        return
    function = builder.function
    if not hasattr(function, "s2sgrad_no_array"):
        block = builder.append_basic_block("no_array")
        with builder.goto_block(block):
            function.s2sgrad_no_array = block, builder.phi(_WORD)
            _raise(context, builder, function.s2sgrad_no_array[1])
    block, states = function.s2sgrad_no_array
    states.add_incoming(state, builder.block)
    good = builder.append_basic_block("new_array")
    builder.cbranch(failed, block, good).set_weights([1, 99])
    builder.position_at_end(good)


def _raise(context: Any, builder: Any, state: Any) -> None:
    """What NumPy raises where an array can't be made."""
    with builder.if_then(builder.icmp_unsigned("==", state, _WORD(_NO_LENGTH))):
        text = "negative dimensions are not allowed, or the array is too big"
        context.call_conv.return_user_exc(builder, ValueError, (text,))
    context.call_conv.return_user_exc(builder, MemoryError, ("Unable to allocate an array",))


# --- functions that are written once for each module ---------------------------------------
def _allocator(context: Any, module: Any, rank: int) -> Any:
    """(lengths, itemsize, alignment, whether to fill with zeros) -> memory of an array."""
    name = f"s2sgrad_new_array_{rank}"
    if name in module.globals:
        return module.globals[name]
    kind = ir.FunctionType(_POINTER, (*([_WORD] * (rank + 1)), ir.IntType(32), _BIT))
    function = ir.Function(module, kind, name)
    function.linkage = "internal"
    function.attributes.add("noinline")
    builder = ir.IRBuilder(function.append_basic_block())
    *lengths, itemsize, align, zeros = function.args
    wrong, count = _BIT(0), itemsize
    for length in lengths:
        product = builder.smul_with_overflow(count, length)
        count = builder.extract_value(product, 0)
        negative = builder.icmp_signed("<", length, _WORD(0))
        found = builder.or_(negative, builder.extract_value(product, 1))
        wrong = builder.or_(wrong, found)
    with builder.if_then(wrong, likely=False):
        builder.ret(builder.inttoptr(_WORD(_NO_LENGTH), _POINTER))
    held = _memory(context, builder, count, align)
    with builder.if_then(cgutils.is_null(builder, held), likely=False):
        builder.ret(held)
    data = context.nrt.meminfo_data(builder, held)
    if sys.platform == "linux":
        _ask(builder, data, count)
    with builder.if_then(zeros):
        cgutils.memset(builder, data, count, 0)
    builder.ret(held)
    return function


def _memory(context: Any, builder: Any, count: Any, align: Any) -> Any:
    """Memory of so many bytes: of large arrays that are gone, or from the system."""
    place = cgutils.alloca_once(builder, _POINTER)
    with builder.if_else(builder.icmp_unsigned(">=", count, _WORD(FROM)), likely=False) as (
        large,
        small,
    ):
        with large:
            kind = ir.FunctionType(_POINTER, (_WORD,))
            make = cgutils.get_or_insert_function(builder.module, kind, SYMBOL)
            builder.store(builder.call(make, (count,)), place)
        with small:
            held = context.nrt.meminfo_alloc_aligned_unchecked(builder, count, align)
            builder.store(held, place)
    return builder.load(place)


def _data(context: Any, module: Any) -> Any:
    """Where new memory is: of the result LLVM knows only that nothing else points there. That is
    as true of it as of what malloc returns."""
    name = "s2sgrad_new_memory"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(_POINTER, (_POINTER,)), name)
    function.linkage = "internal"
    function.return_value.add_attribute("noalias")
    function.attributes.add("noinline")
    function.attributes.add("optnone")
    builder = ir.IRBuilder(function.append_basic_block())
    builder.ret(context.nrt.meminfo_data(builder, function.args[0]))
    return function


def _let_know(builder: Any, data: Any) -> None:
    """Say that functions elsewhere may know of the memory, by no instruction at all: that which
    frees an array is one. LLVM would move what reads the array behind it otherwise, where the
    memory is another array's."""
    kind = ir.FunctionType(ir.VoidType(), (_POINTER,))
    builder.asm(kind, "", "r,~{memory}", (data,), side_effect=True)


def _ask(builder: Any, data: Any, count: Any) -> None:
    """Ask Linux for large pages."""
    number = ir.IntType(32)
    with builder.if_then(builder.icmp_signed(">=", count, _WORD(_FROM)), likely=False):
        kind = ir.FunctionType(number, (_WORD, _WORD, number))
        advise = cgutils.get_or_insert_function(builder.module, kind, "madvise")
        start = builder.ptrtoint(data, _WORD)
        into = builder.and_(start, _WORD(_PAGE - 1))
        skipped = builder.and_(builder.sub(_WORD(_PAGE), into), _WORD(_PAGE - 1))
        place = builder.add(start, skipped)
        builder.call(advise, (place, builder.sub(count, skipped), number(_HUGE_PAGE)))
