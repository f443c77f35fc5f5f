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

__all__ = ["IN_PLACE", *(f"{name}_in_place" for name in ("exp", "log", "tanh", "expm1", "log1p"))]


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


def _caller(name: str) -> Any:
    """An intrinsic `call(row)` that runs NumPy's loop over the row, into the row itself."""
    address, data = loops_of(getattr(np, name))["d->d"]
    binding.add_symbol(f"s2sgrad_loop_{name}", address)
    binding.add_symbol(f"s2sgrad_data_{name}", data)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        row = context.make_array(signature.args[0])(context, builder, args[0])
        pointer, size = cgutils.voidptr_t, context.get_value_type(types.intp)
        entries = builder.bitcast(row.data, pointer)
        count = builder.extract_value(row.shape, 0)
        step = builder.extract_value(row.strides, 0)
        places = cgutils.pack_array(builder, (entries, entries))
        counts = cgutils.pack_array(builder, (count,))
        steps = cgutils.pack_array(builder, (step, step))
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

    @intrinsic  # type: ignore[untyped-decorator]
    def call(context: Any, row: Any) -> Any:
        return types.void(row), generate

    return call


_exp, _log, _tanh, _expm1, _log1p = map(_caller, ("exp", "log", "tanh", "expm1", "log1p"))


@njit  # type: ignore[untyped-decorator]
def exp_in_place(row: Any) -> None:
    """row = np.exp(row)"""
    _exp(row)


@njit  # type: ignore[untyped-decorator]
def log_in_place(row: Any) -> None:
    """row = np.log(row)"""
    _log(row)


@njit  # type: ignore[untyped-decorator]
def tanh_in_place(row: Any) -> None:
    """row = np.tanh(row)"""
    _tanh(row)


@njit  # type: ignore[untyped-decorator]
def expm1_in_place(row: Any) -> None:
    """row = np.expm1(row)"""
    _expm1(row)


@njit  # type: ignore[untyped-decorator]
def log1p_in_place(row: Any) -> None:
    """row = np.log1p(row)"""
    _log1p(row)


IN_PLACE = {
    np.exp: exp_in_place,
    np.log: log_in_place,
    np.tanh: tanh_in_place,
    np.expm1: expm1_in_place,
    np.log1p: log1p_in_place,
}
