"""Floor 2: rules of scipy.special's functions with several outputs, and logsumexp."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    airy_root,
    ellipj_bar_argument,
    ellipj_bar_parameter,
    ellipj_dot_argument,
    ellipj_dot_parameter,
    logsumexp_bar_weights,
    logsumexp_dot_weights,
    logsumexp_pullback,
    logsumexp_pushforward,
    masked,
    outputs,
    scipy_airy,
    scipy_i0,
    scipy_j0,
    scipy_k0,
    scipy_y0,
    sinc_of,
    sinhc,
    unbroadcast,
)


@structural("scipy.special.logsumexp", optional=("b",), reduces=True)
def logsumexp_(
    y_bar: Any,
    y: Any,
    a: Any,
    axis: Any = None,
    b: Any = None,
    keepdims: Any = False,
    return_sign: Any = False,
) -> Any:
    """Weights b exp(a - y)."""
    return logsumexp_pullback(y_bar, y, a, axis, b, keepdims, return_sign), logsumexp_bar_weights(
        y_bar, y, a, axis, b, keepdims, return_sign
    )


@tangent("scipy.special.logsumexp")
def logsumexp_tangent(
    y: Any,
    a: Any,
    axis: Any = None,
    b: Any = None,
    keepdims: Any = False,
    return_sign: Any = False,
    *,
    a_dot: Any,
    b_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return logsumexp_pushforward(
        a_dot, y, a, axis, b, keepdims, return_sign
    ), logsumexp_dot_weights(b_dot, y, a, axis, b, keepdims, return_sign)


@structural("scipy.special.softmax")
def softmax_(y_bar: Any, y: Any, x: Any, axis: Any = None) -> Any:
    """y_dot = y (x_dot - sum of y x_dot)."""
    return y * (y_bar - np.sum(y * y_bar, axis=axis, keepdims=True))


@tangent("scipy.special.softmax")
def softmax_tangent(y: Any, x: Any, axis: Any = None, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return y * (x_dot - np.sum(y * x_dot, axis=axis, keepdims=True))


@structural("scipy.special.log_softmax")
def log_softmax_(y_bar: Any, y: Any, x: Any, axis: Any = None) -> Any:
    """y_dot = x_dot - sum of softmax times x_dot."""
    return y_bar - np.exp(y) * np.sum(y_bar, axis=axis, keepdims=True)


@tangent("scipy.special.log_softmax")
def log_softmax_tangent(y: Any, x: Any, axis: Any = None, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return x_dot - np.sum(np.exp(y) * x_dot, axis=axis, keepdims=True)


@structural("scipy.special.fresnel", tuple_output=True)
def fresnel_(y_bar: Any, y: Any, z: Any) -> Any:
    """sin and cos of pi z^2 / 2."""
    return unbroadcast(
        y_bar[0] * (np.sin(0.5 * np.pi * z * z)) + y_bar[1] * (np.cos(0.5 * np.pi * z * z)), z
    )


@tangent("scipy.special.fresnel")
def fresnel_tangent(y: Any, z: Any, *, z_dot: Any) -> Any:
    """The same derivative, forward."""
    return outputs(z_dot * (np.sin(0.5 * np.pi * z * z)), z_dot * (np.cos(0.5 * np.pi * z * z)))


@structural("scipy.special.shichi", tuple_output=True)
def shichi_(y_bar: Any, y: Any, x: Any) -> Any:
    """sinh(x) / x and cosh(x) / x."""
    return unbroadcast(y_bar[0] * sinhc(x) + masked(y_bar[1] * (np.cosh(x) / x), y_bar[1]), x)


@tangent("scipy.special.shichi")
def shichi_tangent(y: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return outputs(x_dot * (sinhc(x)), x_dot * (np.cosh(x) / x))


@structural("scipy.special.sici", tuple_output=True)
def sici_(y_bar: Any, y: Any, x: Any) -> Any:
    """sin(x) / x and cos(x) / x."""
    return unbroadcast(y_bar[0] * sinc_of(x) + masked(y_bar[1] * (np.cos(x) / x), y_bar[1]), x)


@tangent("scipy.special.sici")
def sici_tangent(y: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return outputs(x_dot * (sinc_of(x)), x_dot * (np.cos(x) / x))


@structural("scipy.special.modfresnelp", tuple_output=True)
def modfresnelp_(y_bar: Any, y: Any, x: Any) -> Any:
    """Tails of exp(i t^2)."""
    return unbroadcast(
        y_bar[0] * (-np.exp(1j * x * x))
        + y_bar[1] * (-2j * x * y[1] - 0.5641895835477563 * np.exp(-0.25j * np.pi)),
        x,
    )


@tangent("scipy.special.modfresnelp")
def modfresnelp_tangent(y: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return outputs(
        x_dot * (-np.exp(1j * x * x)),
        x_dot * (-2j * x * y[1] - 0.5641895835477563 * np.exp(-0.25j * np.pi)),
    )


@structural("scipy.special.modfresnelm", tuple_output=True)
def modfresnelm_(y_bar: Any, y: Any, x: Any) -> Any:
    """Tails of exp(-i t^2)."""
    return unbroadcast(
        y_bar[0] * (-np.exp(-1j * x * x))
        + y_bar[1] * (2j * x * y[1] - 0.5641895835477563 * np.exp(0.25j * np.pi)),
        x,
    )


@tangent("scipy.special.modfresnelm")
def modfresnelm_tangent(y: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return outputs(
        x_dot * (-np.exp(-1j * x * x)),
        x_dot * (2j * x * y[1] - 0.5641895835477563 * np.exp(0.25j * np.pi)),
    )


@structural("scipy.special.airy", tuple_output=True)
def airy_(y_bar: Any, y: Any, z: Any) -> Any:
    """Ai'' = z Ai, Bi'' = z Bi."""
    return unbroadcast(
        y_bar[0] * (y[1]) + y_bar[1] * (z * y[0]) + y_bar[2] * (y[3]) + y_bar[3] * (z * y[2]), z
    )


@tangent("scipy.special.airy")
def airy_tangent(y: Any, z: Any, *, z_dot: Any) -> Any:
    """The same derivative, forward."""
    return outputs(z_dot * (y[1]), z_dot * (z * y[0]), z_dot * (y[3]), z_dot * (z * y[2]))


@structural("scipy.special.airye", tuple_output=True)
def airye_(y_bar: Any, y: Any, z: Any) -> Any:
    """As airy, times exp(2/3 z^1.5) for Ai and its inverse for Bi; real z."""
    root = airy_root(z)
    return unbroadcast(
        y_bar[0] * (y[1] + root * y[0])
        + y_bar[1] * (z * y[0] + root * y[1])
        + y_bar[2] * (y[3] - root * y[2])
        + y_bar[3] * (z * y[2] - root * y[3]),
        z,
    )


@tangent("scipy.special.airye")
def airye_tangent(y: Any, z: Any, *, z_dot: Any) -> Any:
    """The same derivative, forward."""
    root = airy_root(z)
    return outputs(
        z_dot * (y[1] + root * y[0]),
        z_dot * (z * y[0] + root * y[1]),
        z_dot * (y[3] - root * y[2]),
        z_dot * (z * y[2] - root * y[3]),
    )


@structural("scipy.special.itj0y0", tuple_output=True)
def itj0y0_(y_bar: Any, y: Any, x: Any) -> Any:
    """Integrals of J0 and Y0."""
    return unbroadcast(y_bar[0] * (scipy_j0(x)) + y_bar[1] * (scipy_y0(x)), x)


@tangent("scipy.special.itj0y0")
def itj0y0_tangent(y: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return outputs(x_dot * (scipy_j0(x)), x_dot * (scipy_y0(x)))


@structural("scipy.special.it2j0y0", tuple_output=True)
def it2j0y0_(y_bar: Any, y: Any, x: Any) -> Any:
    """Integrals of (1 - J0) / t from 0 and Y0 / t to infinity."""
    return unbroadcast(y_bar[0] * ((1.0 - scipy_j0(x)) / x) + y_bar[1] * (-scipy_y0(x) / x), x)


@tangent("scipy.special.it2j0y0")
def it2j0y0_tangent(y: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return outputs(x_dot * ((1.0 - scipy_j0(x)) / x), x_dot * (-scipy_y0(x) / x))


@structural("scipy.special.iti0k0", tuple_output=True)
def iti0k0_(y_bar: Any, y: Any, x: Any) -> Any:
    """Integrals of I0 and K0."""
    return unbroadcast(y_bar[0] * (scipy_i0(x)) + y_bar[1] * (scipy_k0(x)), x)


@tangent("scipy.special.iti0k0")
def iti0k0_tangent(y: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return outputs(x_dot * (scipy_i0(x)), x_dot * (scipy_k0(x)))


@structural("scipy.special.it2i0k0", tuple_output=True)
def it2i0k0_(y_bar: Any, y: Any, x: Any) -> Any:
    """Integrals of (I0 - 1) / t from 0 and K0 / t to infinity."""
    return unbroadcast(y_bar[0] * ((scipy_i0(x) - 1.0) / x) + y_bar[1] * (-scipy_k0(x) / x), x)


@tangent("scipy.special.it2i0k0")
def it2i0k0_tangent(y: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return outputs(x_dot * ((scipy_i0(x) - 1.0) / x), x_dot * (-scipy_k0(x) / x))


@structural("scipy.special.itairy", tuple_output=True)
def itairy_(y_bar: Any, y: Any, x: Any) -> Any:
    """Integrals of the Airy functions to x and to -x."""
    return unbroadcast(
        y_bar[0] * (scipy_airy(x)[0])
        + y_bar[1] * (scipy_airy(x)[2])
        + y_bar[2] * (scipy_airy(-x)[0])
        + y_bar[3] * (scipy_airy(-x)[2]),
        x,
    )


@tangent("scipy.special.itairy")
def itairy_tangent(y: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return outputs(
        x_dot * (scipy_airy(x)[0]),
        x_dot * (scipy_airy(x)[2]),
        x_dot * (scipy_airy(-x)[0]),
        x_dot * (scipy_airy(-x)[2]),
    )


@structural("scipy.special.pbdv", tuple_output=True)
def pbdv_(y_bar: Any, y: Any, v: Any, x: Any) -> Any:
    """D'' = (x^2 / 4 - v - 1/2) D; none in v."""
    return None, unbroadcast(y_bar[0] * (y[1]) + y_bar[1] * ((0.25 * x * x - v - 0.5) * y[0]), x)


@tangent("scipy.special.pbdv")
def pbdv_tangent(y: Any, v: Any, x: Any, *, v_dot: Any, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return None, outputs(x_dot * (y[1]), x_dot * ((0.25 * x * x - v - 0.5) * y[0]))


@structural("scipy.special.pbvv", tuple_output=True)
def pbvv_(y_bar: Any, y: Any, v: Any, x: Any) -> Any:
    """V'' = (x^2 / 4 - v - 1/2) V with the order SciPy uses; none in v."""
    return None, unbroadcast(y_bar[0] * (y[1]) + y_bar[1] * ((0.25 * x * x - v - 0.5) * y[0]), x)


@tangent("scipy.special.pbvv")
def pbvv_tangent(y: Any, v: Any, x: Any, *, v_dot: Any, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return None, outputs(x_dot * (y[1]), x_dot * ((0.25 * x * x - v - 0.5) * y[0]))


@structural("scipy.special.pbwa", tuple_output=True)
def pbwa_(y_bar: Any, y: Any, a: Any, x: Any) -> Any:
    """W'' = (a - x^2 / 4) W; none in a."""
    return None, unbroadcast(y_bar[0] * (y[1]) + y_bar[1] * ((a - 0.25 * x * x) * y[0]), x)


@tangent("scipy.special.pbwa")
def pbwa_tangent(y: Any, a: Any, x: Any, *, a_dot: Any, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return None, outputs(x_dot * (y[1]), x_dot * ((a - 0.25 * x * x) * y[0]))


@structural("scipy.special.kelvin", tuple_output=True)
def kelvin_(y_bar: Any, y: Any, x: Any) -> Any:
    """The Kelvin functions are real and imaginary parts of J0, K0 at e^(3 pi i / 4) x."""
    return unbroadcast(
        y_bar[0] * (y[2])
        + y_bar[1] * (y[3])
        + y_bar[2] * (1j * y[0] - y[2] / x)
        + y_bar[3] * (1j * y[1] - y[3] / x),
        x,
    )


@tangent("scipy.special.kelvin")
def kelvin_tangent(y: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    return outputs(
        x_dot * (y[2]),
        x_dot * (y[3]),
        x_dot * (1j * y[0] - y[2] / x),
        x_dot * (1j * y[1] - y[3] / x),
    )


@structural("scipy.special.ellipj", tuple_output=True)
def ellipj_(y_bar: Any, y: Any, u: Any, m: Any) -> Any:
    """sn, cn, dn and the amplitude; by m through the incomplete integral of the first kind."""
    return ellipj_bar_argument(y_bar, y, u, m), ellipj_bar_parameter(y_bar, y, u, m)


@tangent("scipy.special.ellipj")
def ellipj_tangent(y: Any, u: Any, m: Any, *, u_dot: Any, m_dot: Any) -> Any:
    """The same derivative, forward."""
    return ellipj_dot_argument(u_dot, y, m), ellipj_dot_parameter(m_dot, y, m)
