"""A function seen through other globals: its `np` makes arrays that can be traced when written to.

`y = np.zeros(n); y[i] = x[i]` can't be recorded on a plain array. The function (and the plain
functions of the same module that it reaches) is therefore copied with a `np` whose zeros, ones,
empty, full, array and their like give Traced arrays. Nothing of the original is touched.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from s2sgrad.eager.arrays import Traced
from s2sgrad.eager.tensor import floats, wrap

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
        return Traced(wrap(array))
    return array


def _creator(function: Function) -> Function:
    @wraps(function)
    def create(*args: Any, **kwargs: Any) -> Any:
        plain = [a.tensor._array if type(a) is Traced else a for a in args]
        return writable(function(*plain, **kwargs))

    return create


def array(value: Any, dtype: Any = None, **kwargs: Any) -> Any:
    """np.array: traced values, alone or in nested lists, stay traced."""
    if not holds_traced(value):
        return writable(np.array(value, dtype, **kwargs))
    made = np.copy(value) if type(value) is Traced else joined(value)
    return made if dtype is None else made.astype(dtype)


def asarray(value: Any, dtype: Any = None, **kwargs: Any) -> Any:
    """np.asarray: a traced value is itself."""
    if type(value) is Traced:
        return value if dtype is None or value.dtype == dtype else value.astype(dtype)
    return array(value, dtype) if holds_traced(value) else np.asarray(value, dtype, **kwargs)


def joined(value: Any) -> Any:
    """Nested lists of traced and plain numbers as one traced array."""
    if isinstance(value, (list, tuple)):
        return np.stack([joined(v) for v in value])
    return value


class _NumPy(types.ModuleType):
    """NumPy with other creators; everything else is NumPy's own."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


_CREATORS = ("zeros", "ones", "empty", "full", "zeros_like", "ones_like", "empty_like",
             "full_like", "eye", "identity", "linspace")  # fmt: skip
REPLACED: dict[Any, Any] = {getattr(np, name): _creator(getattr(np, name)) for name in _CREATORS}
REPLACED |= {np.array: array, np.asarray: asarray, np.asanyarray: asarray}
NUMPY: Any = _NumPy("numpy")
for _original, _replacement in REPLACED.items():
    setattr(NUMPY, _original.__name__, _replacement)


def writes_globals(function: types.FunctionType) -> bool:
    """Whether the function assigns to a global name: a copy would assign elsewhere."""
    return any(
        i.opname in ("STORE_GLOBAL", "DELETE_GLOBAL") for i in dis.get_instructions(function)
    )


def relocated(function: Any) -> Any:
    """The function with NumPy's creators replaced, where that is safe; else the function itself."""
    if isinstance(function, types.MethodType):
        inner = relocated(function.__func__)
        return types.MethodType(inner, function.__self__)
    if not isinstance(function, types.FunctionType) or writes_globals(function):
        return function
    return _Copier(function.__globals__).copy(function)


class _Copier:
    """Copies the functions of one module, each once, onto one changed set of globals."""

    def __init__(self, original: dict[str, Any]) -> None:
        self.original = original
        self.changed: dict[str, Any] = {}
        self.known: dict[int, Any] = {}
        for name, value in list(original.items()):
            self.changed[name] = self.replaced(value)

    def replaced(self, value: Any) -> Any:
        """What a global name stands for in the copy."""
        if value is np:
            return NUMPY
        if isinstance(value, types.FunctionType) and value.__globals__ is self.original:
            return self.copy(value)
        try:
            return REPLACED.get(value, value)
        except TypeError:  # unhashable
            return value

    def copy(self, function: types.FunctionType) -> Any:
        """The function on the changed globals."""
        found = self.known.get(id(function))
        if found is not None:
            return found
        if writes_globals(function):
            return function
        made = types.FunctionType(
            function.__code__, self.changed, function.__name__, function.__defaults__, None
            if function.__closure__ is None else self.cells(function)
        )  # fmt: skip
        self.known[id(function)] = made
        made.__kwdefaults__ = function.__kwdefaults__
        made.__dict__.update(function.__dict__)
        made.__qualname__, made.__module__ = function.__qualname__, function.__module__
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
            if held is np or (isinstance(held, types.FunctionType) and held is not function
                              and held.__globals__ is self.original):  # fmt: skip
                made.append(types.CellType(self.replaced(held)))
            else:
                made.append(cell)
        return tuple(made)
