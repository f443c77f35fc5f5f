"""Gradients of gradients in reverse mode, beside what `hessian` takes forward."""

import numpy as np
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


ONE = np.ones(1)


def sold_from_the_front(x):
    if ONE[0] > 0.5:
        stock = [(1.0, x), (2.0, x * x)]
    total = 0.0
    for sell in (1.0, 0.5):
        if ONE[0] > 0.5:
            lots = stock
        need = sell
        while need > 0 and lots:
            q, p = lots[0]
            use = min(q, need)
            total += use * p**2
            need -= use
            if use == q:
                lots.pop(0)
            else:
                lots[0] = (q - use, p)
    return total + sum(q * p**2 for q, p in stock)


def test_tuples_of_a_list_that_may_be_none_are_exchanged():
    # The cotangent of a tuple that is put into such a list is cleared to zeros of its make.
    first = s2sgrad.grad(sold_from_the_front, fallback="error")
    second = s2sgrad.grad(first, fallback="error")
    h = 1e-6
    assert second(1.1) == pytest.approx((first(1.1 + h) - first(1.1 - h)) / (2 * h), rel=1e-7)
