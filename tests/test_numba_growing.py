"""What loops save under Numba where nobody knows how often they run; parts of joined arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from harness import gradient_vector, numeric_gradient

import s2sgrad

pytest.importorskip("numba")


def marched(center: Any, radius: Any, light: Any, n: Any) -> Any:
    """Rays that stop at a sphere; `dist` has no value before the first step."""
    total = 0.0
    for i in range(n):
        d = np.array([(i - n / 2) / n, 0.0, 1.0])
        p = np.zeros(3)
        for _ in range(25):
            dist = np.sqrt(np.sum((p - center) ** 2)) - radius
            if dist < 1e-2:
                break
            p = p + 0.8 * dist * d
        total += np.sum((p - center) * light) / (1.0 + dist * dist)
    return total


def relaxed(x: Any, k: Any, out: Any) -> Any:
    """Many steps for small arrays, few rows to a block for large ones."""
    steps = 0
    while np.max(np.abs(x)) > 0.3:
        x = x - 0.002 * np.tanh(k * x)
        steps += 1
        out[0] = steps
    return np.sum(x * x)


def written_later(x: Any, n: Any) -> Any:
    """What was squared is written into afterwards."""
    k = 0
    a = x * 1.0
    s = 0.0
    while k < n:
        s += np.sum(a * a * x)
        b = a
        if k % 2:
            a = np.sin(a)
        b[0] = 0.5 * k
        k += 1
    return s + a[0] * a[1]


def both(function: Any, argnums: Any, *args: Any) -> str:
    """Compiled, in Python, and by central differences; returns the text that ran."""
    compiled = s2sgrad.value_and_grad(function, argnums, jit=True, fallback="error")
    found = compiled(*args)
    expected = s2sgrad.value_and_grad(function, argnums, fallback="error")(*args)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)
    for one, other in zip(found[1], expected[1], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
    way = np.cos(np.arange(np.size(args[0]))).reshape(np.shape(args[0]))
    ahead, behind = (function(args[0] + h * way, *args[1:]) for h in (1e-6, -1e-6))
    slope = np.sum(found[1][0] * way)
    np.testing.assert_allclose(slope, (ahead - behind) / 2e-6, rtol=1e-6, atol=1e-8)
    return str(compiled.source(*args))


@pytest.mark.slow
def test_rows_of_loops_that_are_left() -> None:
    args = np.array([0.1, -0.05, 3.0]), 1.1, np.array([0.3, 0.5, -0.8]), 6
    assert "p_full.append(p_saved)" in both(marched, (0, 1, 2), *args)


@pytest.mark.slow
def test_blocks_of_few_and_of_many_rows() -> None:
    rng = np.random.default_rng(0)
    for n in (3, 5000):
        x, k, out = rng.uniform(0.4, 1.0, n), rng.uniform(1.0, 2.0, n), np.zeros(1)
        text = both(relaxed, (0, 1), x, k, out)
    assert "x_full.append(x_saved)" in text


def test_arrays_that_are_written_later_stay_in_lists() -> None:
    text = both(written_later, (0,), np.array([0.3, 0.4, 0.5]), 7)
    assert "a_full" not in text


def paths(wall: Any, weights: Any) -> Any:
    """Least sums along paths; numbers stand at the edges, and in the middle of what is joined."""
    res = wall[0].copy()
    for t in range(1, wall.shape[0]):
        left = np.concatenate((np.array([9.0]), res[:-1]))
        right = np.hstack((res[1:], np.array([9.0, 8.0])[1:]))
        res = wall[t] + np.minimum(np.minimum(left, res), right)
    res = np.clip(res, 0.1, 4.0)
    joined = np.concatenate((res[2:], np.array([1.0, 2.0]), res, np.array([3.0])))
    stacked = np.vstack((wall[:1], wall[:-1])) - wall
    return np.sum(joined * joined) + np.sum(np.concatenate((stacked, wall[1:])) ** 2 * weights)


def pairs(pos: Any, vel: Any, dt: Any, steps: Any) -> Any:
    """Lengths of loops are those of arrays that are replaced."""
    for _ in range(steps):
        force = np.zeros_like(pos)
        for i in range(pos.shape[0]):
            for j in range(i + 1, pos.shape[0]):
                d = pos[i] - pos[j]
                g = 1.0 / (np.sum(d * d) + 0.1)
                force[i] += g * d
                force[j] -= g * d
        vel = vel + dt * force
        pos = pos + dt * vel
    return 0.5 * np.sum(vel * vel)


@pytest.mark.slow
def test_joined_parts_and_lengths_of_what_is_replaced() -> None:
    rng = np.random.default_rng(0)
    text = both(paths, (0, 1), rng.uniform(size=(5, 6)), rng.uniform(size=6))
    assert not any(t in text for t in ("split_like", "np.vstack", "np.concatenate", "np.clip"))
    text = both(pairs, (0, 1, 2), rng.normal(size=(5, 3)), rng.normal(size=(5, 3)), 0.1, 3)
    assert "trips" not in text


def first_in_loops(x: Any, n: Any, m: Any) -> Any:
    """`s` has no value before the inner loop, and is kept in an array by its counters."""
    total = 0.0
    for i in range(n):
        y = x * (1.0 + i)
        for j in range(m):
            t = np.sum(y * y)
            s = np.sqrt(t + j)
            y = y / s
        total += s * y[0]
    return total


def variances(x: Any, w: Any) -> Any:
    """Over axes, where Numba has none; of all entries; of what is computed."""
    a = np.var(x, axis=(0, 2), keepdims=True)
    b = x.std(axis=1)
    c = np.var(x * w) + np.sum(np.std(x, 0))
    return np.sum(a * a * w[0, 0]) + np.sum(b**3) + c + np.sum(np.var(x, axis=0, ddof=1))


@pytest.mark.slow
def test_numbers_without_a_value_yet_and_variances() -> None:
    rng = np.random.default_rng(0)
    text = both(first_in_loops, (0,), rng.normal(size=4), 3, 2)
    assert "if s is None" in text and "append" not in text
    both(variances, (0, 1), rng.normal(size=(3, 4, 5)), rng.normal(size=(4, 5)))


def states_by_rows(a: Any, h: Any) -> Any:
    for row in a:
        h = np.tanh(row * h)
    return np.sum(h**2)


def rows_with_numbers(a: Any, h: Any) -> Any:
    for k, row in enumerate(a):
        h = np.tanh(row * h) * (k + 1)
    return np.sum(h**2)


def pairs_of_rows(a: Any, h: Any) -> Any:
    b = a * a
    for row, other in zip(a, b, strict=True):
        h = np.tanh(row * h) + other
    return np.sum(h**2)


@pytest.mark.parametrize("f", [states_by_rows, rows_with_numbers, pairs_of_rows])
def test_what_loops_over_rows_save_has_its_place(f: Any) -> None:
    a, h = np.linspace(0.3, 1.2, 12).reshape(4, 3), np.array([0.4, -0.7, 0.9])
    compiled = s2sgrad.grad(f, (0, 1), jit=True, fallback="error")
    source = compiled.source(a, h)
    assert "_full" not in source and "np.empty((len(a), " in source
    for given in (a, h), (a[:0], h), (a[:1], h):
        found = gradient_vector(compiled(*given), given)
        expected = numeric_gradient(f, given, {}, (0, 1), ["a", "h"])
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)
