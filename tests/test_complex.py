"""Complex arguments and results: the convention, holomorphic functions, Jacobians."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sgrad

Z = np.array([0.3 + 1.0j, 0.4 - 0.2j])
STEP = 1e-6


def mixed(z: Any) -> Any:
    return z**2 * np.sin(z[::-1])


def slopes(f: Any, z: Any, unit: complex = 1.0) -> Any:
    moves = STEP * unit * np.eye(len(z))
    return np.array([(f(z + d) - f(z - d)) / (2 * STEP) for d in moves]).T


def test_convention() -> None:
    z = 1.0 + 2.0j
    assert s2sgrad.grad(lambda z: np.abs(z) ** 2)(z) == pytest.approx(2 + 4j)
    assert s2sgrad.grad(lambda z: np.real(z**2))(z) == pytest.approx(2 - 4j)
    _, pull = s2sgrad.vjp(lambda z: z**2, z)
    assert pull(1 + 1j)[0] == pytest.approx(np.conj(2 * z) * (1 + 1j))
    _, dot = s2sgrad.jvp(lambda z: z**2, (z,), (1 + 1j,))
    assert dot == pytest.approx(2 * z * (1 + 1j))


@pytest.mark.parametrize("jit", [False, True])
def test_holomorphic_gradient(jit: bool) -> None:
    def f(z: Any, a: float = 2.0) -> Any:
        return np.exp(z * a) / z

    slope = s2sgrad.grad(f, holomorphic=True, jit=jit, fallback="error")
    z = 0.3 + 0.5j
    for unit in (1.0, 1.0j):
        expected = (f(z + STEP * unit) - f(z - STEP * unit)) / (2 * STEP * unit)
        assert slope(z) == pytest.approx(expected)
    assert slope(z, 3.0) == pytest.approx(3 * f(z, 3.0) - f(z, 3.0) / z)
    assert s2sgrad.grad(np.exp, holomorphic=True)(z) == pytest.approx(np.exp(z))
    both = s2sgrad.grad(lambda z, w: z**2 * w, (0, 1), holomorphic=True)(z, 2.0 + 1.0j)
    assert both == pytest.approx((2 * z * (2.0 + 1.0j), z**2))
    with pytest.raises(TypeError, match="must be complex"):
        slope(0.5)


def test_holomorphic_twice_and_inside() -> None:
    slope = s2sgrad.grad(lambda z: np.exp(z) * z, holomorphic=True)
    again = s2sgrad.grad(slope, holomorphic=True, fallback="error")
    assert again(0.5j) == pytest.approx(np.exp(0.5j) * (2 + 0.5j))

    def newton(start: Any) -> Any:
        z = start
        for _ in range(20):
            z = z - (z**3 - 1.0) / s2sgrad.grad(lambda z: z**3 - 1.0, holomorphic=True)(z)
        return z

    assert newton(0.3 + 1.0j) == pytest.approx(np.exp(2j * np.pi / 3))

    def modulus(w: Any) -> Any:
        return np.abs(slope(w[0] + 1j * w[1])) ** 2

    s2sgrad.check_grad(modulus, np.array([0.3, 0.4]))
    assert s2sgrad.grad(modulus, fallback="error")(np.array([0.3, 0.4])).dtype == np.float64


@pytest.mark.parametrize("kind", [s2sgrad.jacobian, s2sgrad.jacfwd, s2sgrad.jacrev])
def test_jacobians(kind: Any) -> None:
    np.testing.assert_allclose(kind(mixed, holomorphic=True)(Z), slopes(mixed, Z), rtol=1e-7)
    squares = kind(lambda z: np.abs(z) ** 2 * z.real[::-1])(Z)
    by_parts = [slopes(lambda z: np.abs(z) ** 2 * z.real[::-1], Z, unit) for unit in (1.0, 1.0j)]
    np.testing.assert_allclose(squares, by_parts[0] + 1j * by_parts[1], rtol=1e-7, atol=1e-8)
    x = np.array([0.3, 0.4])
    waves = kind(lambda x: np.array([np.sum(np.exp(1j * x)), x[0] * 1j]))(x)
    np.testing.assert_allclose(waves, [1j * np.exp(1j * x), [1j, 0.0]], atol=1e-12)
    with pytest.raises(TypeError, match="holomorphic=True"):
        kind(mixed)(Z)


@pytest.mark.parametrize("derivative", [s2sgrad.grad, s2sgrad.jacobian])
@pytest.mark.parametrize("jit", [False, True])
def test_real_functions_are_not_holomorphic(derivative: Any, jit: bool) -> None:
    def energy(z: Any) -> Any:
        return np.sum(np.abs(z) ** 2)

    with pytest.raises(TypeError, match=rf"energy \(.*{__name__}.py:\d+\) must give complex"):
        derivative(energy, holomorphic=True, jit=jit)(Z)


@pytest.mark.parametrize("function", [np.prod, np.var, np.cumprod, np.nansum])
def test_imaginary_parts_dropped_by_a_dtype_are_refused(function: Any) -> None:
    def f(z: Any) -> Any:
        return np.sum(function(z, dtype=float))

    with pytest.raises(s2sgrad.UnsupportedError, match="with a real dtype"):
        s2sgrad.grad(f, fallback="error")(Z)
    with pytest.raises(s2sgrad.UnsupportedError, match="with a real dtype"):
        s2sgrad.jvp(f, (Z,), (Z,), fallback="error")


@pytest.mark.parametrize("name", ["convolve", "correlate", "convolve1d", "correlate1d"])
def test_complex_kernels(name: str) -> None:
    """A correlation conjugates its weights, a convolution does not."""
    filtered = getattr(pytest.importorskip("scipy.ndimage"), name)

    def total(parts: np.ndarray) -> float:
        y = filtered(parts[0] + 1j * parts[1], parts[2, :3] - 1j * parts[3, :3])
        return np.sum(np.abs(y) ** 2 * np.arange(5.0)) + np.sum(np.real((1.0 + 2.0j) * y))

    parts = np.random.default_rng(2).standard_normal((4, 5))
    s2sgrad.check_grad(total, parts)
    v = np.ones((4, 5))
    y_dot = s2sgrad.jvp(total, (parts,), (v,), fallback="error")[1]
    np.testing.assert_allclose(y_dot, np.sum(s2sgrad.grad(total)(parts)), rtol=1e-10)


def test_zero_to_a_complex_power() -> None:
    """0**z stays 0 where the real part of z is positive: its slope is 0, not 0 * log(0)."""

    def f(z: Any, base: Any) -> Any:
        return np.sum(np.real(base**z))

    found = s2sgrad.grad(f)(np.array([0.5 + 0.3j, 1.0 + 1.0j]), np.array([0.0, 2.0]))
    assert found[0] == 0.0 and np.isfinite(found[1])
