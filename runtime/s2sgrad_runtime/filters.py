"""Cotangents of convolutions and filters in scipy.signal and scipy.ndimage.

A convolution is a crop of the full one, so its cotangent is placed in the full one and correlated
with the other operand. A filter of scipy.ndimage is a correlation of the padded input; the
padding's transpose folds the border back.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only
from s2sgrad_runtime.scipy_helpers import (
    scipy_correlate1d,
    scipy_fftconvolve,
    scipy_gaussian_filter1d,
    scipy_lfilter,
    scipy_ndimage_correlate,
    scipy_signal_convolve,
)
from s2sgrad_runtime.shapes import unbroadcast

PAD_MODES: dict[str, Any] = {
    "reflect": "symmetric",
    "grid-mirror": "symmetric",
    "mirror": "reflect",
    "nearest": "edge",
    "wrap": "wrap",
    "grid-wrap": "wrap",
}
_BORDERS = {"fill": "constant", "wrap": "wrap", "symm": "reflect"}  # of scipy.signal

__all__ = [
    "border",
    "bordered",
    "convolution_axes",
    "convolution_pullback",
    "convolve2d_bar_left",
    "convolve2d_bar_right",
    "convolve_origin",
    "convolve_origins",
    "correlate1d_bar_weights",
    "correlate1d_dot_weights",
    "correlate1d_pullback",
    "correlate_nd_bar_weights",
    "correlate_nd_dot_weights",
    "correlate_nd_pullback",
    "correlation_bar_left",
    "correlation_bar_right",
    "fold_axis",
    "full_cotangent",
    "gaussian1d_pullback",
    "gaussian_kernel",
    "gaussian_laplace_pullback",
    "gaussian_pullback",
    "lag_products",
    "laplace_pullback",
    "lfilter_bar_denominator",
    "lfilter_bar_numerator",
    "lfilter_dot_denominator",
    "lfilter_pullback",
    "pad_axis",
    "per_axis",
    "slope_filter_pullback",
    "uniform_pullback",
]


def convolution_axes(axes: Any, ndim: int) -> tuple[int, ...]:
    """The axes of a convolution as non-negative numbers."""
    if axes is None:
        return tuple(range(ndim))
    return tuple(a % ndim for a in ((axes,) if np.ndim(axes) == 0 else axes))


@shape_only(1, 2)
def full_cotangent(
    y_bar: Any, a: Any, b: Any, mode: str, axes: tuple[int, ...], late: bool = False
) -> Any:
    """The cotangent of the full convolution of a and b of which y is the part `mode`.

    late: of two middle entries of an even kernel, "same" is centred on the second.
    """
    widths = [(0, 0)] * np.ndim(y_bar)
    for axis in axes:
        m, n = np.shape(a)[axis], np.shape(b)[axis]
        size = np.shape(y_bar)[axis]
        start = {"full": 0, "same": n // 2 if late else (n - 1) // 2, "valid": min(m, n) - 1}[mode]
        widths[axis] = (start, m + n - 1 - size - start)
    return np.pad(y_bar, widths)


@shape_only(1)
def convolution_pullback(
    y_bar: Any,
    a: Any,
    b: Any,
    mode: str = "full",
    axes: Any = None,
    swap: bool = False,
    late: bool = False,
) -> Any:
    """Cotangent of a in the convolution of a and b; conjugates dealt with.

    swap: b is the first operand, on which `mode` "same" is centred.
    """
    over = convolution_axes(axes, np.ndim(a))
    first, second = (b, a) if swap else (a, b)
    full = full_cotangent(y_bar, first, second, mode, over, late)
    flipped = np.conj(np.flip(b, over))
    if axes is None:
        found = scipy_signal_convolve(full, flipped, "valid")
    else:
        found = scipy_fftconvolve(full, flipped, "valid", axes=over)
    return unbroadcast(found, a)


@shape_only(1)
def correlation_bar_left(y_bar: Any, a: Any, b: Any, mode: str = "full", late: bool = False) -> Any:
    """Cotangent of a in the correlation of a and b, the convolution with flipped conj(b)."""
    return convolution_pullback(y_bar, a, np.conj(np.flip(b)), mode, late=late)


@shape_only(2)
def correlation_bar_right(
    y_bar: Any, a: Any, b: Any, mode: str = "full", late: bool = False
) -> Any:
    """Cotangent of b in the correlation of a and b."""
    return np.conj(np.flip(convolution_pullback(y_bar, b, a, mode, swap=True, late=late)))


def lfilter_pullback(y_bar: Any, b: Any, a: Any, axis: int) -> Any:
    """Cotangent of x in y = lfilter(b, a, x, axis): the filter run backwards."""
    back = scipy_lfilter(np.conj(b), np.conj(a), np.flip(y_bar, axis), axis)
    return np.flip(back, axis)


def lag_products(y_bar: Any, signal: Any, count: int, axis: int) -> Any:
    """Sums of y_bar times `signal` delayed by 0, 1, ... count - 1 along `axis`."""
    rows, late = np.moveaxis(y_bar, axis, 0), np.conj(np.moveaxis(signal, axis, 0))
    n = len(rows)
    return np.stack([np.sum(rows[min(k, n) :] * late[: max(n - k, 0)]) for k in range(count)])


def lfilter_bar_numerator(y_bar: Any, b: Any, a: Any, x: Any, axis: int) -> Any:
    """Cotangent of b in y = lfilter(b, a, x, axis)."""
    inner = scipy_lfilter(np.ones(1), a, x, axis)
    return np.reshape(lag_products(y_bar, inner, np.size(b), axis), np.shape(b))


def lfilter_bar_denominator(y_bar: Any, y: Any, a: Any, axis: int) -> Any:
    """Cotangent of a in y = lfilter(b, a, x, axis)."""
    inner = scipy_lfilter(np.ones(1), a, y, axis)
    return -np.reshape(lag_products(y_bar, inner, np.size(a), axis), np.shape(a))


def border(size: int, origin: int) -> tuple[int, int]:
    """How far a kernel of that size reaches to the left and to the right."""
    left = size // 2 + origin
    return left, size - 1 - left


def pad_axis(a: Any, axis: int, widths: tuple[int, int], mode: str, cval: float = 0.0) -> Any:
    """a with the border that scipy.ndimage's `mode` makes along one axis."""
    every = [(0, 0)] * np.ndim(a)
    every[axis] = widths
    if mode in PAD_MODES:
        return np.pad(a, every, mode=PAD_MODES[mode])
    return np.pad(a, every, constant_values=cval)


def fold_axis(p_bar: Any, size: int, axis: int, widths: tuple[int, int], mode: str) -> Any:
    """The transpose of `pad_axis`: what reached the border goes to the entry it came from."""
    rows = np.moveaxis(p_bar, axis, 0)
    if mode not in PAD_MODES:
        return np.moveaxis(rows[widths[0] : widths[0] + size], 0, axis)
    left, right = widths
    total = np.copy(rows[left : left + size])
    source = _sources(size, widths, mode)
    if left:
        np.add.at(total, source[:left], rows[:left])
    if right:
        np.add.at(total, source[-right:], rows[-right:])
    return np.moveaxis(total, 0, axis)


@cache
def _sources(size: int, widths: tuple[int, int], mode: str) -> Any:
    """Where each entry along an axis with its border comes from."""
    return np.pad(np.arange(size), widths, mode=PAD_MODES[mode])


def per_axis(value: Any, ndim: int) -> tuple[Any, ...]:
    """A setting for each axis: a sequence as it is, anything else repeated."""
    return tuple(value) if np.ndim(value) else (value,) * ndim


@shape_only(1)
def correlate1d_pullback(
    y_bar: Any, a: Any, weights: Any, axis: int, mode: str = "reflect", origin: int = 0
) -> Any:
    """Cotangent of a in scipy.ndimage.correlate1d(a, weights, axis, mode=mode, origin=origin)."""
    widths = border(np.size(weights), origin)
    kernel = np.reshape(weights, [-1 if k == axis % np.ndim(a) else 1 for k in range(np.ndim(a))])
    spread = scipy_signal_convolve(y_bar, kernel, "full")  # correlating conjugates the weights
    return fold_axis(spread, np.shape(a)[axis], axis, widths, mode)


def correlate1d_bar_weights(
    y_bar: Any, a: Any, weights: Any, axis: int, mode: str, cval: float, origin: int
) -> Any:
    """Cotangent of weights in scipy.ndimage.correlate1d."""
    padded = np.moveaxis(pad_axis(a, axis, border(np.size(weights), origin), mode, cval), axis, 0)
    rows = np.conj(np.moveaxis(y_bar, axis, 0))
    n = len(rows)
    return np.stack([np.sum(rows * padded[k : k + n]) for k in range(np.size(weights))])


@shape_only(1)
def correlate_nd_pullback(y_bar: Any, a: Any, weights: Any, mode: Any, origin: Any) -> Any:
    """Cotangent of a in scipy.ndimage.correlate(a, weights, mode=mode, origin=origin)."""
    spread = scipy_signal_convolve(y_bar, weights, "full")  # correlating conjugates the weights
    modes, origins = per_axis(mode, np.ndim(a)), per_axis(origin, np.ndim(a))
    for axis, size in enumerate(np.shape(weights)):
        widths = border(size, origins[axis])
        spread = fold_axis(spread, np.shape(a)[axis], axis, widths, modes[axis])
    return spread


def correlate_nd_bar_weights(
    y_bar: Any, a: Any, weights: Any, mode: Any, cval: float, origin: Any
) -> Any:
    """Cotangent of weights in scipy.ndimage.correlate."""
    modes, origins = per_axis(mode, np.ndim(a)), per_axis(origin, np.ndim(a))
    for axis, size in enumerate(np.shape(weights)):
        a = pad_axis(a, axis, border(size, origins[axis]), modes[axis], cval)
    return scipy_signal_convolve(a, np.conj(np.flip(y_bar)), "valid")


def convolve_origin(size: int, origin: int) -> int:
    """The origin with which a convolution is the correlation with the flipped kernel."""
    return -origin - (1 if size % 2 == 0 else 0)


def convolve_origins(weights: Any, origin: Any) -> tuple[int, ...]:
    """`convolve_origin` for each axis."""
    origins = per_axis(origin, np.ndim(weights))
    return tuple(convolve_origin(n, o) for n, o in zip(np.shape(weights), origins, strict=True))


def gaussian_kernel(sigma: float, order: int, truncate: float, radius: int | None) -> Any:
    """The weights that scipy.ndimage.gaussian_filter1d correlates with."""
    reach = int(truncate * float(sigma) + 0.5) if radius is None else radius
    impulse = np.zeros(2 * reach + 1)
    impulse[reach] = 1.0
    found = scipy_gaussian_filter1d(
        impulse, sigma, order=order, mode="constant", truncate=truncate, radius=radius
    )
    return found[::-1]


@shape_only(1)
def gaussian1d_pullback(
    y_bar: Any, a: Any, sigma: Any, axis: int, order: int, mode: str, truncate: float, radius: Any
) -> Any:
    """Cotangent of a in scipy.ndimage.gaussian_filter1d."""
    return correlate1d_pullback(
        y_bar, a, gaussian_kernel(sigma, order, truncate, radius), axis, mode
    )


@shape_only(1)
def gaussian_pullback(
    y_bar: Any, a: Any, sigma: Any, order: Any, mode: Any, truncate: float, radius: Any, axes: Any
) -> Any:
    """Cotangent of a in scipy.ndimage.gaussian_filter: one axis after the other, backwards."""
    over = convolution_axes(axes, np.ndim(a))
    settings = [per_axis(v, len(over)) for v in (sigma, order, mode, radius)]
    for axis, width, degree, border_mode, reach in reversed(
        list(zip(over, *settings, strict=True))
    ):
        if width > 1e-15:
            y_bar = gaussian1d_pullback(y_bar, a, width, axis, degree, border_mode, truncate, reach)
    return y_bar


@shape_only(1)
def uniform_pullback(y_bar: Any, a: Any, size: Any, mode: Any, origin: Any, axes: Any) -> Any:
    """Cotangent of a in scipy.ndimage.uniform_filter."""
    over = convolution_axes(axes, np.ndim(a))
    settings = [per_axis(v, len(over)) for v in (size, mode, origin)]
    for axis, count, border_mode, place in reversed(list(zip(over, *settings, strict=True))):
        y_bar = correlate1d_pullback(
            y_bar, a, np.full(count, 1.0 / count), axis, border_mode, place
        )
    return y_bar


@shape_only(1)
def slope_filter_pullback(y_bar: Any, a: Any, axis: int, mode: Any, smooth: Any) -> Any:
    """Cotangent of a in scipy.ndimage.sobel or prewitt; `smooth` weighs the other axes."""
    modes = per_axis(mode, np.ndim(a))
    for other in range(np.ndim(a)):
        across = other != axis % np.ndim(a)
        weights = np.asarray(smooth if across else (-1.0, 0.0, 1.0))
        y_bar = correlate1d_pullback(y_bar, a, weights, other, modes[other])
    return y_bar


def correlate1d_dot_weights(
    weights_dot: Any, a: Any, axis: int, mode: str, cval: float, origin: int
) -> Any:
    """Tangent of scipy.ndimage.correlate1d along weights_dot."""
    return scipy_correlate1d(a, weights_dot, axis, None, mode, cval, origin)


def correlate_nd_dot_weights(weights_dot: Any, a: Any, mode: Any, cval: float, origin: Any) -> Any:
    """Tangent of scipy.ndimage.correlate along weights_dot."""
    return scipy_ndimage_correlate(a, weights_dot, None, mode, cval, origin)


def lfilter_dot_denominator(a_dot: Any, y: Any, a: Any, axis: int) -> Any:
    """Tangent of y = lfilter(b, a, x, axis) along a_dot."""
    return -scipy_lfilter(a_dot, a, y, axis)


@shape_only(1)
def laplace_pullback(y_bar: Any, a: Any, mode: Any, axes: Any = None) -> Any:
    """Cotangent of a in scipy.ndimage.laplace: second differences along every axis, or some."""
    along = range(np.ndim(a)) if axes is None else np.atleast_1d(axes)
    modes = per_axis(mode, len(along))
    weights = np.asarray((1.0, -2.0, 1.0))
    parts = [
        correlate1d_pullback(y_bar, a, weights, int(k), one)
        for k, one in zip(along, modes, strict=True)
    ]
    return sum(parts)


@shape_only(1)
def gaussian_laplace_pullback(y_bar: Any, a: Any, sigma: Any, mode: Any) -> Any:
    """Cotangent of a in scipy.ndimage.gaussian_laplace."""
    ndim = np.ndim(a)
    orders = [tuple(2 if k == axis else 0 for k in range(ndim)) for axis in range(ndim)]
    return sum(gaussian_pullback(y_bar, a, sigma, o, mode, 4.0, None, None) for o in orders)


def bordered(a: Any, b: Any, boundary: str, fillvalue: float = 0) -> Any:
    """a with the border that a convolution in two dimensions with b reaches."""
    mode = _BORDERS[boundary]
    for axis in (0, 1):
        width = np.shape(b)[axis] - 1
        a = pad_axis(a, axis, (width, width), mode, fillvalue)
    return a


def convolve2d_bar_left(
    y_bar: Any, a: Any, b: Any, mode: str, boundary: str, late: bool = False
) -> Any:
    """Cotangent of a in scipy.signal.convolve2d(a, b, mode, boundary)."""
    if boundary == "fill" or mode == "valid":
        return convolution_pullback(y_bar, a, b, mode, late=late)
    full = full_cotangent(y_bar, a, b, mode, (0, 1), late)
    found = scipy_signal_convolve(full, np.conj(np.flip(b)), "full")
    for axis in (0, 1):
        width = np.shape(b)[axis] - 1
        found = fold_axis(found, np.shape(a)[axis], axis, (width, width), _BORDERS[boundary])
    return unbroadcast(found, a)


def convolve2d_bar_right(
    y_bar: Any, a: Any, b: Any, mode: str, boundary: str, fillvalue: float, late: bool = False
) -> Any:
    """Cotangent of b in scipy.signal.convolve2d(a, b, mode, boundary, fillvalue)."""
    if mode == "valid" or (boundary == "fill" and fillvalue == 0):
        return convolution_pullback(y_bar, b, a, mode, swap=True, late=late)
    full = full_cotangent(y_bar, a, b, mode, (0, 1), late)
    around = bordered(a, b, boundary, fillvalue)
    return convolution_pullback(full, b, around, "valid", swap=True)
