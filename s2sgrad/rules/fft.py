"""Floor 2: rules of np.fft. Every transform is linear; its cotangent is its adjoint."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    fft_pullback,
    fftn_pullback,
    hfft_pullback,
    ihfft_pullback,
    irfft_pullback,
    irfftn_pullback,
    rfft_pullback,
    rfftn_pullback,
)


@structural(np.fft.fft, linear=("a",), holomorphic=False)
def fft(y_bar: Any, y: Any, a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    """The adjoint is the inverse transform, not divided by n."""
    return fft_pullback(y_bar, a, axis, norm)


@structural(np.fft.ifft, linear=("a",), holomorphic=False)
def ifft(y_bar: Any, y: Any, a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    """The adjoint is the forward transform, divided by n."""
    return fft_pullback(y_bar, a, axis, norm, True)


@structural(np.fft.rfft, linear=("a",), holomorphic=False)
def rfft(y_bar: Any, y: Any, a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    """An irfft of y_bar with the inner frequencies halved."""
    return rfft_pullback(y_bar, a, n, axis, norm)


@structural(np.fft.irfft, linear=("a",), holomorphic=False)
def irfft(y_bar: Any, y: Any, a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    """An rfft of y_bar with the inner frequencies doubled."""
    return irfft_pullback(y_bar, a, axis, norm)


@structural(np.fft.hfft, linear=("a",), holomorphic=False)
def hfft(y_bar: Any, y: Any, a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    """The irfft of conj(a), with the forward normalisation."""
    return hfft_pullback(y_bar, a, axis, norm)


@structural(np.fft.ihfft, linear=("a",), holomorphic=False)
def ihfft(y_bar: Any, y: Any, a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    """The conjugate of an rfft, with the inverse normalisation."""
    return ihfft_pullback(y_bar, a, n, axis, norm)


@structural(np.fft.fftn, linear=("a",), holomorphic=False)
def fftn(y_bar: Any, y: Any, a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """fft over several axes."""
    return fftn_pullback(y_bar, a, s, axes, norm)


@structural(np.fft.ifftn, linear=("a",), holomorphic=False)
def ifftn(y_bar: Any, y: Any, a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """ifft over several axes."""
    return fftn_pullback(y_bar, a, s, axes, norm, True)


@structural(np.fft.rfftn, linear=("a",), holomorphic=False)
def rfftn(y_bar: Any, y: Any, a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """rfft over the last axis, fft over the others."""
    return rfftn_pullback(y_bar, a, s, axes, norm)


@structural(np.fft.irfftn, linear=("a",), holomorphic=False)
def irfftn(y_bar: Any, y: Any, a: Any, s: Any = None, axes: Any = None, norm: Any = None) -> Any:
    """ifft over the other axes, then irfft over the last."""
    return irfftn_pullback(y_bar, a, s, axes, norm)


@structural(np.fft.fft2, linear=("a",), holomorphic=False)
def fft2(y_bar: Any, y: Any, a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> Any:
    """fft over several axes."""
    return fftn_pullback(y_bar, a, s, axes, norm)


@structural(np.fft.ifft2, linear=("a",), holomorphic=False)
def ifft2(y_bar: Any, y: Any, a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> Any:
    """ifft over several axes."""
    return fftn_pullback(y_bar, a, s, axes, norm, True)


@structural(np.fft.rfft2, linear=("a",), holomorphic=False)
def rfft2(y_bar: Any, y: Any, a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> Any:
    """rfft over the last axis, fft over the others."""
    return rfftn_pullback(y_bar, a, s, axes, norm)


@structural(np.fft.irfft2, linear=("a",), holomorphic=False)
def irfft2(
    y_bar: Any, y: Any, a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None
) -> Any:
    """ifft over the other axes, then irfft over the last."""
    return irfftn_pullback(y_bar, a, s, axes, norm)


@structural(np.fft.fftshift, linear=("x",))
def fftshift(y_bar: Any, y: Any, x: Any, axes: Any = None) -> Any:
    """A rotation of entries, undone by ifftshift."""
    return np.fft.ifftshift(y_bar, axes)


@structural(np.fft.ifftshift, linear=("x",))
def ifftshift(y_bar: Any, y: Any, x: Any, axes: Any = None) -> Any:
    """A rotation of entries, undone by fftshift."""
    return np.fft.fftshift(y_bar, axes)


@structural(np.fft.fftfreq, np.fft.rfftfreq, optional=("d",))
def fftfreq(y_bar: Any, y: Any, n: Any, d: Any = 1.0) -> Any:
    """y = k / (n d) for integers k."""
    return None, -np.sum(y_bar * y) / d


@tangent(np.fft.fftfreq, np.fft.rfftfreq)
def fftfreq_dot(y: Any, n: Any, d: Any = 1.0, *, d_dot: Any) -> Any:
    """dy/dd = -y / d."""
    return None, -y / d * d_dot
