"""Floor 3: whether the result of a call lies in the memory of its first argument.

NumPy hands an argument back as it is where nothing is left to do: `np.asarray(x)`,
`x.astype(float, copy=False)`, `np.float64(x)`, `x.conj()` of real numbers, `np.require(x)`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.analysis.indexing import constant_of
from s2sgrad.ir import nodes
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.types import INT, LENT, Array, Scalar, shape_of
from s2sgrad_runtime import as_it_lies, diagonal_view

VIEWS: frozenset[object] = frozenset(
    (
        np.transpose, np.reshape, np.ravel, np.swapaxes, np.squeeze, np.expand_dims, np.moveaxis,
        np.broadcast_to, np.diagonal, np.real, np.imag, np.ascontiguousarray, np.asfortranarray,
        np.atleast_1d, np.atleast_2d, np.atleast_3d, np.flip, np.rot90, np.rollaxis,
        np.matrix_transpose, np.fliplr, np.flipud, np.split, np.array_split,
        np.hsplit, np.vsplit, np.dsplit, np.diag, np.unstack,
        np.linalg.diagonal, np.linalg.matrix_transpose, np.real_if_close,
        np.lib.stride_tricks.sliding_window_view, np.lib.stride_tricks.as_strided,
        np.frombuffer, np.from_dlpack, np.asmatrix, diagonal_view,
        as_it_lies,
    )
)  # fmt: skip
AS_ARRAY: frozenset[object] = frozenset((np.asarray, np.asanyarray))
CONVERTING: frozenset[object] = AS_ARRAY | {np.require, np.asarray_chkfinite}
UNDECIDED: frozenset[object] = CONVERTING | {
    np.array, np.reshape, np.ravel, np.ascontiguousarray, np.asfortranarray,
}  # fmt: skip
SCALAR_TYPES: frozenset[object] = frozenset(
    {
        np.float16, np.float32, np.float64, np.longdouble,
        np.complex64, np.complex128, np.clongdouble,
    }
)  # fmt: skip
SEVERAL: frozenset[object] = frozenset({np.broadcast_arrays, np.ix_, np.meshgrid})


def is_view(call: nodes.Call) -> bool:
    """Whether an operation's result may share memory with its first argument."""
    if call.text == "flatten" or not hashable(call.function):
        return False
    if call.function == "attribute":
        return True
    if call.function is np.diag or call.function is np.unstack:  # the second gives numbers
        return len(shape_of(call.args[0].type) or ()) != 1
    if call.function is np.imag:  # of a real array it gives zeros of their own
        return str(getattr(call.args[0].type, "dtype", "complex")).startswith("complex")
    if call.function in CONVERTING:
        return _option(call, "copy") is not True and not _converts(call)
    if call.function is np.reshape:
        return _option(call, "copy") is not True
    if call.function is np.array:
        return _without_need(call) and not _converts(call)
    return call.function in VIEWS or gives_argument(call)


def as_subscript(expr: nodes.Index) -> nodes.Index:
    """An entry of `np.unstack(a, axis)` as the part of the array that it is."""
    base = expr.base
    if not isinstance(base, nodes.Call) or base.function is not np.unstack:
        return expr
    if not expr.index or not isinstance(expr.index[0].type, Scalar):
        return expr
    array, axis = base.args[0], [*base.args[1:], *dict(base.kwargs).values()]
    if axis and constant_of(axis[0]) != 0:
        first = nodes.Const(0, type=INT)
        args = (array, axis[0], first)
        array = nodes.Call(np.moveaxis, "np.moveaxis", args, type=Array(_dtype(array), None))
    return replace(expr, base=array)


def _dtype(array: nodes.Expr) -> str | None:
    return getattr(array.type, "dtype", None)


def lends(call: nodes.Call) -> bool:
    """Whether a result may lie in the memory of any argument, as far as is known: what a library
    call without a rule gives, and masked arrays, which are made around the data of others."""
    module = str(getattr(call.function, "__module__", ""))
    return call.type == LENT or module.startswith("numpy.ma")


def gives_argument(call: nodes.Call) -> bool:
    """Whether an operation surely gives the very array that is its first argument."""
    function = call.function
    if not hashable(function) or not call.args or not isinstance(call.args[0].type, Array):
        return False
    dtype = call.args[0].type.dtype
    if function in SCALAR_TYPES:
        return np.dtype(function) == dtype
    if function is np.astype:
        return _option(call, "copy") is False and _same_dtype(call)
    if function is np.array:
        whole = _option(call, "ndmin") in (0, None) and not _ordered(call)
        return _without_need(call) and _same_dtype(call) and whole
    if function in AS_ARRAY:
        return _option(call, "copy") is not True and _same_dtype(call) and not _ordered(call)
    if function is np.require:
        wanted = required(call)[1]
        return _same_dtype(call) and wanted is not None and not wanted & {"C", "F", "O"}
    if function is np.linalg.matrix_power or function is np.diff:
        times = call.args[1] if len(call.args) > 1 else dict(call.kwargs).get("n")
        return constant_of(times) == (1 if function is np.linalg.matrix_power else 0)
    real = dtype is not None and not is_complex_dtype(dtype)
    return real and (function is np.real_if_close or (function is np.conj and _is_method(call)))


def view_or_copy(call: nodes.Call) -> bool:
    """Whether an operation gives a view of some arrays and a copy of others, by how they lie."""
    if not hashable(call.function) or call.function not in UNDECIDED or not is_view(call):
        return False
    kind = call.args[0].type
    if call.function is np.reshape and len(shape_of(kind) or ((), ())) == 1:
        return False  # entries at equal distances stay so
    as_it_is = call.function in AS_ARRAY or call.function is np.array
    plain = as_it_is and _wanted(call) is None and not _ordered(call)
    return not plain and not gives_argument(call)


def _without_need(call: nodes.Call) -> bool:
    """Whether `np.array` of an array is told to make no copy that it can do without."""
    told = "copy" in dict(call.kwargs) and _option(call, "copy") in (False, None)
    return told and isinstance(call.args[0].type, Array)


def required(call: nodes.Call) -> tuple[nodes.Expr | None, frozenset[str] | None]:
    """What np.require is asked for, and the first letters of that; None where it is not known."""
    given = dict(call.kwargs).get("requirements", call.args[2] if len(call.args) > 2 else None)
    parts = given.items if isinstance(given, nodes.Sequence) else () if given is None else (given,)
    named = [constant_of(p) for p in parts if p != nodes.Const(None)]
    known = all(isinstance(n, str) and n for n in named)
    return given, frozenset(str(n)[0].upper() for n in named) if known else None


def hands_several(call: nodes.Call) -> bool:
    """Whether a call gives views of several arguments."""
    if not hashable(call.function) or call.function not in SEVERAL:
        return False
    return call.function is not np.meshgrid or _option(call, "copy") is False


def _is_method(call: nodes.Call) -> bool:
    return call.form == "method"


def _option(call: nodes.Call, name: str) -> object:
    """The known value of a keyword; None where it is not given."""
    return constant_of(dict(call.kwargs).get(name))


def _ordered(call: nodes.Call) -> bool:
    return len(call.args) > 2 or _option(call, "order") not in (None, "K", "A")


def _wanted(call: nodes.Call) -> object:
    """The dtype asked for; None for the array's own."""
    named = dict(call.kwargs)
    return constant_of(call.args[1] if len(call.args) > 1 else named.get("dtype"))


def _same_dtype(call: nodes.Call) -> bool:
    wanted, own = _wanted(call), getattr(call.args[0].type, "dtype", None)
    return wanted is None or (own is not None and _is_dtype(wanted) and np.dtype(wanted) == own)  # type: ignore[call-overload]


def _converts(call: nodes.Call) -> bool:
    """Whether the result surely has another dtype than the argument: it is a copy."""
    wanted, own = _wanted(call), getattr(call.args[0].type, "dtype", None)
    known = wanted is not None and own is not None and _is_dtype(wanted)
    return known and np.dtype(wanted) != own  # type: ignore[call-overload]


def _is_dtype(value: object) -> bool:
    return isinstance(value, type | np.dtype | str)


def hashable(value: object) -> bool:
    """Whether a value can be looked up in a set; some functions of C libraries cannot."""
    try:
        hash(value)
    except TypeError:
        return False
    return True
