"""Arguments and constants whose class answers otherwise than a plain array, list or dict."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sgrad


class Doubling(np.ndarray):
    def __mul__(self, other: Any) -> Any:
        return np.ndarray.__mul__(self, other) * 2


class Turned(list):
    def __getitem__(self, index: Any) -> Any:
        return list.__getitem__(self, 1 - index)


class Scaled(dict):
    def __getitem__(self, key: Any) -> Any:
        return dict.__getitem__(self, key) * 2


MATRIX = np.matrix([[1.0, 2.0], [3.0, 4.0]])


def square(x):
    return (x * x).sum()


@pytest.mark.parametrize(
    "x",
    [MATRIX, np.ma.masked_array([1.0, 2.0], [0, 1]), np.array([1.0, 2.0]).view(Doubling)],
    ids=["matrix", "masked", "own"],
)
@pytest.mark.parametrize("known", [False, True])
def test_arrays_with_operators_of_their_own(x: Any, known: bool) -> None:
    gradient = s2sgrad.grad(square)
    if known:
        gradient(np.ones(x.shape))
    with pytest.raises(TypeError, match="are not those of a plain array"):
        gradient(x)


def test_a_matrix_outside() -> None:
    with pytest.raises(TypeError, match=r"numpy matrix.*np\.asarray"):
        s2sgrad.grad(lambda x: (MATRIX * x).sum())(np.ones((2, 2)))


@pytest.mark.parametrize("x", [Turned([1.0, 2.0]), {"a": Scaled(b=2.0)}], ids=["list", "dict"])
def test_containers_with_ways_of_their_own(x: Any) -> None:
    def f(x):
        return x["a"]["b"] if isinstance(x, dict) else x[0] * x[1]

    with pytest.raises(TypeError, match="__getitem__ of its own: pass a plain"):
        s2sgrad.grad(f)(x)


def test_memory_mapped_arrays_are_plain(tmp_path: Any) -> None:
    x = np.memmap(tmp_path / "x", float, "w+", shape=(2,))
    x[:] = 3.0
    np.testing.assert_array_equal(s2sgrad.grad(square)(x), [6.0, 6.0])
