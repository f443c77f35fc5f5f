"""Searches: what is kept of them for the reverse sweep, and equal candidates under Numba."""

from __future__ import annotations

import numpy as np
import programs
import pytest

import s2sgrad

KEPT = {p.function.__name__: p for p in programs.load() if p.name.startswith("kept_trips.")}
# What saves one place for each search, and nothing for each trip of it.
SEARCHES = {
    "nearest_of_each": ["best_j_saved", "sqrt_best_saved"],
    "matrix_chain": ["best_k_saved"],
    "matrix_chain_in_place": ["m_entry_k_saved"],
    "matrix_chain_with_a_budget": ["m_entry_k_saved"],
    "closest_pair": [],
    "range_of_a_signal": [],
    "best_and_what_came_with_it": [],
    "best_of_those_that_count": [],
    "going_down": [],
    "until_good_enough": [],
    "searched_through_two_at_once": [],
    "two_searches_for_one_name": [],
    "cut_a_rod": ["best_cut_saved", "sqrt_best_cut_saved"],
    "last_that_is_positive": [],
    "pivots": ["pivot_r_saved", "pivot_saved"],
}


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_keeps_one_place(name):
    p = KEPT[name]
    args, kwargs = p.example()
    text = s2sgrad.grad(p.function, p.wrt).source(*args, **kwargs)
    found = {w for line in text.splitlines() for w in line.split(".")[:1] if ".append(" in line}
    assert sorted(w.strip() for w in found) == SEARCHES[name]


@pytest.mark.parametrize("name", ["previous_trip_takes_part", "improved_in_steps"])
def test_a_loop_of_which_all_trips_matter_keeps_them(name):
    p = KEPT[name]
    args, kwargs = p.example()
    assert ".append(" in s2sgrad.grad(p.function, p.wrt).source(*args, **kwargs)


def by_python(x):
    m = -np.inf
    for v in x:
        m = max(m, v * v)
    return m


def by_python_turned(x):
    m = 0.25
    for k in range(len(x)):
        m = max(x[k] * x[k], m)
    return m


def by_numpy_going_down(x):
    m = np.inf
    for k in range(len(x) - 1, -1, -1):
        m = np.minimum(m, x[k] * x[k])
    return m


def of_each_row(rows):
    total = 0.0
    for row in rows:
        m = row[0]
        for k in range(len(row)):
            m = max(m, abs(row[k]))
        total += m * m
    return total


X = [
    np.array([1.0, -2.0, 0.5, 2.0, 1.0, -2.0]),
    np.array([0.5, 0.5, -0.5]),
    np.array([0.1, 0.2]),
    np.array([3.0]),
    np.zeros(0),
    np.array([2.0, np.nan, 3.0]),
    np.array([np.nan, np.nan]),
]


@pytest.mark.parametrize("function", [by_python, by_python_turned, by_numpy_going_down])
@pytest.mark.parametrize("x", X, ids=str)
def test_compiled_code_shares_ties_as_numpy_code_does(function, x):
    value, gradient = s2sgrad.value_and_grad(function)(x)
    found, compiled = s2sgrad.value_and_grad(function, jit=True)(x)
    assert np.array_equal(value, function(x), equal_nan=True)
    assert np.array_equal(found, value, equal_nan=True)
    if not np.isnan(x).any():
        assert np.array_equal(gradient, compiled)


def test_ties_in_each_of_several_searches():
    rows = np.array([[1.0, -1.0, 0.3], [2.0, 0.1, -2.0], [-3.0, 2.0, 1.0], [0.0, 0.0, 0.0]])
    expected = s2sgrad.grad(of_each_row)(rows)
    assert np.array_equal(s2sgrad.grad(of_each_row, jit=True)(rows), expected)
    assert np.array_equal(
        s2sgrad.jvp(of_each_row, (rows,), (np.ones_like(rows),))[1], expected.sum()
    )
