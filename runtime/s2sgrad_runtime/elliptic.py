"""Slopes of elliptic integrals and functions; SciPy is imported at the first call."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime._declare import entrywise, shape_only
from s2sgrad_runtime.scipy_helpers import (
    scipy_ellipe,
    scipy_ellipeinc,
    scipy_ellipk,
    scipy_ellipkinc,
    scipy_ellipkm1,
    scipy_elliprd,
    scipy_elliprf,
    scipy_hyp2f1,
)
from s2sgrad_runtime.shapes import unbroadcast

__all__ = [
    "agm_slope",
    "ellipe_bend",
    "ellipe_slope",
    "ellipeinc_slope",
    "ellipj_bar_argument",
    "ellipj_bar_parameter",
    "ellipj_dot_argument",
    "ellipj_dot_parameter",
    "ellipk_bend",
    "ellipk_slope",
    "ellipkinc_slope",
    "ellipkm1_slope",
    "elliprc_slope",
    "elliprd_slope",
    "elliprg_slope",
    "elliprj_slope",
    "sine_integrals",
    "small_to",
]


def small_to(m: Any, edge: float = 1e-4) -> tuple[Any, Any]:
    """Where m is nearly 0, and m with a harmless value there."""
    near = np.abs(m) < edge
    return near, np.where(near, 0.5, m)


# Of the series of K' and E' at 0, whose last terms are below the rounding errors up to here:
EDGE = 0.01


@entrywise
def ellipk_slope(m: Any) -> Any:
    """The derivative of the complete elliptic integral of the first kind."""
    near, m_away = small_to(m, EDGE)
    rest = 19845 / 65536 + m * (160083 / 524288 + m * (1288287 / 4194304 + m * 0.30852246))
    series = 1 / 4 + m * (9 / 32 + m * (75 / 256 + m * (1225 / 4096 + m * rest)))
    exact = scipy_ellipe(m_away) / (1.0 - m_away) - scipy_ellipk(m_away)
    return np.where(near, np.pi / 2 * series, exact / (2.0 * m_away))


@entrywise
def ellipk_bend(slope: Any, m: Any) -> Any:
    """The derivative of `slope = ellipk_slope(m)`, by the differential equation of K."""
    near, m_away = small_to(m, EDGE)
    rest = 19845 / 16384 + m * (800415 / 524288 + m * (3864861 / 2097152 + m * 2.1596572))
    series = 9 / 32 + m * (75 / 128 + m * (3675 / 4096 + m * rest))
    exact = 0.25 * scipy_ellipk(m_away) - (1.0 - 2.0 * m_away) * slope
    return np.where(near, np.pi / 2 * series, exact / (m_away * (1.0 - m_away)))


@entrywise
def ellipkm1_slope(p: Any) -> Any:
    """The derivative of ellipkm1: -ellipk_slope(1 - p), exact for small p too."""
    small = p < 0.5
    q = np.where(small, p, 0.5)
    exact = (scipy_ellipe(1.0 - q) / q - scipy_ellipkm1(q)) / (2.0 * (1.0 - q))
    return -np.where(small, exact, ellipk_slope(np.where(small, 0.5, 1.0 - p)))


@entrywise
def ellipe_slope(m: Any) -> Any:
    """The derivative of the complete elliptic integral of the second kind."""
    near, m_away = small_to(m, EDGE)
    rest = 2205 / 65536 + m * (14553 / 524288 + m * (99099 / 4194304 + m * 0.020568169))
    series = 1 / 4 + m * (3 / 32 + m * (15 / 256 + m * (175 / 4096 + m * rest)))
    exact = (scipy_ellipe(m_away) - scipy_ellipk(m_away)) / (2.0 * m_away)
    return np.where(near, -np.pi / 2 * series, exact)


@entrywise
def ellipe_bend(slope: Any, m: Any) -> Any:
    """The derivative of `slope = ellipe_slope(m)`, by the differential equation of E."""
    near, m_away = small_to(m, EDGE)
    rest = 2205 / 16384 + m * (72765 / 524288 + m * (297297 / 2097152 + m * 0.14397718))
    series = 3 / 32 + m * (15 / 128 + m * (525 / 4096 + m * rest))
    exact = 0.25 * scipy_ellipe(m_away) + (1.0 - m_away) * slope
    return np.where(near, -np.pi / 2 * series, -exact / (m_away * (1.0 - m_away)))


@entrywise
def ellipkinc_slope(phi: Any, m: Any) -> Any:
    """The derivative of the incomplete integral of the first kind by m."""
    near, m_away = small_to(m)
    sine, cosine = np.sin(phi), np.cos(phi)
    root = np.sqrt(1.0 - m_away * sine * sine)
    first, second = scipy_ellipkinc(phi, m_away), scipy_ellipeinc(phi, m_away)
    exact = (second / (1.0 - m_away) - first) / (2.0 * m_away)
    exact = exact - sine * cosine / (2.0 * (1.0 - m_away) * root)
    squares, fourths = sine_integrals(phi)
    return np.where(near, 0.5 * squares + 0.75 * m * fourths, exact)


@entrywise
def ellipeinc_slope(phi: Any, m: Any) -> Any:
    """The derivative of the incomplete integral of the second kind by m."""
    near, m_away = small_to(m)
    exact = (scipy_ellipeinc(phi, m_away) - scipy_ellipkinc(phi, m_away)) / (2.0 * m_away)
    squares, fourths = sine_integrals(phi)
    return np.where(near, -0.5 * squares - 0.25 * m * fourths, exact)


def sine_integrals(phi: Any) -> tuple[Any, Any]:
    """The integrals of sin^2 and sin^4 from 0 to phi."""
    squares = 0.5 * phi - 0.25 * np.sin(2.0 * phi)
    return squares, 0.375 * phi - 0.25 * np.sin(2.0 * phi) + np.sin(4.0 * phi) / 32.0


@entrywise
def elliprg_slope(x: Any, y: Any, z: Any) -> Any:
    """The derivative of elliprg(x, y, z) by x."""
    return 0.25 * (scipy_elliprf(x, y, z) - x / 3.0 * scipy_elliprd(y, z, x))


@entrywise
def agm_slope(y: Any, a: Any, b: Any) -> Any:
    """The derivative of y = agm(a, b) by b."""
    return -y * y * 4.0 * b / (np.pi * a**3) * ellipkm1_slope((b / a) ** 2)


@shape_only(2)
def ellipj_bar_argument(y_bar: Any, y: Any, u: Any, m: Any) -> Any:
    """Cotangent of u in (sn, cn, dn, phi) = ellipj(u, m)."""
    sn, cn, dn, _ = y
    total = y_bar[0] * cn * dn - y_bar[1] * sn * dn - y_bar[2] * m * sn * cn + y_bar[3] * dn
    return unbroadcast(total, u)


def ellipj_bar_parameter(y_bar: Any, y: Any, u: Any, m: Any) -> Any:
    """Cotangent of m in (sn, cn, dn, phi) = ellipj(u, m)."""
    slopes = ellipj_dot_parameter(1.0, y, m)
    return unbroadcast(sum(b * s for b, s in zip(y_bar, slopes, strict=True)), m)


def ellipj_dot_argument(u_dot: Any, y: Any, m: Any) -> Any:
    """Tangent of (sn, cn, dn, phi) = ellipj(u, m) along u_dot."""
    sn, cn, dn, _ = y
    return cn * dn * u_dot, -sn * dn * u_dot, -m * sn * cn * u_dot, dn * u_dot


def ellipj_dot_parameter(m_dot: Any, y: Any, m: Any) -> Any:
    """Tangent along m_dot: u = F(phi, m) stays, so phi moves by -F_m / F_phi."""
    sn, cn, dn, phi = y
    phi_dot = -dn * ellipkinc_slope(phi, m) * m_dot
    dn_dot = -(0.5 * sn * sn * m_dot + m * sn * cn * phi_dot) / dn
    return cn * phi_dot, -sn * phi_dot, dn_dot, phi_dot


@entrywise
def elliprd_slope(value: Any, other: Any, x: Any, y: Any, z: Any) -> Any:
    """The derivative of value = elliprd(x, y, z) by x; other: elliprd(y, z, x)."""
    middle = 0.5 * (x + z)
    near = np.abs(x - z) < 4e-5 * np.abs(middle)
    exact = 0.5 * (other - value) / np.where(near, 1.0, x - z)
    m = np.where(near, middle, 1.0)
    limit = scipy_hyp2f1(0.5, 2.5, 3.5, 1.0 - np.where(near, y, 1.0) / m) / (m * m * np.sqrt(m))
    return np.where(near, -0.3 * limit, exact)


@entrywise
def elliprj_slope(value: Any, x: Any, y: Any, z: Any, p: Any) -> Any:
    """The derivative of value = elliprj(x, y, z, p) by x: the integral with a factor more, by
    partial fractions; where x and p are one number, a third of that of elliprd(y, z, x)."""
    near = np.abs(p - x) < 1e-7 * np.abs(x)
    other, of_y, of_z = scipy_elliprd(y, z, x), scipy_elliprd(z, x, y), scipy_elliprd(x, y, z)
    exact = 0.5 * (value - other) / np.where(near, 1.0, p - x)
    by_y, by_z = elliprd_slope(other, of_y, y, z, x), elliprd_slope(other, of_z, z, y, x)
    first = (-1.5 * other - y * by_y - z * by_z) / np.where(near, x, 1.0)
    # The next term of the series in p - x, which second derivatives need.
    turn_y = 0.5 * (elliprd_slope(of_y, other, x, z, y) - first) + by_y
    turn_z = 0.5 * (elliprd_slope(of_z, other, x, y, z) - first) + by_z
    gap_y, gap_z = np.where(y == x, 1.0, y - x), np.where(z == x, 1.0, z - x)
    second = -(2.5 * first + y * turn_y / gap_y + z * turn_z / gap_z) / np.where(near, x, 1.0)
    limit = first / 3.0 + (p - x) * second * (2.0 / 15.0)
    return np.where(near, limit, exact)


@entrywise
def elliprc_slope(value: Any, x: Any, y: Any) -> Any:
    """The derivative of value = elliprc(x, y) by x: 2 (y - x) times it is the value less x**-0.5;
    where x and y are close, the integral that it is (DLMF 19.16.9, 19.18.4)."""
    near = np.abs(x - y) < 1e-3 * np.abs(y)
    gap = np.where(near, 1.0, y - x)
    m = np.where(near, y, 1.0)
    limit = scipy_hyp2f1(1.5, 1.5, 2.5, 1.0 - np.where(near, x, 1.0) / m) / (m * np.sqrt(m))
    return np.where(near, limit / -6.0, 0.5 * (value - 1.0 / np.sqrt(x)) / gap)
