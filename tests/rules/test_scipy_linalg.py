"""scipy.linalg: every rule on a table of samples, real and complex."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numeric import assert_rule, cplx, real

import s2sgrad
from s2sgrad.rules import lookup

sl = pytest.importorskip("scipy.linalg")


def words(text: str) -> list[str]:
    return text.split()


def adjoint(a: Any) -> Any:
    return np.conj(np.swapaxes(a, -1, -2))


def hermitian(a: Any) -> Any:
    return 0.5 * (a + adjoint(a))


def positive(a: Any) -> Any:
    return a @ adjoint(a) + 0.5 * np.eye(a.shape[-1])


def stable(a: Any) -> Any:
    return 0.2 * a - 2.0 * np.eye(len(a))


KINDS = pytest.mark.parametrize("kind", [real, cplx], ids=["real", "complex"])
GENERAL = [
    ("inv", lambda a: (a(3, 3),), {}),
    ("det", lambda a: (a(3, 3),), {}),
    ("solve", lambda a: (a(3, 3), a(3)), {}),
    ("solve", lambda a: (a(3, 3), a(3, 2)), {"assume_a": "gen"}),
    *[
        ("solve_triangular", lambda a: (a(3, 3), a(3)), {"trans": t, "lower": low})
        for t in (0, 1, 2)
        for low in (False, True)
    ],
    ("solve_triangular", lambda a: (a(3, 3), a(3, 2)), {"unit_diagonal": True, "trans": "T"}),
    *[("lu_factor", lambda a, s=s: (a(*s),), {}) for s in ((4, 4), (5, 3), (3, 5), (2, 5, 3))],
    *[("lu", lambda a, s=s: (a(*s),), {}) for s in ((4, 4), (5, 3), (3, 5))],
    ("lu", lambda a: (a(4, 3),), {"permute_l": True}),
    *[("lu_solve", lambda a: (sl.lu_factor(a(3, 3)), a(3)), {"trans": t}) for t in (0, 1, 2)],
    ("lu_solve", lambda a: (sl.lu_factor(a(3, 3)), a(3, 2)), {}),
    ("cho_solve", lambda a: (sl.cho_factor(positive(a(3, 3))), a(3)), {}),
    ("cho_solve", lambda a: (sl.cho_factor(positive(a(3, 3)), lower=True), a(3, 2)), {}),
    *[(n, lambda a: (0.5 * a(3, 3),), {}) for n in words("expm cosm sinm tanm sinhm coshm tanhm")],
    ("sqrtm", lambda a: (positive(a(3, 3)) + 0.1 * a(3, 3),), {}),
    ("logm", lambda a: (positive(a(3, 3)) + 0.1 * a(3, 3),), {}),
    ("fractional_matrix_power", lambda a: (positive(a(3, 3)) + 0.1 * a(3, 3), 0.3), {}),
    ("solve_sylvester", lambda a: (a(3, 3), a(2, 2), a(3, 2)), {}),
    ("solve_continuous_lyapunov", lambda a: (stable(a(3, 3)), a(3, 3)), {}),
    ("solve_discrete_lyapunov", lambda a: (0.1 * a(3, 3), a(3, 3)), {}),
    ("block_diag", lambda a: (a(2, 3), a(3), a(1, 1), a(2, 2)), {}),
    ("toeplitz", lambda a: (a(3),), {}),
    ("toeplitz", lambda a: (a(3), a(4)), {}),
    ("hankel", lambda a: (a(3),), {}),
    ("hankel", lambda a: (a(3), a(4)), {}),
    ("circulant", lambda a: (a(4),), {}),
    ("toeplitz", lambda a: (a(2, 3), a(2, 4)), {}),  # the first dimension: several matrices
    *[(n, lambda a: (a(2, 3),), {}) for n in words("toeplitz circulant companion fiedler")],
    ("leslie", lambda a: (a(2, 4), a(2, 3)), {}),
    ("convolution_matrix", lambda a: (a(2, 3), 4), {}),
    ("khatri_rao", lambda a: (a(2, 2, 3), a(2, 4, 3)), {}),
    ("leslie", lambda a: (a(4), a(3)), {}),
    *[("convolution_matrix", lambda a: (a(4), 5), {"mode": m}) for m in ("full", "same", "valid")],
    ("companion", lambda a: (a(4),), {}),
    ("khatri_rao", lambda a: (a(2, 3), a(4, 3)), {}),
    *[("norm", lambda a: (a(4, 3),), {"ord": o}) for o in (None, "nuc", 2, 1)],
    ("eigvals", lambda a: (a(4, 4),), {}),
    ("eig", lambda a: (a(4, 4),), {}),
    ("svd", lambda a: (a(3, 3),), {}),
    ("svd", lambda a: (a(4, 3),), {"full_matrices": False}),
    ("svd", lambda a: (a(4, 3),), {"compute_uv": False}),
    ("svdvals", lambda a: (a(4, 3),), {}),
    ("qr", lambda a: (a(3, 3),), {}),
    ("qr", lambda a: (a(4, 3),), {"mode": "economic"}),
    ("qr", lambda a: (a(4, 3),), {"mode": "r"}),
    ("qr", lambda a: (a(4, 3),), {"mode": "economic", "pivoting": True}),
    ("qr", lambda a: (a(3, 3),), {"pivoting": True, "mode": "r"}),
    *[
        ("solve", lambda a: (a(4, 4), a(4)), {"assume_a": kind})
        for kind in ("upper triangular", "lower triangular", "diagonal", "tridiagonal")
    ],
    ("inv", lambda a: (a(4, 4),), {"assume_a": "upper triangular"}),
    ("pinv", lambda a: (a(4, 3),), {}),
    ("polar", lambda a: (a(3, 3),), {}),
    ("polar", lambda a: (a(3, 3),), {"side": "left"}),
]
HERMITIAN = [
    ("cholesky", {}),
    ("cholesky", {"lower": True}),
    ("cho_factor", {}),
    ("cho_factor", {"lower": True}),
    ("eigh", {"eigvals_only": True}),
    ("eigvalsh", {"lower": False}),
    ("pinvh", {}),
]


@KINDS
@pytest.mark.parametrize("case", range(len(GENERAL)), ids=lambda i: f"{GENERAL[i][0]}-{i}")
def test_rule(case: int, kind: Any) -> None:
    name, make, kwargs = GENERAL[case]
    assert_rule(getattr(sl, name), *make(kind), tolerance=3e-7, **kwargs)


# A stack of matrices with one right side, the other way round, and both as stacks.
STACKS = [((2, 3, 3), (3,)), ((2, 3, 3), (3, 2)), ((3, 3), (2, 3, 2)), ((2, 3, 3), (2, 3, 2))]


@KINDS
@pytest.mark.parametrize("shapes", STACKS, ids=str)
def test_solvers_of_stacks(shapes: Any, kind: Any) -> None:
    a, b = (kind(*shape) for shape in shapes)
    for kwargs in ({}, {"assume_a": "upper triangular"}):
        assert_rule(sl.solve, a, b, tolerance=3e-7, **kwargs)
    for trans in (0, 1, 2):
        assert_rule(sl.solve_triangular, a, b, trans, tolerance=3e-7)
        assert_rule(sl.lu_solve, sl.lu_factor(a), b, trans, tolerance=3e-7)
    factor, lower = sl.cho_factor(positive(a))
    assert_rule(sl.cho_solve, (factor, bool(np.all(lower))), b, tolerance=3e-7)


@pytest.mark.parametrize("name", ["solve", "solve_triangular", "lu_solve", "cho_solve"])
@pytest.mark.parametrize("shapes", STACKS, ids=str)
def test_stacks_at_second_order(shapes: Any, name: str) -> None:
    given = [real(*shape) for shape in shapes]
    solve = getattr(sl, name)

    def loss(a: Any, b: Any) -> Any:
        if name == "lu_solve":
            a = sl.lu_factor(a)
        if name == "cho_solve":
            a = sl.cho_factor(a @ np.swapaxes(a, -1, -2))
        return np.sum(solve(a, b) ** 3)

    moves = [real(*shape) for shape in shapes]
    slope = s2sgrad.grad(loss, argnums=(0, 1))
    _, found = s2sgrad.jvp(slope, tuple(given), tuple(moves))
    sides = [slope(*(g + h * m for g, m in zip(given, moves, strict=True))) for h in (1e-5, -1e-5)]
    for part, above, below in zip(found, *sides, strict=True):
        np.testing.assert_allclose(part, (above - below) / 2e-5, rtol=1e-5, atol=1e-6)


@KINDS
@pytest.mark.parametrize("case", HERMITIAN, ids=str)
def test_hermitian(case: Any, kind: Any) -> None:
    name, kwargs = case
    assert_rule(getattr(sl, name), positive(kind(3, 3)), constrain=hermitian, **kwargs)


def test_real_eigenvectors() -> None:
    assert_rule(sl.eigh, positive(real(3, 3)), constrain=hermitian, driver="ev")


def test_solve_transposed() -> None:
    assert_rule(sl.solve, real(3, 3), real(3), transposed=True)


@KINDS
@pytest.mark.parametrize("name", ["solve_continuous_are", "solve_discrete_are"])
def test_riccati(name: str, kind: Any) -> None:
    """q and r are Hermitian, and only move as such."""
    solve, q, r = getattr(sl, name), positive(kind(3, 3)), positive(kind(2, 2))
    a, b = kind(3, 3), kind(3, 2)

    def constrain(d: Any) -> Any:
        return hermitian(d) if d.shape in ((3, 3), (2, 2)) else d

    assert_rule(solve, hermitian(a), b, q, r, constrain=constrain, tolerance=1e-6)


@pytest.mark.parametrize("name", ["solve_continuous_are", "solve_discrete_are"])
@pytest.mark.parametrize("given", ["e", "s", "es"])
def test_generalised_riccati(name: str, given: str) -> None:
    solve, q, r, s = getattr(sl, name), positive(real(3, 3)), positive(real(2, 2)), 0.1 * real(3, 2)
    b, e = real(3, 2), np.eye(3) + 0.05 * real(3, 3)
    a = stable(real(3, 3)) if "continuous" in name else 0.3 * real(3, 3)

    def loss(a: Any, b: Any, q: Any, r: Any, e: Any, s: Any) -> Any:
        q, r = 0.5 * (q + q.T), 0.5 * (r + r.T)
        e, s = e if "e" in given else None, s if "s" in given else None
        # balanced, SciPy 1.17 gives what does not solve the equation with e: off by percents
        return np.sum(np.sin(solve(a, b, q, r, e, s, balanced=False)))

    s2sgrad.check_grad(loss, a, b, q, r, e, s)
    slope, moved = s2sgrad.grad(loss), real(3, 3)
    _, found = s2sgrad.jvp(lambda e: slope(a, b, q, r, e, s), (e,), (moved,))
    sides = [slope(a, b, q, r, e + h * moved, s) for h in (1e-5, -1e-5)]
    np.testing.assert_allclose(found, (sides[0] - sides[1]) / 2e-5, rtol=1e-4, atol=1e-5)


@KINDS
def test_two_matrices(kind: Any) -> None:
    """Both are Hermitian, and only move as such; complex vectors keep no phase of their own."""
    a, b = positive(kind(3, 3)), positive(kind(3, 3))
    assert_rule(sl.eigh, a, b, constrain=hermitian, eigvals_only=True)
    assert_rule(sl.eigvalsh, a, b, constrain=hermitian)
    if kind is real:
        assert_rule(sl.eigh, a, b, constrain=hermitian)


@KINDS
@pytest.mark.parametrize("chosen", [{"subset_by_index": [1, 2]}, {"subset_by_value": [-9.0, 9.0]}])
def test_some_of_the_eigenvalues(kind: Any, chosen: Any) -> None:
    a, b = positive(kind(4, 4)), positive(kind(4, 4))
    assert len(sl.eigvalsh(a, **chosen)) in (1, 2, 3)
    assert_rule(sl.eigvalsh, a, constrain=hermitian, **chosen)
    assert_rule(sl.eigh, a, b, constrain=hermitian, eigvals_only=True, **chosen)
    if kind is real:
        assert_rule(sl.eigh, a, constrain=hermitian, **chosen)
        assert_rule(sl.eigh, a, b, constrain=hermitian, subset_by_index=[0, 1])


def test_settings_without_derivative_are_refused() -> None:
    a, b = positive(real(3, 3)), positive(real(3, 3))
    y = sl.eigh(a, b, type=2)
    fn = lookup(sl.eigh).partials["a"].fn
    with pytest.raises(NotImplementedError, match="type 2"):
        fn(y, y, *lookup(sl.eigh).bind((a, b), {"type": 2}).values())


def test_rq_by_its_r_alone() -> None:
    """It is as wide as the matrix then."""
    a = np.random.default_rng(3).normal(size=(2, 3))
    r, tangent = s2sgrad.jvp(lambda a: sl.rq(a, mode="r"), (a,), (a,))
    np.testing.assert_allclose(r, sl.rq(a, mode="r"), atol=1e-12)
    np.testing.assert_allclose(tangent, r, atol=1e-12)
    s2sgrad.check_grad(lambda a: np.sum(sl.rq(a, mode="r") ** 3), a)
