"""Floor 2: rules of scipy.signal's convolutions and filters."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    convolution_pullback,
    convolve2d_bar_left,
    convolve2d_bar_right,
    correlate2d_bar_left,
    correlate2d_bar_right,
    correlation_bar_left,
    correlation_bar_right,
    fit_axes,
    lfilter_bar_denominator,
    lfilter_bar_numerator,
    lfilter_dot_denominator,
    lfilter_pullback,
    scipy_convolve2d,
    scipy_correlate2d,
    scipy_detrend,
    scipy_hilbert,
    scipy_lfilter,
)


@structural("scipy.signal.convolve", holomorphic=False, linear=("in1", "in2"))
def convolve_(
    y_bar: Any, y: Any, in1: Any, in2: Any, mode: Any = "full", method: Any = "auto"
) -> Any:
    """y_bar in its place in the full convolution, correlated with the other operand."""
    return convolution_pullback(y_bar, in1, in2, mode), convolution_pullback(
        y_bar, in2, in1, mode, None, True
    )


@structural("scipy.signal.fftconvolve", holomorphic=False, linear=("in1", "in2"))
def fftconvolve_(
    y_bar: Any, y: Any, in1: Any, in2: Any, mode: Any = "full", axes: Any = None
) -> Any:
    """As scipy.signal.convolve."""
    return convolution_pullback(y_bar, in1, in2, mode, axes), convolution_pullback(
        y_bar, in2, in1, mode, axes, True
    )


@structural("scipy.signal.oaconvolve", holomorphic=False, linear=("in1", "in2"))
def oaconvolve_(
    y_bar: Any, y: Any, in1: Any, in2: Any, mode: Any = "full", axes: Any = None
) -> Any:
    """As scipy.signal.convolve."""
    return convolution_pullback(y_bar, in1, in2, mode, axes), convolution_pullback(
        y_bar, in2, in1, mode, axes, True
    )


@structural("scipy.signal.correlate", holomorphic=False, linear=("in1", "in2"))
def correlate_(
    y_bar: Any, y: Any, in1: Any, in2: Any, mode: Any = "full", method: Any = "auto"
) -> Any:
    """The convolution with the other operand flipped."""
    return correlation_bar_left(y_bar, in1, in2, mode), correlation_bar_right(y_bar, in1, in2, mode)


@structural("scipy.signal.convolve2d", holomorphic=False)
def convolve2d_(
    y_bar: Any,
    y: Any,
    in1: Any,
    in2: Any,
    mode: Any = "full",
    boundary: Any = "fill",
    fillvalue: Any = 0,
) -> Any:
    """As scipy.signal.convolve; what reached the border goes back to where it came from."""
    return (
        convolve2d_bar_left(y_bar, in1, in2, mode, boundary),
        convolve2d_bar_right(y_bar, in1, in2, mode, boundary, fillvalue),
    )


@tangent("scipy.signal.convolve2d")
def convolve2d_tangent(
    y: Any,
    in1: Any,
    in2: Any,
    mode: Any = "full",
    boundary: Any = "fill",
    fillvalue: Any = 0,
    *,
    in1_dot: Any,
    in2_dot: Any,
) -> Any:
    """The border's own value does not move with in1."""
    return (
        scipy_convolve2d(in1_dot, in2, mode, boundary),
        scipy_convolve2d(in1, in2_dot, mode, boundary, fillvalue),
    )


@structural("scipy.signal.correlate2d", holomorphic=False)
def correlate2d_(
    y_bar: Any,
    y: Any,
    in1: Any,
    in2: Any,
    mode: Any = "full",
    boundary: Any = "fill",
    fillvalue: Any = 0,
) -> Any:
    """The convolution with the other operand flipped."""
    return (
        correlate2d_bar_left(y_bar, in1, in2, mode, boundary),
        correlate2d_bar_right(y_bar, in1, in2, mode, boundary, fillvalue),
    )


@tangent("scipy.signal.correlate2d")
def correlate2d_tangent(
    y: Any,
    in1: Any,
    in2: Any,
    mode: Any = "full",
    boundary: Any = "fill",
    fillvalue: Any = 0,
    *,
    in1_dot: Any,
    in2_dot: Any,
) -> Any:
    """As convolve2d's."""
    return (
        scipy_correlate2d(in1_dot, in2, mode, boundary),
        scipy_correlate2d(in1, in2_dot, mode, boundary, fillvalue),
    )


@structural("scipy.signal.lfilter", holomorphic=False)
def lfilter_(y_bar: Any, y: Any, b: Any, a: Any, x: Any, axis: Any = -1) -> Any:
    """a * y = b * x; the filter runs backwards over y_bar."""
    return (
        lfilter_bar_numerator(y_bar, b, a, x, axis),
        lfilter_bar_denominator(y_bar, y, a, axis),
        lfilter_pullback(y_bar, b, a, axis),
    )


@tangent("scipy.signal.lfilter")
def lfilter_tangent(
    y: Any, b: Any, a: Any, x: Any, axis: Any = -1, *, b_dot: Any, a_dot: Any, x_dot: Any
) -> Any:
    """The same derivative, forward."""
    return (
        scipy_lfilter(b_dot, a, x, axis),
        lfilter_dot_denominator(a_dot, y, a, axis),
        scipy_lfilter(b, a, x_dot, axis),
    )


@structural("scipy.signal.detrend", linear=("data",))
def detrend_(
    y_bar: Any,
    y: Any,
    data: Any,
    axis: Any = -1,
    type: Any = "linear",
    bp: Any = 0,
    overwrite_data: Any = False,
) -> Any:
    """An orthogonal projection."""
    return scipy_detrend(y_bar, axis, type, bp)


@structural("scipy.signal.hilbert", holomorphic=False, linear=("x",))
def hilbert_(y_bar: Any, y: Any, x: Any, N: Any = None, axis: Any = -1) -> Any:
    """The imaginary part is an antisymmetric transform of x."""
    return fit_axes(np.real(y_bar) - np.imag(scipy_hilbert(np.imag(y_bar), None, axis)), x, (axis,))
