"""Floor 2: rules of scipy.special's hypergeometric and elliptic functions, polynomials."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import elementwise
from s2sgrad_runtime import (
    agm_slope,
    chebyu_below,
    ellipe_bend,
    ellipe_slope,
    ellipeinc_slope,
    ellipk_bend,
    ellipk_slope,
    ellipkinc_slope,
    ellipkm1_slope,
    elliprc_slope,
    elliprd_slope,
    elliprg_slope,
    gegenbauer_below,
    legendre_end,
    scipy_elliprd,
    scipy_eval_genlaguerre,
    scipy_eval_hermite,
    scipy_eval_hermitenorm,
    scipy_eval_jacobi,
    scipy_eval_sh_jacobi,
    scipy_hyp0f1,
    scipy_hyp1f1,
    scipy_hyp2f1,
    scipy_hyperu,
    scipy_lpmv,
)


@elementwise("scipy.special.hyp0f1")
def hyp0f1_(y_bar: Any, y: Any, b: Any, z: Any) -> Any:
    """The next contiguous function; none in b."""
    return None, y_bar * (scipy_hyp0f1(b + 1.0, z) / b)


@elementwise("scipy.special.hyp1f1")
def hyp1f1_(y_bar: Any, y: Any, a: Any, b: Any, z: Any) -> Any:
    """The next contiguous function; none in a, b."""
    return None, None, y_bar * (a / b * scipy_hyp1f1(a + 1.0, b + 1.0, z))


@elementwise("scipy.special.hyp2f1")
def hyp2f1_(y_bar: Any, y: Any, a: Any, b: Any, c: Any, z: Any) -> Any:
    """The next contiguous function; none in a, b, c."""
    return None, None, None, y_bar * (a * b / c * scipy_hyp2f1(a + 1.0, b + 1.0, c + 1.0, z))


@elementwise("scipy.special.hyperu")
def hyperu_(y_bar: Any, y: Any, a: Any, b: Any, x: Any) -> Any:
    """The next contiguous function; none in a, b."""
    return None, None, y_bar * (-a * scipy_hyperu(a + 1.0, b + 1.0, x))


@elementwise("scipy.special.eval_legendre")
def eval_legendre_(y_bar: Any, y: Any, n: Any, x: Any) -> Any:
    """A polynomial of the degree below; none in n."""
    return None, y_bar * (0.5 * (n + 1.0) * scipy_eval_jacobi(n - 1, 1.0, 1.0, x))


@elementwise("scipy.special.eval_sh_legendre")
def eval_sh_legendre_(y_bar: Any, y: Any, n: Any, x: Any) -> Any:
    """A polynomial of the degree below; none in n."""
    return None, y_bar * ((n + 1.0) * scipy_eval_jacobi(n - 1, 1.0, 1.0, 2.0 * x - 1.0))


@elementwise("scipy.special.eval_chebyt")
def eval_chebyt_(y_bar: Any, y: Any, n: Any, x: Any) -> Any:
    """A polynomial of the degree below; none in n."""
    return None, y_bar * (n * chebyu_below(n, x))


@elementwise("scipy.special.eval_sh_chebyt")
def eval_sh_chebyt_(y_bar: Any, y: Any, n: Any, x: Any) -> Any:
    """A polynomial of the degree below; none in n."""
    return None, y_bar * (2.0 * n * chebyu_below(n, 2.0 * x - 1.0))


@elementwise("scipy.special.eval_chebyc")
def eval_chebyc_(y_bar: Any, y: Any, n: Any, x: Any) -> Any:
    """A polynomial of the degree below; none in n."""
    return None, y_bar * (n * chebyu_below(n, 0.5 * x))


@elementwise("scipy.special.eval_chebyu")
def eval_chebyu_(y_bar: Any, y: Any, n: Any, x: Any) -> Any:
    """A polynomial of the degree below; none in n."""
    return None, y_bar * (2.0 * gegenbauer_below(n, 2.0, x))


@elementwise("scipy.special.eval_sh_chebyu")
def eval_sh_chebyu_(y_bar: Any, y: Any, n: Any, x: Any) -> Any:
    """A polynomial of the degree below; none in n."""
    return None, y_bar * (4.0 * gegenbauer_below(n, 2.0, 2.0 * x - 1.0))


@elementwise("scipy.special.eval_chebys")
def eval_chebys_(y_bar: Any, y: Any, n: Any, x: Any) -> Any:
    """A polynomial of the degree below; none in n."""
    return None, y_bar * gegenbauer_below(n, 2.0, 0.5 * x)


@elementwise("scipy.special.eval_gegenbauer")
def eval_gegenbauer_(y_bar: Any, y: Any, n: Any, alpha: Any, x: Any) -> Any:
    """A polynomial of the degree below; none in n, alpha."""
    return None, None, y_bar * (2.0 * alpha * gegenbauer_below(n, alpha + 1.0, x))


@elementwise("scipy.special.eval_jacobi")
def eval_jacobi_(y_bar: Any, y: Any, n: Any, alpha: Any, beta: Any, x: Any) -> Any:
    """A polynomial of the degree below; none in n, alpha, beta."""
    return (
        None,
        None,
        None,
        y_bar
        * (0.5 * (n + alpha + beta + 1.0) * scipy_eval_jacobi(n - 1, alpha + 1.0, beta + 1.0, x)),
    )


@elementwise("scipy.special.eval_sh_jacobi")
def eval_sh_jacobi_(y_bar: Any, y: Any, n: Any, p: Any, q: Any, x: Any) -> Any:
    """A polynomial of the degree below; none in n, p, q."""
    return (
        None,
        None,
        None,
        y_bar * (n * scipy_eval_sh_jacobi(np.maximum(n - 1, 0), p + 2.0, q + 1.0, x)),
    )


@elementwise("scipy.special.eval_hermite")
def eval_hermite_(y_bar: Any, y: Any, n: Any, x: Any) -> Any:
    """A polynomial of the degree below; none in n."""
    return None, y_bar * (2.0 * n * scipy_eval_hermite(np.maximum(n - 1, 0), x))


@elementwise("scipy.special.eval_hermitenorm")
def eval_hermitenorm_(y_bar: Any, y: Any, n: Any, x: Any) -> Any:
    """A polynomial of the degree below; none in n."""
    return None, y_bar * (n * scipy_eval_hermitenorm(np.maximum(n - 1, 0), x))


@elementwise("scipy.special.eval_laguerre")
def eval_laguerre_(y_bar: Any, y: Any, n: Any, x: Any) -> Any:
    """A polynomial of the degree below; none in n."""
    return None, y_bar * (-scipy_eval_genlaguerre(n - 1, 1.0, x))


@elementwise("scipy.special.eval_genlaguerre")
def eval_genlaguerre_(y_bar: Any, y: Any, n: Any, alpha: Any, x: Any) -> Any:
    """A polynomial of the degree below; none in n, alpha."""
    return None, None, y_bar * (-scipy_eval_genlaguerre(n - 1, alpha + 1.0, x))


@elementwise("scipy.special.lpmv")
def lpmv_(y_bar: Any, y: Any, m: Any, v: Any, x: Any) -> Any:
    """A recurrence in the degree; at the ends the limit; none in m, v."""
    end = np.abs(x) == 1.0
    inside = (v * x * y - (v + m) * scipy_lpmv(m, v - 1.0, x)) / np.where(end, 1.0, x * x - 1.0)
    return None, None, y_bar * np.where(end, legendre_end(m, v, x), inside)


@elementwise(legendre_end)
def legendre_end_(y_bar: Any, y: Any, m: Any, v: Any, x: Any, order: Any = 1) -> Any:
    """The derivative of the next order."""
    return None, None, y_bar * legendre_end(m, v, x, order + 1)


@elementwise("scipy.special.ellipk")
def ellipk_(y_bar: Any, y: Any, m: Any) -> Any:
    """(E - (1 - m) K) / (2 m (1 - m)), pi / 8 at 0."""
    return y_bar * ellipk_slope(m)


@elementwise(ellipk_slope)
def ellipk_slope_(y_bar: Any, y: Any, m: Any) -> Any:
    """By the differential equation of ellipk."""
    return y_bar * ellipk_bend(y, m)


@elementwise(ellipe_slope)
def ellipe_slope_(y_bar: Any, y: Any, m: Any) -> Any:
    """By the differential equation of ellipe."""
    return y_bar * ellipe_bend(y, m)


@elementwise("scipy.special.ellipkm1")
def ellipkm1_(y_bar: Any, y: Any, p: Any) -> Any:
    """ellipk(1 - p)."""
    return y_bar * ellipkm1_slope(p)


@elementwise(ellipkm1_slope)
def ellipkm1_slope_(y_bar: Any, y: Any, p: Any) -> Any:
    """As ellipk_slope."""
    return y_bar * ellipk_bend(-y, 1.0 - p)


@elementwise("scipy.special.ellipe")
def ellipe_(y_bar: Any, y: Any, m: Any) -> Any:
    """(E - K) / (2 m), -pi / 8 at 0."""
    return y_bar * ellipe_slope(m)


@elementwise("scipy.special.ellipkinc")
def ellipkinc_(y_bar: Any, y: Any, phi: Any, m: Any) -> Any:
    """The integrand in phi; by m both incomplete integrals."""
    return y_bar * (1.0 / np.sqrt(1.0 - m * np.sin(phi) ** 2)), y_bar * ellipkinc_slope(phi, m)


@elementwise("scipy.special.ellipeinc")
def ellipeinc_(y_bar: Any, y: Any, phi: Any, m: Any) -> Any:
    """The integrand in phi; by m both incomplete integrals."""
    return y_bar * (np.sqrt(1.0 - m * np.sin(phi) ** 2)), y_bar * ellipeinc_slope(phi, m)


@elementwise("scipy.special.elliprf")
def elliprf_(y_bar: Any, y: Any, x: Any, y0: Any, z: Any) -> Any:
    """-1/6 of Carlson's integral of the second kind (DLMF 19.18.1), in the order of elliprd's."""
    return (
        y_bar * (scipy_elliprd(y0, z, x) / -6.0),
        y_bar * (scipy_elliprd(z, x, y0) / -6.0),
        y_bar * (scipy_elliprd(x, y0, z) / -6.0),
    )


@elementwise("scipy.special.elliprc")
def elliprc_(y_bar: Any, y: Any, x: Any, y0: Any) -> Any:
    """2 (y - x) times the slope by x is the value less 1 / sqrt(x); homogeneous of degree -1/2."""
    slope = elliprc_slope(y, x, y0)
    return y_bar * slope, y_bar * (-(0.5 * y + x * slope) / y0)


@elementwise("scipy.special.elliprg")
def elliprg_(y_bar: Any, y: Any, x: Any, y0: Any, z: Any) -> Any:
    """Carlson's integrals of the first and second kind."""
    return (
        y_bar * elliprg_slope(x, y0, z),
        y_bar * elliprg_slope(y0, z, x),
        y_bar * elliprg_slope(z, x, y0),
    )


@elementwise("scipy.special.elliprd")
def elliprd_(y_bar: Any, y: Any, x: Any, y0: Any, z: Any) -> Any:
    """By x and y with Carlson's differential equation (DLMF 19.18.8), by z as it is homogeneous
    (19.18.11). The three integrals of an argument each are called in one cyclic order: those that
    a gradient has are those that its tangent needs."""
    by_x = elliprd_slope(y, scipy_elliprd(y0, z, x), x, y0, z)
    by_y = elliprd_slope(y, scipy_elliprd(z, x, y0), y0, x, z)
    return (
        y_bar * by_x,
        y_bar * by_y,
        y_bar * ((-1.5 * y - x * by_x - y0 * by_y) / z),
    )


@elementwise("scipy.special.agm")
def agm_(y_bar: Any, y: Any, a: Any, b: Any) -> Any:
    """pi a / (2 K(1 - b^2 / a^2))."""
    slope = agm_slope(y, a, b)
    return y_bar * ((y - slope * b) / a), y_bar * slope
