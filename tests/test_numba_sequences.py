"""Functions of whole arrays inside compiled loops: none of them is a call of Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sgrad

pytest.importorskip("numba")

PLACES = np.array([0, 2, 2, 1])


def rearranged(x: Any, steps: int) -> Any:
    total = 0.0
    for k in range(steps):
        y = x * (k + 1.0)
        across, down = np.meshgrid(y[0], x[:, 1])
        total += np.sum(across * down) + np.sum(np.take(y, PLACES, axis=1) ** 2)
        total += np.sum(np.tile(y, (2, 1))[3] ** 2) + np.sum(np.rot90(y)[1] * x[:, 0])
        total += np.sum(np.vstack([x[0], x[1]]) ** 2) + np.sum(np.squeeze(y[:, :1], axis=1) ** 2)
    return total


def averaged(x: Any, steps: int) -> Any:
    total = 0.0
    for k in range(steps):
        y = x * (k + 1.0)
        total += np.average(y[0], weights=x[1] ** 2) + np.nanmean(np.where(x > 1.0, np.nan, y))
        total += np.inner(y[0], x[1]) ** 2 + np.sum(np.polyval(y[0, :3], x[1]))
        total += np.sum(np.select([x > 0.5, x < -0.5], [x, x**2], 0.1) * y)
    return total


def summed_up(x: Any, steps: int) -> Any:
    total, at = 0.0, np.linspace(-1.0, 1.0, x.shape[1])
    for k in range(steps):
        y = x * (k + 1.0)
        total += np.sum(np.cumsum(y, axis=0) ** 2) + np.sum(np.correlate(x[1, :2], y[0], "same"))
        total += np.sum(np.interp(x[2], at, y[1], left=0.5) ** 2)
        total += np.sum(np.prod(y, axis=1) ** 2) + np.sum(np.prod(y * (x < 1.0), 0) * x[2])
        total += np.sum(np.sort(y, axis=0)[1] ** 2) + np.sum(np.sort(y)[:, 0] * y[:, 1])
    return total


@pytest.mark.slow
@pytest.mark.parametrize("function", [rearranged, averaged, summed_up])
def test_none_is_a_call_of_python(function: Any) -> None:
    x = np.random.default_rng(4).normal(size=(3, 5))
    compiled = s2sgrad.grad(function, jit=True, fallback="error")
    np.testing.assert_allclose(compiled(x, 2), s2sgrad.grad(function)(x, 2), rtol=1e-10, atol=1e-12)
    s2sgrad.check_grad(function, x, 2)
    code = compiled.source(x, 2, jit=True)
    assert "objmode" not in code and "_part_1(" not in code


@pytest.mark.slow
@pytest.mark.parametrize(
    "mode", ["valid", *(pytest.param(m, marks=pytest.mark.slow) for m in ("full", "same"))]
)
def test_convolutions_of_all_lengths(mode: str) -> None:
    def both(a: Any, v: Any, w: Any, mode: str) -> Any:
        y, z = np.convolve(a, v, mode=mode), np.correlate(a, v, mode)
        return np.sum(y * w[: len(y)]) + np.sum(z**2)

    df = s2sgrad.value_and_grad(both, (0, 1), jit=True, fallback="error")
    rng = np.random.default_rng(0)
    for n, m in ((1, 1), (4, 1), (1, 3), (4, 4), (7, 2), (2, 7), (5, 8), (9, 4)):
        a, v, w = rng.normal(size=n), rng.normal(size=2 * m)[::2], rng.normal(size=n + m)
        value, slopes = df(a, v, w, mode)
        np.testing.assert_allclose(value, both(a, v, w, mode), rtol=1e-12)
        for place, found in enumerate(slopes):
            for k, slope in enumerate(found):
                steps = [np.zeros(n), np.zeros(m)]
                steps[place][k] = 1e-6
                ahead = both(a + steps[0], v + steps[1], w, mode)
                behind = both(a - steps[0], v - steps[1], w, mode)
                np.testing.assert_allclose(slope, (ahead - behind) / 2e-6, rtol=1e-6, atol=1e-7)
