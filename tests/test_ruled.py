"""Functions that have a rule, differentiated by name: grad(np.sin)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import special

import s2sgrad

X = np.array([0.5, 2.0])


def cube(x: Any) -> Any:
    return np.asarray(x) ** 3


@s2sgrad.rule(cube)
def cube_rule(y_bar, y, x):
    return y_bar * 3.0 * x * x


def test_numpy_functions() -> None:
    assert s2sgrad.grad(np.sin)(0.5) == np.cos(0.5)
    assert s2sgrad.grad(s2sgrad.grad(np.sin))(0.5) == pytest.approx(-np.sin(0.5))
    assert s2sgrad.grad(np.hypot, argnums=(0, 1))(3.0, 4.0) == pytest.approx((0.6, 0.8))
    np.testing.assert_allclose(s2sgrad.value_and_grad(np.linalg.norm)(X)[1], X / np.sqrt(4.25))
    np.testing.assert_allclose(s2sgrad.vjp(np.dot, X, 2.0 * X)[1](1.0)[0], 2.0 * X)
    np.testing.assert_allclose(s2sgrad.jvp(np.exp, (X,), (X,))[1], X * np.exp(X))


def test_jacobians() -> None:
    expected = np.diag(np.cos(X))
    for kind in (s2sgrad.jacobian, s2sgrad.jacfwd, s2sgrad.jacrev):
        np.testing.assert_allclose(kind(np.sin)(X), expected)
    np.testing.assert_allclose(s2sgrad.hvp(np.prod)(X, X), X[::-1])
    gamma = s2sgrad.jacobian(special.gamma)(X)
    np.testing.assert_allclose(np.diag(gamma), special.gamma(X) * special.digamma(X))
    assert s2sgrad.jacobian(np.linalg.norm)(np.ones((2, 3)), axis=1).shape == (2, 2, 3)


def test_other_functions() -> None:
    assert s2sgrad.grad(math.sin)(0.0) == 1.0
    assert s2sgrad.grad(np.exp, jit=True)(0.0) == 1.0
    assert s2sgrad.grad(cube)(2.0) == 12.0
    assert s2sgrad.check_grad(np.tanh, 0.3) is None


def test_no_source() -> None:
    with pytest.raises(
        (s2sgrad.S2sgradError, TypeError), match=r"no argument|not available|argnums"
    ):
        s2sgrad.grad([].append, fallback="error")(2.0)
