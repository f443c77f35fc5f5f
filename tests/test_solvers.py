"""Solvers of SciPy whose values are too coarse for central differences, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

import s2sgrad

TIMES = np.linspace(0.0, 2.0, 9)


def test_minimum_on_a_line() -> None:
    def place(a: float, b: float) -> float:
        return optimize.minimize_scalar(lambda x: (x - a) ** 2 + b * x**2).x

    found = s2sgrad.grad(place, argnums=(0, 1), fallback="error")(2.0, 0.5)
    assert found == pytest.approx((1.0 / 1.5, -2.0 / 1.5**2), rel=1e-6)


def line(t: np.ndarray, height: float, slope: float) -> np.ndarray:
    return height + slope * t


def test_fitted_line() -> None:
    def fit(y: np.ndarray) -> float:
        p, _ = optimize.curve_fit(line, TIMES, y)
        return p[0] * p[1]

    y = np.exp(TIMES)
    inverse = np.linalg.pinv(np.stack([np.ones(9), TIMES], axis=1))
    p = inverse @ y
    expected = p[1] * inverse[0] + p[0] * inverse[1]
    np.testing.assert_allclose(s2sgrad.grad(fit, fallback="error")(y), expected, rtol=1e-6)
    weights = np.linspace(1.0, 2.0, 9)

    def weighted(y: np.ndarray) -> float:
        p, _ = optimize.curve_fit(line, TIMES, y, p0=[1.0, 1.0], sigma=1.0 / weights)
        return p[1]

    inverse = np.linalg.pinv(weights[:, None] * np.stack([np.ones(9), TIMES], axis=1))
    np.testing.assert_allclose(s2sgrad.grad(weighted)(y), inverse[1] * weights, rtol=1e-6)


def spread_of_fit(y: np.ndarray) -> float:
    return optimize.curve_fit(line, TIMES, y)[1][0, 0]


def constrained(a: np.ndarray) -> float:
    rule = {"type": "eq", "fun": lambda x: x[0] - 1.0}
    return np.sum(optimize.minimize(lambda x: np.sum((x - a) ** 2), a, constraints=rule).x)


def vertex(c: np.ndarray) -> float:
    found = optimize.linprog(c, A_ub=np.eye(2), b_ub=np.ones(2))
    return np.sum(found.x)


@pytest.mark.parametrize(
    ("function", "x", "text"),
    [
        (spread_of_fit, np.exp(TIMES), "covariance of curve_fit has no derivative"),
        (constrained, np.array([1.0, 2.0]), "a minimum under constraints"),
        (vertex, np.array([-1.0, 2.0]), "a vertex does not move smoothly"),
    ],
)
def test_refused(function: object, x: np.ndarray, text: str) -> None:
    with pytest.raises(s2sgrad.S2sgradError, match=text):
        s2sgrad.grad(function, fallback="error")(x)
