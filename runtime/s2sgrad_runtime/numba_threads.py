"""Loops on all cores in compiled code.

    @part_of_loop
    def f_loop_1(first, last, x, y):
        for i in range(first, last):
            y[i] = ...

    on_threads(f_loop_1, 0, n, work, x, y)

runs `f_loop_1(a, b, x, y)` for parts of the range, on all cores. work: about how many nanoseconds
the whole takes; where that is little, it is one call on one core.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from s2sgrad_runtime.numba_compiler import Compiler
from s2sgrad_runtime.numba_pool import RUN, THREADS_FOR

# Without "nnan" and "ninf": what the user's code finds out with isnan and isinf stays true.
FAST = {"reassoc", "contract", "arcp", "nsz", "afn"}


class PartCompiler(Compiler):
    """For loops that were proved to run on threads: what they write is seen by no other name."""

    def define_pipelines(self) -> list[Any]:
        """Called by Numba."""
        self.state.flags.noalias = True
        return super().define_pipelines()


_OPTIONS: dict[str, Any] = {
    "error_model": "numpy",
    "pipeline_class": PartCompiler,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}

_INT, _ADDRESS = ir.IntType(64), ir.IntType(8).as_pointer()


def part_of_loop(function: Any) -> Any:
    """Compile a function (first, last, ...) for the numbers from first, not below 0, to last."""
    function.s2sgrad_part = True
    return njit(**_OPTIONS)(function)


def part_of_loop_fast(function: Any) -> Any:
    """The same with `fastmath`."""
    function.s2sgrad_part = True
    return njit(**_OPTIONS, fastmath=FAST)(function)


@intrinsic
def share(typing: Any, first: Any, last: Any, number: Any, count: Any) -> Any:
    """Where the share of that number begins, of a range in so many shares; it is not below 0."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        begin, end, k, parts = args
        length = _positive(builder, builder.sub(end, begin))
        place = builder.sdiv(builder.mul(k, length), parts)
        return _positive(builder, builder.add(begin, place))

    return types.int64(*[types.int64] * 4), generate


def _positive(builder: Any, value: Any) -> Any:
    negative = builder.icmp_signed("<", value, value.type(0))
    return builder.select(negative, value.type(0), value)


@intrinsic
def threads_for(typing: Any, work: Any) -> Any:
    """How many threads a loop is worth that takes so many nanoseconds."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(_INT, [_INT])
        found = cgutils.get_or_insert_function(builder.module, kind, THREADS_FOR)
        return builder.call(found, [args[0]])

    return types.int64(types.int64), generate


@intrinsic
def on_threads(typing: Any, loop: Any, first: Any, last: Any, work: Any, *args: Any) -> Any:
    """Run a `part_of_loop` for all parts of a range."""
    if not isinstance(loop, types.Dispatcher):
        raise TypingError("on_threads takes a compiled function")
    inner = (types.int64, types.int64, *args)
    typing.resolve_function_type(loop, inner, {})
    given = types.BaseTuple.from_types(args)
    signature = types.none(loop, types.int64, types.int64, types.int64, given)

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        _, low, high, size, packed = given
        compiled = loop.dispatcher.overloads[inner]
        context.active_code_library.add_linking_library(compiled.library)
        packer = context.get_arg_packer(args)
        held = [builder.extract_value(packed, k) for k in range(len(args))]
        flat = list(packer.as_arguments(builder, held))
        record = ir.LiteralStructType([ir.IntType(32), _ADDRESS, *(v.type for v in flat)])
        place = cgutils.alloca_once(builder, record)
        started = _starter(context, builder.module, compiled, record)
        builder.call(started, [place, low, high, size, *flat])
        _raise(context, builder, place)
        return context.get_dummy_value()

    return signature, generate


def _starter(context: Any, module: Any, compiled: Any, record: Any) -> Any:
    """A function (record, first, last, work, values) that puts the values down and runs all parts.

    LLVM is told that it keeps no addresses: it knows for the code around the call, which also has
    the loop for one core, that new arrays are seen by no other name.
    """
    values = record.elements[2:]
    kind = ir.FunctionType(ir.VoidType(), [record.as_pointer(), _INT, _INT, _INT, *values])
    function = ir.Function(module, kind, module.get_unique_name("s2sgrad_start"))
    function.linkage = "internal"
    function.attributes.add("noinline")
    for argument in function.args:
        if isinstance(argument.type, ir.PointerType):
            _not_kept(argument)
    builder = ir.IRBuilder(function.append_basic_block())
    place, low, high, size, *flat = function.args
    zero = [ir.Constant(ir.IntType(32), 0), ir.Constant(_ADDRESS, None)]
    for k, value in enumerate([*zero, *flat]):
        builder.store(value, cgutils.gep_inbounds(builder, place, 0, k))
    kind = ir.FunctionType(ir.VoidType(), [_ADDRESS, _ADDRESS, _INT, _INT, _INT])
    run = cgutils.get_or_insert_function(module, kind, RUN)
    part = _part(context, module, compiled, record)
    builder.call(run, [*(builder.bitcast(p, _ADDRESS) for p in (part, place)), low, high, size])
    builder.ret_void()
    return function


def _not_kept(argument: Any) -> None:
    """Tell LLVM that an address is forgotten after the call, in the words of its version."""
    try:
        argument.add_attribute("captures(none)")
    except ValueError:
        argument.add_attribute("nocapture")


def _part(context: Any, module: Any, compiled: Any, record: Any) -> Any:
    """A function (data, first, last) that calls the loop's with what is in the data."""
    kind = ir.FunctionType(ir.VoidType(), [_ADDRESS, _INT, _INT])
    function = ir.Function(module, kind, module.get_unique_name("s2sgrad_part"))
    function.linkage = "internal"
    builder = ir.IRBuilder(function.append_basic_block())
    data, low, high = function.args
    place = builder.bitcast(data, record.as_pointer())
    count = len(record.elements)
    flat = [builder.load(cgutils.gep_inbounds(builder, place, 0, k)) for k in range(2, count)]
    own = compiled.fndesc
    held = context.get_arg_packer(own.argtypes[2:]).from_arguments(builder, tuple(flat))
    called = context.declare_function(module, own)
    status, _ = context.call_conv.call_function(
        builder, called, own.restype, own.argtypes, [low, high, *held]
    )
    with builder.if_then(status.is_error, likely=False):
        builder.store(status.code, cgutils.gep_inbounds(builder, place, 0, 0))
        why = builder.bitcast(status.excinfoptr, _ADDRESS)
        builder.store(why, cgutils.gep_inbounds(builder, place, 0, 1))
    builder.ret_void()
    return function


def _raise(context: Any, builder: Any, place: Any) -> None:
    """Raise here what was raised in a part."""
    code = builder.load(cgutils.gep_inbounds(builder, place, 0, 0))
    held = builder.load(cgutils.gep_inbounds(builder, place, 0, 1))
    own = context.call_conv._get_excinfo_argument(builder.function)
    status = context.call_conv._get_return_status(
        builder, code, builder.bitcast(held, own.type.pointee)
    )
    with builder.if_then(status.is_error, likely=False):
        context.call_conv.return_status_propagate(builder, status)


__all__ = ["FAST", "on_threads", "part_of_loop", "part_of_loop_fast", "share", "threads_for"]
