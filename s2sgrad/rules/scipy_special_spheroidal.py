"""Floor 2: rules of scipy.special's Mathieu and spheroidal functions, besselpoly and elliprj.

Functions that give their slope as a second result: what that moves by says their differential
equation. Orders and the parameters of the equation carry no derivative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import elementwise, structural, tangent
from s2sgrad_runtime import (
    elliprj_slope,
    obl_ang_bend,
    obl_rad_bend,
    outputs,
    pro_bend,
    scipy_besselpoly,
    scipy_mathieu_a,
    scipy_mathieu_b,
    scipy_obl_cv,
    scipy_pro_cv,
    unbroadcast,
)


@elementwise("scipy.special.besselpoly")
def besselpoly_(y_bar: Any, y: Any, a: Any, lmb: Any, nu: Any) -> Any:
    """The slope of the Bessel function under the integral, times 2 x; none in lmb, nu."""
    below = scipy_besselpoly(a, lmb + 1.0, nu - 1.0)
    above = scipy_besselpoly(a, lmb + 1.0, nu + 1.0)
    return y_bar * (below - above), None, None


@elementwise("scipy.special.elliprj")
def elliprj_(y_bar: Any, y: Any, x: Any, y0: Any, z: Any, p: Any) -> Any:
    """By x, y and z with partial fractions, by p as it is homogeneous of degree -3/2."""
    by_x = elliprj_slope(y, x, y0, z, p)
    by_y = elliprj_slope(y, y0, z, x, p)
    by_z = elliprj_slope(y, z, x, y0, p)
    rest = -1.5 * y - x * by_x - y0 * by_y - z * by_z
    return y_bar * by_x, y_bar * by_y, y_bar * by_z, y_bar * (rest / p)


@structural("scipy.special.mathieu_cem", tuple_output=True)
def mathieu_cem_(y_bar: Any, y: Any, m: Any, q: Any, x: Any) -> Any:
    """Mathieu's equation in degrees; the slope is one in radians; none in m, q."""
    bend = 0.017453292519943295 * (
        2.0 * q * np.cos(0.03490658503988659 * x) - scipy_mathieu_a(m, q)
    )
    return (
        None,
        None,
        unbroadcast(y_bar[0] * (0.017453292519943295 * y[1]) + y_bar[1] * (bend * y[0]), x),
    )


@tangent("scipy.special.mathieu_cem")
def mathieu_cem_tangent(y: Any, m: Any, q: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    bend = 0.017453292519943295 * (
        2.0 * q * np.cos(0.03490658503988659 * x) - scipy_mathieu_a(m, q)
    )
    return None, None, outputs(x_dot * (0.017453292519943295 * y[1]), x_dot * (bend * y[0]))


@structural("scipy.special.mathieu_sem", tuple_output=True)
def mathieu_sem_(y_bar: Any, y: Any, m: Any, q: Any, x: Any) -> Any:
    """The same with the other value; none in m, q."""
    bend = 0.017453292519943295 * (
        2.0 * q * np.cos(0.03490658503988659 * x) - scipy_mathieu_b(m, q)
    )
    return (
        None,
        None,
        unbroadcast(y_bar[0] * (0.017453292519943295 * y[1]) + y_bar[1] * (bend * y[0]), x),
    )


@tangent("scipy.special.mathieu_sem")
def mathieu_sem_tangent(y: Any, m: Any, q: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    bend = 0.017453292519943295 * (
        2.0 * q * np.cos(0.03490658503988659 * x) - scipy_mathieu_b(m, q)
    )
    return None, None, outputs(x_dot * (0.017453292519943295 * y[1]), x_dot * (bend * y[0]))


@structural("scipy.special.mathieu_modcem1", "scipy.special.mathieu_modcem2", tuple_output=True)
def mathieu_modcem1_(y_bar: Any, y: Any, m: Any, q: Any, x: Any) -> Any:
    """The modified equation; none in m, q."""
    bend = scipy_mathieu_a(m, q) - 2.0 * q * np.cosh(2.0 * x)
    return None, None, unbroadcast(y_bar[0] * y[1] + y_bar[1] * (bend * y[0]), x)


@tangent("scipy.special.mathieu_modcem1", "scipy.special.mathieu_modcem2")
def mathieu_modcem1_tangent(y: Any, m: Any, q: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    bend = scipy_mathieu_a(m, q) - 2.0 * q * np.cosh(2.0 * x)
    return None, None, outputs(x_dot * y[1], x_dot * (bend * y[0]))


@structural("scipy.special.mathieu_modsem1", "scipy.special.mathieu_modsem2", tuple_output=True)
def mathieu_modsem1_(y_bar: Any, y: Any, m: Any, q: Any, x: Any) -> Any:
    """The same with the other value; none in m, q."""
    bend = scipy_mathieu_b(m, q) - 2.0 * q * np.cosh(2.0 * x)
    return None, None, unbroadcast(y_bar[0] * y[1] + y_bar[1] * (bend * y[0]), x)


@tangent("scipy.special.mathieu_modsem1", "scipy.special.mathieu_modsem2")
def mathieu_modsem1_tangent(y: Any, m: Any, q: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    bend = scipy_mathieu_b(m, q) - 2.0 * q * np.cosh(2.0 * x)
    return None, None, outputs(x_dot * y[1], x_dot * (bend * y[0]))


@structural(
    "scipy.special.pro_ang1", "scipy.special.pro_rad1", "scipy.special.pro_rad2", tuple_output=True
)
def pro_ang1_(y_bar: Any, y: Any, m: Any, n: Any, c: Any, x: Any) -> Any:
    """None in m, n, c."""
    bend = pro_bend(y[0], y[1], m, c, scipy_pro_cv(m, n, c), x)
    return None, None, None, unbroadcast(y_bar[0] * y[1] + y_bar[1] * bend, x)


@tangent("scipy.special.pro_ang1", "scipy.special.pro_rad1", "scipy.special.pro_rad2")
def pro_ang1_tangent(y: Any, m: Any, n: Any, c: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    bend = pro_bend(y[0], y[1], m, c, scipy_pro_cv(m, n, c), x)
    return None, None, None, outputs(x_dot * y[1], x_dot * bend)


@structural("scipy.special.obl_ang1", tuple_output=True)
def obl_ang1_(y_bar: Any, y: Any, m: Any, n: Any, c: Any, x: Any) -> Any:
    """None in m, n, c."""
    bend = obl_ang_bend(y[0], y[1], m, c, scipy_obl_cv(m, n, c), x)
    return None, None, None, unbroadcast(y_bar[0] * y[1] + y_bar[1] * bend, x)


@tangent("scipy.special.obl_ang1")
def obl_ang1_tangent(y: Any, m: Any, n: Any, c: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    bend = obl_ang_bend(y[0], y[1], m, c, scipy_obl_cv(m, n, c), x)
    return None, None, None, outputs(x_dot * y[1], x_dot * bend)


@structural("scipy.special.obl_rad1", "scipy.special.obl_rad2", tuple_output=True)
def obl_rad1_(y_bar: Any, y: Any, m: Any, n: Any, c: Any, x: Any) -> Any:
    """None in m, n, c."""
    bend = obl_rad_bend(y[0], y[1], m, c, scipy_obl_cv(m, n, c), x)
    return None, None, None, unbroadcast(y_bar[0] * y[1] + y_bar[1] * bend, x)


@tangent("scipy.special.obl_rad1", "scipy.special.obl_rad2")
def obl_rad1_tangent(y: Any, m: Any, n: Any, c: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    bend = obl_rad_bend(y[0], y[1], m, c, scipy_obl_cv(m, n, c), x)
    return None, None, None, outputs(x_dot * y[1], x_dot * bend)


@structural(
    "scipy.special.pro_ang1_cv",
    "scipy.special.pro_rad1_cv",
    "scipy.special.pro_rad2_cv",
    tuple_output=True,
)
def pro_ang1_cv_(y_bar: Any, y: Any, m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
    """None in m, n, c, cv."""
    bend = pro_bend(y[0], y[1], m, c, cv, x)
    return None, None, None, None, unbroadcast(y_bar[0] * y[1] + y_bar[1] * bend, x)


@tangent("scipy.special.pro_ang1_cv", "scipy.special.pro_rad1_cv", "scipy.special.pro_rad2_cv")
def pro_ang1_cv_tangent(y: Any, m: Any, n: Any, c: Any, cv: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    bend = pro_bend(y[0], y[1], m, c, cv, x)
    return None, None, None, None, outputs(x_dot * y[1], x_dot * bend)


@structural("scipy.special.obl_ang1_cv", tuple_output=True)
def obl_ang1_cv_(y_bar: Any, y: Any, m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
    """None in m, n, c, cv."""
    bend = obl_ang_bend(y[0], y[1], m, c, cv, x)
    return None, None, None, None, unbroadcast(y_bar[0] * y[1] + y_bar[1] * bend, x)


@tangent("scipy.special.obl_ang1_cv")
def obl_ang1_cv_tangent(y: Any, m: Any, n: Any, c: Any, cv: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    bend = obl_ang_bend(y[0], y[1], m, c, cv, x)
    return None, None, None, None, outputs(x_dot * y[1], x_dot * bend)


@structural("scipy.special.obl_rad1_cv", "scipy.special.obl_rad2_cv", tuple_output=True)
def obl_rad1_cv_(y_bar: Any, y: Any, m: Any, n: Any, c: Any, cv: Any, x: Any) -> Any:
    """None in m, n, c, cv."""
    bend = obl_rad_bend(y[0], y[1], m, c, cv, x)
    return None, None, None, None, unbroadcast(y_bar[0] * y[1] + y_bar[1] * bend, x)


@tangent("scipy.special.obl_rad1_cv", "scipy.special.obl_rad2_cv")
def obl_rad1_cv_tangent(y: Any, m: Any, n: Any, c: Any, cv: Any, x: Any, *, x_dot: Any) -> Any:
    """The same derivative, forward."""
    bend = obl_rad_bend(y[0], y[1], m, c, cv, x)
    return None, None, None, None, outputs(x_dot * y[1], x_dot * bend)
