"""Floor 2: rules of scipy.fft's Hermitian and Hankel transforms and shifts."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    adjoint_norm,
    irfftn_pullback,
    rfftn_pullback,
    scipy_fht,
    scipy_ifht,
    unit_map_pullback,
)


@structural("scipy.fft.hfftn", holomorphic=False, linear=("x",))
def hfftn_(
    y_bar: Any,
    y: Any,
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """irfftn of conj(x), with the forward normalisation."""
    return np.conj(irfftn_pullback(y_bar, x, s, axes, adjoint_norm(norm)))


@structural("scipy.fft.ihfftn", holomorphic=False, linear=("x",))
def ihfftn_(
    y_bar: Any,
    y: Any,
    x: Any,
    s: Any = None,
    axes: Any = None,
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """The conjugate of rfftn, with the inverse normalisation."""
    return rfftn_pullback(np.conj(y_bar), x, s, axes, adjoint_norm(norm))


@structural("scipy.fft.hfft2", holomorphic=False, linear=("x",))
def hfft2_(
    y_bar: Any,
    y: Any,
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """irfftn of conj(x), with the forward normalisation."""
    return np.conj(irfftn_pullback(y_bar, x, s, axes, adjoint_norm(norm)))


@structural("scipy.fft.ihfft2", holomorphic=False, linear=("x",))
def ihfft2_(
    y_bar: Any,
    y: Any,
    x: Any,
    s: Any = None,
    axes: Any = (-2, -1),
    norm: Any = None,
    overwrite_x: Any = False,
    workers: Any = None,
    plan: Any = None,
) -> Any:
    """The conjugate of rfftn, with the inverse normalisation."""
    return rfftn_pullback(np.conj(y_bar), x, s, axes, adjoint_norm(norm))


@structural("scipy.fft.fftshift", linear=("x",))
def fftshift_(y_bar: Any, y: Any, x: Any, axes: Any = None) -> Any:
    """A rotation of entries, undone by ifftshift."""
    return np.fft.ifftshift(y_bar, axes)


@structural("scipy.fft.ifftshift", linear=("x",))
def ifftshift_(y_bar: Any, y: Any, x: Any, axes: Any = None) -> Any:
    """A rotation of entries, undone by fftshift."""
    return np.fft.fftshift(y_bar, axes)


@structural("scipy.fft.fftfreq", "scipy.fft.rfftfreq", optional=("d",))
def fftfreq_(y_bar: Any, y: Any, n: Any, d: Any = 1.0, xp: Any = None, device: Any = None) -> Any:
    """y = k / (n d) for integers k."""
    return None, -np.sum(y_bar * y) / d


@tangent("scipy.fft.fftfreq", "scipy.fft.rfftfreq")
def fftfreq_tangent(
    y: Any, n: Any, d: Any = 1.0, xp: Any = None, device: Any = None, *, n_dot: Any, d_dot: Any
) -> Any:
    """The same derivative, forward."""
    return None, -y / d * d_dot


@structural("scipy.fft.fht", linear=("a",))
def fht_(y_bar: Any, y: Any, a: Any, dln: Any, mu: Any, offset: Any = 0.0, bias: Any = 0.0) -> Any:
    """A linear map of the last axis, read off the unit vectors."""
    return unit_map_pullback(y_bar, a, scipy_fht, -1, dln, mu, offset, bias), None, None


@structural("scipy.fft.ifht", linear=("A",))
def ifht_(y_bar: Any, y: Any, A: Any, dln: Any, mu: Any, offset: Any = 0.0, bias: Any = 0.0) -> Any:
    """A linear map of the last axis, read off the unit vectors."""
    return unit_map_pullback(y_bar, A, scipy_ifht, -1, dln, mu, offset, bias), None, None
