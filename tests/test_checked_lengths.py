"""Lengths are compared once: loops over equal ones are joined, unequal ones raise."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import s2sgrad

pytest.importorskip("numba")


def american_put(spot: float, sigma: float, strike: float, n: int) -> Any:
    dt = 1.0 / n
    up = np.exp(sigma * np.sqrt(dt))
    p = (np.exp(0.05 * dt) - 1.0 / up) / (up - 1.0 / up)
    S = spot * np.exp(sigma * np.sqrt(dt) * (n - 2.0 * np.arange(n + 1)))
    V = np.maximum(strike - S, 0.0)
    for i in range(n, 0, -1):
        S = S[:i] / up
        V[:i] = np.maximum(0.99 * (p * V[:i] + (1 - p) * V[1 : i + 1]), strike - S)
    return V[0]


def shrinking(V: Any, w: float, rounds: int) -> Any:
    total = 0.0
    for _ in range(rounds):
        V = w * V[:-1] + (1 - w) * V[1:] ** 2
        total += np.sum(V)
    return total


def two_lengths(x: Any, y: Any, rounds: int) -> Any:
    total = 0.0
    for k in range(rounds):
        part = x[k:]
        total += np.sum(part * y[: len(y) - k] + np.sin(part))
    return total


def compiled(f: Any, *args: Any) -> str:
    s2sgrad.check_grad(f, *args, jit=True)
    wrt = tuple(k for k, a in enumerate(args) if not isinstance(a, int))
    value_and_grad = s2sgrad.value_and_grad(f, wrt, jit=True, fallback="error")
    assert value_and_grad(*args)[0] == pytest.approx(f(*args), rel=1e-13)
    return value_and_grad.source(*args, jit=True)


def test_loops_over_equal_lengths_are_one() -> None:
    code = compiled(american_put, 100.0, 0.2, 110.0, 8)
    back = code[code.index("for i in range(1, n + 1)") :]
    trip = back[: back.rindex("_saved.pop()")]
    assert len(re.findall(r"for i_2 in", trip)) == 2  # what was saved comes back, and all the rest
    assert len(re.findall(r"if \w+\.shape\[0\] != i:", trip)) == 1


def test_arrays_that_shrink() -> None:
    for n, rounds in ((6, 4), (3, 2), (2, 1), (5, 0)):
        compiled(shrinking, np.linspace(0.1, 0.7, n), 0.4, rounds)


def test_lengths_that_differ_raise_as_numpy_does() -> None:
    compiled(two_lengths, np.linspace(0.1, 1.0, 6), np.linspace(0.5, 0.1, 6), 3)
    f = s2sgrad.value_and_grad(two_lengths, (0, 1), jit=True)
    x, y = np.ones(6), np.ones(6)
    f(x, y, 3)
    with pytest.raises(ValueError, match="broadcast"):
        f(x, np.ones(5), 3)
    value, (x_bar, y_bar) = f(x, np.ones(1), 1)
    assert value == pytest.approx(two_lengths(x, np.ones(1), 1))
    assert y_bar == pytest.approx(np.sum(x)) and x_bar.shape == (6,)


def contracted(x: Any, w: Any, k: int) -> Any:
    return np.sum(np.tensordot(x[:, :k], w, axes=([1], [1])) ** 2)


def broadcast(x: Any, w: Any, k: int) -> Any:
    return np.sum(np.einsum("ab,bc->ac", x[:, :k], w.T) ** 2)


def test_lengths_that_are_summed_over_together() -> None:
    """Unequal ones are NumPy's error; einsum takes one entry for as many as the others have."""
    x, w = np.arange(8.0).reshape(2, 4) / 7, np.arange(15.0).reshape(5, 3) / 11
    for function in (contracted, broadcast):
        assert "UnequalLengths" in compiled(function, x, w, 3)
    df = s2sgrad.grad(contracted, jit=True, fallback="error")
    assert df(x, w, 3).shape == x.shape
    with pytest.raises(ValueError, match="shape-mismatch"):
        df(x, w, 2)
    df = s2sgrad.grad(broadcast, jit=True, fallback="error")
    df(x, w, 3)
    s2sgrad.check_grad(broadcast, x, w, 1)
    np.testing.assert_allclose(df(x, w, 1), s2sgrad.grad(broadcast)(x, w, 1))


def test_no_factor_of_a_product_is_stretched() -> None:
    """An array of one entry is one with `*`; with `@` it is an error, whatever came before."""

    def scaled(x, s):
        return np.sum((np.ones((2, 4)) * s @ x) ** 2)

    def rolled_out(x, us):
        gains = []
        for u in us:
            gains.insert(0, np.outer(u, np.arange(1.0, 5.0)))
        total = 0.0
        for gain in gains:
            u = -gain @ x
            total += u @ u
            x = x * 0.5
        return total

    def between(x, y):
        return np.sum(np.sin(x) @ np.cos(y).T)

    whole, one = np.ones(4), np.ones(1)
    for function, good, bad in (
        (scaled, (whole, 2.0), (one, 2.0)),
        (rolled_out, (whole, np.ones((3, 2))), (one, np.ones((3, 2)))),
        (between, (np.ones((2, 3)), np.ones((2, 3))), (np.ones((2, 3)), np.ones((2, 1)))),
    ):
        gradient = s2sgrad.grad(function, jit=True, fallback="error")
        plain = s2sgrad.grad(function, fallback="error")
        np.testing.assert_allclose(gradient(*good), plain(*good), rtol=1e-12)
        with pytest.raises(ValueError, match="mismatch in its core dimension"):
            gradient(*bad)
        np.testing.assert_allclose(gradient(*good), plain(*good), rtol=1e-12)


def test_parts_of_a_stack_are_as_long() -> None:
    def stacked(a, b):
        return np.sum(np.stack([a, b]) ** 2) + np.sum(np.vstack([a, b])[:, 0])

    gradient = s2sgrad.grad(stacked, jit=True, fallback="error")
    gradient(np.ones(3), np.ones(3))
    for lengths in ((3, 1), (1, 3)):
        with pytest.raises(ValueError, match="must"):
            gradient(*map(np.ones, lengths))


def test_whole_numbers_are_added_to_as_many_entries() -> None:
    """Numba's own `+=` reads beyond the end of what is shorter."""

    def reactions(x0, draws):
        changes = np.array([[-1, 1], [1, -2], [0, 1]])
        x = x0.copy()
        area = 0.0
        for u in draws:
            area += u * x[0] ** 2
            pick = np.searchsorted(np.cumsum(x[:2]), u * 3)
            x += changes[pick]
        return area

    draws = np.array([0.2, 0.5, 0.7])
    gradient, plain = (s2sgrad.grad(reactions, jit=jit, fallback="error") for jit in (True, False))
    two = np.array([1.0, 2.0])
    np.testing.assert_allclose(gradient(two, draws), plain(two, draws), rtol=1e-12)
    with pytest.raises(ValueError, match="could not be broadcast"):
        gradient(np.arange(1.0, 5.0), draws)
