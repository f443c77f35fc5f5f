"""scipy.linalg's forms of a matrix: slopes in every mode, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg
from test_unusual_calls import check

import s2sgrad

W = np.random.default_rng(5).standard_normal((4, 4))
SYMMETRIC = np.diag([1.0, 2.0, 3.0, 4.0]) + 0.2 * (W + W.T)
POSITIVE = 0.3 * W @ W.T + np.eye(4)


def weighed(*parts):
    total = 0.0
    for part in parts:
        total += np.sum(part**3 * W[: part.shape[0], : part.shape[1]])
    return total


def without_phases(t, z):
    return np.sum(np.abs(t) ** 2 * W + np.abs(z) ** 2 * W.T) + np.sum(np.real(np.diag(t)) * W[0])


def hessenberg(x):
    h, q = scipy.linalg.hessenberg(x, calc_q=True)
    return weighed(h, q, scipy.linalg.hessenberg(x.T))


def hessenberg_of_complex(x):
    h, q = scipy.linalg.hessenberg(x + 1j * x @ x, calc_q=True)
    return weighed(np.real(h), np.imag(q))


def schur(x):
    t, z = scipy.linalg.schur(x)
    return weighed(t, z)


def schur_in_order(x):
    t, z, count = scipy.linalg.schur(x, sort="lhp")
    return weighed(t, z) * count


def schur_as_complex(x):
    t, z = scipy.linalg.schur(x, output="complex")
    return without_phases(t, z)


def schur_of_complex(x):
    t, z = scipy.linalg.schur(x + 1j * x @ x)
    return without_phases(t, z)


def second_type(x):
    a, b = SYMMETRIC + 0.1 * (x + x.T), POSITIVE + 0.1 * (x @ x.T)
    w, v = scipy.linalg.eigh(a, b, type=2)
    return weighed(v, w[None, :])


def third_type_by_triangles(x):
    a, b = np.triu(SYMMETRIC + x + x.T), np.triu(POSITIVE + 0.1 * (x @ x.T))
    w, v = scipy.linalg.eigh(a, b, lower=False, type=3, subset_by_index=[1, 2])
    return weighed(v, w[None, :], scipy.linalg.eigvalsh(a, b, lower=False, type=3)[None, :])


def third_type_of_complex(x):
    a = SYMMETRIC + 0.1 * (x + x.T + 1j * (x - x.T))
    w, v = scipy.linalg.eigh(a, POSITIVE + 0.1 * (x @ x.T), type=3)
    return weighed(np.abs(v), w[None, :])


def inverses_with_ranks(x):
    thin, rank = scipy.linalg.pinv(x[:, :3], return_rank=True)
    flat, one = scipy.linalg.pinv(np.outer(x[0], x[1]), rtol=1e-8, return_rank=True)
    both, full = scipy.linalg.pinvh(x + x.T, return_rank=True)
    return weighed(thin * rank, flat * one, both * full)


FORMS = (
    hessenberg, hessenberg_of_complex, schur, schur_in_order, schur_as_complex, schur_of_complex,
    second_type, third_type_by_triangles, third_type_of_complex, inverses_with_ranks,
)  # fmt: skip


@pytest.mark.parametrize(
    "form",
    [pytest.param(f, marks=[] if k % 5 == 0 else pytest.mark.slow) for k, f in enumerate(FORMS)],
)
def test_form(form: Any) -> None:
    x = np.random.default_rng(8).standard_normal((4, 4))
    check(form, x)
    value, gradient = s2sgrad.value_and_grad(form, fallback="error")(x)
    np.testing.assert_allclose(value, form(x), rtol=1e-11)
    if form not in (schur, second_type, inverses_with_ranks):
        return
    for found in (s2sgrad.grad(form, jit=True), s2sgrad.grad(form, fallback="eager")):
        np.testing.assert_allclose(found(x), gradient, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("size", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_small_forms(size: int) -> None:
    x = np.random.default_rng(size).standard_normal((size, size))
    for form in (hessenberg_of_complex, schur):
        check(form, x)


def test_signs_where_nothing_is_to_be_done() -> None:
    """LAPACK leaves columns that have their form already; others change their sign."""
    x = np.triu(np.random.default_rng(8).standard_normal((4, 4)), -1)
    value, gradient = s2sgrad.value_and_grad(hessenberg)(x)
    assert np.isclose(value, hessenberg(x)) and np.all(np.isfinite(gradient))


@pytest.mark.parametrize(
    ("form", "a", "why"),
    [
        (schur, np.eye(3), "equal eigenvalues"),
        (schur, np.array([[1.0, 2.0, 0.0], [-2.0, 1.0, 0.0], [0.0, 0.0, 3.0]]), "rotation"),
        (hessenberg, np.eye(3), "falls into blocks"),
    ],
)
def test_forms_without_derivative(form: Any, a: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        s2sgrad.grad(form)(a)


def test_tangents_of_eigenvalues_are_complex() -> None:
    x = np.diag([1.0, 2.0, 3.0]) + 0.1
    for function in (
        lambda x: scipy.linalg.eigvals(x),
        lambda x: scipy.linalg.eigvals(x, np.eye(3) + x.T @ x),
        lambda x: scipy.linalg.eig(x)[0],
        lambda x: scipy.linalg.eig(x, np.eye(3) + x.T @ x)[0],
    ):
        w, w_dot = s2sgrad.jvp(function, (x,), (x,))
        assert w.dtype == w_dot.dtype == complex
