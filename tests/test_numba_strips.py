"""Calls of exp and the like on strips of entries: the same numbers, and where there are none."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import s2sgrad

pytest.importorskip("numba")

RNG = np.random.default_rng(0)


def options(s: Any, t: Any, rate: float, spread: float) -> Any:
    root = spread * np.sqrt(t)
    upper = (np.log(s / 1.1) + (rate + spread**2 / 2) * t) / root
    share = 0.5 * (1 + np.tanh(0.8 * upper + 0.035 * upper**3))
    lower = 0.5 * (1 + np.tanh(0.8 * (upper - root)))
    return np.sum(s * share - 1.1 * np.exp(-rate * t) * lower)


def turned(s: Any, t: Any, rate: float, spread: float) -> Any:
    angle = np.arctan2(np.sin(s) * t, np.cos(s) + 2.0) ** (1.3 + spread)
    return np.sum(np.cbrt(angle + 1.0) * rate) + np.sum(np.exp(-np.log1p(angle) * s))


def carried(s: Any, t: Any, rate: float, spread: float) -> Any:
    total, before = 0.0, spread
    for i in range(len(s)):
        now = rate * s[i]
        total += np.exp(-before * now) * np.tanh(now)  # `before` is of the iteration before
        before = 0.3 * now + t[i]
    return total


def written(s: Any, t: Any, rate: float, spread: float) -> Any:
    y = s * spread
    for i in range(1, len(s)):
        y[i] += np.exp(-rate * y[i - 1]) + np.log(s[i] + t[i])  # reads what the loop writes
    return np.sum(y)


def chosen(s: Any, t: Any, rate: float, spread: float) -> Any:
    total = 0.0
    for i in range(len(s)):
        scaled = np.exp(rate * s[i])
        if s[i] > 0.5:
            total += np.log(t[i] + scaled)
        else:
            total += scaled * spread
    return total + np.sum(np.where(s > 0.5, np.log(s), np.expm1(s) * spread))


def counted(s: Any, t: Any, rate: float, spread: float) -> Any:
    n, total, sums = len(s), 0.0, spread
    for i in range(n):
        n -= 1  # the loop runs as often as it began to
        sums += rate * t[i]
        total += np.tanh(s[i] * n) + np.exp(-sums * s[i])
    return total


# Nothing that a loop itself computes comes too early: not the exp of `carried` and `written`.
FOUND = {
    options: ["exp", "log", "tanh", "tanh"],
    turned: ["arctan2", "power", "power", "cbrt", "log1p", "exp"],
    carried: ["tanh"],
    written: ["log"],
    chosen: ["exp", "expm1"],
    counted: [],
}


@pytest.mark.parametrize(
    "function", [pytest.param(f, marks=[] if f is turned else pytest.mark.slow) for f in FOUND]
)
def test_strips_of_all_lengths(function: Any) -> None:
    df = s2sgrad.value_and_grad(function, (0, 1, 2, 3), jit=True, fallback="error")
    for n in (256, 0, 1, 7, 255, 257, 600):
        args = RNG.uniform(0.2, 1.0, n), RNG.uniform(0.5, 1.5, n), 0.4, 0.7
        value, slopes = df(*args)
        expected = s2sgrad.value_and_grad(function, (0, 1, 2, 3))(*args)
        np.testing.assert_allclose(value, expected[0], rtol=1e-12)
        for found, wanted in zip(slopes, expected[1], strict=True):
            np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)
    s2sgrad.check_grad(function, RNG.uniform(0.2, 1.0, 5), RNG.uniform(0.5, 1.5, 5), 0.4, 0.7)
    code = df.source(*args)
    assert re.findall(r"(\w+)_in_place\(strip", code) == FOUND[function]


def test_functions_of_fewer_axes_are_computed_once_an_entry() -> None:
    """What broadcasting repeats is not computed for each pair, be it written inside or named."""
    special = pytest.importorskip("scipy.special")

    def spread(x: Any, w: Any) -> Any:
        column = np.expand_dims(x, -1)
        slope = special.digamma(column)
        return np.sum(np.sin(column * w) * (w + special.gammaln(column)) * slope)

    def tails(a: Any) -> Any:  # an integral for each entry
        return np.sum(special.gammainc(a, 2.0))

    x, w = RNG.uniform(0.5, 2.0, 5), RNG.standard_normal(7)
    for text in (
        s2sgrad.jacfwd(spread, 1, jit=True, fallback="error").source(x, w),
        s2sgrad.hvp(tails, jit=True, fallback="error").source(x, x),
    ):
        lines = [s for s in text.splitlines() if re.search(r"(psi|digamma|gammaln|gamma)\(", s)]
        assert lines and all(re.match(r" {8}\w", s) for s in lines), lines
