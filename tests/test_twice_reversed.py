"""Gradients of gradients in reverse mode, beside what `hessian` takes forward."""

import pytest

import s2sgrad


def brackets(x):
    memo = {}

    def cost(i, j):
        if i == j:
            return 0.0
        if (i, j) in memo:
            return memo[i, j]
        total = 0.0
        for k in range(i, j):
            total = total + cost(i, k) * x + cost(k + 1, j) + x * x
        memo[i, j] = total
        return total

    return cost(0, 2)


def test_a_memo_that_calls_within_a_loop_fill():
    # The dicts that several calls hand back have different keys, and the cotangent of all of them.
    first = s2sgrad.grad(brackets, fallback="error")
    second = s2sgrad.grad(first, fallback="error")
    h = 1e-6
    assert second(1.1) == pytest.approx((first(1.1 + h) - first(1.1 - h)) / (2 * h), rel=1e-7)
