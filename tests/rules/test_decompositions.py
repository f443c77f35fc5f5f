"""np.linalg's factorisations: every rule on a table of samples, real, complex and stacked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric import assert_rule, cplx, inner, real, slope

import s2sgrad
from s2sgrad.rules import lookup

L = np.linalg


def adjoint(a: Any) -> Any:
    return np.conj(np.swapaxes(a, -1, -2))


def hermitian(a: Any) -> Any:
    return 0.5 * (a + adjoint(a))


def positive(a: Any) -> Any:
    return a @ adjoint(a) + 0.5 * np.eye(a.shape[-1])


SYMMETRIC = [
    (L.cholesky, positive, {}),
    (L.cholesky, positive, {"upper": True}),
    (L.eigh, hermitian, {}),
    (L.eigh, hermitian, {"UPLO": "U"}),
    (L.eigvalsh, hermitian, {}),
    (L.eigvalsh, hermitian, {"UPLO": "U"}),
]
GENERAL = [
    *[(L.pinv, shape, {}) for shape in ((4, 3), (3, 4), (2, 3, 3), (2, 4, 2))],
    (L.pinv, (4, 3), {"rtol": 0.6}),
    (L.pinv, (2, 3, 4), {"rcond": 0.5}),
    (L.eig, (4, 4), {}),
    (L.eig, (2, 3, 3), {}),
    (L.eigvals, (4, 4), {}),
    (L.eigvals, (2, 3, 3), {}),
    *[(L.svdvals, shape, {}) for shape in ((4, 3), (2, 3, 4))],
    (L.svd, (3, 3), {}),
    *[(L.svd, s, {"full_matrices": False}) for s in ((3, 3), (5, 3), (2, 3, 5), (1, 3), (3, 1))],
    (L.svd, (4, 3), {"compute_uv": False}),
    *[(L.qr, s, {}) for s in ((3, 3), (5, 3), (3, 5), (2, 4, 3))],
    *[(L.qr, s, {"mode": "complete"}) for s in ((3, 3), (3, 5))],
    *[(L.qr, s, {"mode": "r"}) for s in ((5, 3), (3, 5), (2, 4, 3))],
]


@pytest.mark.parametrize("shape", [(3, 3), (2, 4, 4)], ids=str)
@pytest.mark.parametrize("kind", [real, cplx], ids=["real", "complex"])
@pytest.mark.parametrize("case", SYMMETRIC, ids=lambda c: c[0].__name__)
def test_symmetric(case: Any, kind: Any, shape: Any) -> None:
    function, make, kwargs = case
    assert_rule(function, make(kind(*shape)), constrain=hermitian, **kwargs)


@pytest.mark.parametrize("kind", [real, cplx], ids=["real", "complex"])
@pytest.mark.parametrize("case", SYMMETRIC[2:], ids=lambda c: c[0].__name__)
def test_one_triangle(case: Any, kind: Any) -> None:
    """Where the other triangle is another one, the derivative is by what is read."""
    function, _, kwargs = case
    assert_rule(function, kind(4, 4), **kwargs)


@pytest.mark.parametrize("kind", [real, cplx], ids=["real", "complex"])
@pytest.mark.parametrize("case", GENERAL, ids=lambda c: f"{c[0].__name__}-{c[1]}-{c[2]}")
def test_general(case: Any, kind: Any) -> None:
    function, shape, kwargs = case
    assert_rule(function, kind(*shape), **kwargs)


@pytest.mark.parametrize("kind", [real, cplx], ids=["real", "complex"])
@pytest.mark.parametrize(
    "shapes", [((5, 3), (5,)), ((5, 3), (5, 2)), ((3, 5), (3,)), ((3, 3), (3, 2))]
)
def test_lstsq(shapes: Any, kind: Any) -> None:
    assert_rule(L.lstsq, kind(*shapes[0]), kind(*shapes[1]), rcond=None)


@pytest.mark.parametrize("kind", [real, cplx], ids=["real", "complex"])
def test_lstsq_without_small_singular_values(kind: Any) -> None:
    a, b = kind(5, 3), kind(5, 2)
    assert 0 < L.lstsq(a, b, rcond=0.6)[2] < 3
    assert_rule(L.lstsq, a, b, rcond=0.6)


@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (2, 4, 3)])
def test_svd_with_one_extra_column(shape: Any) -> None:
    assert_rule(L.svd, real(*shape))


@pytest.mark.parametrize("function", [L.svd, lambda a: L.qr(a, "complete")])
def test_single_columns_of_complements_are_refused(function: Any) -> None:
    def first_of_the_others(a: Any) -> Any:
        return np.sum(function(a)[0][:, 2] ** 3)

    with pytest.raises(NotImplementedError, match="only complete others"):
        s2sgrad.grad(first_of_the_others)(real(5, 2))


@pytest.mark.parametrize("kind", [real, cplx], ids=["real", "complex"])
def test_complements_enter_through_their_projector(kind: Any) -> None:
    """What the extra columns of u span has a derivative, though each of them has not."""
    a, a_dot, weight = kind(5, 2), kind(5, 2), hermitian(kind(5, 5))
    for function, outputs in ((L.svd, 3), (L.qr, 2)):
        options = {} if function is L.svd else {"mode": "complete"}
        y = function(a, **options)
        y_bar = [np.zeros_like(v) for v in y]
        y_bar[0][:, 2:] = 2.0 * weight @ y[0][:, 2:]
        names = {"y": y, "y_bar": tuple(y_bar), "a": a, "full_matrices": True, "hermitian": False}
        names = names | options
        partial = lookup(function).partials["a"]
        a_bar = partial.fn(*[names.get(p, True) for p in partial.parameters])
        assert outputs == len(y)

        def projected(x: Any, function: Any = function, options: Any = options) -> Any:
            q2 = function(x[0], **options)[0][:, 2:]
            return np.real(np.sum(np.conj(weight) * (q2 @ adjoint(q2))))

        expected = slope(projected, [a], [a_dot], 1e-4)[0]
        assert abs(inner(a_bar, a_dot) - expected) < 1e-7


@pytest.mark.parametrize("function", [L.eig, L.eigvals])
def test_complex_eigenvalues_of_a_real_matrix(function: Any) -> None:
    turn = np.array([[0.3, -2.0, 0.4], [2.1, 0.2, -0.1], [0.3, 0.5, 4.0]])
    assert_rule(function, turn)


def upright(x: Any) -> Any:
    u, s, vh = L.svd(x, full_matrices=False)
    return np.sum(u**3) + np.sum(vh**3) + np.sum(s**2)


def test_second_order_of_stacked_rectangles() -> None:
    x, v = real(2, 3, 2), real(2, 3, 2)[::-1].copy()
    gradient = s2sgrad.grad(upright, fallback="error")
    expected = (gradient(x + 1e-6 * v) - gradient(x - 1e-6 * v)) / 2e-6
    np.testing.assert_allclose(s2sgrad.hvp(upright, fallback="error")(x, v), expected, 1e-5, 1e-7)
    found = s2sgrad.jvp(gradient, (x,), (v,), fallback="error")[1]
    np.testing.assert_allclose(found, expected, 1e-5, 1e-7)
