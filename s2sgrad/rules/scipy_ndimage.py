"""Floor 2: rules of scipy.ndimage's linear filters."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    convolve_origin,
    convolve_origins,
    correlate1d_bar_weights,
    correlate1d_dot_weights,
    correlate1d_pullback,
    correlate_nd_bar_weights,
    correlate_nd_dot_weights,
    correlate_nd_pullback,
    gaussian1d_pullback,
    gaussian_pullback,
    scipy_convolve1d,
    scipy_correlate1d,
    scipy_gaussian_filter,
    scipy_ndimage_convolve,
    scipy_ndimage_correlate,
    slope_filter_pullback,
    uniform_pullback,
)


@structural("scipy.ndimage.correlate1d", holomorphic=False)
def correlate1d_(
    y_bar: Any,
    y: Any,
    input: Any,
    weights: Any,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
) -> Any:
    """A correlation of the padded input; the padding's transpose folds the border back."""
    return correlate1d_pullback(y_bar, input, weights, axis, mode, origin), correlate1d_bar_weights(
        y_bar, input, weights, axis, mode, cval, origin
    )


@tangent("scipy.ndimage.correlate1d")
def correlate1d_tangent(
    y: Any,
    input: Any,
    weights: Any,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    input_dot: Any,
    weights_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return scipy_correlate1d(
        input_dot, weights, axis, None, mode, 0.0, origin
    ), correlate1d_dot_weights(weights_dot, input, axis, mode, cval, origin)


@structural("scipy.ndimage.convolve1d", holomorphic=False)
def convolve1d_(
    y_bar: Any,
    y: Any,
    input: Any,
    weights: Any,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
) -> Any:
    """The correlation with the flipped weights, conjugated: a correlation conjugates its own."""
    shift = convolve_origin(np.size(weights), origin)
    turned = np.conj(np.flip(weights))
    weights_bar = correlate1d_bar_weights(y_bar, input, weights, axis, mode, cval, shift)
    return (
        correlate1d_pullback(y_bar, input, turned, axis, mode, shift),
        np.conj(np.flip(weights_bar)),
    )


@tangent("scipy.ndimage.convolve1d")
def convolve1d_tangent(
    y: Any,
    input: Any,
    weights: Any,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    input_dot: Any,
    weights_dot: Any,
) -> Any:
    """The same derivative, forward."""
    shift = convolve_origin(np.size(weights), origin)
    return scipy_convolve1d(
        input_dot, weights, axis, None, mode, 0.0, origin
    ), correlate1d_dot_weights(np.conj(np.flip(weights_dot)), input, axis, mode, cval, shift)


@structural("scipy.ndimage.correlate", holomorphic=False)
def correlate_(
    y_bar: Any,
    y: Any,
    input: Any,
    weights: Any,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
) -> Any:
    """A correlation of the padded input; the padding's transpose folds the border back."""
    return correlate_nd_pullback(y_bar, input, weights, mode, origin), correlate_nd_bar_weights(
        y_bar, input, weights, mode, cval, origin
    )


@tangent("scipy.ndimage.correlate")
def correlate_tangent(
    y: Any,
    input: Any,
    weights: Any,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    input_dot: Any,
    weights_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return scipy_ndimage_correlate(
        input_dot, weights, None, mode, 0.0, origin
    ), correlate_nd_dot_weights(weights_dot, input, mode, cval, origin)


@structural("scipy.ndimage.convolve", holomorphic=False)
def convolve_(
    y_bar: Any,
    y: Any,
    input: Any,
    weights: Any,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
) -> Any:
    """The correlation with the flipped weights, conjugated: a correlation conjugates its own."""
    origins = convolve_origins(weights, origin)
    turned = np.conj(np.flip(weights))
    weights_bar = correlate_nd_bar_weights(y_bar, input, weights, mode, cval, origins)
    return (
        correlate_nd_pullback(y_bar, input, turned, mode, origins),
        np.conj(np.flip(weights_bar)),
    )


@tangent("scipy.ndimage.convolve")
def convolve_tangent(
    y: Any,
    input: Any,
    weights: Any,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    *,
    input_dot: Any,
    weights_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return scipy_ndimage_convolve(
        input_dot, weights, None, mode, 0.0, origin
    ), correlate_nd_dot_weights(
        np.conj(np.flip(weights_dot)), input, mode, cval, convolve_origins(weights, origin)
    )


@structural(
    "scipy.ndimage.gaussian_filter1d", holomorphic=False, linear=("input",), affine=("cval",)
)
def gaussian_filter1d_(
    y_bar: Any,
    y: Any,
    input: Any,
    sigma: Any,
    axis: Any = -1,
    order: Any = 0,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    truncate: Any = 4.0,
    radius: Any = None,
) -> Any:
    """A correlation with a fixed kernel; none in sigma."""
    return gaussian1d_pullback(y_bar, input, sigma, axis, order, mode, truncate, radius), None


@structural("scipy.ndimage.gaussian_filter", holomorphic=False, linear=("input",), affine=("cval",))
def gaussian_filter_(
    y_bar: Any,
    y: Any,
    input: Any,
    sigma: Any,
    order: Any = 0,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    truncate: Any = 4.0,
    radius: Any = None,
    axes: Any = None,
) -> Any:
    """One axis after the other; none in sigma."""
    return gaussian_pullback(y_bar, input, sigma, order, mode, truncate, radius, axes), None


@structural(gaussian_pullback, linear=("z",))
def gaussian_pullback_(
    y_bar: Any,
    y: Any,
    z: Any,
    a: Any,
    sigma: Any = 1.0,
    order: Any = 0,
    mode: Any = "reflect",
    truncate: Any = 4.0,
    radius: Any = None,
    axes: Any = None,
) -> Any:
    """The transpose of gaussian_filter."""
    return scipy_gaussian_filter(
        y_bar, sigma, order, mode=mode, truncate=truncate, radius=radius, axes=axes
    ), np.zeros_like(a)


@structural(
    "scipy.ndimage.uniform_filter1d", holomorphic=False, linear=("input",), affine=("cval",)
)
def uniform_filter1d_(
    y_bar: Any,
    y: Any,
    input: Any,
    size: Any,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
) -> Any:
    """A moving mean."""
    return correlate1d_pullback(y_bar, input, np.full(size, 1.0 / size), axis, mode, origin), None


@structural("scipy.ndimage.uniform_filter", holomorphic=False, linear=("input",), affine=("cval",))
def uniform_filter_(
    y_bar: Any,
    y: Any,
    input: Any,
    size: Any = 3,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
    origin: Any = 0,
    axes: Any = None,
) -> Any:
    """One axis after the other."""
    return uniform_pullback(y_bar, input, size, mode, origin, axes)


@structural("scipy.ndimage.sobel", holomorphic=False, linear=("input",), affine=("cval",))
def sobel_(
    y_bar: Any,
    y: Any,
    input: Any,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
) -> Any:
    """A difference along one axis, smoothed along the others."""
    return slope_filter_pullback(y_bar, input, axis, mode, (1.0, 2.0, 1.0))


@structural("scipy.ndimage.prewitt", holomorphic=False, linear=("input",), affine=("cval",))
def prewitt_(
    y_bar: Any,
    y: Any,
    input: Any,
    axis: Any = -1,
    output: Any = None,
    mode: Any = "reflect",
    cval: Any = 0.0,
) -> Any:
    """A difference along one axis, smoothed along the others."""
    return slope_filter_pullback(y_bar, input, axis, mode, (1.0, 1.0, 1.0))
