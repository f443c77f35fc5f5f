"""Derivatives are pickled (to go to other processes), and copied with objects that hold them."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import s2sgrad

X = np.array([0.5, 1.5])


def waves(x):
    return np.sum(np.sin(x) ** 2)


@s2sgrad.differentiable
def cubes(x):
    return np.sum(x**3)


class Model:
    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.slope = s2sgrad.grad(self.loss)

    def loss(self, x):
        return np.sum(x**2) * self.rate


MADE: dict[str, Any] = {
    "grad": s2sgrad.grad(waves),
    "value_and_grad": s2sgrad.value_and_grad(waves, fallback="error"),
    "jit": s2sgrad.grad(waves, jit=True),
    "jacobian": s2sgrad.jacobian(waves),
    "hessian": s2sgrad.hessian(waves),
    "sparse": s2sgrad.sparse_hessian(waves),
    "decorated": cubes,
    "method": s2sgrad.grad(Model(2.0).loss),
}


def numbers(found: Any) -> np.ndarray:
    if isinstance(found, tuple):
        return np.concatenate([np.ravel(part) for part in found])
    return found.toarray() if hasattr(found, "toarray") else np.asarray(found)


@pytest.mark.parametrize("name", MADE)
def test_pickled_and_copied_before_and_after_a_call(name: str) -> None:
    derivative = MADE[name]
    for _ in range(2):
        for made in (pickle.loads(pickle.dumps(derivative)), copy.deepcopy(derivative)):
            np.testing.assert_array_equal(numbers(made(X)), numbers(derivative(X)))


def test_decorated_functions_are_pickled_by_their_name() -> None:
    assert pickle.loads(pickle.dumps(cubes)) is cubes


def test_a_copied_object_has_a_derivative_of_its_own() -> None:
    model = Model(2.0)
    model.slope(X)
    other = copy.deepcopy(model)
    other.rate = 5.0
    np.testing.assert_allclose(other.slope(X), 10.0 * X)
    np.testing.assert_allclose(model.slope(X), 4.0 * X)


def test_how_they_are_printed() -> None:
    assert [repr(MADE[name]) for name in ("grad", "value_and_grad", "jacobian", "hessian")] == [
        f"<s2sgrad.{kind} of waves>" for kind in ("grad", "value_and_grad", "jacobian", "hessian")
    ]
    assert repr(s2sgrad.hvp(waves)) == "<s2sgrad.hvp of waves>"
    assert repr(MADE["sparse"]) == "<s2sgrad.sparse_hessian of waves>"
