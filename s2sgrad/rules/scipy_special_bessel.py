"""Floor 2: rules of scipy.special's Bessel functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import elementwise, tangent
from s2sgrad_runtime import (
    bessel_ratio,
    bessel_ratio_slope,
    scaled_bessel_pullback,
    scaled_bessel_pushforward,
    scaled_bessel_ratio,
    scipy_h1vp,
    scipy_h2vp,
    scipy_hankel1,
    scipy_hankel1e,
    scipy_hankel2,
    scipy_hankel2e,
    scipy_i0,
    scipy_i0e,
    scipy_i1,
    scipy_i1e,
    scipy_iv,
    scipy_ive,
    scipy_ivp,
    scipy_j0,
    scipy_j1,
    scipy_jv,
    scipy_jve,
    scipy_jvp,
    scipy_k0,
    scipy_k0e,
    scipy_k1,
    scipy_k1e,
    scipy_kn,
    scipy_kv,
    scipy_kve,
    scipy_kvp,
    scipy_y0,
    scipy_y1,
    scipy_yn,
    scipy_yv,
    scipy_yve,
    scipy_yvp,
)


@elementwise("scipy.special.j0")
def j0_(y_bar: Any, y: Any, z: Any) -> Any:
    """-J1."""
    return y_bar * (-scipy_j1(z))


@elementwise("scipy.special.j1")
def j1_(y_bar: Any, y: Any, z: Any) -> Any:
    """J0 - J1 / z."""
    return y_bar * (scipy_j0(z) - bessel_ratio(y, z, -1.0))


@elementwise(bessel_ratio, flat=("known",))
def bessel_ratio_(y_bar: Any, y: Any, known: Any, x: Any, sign: Any) -> Any:
    """By x alone, of which the first argument is a function."""
    return None, y_bar * bessel_ratio_slope(y, x, sign), None


@elementwise("scipy.special.y0")
def y0_(y_bar: Any, y: Any, z: Any) -> Any:
    """-Y1."""
    return y_bar * (-scipy_y1(z))


@elementwise("scipy.special.y1")
def y1_(y_bar: Any, y: Any, z: Any) -> Any:
    """Y0 - Y1 / z."""
    return y_bar * (scipy_y0(z) - y / z)


@elementwise("scipy.special.i0")
def i0_(y_bar: Any, y: Any, x: Any) -> Any:
    """I1."""
    return y_bar * scipy_i1(x)


@elementwise("scipy.special.i1")
def i1_(y_bar: Any, y: Any, x: Any) -> Any:
    """I0 - I1 / x."""
    return y_bar * (scipy_i0(x) - bessel_ratio(y, x, 1.0))


@elementwise("scipy.special.i0e")
def i0e_(y_bar: Any, y: Any, x: Any) -> Any:
    """y = exp(-|x|) I0(x)."""
    return y_bar * (scipy_i1e(x) - np.sign(x) * y)


@elementwise("scipy.special.i1e")
def i1e_(y_bar: Any, y: Any, x: Any) -> Any:
    """y = exp(-|x|) I1(x)."""
    return y_bar * (scipy_i0e(x) - scaled_bessel_ratio(y, x) - np.sign(x) * y)


@elementwise("scipy.special.k0")
def k0_(y_bar: Any, y: Any, x: Any) -> Any:
    """-K1."""
    return y_bar * (-scipy_k1(x))


@elementwise("scipy.special.k1")
def k1_(y_bar: Any, y: Any, x: Any) -> Any:
    """-K0 - K1 / x."""
    return y_bar * (-scipy_k0(x) - y / x)


@elementwise("scipy.special.k0e")
def k0e_(y_bar: Any, y: Any, x: Any) -> Any:
    """y = exp(x) K0(x)."""
    return y_bar * (y - scipy_k1e(x))


@elementwise("scipy.special.k1e")
def k1e_(y_bar: Any, y: Any, x: Any) -> Any:
    """y = exp(x) K1(x)."""
    return y_bar * (y - scipy_k0e(x) - y / x)


@elementwise("scipy.special.jv")
def jv_(y_bar: Any, y: Any, v: Any, z: Any) -> Any:
    """Half the difference of the neighbouring orders; none in v."""
    return None, y_bar * (0.5 * (scipy_jv(v - 1.0, z) - scipy_jv(v + 1.0, z)))


@elementwise("scipy.special.yv")
def yv_(y_bar: Any, y: Any, v: Any, z: Any) -> Any:
    """Of the order below and its own (DLMF 10.6.2); none in v."""
    return None, y_bar * (scipy_yv(v - 1.0, z) - v / z * y)


@elementwise("scipy.special.hankel1")
def hankel1_(y_bar: Any, y: Any, v: Any, z: Any) -> Any:
    """Of the order below and its own (DLMF 10.6.2); none in v."""
    return None, y_bar * (scipy_hankel1(v - 1.0, z) - v / z * y)


@elementwise("scipy.special.hankel2")
def hankel2_(y_bar: Any, y: Any, v: Any, z: Any) -> Any:
    """Of the order below and its own (DLMF 10.6.2); none in v."""
    return None, y_bar * (scipy_hankel2(v - 1.0, z) - v / z * y)


@elementwise("scipy.special.yn")
def yn_(y_bar: Any, y: Any, n: Any, x: Any) -> Any:
    """Of the order below and its own (DLMF 10.6.2); none in n, whose fraction SciPy drops."""
    return None, y_bar * (scipy_yn(np.trunc(n) - 1.0, x) - np.trunc(n) / x * y)


@elementwise("scipy.special.iv")
def iv_(y_bar: Any, y: Any, v: Any, z: Any) -> Any:
    """Half the sum of the neighbouring orders; none in v."""
    return None, y_bar * (0.5 * (scipy_iv(v - 1.0, z) + scipy_iv(v + 1.0, z)))


@elementwise("scipy.special.kv")
def kv_(y_bar: Any, y: Any, v: Any, z: Any) -> Any:
    """Of the order below and its own (DLMF 10.29.2); none in v."""
    return None, y_bar * (-scipy_kv(v - 1.0, z) - v / z * y)


@elementwise("scipy.special.kn")
def kn_(y_bar: Any, y: Any, n: Any, x: Any) -> Any:
    """Of the order below and its own (DLMF 10.29.2); none in n, whose fraction SciPy drops."""
    return None, y_bar * (-scipy_kn(np.trunc(n) - 1.0, x) - np.trunc(n) / x * y)


@elementwise("scipy.special.kve")
def kve_(y_bar: Any, y: Any, v: Any, z: Any) -> Any:
    """y = exp(z) K(z), as kv; none in v."""
    return None, y_bar * (y - v / z * y - scipy_kve(v - 1.0, z))


@elementwise("scipy.special.hankel1e")
def hankel1e_(y_bar: Any, y: Any, v: Any, z: Any) -> Any:
    """y = exp(-i z) H1(z), as hankel1; none in v."""
    return None, y_bar * (scipy_hankel1e(v - 1.0, z) - v / z * y - 1j * y)


@elementwise("scipy.special.hankel2e")
def hankel2e_(y_bar: Any, y: Any, v: Any, z: Any) -> Any:
    """y = exp(i z) H2(z), as hankel2; none in v."""
    return None, y_bar * (scipy_hankel2e(v - 1.0, z) - v / z * y + 1j * y)


@elementwise("scipy.special.jve", holomorphic=False)
def jve_(y_bar: Any, y: Any, v: Any, z: Any) -> Any:
    """Scaled by exp(-|imag z|), which is not holomorphic; none in v."""
    return None, scaled_bessel_pullback(
        y_bar, y, z, 0.5 * (scipy_jve(v - 1.0, z) - scipy_jve(v + 1.0, z)), False
    )


@tangent("scipy.special.jve")
def jve_tangent(y: Any, v: Any, z: Any, *, v_dot: Any, z_dot: Any) -> Any:
    """The same derivative, forward."""
    return None, scaled_bessel_pushforward(
        z_dot, y, z, 0.5 * (scipy_jve(v - 1.0, z) - scipy_jve(v + 1.0, z)), False
    )


@elementwise("scipy.special.yve", holomorphic=False)
def yve_(y_bar: Any, y: Any, v: Any, z: Any) -> Any:
    """Scaled by exp(-|imag z|), which is not holomorphic; none in v."""
    return None, scaled_bessel_pullback(y_bar, y, z, scipy_yve(v - 1.0, z) - v / z * y, False)


@tangent("scipy.special.yve")
def yve_tangent(y: Any, v: Any, z: Any, *, v_dot: Any, z_dot: Any) -> Any:
    """The same derivative, forward."""
    return None, scaled_bessel_pushforward(z_dot, y, z, scipy_yve(v - 1.0, z) - v / z * y, False)


@elementwise("scipy.special.ive", holomorphic=False)
def ive_(y_bar: Any, y: Any, v: Any, z: Any) -> Any:
    """Scaled by exp(-|real z|), which is not holomorphic; none in v."""
    return None, scaled_bessel_pullback(
        y_bar, y, z, 0.5 * (scipy_ive(v - 1.0, z) + scipy_ive(v + 1.0, z)), True
    )


@tangent("scipy.special.ive")
def ive_tangent(y: Any, v: Any, z: Any, *, v_dot: Any, z_dot: Any) -> Any:
    """The same derivative, forward."""
    return None, scaled_bessel_pushforward(
        z_dot, y, z, 0.5 * (scipy_ive(v - 1.0, z) + scipy_ive(v + 1.0, z)), True
    )


@elementwise("scipy.special.jvp")
def jvp_(y_bar: Any, y: Any, v: Any, z: Any, n: Any = 1) -> Any:
    """One more derivative; none in v."""
    return None, y_bar * scipy_jvp(v, z, n + 1)


@elementwise("scipy.special.yvp")
def yvp_(y_bar: Any, y: Any, v: Any, z: Any, n: Any = 1) -> Any:
    """One more derivative; none in v."""
    return None, y_bar * scipy_yvp(v, z, n + 1)


@elementwise("scipy.special.kvp")
def kvp_(y_bar: Any, y: Any, v: Any, z: Any, n: Any = 1) -> Any:
    """One more derivative; none in v."""
    return None, y_bar * scipy_kvp(v, z, n + 1)


@elementwise("scipy.special.ivp")
def ivp_(y_bar: Any, y: Any, v: Any, z: Any, n: Any = 1) -> Any:
    """One more derivative; none in v."""
    return None, y_bar * scipy_ivp(v, z, n + 1)


@elementwise("scipy.special.h1vp")
def h1vp_(y_bar: Any, y: Any, v: Any, z: Any, n: Any = 1) -> Any:
    """One more derivative; none in v."""
    return None, y_bar * scipy_h1vp(v, z, n + 1)


@elementwise("scipy.special.h2vp")
def h2vp_(y_bar: Any, y: Any, v: Any, z: Any, n: Any = 1) -> Any:
    """One more derivative; none in v."""
    return None, y_bar * scipy_h2vp(v, z, n + 1)
