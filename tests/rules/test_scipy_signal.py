"""scipy.signal, scipy.ndimage, scipy.integrate and scipy.fft on tables of samples."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from harness import some
from numeric import assert_rule, cplx, real

pytest.importorskip("scipy")
from scipy import fft, integrate, ndimage, signal, stats
from scipy.spatial import distance
from test_unusual_calls import check

import s2sgrad

KINDS = pytest.mark.parametrize("kind", [real, cplx], ids=["real", "complex"])


@KINDS
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("shapes", [((7,), (3,)), ((3,), (6,)), ((5, 6), (2, 3)), ((2, 3), (5, 4))])
def test_convolutions(shapes: Any, mode: str, kind: Any) -> None:
    a, b = kind(*shapes[0]), kind(*shapes[1])
    for name in ("convolve", "correlate", "fftconvolve", "oaconvolve"):
        assert_rule(getattr(signal, name), a, b, mode=mode)
    if len(shapes[0]) == 2:
        assert_rule(signal.convolve2d, a, b, mode)
        assert_rule(signal.correlate2d, a.real, b.real, mode)
        assert_rule(signal.correlate2d, a, b, mode)


@KINDS
@pytest.mark.parametrize("mode", ["full", "same"])
@pytest.mark.parametrize("border", [("wrap", 0), ("symm", 0), ("fill", 2.0)])
@pytest.mark.parametrize("shapes", [((5, 6), (2, 3)), ((3, 4), (4, 3))])
def test_borders_of_convolutions(shapes: Any, border: Any, mode: str, kind: Any) -> None:
    a, b = kind(*shapes[0]), kind(*shapes[1])
    assert_rule(signal.convolve2d, a, b, mode, *border)
    assert_rule(signal.correlate2d, a, b, mode, *border)


@pytest.mark.parametrize("name", ["dct", "idct", "dst", "idst"])
@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("whole", [True, False])
def test_orthogonalized_transforms(name: str, norm: Any, whole: bool) -> None:
    for kind in (1, 2, 3, 4):
        assert_rule(getattr(fft, name), real(5), kind, norm=norm, orthogonalize=whole)
    several = getattr(fft, f"{name}n")
    assert_rule(several, real(3, 4), 2, norm=norm, orthogonalize=whole)


@KINDS
def test_convolution_along_one_axis(kind: Any) -> None:
    assert_rule(signal.fftconvolve, kind(4, 6), kind(1, 3), mode="same", axes=1)
    assert_rule(signal.fftconvolve, kind(4, 6), kind(4, 3), mode="full", axes=-1)


@KINDS
@pytest.mark.parametrize("axis", [0, -1])
def test_filters(kind: Any, axis: int) -> None:
    a = np.array([1.5, -0.3, 0.1])
    assert_rule(signal.lfilter, real(2), a, kind(5, 6), axis=axis)
    assert_rule(
        signal.lfilter, kind(4), a * (1.0 if kind is real else 1 + 0.2j), kind(7), axis=axis
    )


def test_projections() -> None:
    assert_rule(signal.detrend, real(4, 6))
    assert_rule(signal.detrend, real(4, 6), axis=0, type="constant")
    assert_rule(signal.hilbert, real(4, 6), axis=0)
    assert_rule(signal.hilbert, real(7))


MODES = ["reflect", "mirror", "nearest", "wrap", "constant"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["correlate", "convolve"])
def test_ndimage(name: str, size: int, mode: str) -> None:
    one, many = getattr(ndimage, f"{name}1d"), getattr(ndimage, name)
    for origin in (0, -1):
        options = {"mode": mode, "cval": 0.7, "origin": origin}
        assert_rule(one, real(6, 7), real(size), axis=0, **options)
        assert_rule(one, real(7), real(size), **options)
        assert_rule(many, real(6, 7), real(size, 3), **options)


@pytest.mark.parametrize("mode", MODES)
def test_smoothing(mode: str) -> None:
    image = real(9, 11)
    assert_rule(ndimage.gaussian_filter1d, image, 0.6, axis=0, mode=mode)
    assert_rule(ndimage.gaussian_filter1d, image, 0.6, order=1, mode=mode)
    assert_rule(ndimage.gaussian_filter, image, 0.7, mode=mode)
    assert_rule(ndimage.gaussian_filter, image, (0.7, 0.4), order=(0, 1), mode=mode)
    assert_rule(ndimage.uniform_filter1d, image, 4, mode=mode)
    assert_rule(ndimage.uniform_filter, image, size=(3, 4), mode=mode)
    assert_rule(ndimage.sobel, image, axis=0, mode=mode)
    assert_rule(ndimage.prewitt, image, mode=mode)


X = np.cumsum(np.random.default_rng(1).random(6)) + 0.1


@pytest.mark.parametrize("axis", [0, -1])
def test_integrals(axis: int) -> None:
    f = real(6, 6)
    for name in ("trapezoid", "simpson", "cumulative_trapezoid", "cumulative_simpson"):
        function = getattr(integrate, name)
        options: dict[str, Any] = {"axis": axis}
        assert_rule(function, f, dx=0.3, **options)
        if name in ("trapezoid", "cumulative_trapezoid"):
            assert_rule(function, f, x=X, **options)
        else:
            check_samples_only(function, f, axis)
    assert_rule(integrate.cumulative_trapezoid, f, x=X, initial=0, axis=axis)
    assert_rule(integrate.romb, real(5, 5), dx=0.3, axis=axis)


def check_samples_only(function: Any, f: Any, axis: int) -> None:
    """Sample points are constants here; integers keep them so."""
    assert_rule(function, f, x=np.array([0, 1, 3, 4, 6, 9]), axis=axis)


def test_points_of_every_row() -> None:
    assert_rule(
        integrate.cumulative_trapezoid,
        real(3, 6),
        x=np.cumsum(np.random.default_rng(1).random((3, 6)), axis=1),
    )


@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("type", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["dct", "dst", "idct", "idst"])
def test_real_transforms(name: str, type: int, norm: Any) -> None:
    assert_rule(getattr(fft, name), real(4, 5), type=type, norm=norm, axis=0)
    assert_rule(getattr(fft, name), real(4, 5), type=type, norm=norm, n=7)
    assert_rule(getattr(fft, name + "n"), real(4, 5), type=type, norm=norm)


@KINDS
@pytest.mark.parametrize("name", ["fft", "ifft", "irfft", "hfft", "fftn", "ifft2", "irfftn"])
def test_complex_transforms(name: str, kind: Any) -> None:
    assert_rule(getattr(fft, name), kind(4, 6), norm="ortho")


@pytest.mark.parametrize("name", ["rfft", "ihfft", "rfftn", "rfft2"])
def test_transforms_of_real_signals(name: str) -> None:
    assert_rule(getattr(fft, name), real(4, 5))


def on_tensors(x: Any) -> Any:
    """Functions with rules and those that are read, and methods of distributions."""
    filtered, _ = signal.lfilter(np.ones(2), np.array([1.0, 0.3]), x, zi=x[:1])
    apart = distance.pdist(x.reshape(2, 2)) * eval("2.0")
    return np.sum(filtered**2) + np.sum(stats.norm.logpdf(x, 0.3, x * x + 1.0)) + apart[0]


@pytest.mark.filterwarnings("ignore:.*runs on dynamic-graph tensors")
def test_functions_of_scipy_on_tensors() -> None:
    x, u = np.array([0.4, -0.3, 1.1, 0.6]), np.array([0.3, 0.8, -0.5, 0.2])
    slope = (on_tensors(x + 1e-6 * u) - on_tensors(x - 1e-6 * u)) / 2e-6
    assert s2sgrad.grad(on_tensors)(x) @ u == pytest.approx(slope, rel=1e-7)


@pytest.mark.parametrize("num", [4, 5, 6, 8, 9])
@pytest.mark.parametrize("window", [None, "hann"])
def test_resampled_spectra(num: int, window: Any) -> None:
    for x in (cplx(6), real(6), cplx(2, 7)):
        assert_rule(signal.resample, x, num, axis=-1, domain="freq", window=window)


def test_periodogram_without_the_mean() -> None:
    t, y, w = np.sort(real(9)), real(9), np.array([0.5, 1.1, 2.3])

    def power(y: Any, t: Any, w: Any) -> Any:
        return np.sum(np.sin(signal.lombscargle(t, y, w, precenter=True)))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of the argument
        check(power, y, t, w)


def test_resampled_with_the_places_of_the_samples() -> None:
    x, t = real(6), 1.0 + 0.5 * np.arange(6.0)

    def f(x: Any) -> Any:
        y, places = signal.resample(x, 4, t=t)
        return np.sum(y**2 * places)

    s2sgrad.check_grad(f, x)
    (y, places), dots = s2sgrad.jvp(lambda x: signal.resample(x, 4, t=t), (x,), (x,))
    np.testing.assert_allclose(places, signal.resample(x, 4, t=t)[1])
    np.testing.assert_allclose(dots[0], y)
    assert not np.any(dots[1])


RAISED = [
    {},
    {"mode": "mirror", "origin": (-1, 1)},
    {"mode": "constant", "cval": 0.3},
    {"mode": "wrap", "footprint": np.array([[1, 0, 1, 1], [0, 1, 1, 0]])},
]


@pytest.mark.parametrize("given", RAISED, ids=str)
@pytest.mark.parametrize("name", some(["grey_dilation", "grey_erosion", "white_tophat"], every=3))
def test_windows_that_are_not_flat(name: str, given: Any) -> None:
    image, window = real(5, 6), real(2, 4)

    def loss(image: Any, window: Any) -> Any:
        return np.sum(np.sin(getattr(ndimage, name)(image, structure=window, **given)))

    value, _ = s2sgrad.value_and_grad(loss, fallback="error")(image, window)
    np.testing.assert_allclose(value, loss(image, window), rtol=1e-12)
    check(loss, image, window)
    s2sgrad.check_grad(loss, image, window)
