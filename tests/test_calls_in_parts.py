"""Calls whose arguments come in parts: lists, names, and the fields of objects."""

from __future__ import annotations

import collections
import dataclasses
import math
import types
from typing import Any

import numpy as np
import pytest
from scipy import stats

import s2sgrad


@dataclasses.dataclass
class Pair:
    a: Any
    b: Any


class Link:
    def __init__(self, v, left=None, right=None):
        self.v, self.left, self.right = v, left, right


def scaled(t, by=2.0, power=2):
    return t * by if t > 0.0 else t**power


def in_parts(x):
    lengths = [v * v for v in x if v > 0.5]
    stretch = np.vectorize(scaled)
    raised = np.vectorize(scaled, excluded=["power", 1])
    pair, total = Pair(x[0], x[1] * x[2]), 0.0
    for i, field in enumerate(dataclasses.fields(pair)):
        total += (i + 1) * getattr(pair, field.name) ** 2
    total += np.sum(stretch(x, by=x[::-1])) + np.sum(raised(x, x[0], power=3))
    return total * math.hypot(*lengths) + math.hypot(x[1], *lengths)


def cut(x, depth):
    if depth == 0 or len(x) < 2:
        return Link(np.mean(x))
    best, at = 1e9, 1
    for i in range(1, len(x)):
        cost = np.sum(x[:i] ** 2) + np.sum(x[i:])
        if cost < best:
            best, at = cost, i
    left, right = cut(x[:at], depth - 1), cut(x[at:], depth - 1)
    return Link(best, left, right)


def weight(n):
    if n is None:
        return 0.0
    return n.v**2 + weight(n.left) + weight(n.right)


def test_arguments_in_parts() -> None:
    x = np.array([0.7, 1.3, -0.4, 2.1])
    s2sgrad.check_grad(in_parts, x)
    s2sgrad.grad(in_parts, fallback="error")(x)


def test_what_a_recursion_asks_of_the_names_of_its_caller() -> None:
    x = np.array([0.7, 1.3, -0.4])
    s2sgrad.grad(lambda x: weight(cut(x, 1)), fallback="error")(x)
    s2sgrad.check_grad(lambda x: weight(cut(x, 1)), x)


def as_matrix(x):
    return np.sum(np.asmatrix(x))


def test_what_to_write_instead() -> None:
    counts = collections.defaultdict(float, a=1.0)
    with pytest.raises(s2sgrad.UnsupportedError, match=r"fix: use np\.asarray"):
        s2sgrad.grad(as_matrix, fallback="error")(np.ones(3))
    with pytest.raises(s2sgrad.UnsupportedError, match=r"d\.get\(key, 0\.0\)"):
        s2sgrad.grad(lambda d: d["a"] * d["b"], fallback="error")(counts)


def likelihood(x):
    near = stats.norm.cdf([[x[0], 1.0], [x[1], x[2]]], scale=[x[3], 1.5])
    return np.sum(near) + np.sum(stats.gamma.logpdf([0.5, x[1]], a=[x[3], 2.0]))


def test_lists_for_densities() -> None:
    x = np.array([0.7, 1.3, -0.4, 2.1])
    s2sgrad.check_grad(likelihood, x)
    expected = s2sgrad.grad(likelihood, fallback="error")(x)
    code = likelihood.__code__.replace(co_filename="<nowhere>", co_firstlineno=10**6)
    with pytest.warns(UserWarning, match="tensors"):
        found = s2sgrad.grad(types.FunctionType(code, globals()))(x)
    np.testing.assert_allclose(found, expected)
