"""NumPy's own loops for exp, log, tanh..., called from compiled code on a row of numbers.

They use vector instructions where Numba calls a scalar function for each entry, and give what
NumPy gives, to the last bit. A ufunc holds the addresses of its loops in a structure that is part
of NumPy's public C interface. Compiled code refers to them by symbols, so that it can be kept on
disk: the addresses are found anew in each process.
"""

from __future__ import annotations

import ctypes
from typing import Any

import llvmlite.binding as binding
import numpy as np
from llvmlite import ir
from numba import njit
from numba.core import cgutils, types
from numba.extending import intrinsic

__all__ = ["IN_PLACE"]


class _Ufunc(ctypes.Structure):
    """The head of PyUFuncObject (numpy/ufuncobject.h)."""

    _fields_ = [
        ("head", ctypes.c_byte * object.__basicsize__),
        ("nin", ctypes.c_int),
        ("nout", ctypes.c_int),
        ("nargs", ctypes.c_int),
        ("identity", ctypes.c_int),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("ntypes", ctypes.c_int),
    ]


def loops_of(ufunc: Any) -> dict[str, tuple[int, int]]:
    """Types, as `d->d` -> the address of the loop, and of what is given as its last argument.

    NumPy lists some types twice and takes the first: there it has the vector instructions.
    """
    held = _Ufunc.from_address(id(ufunc))
    if (held.nin, held.nout, held.ntypes) != (ufunc.nin, ufunc.nout, ufunc.ntypes):
        raise ImportError("this NumPy lays out ufuncs in another way")
    return {
        kinds: (held.functions[k] or 0, (held.data[k] if held.data else None) or 0)
        for k, kinds in reversed(list(enumerate(ufunc.types)))
    }


def _caller(name: str, count: int) -> Any:
    """An intrinsic that runs NumPy's loop over rows, one for each operand, into the first."""
    address, data = loops_of(getattr(np, name))["d" * count + "->d"]
    binding.add_symbol(f"s2sgrad_loop_{name}", address)
    binding.add_symbol(f"s2sgrad_data_{name}", data)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, size = cgutils.voidptr_t, context.get_value_type(types.intp)
        rows = [
            context.make_array(kind)(context, builder, given)
            for kind, given in zip(signature.args, args, strict=True)
        ]
        entries = [builder.bitcast(row.data, pointer) for row in (*rows, rows[0])]
        strides = [builder.extract_value(row.strides, 0) for row in (*rows, rows[0])]
        length = builder.extract_value(rows[0].shape, 0)
        places, counts, steps = (
            cgutils.pack_array(builder, given) for given in (entries, [length], strides)
        )
        kept = [cgutils.alloca_once_value(builder, v) for v in (places, counts, steps)]
        kinds = (pointer.as_pointer(), size.as_pointer(), size.as_pointer())
        passed = [builder.bitcast(v, k) for v, k in zip(kept, kinds, strict=True)]
        kind = ir.FunctionType(ir.VoidType(), (*kinds, pointer))
        loop = cgutils.get_or_insert_function(builder.module, kind, f"s2sgrad_loop_{name}")
        extra = ir.Constant(pointer, None)
        if data:
            symbol = cgutils.add_global_variable(
                builder.module, ir.IntType(8), f"s2sgrad_data_{name}"
            )
            extra = symbol
        builder.call(loop, (*passed, extra))
        return context.get_dummy_value()

    if count == 2:

        @intrinsic  # type: ignore[untyped-decorator]
        def call_on_two(context: Any, row: Any, other: Any) -> Any:
            return types.void(row, other), generate

        return call_on_two

    @intrinsic  # type: ignore[untyped-decorator]
    def call(context: Any, row: Any) -> Any:
        return types.void(row), generate

    return call


def _on_one(name: str) -> Any:
    """`row = np.name(row)`, as a function of compiled code."""
    call = _caller(name, 1)

    def in_place(row: Any) -> None:
        call(row)

    return _named(in_place, name)


def _on_two(name: str) -> Any:
    """`row = np.name(row, other)`, as a function of compiled code."""
    call = _caller(name, 2)

    def in_place(row: Any, other: Any) -> None:
        call(row, other)

    return _named(in_place, name)


def _named(function: Any, name: str) -> Any:
    function.__name__ = function.__qualname__ = f"{name}_in_place"
    return njit(function)


# What NumPy has vector instructions for: not sin and cos, which are as exact as the scalar ones.
_ONE = (
    "exp", "log", "tanh", "expm1", "log1p", "tan", "arctan", "arcsin", "arccos", "sinh", "cosh",
    "exp2", "log2", "log10", "cbrt", "arcsinh", "arccosh", "arctanh",
)  # fmt: skip
_TWO = ("power", "arctan2")
IN_PLACE = {getattr(np, name): _on_one(name) for name in _ONE}
IN_PLACE |= {getattr(np, name): _on_two(name) for name in _TWO}
globals().update({f.__name__: f for f in IN_PLACE.values()})
