"""Long loops whose rows are held for a block of trips, and computed again for the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness import some

import s2sgrad
from s2sgrad_runtime.checkpoints import block_length

pytest.importorskip("numba")

N = {
    "advected": 15000,
    "columns": 800,
    "made_anew": 15000,
    "levinson": 2100,
    "neighbours_on_a_ring": 2100,
    "two_names": 8500,
}  # rows of a few blocks


def advected(u0, nu):
    u = u0.copy()
    for _ in range(600):
        u[1:-1] += -0.1 * u[1:-1] * (u[2:] - u[:-2]) + nu * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u**2)


def made_anew(x, r):
    y = x.copy()
    for _ in range(2, 600):
        y = 0.5 * y + r * y * (1.0 - y)
    return np.sum(y * x)


def levinson(x, a):
    y = np.zeros_like(x)
    alpha, beta = a * x[0], 1.0
    for k in range(1, x.shape[0]):
        beta *= 1.0 - 0.01 * alpha * alpha
        alpha = 0.1 * (x[k] + np.dot(np.flip(x[:k]), y[:k])) / (beta * (1.0 + k))
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return np.sum(y)


def neighbours_on_a_ring(x, a):
    y = x * a
    for i in range(x.shape[0]):
        y[i] += 0.1 * y[i - 1] * x[i - 2]
        y[:i] += 0.001 * np.flip(x[:i]) * y[:i]
    return np.sum(y**2) + np.sum(y[::-1] * x)


def two_names(x, a):
    y, z, s = x.copy(), 0.3 * x, a
    for k in range(500):
        y += 0.01 * z * y
        if k % 3 == 0:
            z *= 1.0 - 0.01 * y
        s = 0.99 * s + 0.01 * y[k] * z[k - 1]
        z[0] = s
    return np.sum(y * z) + s


def columns(x, a):
    c, t = np.outer(np.cos(x), np.array([a, 1.0])), 0.0
    for i in range(1, x.shape[0]):
        h = c[:, -1]  # saved: its entries lie side by side then
        t += c[i, 0] * x[i - 1]
        h += 0.01 * x
        t += 0.001 * np.sum(h * h)
    return t


@pytest.mark.parametrize(
    "f", some([columns, advected, made_anew, levinson, neighbours_on_a_ring, two_names])
)
def test_gradients(f: Callable[..., Any]) -> None:
    rng = np.random.default_rng(0)
    n = N[f.__name__]
    x, a = rng.uniform(0.1, 0.6, n), 0.2
    gradient = s2sgrad.value_and_grad(f, (0, 1), jit=True, fallback="error")
    assert "block_length" in gradient.source(x, a)
    step = rng.normal(size=n)

    def moved(t: float) -> float:
        return f(x + t * step, a + t)

    near, far = ((moved(h) - moved(-h)) / (2.0 * h) for h in (1e-5, 2e-5))
    for _ in range(2):
        value, (x_bar, a_bar) = gradient(x, a)
        assert value == pytest.approx(f(x, a), rel=1e-12)
        slope = np.dot(x_bar, step) + a_bar
        assert slope == pytest.approx((4.0 * near - far) / 3.0, rel=1e-7)
    assert "compiled by Numba: all of it" in gradient.explain(x, a)


def test_few_rows_are_held() -> None:
    """What must be saved, and no more: not 600 rows."""
    told = s2sgrad.grad(advected, jit=True).explain(np.linspace(0.1, 0.6, 15000), 0.2)
    row = next(line for line in told.splitlines() if " u_saved " in line)
    assert "1.9 MiB" in row
    assert block_length(600, 7498, 7500) == 34
    assert block_length(600, 14998, 15000, price=8) == 17
    assert block_length(600, 7498, 7500, price=8) == 600


def test_one_block_where_nothing_is_won() -> None:
    assert block_length(60, 1000, 1000) == 60
    assert block_length(0, 0, 0) == 1
    assert block_length(60, 10**6, 10**6) == 60
    assert block_length(10**5, 10**6, 10**6) < 1000
    assert block_length(10**4, 10**4, 10**8) == 10**4  # a row of what the trips fill
    assert block_length(10**5, 10**4, 10**9) > 10**4
