"""Gradients warn of what the function warns of, and of no quotient that a mask leaves out."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness import differences

import s2sgrad

AT = np.array([0.5, -0.3, 1.2, 0.1, -0.9])


def volatility_in_steps(x):
    v, total = x, np.zeros_like(x)
    for k in range(3):
        part = np.maximum(v, 0.0)
        total = total + np.sqrt(part) * (k - 0.7)
        v = v - 0.3 * part * (k + 1)
    return np.sum(np.maximum(np.exp(total) - 1.0, 0.0))


def distances(x):
    apart = x[:, None] - x[None, :]
    r = np.sqrt(apart**2)
    return np.sum(np.where(r > 0.0, np.exp(-r), 0.0))


def chosen_roots(x):
    part = np.maximum(x, 0.0)
    return np.sum(np.where(x > 0.0, np.sqrt(part) * x, 0.0))


def warned(function: Callable[..., Any], *args: Any) -> tuple[Any, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = function(*args)
    return found, [str(w.message) for w in caught]


@pytest.mark.parametrize("f", [volatility_in_steps, distances, chosen_roots])
def test_no_warning_of_what_is_left_out(f: Callable[..., Any]) -> None:
    found, messages = warned(s2sgrad.grad(f, fallback="error"), AT)
    assert not messages
    np.testing.assert_allclose(found, differences(f, AT, 1e-4), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", [volatility_in_steps, distances])
def test_nor_in_pullbacks(f: Callable[..., Any]) -> None:
    _, pullback = s2sgrad.vjp(f, AT, fallback="error")
    found, messages = warned(pullback, 1.0)
    assert not messages
    np.testing.assert_allclose(found[0], s2sgrad.grad(f)(AT), rtol=1e-14)


def test_the_functions_own_warnings_are_told() -> None:
    def f(x):
        y = np.log(x)
        return np.sum(np.where(x > 0.0, y * y, 0.0))

    _, of_function = warned(f, AT)
    _, of_gradient = warned(s2sgrad.grad(f, fallback="error"), AT)
    assert of_function and set(of_function) == set(of_gradient)


def test_code_that_leaves_nothing_out_says_nothing_of_warnings() -> None:
    source = s2sgrad.grad(lambda x: np.sum(np.sqrt(x) / (1.0 + x**2)), fallback="error").source(AT)
    assert "errstate" not in source
