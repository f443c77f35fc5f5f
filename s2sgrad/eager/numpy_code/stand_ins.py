"""What stands for functions of NumPy, `math` and the builtins in code that is traced.

zeros, ones, empty, full, array and their like give arrays that can be traced when written to;
`float` and `math.sin` take traced numbers.
"""

from __future__ import annotations

import ast
import itertools
import json
import math
import statistics
import sys
import types
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code import generators, texts
from s2sgrad.eager.numpy_code.array_methods import copied_as
from s2sgrad.eager.numpy_code.arrays import Traced, dispatched
from s2sgrad.eager.numpy_code.kinds import Kind
from s2sgrad.eager.numpy_code.lists import is_ragged, is_row, joined, joined_each, with_axes
from s2sgrad.eager.numpy_code.losses import lost
from s2sgrad.eager.numpy_code.math_functions import OF_MATH, holds_traced, is_traced
from s2sgrad.eager.numpy_code.modelled_objects import modelled_class
from s2sgrad.eager.numpy_code.models import any_reads_traced, model_for_call, model_of, traced_call
from s2sgrad.eager.numpy_code.opaque_calls import on_values
from s2sgrad.eager.numpy_code.outputs import into_output
from s2sgrad.eager.numpy_code.vectorized import frompyfunc, vectorize
from s2sgrad.eager.tensors.tensor import floats, wrap
from s2sgrad.rules import lookup

Function = Callable[..., Any]


def writable(array: Any) -> Any:
    """A fresh array of floats as a traced constant; others as they are."""
    if isinstance(array, np.ndarray) and not is_traced(array) and floats(array.dtype):
        return array_of(Traced(wrap(array)))
    return array


def array_of(made: Any) -> Any:
    """A new array; one without axes becomes a view, which tells it from a number."""
    return made[...] if is_traced(made) and made.ndim == 0 else made


def _creator(function: Function) -> Function:
    @wraps(function)
    def create(*args: Any, **kwargs: Any) -> Any:
        plain = [a.tensor._array if type(a) is Traced else a for a in args]  # shapes only
        return writable(function(*plain, **kwargs))

    return create


def _filler(function: Function) -> Function:
    """np.full and np.full_like, which keep the derivative of the value they fill with."""
    create = _creator(function)

    @wraps(function)
    def fill(first: Any, fill_value: Any, *args: Any, **kwargs: Any) -> Any:
        if not holds_traced(fill_value):
            return create(first, fill_value, *args, **kwargs)
        if function is np.full and not args and kwargs.get("dtype") is None:
            kwargs["dtype"] = fill_value.dtype if is_traced(fill_value) else float
        made = create(first, 0, *args, **kwargs)
        made[...] = fill_value if is_traced(fill_value) else joined(fill_value)
        return made

    return fill


def linspace(*args: Any, **kwargs: Any) -> Any:
    """np.linspace; between traced ends it has a derivative of its own."""
    if holds_traced([*args, *kwargs.values()]):
        return _ruled(np.linspace, lookup(np.linspace))(*args, **kwargs)
    made = np.linspace(*args, **kwargs)
    return tuple(map(writable, made)) if isinstance(made, tuple) else writable(made)


def array(value: Any, dtype: Any = None, **kwargs: Any) -> Any:
    """np.array: traced values, alone or in nested lists, stay traced."""
    if not holds_traced(value):
        texts.check(value)
        return writable(np.array(value, dtype, **kwargs))
    if type(value) is Traced and not kwargs.get("copy", True):
        made = asarray(value, dtype, **{k: v for k, v in kwargs.items() if k == "order"})
        return with_axes(made, kwargs.get("ndmin", 0))
    if dtype is not None and np.dtype(dtype) == object and (is_row(value) or is_ragged(value)):
        return objects(value)
    made = np.copy(value) if type(value) is Traced else joined(value)
    if not is_traced(made) and is_tracked(value):
        raise lost("np.array of numbers and other things")
    made = array_of(made if dtype is None else made.astype(dtype))
    if not is_traced(made):  # of objects
        return made
    if kwargs.get("order"):
        made = _ordered(made, kwargs["order"])
    return with_axes(made, kwargs.get("ndmin", 0))


def is_tracked(value: Any) -> bool:
    """Whether a derivative hangs on a value, or on an entry of nested lists."""
    if isinstance(value, (list, tuple)):
        return any(map(is_tracked, value))
    return is_traced(value) and bool(value.tensor.requires_grad)


def objects(entries: Any) -> Any:
    """A row of Python objects."""
    made = np.empty(len(entries), object)
    for i, entry in enumerate(entries):
        made[i] = entry
    return made


def asarray(value: Any, dtype: Any = None, order: Any = None, **kwargs: Any) -> Any:
    """np.asarray: a traced value is itself, unless it has another dtype or order of memory."""
    if order is not None:
        kwargs["order"] = order
    if type(value) is Traced and not kwargs.get("copy"):
        value = value if dtype is None or value.dtype == dtype else value.astype(dtype)
        return _ordered(value, kwargs.get("order")) if "order" in kwargs else value
    if holds_traced(value):
        return array(value, dtype, **kwargs)
    texts.check(value)
    return np.asarray(value, dtype, **kwargs)


def _ordered(value: Any, order: Any) -> Any:
    """The value in an order of memory: itself where it lies so, or a copy."""
    memory = value.tensor._array
    laid = np.asarray(memory, order=order)
    return value if np.shares_memory(laid, memory) else copied_as(value, laid)


def _laid_out(function: Function) -> Function:
    """np.ascontiguousarray and its kin: a traced value itself where NumPy would not copy it."""

    @wraps(function)
    def call(value: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
        if not holds_traced(value):
            return function(value, dtype, *args, **kwargs)
        value = asarray(value, dtype)
        memory = value.tensor._array
        laid = function(memory, None, *args, **kwargs)
        return value if np.shares_memory(laid, memory) else copied_as(value, laid)

    return call


def fromiter(values: Any, dtype: Any = float, count: int = -1, **kwargs: Any) -> Any:
    """np.fromiter, which traced values pass through."""
    listed = list(itertools.islice(values, None if count < 0 else count))
    if holds_traced(listed):
        return array(listed, dtype)
    return writable(np.fromiter(listed, dtype, **kwargs))


class _Shadow(types.ModuleType):
    """A module with some names replaced, and functions with a rule that serves traced values."""

    original: Any

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.original, name)
        if isinstance(found, np.ufunc):
            setattr(self, name, found)
            return found
        if isinstance(found, types.ModuleType):
            return shadow_of(found)
        made = stands_for(found)
        if made is not found:
            setattr(self, name, made)
        return made


def _ruled(function: Function, rule: Any) -> Function:
    """The function for lists of traced numbers too, as NumPy takes them for arrays."""
    whole = not rule.sequence

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not holds_traced((*args, *kwargs.values())):
            return function(*args, **kwargs)
        model = model_for_call(function, rule, args, kwargs, holds_traced)
        if model is not None:
            return traced_call(model, args, kwargs)
        if rule.kind == "elementwise":
            return dispatched(function, *joined_each(rule, args, kwargs))
        nested = function is not np.block  # there, nested lists say where arrays go
        if nested and args and isinstance(args[0], (list, tuple)) and holds_traced(args[0]):
            first = joined(args[0]) if whole else [*map(joined, args[0])]
            args = (first, *args[1:])
        return dispatched(function, args, kwargs)

    return call


def stands_for(value: Any) -> Any:
    """What code that is traced sees in place of a function of NumPy's, or of one with a rule."""
    if not callable(value) or type(value) is Traced:
        return value
    try:
        if value in REPLACED:
            return REPLACED[value]
    except TypeError:  # unhashable
        pass
    served = not isinstance(value, (np.ufunc, type, Kind))  # these find theirs themselves
    rule = lookup(value) if served else None
    if rule is not None:
        if rule.kind == "none":
            ours = str(value.__module__).startswith("s2sgrad_runtime")
            return on_values(value) if ours or rule.extra.get("opaque") else value
        return into_output(value, _ruled(value, rule))
    if str(type(value).__module__).startswith("scipy.stats."):
        return Distribution(value)
    if type(value) is type:
        return modelled_class(value)
    scipys = served and str(getattr(value, "__module__", "")).startswith("scipy.")
    modelled = scipys and model_of(value) is not None
    return into_output(value, _modelled(value)) if modelled else value


class Distribution:
    """A distribution of scipy.stats, whose methods take traced values."""

    def __init__(self, original: Any) -> None:
        self.original = original

    def __getattr__(self, name: str) -> Any:
        return stands_for(getattr(self.original, name))

    def __call__(self, *args: Any, **options: Any) -> Any:
        if holds_traced((args, options)):
            raise lost("a distribution with parameters of its own")
        return self.original(*args, **options)


def shadow_of(module: Any) -> Any:
    """The stand-in for a module, NumPy's, SciPy's or one of `MODULES`; any other is itself."""
    if module in MODULES:
        return MODULES[module]
    if getattr(module, "__name__", "").partition(".")[0] != "scipy":
        return module
    made = _SHADOWS.get(module)
    if made is None:
        made = _SHADOWS[module] = _Shadow(module.__name__)
        made.original = module
    return made


_SHADOWS: dict[Any, Any] = {}


def to_float(value: Any = 0.0) -> Any:
    """`float(value)`, of which a traced value is its own."""
    if is_traced(value) and value.tensor.requires_grad:
        if value.size != 1:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return value if value.number and not value.ndim else value.item()
    texts.check(value)
    return float(value)


def to_complex(real: Any = 0.0, *imag: Any) -> Any:
    """`complex(real, imag)`; of traced numbers, a traced one."""
    if holds_traced([real, *imag]):
        return (real + 1j * imag[0] if imag else real * (1 + 0j))[()]
    texts.check(real)
    return complex(real, *imag)


def to_type(value: Any, *further: Any, **options: Any) -> Any:
    """`type(value)`: of a traced value, the class of what it stands for."""
    return value.__class__ if is_traced(value) else type(value, *further, **options)


def has_attribute(value: Any, name: str) -> bool:
    """`hasattr(value, name)`: of a traced value, whether what it stands for has it."""
    return hasattr(value.__class__ if is_traced(value) else value, name)


def attribute(value: Any, name: str, *default: Any) -> Any:
    """`getattr(value, name)`, as `has_attribute` has it."""
    if is_traced(value) and not has_attribute(value, name):
        return getattr(value.__class__, name, *default)
    return getattr(value, name, *default)


def to_map(function: Any, *sources: Any) -> Any:
    """`map(float, values)`, by what stands for `float` where it is called."""
    found = {float: to_float, complex: to_complex}.get(function, function)
    return map(found, *sources)


def to_eval(source: Any, *scopes: Any) -> Any:
    """`eval(source)`, of which no text of a traced value may be a part."""
    texts.check(source)
    frame = sys._getframe(1)
    return eval(source, *(scopes or (frame.f_globals, frame.f_locals)))


def _numbers_of(kind: Any) -> Function:
    """`kind(value)` for a class of NumPy's numbers, which traced values pass through."""

    def convert(value: Any = 0.0, *args: Any) -> Any:
        if not holds_traced(value):
            texts.check(value)
            return kind(value, *args)
        made = asarray(value, kind)  # an array of that kind stays itself, as in NumPy
        return made if made.ndim else made[()]

    convert.__name__ = kind.__name__
    return convert


def _of_text(function: Function) -> Function:
    """A function that reads numbers from a text."""

    @wraps(function)
    def read(text: Any, *args: Any, **kwargs: Any) -> Any:
        texts.check(text)
        return function(text, *args, **kwargs)

    return read


def _modelled(function: Function) -> Function:
    """A function that traced values go through by the compiler's model of it."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        args = tuple(list(a) if isinstance(a, Iterator) else a for a in args)
        given = (*args, *kwargs.values())
        if not holds_traced(given) and not any_reads_traced(given):
            return function(*args, **kwargs)
        return traced_call(model_of(function), args, kwargs)

    return call


_CREATORS = ("zeros", "ones", "empty", "zeros_like", "ones_like", "empty_like", "eye", "identity")
REPLACED: dict[Any, Any] = {getattr(np, name): _creator(getattr(np, name)) for name in _CREATORS}
REPLACED |= {np.full: _filler(np.full), np.full_like: _filler(np.full_like)}
REPLACED |= {np.linspace: linspace, np.fromiter: fromiter}
REPLACED |= {np.vectorize: vectorize, np.frompyfunc: frompyfunc}
_STATISTICS = (
    "mean", "fmean", "pvariance", "variance", "pstdev", "stdev", "median", "geometric_mean",
)  # fmt: skip
_READERS: Any = (np.fromstring, json.loads, ast.literal_eval)
REPLACED |= {f: _of_text(f) for f in _READERS}
_KEEPERS: Any = (np.ascontiguousarray, np.asfortranarray, np.require, np.asarray_chkfinite)
REPLACED |= {f: _laid_out(f) for f in _KEEPERS}
_MODELLED: Any = (np.nditer, np.ndenumerate, *(getattr(statistics, n) for n in _STATISTICS))
REPLACED |= {f: _modelled(f) for f in _MODELLED}
REPLACED |= {np.array: array, np.asarray: asarray, np.asanyarray: asarray}
NUMPY: Any = _Shadow("numpy")
MATH: Any = _Shadow("math")
NUMPY.original, MATH.original = np, math
MODULES: dict[Any, Any] = {np: NUMPY, math: MATH}
for _module, _name in (
    (json, "loads"), (ast, "literal_eval"), *((statistics, n) for n in _STATISTICS),
):  # fmt: skip
    if _module not in MODULES:
        MODULES[_module] = _Shadow(_module.__name__)
        MODULES[_module].original = _module
    setattr(MODULES[_module], _name, REPLACED[getattr(_module, _name)])
for _original, _replacement in REPLACED.items():
    _name = getattr(_original, "__name__", "")
    if getattr(np, _name, None) is _original:
        setattr(NUMPY, _name, _replacement)


_RANDOM: Any = _Shadow("numpy.random")
_RANDOM.original = np.random
MODULES[np.random] = _RANDOM
for _name, _replacement in generators.of_module().items():
    setattr(_RANDOM, _name, _replacement)
    REPLACED[getattr(np.random, _name)] = _replacement
REPLACED |= OF_MATH
for _name, _original in vars(math).items():
    if callable(_original) and _original in OF_MATH:
        setattr(MATH, _name, OF_MATH[_original])

CALLED = {
    "float": Kind(float, to_float), "complex": Kind(complex, to_complex), "eval": to_eval,
    "type": to_type, "hasattr": has_attribute, "getattr": attribute,
}  # fmt: skip
NUMBERS = frozenset(("double", "float16", "float32", "float64", "half", "single"))
CALLING: Any = _Shadow("numpy")
CALLING.original = NUMPY
for _name in NUMBERS:
    setattr(CALLING, _name, _numbers_of(getattr(np, _name)))
