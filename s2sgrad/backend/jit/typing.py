"""Floor 6: what Numba itself says about a call: has it the function, with arguments like these?"""

from __future__ import annotations

from functools import cache
from typing import Any

from s2sgrad.analysis.infer import COMPLEX_BY_VALUE
from s2sgrad.backend.jit.options import Jit
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.dtypes import is_complex_dtype, is_float_dtype
from s2sgrad.ir.nodes import Call, Expr
from s2sgrad.ir.types import Array, Known, List, Scalar, Tuple, Type

_BY_VALUE = {*COMPLEX_BY_VALUE, "eig_pullback", "eigvals_pullback"} - {"real_if_close"}
_REFUSED = {"average": ("axis", "returned", "keepdims")}  # found out by Numba at run time
_NAMES = {"float": "float64", "int": "int64", "complex": "complex128", "bool": "boolean"}


def stays_inside(kind: Any) -> bool:
    """Whether Numba can't hand a value of a type to Python: it finds out when it has it."""
    from numba import types

    if isinstance(kind, types.LiteralStrKeyDict | types.LiteralList):
        return True
    return any(map(stays_inside, getattr(kind, "types", ())))


def lacks(expr: Call) -> bool:
    """Whether Numba has no version of the function, or none for arguments like these.

    Numba gives up on a real matrix with complex eigenvalues, but not before it meets one.
    """
    if getattr(expr.function, "__name__", "") in _BY_VALUE:
        return not all(is_complex_dtype(getattr(a.type, "dtype", "complex")) for a in expr.args)
    options = _REFUSED.get(getattr(expr.function, "__name__", ""), ())
    if options and (len(expr.args) > 1 or any(k in options for k, _ in expr.kwargs)):
        return True
    if _is_named_norm(expr) or orders_equals_its_own_way(expr) or _is_plane_product(expr):
        return True
    try:
        if not _known(expr.function):
            return True
    except TypeError:
        return False
    args = [held_type(a) for a in expr.args]
    kwargs = {k: held_type(v) for k, v in expr.kwargs}
    if None in args or None in kwargs.values() or _plain(expr):
        return False
    return not _resolves(expr.function, tuple(args), tuple(kwargs.items()))


def _is_named_norm(expr: Call) -> bool:
    """Numba has no norm whose order is a text, and finds that out late too."""
    values = (*expr.args, *(v for _, v in expr.kwargs))
    texts = any(isinstance(v, nodes.Const) and isinstance(v.value, str) for v in values)
    return texts and getattr(expr.function, "__name__", "") == "norm"


def _is_plane_product(expr: Call) -> bool:
    """Numba's cross product is of vectors in space, and it finds out late that others are not."""
    if getattr(expr.function, "__name__", "") != "cross":
        return False
    shapes = [getattr(a.type, "shape", None) for a in expr.args[:2]]
    return not all(shape and shape[-1] == sizes.of(3) for shape in shapes)


def orders_equals_its_own_way(expr: Call) -> bool:
    """Whether NumPy alone knows the order of equal keys, or of parts: integers are often equal."""
    import numpy as np

    if expr.function in (np.argpartition, np.partition):
        return True
    dtype = getattr(expr.args[0].type, "dtype", None) if expr.args else None
    plain = expr.function is np.argsort and not any(k in ("kind", "stable") for k, _ in expr.kwargs)
    return plain and len(expr.args) < 3 and not is_float_dtype(dtype)


def _plain(expr: Call) -> bool:
    """NumPy's elementwise functions without options, and new arrays: there is no need to ask."""
    import numpy as np

    function = expr.function
    if isinstance(function, np.ufunc) and not expr.kwargs:
        return getattr(np, function.__name__, None) is function
    if function in (np.empty, np.zeros):  # compiled by ourselves
        return isinstance(expr.args[0].type, Scalar | Tuple) and len(expr.args) == 1
    return isinstance(function, type)


@cache
def _known(function: Any) -> bool:
    from numba.core.registry import cpu_target

    context = cpu_target.typing_context
    context.refresh()
    return context._lookup_global(function) is not None or isinstance(function, type)


@cache
def _resolves(function: Any, args: tuple[Any, ...], kwargs: tuple[tuple[str, Any], ...]) -> bool:
    from numba.core import types
    from numba.core.registry import cpu_target

    context = cpu_target.typing_context
    kind = context._lookup_global(function)
    if not isinstance(kind, types.Callable):
        return True
    from numba.core.targetconfig import ConfigStack

    from s2sgrad_runtime.numba_errors import short_errors

    try:
        with short_errors(), ConfigStack().enter(_flags().copy()):
            return context.resolve_function_type(kind, args, dict(kwargs)) is not None
    except Exception:  # Numba's own code may stumble over what it does not know
        return False


@cache
def _flags() -> Any:
    """How our functions are compiled: what is compiled for an answer so is used by them later."""
    import numba
    from numba.core.compiler import Flags

    compiler = numba.njit(**Jit().numba())(lambda: None)._compiler
    flags = Flags()
    compiler.targetdescr.options.parse_as_flags(flags, compiler.targetoptions)
    return compiler._customize_flags(flags)


def held_type(expr: Expr) -> Any:
    """Numba's type of an expression's value; None where that isn't known."""
    from numba.core import types

    if isinstance(expr, nodes.Const):
        if expr.value is None:
            return types.none
        if isinstance(expr.value, bool | int | str):
            return types.literal(expr.value)
    if isinstance(expr, nodes.Ref):
        return None
    if isinstance(expr, nodes.Sequence):
        parts = [held_type(i) for i in expr.items]
        if None in parts or (expr.kind == "list" and len(set(parts)) != 1):
            return None
        unliteral = [types.unliteral(p) for p in parts]
        return types.List(unliteral[0]) if expr.kind == "list" else types.Tuple(unliteral)
    return type_of(expr.type)


def type_of(kind: Type) -> Any:
    """Numba's type for one of ours; None where there is none."""
    from numba.core import types
    from numba.np import numpy_support

    if isinstance(kind, Scalar):
        return getattr(types, _NAMES.get(kind.dtype, kind.dtype), None)
    if isinstance(kind, Array) and kind.shape is not None and kind.dtype is not None:
        import numpy as np
        from numba.core.errors import NumbaNotImplementedError

        try:
            item = numpy_support.from_dtype(np.dtype(kind.dtype))
        except NumbaNotImplementedError:  # long doubles
            return None
        return types.Array(item, len(kind.shape), "C")
    if isinstance(kind, Tuple):
        parts = [type_of(k) for k in kind.items]
        return None if None in parts else types.Tuple(parts)
    if isinstance(kind, List):
        item = type_of(kind.item)
        return None if item is None else types.List(item)
    if isinstance(kind, Known) and kind.value is None:
        return types.none
    return None
