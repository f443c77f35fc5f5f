"""What is kept for the reverse sweep and what is computed again: by prices, shown by `explain`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sgrad
from s2sgrad.analysis.costs import COMPILED, PYTHON, priced
from s2sgrad.frontend.lower import lower
from s2sgrad.ir import nodes


def price_of(function: Callable[..., Any], *args: Any) -> tuple[float, float]:
    """The prices, in Python and compiled, of what a function of one line returns."""
    names = function.__code__.co_varnames
    lowered = lower(function, dict(zip(names, args, strict=False)))
    exprs = [e for s in nodes.walk_block(lowered.function.body) for e in nodes.expressions(s)]
    exprs += [getattr(lowered.result, "expr", nodes.Const(0))]
    return tuple(max(costs.price(e) for e in exprs) for costs in (PYTHON, COMPILED))  # type: ignore[return-value]


X = np.linspace(0.5, 1.5, 7)


def test_prices_add_up() -> None:
    one = price_of(lambda x: x + x, X)
    three = price_of(lambda x: x + x * x - x, X)
    assert three == pytest.approx([3 * p for p in one])
    assert price_of(lambda a: a + a, 1.5) < one


@pytest.mark.parametrize("at", [1.5, X], ids=["number", "array"])
def test_order_of_prices(at: Any) -> None:
    arithmetic, division = price_of(lambda x: x * x, at), price_of(lambda x: x / x, at)
    dear = price_of(lambda x: np.exp(x), at)
    for k in range(2):
        assert arithmetic[k] < division[k] < dear[k]


def test_views_are_free() -> None:
    assert price_of(lambda x: x[1:], X) == (0.0, 0.0)


def scalars(p: Any, n: int) -> Any:
    s = 0.0
    x = p[0]
    for _ in range(n):
        w = 1.0 / (1.0 + x * x)
        e = np.exp(-x)
        s += x * w
        x = x - 0.1 * e
    return s


def rows(u0: Any, steps: int) -> Any:
    u = u0.copy()
    s = 0.0
    for _ in range(steps):
        c = 1.0 + u * u
        d = np.exp(-u)
        s += np.sum(c * d)
        u = 0.9 * u * u
    return s


def verdicts(text: str) -> dict[str, str]:
    """Value -> "kept" or "computed", as `explain` says it."""
    found = re.findall(r"^  \S+:\d+ +(.+?)  +(kept|computed)\b.*:", text, re.M)
    assert found, text
    return dict(found)


def test_explain_in_python() -> None:
    text = s2sgrad.grad(rows, fallback="error").explain(X, 3)
    found = verdicts(text)
    assert found["c"] == "computed" and found["u"] == "kept"
    assert "ns for 1000 entries, keeping it" in text
    assert "saved for the reverse sweep" in text


def test_division_is_kept_in_compiled_code() -> None:
    """A division of numbers takes as long as several additions; NumPy's calls hide that."""
    pytest.importorskip("numba")
    python = verdicts(s2sgrad.grad(scalars, fallback="error").explain(X, 3))
    text = s2sgrad.grad(scalars, jit=True, fallback="error").explain(X, 3)
    compiled = verdicts(text)
    assert python["w"] == "computed" and compiled["w"] == "kept"
    assert python["e"] == compiled["e"] == "kept"
    assert re.search(r"test_costs.py:\d+ +w_saved +n +24 bytes +kept for the reverse sweep", text)


@pytest.mark.parametrize("f", [scalars, rows])
@pytest.mark.parametrize("costs", [PYTHON, COMPILED], ids=["python", "compiled"])
def test_same_gradient_at_all_prices(f: Callable[..., Any], costs: Any) -> None:
    with priced(costs):
        gradient = s2sgrad.grad(f, fallback="error")._make((X, 4)).compiled.fn(X, 4)
    direction = np.cos(np.arange(X.size))
    slope = (f(X + 1e-5 * direction, 4) - f(X - 1e-5 * direction, 4)) / 2e-5
    np.testing.assert_allclose(np.sum(gradient * direction), slope, rtol=1e-8)


def test_what_falls_away_is_not_listed() -> None:
    def linear(u0: Any, rate: float, steps: int) -> Any:
        u = u0.copy()
        for _ in range(steps):
            flow = u[2:] - 2.0 * u[1:-1] + u[:-2]
            u[1:-1] += rate * flow
        return np.sum(u)

    assert "flow_saved" not in s2sgrad.grad(linear, fallback="error").explain(X, 0.1, 3)
    assert "flow_saved" in s2sgrad.grad(linear, argnums=1, fallback="error").explain(X, 0.1, 3)
