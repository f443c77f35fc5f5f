"""Numba's versions of what is done to lists, and of transposes, against Python's and NumPy's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sgrad

numba = pytest.importorskip("numba")

import s2sgrad_runtime.numba_lists  # noqa: E402
import s2sgrad_runtime.numba_orders  # noqa: E402
import s2sgrad_runtime.numba_trees  # noqa: F401, E402
from s2sgrad_runtime import (  # noqa: E402
    hstack_bars,
    negated,
    norm_pullback,
    products_of_others,
    split_like,
    stop_gradient,
    unaccumulate,
    undiag,
    undiagonal,
    unreshape,
    unsort,
)
from s2sgrad_runtime.trees import place_of_max, place_of_min, sort_order  # noqa: E402

X, M = np.array([3.0, 1.0, 2.0, 0.0]), np.arange(16.0).reshape(4, 4)


def agree(function: Callable[..., Any], *args: Any) -> None:
    """The function gives the same under Numba."""
    for found, expected in zip(numba.njit(function)(*args), function(*args), strict=True):
        if isinstance(expected, list):
            assert len(found) == len(expected)
            for one, two in zip(found, expected, strict=True):
                np.testing.assert_array_equal(one, two)
        else:
            np.testing.assert_array_equal(found, expected)


def test_sort_order_is_stable_both_ways() -> None:
    ordered = numba.njit(lambda keys, reverse: sort_order(keys, reverse))
    rng = np.random.default_rng(0)
    for count in (0, 1, 2, 3, 5, 17, 64):
        keys = rng.integers(0, 5, count).astype(float)
        for reverse in (False, True):
            assert ordered(keys, reverse) == sort_order(keys.tolist(), reverse)


def test_places_and_order_of_tuples() -> None:
    def f(x: Any) -> Any:
        pairs = [(v, -v) for v in x]
        pairs.append((0.0, 1.0))
        return sort_order(pairs), place_of_max(pairs), place_of_min(pairs), stop_gradient(x)

    agree(f, X)


@pytest.mark.slow
def test_lists_of_arrays_become_arrays() -> None:
    def f(x: Any, m: Any) -> Any:
        rows, blocks = [x], [m, 2.0 * m]
        for k in range(2):
            rows.append(x * k)
        return (
            np.array(rows), np.asarray(rows), np.stack(rows), np.vstack(rows),
            np.concatenate(rows), np.hstack(rows), np.array(blocks), np.vstack(blocks),
            np.concatenate(blocks, 0), np.stack(blocks),
        )  # fmt: skip

    agree(f, X, M)


@pytest.mark.slow
def test_lists_of_unequal_arrays_are_refused() -> None:
    stacked = numba.njit(lambda x: np.array([x, x[1:]]))
    with pytest.raises(ValueError, match="same shape"):
        stacked(X)


@pytest.mark.slow
def test_joined_arrays_come_apart() -> None:
    def vectors(y: Any, a: Any, b: Any) -> Any:
        return (
            split_like(y, [a, b]), split_like(y, (a, b, a[:0]), 0), split_like(y, (b, a), None),
            hstack_bars(y, (a, b)),
        )  # fmt: skip

    agree(vectors, np.arange(7.0), np.ones(3), np.ones(4))
    agree(lambda y, a, b: split_like(y, [a, b]), np.arange(8.0).reshape(4, 2), M[:3, :2], M[:1, :2])


@pytest.mark.slow
def test_transposes_of_orders_and_diagonals() -> None:
    def f(x: Any, m: Any) -> Any:
        return (
            undiag(m, x), undiag(x, m), undiag(x[:3], m, 1), undiagonal(x[:3], m, -1),
            unsort(x, x), unaccumulate(x, x), products_of_others(x), products_of_others(m, None),
            products_of_others(x, 0, 2.0),
        )  # fmt: skip

    agree(f, X, M)
    flat = numba.njit(lambda y, a: unreshape(y, a, "C"))
    np.testing.assert_array_equal(flat(np.arange(16.0), M), M)


@pytest.mark.slow
def test_turned_arrays_and_norms() -> None:
    def f(x: Any, m: Any) -> Any:
        return (
            np.roll(x, 1, None), np.roll(m, -1, 0), np.roll(m, 6, 1), np.roll(m, -2, axis=-1),
            np.roll(x, negated(2), axis=0), norm_pullback(2.0, 0.5, x, None, None, False),
            norm_pullback(2.0, 0.0, m),
        )  # fmt: skip

    found = numba.njit(f)(X, M)
    for one, two in zip(found[:5], f(X, M)[:5], strict=True):
        np.testing.assert_array_equal(one, two)
    np.testing.assert_allclose(found[5], 4.0 * X)
    np.testing.assert_array_equal(found[6], np.zeros_like(M))


# --- in gradients ----------------------------------------------------------------------------
def rows_in_order(x: np.ndarray) -> float:
    scaled = [v * (k + 1.0) for k, v in enumerate(x)]
    scaled.sort(reverse=True)
    rows = []
    for k in range(len(x)):
        rows.append(x * scaled[k])
    with np.errstate(divide="ignore"):
        table = np.log(np.array(rows) ** 2 + 1.0)
    return np.sum(table) + np.sum(np.concatenate(rows) ** 2) + np.diag(table)[1]


def table_of_lists(x: np.ndarray) -> float:
    cost = [[0.0] * 3 for _ in range(len(x))]
    for i in range(len(x)):
        for j in range(3):
            cost[i][j] = x[i] * j + (cost[i - 1][j] ** 2 if i > 0 else 0.0)
    return cost[-1][2] + cost[1][1]


def advanced(state: np.ndarray) -> np.ndarray:
    first, second, third = state
    return np.array([first + 0.1 * third, second * third, third - 0.2 * first])


def joined_along_later_axes(x: np.ndarray) -> float:
    rows, ends, total = [], [], 0.0
    for _ in range(2):
        x = advanced(x)
        for third in range(2):  # a number there, a place here
            total += x[third]
        rows.append(x * 1.5)
        ends.append(np.outer(x, x) + np.eye(3))
    table = np.stack(rows, axis=1) @ np.linalg.inv(np.stack(rows, axis=1)[:2])
    wide = np.concatenate(ends, axis=1) * np.hstack(ends)
    blocks = np.block([[ends[0], table], [table.T, np.linalg.inv(ends[1])[:2, 1:]]])
    return total + np.sum(wide) + np.linalg.slogdet(blocks)[1]


LONGER = (rows_in_order, joined_along_later_axes)


@pytest.mark.parametrize(
    "function",
    [table_of_lists, *(pytest.param(f, marks=pytest.mark.slow) for f in LONGER)],
)
def test_lists_made_inside_stay_compiled(function: Any) -> None:
    x = np.array([0.3, -0.4, 0.8])
    made = s2sgrad.value_and_grad(function, jit=True, fallback="error")
    found, expected = made(x), s2sgrad.value_and_grad(function, fallback="error")(x)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-13)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-12)
    assert "compiled by Numba: all of it" in made.explain(x)


def grown(rows, v):
    if v > 0.5:
        rows[0].append(v * rows[1][0])
        grown(rows, v * 0.6)


def rows_grown_by_recursion(x, n, twice):
    rows, row = [], [x[0]]
    for i in range(n):
        if twice:
            rows.append(row)
        else:
            rows.append([x[i]])
    grown(rows, x[2])
    total = 0.0
    for row in rows:
        for v in row:
            total += v * v
    return total


@pytest.mark.slow
def test_a_list_held_twice_is_refused_where_recursion_changes_it() -> None:
    x = np.linspace(0.3, 1.4, 3)
    for jit in (False, True):
        df = s2sgrad.grad(rows_grown_by_recursion, fallback="error", jit=jit)
        steps = 1e-6 * np.eye(3)
        f = rows_grown_by_recursion
        numeric = [(f(x + e, 2, False) - f(x - e, 2, False)) / 2e-6 for e in steps]
        np.testing.assert_allclose(df(x, 2, False), numeric, rtol=1e-7)
        with pytest.raises(ValueError, match="holds one of them twice"):
            df(x, 2, True)


@pytest.mark.slow
def test_tuples_of_unknown_lengths_stay_tuples_between_compiled_code_and_python() -> None:
    def counted(x: Any) -> Any:
        d, i = {}, [0, 0]
        A = np.outer(x, x)
        s = 0.0
        for k in range(4):
            i[k % 2] += 1
            d[tuple(i)] = x[k] * 2
            s = s + A[[*i], [0, 1]].sum() * A[tuple(i)]
        return s + sum(v * v * k[0] for k, v in d.items()) + d[1, 1]

    x = np.linspace(0.4, 1.3, 4)
    _, pullback = s2sgrad.vjp(counted, x, jit=True, fallback="error")
    slopes = [(counted(x + e) - counted(x - e)) / 2e-6 for e in 1e-6 * np.eye(4)]
    for _ in range(2):
        np.testing.assert_allclose(pullback(1.0)[0], slopes, rtol=1e-7)
