"""Hessians times vectors of compiled functions: what forward mode over a gradient calls is compiled
too, so that they cost a few gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sgrad
import s2sgrad_runtime as runtime

numba = pytest.importorskip("numba")

WEIGHTS = np.arange(1.0, 17.0).reshape(4, 4) / 8.0
POINTS = np.array([-1.5, -0.2, 0.4, 1.7])


def bilinear(x: Any) -> Any:
    return np.einsum("i,ij,j->", x[0] ** 2, WEIGHTS, x[1])


def contracted(x: Any) -> Any:
    one = np.einsum("ij,jk,kl->il", x, WEIGHTS, x) + np.einsum("ij,kj->ik", x, np.sin(x))
    return np.sum(one**2) + np.sum(np.einsum("i,jk->jik", x[0], x) ** 3)


def interpolated(x: Any) -> Any:
    places = POINTS + 0.05 * x[1]
    inside = np.interp(x[0], places, x[2]) ** 2 + np.interp(x[3], places, x[2], left=0.5) ** 3
    return np.sum(inside) + np.interp(x[3, 0], places, x[1]) ** 2


def factored(x: Any) -> Any:
    lower = np.linalg.cholesky(x @ x.T + 3.0 * np.eye(4))
    return np.sum(WEIGHTS * lower**3)


def running_products(x: Any) -> Any:
    along = np.cumprod(x, axis=0) * WEIGHTS + np.cumprod(x * x, axis=-1)
    return np.sum(along**2) + np.sum(np.cumprod(x) * WEIGHTS.ravel()) + np.cumprod(x[0])[2]


def products(x: Any) -> Any:
    return np.sum(np.prod(x, axis=0) * WEIGHTS[0]) + np.sum(np.prod(x, axis=1) ** 2)


@pytest.mark.parametrize(
    "function", [bilinear, contracted, interpolated, factored, running_products, products]
)
def test_nothing_of_it_is_a_call_of_python(function: Any) -> None:
    rng = np.random.default_rng(2)
    x, v = rng.normal(size=(4, 4)), rng.normal(size=(4, 4))
    compiled, gradient = s2sgrad.hvp(function, jit=True, fallback="error"), s2sgrad.grad(function)
    found = compiled(x, v)
    np.testing.assert_allclose(found, s2sgrad.hvp(function)(x, v), rtol=1e-9, atol=1e-12)
    step = 1e-6 * v
    near = (gradient(x + step) - gradient(x - step)) / 2e-6
    np.testing.assert_allclose(found, near, rtol=1e-5, atol=1e-6 * np.abs(near).max())
    source = compiled.forward.product(x).compiled.source
    assert "objmode" not in source and "_part_1(" not in source


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("kind", [float, complex])
def test_running_products_along_axes(axis: int, kind: Any) -> None:
    rng = np.random.default_rng(3)
    a, dot, bar = (rng.normal(size=(3, 4, 2)) * (1.0 if kind is float else 1.0 + 0.5j)
                   for _ in range(3))  # fmt: skip
    a[1, 2, 0] = a[0, 1, 1] = 0.0
    forward = numba.njit(lambda dot, a: runtime.cumprod_dot(dot, a, axis))
    again = numba.njit(lambda dot, bar, a: runtime.cumprod_bar_dot(dot, bar, a, axis))
    for part in (slice(None), slice(0, 1), slice(0, 0)):
        dots, bars, numbers = dot[part], bar[:, :, ::-1][part], a[part]
        wanted = runtime.cumprod_dot(dots, numbers, axis)
        np.testing.assert_allclose(forward(dots, numbers), wanted, atol=1e-14)
        wanted = runtime.cumprod_bar_dot(dots, bars, numbers, axis)
        np.testing.assert_allclose(again(dots, bars, numbers), wanted, atol=1e-13)


def test_shares_of_points_that_lie_outside_or_together() -> None:
    compiled = numba.njit(lambda bar, x, points: runtime.interp_slope_bar(bar, x, points))
    x, bar = np.array([[-2.0, -1.0, 0.3], [1.0, np.nan, 5.0]]), np.arange(1.0, 7.0).reshape(2, 3)
    for points in (np.array([-1.0, 0.0, 0.0, 1.0]), np.array([0.3])):
        wanted = runtime.interp_slope_bar(bar, x, points)
        np.testing.assert_allclose(compiled(bar, x, points), wanted)
        np.testing.assert_allclose(compiled(bar.T, x.T, points), wanted)


@pytest.mark.parametrize("upper", [False, True])
@pytest.mark.parametrize("turn", [0.0, 0.4j])
def test_third_order_of_a_factor(upper: bool, turn: Any) -> None:
    shift = 4.0 * np.eye(3)

    def loss(x: Any) -> Any:
        mixed = x + turn * np.sin(x)
        factor = np.linalg.cholesky(mixed @ np.conj(mixed).T + shift, upper=upper)
        return np.sum(np.abs(factor) ** 2 * WEIGHTS[:3, 1:]) + np.real(factor[-1, -1] ** 3)

    x = np.random.default_rng(5).normal(size=(3, 3))
    s2sgrad.check_grad(loss, x)
    s2sgrad.check_grad(lambda x: np.sum(s2sgrad.grad(loss)(x) * WEIGHTS[:3, :3]), x)
    s2sgrad.check_grad(lambda x: np.sum(s2sgrad.hvp(loss)(x, x) * WEIGHTS[:3, :3]), x)
