"""The operators of traced values: NumPy's for arrays, Python's for numbers.

Its import attaches the methods too.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code import array_methods
from s2sgrad.eager.numpy_code.arrays import Traced, bare, copied, listed, of_objects
from s2sgrad.eager.tensors.inplace import check_inplace, write
from s2sgrad.rules.methods import SPECIAL_METHODS

_OF_PYTHON = 1 << 9  # Py_TPFLAGS_HEAPTYPE: classes made by `class`


def is_number(value: Any) -> bool:
    """Whether a value is one of Python's own numbers, traced or not."""
    kind: Any = type(value)
    return value.number if kind is Traced else kind in (float, int, bool, complex)


def own_number(value: Any) -> Any:
    """The number without its derivative, for what only looks at values."""
    return value.tensor._array.item() if type(value) is Traced else value


def as_number(found: Any, value: Any) -> Any:
    """A recorded result as the number that Python gives: traced where a derivative hangs on it."""
    if type(found) is tuple:
        return tuple(map(as_number, found, value))
    if type(found) is not Traced or not found.tensor.requires_grad or type(value) in (int, bool):
        return value
    return Traced(found.tensor, type(value) is float)


def of_numbers(function: Any, own: Any, *numbers: Any) -> Any:
    """An operation on Python's numbers: where these raise (ZeroDivisionError), so does it."""
    if any(type(n) is Traced and type(n.tensor._array) is not np.ndarray for n in numbers):
        return function(*numbers)  # a batch
    value = own(*map(own_number, numbers))
    if type(value) is complex:  # a root of a negative number
        return function(*(np.multiply(n, 1 + 0j) if type(n) is Traced else n for n in numbers))
    return as_number(function(*numbers), value)


def _answers_for(other: Any) -> bool:
    """Whether NumPy answers an operator before the class of the object on the right does."""
    cls: Any = type(other)
    if not cls.__flags__ & _OF_PYTHON or hasattr(cls, "__array_ufunc__"):
        return False
    return getattr(other, "__array_priority__", -1.0) <= 0


def _beside_object(function: Any, own: Any, array: Traced, other: Any) -> Any:
    """An operator of an array and an object: of the object's entries, or entry by entry of the
    array, to an array of objects."""
    if hasattr(other, "__array__"):
        return function(array, other.__array__())
    if hasattr(other, "__len__") and hasattr(other, "__getitem__"):
        return function(array, listed([other[k] for k in range(len(other))]))
    return own(of_objects(array), other) if array.ndim else NotImplemented


def _operator(function: Any, own: Any, reflected: bool) -> Any:
    def operate(self: Traced, other: Any) -> Any:
        if self.number and is_number(other):
            return of_numbers(function, own, *((other, self) if reflected else (self, other)))
        if isinstance(other, (list, tuple)) and not self.number:
            other = listed(other)
        if not isinstance(other, (Traced, np.ndarray, np.generic, int, float, complex)):
            if self.number or reflected or not _answers_for(other):
                return NotImplemented
            return _beside_object(function, own, self, other)
        return function(other, self) if reflected else function(self, other)

    return operate


def _in_place(function: Any, plain: Any) -> Any:
    def operate(self: Traced, other: Any) -> Any:
        t = self.tensor
        if isinstance(other, (list, tuple)) and not self.number:
            other = listed(other)
        if self.number or (self.ndim == 0 and t._view is None):  # a number; no 0-d array
            return plain(self, other)
        check_inplace(t)
        result = bare(function(Traced(copied(t)), other))
        if not np.can_cast(np.asarray(getattr(result, "_array", result)).dtype, t._array.dtype,
                           "same_kind"):  # fmt: skip
            raise TypeError(f"cannot store the result of {function.__name__} in {t._array.dtype}")
        write(t, result)
        return self

    return operate


def _of_one(function: Any, own: Any) -> Any:
    def operate(self: Traced) -> Any:
        return of_numbers(function, own, self) if self.number else function(self)

    return operate


for _name, _function in SPECIAL_METHODS.items():
    _bare = _name.strip("_")
    _own = divmod if _bare == "divmod" else getattr(operator, _name)
    if _bare in ("neg", "pos", "abs", "invert"):
        setattr(Traced, _name, _of_one(_function, _own))
        continue
    _plain = _operator(_function, _own, False)
    setattr(Traced, _name, _plain)
    if _bare not in ("lt", "le", "gt", "ge", "eq", "ne"):
        setattr(Traced, f"__r{_bare}__", _operator(_function, _own, True))
    if _bare in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
        setattr(Traced, f"__i{_bare}__", _in_place(_function, _plain))

__all__ = ["array_methods", "as_number", "is_number"]
