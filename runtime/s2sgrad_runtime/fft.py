"""Cotangents of the discrete Fourier transforms.

A transform is linear, so its cotangent is its adjoint: for a complex one the inverse transform
with the opposite normalisation. The half spectrum of a real signal stands for both halves:
entries other than the first and (even length) the last count twice on the way back. Every `_bar`
helper deals with conjugates itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only

__all__ = [
    "adjoint_norm",
    "fft_axes",
    "fft_pullback",
    "fftn_pullback",
    "fit_axes",
    "fit_kind",
    "half_weights",
    "hfft_pullback",
    "ihfft_pullback",
    "irfft_pullback",
    "irfftn_pullback",
    "rfft_pullback",
    "rfftn_pullback",
]


def adjoint_norm(norm: str | None) -> Any:
    """The `norm` with which the inverse transform is the adjoint."""
    return {"forward": "backward", "ortho": "ortho"}.get(norm or "backward", "forward")


@shape_only(1)
def fit_axes(x: Any, a: Any, axes: tuple[int, ...]) -> Any:
    """x cropped or padded with zeros along `axes` to the shape of a."""
    for axis in axes:
        size, wanted = np.shape(x)[axis], np.shape(a)[axis]
        if size > wanted:
            x = np.take(x, np.arange(wanted), axis=axis)
        elif size < wanted:
            widths = [(0, 0)] * np.ndim(x)
            widths[axis] = (0, wanted - size)
            x = np.pad(x, widths)
    return x


@shape_only(1)
def fit_kind(x_bar: Any, a: Any) -> Any:
    """x_bar, its real part for a real a."""
    return x_bar if np.iscomplexobj(a) else np.real(x_bar)


@shape_only(0)
def fft_axes(a: Any, s: Any = None, axes: Any = None) -> tuple[int, ...]:
    """The axes that an n-dimensional transform of a goes over."""
    ndim = np.ndim(a)
    if axes is None:
        axes = range(ndim) if s is None else range(ndim - len(s), ndim)
    return tuple(axis % ndim for axis in (axes if np.ndim(axes) else (axes,)))


@shape_only(1)
def fft_pullback(
    y_bar: Any, a: Any, axis: int = -1, norm: Any = None, inverse: bool = False
) -> Any:
    """Cotangent of a in np.fft.fft(a, n, axis, norm), of np.fft.ifft for inverse=True."""
    back = np.fft.fft if inverse else np.fft.ifft
    a_bar = back(y_bar, axis=axis, norm=adjoint_norm(norm))
    return fit_kind(fit_axes(a_bar, a, (axis,)), a)


@shape_only(1)
def fftn_pullback(
    y_bar: Any, a: Any, s: Any = None, axes: Any = None, norm: Any = None, inverse: bool = False
) -> Any:
    """Cotangent of a in np.fft.fftn(a, s, axes, norm), of np.fft.ifftn for inverse=True."""
    over = fft_axes(a, s, axes)
    back = np.fft.fftn if inverse else np.fft.ifftn
    a_bar = back(y_bar, axes=over, norm=adjoint_norm(norm))
    return fit_kind(fit_axes(a_bar, a, over), a)


def half_weights(spectrum: Any, n: int, axis: int) -> Any:
    """How often each entry of a half spectrum of n points counts, shaped to broadcast."""
    length = np.shape(spectrum)[axis]
    weights = np.full(length, 2.0, np.real(spectrum).dtype)
    weights[0] = 1.0
    if n % 2 == 0:
        weights[-1] = 1.0
    shape = [1] * np.ndim(spectrum)
    shape[axis] = length
    return np.reshape(weights, shape)


@shape_only(1)
def rfft_pullback(y_bar: Any, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    """Cotangent of a in np.fft.rfft(a, n, axis, norm)."""
    points = np.shape(a)[axis] if n is None else n
    weights = half_weights(y_bar, points, axis)
    a_bar = np.fft.irfft(y_bar / weights, points, axis=axis, norm=adjoint_norm(norm))
    return fit_axes(a_bar, a, (axis,))


@shape_only(1)
def irfft_pullback(y_bar: Any, a: Any, axis: int = -1, norm: Any = None) -> Any:
    """Cotangent of a in np.fft.irfft(a, n, axis, norm); real for a real a."""
    n = np.shape(y_bar)[axis]
    spectrum = np.fft.rfft(y_bar, axis=axis, norm=adjoint_norm(norm))
    weights = half_weights(spectrum, n, axis)
    return fit_kind(fit_axes(spectrum * weights, a, (axis,)), a)


@shape_only(1)
def hfft_pullback(y_bar: Any, a: Any, axis: int = -1, norm: Any = None) -> Any:
    """Cotangent of a in np.fft.hfft(a, n, axis, norm), the irfft of conj(a)."""
    return np.conj(irfft_pullback(y_bar, a, axis, adjoint_norm(norm)))


@shape_only(1)
def ihfft_pullback(y_bar: Any, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
    """Cotangent of a in np.fft.ihfft(a, n, axis, norm), the conjugate of an rfft."""
    return rfft_pullback(np.conj(y_bar), a, n, axis, adjoint_norm(norm))


@shape_only(1)
def rfftn_pullback(y_bar: Any, a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """Cotangent of a in np.fft.rfftn(a, s, axes, norm): the last axis is the halved one."""
    order = fft_axes(a, s, axes)
    for axis in order[:-1]:
        y_bar = fit_axes(np.fft.ifft(y_bar, axis=axis, norm=adjoint_norm(norm)), a, (axis,))
    last = None if s is None or s[-1] == -1 else s[-1]
    return rfft_pullback(y_bar, a, last, order[-1], norm)


@shape_only(1)
def irfftn_pullback(y_bar: Any, a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """Cotangent of a in np.fft.irfftn(a, s, axes, norm)."""
    order = fft_axes(a, s, axes)
    n = np.shape(y_bar)[order[-1]]
    y_bar = np.fft.rfft(y_bar, axis=order[-1], norm=adjoint_norm(norm))
    y_bar = y_bar * half_weights(y_bar, n, order[-1])
    y_bar = fit_axes(y_bar, a, (order[-1],))
    for axis in order[:-1]:
        y_bar = fit_axes(np.fft.fft(y_bar, axis=axis, norm=adjoint_norm(norm)), a, (axis,))
    return fit_kind(y_bar, a)
