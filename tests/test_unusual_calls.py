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


def by_memory(x, w):
    y = x.transpose(1, 0, 2).ravel(order="K") * np.reshape(x.T, -1, order="A")
    return np.sum(w * y * (2.0 * x).flatten("K"))


def test_tangents_that_lie_otherwise_in_memory() -> None:
    rng = np.random.default_rng(0)
    c, w, dot = rng.standard_normal((2, 3, 4)), rng.standard_normal(24), np.zeros((2, 3, 4))
    dot[1, 0, 2] = 1.0
    for x in (
        c,
        np.asfortranarray(c),
        np.ascontiguousarray(c.transpose(1, 2, 0)).transpose(2, 0, 1),
    ):
        s2sgrad.check_grad(by_memory, x, w)
        gradient = s2sgrad.grad(by_memory, fallback="error")
        pushed = s2sgrad.jvp(by_memory, (x, w), (dot, None), fallback="error")[1]
        np.testing.assert_allclose(pushed, gradient(x, w)[1, 0, 2])
        near = np.empty_like(x)
        near[...] = 1e-5 * dot
        expected = (gradient(x + near, w) - gradient(x - near, w)) / 2e-5
        found = s2sgrad.hvp(by_memory, fallback="error")(x, w, dot)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def guarded(a):
    try:
        root = scipy.linalg.expm(a) @ scipy.linalg.sqrtm(a)
    except ValueError:
        root = a
    return np.sum(root**2)


def test_functions_of_scipy_on_tensors() -> None:
    with pytest.warns(UserWarning, match="try"):
        s2sgrad.check_grad(guarded, np.array([[2.0, 0.3], [0.1, 1.0]]))
