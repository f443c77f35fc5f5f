"""scipy.linalg: stacks of matrices, whose axes in front are broadcast against each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sgrad

pytest.importorskip("scipy", minversion="1.17")
sl = pytest.importorskip("scipy.linalg")
RNG = np.random.default_rng(3)


def normal(*shape: int) -> Any:
    return RNG.normal(size=shape)


def both(a: Any) -> Any:
    return a + np.swapaxes(a, -1, -2)


def definite(*shape: int) -> Any:
    return 0.1 * both(normal(*shape)) + 2.0 * np.eye(shape[-1])


def regular(*shape: int) -> Any:
    return 0.3 * normal(*shape) + 3.0 * np.eye(shape[-1])


def bands(row: int, *shape: int) -> Any:
    found = 0.3 * normal(*shape)
    found[..., row, :] += 4.0
    return found


def column(*shape: int) -> Any:
    return np.array([4.0, 1.0, 0.5]) + 0.1 * normal(*shape, 3)


def projector(q: Any) -> Any:
    return q @ np.swapaxes(q, -1, -2)


def upper_solve(ab: Any, b: Any) -> Any:
    return sl.solve_banded((0, 1), ab, b)


def by_factor(ab: Any, b: Any) -> Any:
    return sl.cho_solve_banded((sl.cholesky_banded(ab, lower=True), True), b)


Case = tuple[str, Callable[..., Any], tuple[Any, ...]]
CASES: list[Case] = [
    ("solve_banded", lambda a, b: sl.solve_banded((1, 1), a, b), (bands(1, 2, 3, 6), normal(6))),
    ("upper_solve", upper_solve, (bands(1, 2, 6), normal(2, 6, 2))),
    ("outer_solve", upper_solve, (bands(1, 2, 1, 2, 5), normal(3, 5, 1))),
    ("solveh_banded", lambda a, b: sl.solveh_banded(a, b), (bands(1, 2, 2, 5), normal(5, 2))),
    ("solveh_lower", lambda a, b: sl.solveh_banded(a, b, lower=True),
     (bands(0, 2, 5), normal(2, 5, 2))),
    ("solve_toeplitz", lambda c, b: sl.solve_toeplitz(c, b), (column(2), normal(3, 2))),
    ("solve_toeplitz_pair", lambda c, r, b: sl.solve_toeplitz((c, r), b),
     (column(2), column(), normal(3))),
    ("matmul_toeplitz", lambda c, x: sl.matmul_toeplitz(c, x), (normal(3), normal(2, 3, 2))),
    ("lstsq", lambda a, b: sl.lstsq(a, b)[0], (normal(2, 5, 3), normal(5))),
    ("lstsq_residues", lambda a, b: sl.lstsq(a, b)[1], (normal(5, 3), normal(2, 5, 2))),
    ("eigh_pair", lambda a, b: sl.eigh(both(a), both(b), eigvals_only=True),
     (definite(2, 3, 3), definite(3, 3))),
    ("eigvalsh_pair", lambda a, b: sl.eigvalsh(both(a), b=both(b), type=2),
     (definite(3, 3), definite(2, 3, 3))),
    ("eigvals_pair", lambda a, b: np.abs(sl.eigvals(a, b)), (normal(2, 3, 3), definite(3, 3))),
    ("eig_pair", lambda a, b: np.abs(sl.eig(a, b, False, True)[0]),
     (normal(2, 3, 3), definite(3, 3))),
    ("eig_left", lambda a: np.abs(sl.eig(a, None, True)[0]), (normal(2, 3, 3),)),
    ("eigvals_banded", lambda a: sl.eigvals_banded(a), (bands(1, 2, 2, 5),)),
    ("eigh_tridiagonal", lambda d, e: sl.eigh_tridiagonal(d, e)[0], (normal(4), normal(2, 3))),
    ("eigvalsh_tridiagonal", lambda d, e: sl.eigvalsh_tridiagonal(d, e, select="i",
     select_range=(0, 1)), (normal(2, 4), normal(3))),
    ("by_factor", by_factor, (bands(0, 2, 2, 5), normal(5, 1))),
    ("ldl", lambda a: sl.ldl(both(a))[1], (definite(2, 3, 3),)),
    ("polar", lambda a: sl.polar(a, side="left")[1], (regular(2, 3, 3),)),
    ("rq", lambda a: sl.rq(a)[0] ** 2, (regular(2, 3, 3),)),
    ("diagsvd", lambda s: sl.diagsvd(s, 3, 4), (normal(2, 3),)),
    ("null_space", lambda a: projector(sl.null_space(a)), (normal(2, 2, 4),)),
    ("subspace_angles", lambda a, b: sl.subspace_angles(a, b), (normal(2, 4, 2), normal(4, 2))),
    ("expm_frechet", lambda a, e: sl.expm_frechet(a, e, compute_expm=False),
     (normal(3, 3), normal(2, 3, 3))),
    ("khatri_rao", lambda a, b: sl.khatri_rao(a, b), (normal(3, 2), normal(2, 4, 2))),
    ("procrustes", lambda a, b: sl.orthogonal_procrustes(a, b)[0],
     (normal(2, 4, 3), normal(4, 3))),
    ("sylvester", lambda a, b, q: sl.solve_sylvester(a, b, q),
     (regular(3, 3), regular(2, 2, 2), normal(3, 2))),
    ("lyapunov", lambda a, q: sl.solve_continuous_lyapunov(a, q), (regular(2, 3, 3), normal(3, 3))),
    ("steps", lambda a, q: sl.solve_discrete_lyapunov(0.2 * a, q),
     (regular(3, 3), normal(2, 3, 3))),
    ("riccati", lambda a, b, q, r: sl.solve_continuous_are(a, b, both(q), both(r)),
     (normal(2, 3, 3), normal(3, 2), definite(3, 3), definite(2, 2))),
    ("riccati_steps", lambda a, b, q, r: sl.solve_discrete_are(a, b, both(q), both(r)),
     (normal(3, 3), normal(3, 2), definite(2, 3, 3), definite(2, 2))),
    ("hessenberg", lambda a: sl.hessenberg(a) ** 2, (normal(2, 3, 3),)),
    ("schur", lambda a: sl.schur(both(a))[0], (definite(2, 3, 3),)),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[c[0] for c in CASES])
def test_stacks(case: Case) -> None:
    """Cotangents have the shapes of the arguments, and agree with tangents and differences."""
    _, function, args = case
    places = tuple(range(len(args)))
    y, pullback = s2sgrad.vjp(function, *args, fallback="error")
    np.testing.assert_allclose(y, function(*args), rtol=1e-9, atol=1e-12)
    weights = np.random.default_rng(1).normal(size=np.shape(y))
    bars = pullback(weights)
    for k in places:
        assert bars[k].shape == args[k].shape
        step = np.random.default_rng(k).normal(size=args[k].shape)
        ends = [function(*args[:k], args[k] + h * step, *args[k + 1 :]) for h in (1e-6, -1e-6)]
        expected = np.sum(weights * (ends[0] - ends[1])) / 2e-6
        steps = tuple(step if j == k else np.zeros_like(args[j]) for j in places)
        dot = s2sgrad.jvp(function, args, steps, fallback="error")[1]
        np.testing.assert_allclose(np.sum(bars[k] * step), expected, rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(np.sum(dot * weights), expected, rtol=1e-4, atol=1e-6)


def banded_on_tensors(ab: Any, b: Any) -> Any:
    try:
        return np.sum(sl.solve_banded((1, 1), ab, b) ** 2)
    except np.linalg.LinAlgError:
        return np.sum(b**2)


def sylvester_on_tensors(a: Any, q: Any) -> Any:
    try:
        return np.sum(sl.solve_sylvester(a, np.eye(2), q) ** 2)
    except np.linalg.LinAlgError:
        return np.sum(a**2)


@pytest.mark.parametrize("function", [banded_on_tensors, sylvester_on_tensors])
def test_stacks_on_tensors(function: Callable[..., Any]) -> None:
    """What runs on tensors takes stacks too."""
    banded = function is banded_on_tensors
    args = (bands(1, 2, 3, 6), normal(6)) if banded else (regular(2, 3, 3), normal(3, 2))
    with pytest.warns(UserWarning):
        bars = s2sgrad.grad(function, argnums=(0, 1))(*args)
    for k in (0, 1):
        assert bars[k].shape == args[k].shape
        step = normal(*args[k].shape)
        ends = [function(*args[:k], args[k] + h * step, *args[k + 1 :]) for h in (1e-6, -1e-6)]
        expected = (ends[0] - ends[1]) / 2e-6
        np.testing.assert_allclose(np.sum(bars[k] * step), expected, rtol=1e-5)
