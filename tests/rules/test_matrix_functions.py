"""Matrix functions: every order, stacks, what is not finite, the cost of second derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg
from numeric import NUMBERS, assert_rule, cplx, real

import s2sgrad
from s2sgrad_runtime import matrix_function_along, matrix_function_along_both

NAMES = ("expm", "cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm", "logm")


@pytest.mark.parametrize("kind", [real, cplx])
def test_along_one_direction_and_two(kind: Any) -> None:
    for name in NAMES:
        a = kind(3, 3) if name == "logm" else 0.4 * kind(3, 3)
        e, d = kind(3, 3), kind(3, 3)
        assert_rule(matrix_function_along, name, a, e, tolerance=1e-6)
        assert_rule(matrix_function_along_both, name, a, e, d, tolerance=1e-5)


def test_large_cotangents_lose_no_digits() -> None:
    a, e = 0.3 * real(5, 5), 1e12 * real(5, 5)
    expected = scipy.linalg.expm_frechet(a, e)[1]
    np.testing.assert_allclose(matrix_function_along("expm", a, e), expected, rtol=1e-12)


def stacked(a: Any) -> Any:
    return np.sum(scipy.linalg.expm(a) ** 2)


def test_stacks_with_what_is_not_finite() -> None:
    a = 0.3 * NUMBERS.rng.standard_normal((3, 4, 4))
    expected = s2sgrad.grad(stacked)(a)
    a[1, 0, 0] = np.nan
    found = s2sgrad.grad(stacked)(a)
    np.testing.assert_allclose(found[::2], expected[::2])
    assert np.all(np.isnan(found[1]))
    assert s2sgrad.grad(stacked)(np.zeros((0, 0))).shape == (0, 0)


def power(a: Any, t: Any, w: Any) -> Any:
    return np.sum(w * scipy.linalg.fractional_matrix_power(a, t).real)


def logarithm(a: Any, w: Any) -> Any:
    return np.sum(w * scipy.linalg.logm(a).imag)


def test_powers_by_the_exponent_and_branch_cuts() -> None:
    a, w = 0.3 * real(4, 4) + np.diag([2.0, 3.0, 4.0, 5.0]), real(4, 4)
    s2sgrad.check_grad(power, a, 0.4, w, argnums=(0, 1))
    s2sgrad.check_grad(power, a - a[:, :1], 2, w)  # singular
    negative = a * np.array([1.0, 1.0, 1.0, -1.0])
    s2sgrad.check_grad(logarithm, negative, w)


def third(a: Any) -> Any:
    return np.sum(s2sgrad.hvp(stacked)(a, np.ones((3, 3))))


def test_third_order() -> None:
    s2sgrad.check_grad(third, 0.4 * real(3, 3))
