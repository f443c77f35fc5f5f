"""Floor 8: sums over parts of an image in scipy.ndimage, and Gaussian filters by their width."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from s2sgrad_runtime import (
    fourier_response,
    scipy_ndimage_convolve,
    scipy_ndimage_correlate,
)


# --- parts of an image ----------------------------------------------------------------------------
def sum_labels(input: Any, labels: Any = None, index: Any = None) -> Any:
    """scipy.ndimage.sum_labels."""
    if labels is None:
        return np.sum(input)
    part, values = np.broadcast_to(labels, np.shape(input)), np.asarray(input)
    if index is None:
        return np.sum(np.where(part > 0, values, 0.0))
    places = np.reshape(index, np.shape(index) + (1,) * np.ndim(values))
    return np.sum(np.where(part == places, values, 0.0), axis=tuple(range(-np.ndim(values), 0)))


def counts(input: Any, labels: Any, index: Any) -> Any:
    """How many entries each part has."""
    return sum_labels(np.ones(np.shape(input)), labels, index)


def mean(input: Any, labels: Any = None, index: Any = None) -> Any:
    """scipy.ndimage.mean."""
    return sum_labels(input, labels, index) / counts(input, labels, index)


def variance(input: Any, labels: Any = None, index: Any = None) -> Any:
    """scipy.ndimage.variance."""
    if labels is None:
        return np.var(input)
    if index is None:
        part = np.broadcast_to(labels, np.shape(input)) > 0
        middle = np.sum(np.where(part, input, 0.0)) / np.sum(part)
        return np.sum(np.where(part, (input - middle) ** 2, 0.0)) / np.sum(part)
    middle = mean(input, labels, index)
    places = np.reshape(index, np.shape(index) + (1,) * np.ndim(input))
    away = np.asarray(input) - np.reshape(middle, np.shape(places))
    part = np.broadcast_to(labels, np.shape(input)) == places
    total = np.sum(np.where(part, away * away, 0.0), axis=tuple(range(-np.ndim(input), 0)))
    return total / counts(input, labels, index)


def standard_deviation(input: Any, labels: Any = None, index: Any = None) -> Any:
    """scipy.ndimage.standard_deviation."""
    return np.sqrt(variance(input, labels, index))


def of_parts(function: Any, input: Any, labels: Any, index: Any) -> Any:
    """A function of the entries of each part."""
    values = np.asarray(input)
    if labels is None:
        return function(values)
    part = np.broadcast_to(labels, np.shape(values))
    if index is None:
        return function(values[part > 0])
    if np.ndim(index) == 0:
        return function(values[part == index])
    return np.stack([function(values[part == place]) for place in index])


def maximum(input: Any, labels: Any = None, index: Any = None) -> Any:
    """scipy.ndimage.maximum."""
    return of_parts(np.max, input, labels, index)


def minimum(input: Any, labels: Any = None, index: Any = None) -> Any:
    """scipy.ndimage.minimum."""
    return of_parts(np.min, input, labels, index)


def median(input: Any, labels: Any = None, index: Any = None) -> Any:
    """scipy.ndimage.median."""
    return of_parts(np.median, input, labels, index)


def center_of_mass(input: Any, labels: Any = None, index: Any = None) -> Any:
    """scipy.ndimage.center_of_mass: a tuple, or a list of them for several parts."""
    values = np.asarray(input)
    total = sum_labels(values, labels, index)
    grids = np.indices(np.shape(values))
    rank = tuple(range(np.ndim(values)))
    found = [sum_labels(values * grids[k], labels, index) / total for k in rank]
    if np.ndim(total) == 0:
        return tuple(found)
    return [tuple([found[k][i] for k in rank]) for i in range(len(total))]


# --- filters --------------------------------------------------------------------------------------
def gaussian_gradient_magnitude(
    input: Any, sigma: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    *, axes: Any = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """scipy.ndimage.gaussian_gradient_magnitude along all axes."""
    if output is not None or axes is not None:
        raise NotImplementedError("gaussian_gradient_magnitude with output= or axes=")
    rank = np.ndim(input)
    total: Any = 0.0
    for axis in tuple(range(rank)):
        order = tuple([1 if k == axis else 0 for k in range(rank)])
        slope = ndimage.gaussian_filter(input, sigma, order, None, mode, cval, **kwargs)
        total = total + slope * slope
    steep = total > 0.0  # at edges that mirror the image it may be zero, and stay so
    return np.where(steep, np.sqrt(np.where(steep, total, 1.0)), 0.0)


def kernel(sigma: Any, order: int, radius: int) -> Any:
    """The derivative of a normalized Gaussian, at the places of a filter."""
    x = np.arange(-radius, radius + 1)
    weights = np.exp(-0.5 * x**2 / sigma**2)
    weights = weights / np.sum(weights)
    before, factor = np.zeros(len(x)), np.ones(len(x))
    for k in range(order):  # Hermite's polynomials
        before, factor = factor, (x * factor - k * before) / sigma**2
    return weights * factor


def gaussian_filter1d(
    input: Any, sigma: Any, axis: int = -1, order: int = 0, output: Any = None,
    mode: Any = "reflect", cval: Any = 0.0, truncate: float = 4.0, *, radius: Any = None,
) -> Any:  # fmt: skip
    """scipy.ndimage.gaussian_filter1d by its width; its reach is fixed."""
    reach = int(truncate * float(sigma) + 0.5) if radius is None else radius
    weights = kernel(sigma, order, reach)
    return ndimage.correlate1d(input, weights, axis, output, mode, cval)


def gaussian_filter(
    input: Any, sigma: Any, order: Any = 0, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0, truncate: float = 4.0, *, radius: Any = None, axes: Any = None,
) -> Any:  # fmt: skip
    """scipy.ndimage.gaussian_filter by its widths."""
    if output is not None:
        raise NotImplementedError("gaussian_filter by its width with output=")
    rank = np.ndim(input)
    if axes is None:
        axes = tuple(range(rank))
    elif isinstance(axes, int):
        axes = (axes,)
    for k in tuple(range(len(axes))):
        width = sigma[k] if np.ndim(sigma) == 1 else sigma
        if width <= 1e-15:
            continue  # as SciPy does
        degree = order[k] if isinstance(order, tuple | list) else order
        border = mode[k] if isinstance(mode, tuple | list) else mode
        reach = radius[k] if isinstance(radius, tuple | list) else radius
        input = gaussian_filter1d(
            input, width, axes[k], degree, None, border, cval, truncate, radius=reach
        )
    return input


def gaussian_laplace(
    input: Any, sigma: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    *, axes: Any = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """scipy.ndimage.gaussian_laplace by its widths, along all axes."""
    if output is not None or axes is not None:
        raise NotImplementedError("gaussian_laplace by its width with output= or axes=")
    rank = np.ndim(input)
    total: Any = 0.0
    for axis in tuple(range(rank)):
        order = tuple([2 if k == axis else 0 for k in range(rank)])
        total = total + ndimage.gaussian_filter(input, sigma, order, None, mode, cval, **kwargs)
    return total


# --- filters of spectra ---------------------------------------------------------------------------
def fourier_gaussian(
    input: Any, sigma: Any, n: int = -1, axis: int = -1, output: Any = None
) -> Any:
    """scipy.ndimage.fourier_gaussian."""
    return input * fourier_response("fourier_gaussian", np.shape(input), sigma, n, axis)


def fourier_uniform(input: Any, size: Any, n: int = -1, axis: int = -1, output: Any = None) -> Any:
    """scipy.ndimage.fourier_uniform."""
    return input * fourier_response("fourier_uniform", np.shape(input), size, n, axis)


def fourier_ellipsoid(
    input: Any, size: Any, n: int = -1, axis: int = -1, output: Any = None
) -> Any:
    """scipy.ndimage.fourier_ellipsoid."""
    return input * fourier_response("fourier_ellipsoid", np.shape(input), size, n, axis)


def fourier_shift(input: Any, shift: Any, n: int = -1, axis: int = -1, output: Any = None) -> Any:
    """scipy.ndimage.fourier_shift."""
    rank = np.ndim(input)
    for k in range(rank):
        size = np.shape(input)[k]
        by = shift[k] if np.ndim(shift) == 1 else shift
        halved = n > 0 and k == axis % rank  # a spectrum of rfft
        waves = np.arange(size) / n if halved else np.fft.fftfreq(size)
        turn = np.exp(-2j * np.pi * (waves * by))
        input = input * np.reshape(turn, tuple([size if j == k else 1 for j in range(rank)]))
    return input


def along_axes(weights: Any, origin: Any, axes: Any, rank: int) -> tuple[Any, Any]:
    """Weights for some axes of an image, with sizes of 1 at the others, and their origins."""
    if axes is None:
        return weights, origin
    places = [axis % rank for axis in (axes if isinstance(axes, tuple | list) else (axes,))]
    origins = origin if isinstance(origin, tuple | list) else (origin,) * len(places)
    if len(places) == rank:
        return weights, tuple(origins)
    shape, shifts = [1] * rank, [0] * rank
    for k, place in enumerate(sorted(places)):
        shape[place] = np.shape(weights)[k]
    for place, shift in zip(places, origins, strict=True):
        shifts[place] = shift
    return np.reshape(weights, tuple(shape)), tuple(shifts)


def convolve(
    input: Any, weights: Any, output: Any = None, mode: str = "reflect", cval: Any = 0.0,
    origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """scipy.ndimage.convolve along some axes, or beside a number that moves."""
    weights, shifts = along_axes(weights, origin, axes, np.ndim(input))
    found = scipy_ndimage_convolve(input, weights, None, mode, 0.0, shifts)
    if mode not in ("constant", "grid-constant"):
        return found
    blank = np.zeros(np.shape(input))
    return found + cval * scipy_ndimage_convolve(blank, weights, None, mode, 1.0, shifts)


def correlate(
    input: Any, weights: Any, output: Any = None, mode: str = "reflect", cval: Any = 0.0,
    origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """scipy.ndimage.correlate along some axes, or beside a number that moves."""
    weights, shifts = along_axes(weights, origin, axes, np.ndim(input))
    found = scipy_ndimage_correlate(input, weights, None, mode, 0.0, shifts)
    if mode not in ("constant", "grid-constant"):
        return found
    blank = np.zeros(np.shape(input))
    return found + cval * scipy_ndimage_correlate(blank, weights, None, mode, 1.0, shifts)


READ = {
    "center_of_mass": center_of_mass, "fourier_ellipsoid": fourier_ellipsoid,
    "fourier_gaussian": fourier_gaussian, "fourier_shift": fourier_shift,
    "fourier_uniform": fourier_uniform, "gaussian_gradient_magnitude": gaussian_gradient_magnitude,
    "maximum": maximum, "mean": mean, "median": median, "minimum": minimum,
    "standard_deviation": standard_deviation, "sum": sum_labels,
    "sum_labels": sum_labels, "variance": variance,
}  # fmt: skip
FURTHER: dict[str, Any] = {
    "convolve": convolve,
    "correlate": correlate,
    "gaussian_filter": gaussian_filter,
    "gaussian_filter1d": gaussian_filter1d,
    "gaussian_laplace": gaussian_laplace,
}
