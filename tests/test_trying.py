"""Exceptions that a `try` handles when the code runs: the call goes the way of the tensors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import s2sgrad


def central_differences(f: Any, x: np.ndarray, step: float = 1e-6) -> np.ndarray:
    moves = step * np.eye(x.size)
    return np.array([(f(x + e) - f(x - e)) / (2 * step) for e in moves])


def _definite(a):
    try:
        np.linalg.cholesky(a)
        return True
    except np.linalg.LinAlgError:
        return False


def penalised(x):
    a = np.diag(x) - np.eye(3)
    return np.sum(a**3) if _definite(a) else 5.0 * np.sum(x**2)


def unused_root(x):
    try:
        np.linalg.inv(np.diag(x - 1.0))
        weight = 2.0
    except np.linalg.LinAlgError:
        weight = 3.0
    return weight * np.sum(x**2)


def roots(x):
    total = 0.0
    for v in x:
        try:
            total += math.sqrt(v - 1.0)
        except ValueError:
            total += v**2
    return total


def has_shape(x):
    v = x[0]
    try:
        np.sum(v.shape)
        factor = 1.0
    except AttributeError:
        factor = 2.0
    return v * factor


X = {
    penalised: (np.array([2.0, 3.0, 1.5]), np.array([2.0, 0.5, 1.5])),
    unused_root: (np.array([2.0, 3.0, 1.5]), np.array([2.0, 1.0, 1.5])),
    roots: (np.array([2.0, 3.0, 1.5]), np.array([2.0, 0.5, 1.5])),
}


@pytest.mark.parametrize("f", X, ids=lambda f: f.__name__)
@pytest.mark.parametrize("jit", [False, True])
def test_what_fails_at_run_time_runs_on_tensors(f: Any, jit: bool) -> None:
    fine, failing = X[f]
    df = s2sgrad.grad(f, jit=jit)
    strict = s2sgrad.grad(f, jit=jit, fallback="error")
    for found in (df(fine), strict(fine)):
        np.testing.assert_allclose(found, central_differences(f, fine), rtol=1e-6, atol=1e-7)
    with pytest.warns(UserWarning, match="this 'try' handles a"):
        found = df(failing)
    if f is unused_root:  # singular at this point only
        np.testing.assert_allclose(found, 6.0 * failing)
    else:
        np.testing.assert_allclose(found, central_differences(f, failing), rtol=1e-6, atol=1e-7)
    with pytest.raises(s2sgrad.UnsupportedError, match="this 'try' handles a"):
        strict(failing)
    np.testing.assert_allclose(df(fine), strict(fine))


def test_second_derivatives_notice_too() -> None:
    v = np.array([1.0, -1.0, 0.5])
    fine, failing = X[unused_root]
    hvp = s2sgrad.hvp(unused_root)
    np.testing.assert_allclose(hvp(fine, v), 4.0 * v)
    with pytest.warns(UserWarning, match="tensors"):
        np.testing.assert_allclose(hvp(failing, v), 6.0 * v)


def test_numbers_of_python_and_of_numpy() -> None:
    assert s2sgrad.grad(has_shape)(np.ones(2))[0] == 1.0
    with pytest.raises(s2sgrad.UnsupportedError, match="handles an AttributeError"):
        s2sgrad.grad(has_shape)([1.0, 2.0])


def test_explain_says_why_numba_does_not_compile_it() -> None:
    text = s2sgrad.grad(penalised, jit=True).explain(X[penalised][0])
    assert "not compiled by Numba" in text and "test_trying.py" in text
