"""How generated code is written: as the user wrote it where that can stay, and as short."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

import s2sgrad


def source(function: Callable[..., Any], *args: Any, argnums: Any = 0) -> str:
    made = s2sgrad.value_and_grad(function, argnums=argnums, fallback="error")
    s2sgrad.check_grad(function, *args)
    return made.source(*args)


def body(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()[1:] if line.strip()]


X = np.array([0.5, -0.3, 0.8])


def test_a_cotangent_that_stays_one_is_not_written() -> None:
    def f(x):
        total = 0.0
        for i in range(len(x)):
            if x[i] > 0.0:
                total += 3.0 * np.sin(x[i])
            else:
                total -= x[i] ** 2
        return total

    assert body(source(f, X)) == [
        "total = 0.0",
        "for i in range(len(x)):",
        "if x[i] > 0.0:",
        "total += 3.0 * np.sin(x[i])",
        "else:",
        "total -= x[i] ** 2",
        "x_bar = np.zeros_like(x)",
        "for i in reversed(range(len(x))):",
        "if x[i] > 0.0:",
        "x_bar[i] += 3.0 * np.cos(x[i])",
        "else:",
        "x_bar[i] -= 2.0 * x[i]",
        "return total, x_bar",
    ]


def test_sums_stay_as_they_are_written() -> None:
    def f(x):
        a, b = x[0], x[1]
        for _ in range(2):
            a = a + b * a
            b *= a
        return a * b

    lines = body(source(f, X))
    assert "a = a + b * a" in lines and "b *= a" in lines


def test_arrays_are_not_added_to_in_place_where_the_user_did_not() -> None:
    def f(x):
        y = x
        for _ in range(2):
            y = y + y * x
        return np.sum(y * x)

    assert "y = y + y * x" in body(source(f, X))


def test_literals_lead_products() -> None:
    def f(x, w):
        return 0.5 * w * np.sum((x - w) ** 2)

    lines = body(source(f, X, 0.7, argnums=(0, 1)))
    assert not any("(2.0 *" in line for line in lines)


def test_what_is_the_same_in_each_trip_is_not_saved() -> None:
    def f(x, t):
        s = x[0]
        for i in range(3):
            width = math.sqrt(2.0 * t)
            weights = np.array([1.0, 2.0, 0.5])
            s = s * math.exp(-width) * (weights @ x) + x[i]
        return s

    text = source(f, X, 0.3)
    assert "width_saved" not in text and "weights_saved" not in text
    assert text.count("_saved = []") == 1  # of s


def test_what_changes_in_each_trip_is_saved() -> None:
    def f(x, t):
        s = x[0]
        box = [t]
        for _ in range(3):
            width = box[0] * 2.0
            s = s * width * s
            box[0] = box[0] + 0.1
        return s

    assert "width_saved" in source(f, X, 0.8)


def test_tuples_are_taken_apart_where_they_are_bound() -> None:
    def f(x):
        points = [(a * a, a + 1.0) for a in x]
        stack = [(0, 1.0)]
        total = sum(p * p + 0.1 * q for p, q in points)
        while stack:
            depth, scale = stack.pop()
            total += scale * x[depth]
            if depth < 2:
                stack.append((depth + 1, scale * 0.5))
        return total

    lines = body(source(f, X))
    assert "for p, q in points:" in lines and "depth, scale = stack.pop()" in lines


def test_cotangents_of_tuples_are_lists() -> None:
    def f(x):
        points = [(a * a, a + 1.0) for a in x]
        return sum(p * p + 0.1 * q for p, q in points)

    assert "points_bar[k] = accumulate(points_bar[k], [2.0 * p, 0.1])" in body(source(f, X))


def test_shapes_of_products_cost_no_product() -> None:
    def f(ws, bs, x):
        for w, b in zip(ws, bs, strict=True):
            x = np.tanh(x @ w + b)
        return np.sum(x * x)

    ws = [np.full((3, 4), 0.1), np.full((4, 2), 0.2)]
    bs = [np.zeros(4), np.ones(1)]  # the second one is stretched
    text = source(f, ws, bs, np.ones((5, 3)), argnums=(0, 1))
    assert ", x[:, :1] @ w[:1])" in text
    fitting = source(f, ws, [np.zeros(4), np.ones(2)], np.ones((5, 3)), argnums=(0, 1))
    assert "unbroadcast" not in fitting


def test_a_factor_of_one_leaves_a_new_array() -> None:
    def f(a):
        total = 0.0
        row = a[0] * 2.0
        for k in range(3):
            held = row
            row = a[k] * held + np.sum(held)
            if total < 3.0:
                total += np.sum(held * a[k])
        return total + np.sum(row)

    a = np.arange(9.0).reshape(3, 3) / 10.0
    kept = a.copy()
    s2sgrad.grad(f, fallback="error")(a)
    assert np.array_equal(a, kept)


def test_gradients_that_are_arguments_are_copied_in_one_step() -> None:
    """Whichever stands first: each is a copy of the other's array."""

    def f(x: np.ndarray, y: np.ndarray) -> float:
        return x @ y

    derivative = s2sgrad.value_and_grad(f, (0, 1), fallback="error")
    assert derivative.source(X, X + 1.0).splitlines() == [
        "def f_grad(x, y):",
        "    value = x @ y",
        "",
        "    return value, (y.copy(), x.copy())",
    ]
    x_bar, y_bar = derivative(X, y := X + 1.0)[1]
    assert not np.may_share_memory(x_bar, y) and not np.may_share_memory(y_bar, X)


def test_branches_without_slopes_leave_nothing_in_the_reverse_sweep() -> None:
    """Nor is it kept which way they went."""

    def f(x: np.ndarray) -> float:
        cost, y = 0.0, 0.0
        for _ in range(12):
            y = y * y + x[0]
            cost += y
            if y > 5.0:
                cost += 100.0
                break
            if y > 0.3:
                cost += 10.0
            elif y > 0.2:
                cost -= 1.0
        return cost

    for jit in (False, True):
        s2sgrad.check_grad(f, X, jit=jit)
        text = s2sgrad.value_and_grad(f, jit=jit, fallback="error").source(X)
        assert "branch" not in text and "pass" not in text
    assert "branch_saved" in source(_with_a_slope_on_one_side, X)


def _with_a_slope_on_one_side(x: np.ndarray) -> float:
    cost, y = 0.0, 0.0
    for _ in range(4):
        y = y * y + x[0]
        if y > 0.55:
            cost += 10.0
        elif y > 0.3:
            cost -= y
    return cost


def test_sums_of_a_trip_that_nobody_reads_are_not_saved() -> None:
    def f(q, k):
        total = 0.0
        for i in range(len(q)):
            scores = np.zeros(len(k))
            highest = 0.0
            for j in range(len(k)):
                for d in range(len(q[0])):
                    scores[j] += q[i, d] * k[j, d]
                highest = max(highest, scores[j])
            total += np.sum(scores * scores) + highest
        return total

    text = source(f, np.arange(6.0).reshape(3, 2) + 0.1, np.arange(8.0).reshape(4, 2) ** 2 - 7.0)
    saved = {line.strip() for line in text.splitlines() if ".append(" in line}
    assert len(saved) == 2, text  # the highest and the scores of a trip, but no sum on the way


def test_sine_and_cosine_are_the_derivative_of_each_other() -> None:
    def turned(x):
        s = np.sin(x)
        c = np.cos(x)
        return np.sum(s * c * c)

    text = source(turned, X)
    assert text.count("np.sin(") == text.count("np.cos(") == 1

    def stepped(x):
        y, total = x[0], 0.0
        for _ in range(3):
            s, c = math.sin(y), math.cos(y)
            y = y + 0.1 * s * c
            total += s
        return total

    text = source(stepped, X)
    assert text.count("sin(") == text.count("cos(") == 1


def test_nothing_is_kept_for_the_derivative_of_its_partner() -> None:
    def swung(x):
        y = x[0]
        for _ in range(3):
            y = y + 0.1 * math.sin(y) - 0.2 * math.cos(y)
        return y

    assert "sin_saved" not in source(swung, X)
