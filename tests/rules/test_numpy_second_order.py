"""Second derivatives: every rule differentiated again, by eager tensors, against differences.

The gradient of a random combination of outputs is differentiated along a random direction.
Limitations: real double-precision arguments and single outputs only; functions whose arguments
NumPy converts by `np.asarray` before eager tensors see them are left out by name.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from s2sgrad.rules import lookup
from s2sgrad.rules.sampling import STENCIL, Sample, has_floats, is_complex, leaves
from tests.rules.samples import SAMPLES

eager = pytest.importorskip("s2sgrad.eager")

# np.asarray and its kin give arrays, never tensors; np.full takes its shape from no array.
CONVERTED = {
    np.array,
    np.asanyarray,
    np.asarray,
    np.asarray_chkfinite,
    np.ascontiguousarray,
    np.asfortranarray,
    np.astype,
    np.full,
    np.full_like,
    np.require,
    np.select,
}
STEP = 1e-4


def functions() -> list[Any]:
    found = [f for f in SAMPLES if getattr(np, getattr(f, "__name__", ""), None) is f]
    ours = [f for f in found if not isinstance(f, type)]  # a class takes no tensors
    return [f for f in ours if f not in CONVERTED]


def gradient(function: Any, sample: Sample, name: str, x: Any, weights: Any, again: bool) -> Any:
    """(tensor, its gradient): of the weighted sum of outputs with argument `name` set to x."""
    rule = lookup(function)
    assert rule is not None
    tensor = eager.tensor(x, requires_grad=True)
    args, kwargs = sample.replaced(rule, name, tensor)
    total = (function(*args, **kwargs) * eager.tensor(weights)).sum()
    return tensor, eager.autograd.grad(total, tensor, create_graph=again)[0]


def second(function: Any, sample: Sample, name: str, x: Any, weights: Any, v: Any) -> Any:
    tensor, first = gradient(function, sample, name, x, weights, True)
    if not first.requires_grad:
        return np.zeros(x.shape)
    total = (first * eager.tensor(v)).sum()
    found = eager.autograd.grad(total, tensor, allow_unused=True)[0]
    return np.zeros(x.shape) if found is None else found.detach().numpy()


def differences(function: Any, sample: Sample, name: str, x: Any, weights: Any, v: Any) -> Any:
    total = np.zeros(x.shape)
    for offset, weight in STENCIL:
        moved = x + offset * STEP * v
        slope = gradient(function, sample, name, moved, weights, False)[1].numpy()
        total = total + weight / (12 * STEP) * slope
    return total


def cases(function: Any) -> list[tuple[Sample, str, Any, Any]]:
    """(sample, argument, its value, the result) of every real array argument."""
    rule = lookup(function)
    assert rule is not None
    found = []
    for sample in SAMPLES[function]:
        single = any(np.asarray(leaf).dtype == np.float32 for leaf in leaves(list(sample.args)))
        if is_complex(sample.args) or single:
            continue
        bound = rule.bind(sample.args, sample.kwargs)
        y = function(*sample.args, **sample.kwargs)
        for name in rule.partials:
            x = bound[name]
            wanted = isinstance(x, np.ndarray) and x.size > 0 and has_floats(x)
            if wanted and name not in sample.constant and not isinstance(y, tuple | list):
                found.append((sample, name, x, y))
    return found


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("function", functions(), ids=lambda f: f.__name__)
def test_second_derivative(function: Any) -> None:
    rng = np.random.default_rng(0)
    for sample, name, x, y in cases(function):
        weights, v = rng.standard_normal(np.shape(y)), rng.standard_normal(x.shape)
        found = second(function, sample, name, x, weights, v)
        expected = differences(function, sample, name, x, weights, v)
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
