"""Random programs in forward mode, and forward over reverse, against differences.

Profiles and discarded programs are those of `test_fuzz`.
"""

from __future__ import annotations

import copy

import fuzz
import fuzz_aliases
import numpy as np
from harness import assert_close, gradient_vector, ravel, same, unravel
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st
from test_fuzz import ACTIVE, BASE, discarding, expected

import s2sgrad
from s2sgrad.derivatives.forward import Forward


@BASE
@given(st.one_of(fuzz.programs(), fuzz_aliases.programs()))
def test_forward_mode(source: str) -> None:
    note(source)
    f, args = fuzz.load(source), fuzz.example()
    value, gradient = expected(f, copy.deepcopy(args))
    direction = np.random.default_rng(1).normal(size=gradient.size)
    forward = Forward(f, ACTIVE, fallback="error")
    before = copy.deepcopy(args)
    tangents = forward.conform(args, unravel(args[:4], direction))
    given = copy.deepcopy(tangents)
    with discarding():  # the first-order test says whether that is right
        found, dot = forward.push(args, tangents)
    note(forward.source(*args))
    assert same(given, tangents), "the tangents were changed"
    assert same(before, args), "the arguments were changed"
    assert_close(np.asarray(float(found)), np.asarray(value), 1e-11, "value")
    slope = np.asarray(gradient @ direction)
    scale = 1.0 + np.sum(np.abs(gradient * direction))
    assert_close(np.asarray(float(dot)) / scale, slope / scale, 2e-6, "tangent")


@settings(BASE, max_examples=max(10, BASE.max_examples // 10))
@given(st.one_of(fuzz.programs(), fuzz_aliases.programs()))
def test_forward_over_reverse(source: str) -> None:
    note(source)
    f, args = fuzz.load(source), fuzz.example()
    expected(f, copy.deepcopy(args))
    gradient = s2sgrad.grad(f, argnums=ACTIVE, fallback="error")
    at = ravel(args[:4])
    direction = np.random.default_rng(1).normal(size=at.size)

    def slope(t: float) -> np.ndarray:
        return gradient_vector(gradient(*unravel(args[:4], at + t * direction), args[4]), args[:4])

    product = s2sgrad.hvp(f, argnums=ACTIVE, fallback="error")
    with discarding():
        near, far = ((slope(t) - slope(-t)) / (2 * t) for t in (2e-5, 5e-5))
        assume(np.max(np.abs(near - far)) < 1e-5 * (1.0 + np.max(np.abs(near))))
        found = product(*args, unravel(args[:4], direction))
    note(product.source(*args, None))
    assert_close(gradient_vector(found, args[:4]), near, 5e-5, "hessian times vector")
