"""Subscripts in compiled loops: what lies beside an array is an error, as it is in Python.

Where counters are known to stay within all axes nothing is asked; the calls here take turns with
some that go beyond.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sgrad

pytest.importorskip("numba")

X = np.arange(5.0) + 0.3


def counted(x, n):
    total = 0.0
    for i in range(n):
        total += x[i] * x[i] * i
    return total


def counted_from_the_end_too(x, n):
    total = 0.0
    for i in range(n):
        total += x[i - 1] * x[i]
    return total


def guarded(x, n, limit):
    total = 0.0
    for i in range(n):
        total += x[i] * x[i + 1] if i < limit else x[0]
    return total


def recurrence(x, start, stop):
    y = x * 2.0
    for i in range(start, stop):
        y[i + 1] += y[i] * y[i - 1]
    return np.sum(y * y)


def of_two_lengths(x, n):
    y = x[:n]
    total = 0.0
    for i in range(len(x)):
        total += x[i] * y[i]
    return total


CALLS: list[tuple[Any, list[tuple[int, ...]]]] = [
    (counted, [(5,), (3,), (0,), (6,), (5,)]),
    (counted_from_the_end_too, [(5,), (0,), (6,), (4,)]),
    (guarded, [(4, 4), (6, 4), (9, 3), (5, 5)]),
    (recurrence, [(1, 4), (0, 4), (-2, 3), (1, 5), (-7, 2)]),
    (of_two_lengths, [(5,), (3,)]),
]


@pytest.mark.parametrize(("function", "calls"), CALLS)
def test_the_same_entries_or_the_same_error(function: Any, calls: list[tuple[int, ...]]) -> None:
    compiled = s2sgrad.value_and_grad(function, jit=True)
    plain = s2sgrad.value_and_grad(function)
    for call in calls:
        try:
            value, bar = plain(X, *call)
        except IndexError as error:
            with pytest.raises(IndexError) as found:
                compiled(X, *call)
            assert str(found.value) == str(error)
            continue
        again, bar_again = compiled(X, *call)
        assert np.isclose(again, value) and np.allclose(bar_again, bar)


@pytest.mark.slow
def test_literal_subscripts_in_loops_beside_what_is_as_long_as_the_given() -> None:
    def columns(a: Any, n: int) -> Any:
        total, y = np.sum(a), a[:, 0] * 1.0
        for k in range(n):
            y[4] += a[k % 1, 3] * np.sum(np.tanh(a[:, 2]))
            row = a[k] * 2.0
            total = total + row[-5] ** 2
        if a.shape[1] > 7:
            total = total + a[0, 7]
        return total + np.sum(y)

    df = s2sgrad.grad(columns, jit=True, fallback="error")
    a = np.linspace(0.1, 1.0, 30).reshape(6, 5)
    step = 1e-6 * np.eye(30).reshape(30, 6, 5)
    slopes = [(columns(a + e, 3) - columns(a - e, 3)) / 2e-6 for e in step]
    np.testing.assert_allclose(df(a, 3).ravel(), slopes, rtol=1e-7)
    for small in (a[:4], a[:, :4], a[:, :1]):
        with pytest.raises(IndexError, match="out of bounds"):
            df(small, 3)
        np.testing.assert_array_equal(
            df(small, 0), np.eye(1, small.shape[1]) + np.ones(small.shape)
        )


def ring_that_shrinks(x, n):
    length, total = np.array([n]), 0.0
    for j in range(length[0]):
        length[0] = 3
        total += np.exp(x[j] * x[(j + 1) % length[0]])
    return total


def test_a_length_that_the_loop_changes() -> None:
    step = np.cos(X)
    for n in (5, 4, 0):
        found = s2sgrad.jvp(ring_that_shrinks, (X, n), (step, None), jit=True, fallback="error")
        near = [ring_that_shrinks(X + h * step, n) for h in (-1e-6, 1e-6)]
        wanted = ring_that_shrinks(X, n), (near[1] - near[0]) / 2e-6
        np.testing.assert_allclose(found, wanted, rtol=1e-7)


def _written_beside(x: Any) -> Any:
    y = np.zeros(3)
    y[np.array([0, 5])] += x[0]
    return y.sum()


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.sum(x[np.array([0, 9])] ** 2),
        lambda x: x[[0, -7]].sum(),
        lambda x: (x.reshape(5, 1) * np.ones(3))[[0, 1], [0, 4]].sum(),
        _written_beside,
    ],
)
def test_lists_of_literals_beside_an_array(function: Any) -> None:
    """In forward mode too, where no statement gives the list a name."""
    x = np.linspace(1.0, 2.0, 5)
    with pytest.raises(IndexError):
        s2sgrad.jvp(function, (x,), (x,), jit=True)
    with pytest.raises(IndexError):
        s2sgrad.grad(function, jit=True)(x)


@pytest.mark.parametrize(
    "function",
    [
        lambda x, n: (np.ones(n) * x[1])[2] * x[0],
        lambda x, n: x[:n][1] * x[:n][0],
        lambda x, n: x[x > 1.0][-3],
        lambda x, n: np.diff(x[:n])[1] * x[0],
        lambda x, n: np.zeros((n, n))[1, 2] + x[0],
    ],
)
def test_literals_beside_an_array_whose_length_a_run_decides(function: Any) -> None:
    x = np.linspace(1.0, 2.0, 5)
    df = s2sgrad.value_and_grad(function, jit=True, fallback="error")
    value, _ = df(x, 4)
    assert np.isclose(value, function(x, 4))
    for n in (1, 0):
        try:
            expected = function(x if n else x - 1.0, n)
        except IndexError:
            with pytest.raises(IndexError):
                df(x if n else x - 1.0, n)
        else:
            assert np.isclose(df(x if n else x - 1.0, n)[0], expected)
