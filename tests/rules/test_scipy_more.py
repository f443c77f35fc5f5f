"""Banded and circulant solves, filters known by unit vectors, and single functions of SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from harness import some
from numeric import assert_rule, cplx, real

import s2sgrad

pytest.importorskip("scipy")
from scipy import fft, linalg, ndimage, optimize, signal, sparse, special, stats
from scipy.sparse import linalg as sparse_linalg

KINDS = pytest.mark.parametrize("kind", [real, cplx], ids=["real", "complex"])


@KINDS
@pytest.mark.parametrize("shape", [(6,), (6, 2)])
@pytest.mark.parametrize("bands", [(1, 1), (2, 1), (0, 2), (1, 0)])
def test_banded(bands: Any, shape: Any, kind: Any) -> None:
    ab = kind(sum(bands) + 1, 6)
    ab[bands[1]] += 4.0
    assert_rule(linalg.solve_banded, bands, ab, kind(*shape))


@KINDS
@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("shape", [(6,), (6, 2)])
def test_hermitian_banded(shape: Any, lower: bool, kind: Any) -> None:
    """The diagonal is real, and only moves as such."""
    diagonal = 0 if lower else 2

    def constrain(d: Any) -> Any:
        if d.shape == (3, 6):
            d[diagonal] = d[diagonal].real
        return d

    ab = constrain(kind(3, 6))
    ab[diagonal] = 8.0
    assert_rule(linalg.solveh_banded, ab, kind(*shape), lower=lower, constrain=constrain)


@KINDS
@pytest.mark.parametrize("shape", [(5,), (5, 2)])
def test_circulant(shape: Any, kind: Any) -> None:
    assert_rule(linalg.solve_circulant, kind(5) + np.eye(5)[0] * 6, kind(*shape))


@KINDS
def test_circulants_along_axes(kind: Any) -> None:
    c = np.real(kind(4, 2)) + 6.0 * np.eye(4)[:, :1]
    for b, options in ((kind(2, 4), {"baxis": 1, "outaxis": 0}), (kind(3, 1, 4), {"baxis": -1})):
        assert_rule(linalg.solve_circulant, c, b, caxis=0, **options)
    flat = np.array([1.0, 1.0, 1.0, 1.0])
    assert_rule(linalg.solve_circulant, flat, kind(4), singular="lstsq", constrain=_mean)


def _mean(c: Any) -> Any:
    return np.zeros(np.shape(c)) + np.mean(c)


@KINDS
@pytest.mark.parametrize("shapes", [((5, 3), (5,)), ((5, 3), (5, 2)), ((3, 5), (3,))])
def test_lstsq(shapes: Any, kind: Any) -> None:
    assert_rule(linalg.lstsq, kind(*shapes[0]), kind(*shapes[1]))


def test_fiedler() -> None:
    assert_rule(linalg.fiedler, real(5))


@pytest.mark.parametrize("axis", [0, -1])
def test_linear_filters(axis: int) -> None:
    x, sos = real(24, 24), signal.butter(3, 0.3, output="sos")
    b, a = signal.butter(2, 0.4)
    for mode in ("interp", "mirror", "constant"):
        assert_rule(signal.savgol_filter, x, 5, 2, axis=axis, mode=mode)
    assert_rule(signal.savgol_filter, x, 5, 2, deriv=1, delta=0.3, axis=axis)
    assert_rule(signal.filtfilt, b.tolist(), a.tolist(), x, axis=axis)
    assert_rule(signal.sosfilt, sos.tolist(), x, axis=axis)
    assert_rule(signal.sosfiltfilt, sos.tolist(), x, axis=axis)
    assert_rule(signal.resample, x, 10, axis=axis)
    assert_rule(signal.resample_poly, x, 3, 2, axis=axis)
    assert_rule(signal.decimate, x, 2, n=2, axis=axis)


@KINDS
@pytest.mark.parametrize("name", ["hfftn", "hfft2"])
def test_hermitian_transforms(name: str, kind: Any) -> None:
    assert_rule(getattr(fft, name), kind(4, 5), norm="ortho")
    assert_rule(getattr(fft, name), kind(4, 5), s=(3, 6))


@pytest.mark.parametrize("name", ["ihfftn", "ihfft2"])
def test_inverse_hermitian_transforms(name: str) -> None:
    assert_rule(getattr(fft, name), real(4, 5))
    assert_rule(getattr(fft, name), real(4, 5), norm="forward", s=(3, 6))


def test_shifts_and_frequencies() -> None:
    assert_rule(fft.fftshift, real(4, 5), axes=1)
    assert_rule(fft.ifftshift, cplx(4, 5))
    assert_rule(fft.fftfreq, 6, d=0.7)
    assert_rule(fft.rfftfreq, 5, 0.3)


@pytest.mark.parametrize("name", ["fht", "ifht"])
def test_hankel_transforms(name: str) -> None:
    assert_rule(getattr(fft, name), real(3, 8), 0.2, 0.5)


@pytest.mark.parametrize("mode", ["reflect", "constant", "wrap"])
def test_laplace(mode: str) -> None:
    assert_rule(ndimage.laplace, real(6, 7), mode=mode)
    assert_rule(ndimage.gaussian_laplace, real(9, 11), 0.7, mode=mode)


def test_rosenbrock() -> None:
    assert_rule(optimize.rosen, real(4))
    assert_rule(optimize.rosen_der, real(4))


def test_spherical_harmonics() -> None:
    assert_rule(special.sph_harm_y, 3, 2, np.array([0.4, 1.1, 2.0]), np.array([0.3, -1.0, 2.2]))


def test_kolmogorov() -> None:
    x = np.array([0.25, 0.6, 0.95, 1.2, 2.5])
    assert_rule(special.kolmogorov, x)
    assert_rule(special.kolmogi, special.kolmogorov(x[2:4]), tolerance=1e-6, step=1e-5)
    assert_rule(special.kolmogorov, 0.8)


@KINDS
@pytest.mark.parametrize("shape", [(4,), (4, 2)])
def test_sparse(shape: Any, kind: Any) -> None:
    a = sparse.csc_array(kind(4, 4) + 3.0 * np.eye(4))
    assert_rule(sparse_linalg.spsolve, a, kind(*shape))
    assert_rule(sparse_linalg.expm_multiply, a, kind(*shape))


COUNTS: dict[str, Any] = {
    "betabinom": lambda k, x, f: f(k, 7, x[:2, None], x[2:, None]),
    "betanbinom": lambda k, x, f: f(k, 7, x[:2, None], x[2:, None]),
    "logser": lambda k, x, f: f(k, 0.5 * x[:2, None]),
    "nchypergeom_fisher": lambda k, x, f: f(k, 20, 7, 12, x[:2, None]),
    "poisson_binom": lambda k, x, f: f(k, 0.5 * x),
    "skellam": lambda k, x, f: f(k, x[:2, None], x[2:, None], loc=1),
    "yulesimon": lambda k, x, f: f(k, x[:2, None]),
    "zipf": lambda k, x, f: f(k, 1.3 + x[:2, None]),
    "zipfian": lambda k, x, f: f(k, x[:2, None], np.array([[4], [6]])),
}


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize(
    "method", ["pmf", *(pytest.param(m, marks=pytest.mark.slow) for m in ("cdf", "logsf"))]
)
def test_distributions_of_counts(name: str, method: str) -> None:
    """Values and two orders, beside the support too where that is no logarithm."""
    k = np.array([2, 3]) if "log" in method else np.array([-2, 0, 1, 3, 9])
    function, x = getattr(getattr(stats, name), method), np.array([0.7, 1.4, 0.9, 1.6])
    follow(lambda x: np.sum(np.cos(COUNTS[name](k, x, function))), x)


DENSITIES: dict[str, Any] = {
    "gausshyper": lambda x, f: f(0.4 * x, 1.5, 2.0, 1.3, x[::-1], scale=1.1),
    "ksone": lambda x, f: f(0.4 * x, 7),
    "kstwobign": lambda x, f: f(x, 0.1),
}


@pytest.mark.parametrize("name", DENSITIES)
@pytest.mark.parametrize("method", ["pdf", "logpdf"])
def test_densities_by_other_functions(name: str, method: str) -> None:
    function = getattr(getattr(stats, name), method)
    follow(lambda x: np.sum(np.cos(DENSITIES[name](x, function))), np.array([0.7, 1.4, 0.9, 1.6]))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("method", some(["cdf", "sf", "logcdf", "logsf", "ppf", "isf"], every=5))
@pytest.mark.parametrize(
    ("name", "shapes"),
    [("levy_stable", (1.5, 0.3)), ("levy_stable", (1.0, 0.5)), ("studentized_range", (3, 10))],
)
def test_distributions_whose_density_is_integrated(name: str, shapes: Any, method: str) -> None:
    """By x, loc and scale; with alpha = 1 the cdf of a stable one moves with its scale, alone."""
    function = getattr(getattr(stats, name), method)
    x = np.array([0.3, 0.8] if method in ("ppf", "isf") else [1.4, 2.9])

    def total(x: Any, loc: float, scale: float) -> Any:
        return np.sum(np.cos(function(x, *shapes, loc=loc, scale=scale)))

    slopes = s2sgrad.grad(total, (0, 1, 2), fallback="error")(x, 0.2, 1.7)
    step = 1e-3
    for k, slope in enumerate(slopes):
        ends = []
        for by in (-2.0, -1.0, 1.0, 2.0):
            args = [x, 0.2, 1.7]
            args[k] = args[k] + by * step
            ends.append(total(*args))
        expected = (ends[0] - 8.0 * ends[1] + 8.0 * ends[2] - ends[3]) / (12.0 * step)
        assert np.sum(slope) == pytest.approx(expected, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("increasing", [True, False])
def test_isotonic_regression(increasing: bool) -> None:
    def fitted(z: Any) -> Any:
        found = optimize.isotonic_regression(z[0], weights=z[1] ** 2, increasing=increasing)
        sizes = np.sum(found.weights * found.blocks[1:])
        return np.sum(np.cos(found.x) * np.arange(7.0)) + sizes

    follow(fitted, real(2, 7))


def follow(function: Any, x: Any) -> None:
    """Whether the value, two orders and both modes agree with the function and differences."""
    value, _ = s2sgrad.value_and_grad(function, fallback="error")(x)
    np.testing.assert_allclose(value, function(x), rtol=1e-9)
    s2sgrad.check_grad(function, x)
    slope, v = s2sgrad.grad(function), np.cos(np.arange(x.size)).reshape(x.shape)
    expected = (slope(x + 1e-5 * v) - slope(x - 1e-5 * v)) / 2e-5
    np.testing.assert_allclose(s2sgrad.hvp(function)(x, v), expected, rtol=1e-5, atol=1e-6)
    pushed = s2sgrad.jvp(function, (x,), (v,))[1]
    assert pushed == pytest.approx(np.sum(slope(x) * v), rel=1e-8)
