"""Functions of `math` that take traced numbers, through NumPy's equivalents."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from s2sgrad.eager.numpy_code.array_operators import as_number
from s2sgrad.eager.numpy_code.arrays import Traced
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


def without_derivative(value: Any) -> Any:
    """A traced value, or a nest of lists with some, as plain numbers and arrays."""
    if isinstance(value, (list, tuple)):
        return [without_derivative(v) for v in value]
    if not is_traced(value):
        return value
    return value.tensor._array if value.ndim else value.tensor._array.item()


def _also_traced(function: Function, equivalent: Function) -> Function:
    """A function of `math` that takes traced numbers through NumPy's equivalent.

    It raises where `math` does: ValueError beside its domain, OverflowError.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        args = tuple(list(a) if isinstance(a, Iterator) else a for a in args)
        if not holds_traced(args):
            return function(*args, **kwargs)
        value = function(*map(without_derivative, args), **kwargs)
        return as_number(equivalent(*args, **kwargs), value)

    call.__name__ = function.__name__
    return call


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
    return math.isclose(*map(without_derivative, pair), **options)


OF_MATH: dict[Any, Function] = {}
for _name, _original in vars(math).items():
    _equivalent: Any = EQUIVALENTS.get(_original) if callable(_original) else None
    if _equivalent is not None:
        OF_MATH[_original] = _also_traced(_original, _equivalent)
for _original, _replacement in (
    (math.hypot, _length), (math.dist, _distance), (math.log, _logarithm), (math.fsum, _total),
    (math.prod, _product), (math.isclose, _close),
):  # fmt: skip
    OF_MATH[_original] = _also_traced(_original, _replacement)
