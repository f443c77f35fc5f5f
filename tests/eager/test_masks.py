"""Branches that np.where does not take contribute nothing; torch.where gives what torch gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from s2sgrad import eager, grad

POINTS = np.array([-1.0, 0.0, 2.0, 900.0])
PROGRAMS = {
    "log": (lambda x: np.where(x > 0, np.log(x), 0.0).sum(), [0.0, 0.0, 0.5, 1 / 900]),
    "softplus": (
        lambda x: np.where(x > 30.0, x, np.log1p(np.exp(x))).sum(),
        [*(1 / (1 + np.exp(-POINTS[:3]))), 1.0],
    ),
    "chain": (
        lambda x: np.where(x > 0, 1.0 / (np.sqrt(x) * x), 0.0).sum(),
        [0.0, 0.0, -1.5 * 2.0**-2.5, -1.5 * 900.0**-2.5],
    ),
    "largest": (lambda x: np.maximum(np.log(abs(x)), -5.0).sum(), [-1.0, 0.0, 0.5, 1 / 900]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_tensors_in_numpy_code(name: str) -> None:
    function, expected = PROGRAMS[name]
    x = eager.tensor(POINTS, requires_grad=True)
    function(x).backward()
    np.testing.assert_allclose(x.grad.numpy(), expected, rtol=1e-12)


def test_second_derivative_of_tensors() -> None:
    x = eager.tensor(POINTS[:3], requires_grad=True)
    value = np.where(x > 0, 1.0 / (np.sqrt(x) * np.sin(x)), 0.0).sum()
    (first,) = eager.autograd.grad(value, x, create_graph=True)
    (second,) = eager.autograd.grad(first.sum(), x)
    s, c, u = np.sin(2.0), np.cos(2.0), 2.0
    expected = 1 / (s * u**0.5) + 2 * c**2 / (s**3 * u**0.5) + c / (s**2 * u**1.5)
    expected += 0.75 / (s * u**2.5)
    np.testing.assert_allclose(second.numpy(), [0.0, 0.0, expected], rtol=1e-12)


def test_fallback_to_tensors() -> None:
    def f(x: Any) -> Any:
        try:
            root = np.sqrt(x)
        except ValueError:
            return 0.0
        return 3.0 * np.sum(root[x > 0])

    with pytest.warns(UserWarning, match="runs on dynamic-graph tensors"):
        found = grad(f)(np.array([0.0, 4.0]))
    np.testing.assert_allclose(found, [0.0, 0.75], rtol=1e-12)


def test_torch_where_is_as_in_torch() -> None:
    x = eager.tensor(POINTS[:3], requires_grad=True)
    eager.where(x > 0, eager.log(x), 0.0 * x).sum().backward()
    assert np.isnan(x.grad.numpy()[1])
