"""Activation functions as kernels: plain NumPy, each with its derivative beside it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sgrad.eager.amp import lowered
from s2sgrad.eager.nn.kernel import Only, kernel
from s2sgrad.eager.operations.primitives import sigmoid_array
from s2sgrad.eager.recording.kernel_node import ByHand

_SQRT_HALF = math.sqrt(0.5)
_DENSITY = 1.0 / math.sqrt(2.0 * math.pi)
_TANH_SCALE = math.sqrt(2.0 / math.pi)
_CUBIC = 0.044715


def logistic(x: Any) -> Any:
    """`1 / (1 + exp(-x))`; arrays or tensors."""
    return sigmoid_array(x) if x.__class__ is np.ndarray else 0.5 * np.tanh(0.5 * x) + 0.5


def _erf(x: Any) -> Any:
    """The error function of an array, from SciPy where it is installed."""
    try:
        from scipy.special import erf
    except ImportError:
        return np.vectorize(math.erf, otypes=[float])(x).astype(x.dtype)
    return erf(x)


def _normal_cdf(x: Any) -> Any:
    return 0.5 * _erf(x * _SQRT_HALF) + 0.5


@kernel(_normal_cdf, "NormalCdf", "elementwise")
def normal_cdf(y_bar, y, x):  # type: ignore[no-untyped-def]
    """d/dx is the normal density."""
    return y_bar * (np.exp(-0.5 * x * x) * _DENSITY)


def _gelu_exact(x: Any) -> Any:
    """x times the normal distribution function."""
    return x * _normal_cdf(x)


@kernel(_gelu_exact, "Gelu", "elementwise", only=Only("GeluKernelImpl"))
def gelu_exact(y_bar, y, x):  # type: ignore[no-untyped-def]
    """d/dx = cdf + x * density."""
    return y_bar * (normal_cdf(x) + x * (np.exp(-0.5 * x * x) * _DENSITY))


def _gelu_by_hand(x: Any) -> Any:
    """Kept: the normal distribution function."""
    share = _erf(x * _SQRT_HALF)
    share *= 0.5
    share += 0.5
    return x * share, share


def _gelu_bar(y_bar: Any, y: Any, kept: Any, own: bool, x: Any) -> Any:
    u = x * x
    u *= -0.5
    np.exp(u, out=u)
    u *= x
    u *= _DENSITY
    u += kept
    u *= y_bar
    return u


gelu_exact.by_hand = ByHand(_gelu_by_hand, _gelu_bar)


def _gelu_tanh(x: Any) -> Any:
    """0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))."""
    return 0.5 * x * (1.0 + np.tanh(_TANH_SCALE * (x + _CUBIC * x * x * x)))


@kernel(_gelu_tanh, "Gelu", "elementwise", only=Only("GeluKernelImpl"))
def gelu_tanh(y_bar, y, x):  # type: ignore[no-untyped-def]
    """The product and the chain rule."""
    t = np.tanh(_TANH_SCALE * (x + _CUBIC * x * x * x))
    slope = _TANH_SCALE * (1.0 + 3.0 * _CUBIC * x * x)
    return y_bar * (0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * slope)


def _gelu_tanh_by_hand(x: Any) -> Any:
    """Kept: the hyperbolic tangent."""
    t = x * x
    t *= _CUBIC
    t += 1.0
    t *= x
    t *= _TANH_SCALE
    np.tanh(t, out=t)
    y = t + 1.0
    y *= x
    y *= 0.5
    return y, t


def _gelu_tanh_bar(y_bar: Any, y: Any, kept: Any, own: bool, x: Any) -> Any:
    slope = x * x
    slope *= 1.5 * _CUBIC * _TANH_SCALE
    slope += 0.5 * _TANH_SCALE
    slope *= x
    u = kept * kept
    np.subtract(1.0, u, out=u)
    slope *= u
    np.multiply(kept, 0.5, out=u)
    u += 0.5
    u += slope
    u *= y_bar
    return u


gelu_tanh.by_hand = ByHand(_gelu_tanh_by_hand, _gelu_tanh_bar)


def _silu(x: Any) -> Any:
    """x / (1 + exp(-x))."""
    return x * logistic(x)


@kernel(_silu, "Silu", "elementwise", only=Only("silu_cpu", "fVc"))
def silu(y_bar, y, x):  # type: ignore[no-untyped-def]
    """s (1 + x (1 - s)) with s the logistic function."""
    s = logistic(x)
    return y_bar * (s * (1.0 + x * (1.0 - s)))


def _silu_by_hand(x: Any) -> Any:
    """Kept: the logistic function."""
    s = logistic(x)
    return x * s, s


def _silu_bar(y_bar: Any, y: Any, kept: Any, own: bool, x: Any) -> Any:
    u = 1.0 - kept
    u *= x
    u += 1.0
    u *= kept
    u *= y_bar
    return u


silu.by_hand = ByHand(_silu_by_hand, _silu_bar)


def _softplus(x: Any, beta: float = 1.0, threshold: float = 20.0) -> Any:
    """log(1 + exp(beta x)) / beta, and x itself where beta x is above the threshold."""
    return np.where(x * beta > threshold, x, np.logaddexp(x * beta, x.dtype.type(0)) / beta)


@kernel(_softplus, "Softplus", "elementwise", only=Only("softplus_cpu"))
def softplus(y_bar, y, x, beta=1.0, threshold=20.0):  # type: ignore[no-untyped-def]
    """The logistic function of beta x; 1 above the threshold."""
    return np.where(x * beta > threshold, y_bar, y_bar * logistic(x * beta))


def _softplus_by_hand(x: Any, beta: float = 1.0, threshold: float = 20.0) -> Any:
    """Kept: the exponential, and where the function is linear."""
    z = x * beta
    linear = z > threshold
    np.minimum(z, threshold, out=z)
    np.exp(z, out=z)
    y = np.log1p(z)
    if beta != 1.0:
        y /= beta
    np.copyto(y, x, where=linear)
    return y, (z, linear)


def _softplus_bar(
    y_bar: Any, y: Any, kept: Any, own: bool, x: Any, beta: float = 1.0, threshold: float = 20.0
) -> Any:
    power, linear = kept
    u = power + 1.0
    np.divide(power, u, out=u)
    u *= y_bar
    np.copyto(u, y_bar, where=linear)
    return u


softplus.by_hand = ByHand(_softplus_by_hand, _softplus_bar)


def _elu(x: Any, alpha: float = 1.0, scale: float = 1.0, input_scale: float = 1.0) -> Any:
    """scale * x for x > 0, else scale * alpha * (exp(input_scale x) - 1)."""
    negative = np.expm1(np.minimum(x, 0) * input_scale) * (alpha * scale)
    return np.where(x > 0, x * scale, negative)


@kernel(_elu, "Elu", "elementwise", only=Only("elu_cpu"))
def elu(y_bar, y, x, alpha=1.0, scale=1.0, input_scale=1.0):  # type: ignore[no-untyped-def]
    """scale, or scale alpha input_scale exp(input_scale x) for x <= 0."""
    slope = np.exp(np.where(x > 0, 0 * x, x) * input_scale) * (alpha * scale * input_scale)
    return np.where(x <= 0, y_bar * slope, y_bar * scale)


def _celu(x: Any, alpha: float = 1.0) -> Any:
    return _elu(x, alpha, 1.0, 1.0 / alpha)


@kernel(_celu, "Celu", "elementwise", only=Only("elu_cpu"))
def celu(y_bar, y, x, alpha=1.0):  # type: ignore[no-untyped-def]
    """1, or exp(x / alpha) for x <= 0."""
    return np.where(x <= 0, y_bar * np.exp(np.where(x > 0, 0 * x, x) / alpha), y_bar)


def _leaky_relu(x: Any, negative_slope: float = 0.01) -> Any:
    return np.where(x > 0, x, x * negative_slope)


@kernel(_leaky_relu, "LeakyRelu", "elementwise", only=Only("leaky_relu_cpu"))
def leaky_relu(y_bar, y, x, negative_slope=0.01):  # type: ignore[no-untyped-def]
    """1 for x > 0, else the slope."""
    return np.where(x > 0, y_bar, y_bar * negative_slope)


def _prelu(x: Any, weight: Any) -> Any:
    return np.where(x > 0, x, x * weight)


@kernel(_prelu, "PreluKernel", "elementwise", cast=lowered)
def prelu(y_bar, y, x, weight):  # type: ignore[no-untyped-def]
    """1 for x > 0, else the weight; the weight sees the negative x."""
    return np.where(x > 0, y_bar, y_bar * weight), np.where(x > 0, 0.0, y_bar * x)


def _hardtanh(x: Any, low: float = -1.0, high: float = 1.0) -> Any:
    return np.minimum(np.maximum(x, low), high)


@kernel(_hardtanh, "Hardtanh", "elementwise")
def hardtanh(y_bar, y, x, low=-1.0, high=1.0):  # type: ignore[no-untyped-def]
    """1 strictly between the bounds, 0 elsewhere."""
    return np.where((x > low) & (x < high), y_bar, 0.0)


def _hardsigmoid(x: Any) -> Any:
    return np.minimum(np.maximum(x + 3.0, 0.0), 6.0) / 6.0


@kernel(_hardsigmoid, "Hardsigmoid", "elementwise", only=Only("hardsigmoid_cpu"))
def hardsigmoid(y_bar, y, x):  # type: ignore[no-untyped-def]
    """1/6 strictly between -3 and 3."""
    return np.where((x > -3.0) & (x < 3.0), y_bar / 6.0, 0.0)


def _hardswish(x: Any) -> Any:
    return x * _hardsigmoid(x)


@kernel(_hardswish, "Hardswish", "elementwise", only=Only("hardswish_cpu"))
def hardswish(y_bar, y, x):  # type: ignore[no-untyped-def]
    """0 up to -3, x/3 + 1/2 up to 3, then 1."""
    middle = np.where(x < 3.0, y_bar * (x / 3.0 + 0.5), y_bar)
    return np.where(x <= -3.0, 0.0, middle)


def _mish(x: Any) -> Any:
    return x * np.tanh(_softplus(x))


@kernel(_mish, "Mish", "elementwise", only=Only("mish_cpu"))
def mish(y_bar, y, x):  # type: ignore[no-untyped-def]
    """x tanh(softplus x): the product rule, with softplus' = logistic."""
    t = np.tanh(softplus(x))
    return y_bar * (t + x * (1.0 - t * t) * logistic(x))


def _logsigmoid(x: Any) -> Any:
    return -np.logaddexp(-x, x.dtype.type(0))


@kernel(_logsigmoid, "LogSigmoid", "elementwise", only=Only("log_sigmoid_cpu"))
def logsigmoid(y_bar, y, x):  # type: ignore[no-untyped-def]
    """The logistic function of -x."""
    return y_bar * logistic(-x)


def _softshrink(x: Any, lambd: float = 0.5) -> Any:
    return np.where(x > lambd, x - lambd, np.where(x < -lambd, x + lambd, 0 * x))


@kernel(_softshrink, "Softshrink", "elementwise", only=Only("softshrink_cpu"))
def softshrink(y_bar, y, x, lambd=0.5):  # type: ignore[no-untyped-def]
    """1 outside [-lambd, lambd], else 0."""
    return np.where((x >= -lambd) & (x <= lambd), 0.0, y_bar)


def _hardshrink(x: Any, lambd: float = 0.5) -> Any:
    return np.where((x > lambd) | (x < -lambd), x, 0 * x)


@kernel(_hardshrink, "Hardshrink", "elementwise", only=Only("hardshrink_cpu"))
def hardshrink(y_bar, y, x, lambd=0.5):  # type: ignore[no-untyped-def]
    """1 outside [-lambd, lambd], else 0."""
    return np.where((x >= -lambd) & (x <= lambd), 0.0, y_bar)


def _threshold(x: Any, threshold: float, value: float) -> Any:
    return np.where(x > threshold, x, x.dtype.type(value))


@kernel(_threshold, "Threshold", "elementwise", only=Only("threshold_cpu", "fViu"))
def threshold(y_bar, y, x, threshold=0.0, value=0.0):  # type: ignore[no-untyped-def]
    """1 above the threshold, else 0."""
    return np.where(x > threshold, y_bar, 0.0)


def _glu(x: Any, axis: int = -1) -> Any:
    first, second = np.split(x, 2, axis=axis)
    return first * logistic(second)


@kernel(_glu, "Glu")
def glu(y_bar, y, x, axis=-1):  # type: ignore[no-untyped-def]
    """s for the first half, y (1 - s) for the second, s its logistic function."""
    halves = np.split(x, 2, axis=axis)
    s = logistic(halves[1])
    return np.concatenate((y_bar * s, y_bar * halves[0] * s * (1.0 - s)), axis=axis)


def _xlogy(x1: Any, x2: Any) -> Any:
    safe = np.where(x1 == 0, x2.dtype.type(1), x2)
    return x1 * np.log(safe)


@kernel(_xlogy, "Xlogy", "elementwise")
def xlogy(y_bar, y, x1, x2):  # type: ignore[no-untyped-def]
    """log(x2) and x1 / x2; 0 log(0) counts as 0."""
    off = (x1 == 0) & (x2 <= 0)
    return y_bar * np.log(np.where(off, 0 * x2 + 1, x2)), y_bar * x1 / x2
