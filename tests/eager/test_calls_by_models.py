"""Calls that a rule does not serve, on tensors: what the compiler reads instead serves them too."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sgrad
from s2sgrad import eager as torch
from s2sgrad_runtime import sph_harm_slope

special, linalg = pytest.importorskip("scipy.special"), pytest.importorskip("scipy.linalg")
ndimage, signal = pytest.importorskip("scipy.ndimage"), pytest.importorskip("scipy.signal")
optimize = pytest.importorskip("scipy.optimize")
interpolate, stats = pytest.importorskip("scipy.interpolate"), pytest.importorskip("scipy.stats")
PLACES = np.array([0.0, 1.0, 2.5, 3.0, 4.2])
X = np.array([0.4, -0.7, 1.1, 0.3, 0.9, -0.2, 0.6, 5.2])
ALONG = [(0, 1), (1, 0), (0, 1)]

# NumPy's functions, which take tensors
OF_NUMPY: dict[str, Callable[[Any], Any]] = {
    "linspace": lambda v: np.linspace(v[0], v[1], 5, retstep=True),
    "linspace_rows": lambda v: np.linspace(v[:2], v[2:4], 5, endpoint=False, retstep=True, axis=-1),
    "matmul": lambda v: np.matmul(v.reshape(2, 4), v.reshape(2, 4), axes=ALONG),
    "matvec": lambda v: np.matvec(v.reshape(2, 4), v[:2], axes=[(1, 0), 0, 0]),
    "vecdot": lambda v: np.vecdot(v.reshape(2, 4), v[:2], axes=[0, 0]),
    "average": lambda v: np.average(v[:4], weights=v[4:] ** 2, returned=True),
    "pad": lambda v: np.pad(v, 2, mode="maximum"),
    "pad_computed": lambda v: np.pad(v[1:], 2, constant_values=v[0]),
    "ediff1d": lambda v: np.ediff1d(v[1:], to_begin=v[0] ** 2),
    "einsum_of_numbers": lambda v: np.einsum(
        v.reshape(2, 4), [0, ...], v.reshape(4, 2), [1, 0], [1, ...]
    ),
    "choose": lambda v: np.choose([0, 1, 1, 0], v.reshape(2, 4)),
    "interp": lambda v: np.interp(v[:3], np.arange(4.0), v[4:], left=v[3]),
}

# SciPy's, in functions that run on tensors
OF_SCIPY: dict[str, Callable[[Any], Any]] = {
    "solve_toeplitz": lambda v: linalg.solve_toeplitz(v[::-2], v[::2]),
    "solve_toeplitz_row": lambda v: linalg.solve_toeplitz((v[::-2], v[3::-1]), v[::2]),
    "logsumexp": lambda v: special.logsumexp(v[:4], b=v[4:], return_sign=True),
    "medfilt": lambda v: signal.medfilt(v, 3),
    "maximum_filter": lambda v: ndimage.maximum_filter(v.reshape(2, 4), size=(2, 3)),
    "root": lambda v: optimize.root(lambda t: t**3 + t * np.exp(v[:2]) - 1.0, np.ones(2)).x,
    "legendre_p": lambda v: special.legendre_p(3, v, diff_n=1),
    "legendre_p_all": lambda v: special.assoc_legendre_p_all(3, 2, np.sin(v[:3])),
    "CubicSpline": lambda v: interpolate.CubicSpline(PLACES, v[:5]).derivative()(v[5:] % 1.0),
    "spline_of_constants": lambda v: interpolate.CubicSpline(PLACES, PLACES**2)(v),
    "interp1d": lambda v: interpolate.interp1d(PLACES, v[:5], kind="cubic")([0.3, 2.2]),
    "PchipInterpolator": lambda v: interpolate.PchipInterpolator(PLACES, v[:5])(0.7),
    "RBFInterpolator": lambda v: interpolate.RBFInterpolator(PLACES[:, None], v[:5])(
        [[0.3], [2.2]]
    ),
    "BSpline": lambda v: interpolate.BSpline(np.arange(9.0), v[:5], 3)(3.4),
    "gaussian_kde": lambda v: stats.gaussian_kde(v)([0.3, 2.2]),
    "isinstance": lambda v: (
        v * isinstance(interpolate.CubicSpline(PLACES, v[:5]), interpolate.CubicSpline)
    ),
    "sph_harm_y": lambda v: special.sph_harm_y(3, 2, v[:3], v[3:6]),
}


def total(found: Any) -> Any:
    """A number made of all results."""
    parts = found if isinstance(found, tuple) else (found,)
    return sum(np.sum(np.real(part * np.conj(part))) for part in parts)


def differences(function: Callable[[Any], Any], v: Any) -> Any:
    steps = 1e-6 * np.eye(len(v))
    return np.array([(function(v + h) - function(v - h)) / 2e-6 for h in steps])


@pytest.mark.parametrize("name", OF_NUMPY)
def test_numpy_functions_on_tensors(name: str) -> None:
    def loss(v: Any) -> Any:
        return total(OF_NUMPY[name](v))

    x = torch.tensor(X, requires_grad=True)
    (slope,) = torch.autograd.grad(loss(x), x, create_graph=True)
    np.testing.assert_allclose(slope.detach().numpy(), differences(loss, X), atol=1e-6)
    (second,) = torch.autograd.grad((slope * torch.tensor(X)).sum(), x)
    expected = differences(s2sgrad.grad(loss), X) @ X
    np.testing.assert_allclose(second.numpy(), expected, rtol=1e-6, atol=1e-6)


@pytest.mark.filterwarnings("ignore:.*runs on dynamic-graph tensors")
@pytest.mark.parametrize("name", [*OF_NUMPY, *OF_SCIPY])
def test_in_code_that_runs_on_tensors(name: str) -> None:
    """In both modes and at second order."""
    function = {**OF_NUMPY, **OF_SCIPY}[name]

    def loss(v: Any) -> Any:
        with contextlib.suppress(ValueError):  # refused by the compiler
            v = v * 1.0
        return total(function(v))

    expected = differences(loss, X)
    slope = s2sgrad.grad(loss)
    np.testing.assert_allclose(slope(X), expected, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(s2sgrad.jvp(loss, (X,), (X,))[1], expected @ X, rtol=1e-6, atol=1e-6)
    expected = differences(slope, X) @ X
    np.testing.assert_allclose(s2sgrad.hvp(loss)(X, X), expected, rtol=1e-6, atol=1e-5)


@pytest.mark.parametrize("name", OF_NUMPY)
def test_no_model_drops_a_tangent(name: str) -> None:
    """torch's own forward mode follows rules: it has the tangent of a call, or refuses it."""

    def loss(v: Any) -> Any:
        return total(OF_NUMPY[name](v))

    x = torch.tensor(X)
    try:
        _, tangent = torch.func.jvp(loss, (x,), (x,))
    except s2sgrad.MissingRuleError:
        assert name not in ("choose", "interp")
        return
    np.testing.assert_allclose(tangent.item(), differences(loss, X) @ X, rtol=1e-6)


def test_errors_of_calls_that_nothing_serves() -> None:
    x = torch.tensor(X, requires_grad=True)
    with pytest.raises(TypeError, match="depth"):
        np.matmul(x, x, axes=[0, 0], depth=1)  # type: ignore[call-overload]


@pytest.mark.parametrize("theta", [0.0, 0.4, 2.0, -0.4, 4.0])
def test_harmonics_of_any_order(theta: float) -> None:
    """Also where SciPy goes beyond 0 <= theta <= pi, and by an order beside the degree."""

    def harmonic(t: Any) -> Any:
        return np.real(special.sph_harm_y(3, 2, t, 0.3))

    second = s2sgrad.grad(s2sgrad.grad(harmonic))
    step = 1e-5 if theta else 0.0
    of_slope = (np.real(sph_harm_slope(3, 2, theta + s, 0.3)) for s in (1e-5, -step))
    above, below = of_slope
    np.testing.assert_allclose(second(theta), (above - below) / (1e-5 + step), rtol=1e-4)
    third = s2sgrad.grad(second)
    if theta:
        expected = (second(theta + 1e-5) - second(theta - 1e-5)) / 2e-5
        np.testing.assert_allclose(third(theta), expected, rtol=1e-7)
