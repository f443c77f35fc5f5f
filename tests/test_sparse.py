"""Sparse Jacobians and Hessians: pattern, colours, and entries against dense ones."""

from __future__ import annotations

import numpy as np
import pytest

import s2sgrad

scipy = pytest.importorskip("scipy")
pytest.importorskip("scipy.sparse")


def burgers(u):
    r = np.zeros_like(u)
    r[1:-1] = u[1:-1] * (u[2:] - u[:-2]) * 0.5 - 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    r[0] = u[0]
    r[-1] = u[-1] ** 2
    return r


def rosenbrock(x):
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def differences(f, x, h=1e-6):
    return np.stack([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(x.size)], axis=-1)


def test_tridiagonal_takes_a_handful_of_sweeps():
    jacobian = s2sgrad.sparse_jacobian(burgers, fallback="error")
    u = np.random.default_rng(0).normal(size=30)
    np.testing.assert_allclose(jacobian(u).toarray(), differences(burgers, u), atol=1e-8)
    large = np.random.default_rng(1).normal(size=10_000)
    found = jacobian(large)
    assert found.shape == (10_000, 10_000) and jacobian.sweeps(large) == 3
    v = np.random.default_rng(2).normal(size=10_000)
    h = 1e-6
    np.testing.assert_allclose(
        found @ v, (burgers(large + h * v) - burgers(large - h * v)) / (2 * h), atol=1e-7
    )


def test_hessian_and_entries_that_are_zero_by_chance():
    hessian = s2sgrad.sparse_hessian(rosenbrock, fallback="error")
    x = np.zeros(12)  # the mixed derivatives, -400 x, are zero here
    assert hessian(x).nnz == 34
    x = np.random.default_rng(0).normal(size=12)
    np.testing.assert_allclose(
        hessian(x).toarray(), differences(s2sgrad.grad(rosenbrock), x), rtol=1e-6, atol=1e-5
    )


def test_pattern_that_changes_is_found_again():
    def either(x):
        return np.where(x[0] > 0, x, 2.0 * x[::-1])

    jacobian = s2sgrad.sparse_jacobian(either, fallback="error")
    x = np.ones(5)
    np.testing.assert_array_equal(jacobian(x).toarray(), np.eye(5))
    x[0] = -1.0
    np.testing.assert_array_equal(jacobian(x).toarray(), 2.0 * np.eye(5)[::-1])


def test_given_pattern():
    pattern = np.tril(np.triu(np.ones((6, 6)), -1), 1)
    x = np.linspace(0.1, 1.0, 6)
    found = s2sgrad.sparse_jacobian(burgers, pattern=pattern)(x)
    np.testing.assert_allclose(found.toarray(), differences(burgers, x), atol=1e-8)
    with pytest.raises(ValueError, match="outside the given pattern"):
        s2sgrad.sparse_jacobian(burgers, pattern=np.eye(6))(x)


def test_several_arguments():
    def f(p):
        return np.concatenate([p["a"] * 2.0, p["b"][:1] * p["a"][1]])

    found = s2sgrad.sparse_jacobian(f, fallback="error")(
        {"a": np.array([1.0, 2.0]), "b": np.array([3.0, 4.0])}
    )
    np.testing.assert_array_equal(found.toarray(), [[2, 0, 0, 0], [0, 2, 0, 0], [0, 3, 2, 0]])


def test_hubs_of_a_hessian() -> None:
    """A full row and column: by symmetry they take one sweep each."""

    def arrowhead(u: np.ndarray) -> float:
        return np.sum(u[0] * u[2:] ** 2) + np.sum(u[1] * np.sin(u[2:])) + np.sum(u**3)

    u = np.linspace(0.5, 1.5, 200)
    hessian = s2sgrad.sparse_hessian(arrowhead)
    np.testing.assert_allclose(hessian(u).toarray(), s2sgrad.hessian(arrowhead)(u), atol=1e-12)
    assert hessian.sweeps(u) == 3


def test_products_with_constant_sparse_matrices_twice_in_reverse():
    from scipy.sparse import eye_array

    def f(x):
        return np.sum(np.sin((3.0 * eye_array(3)) @ x**2)) * x[0]

    x, v = np.array([0.2, 0.5, 0.9]), np.array([1.0, -2.0, 0.5])
    gradient = s2sgrad.grad(f, fallback="error")
    found = s2sgrad.vjp(gradient, x, fallback="error")[1](v)[0]
    np.testing.assert_allclose(found, differences(gradient, x).T @ v, atol=1e-7)


def test_matrices_of_diagonals_and_makers_of_constants():
    x, v = np.array([0.3, -0.7, 1.1, 0.4]), np.array([1.0, 2.0, -1.0, 0.5])

    def diagonals(d):
        rows = np.stack([d, d**2])
        y = scipy.sparse.spdiags(rows, [-2, 1], 4, 4) @ (v * d)
        return np.sum(scipy.sparse.dia_array((rows, [0, 2]), shape=(3, 4)) @ y) + np.sum(y**2)

    s2sgrad.check_grad(diagonals, x)

    def lost(d):
        made = scipy.sparse.kron(d.reshape(2, 2), scipy.sparse.eye(2))
        return np.sum(made @ v)

    with pytest.raises(s2sgrad.MissingRuleError, match="kron"):
        s2sgrad.grad(lost, fallback="error")(x)


@pytest.mark.parametrize("kind", ["csr_array", "csr_matrix", "coo_array", "csc_matrix"])
@pytest.mark.parametrize("power", [1, 2, 3, 0.5, -1, 0])
def test_powers_go_by_entries_of_arrays_and_by_products_of_matrices(kind, power):
    make, whole = getattr(scipy.sparse, kind), isinstance(power, int) and power >= 0
    if power == 0 if "array" in kind else not whole:
        pytest.skip("SciPy refuses it")
    places = np.array([0, 0, 1, 2, 2]), np.array([1, 2, 1, 0, 2])
    w = np.random.default_rng(0).uniform(0.5, 1.5, (3, 3))

    def loss(x):
        a = make((x, places), shape=(3, 3)) ** power
        return np.sum(w * a.toarray() ** 2)

    x = np.array([1.3, 0.7, 1.9, 0.4, 1.1])
    s2sgrad.check_grad(loss, x)
    value, slope = s2sgrad.value_and_grad(loss, fallback="error")(x)
    np.testing.assert_allclose(value, loss(x), rtol=1e-13)
    np.testing.assert_allclose(s2sgrad.jvp(loss, (x,), (x,))[1], slope @ x, rtol=1e-12)


@pytest.mark.parametrize("given", [False, True])
def test_infinite_slopes_leave_other_entries_alone(given):
    def differences_of_roots(x):
        y = np.sqrt(x)
        return y[1:] - y[:-1] * x[1:]

    x = np.array([1.0, 4.0, 0.0, 9.0, 16.0, 25.0, 1.0])
    pattern = np.eye(6, 7) + np.eye(6, 7, 1) if given else None
    jacobian = s2sgrad.sparse_jacobian(differences_of_roots, pattern=pattern)
    with np.errstate(divide="ignore", invalid="ignore"):
        found, dense = jacobian(x), s2sgrad.jacobian(differences_of_roots)(x)
    np.testing.assert_allclose(found.toarray(), dense, rtol=1e-14)
    assert np.sum(np.isinf(dense)) == 2 and not np.any(np.isnan(dense)) and found.nnz == 12
    with np.errstate(divide="ignore", invalid="ignore"):
        again = jacobian(x + 1.0).toarray()  # regular points after it: the pattern is as narrow
    np.testing.assert_allclose(again, s2sgrad.jacobian(differences_of_roots)(x + 1.0), rtol=1e-14)
    assert jacobian.sweeps(x + 1.0) == 2
