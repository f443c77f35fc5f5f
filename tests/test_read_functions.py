"""Functions of NumPy and SciPy that are read as plain code: gradients of first and second order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import interpolate

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


PROGRAMS = (
    histograms, sets, reductions, quantiles, between_samples, cubics, splines, grids,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_orders(program: Callable[[Array], Any]) -> None:
    u, v = np.random.default_rng(7).standard_normal((2, 6))
    gradient = s2sgrad.grad(program, fallback="error")

    def slope(f: Callable[[Array], Any], step: float) -> Any:
        near = f(V + step * v) - f(V - step * v)
        return (8.0 * near - f(V + 2.0 * step * v) + f(V - 2.0 * step * v)) / (12.0 * step)

    np.testing.assert_allclose(gradient(V) @ v, slope(program, 1e-4), rtol=1e-7)
    y_dot = s2sgrad.jvp(program, (V,), (v,), fallback="error")[1]
    np.testing.assert_allclose(y_dot, gradient(V) @ v, rtol=1e-10)
    found = s2sgrad.hvp(program, fallback="error")(V, v) @ u
    np.testing.assert_allclose(found, slope(lambda x: gradient(x) @ u, 1e-5), rtol=1e-5, atol=1e-7)
