"""Functions of NumPy and SciPy as few programs call them: slopes in every mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy
import scipy.linalg
import scipy.signal
import scipy.special

import s2sgrad


def check(f: Any, x: Any, *rest: Any) -> None:
    """Gradient against differences of f, Hessian times a vector against those of the gradient."""
    s2sgrad.check_grad(f, x, *rest)
    gradient = s2sgrad.grad(f, fallback="error")
    v, step = np.random.default_rng(1).standard_normal(np.shape(x)), 1e-5
    expected = (gradient(x + step * v, *rest) - gradient(x - step * v, *rest)) / (2.0 * step)
    found = s2sgrad.hvp(f, fallback="error")(x, *rest, v)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6 * (1.0 + np.max(abs(found))))


def along_one_axis(x, function, w, rest):
    y = function(x, *rest)
    ys = y if isinstance(y, tuple | list) else [y]
    return sum(np.sum(b * one**2) for b, one in zip(w, ys, strict=True))


def valid(x, y):
    return scipy.signal.fftconvolve(x, y, mode="valid", axes=1)


def integrals(x):
    return scipy.special.sici(x)


def test_sizes_that_are_differences_of_two_unknown_ones() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((3, 5)), rng.standard_normal((3, 2))
    check(along_one_axis, x, valid, [np.ones((3, 4))], (y,))


def test_several_results_beside_a_list() -> None:
    check(along_one_axis, np.array([0.3, 0.8]), integrals, [np.ones(2), 2.0 * np.ones(2)], ())


def guarded(a):
    try:
        root = scipy.linalg.expm(a) @ scipy.linalg.sqrtm(a)
    except ValueError:
        root = a
    return np.sum(root**2)


def test_functions_of_scipy_on_tensors() -> None:
    with pytest.warns(UserWarning, match="try"):
        s2sgrad.check_grad(guarded, np.array([[2.0, 0.3], [0.1, 1.0]]))
