"""Every method of the table gives what its NumPy function gives for the adapted arguments."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from s2sgrad.rules import lookup
from s2sgrad.rules.methods import (
    ATTRIBUTES,
    EQUIVALENTS,
    METHODS,
    OPERATORS,
    SPECIAL_METHODS,
    UNARY_OPERATORS,
)

X = np.array([[0.5, -1.2, 2.3], [1.4, 0.8, -0.35]])
SQUARE = X @ X.T
LINE = np.array([-1.0, 0.5, 2.0])
INTEGERS = np.array([[0, 1, 1], [1, 0, 0]])

CALLS: dict[str, list[tuple[Any, tuple[Any, ...], dict[str, Any]]]] = {
    "all": [(X, (), {}), (X, (0,), {})],
    "any": [(X, (), {"axis": 1})],
    "argmax": [(X, (1,), {})],
    "argmin": [(X, (), {})],
    "argpartition": [(LINE, (1,), {})],
    "argsort": [(X, (0,), {})],
    "astype": [(X, (np.float32,), {}), (X, (), {"dtype": int, "copy": False})],
    "choose": [(INTEGERS, ([X, -X],), {})],
    "clip": [(X, (0.0, 1.0), {}), (X, (), {"max": 1.0}), (X, (0.2,), {})],
    "compress": [(X, ([True, False, True], 1), {}), (X, (), {"condition": [False, True]})],
    "conj": [(X + 1j, (), {})],
    "conjugate": [(X + 1j, (), {})],
    "copy": [(X, (), {})],
    "cumprod": [(X, (1,), {})],
    "cumsum": [(X, (), {})],
    "diagonal": [(X, (1,), {}), (X, (), {"axis1": 1, "axis2": 0})],
    "dot": [(X, (LINE,), {})],
    "flatten": [(X, (), {}), (X, ("F",), {})],
    "item": [(X, (1, 2), {}), (X, (4,), {}), (X[:1, :1], (), {}), (X, ((0, 1),), {})],
    "max": [(X, (), {}), (X, (1,), {"keepdims": True})],
    "mean": [(X, (0,), {})],
    "min": [(X, (), {"axis": 0, "initial": 0.0})],
    "nonzero": [(X, (), {})],
    "prod": [(X, (1,), {})],
    "ravel": [(X, (), {})],
    "repeat": [(X, (2, 1), {})],
    "reshape": [(X, (3, 2), {}), (X, ((3, 2),), {}), (X, (-1,), {}), (X, (3, 2), {"order": "F"})],
    "round": [(X, (1,), {})],
    "searchsorted": [(LINE, (0.7,), {})],
    "squeeze": [(X[None], (), {}), (X[None], (0,), {})],
    "std": [(X, (), {"ddof": 1})],
    "sum": [(X, (), {}), (X, (0,), {"keepdims": True}), (X, (), {"where": X > 0})],
    "swapaxes": [(X, (0, 1), {})],
    "take": [(X, ([0, 2], 1), {})],
    "trace": [(SQUARE, (), {}), (X, (1,), {})],
    "transpose": [(X, (), {}), (X, (1, 0), {}), (X, ((1, 0),), {}), (X, (None,), {})],
    "var": [(X, (1,), {})],
}


@pytest.mark.parametrize("name", METHODS)
def test_method(name: str) -> None:
    for x, args, kwargs in CALLS[name]:
        method = METHODS[name]
        new_args, new_kwargs = method.adapt((x, *args), dict(kwargs))
        found, expected = (
            method.function(*new_args, **new_kwargs),
            getattr(x, name)(*args, **kwargs),
        )
        np.testing.assert_array_equal(found, expected)
        rule = lookup(method.function)
        assert rule is not None
        if rule.declaration is not None:
            rule.bind(new_args, new_kwargs)


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_attribute(name: str) -> None:
    z = X + 2j
    expected = np.array(list(z.flat)) if name == "flat" else getattr(z, name)
    np.testing.assert_array_equal(ATTRIBUTES[name](z), expected)


@pytest.mark.parametrize("symbol", OPERATORS)
def test_operator(symbol: str) -> None:
    integers = symbol in "&|^<<>>" and symbol not in ("<", ">")
    a, b = (INTEGERS, INTEGERS + 1) if integers else (np.abs(SQUARE), SQUARE.T + 2.0)
    np.testing.assert_array_equal(eval(f"a {symbol} b"), OPERATORS[symbol](a, b))


def test_unary_operators() -> None:
    np.testing.assert_array_equal(UNARY_OPERATORS["-"](X), -X)
    np.testing.assert_array_equal(UNARY_OPERATORS["+"](X), +X)
    np.testing.assert_array_equal(UNARY_OPERATORS["~"](INTEGERS), ~INTEGERS)
    assert UNARY_OPERATORS["not"](0.0) == (not 0.0)


def test_special_methods() -> None:
    for name, function in SPECIAL_METHODS.items():
        a, b = (5, 2) if name != "__matmul__" else (LINE, LINE)
        args = (a,) if name in ("__neg__", "__pos__", "__abs__", "__invert__") else (a, b)
        np.testing.assert_array_equal(getattr(a, name)(*args[1:]), function(*args))


@pytest.mark.parametrize("function", [f for f in EQUIVALENTS if f.__module__ == "math"])
def test_math_equivalents(function: Any) -> None:
    one, two = (1.25,), (2.5, 1.5)
    args: Any
    if function in (math.gcd, math.lcm, math.ldexp):
        args = (6, 4)
    elif function in (math.asin, math.acos, math.atanh):
        args = (0.3,)
    else:
        args = two if function in (math.atan2, math.copysign, math.fmod, math.pow) else one
        args = two if function is math.nextafter else args
    np.testing.assert_allclose(function(*args), EQUIVALENTS[function](*args), rtol=1e-14)
    assert lookup(EQUIVALENTS[function]) is not None
