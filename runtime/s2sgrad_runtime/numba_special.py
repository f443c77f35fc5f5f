"""SciPy's special functions for Numba, called at their addresses.

`scipy.special.cython_special` lists the C functions of real numbers, with their signatures; every
other ufunc of SciPy (complex numbers, whole orders, several results) has loops at addresses of
their own, as NumPy's have, with their types. Both lists are read from SciPy itself.

Compiled code refers to the addresses by symbols, so that it can be kept on disk: `teach` finds
them anew in each process.
"""

from __future__ import annotations

import ctypes
import inspect
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import llvmlite.binding as binding
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types, typing
from numba.core.typing.templates import infer_global, make_intrinsic_template
from numba.np import numpy_support

from s2sgrad_runtime import scipy_helpers
from s2sgrad_runtime.numba_vectors import loops_of

_ENTRYWISE: set[Any] = set()  # functions that compiled code has for one entry
_KINDS = {"f": types.float32, "d": types.float64, "F": types.complex64, "D": types.complex128}
_KINDS |= {"l": types.int64, "q": types.int64} if np.dtype("l").itemsize == 8 else {}


@cache
def teach() -> None:
    """Numba's versions of all of them, under SciPy's names and under ours."""
    from scipy import special

    direct = _direct()
    owners = (special, special._ufuncs)
    held = {u for owner in owners for u in vars(owner).values() if type(u) is np.ufunc}
    for ufunc in held:
        _name_symbols(ufunc, direct.get(ufunc.__name__))
        _register(ufunc, _definition(ufunc, direct.get(ufunc.__name__)))
    for helper in vars(scipy_helpers).values():
        stands_for = _ufunc_behind(helper)
        if stands_for in held:
            _register(helper, _definition(stands_for, direct.get(stands_for.__name__)))
    from s2sgrad_runtime import numba_special_forms, numba_special_sums  # noqa: F401

    _ENTRYWISE.update(numba_special_forms.taught())


def _register(function: Any, definition: Callable[..., Any]) -> None:
    infer_global(
        function,
        types.Function(make_intrinsic_template(function, definition, function.__name__)),
    )
    if getattr(function, "nout", 1) == 1:
        _ENTRYWISE.add(function)


def _ufunc_behind(helper: Any) -> Any:
    """The ufunc of scipy.special that a lazy function stands for."""
    path = str(getattr(helper, "path", ""))
    if not path.startswith("scipy.special."):
        return None
    from scipy import special

    return getattr(special, path.rpartition(".")[2], None)


# --- addresses -------------------------------------------------------------------------------
_NAME = re.compile(r"(?:__pyx_fuse_\d(?:_\d)*)?(\w+)")
_REALS = re.compile(r"double \(((?:double, )+)int __pyx_skip_dispatch\)")


def _direct() -> dict[str, int]:
    """Name -> address of the C function of real numbers with one real result."""
    from scipy.special import cython_special

    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    found = {}
    for key, capsule in cython_special.__pyx_capi__.items():
        signature = name_of(capsule)
        named = _NAME.fullmatch(key)
        if named and _REALS.fullmatch(signature.decode()):
            found[named[1]] = pointer_of(capsule, signature)
    return found


def _name_symbols(ufunc: Any, direct: int | None) -> None:
    if direct:
        binding.add_symbol(_symbol("special", ufunc, "d"), direct)
    for kinds, (loop, data) in loops_of(ufunc).items():
        binding.add_symbol(_symbol("loop", ufunc, kinds), loop)
        binding.add_symbol(_symbol("data", ufunc, kinds), data)


def _symbol(what: str, ufunc: Any, kinds: str) -> str:
    return f"s2sgrad_{what}_scipy_{ufunc.__name__}_{kinds.replace('->', '_')}"


# --- what Numba is told ----------------------------------------------------------------------
def _definition(ufunc: Any, direct: int | None) -> Callable[..., Any]:
    """What the types of the arguments lead to: a signature, and how it is called."""

    def define(context: Any, *args: Any) -> Any:
        kinds = _suitable(ufunc, args)
        if kinds is None:
            return None
        taken, _, given = kinds.partition("->")
        results = [_KINDS[k] for k in given]
        result = results[0] if len(results) == 1 else types.Tuple(results)
        takes = tuple(_KINDS[k] for k in taken)
        plain = direct and set(taken) | set(given) == {"d"} and len(results) == 1
        return typing.signature(result, *takes), (
            _call(ufunc) if plain else _call_loop(ufunc, kinds)
        )

    names = ("context", *(f"x{k}" for k in range(ufunc.nin)))
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    define.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(name, kind) for name in names]  # Numba asks how many
    )
    return define


def _suitable(ufunc: Any, args: tuple[Any, ...]) -> str | None:
    """The loop that NumPy takes for numbers of these types."""
    if len(args) != ufunc.nin or not all(
        isinstance(types.unliteral(a), types.Number | types.Boolean) for a in args
    ):
        return None
    dtypes = [numpy_support.as_dtype(types.unliteral(a)) for a in args]
    known = [k for k in ufunc.types if set(k) <= {*_KINDS, "-", ">"}]
    exact = "".join(d.char for d in dtypes)
    fitting = (
        k
        for k in known
        if all(map(np.can_cast, dtypes, k[: ufunc.nin]))  # as NumPy looks
    )
    return next((k for k in known if k[: ufunc.nin] == exact), next(fitting, None))


def _call(ufunc: Any) -> Callable[..., Any]:
    """A call of the C function itself; its last argument is one that Cython adds."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        flag, double = ir.IntType(32), ir.DoubleType()
        kind = ir.FunctionType(double, (*(double for _ in args), flag))
        name = _symbol("special", ufunc, "d")
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        return builder.call(function, (*args, ir.Constant(flag, 0)))

    return generate


def _call_loop(ufunc: Any, kinds: str) -> Callable[..., Any]:
    """A call of the ufunc's loop, for one entry."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        result = signature.return_type
        several = isinstance(result, types.BaseTuple)
        made = [*result.types] if several else [result]
        pointer, size = cgutils.voidptr_t, context.get_value_type(types.intp)
        cells = [cgutils.alloca_once_value(builder, a) for a in args]
        outs = [cgutils.alloca_once(builder, context.get_value_type(k)) for k in made]
        places = [builder.bitcast(c, pointer) for c in (*cells, *outs)]
        one, none = ir.Constant(size, 1), ir.Constant(size, 0)
        held = [
            cgutils.alloca_once_value(builder, cgutils.pack_array(builder, values))
            for values in (places, (one,), [none] * len(places))
        ]
        row = (pointer.as_pointer(), size.as_pointer(), size.as_pointer())
        passed = [builder.bitcast(h, k) for h, k in zip(held, row, strict=True)]
        kind = ir.FunctionType(ir.VoidType(), (*row, pointer))
        loop = cgutils.get_or_insert_function(builder.module, kind, _symbol("loop", ufunc, kinds))
        name = _symbol("data", ufunc, kinds)
        data = builder.module.globals.get(name) or cgutils.add_global_variable(
            builder.module, ir.IntType(8), name
        )
        builder.call(loop, (*passed, data))
        values = [builder.load(out) for out in outs]
        return context.make_tuple(builder, result, values) if several else values[0]

    return generate


def has(function: Any) -> bool:
    """Whether compiled code has a function for one entry."""
    try:
        return function in _ENTRYWISE
    except TypeError:
        return False


def used_by(names: dict[str, Any]) -> bool:
    """Whether code with these names may call any of them."""
    return any(_leads_here(value) for value in names.values())


_HOMES = (
    "scipy", "s2sgrad_runtime.special", "s2sgrad_runtime.elliptic", "s2sgrad_runtime.scipy_",
    "s2sgrad_runtime.error_functions",
)  # fmt: skip


def _leads_here(value: Any) -> bool:
    if type(value) is np.ufunc:
        return getattr(np, value.__name__, None) is not value
    named = "__name__" if type(value).__name__ == "module" else "__module__"
    home = getattr(value, named, "")  # a constant has neither
    return str(home).startswith(_HOMES)


__all__ = ["has", "teach", "used_by"]
