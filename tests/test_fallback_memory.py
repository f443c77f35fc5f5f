"""Functions that run on tensors share memory where NumPy's do: what is handed back is no copy."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest

import s2sgrad

X = np.array([0.31, 0.72, 0.53, 0.44])
CALLS: list[Callable[[np.ndarray], np.ndarray]] = [
    np.ascontiguousarray,
    np.asfortranarray,
    np.require,
    np.asarray_chkfinite,
    np.asarray,
    np.array,
    np.conj,
    np.real,
    np.ravel,
    lambda y: np.asarray(y, copy=True),
    lambda y: np.array(y, copy=False),
    lambda y: np.array(y, ndmin=2)[0],
    lambda y: y.conj(),
    lambda y: y.astype(float, copy=False),
    lambda y: y.flatten(),
    lambda y: +y,
]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("through", [True, False])
def test_memory_is_shared_as_in_numpy(
    call: Callable[[np.ndarray], np.ndarray], through: bool
) -> None:
    def f(x):
        try:
            y = x * 2.0
            v = call(y)
        finally:
            before = x[0]
        if through:
            v[0] *= x[1]
        else:
            y *= x[0]
        return (v * v * v).sum() + (y * y).sum() * before

    steps = 1e-6 * np.eye(4)
    expected = [(f(X + h) - f(X - h)) / 2e-6 for h in steps]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_allclose(s2sgrad.grad(f)(X), expected, rtol=1e-6, atol=1e-7)


def in_other_orders(x):
    try:
        square = x.reshape(2, 2)
    finally:
        pass
    by_columns = np.asfortranarray(square)
    along = by_columns.T.reshape(-1)
    along *= x
    again = np.array(square, order="F").ravel("F")
    again[1] *= x[2]
    rows = square.T.copy()
    flat = rows.reshape(-1)
    flat[2] *= x[0]
    laid = np.asarray(rows, order="F")
    laid[0] *= x[3]
    return np.sum(by_columns**3) + np.sum(rows**2 * square) + again @ x + np.sum(laid**2)


def test_copies_lie_in_the_order_that_numpy_gives_them() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = s2sgrad.grad(in_other_orders)(X)
    steps = np.eye(4) * 1e-5
    slopes = [(in_other_orders(X + h) - in_other_orders(X - h)) / 2e-5 for h in steps]
    np.testing.assert_allclose(found, slopes, rtol=1e-7)
