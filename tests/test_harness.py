"""The harness itself: differences are right, and wrong gradients, shapes and writes are caught."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest
from harness import (
    assert_close,
    assert_structure,
    differences,
    gradient_vector,
    leaves,
    numeric_gradient,
    ravel,
    same,
    unravel,
)

Point = namedtuple("Point", "x y")


@dataclass
class Box:
    """Two float leaves and something that is none."""

    a: np.ndarray
    b: float
    n: int = 2


TREE = {"z": [1.5, (np.arange(3.0), np.float64(2.5))], "a": Box(np.eye(2), 0.5), "k": 3, "s": "t"}


def test_leaves_come_in_the_order_of_the_containers() -> None:
    assert [np.size(leaf) for leaf in leaves(TREE)] == [1, 3, 1, 4, 1]
    assert len(leaves(Point(1.0, np.zeros(2)))) == 2


def test_unravel_undoes_ravel() -> None:
    again = unravel(TREE, ravel(TREE))
    assert same(again, TREE)
    moved = unravel(TREE, ravel(TREE) + 1.0)
    assert not same(moved, TREE) and moved["a"].n == 2 and moved["a"].b == 1.5


def test_differences_are_accurate() -> None:
    at = np.array([0.3, -1.2, 2.0])
    found = differences(lambda v: float(np.sum(np.sin(v) * np.exp(v))), at, 1e-3)
    np.testing.assert_allclose(found, (np.sin(at) + np.cos(at)) * np.exp(at), rtol=1e-9)


def test_numeric_gradient_by_position_and_name() -> None:
    def f(x, scale=1.0, *, shift):
        return scale * np.sum((x + shift) ** 2)

    x, names = np.array([1.0, 2.0]), ["x", "scale", "shift"]
    found = numeric_gradient(f, (x, 3.0), {"shift": 0.5}, (0, "scale", "shift"), names)
    np.testing.assert_allclose(found, [9.0, 15.0, 8.5, 24.0], rtol=1e-8)


def test_the_primal_may_write_into_its_argument() -> None:
    def f(x):
        x *= 2.0
        return np.sum(x**2)

    x = np.array([1.0, 2.0])
    np.testing.assert_allclose(numeric_gradient(f, (x,), {}, 0, ["x"]), [8.0, 16.0], rtol=1e-8)
    np.testing.assert_array_equal(x, [1.0, 2.0])


@pytest.mark.parametrize("wrong", [1.00001, -1.0, 0.0, np.nan])
def test_a_wrong_gradient_is_caught(wrong: float) -> None:
    with pytest.raises(AssertionError):
        assert_close(wrong * np.array([3.0, 2.0]), np.array([3.0, 2.0]), 2e-6)


@pytest.mark.parametrize(
    "gradient",
    [
        {"w": np.zeros(2), "b": [0.0]},
        {"w": np.zeros(3, np.float32), "b": [0.0]},
        {"w": np.zeros(3), "b": (0.0,)},
        {"b": [0.0], "w": np.zeros(3)},
        {"w": np.zeros(3), "b": []},
        {"w": [0.0, 0.0, 0.0], "b": [0.0]},
        {"w": np.zeros(3), "b": [np.zeros(1)]},
    ],
)
def test_another_structure_is_caught(gradient: dict) -> None:
    with pytest.raises(AssertionError):
        assert_structure(gradient, {"w": np.ones(3), "b": [1.0]})


def test_gradient_vector_keeps_the_arguments_order() -> None:
    argument = {"b": 1.0, "a": np.zeros(2)}
    gradient = {"b": 5.0, "a": np.array([6.0, 7.0])}
    np.testing.assert_array_equal(gradient_vector(gradient, argument), [5.0, 6.0, 7.0])


def test_changed_arguments_are_caught() -> None:
    class Plain:
        def __init__(self) -> None:
            self.values = [1.0]

    a, b = Plain(), Plain()
    assert same(a, b)
    b.values.append(2.0)
    assert not same(a, b)
    assert not same({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert not same(np.zeros(2), np.zeros(2, np.float32))
