"""A function seen through other globals: its `np` makes arrays that can be traced when written to.

`y = np.zeros(n); y[i] = x[i]` can't be recorded on a plain array. The function (and the plain
functions of the same module that it reaches) is therefore copied with a `np` whose zeros, ones,
empty, full, array and their like give Traced arrays. Nothing of the original is touched.
"""

from __future__ import annotations

import dis
import functools
import itertools
import math
import operator
import types
from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code.arrays import Traced, dispatched
from s2sgrad.eager.tensors.tensor import floats, wrap
from s2sgrad.rules import lookup
from s2sgrad.rules.methods import EQUIVALENTS

Function = Callable[..., Any]


def is_traced(value: Any) -> bool:
    """Whether the value is Traced; isinstance would be told np.ndarray."""
    kind: Any = type(value)
    return kind is Traced


def holds_traced(value: Any) -> bool:
    """Whether a value is traced or a nest of lists with a traced value inside."""
    if isinstance(value, (list, tuple)):
        return any(map(holds_traced, value))
    return is_traced(value)


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
    made = np.linspace(*args, **kwargs)
    return made if holds_traced([*args, *kwargs.values()]) else writable(made)


def array(value: Any, dtype: Any = None, **kwargs: Any) -> Any:
    """np.array: traced values, alone or in nested lists, stay traced."""
    if not holds_traced(value):
        return writable(np.array(value, dtype, **kwargs))
    if type(value) is Traced and not kwargs.get("copy", True):
        return asarray(value, dtype)
    made = np.copy(value) if type(value) is Traced else joined(value)
    made = array_of(made if dtype is None else made.astype(dtype))
    lead = kwargs.get("ndmin", 0) - made.ndim
    return made if lead <= 0 else made.reshape((1,) * lead + made.shape)


def asarray(value: Any, dtype: Any = None, **kwargs: Any) -> Any:
    """np.asarray: a traced value is itself."""
    if type(value) is Traced and not kwargs.get("copy"):
        return value if dtype is None or value.dtype == dtype else value.astype(dtype)
    return array(value, dtype) if holds_traced(value) else np.asarray(value, dtype, **kwargs)


def _laid_out(function: Function) -> Function:
    """np.ascontiguousarray and its kin: a traced value itself where NumPy would not copy it."""

    @wraps(function)
    def call(value: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
        if not holds_traced(value):
            return function(value, dtype, *args, **kwargs)
        value = asarray(value, dtype)
        memory = value.tensor._array
        same = np.shares_memory(function(memory, None, *args, **kwargs), memory)
        return value if same else np.copy(value)

    return call


def joined(value: Any) -> Any:
    """Nested lists of traced and plain numbers as one traced array."""
    if isinstance(value, (list, tuple)):
        return np.stack([joined(v) for v in value])
    return value


def fromiter(values: Any, dtype: Any = float, count: int = -1, **kwargs: Any) -> Any:
    """np.fromiter, which traced values pass through."""
    listed = list(itertools.islice(values, None if count < 0 else count))
    if holds_traced(listed):
        return array(listed, dtype)
    return writable(np.fromiter(listed, dtype, **kwargs))


class _Shadow(types.ModuleType):
    """A module with some names replaced, and functions with a rule given traced values so that
    the rule serves them; everything else is the original's own."""

    original: Any

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.original, name)
        if isinstance(found, np.ufunc) or not callable(found) or isinstance(found, type):
            return found
        rule = lookup(found)
        if rule is None or rule.kind == "none":
            return found
        made = _ruled(found, rule)
        setattr(self, name, made)
        return made


def _ruled(function: Function, rule: Any) -> Function:
    """The function for lists of traced numbers too, as NumPy takes them for arrays."""
    whole = not rule.sequence

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not holds_traced((*args, *kwargs.values())):
            return function(*args, **kwargs)
        nested = function is not np.block  # there, nested lists say where arrays go
        if nested and args and isinstance(args[0], (list, tuple)) and holds_traced(args[0]):
            first = joined(args[0]) if whole else type(args[0])(map(joined, args[0]))
            args = (first, *args[1:])
        return dispatched(function, args, kwargs)

    return call


def shadow_of(module: Any) -> Any:
    """The stand-in for a module of SciPy's; any other module is itself."""
    if not getattr(module, "__name__", "").startswith("scipy."):
        return module
    made = _SHADOWS.get(module)
    if made is None:
        made = _SHADOWS[module] = _Shadow(module.__name__)
        made.original = module
    return made


_SHADOWS: dict[Any, Any] = {}


def _also_traced(function: Function, equivalent: Function) -> Function:
    """A function of `math` that takes traced numbers through NumPy's equivalent."""

    def call(*args: Any, **kwargs: Any) -> Any:
        args = tuple(list(a) if isinstance(a, Iterator) else a for a in args)
        if holds_traced(args):
            return equivalent(*args, **kwargs)
        return function(*args, **kwargs)

    call.__name__ = function.__name__
    return call


def to_float(value: Any = 0.0) -> Any:
    """`float(value)`, of which a traced value is its own."""
    if is_traced(value) and value.tensor.requires_grad:
        if value.size != 1:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return Traced(value.tensor.reshape(()), True)
    return float(value)


_CREATORS = ("zeros", "ones", "empty", "zeros_like", "ones_like", "empty_like", "eye", "identity")
REPLACED: dict[Any, Any] = {getattr(np, name): _creator(getattr(np, name)) for name in _CREATORS}
REPLACED |= {np.full: _filler(np.full), np.full_like: _filler(np.full_like)}
REPLACED |= {np.linspace: linspace, np.fromiter: fromiter}
_KEEPERS: Any = (np.ascontiguousarray, np.asfortranarray, np.require, np.asarray_chkfinite)
REPLACED |= {f: _laid_out(f) for f in _KEEPERS}
REPLACED |= {np.array: array, np.asarray: asarray, np.asanyarray: asarray}
NUMPY: Any = _Shadow("numpy")
MATH: Any = _Shadow("math")
NUMPY.original, MATH.original = np, math
for _original, _replacement in REPLACED.items():
    setattr(NUMPY, _original.__name__, _replacement)
for _name, _original in vars(math).items():
    _equivalent: Any = EQUIVALENTS.get(_original) if callable(_original) else None
    if _equivalent is not None:
        REPLACED[_original] = _also_traced(_original, _equivalent)


def _length(*coordinates: Any) -> Any:
    return functools.reduce(np.hypot, coordinates, 0.0)


def _distance(p: Any, q: Any) -> Any:
    return _length(*(a - b for a, b in zip(p, q, strict=True)))


def _logarithm(x: Any, *base: Any) -> Any:
    return np.log(x) / np.log(base[0]) if base else np.log(x)


def _total(values: Any) -> Any:
    return sum(values)


def _product(values: Any, *, start: Any = 1) -> Any:
    return functools.reduce(operator.mul, values, start)


def _close(*pair: Any, **options: Any) -> bool:
    """math.isclose has no derivative to lose."""
    return math.isclose(*(p.tensor._array if is_traced(p) else p for p in pair), **options)


for _original, _replacement in (
    (math.hypot, _length), (math.dist, _distance), (math.log, _logarithm), (math.fsum, _total),
    (math.prod, _product), (math.isclose, _close),
):  # fmt: skip
    REPLACED[_original] = _also_traced(_original, _replacement)
for _name, _original in vars(math).items():
    if callable(_original) and _original in REPLACED:
        setattr(MATH, _name, REPLACED[_original])


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A function's code and that of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes(constant)


@lru_cache(maxsize=4096)
def only_calls_float(code: types.CodeType) -> bool:
    """Whether `float` is only called there, never named as a type (`dtype=float`)."""
    return not any(
        step.argval == "float"
        and step.opname.startswith("LOAD_")
        and not (step.opname == "LOAD_GLOBAL" and (step.arg or 0) & 1)
        for inner in codes(code)
        for step in dis.get_instructions(inner)
    )


@lru_cache(maxsize=4096)
def writes_globals(code: types.CodeType) -> bool:
    """Whether the code assigns to a global name: a copy would assign elsewhere."""
    return any(
        step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL")
        for inner in codes(code)
        for step in dis.get_instructions(inner)
    )


def relocated(function: Any) -> Any:
    """The function with NumPy's creators replaced, where that is safe; else the function itself."""
    if isinstance(function, types.MethodType):
        inner = relocated(function.__func__)
        return types.MethodType(inner, function.__self__)
    if not isinstance(function, types.FunctionType) or writes_globals(function.__code__):
        return function
    return _Copier(function.__globals__).copy(function)


class _Copier:
    """Copies functions of one module, each once, onto changed copies of its globals.

    Only what the functions name is replaced. `calling` differs from `changed` in `float`, for
    functions that do nothing with it but call it.
    """

    def __init__(self, original: dict[str, Any]) -> None:
        self.original = original
        self.changed = dict(original)
        self.calling = dict(original)
        self.calling.setdefault("float", to_float)
        self.known: dict[int, Any] = {}

    def replaced(self, value: Any) -> Any:
        """What a global name or closure cell stands for in the copy."""
        if isinstance(value, types.ModuleType):
            return NUMPY if value is np else MATH if value is math else shadow_of(value)
        if isinstance(value, types.FunctionType) and value not in REPLACED:
            return self.copy(value) if value.__globals__ is self.original else value
        try:
            return REPLACED.get(value, value)
        except TypeError:  # unhashable
            return value

    def copy(self, function: types.FunctionType) -> Any:
        """The function on the changed globals."""
        found = self.known.get(id(function))
        if found is not None:
            return found
        if writes_globals(function.__code__):
            return function
        scope = self.calling if only_calls_float(function.__code__) else self.changed
        cells = None if function.__closure__ is None else self.cells(function)
        made = types.FunctionType(
            function.__code__, scope, function.__name__, function.__defaults__, cells
        )
        self.known[id(function)] = made
        made.__kwdefaults__ = function.__kwdefaults__
        made.__dict__.update(function.__dict__)
        made.__qualname__, made.__module__ = function.__qualname__, function.__module__
        for code in codes(function.__code__):
            for name in code.co_names:
                if name in self.original and self.changed[name] is self.original[name]:
                    self.changed[name] = self.calling[name] = self.replaced(self.original[name])
        return made

    def cells(self, function: types.FunctionType) -> tuple[Any, ...]:
        """The closure; cells that hold NumPy or functions of the module get replaced ones.

        Other cells are shared, so that `nonlocal` writes are seen outside.
        """
        made = []
        for cell in function.__closure__ or ():
            try:
                held = cell.cell_contents
            except ValueError:  # not assigned yet
                made.append(cell)
                continue
            new = held if held is function else self.replaced(held)
            made.append(cell if new is held else types.CellType(new))
        return tuple(made)
