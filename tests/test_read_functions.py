"""Functions of NumPy and SciPy that are read as plain code: gradients of first and second order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from harness import some
from scipy import integrate, interpolate, linalg, ndimage, optimize, signal, special, stats
from scipy.sparse import linalg as splinalg

import s2sgrad

Array = np.ndarray
V, W, PLACES = np.array([0.3, -1.2, 0.8, 2.1, -0.4, 1.7]), np.arange(1.0, 7.0), np.array([0.4, 2.2])
GRID = np.arange(6.0) ** 1.1


def histograms(x: Array) -> Any:
    counts, edges = np.histogram(V, 3, weights=x)
    dense, _ = np.histogram(V[1:], bins=[-2.0, 0.0, 1.0, 2.0], density=True, weights=x[1:] ** 2)
    flat, _, _ = np.histogram2d(V, W, [2, 3], weights=x)
    grid, _ = np.histogramdd((V, W), (2, 3), weights=x, density=True)
    moved = np.histogram(x, 4)[1]
    return counts @ edges[1:] + np.sum(dense**2) + np.sum(flat**3) + np.sum(grid**2) + moved[1] ** 2


def sets(x: Array) -> Any:
    values, places = np.unique(x, return_inverse=True)
    pairs, count = np.unique(np.stack([x[:2], x[2:4], x[:2]]), axis=0, return_counts=True)
    rest = np.setdiff1d(np.union1d(x, V + 5.0), x[:2])
    ends = np.trim_zeros(np.concatenate((np.zeros(2), x)))
    total = np.apply_over_axes(np.sum, x.reshape(2, 3), [0, 1])
    together = values[places] @ W + np.sum(pairs.T**2 * count) + rest @ rest + ends @ ends
    return together + np.sum(total**2) + np.real(np.sort_complex(x)) @ W


def reductions(x: Array) -> Any:
    table, start = x.reshape(2, 3), x[0] ** 2
    grown = np.sum(table, axis=0, initial=start) @ x[:3] + np.prod(x, initial=start) ** 2
    tops = np.max(table, axis=1, initial=start, where=np.array([True, False, True]))
    known = np.nansum(x, initial=start) + np.nanmin(x, initial=start) + np.ndarray.sum(x)
    spread = np.nanstd(x, correction=1) + np.nanvar(table, axis=1, mean=table[:, :1])[0]
    return grown + np.sum(tops**2) + known**2 + spread


def quantiles(x: Array) -> Any:
    q = 0.5 + 0.3 * np.tanh(x[:2])
    middle = np.quantile(x[::-1].reshape(2, 3), q, axis=1)
    return np.sum(middle**2) + np.nanpercentile(x * W, 40.0 + 9.0 * x[0], method="hazen") ** 2


def between_samples(x: Array) -> Any:
    ends = np.interp(3.0 * V, GRID[:3], x[:3], left=x[4], right=x[5])
    return ends @ W + np.sum(np.interp(V * 2.0, x[:3] + W[:3], x[3:], period=5.0 + x[0]) ** 2)


def cubics(x: Array) -> Any:
    curve = interpolate.CubicSpline(GRID, x, bc_type=((1, x[0]), (2, 0.3)))
    round_trip = np.concatenate((x[:4], x[:1]))
    closed = interpolate.CubicSpline(np.arange(5.0), round_trip, bc_type="periodic")
    akima = interpolate.Akima1DInterpolator(GRID, np.stack([x, x**2]), axis=1, method="makima")
    area = curve.integrate(0.2, 3.3) + np.sum(closed(PLACES + 4.0) ** 2)
    return area + np.sum(curve(PLACES, 1) ** 2) + np.sum(akima(PLACES) ** 2)


def splines(x: Array) -> Any:
    tck = interpolate.splrep(GRID, x, k=4)
    curve = interpolate.make_interp_spline(GRID, x, k=2)
    read = interpolate.splev(PLACES + 0.1 * x[:2], tck, der=1) * curve(PLACES)
    fit = interpolate.make_lsq_spline(W, x, np.array([1.0, 1, 1, 3, 6, 6, 6]), k=2)
    line = interpolate.interp1d(GRID, x, kind="quadratic", bounds_error=False, fill_value=x[0])
    through = interpolate.krogh_interpolate(GRID[:4], x[:4], PLACES)
    return np.sum(read) + fit(2.2) ** 2 + np.sum(line(W) ** 2) + np.sum(through**2)


def grids(x: Array) -> Any:
    points = np.stack([PLACES / 3.0 + 0.05 * x[0], PLACES / 5.0], axis=1)
    table = interpolate.RegularGridInterpolator((np.arange(2.0), np.arange(3.0)), x.reshape(2, 3))
    return np.sum(table(points) ** 2) + interpolate.interpn((GRID,), x, PLACES) @ PLACES


def spectra(x: Array) -> Any:
    s = np.concatenate((x, W * x, np.sin(x), x**2))
    both = signal.csd(s, s[::-1], nperseg=8)[1] * signal.welch(s, nperseg=8, average="median")[1]
    moved = signal.istft(signal.stft(s, nperseg=6)[2] ** 2, nperseg=6)[1]
    rest = (
        signal.coherence(s, np.cos(s), nperseg=8)[1] @ signal.periodogram(s[:8], window="hann")[1]
    )
    shown = signal.spectrogram(s, nperseg=7, mode="magnitude", detrend="linear")[2]
    power = signal.lombscargle(W, x, PLACES, floating_mean=True)
    response = signal.freqz(x[:3], x[3:] + 4.0, worN=5)[1] * signal.freqz_zpk(x, W, 2.0, worN=5)[1]
    total = np.sum(np.abs(both) ** 2) + moved @ moved + rest + np.sum(shown) + np.sum(power**2)
    return total + np.sum(np.abs(response) ** 2)


def filtered(x: Array) -> Any:
    b, a = x[:3], x[3:] + 4.0
    y, state = signal.lfilter(b, a, W, zi=signal.lfilter_zi(b, a) * x[0])
    sections = np.stack([np.concatenate((b, np.ones(1), x[4:])), np.array([1.0, 2, 1, 1, 0.3, 0])])
    z, after = signal.sosfilt(0.2 * sections + [0, 0, 0, 0.8, 0, 0], W, zi=np.ones((2, 2)))
    there = signal.filtfilt(b, a, W, padlen=4) + signal.upfirdn(b, W, 2, 3)[:5].sum()
    waves = signal.chirp(W, 2.0 + x[0], 2.0, 3.0, method="log") + signal.sawtooth(x)
    return y @ y + np.sum(state**2) + z @ z + np.sum(after**2) + there @ there + waves @ waves


def spaced(x: Array) -> Any:
    nodes = np.cumsum(x**2)
    slopes = np.gradient(np.sin(x), nodes, edge_order=2) @ np.gradient(W, x[0])
    areas = integrate.simpson(W * x, x=nodes) + integrate.simpson(W[1:], x=nodes[1:]) ** 2
    grown = integrate.cumulative_simpson(W, x=nodes, initial=0.1) @ x
    spread = np.cov(np.stack([W, V]), aweights=x**2, fweights=np.arange(1, 7))
    padded = np.pad(x.reshape(2, 3), ((1, 2), (0, 2)), mode="maximum", stat_length=2)
    ramp = np.pad(x, 2, mode="linear_ramp", end_values=x[0]) @ np.arange(10.0)
    return slopes + areas + grown + np.sum(spread**2) + np.sum(padded**2) + ramp**2


def frozen(x: Array) -> Any:
    d = stats.norm(x, scale=W)
    cloud = stats.multivariate_normal(x[:2], 2.0 + x[2] ** 2)
    sure = np.sum(d.logpdf(V + 0.2)) + np.sum(stats.gamma(W, scale=x**2).cdf(W)) + d.ppf(0.3) @ W
    return sure + np.sum(cloud.logpdf(np.stack([W[:2], V[:2]]))) + stats.t(df=W, loc=x).pdf(0.1) @ W


def parts_of_images(x: Array) -> Any:
    image, parts = np.outer(x, np.cos(x)), np.arange(36).reshape(6, 6) % 4
    turned = ndimage.rotate(image[:4], 20.0 + x[0], order=1) * ndimage.rotate(image[:4], 20.0)
    ranked = ndimage.percentile_filter(image, 40, size=3) * ndimage.maximum_filter1d(image, 3)
    widths = ndimage.gaussian_filter(image, 1.0 + x[:2] ** 2) * ndimage.fourier_uniform(image, 2.0)
    sums = ndimage.mean(image, parts, [1, 3]) + ndimage.variance(image, parts, [0, 2])
    place = ndimage.center_of_mass(image**2)
    steep = ndimage.gaussian_gradient_magnitude(image, 1.0)
    total = np.sum(turned) + np.sum(ranked) + np.sum(widths**2) + np.sum(steep**2)
    return total + sums @ sums + place[0] * place[1]


def structured(x: Array) -> Any:
    column = x + np.array([5.0, 0, 0, 0, 0, 0])
    solved = linalg.solve_toeplitz((column, x[::-1]), W) @ linalg.solve_toeplitz(column, x)
    made = linalg.matmul_toeplitz((x, x[:4]), W[:4]) @ x
    bands = np.stack([x**2 + 3.0, 0.3 * x])
    inner = linalg.cho_solve_banded((bands, True), W) @ linalg.eigvalsh_tridiagonal(x, W[:5])
    change = linalg.expm_frechet(np.outer(x, V)[:3, :3], np.diag(x[:3]), compute_expm=False)
    tail = np.sum(special.zeta(x**2 + 1.5, W)) + np.sum(special.zetac(x**2 + 2.0) ** 2)
    return solved + made**2 + inner + np.sum(change**2) + tail + np.hypot.reduce(x)


def magnitudes(x: Array) -> Any:
    shown = signal.spectrogram(np.concatenate((x, W)), nperseg=5, mode="magnitude")[2]
    return np.sum(shown**2) + np.sum(shown[1:])  # complex numbers of which no type is known


def narrow(x: Array) -> Any:
    small, half = np.array([100, 3, 120, 90, 7, 11], np.int8), W.astype(np.float16)
    angles = np.arctan2(small, x**2 + 1.0) @ W + np.arctan2(x, small.astype(np.uint8)) @ V
    rest = special.pseudo_huber(x**2 + 1.0, small) @ V + special.agm(small, x**2) @ V
    return angles + rest + np.sum(np.power(half, x)) + special.huber(small.astype(np.uint8), x) @ V


def by_conditions(x: Array) -> Any:
    """Splines by conditions at the ends and on grids, times asked for later, softened residuals."""
    bent = interpolate.make_interp_spline(GRID, x, bc_type=([(1, x[0])], "natural"))(PLACES)
    points = np.stack([PLACES + 0.1 * x[:2], x[:2] ** 2], axis=1)
    table = interpolate.RegularGridInterpolator(
        (GRID, GRID[:4]), np.outer(x, W[:4]), "cubic", solver=splinalg.spsolve
    )
    course = integrate.solve_ivp(
        lambda t, y: -x[0] * y, (0.0, 1.0), x[1:3], rtol=1e-4, dense_output=True
    )
    fitted = optimize.least_squares(
        lambda p: p[0] * W + p[1] - x**2, [0.1, 0.1], loss="soft_l1", xtol=1e-15, gtol=1e-13
    )
    total = bent @ bent + np.sum(table(points)) + fitted.cost + fitted.x[0]
    return total + np.sum(course.sol(np.array([0.7, 0.2])) ** 2)


PROGRAMS = (
    histograms, sets, reductions, quantiles, between_samples, cubics, splines, grids, frozen,
    magnitudes, narrow,
)  # fmt: skip
LONG = (
    spectra,
    filtered,
    spaced,
    parts_of_images,
    structured,
    by_conditions,
)  # of first order alone


U, D = np.random.default_rng(7).standard_normal((2, 6))


def slope(f: Callable[[Array], Any], step: float) -> Any:
    near = f(V + step * D) - f(V - step * D)
    return (8.0 * near - f(V + 2.0 * step * D) + f(V - 2.0 * step * D)) / (12.0 * step)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("program", some(LONG))
def test_first_order(program: Callable[[Array], Any]) -> None:
    gradient = s2sgrad.grad(program, fallback="error")(V)
    np.testing.assert_allclose(gradient @ D, slope(program, 1e-4), rtol=1e-7)


@pytest.mark.parametrize("program", some(PROGRAMS))
def test_orders(program: Callable[[Array], Any]) -> None:
    gradient = s2sgrad.grad(program, fallback="error")
    np.testing.assert_allclose(gradient(V) @ D, slope(program, 1e-4), rtol=1e-7)
    y_dot = s2sgrad.jvp(program, (V,), (D,), fallback="error")[1]
    np.testing.assert_allclose(y_dot, gradient(V) @ D, rtol=1e-10)
    found = s2sgrad.hvp(program, fallback="error")(V, D) @ U
    np.testing.assert_allclose(found, slope(lambda x: gradient(x) @ U, 1e-5), rtol=1e-5, atol=1e-7)
