"""The rules of NumPy against JAX, on the samples of both complex and real arguments.

JAX's cotangents follow the other convention, so they are conjugated before and after. What JAX
defines otherwise, or lacks, is left out by name.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from s2sgrad.rules import lookup
from s2sgrad.rules.sampling import Sample, conjugated, has_floats, is_complex, leaves, noise
from s2sgrad_runtime import unbroadcast
from tests.rules.samples import SAMPLES

jax = pytest.importorskip("jax")
jnp = jax.numpy

# JAX's i0 is good to 1e-8 only, and its complex arccosh has the wrong sign for negative real
# parts, and the sign of complex numbers counts as flat; differences of the primal decide there.
DIFFERENT = {"angle", "arccosh", "i0", "sign"}
SAMPLES_PER_FUNCTION = 5


def peers() -> list[Any]:
    found = []
    for function in SAMPLES:
        name = getattr(function, "__name__", "")
        if getattr(np, name, None) is function and hasattr(jnp, name) and name not in DIFFERENT:
            found.append(function)
    return found


def ours(function: Any, sample: Sample, name: str, y_bar: Any, y: Any) -> Any:
    rule = lookup(function)
    assert rule is not None
    bound = rule.bind(sample.args, sample.kwargs)
    around = rule.holomorphic and is_complex((sample.args, y))
    bar = conjugated(y_bar) if around else y_bar
    x_bar = rule.partials[name].fn(bar, y, *bound.values())
    x_bar = conjugated(x_bar) if around else x_bar
    if isinstance(bound[name], np.ndarray) and name in rule.sequences:
        return [np.stack(x_bar)]
    pairs = zip(leaves(x_bar), leaves(bound[name]), strict=True)
    return [np.asarray(unbroadcast(bar, x)) for bar, x in pairs]


def theirs(function: Any, sample: Sample, name: str, y_bar: Any) -> Any:
    rule = lookup(function)
    assert rule is not None
    peer = getattr(jnp, function.__name__)

    def call(x: Any) -> Any:
        args, kwargs = sample.replaced(rule, name, x)
        found = peer(*args, **kwargs)
        return tuple(found) if isinstance(found, list) else found

    x = rule.bind(sample.args, sample.kwargs)[name]
    value, pullback = jax.vjp(call, jax.tree.map(jnp.asarray, x))
    cast = jax.tree.map(lambda b, v: jnp.asarray(np.conj(b), v.dtype), y_bar, value)
    return [np.conj(np.asarray(leaf)) for leaf in jax.tree.leaves(pullback(cast)[0])]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("function", peers(), ids=lambda f: f.__name__)
def test_same_as_jax(function: Any) -> None:
    rule = lookup(function)
    assert rule is not None
    compared = 0
    with jax.enable_x64(True):
        stride = -(-len(SAMPLES[function]) // SAMPLES_PER_FUNCTION)
        for sample in SAMPLES[function][::stride]:
            y = function(*sample.args, **sample.kwargs)
            y = tuple(y) if isinstance(y, list) else y
            y_bar = noise(np.random.default_rng(1), y)
            bound = rule.bind(sample.args, sample.kwargs)
            for name in rule.partials:
                if not has_floats(bound[name]) or name in sample.constant:
                    continue
                try:
                    expected = theirs(function, sample, name, y_bar)
                except (TypeError, ValueError, NotImplementedError, IndexError, KeyError):
                    continue  # JAX does not take these arguments
                found = ours(function, sample, name, y_bar, y)
                for one, two in zip(found, expected, strict=True):
                    tolerance = 1e-4 if np.float32 in (one.dtype, two.dtype) else 1e-10
                    np.testing.assert_allclose(one, two, rtol=tolerance, atol=tolerance)
                compared += 1
    if compared == 0:
        pytest.skip("JAX takes none of the samples")
