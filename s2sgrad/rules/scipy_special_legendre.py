"""Floor 2: rules of scipy.special's Legendre functions, which return a stack of derivatives.

The first axis of the result counts orders: it has `diff_n` + 1 of them, one without `diff_n`. Each
slope is the stack that begins an order later, and so is that of the slope.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    assoc_legendre_orders,
    legendre_orders,
    sph_legendre_orders,
    unbroadcast,
)


@structural("scipy.special.legendre_p")
def legendre_p_(y_bar: Any, y: Any, n: Any, z: Any, diff_n: Any = 0) -> Any:
    """The next orders; none in n."""
    return None, unbroadcast(np.sum(y_bar * legendre_orders(n, z, 1, diff_n + 1), axis=0), z)


@tangent("scipy.special.legendre_p")
def legendre_p_tangent(y: Any, n: Any, z: Any, diff_n: Any = 0, *, z_dot: Any) -> Any:
    """The same derivative, forward."""
    return None, legendre_orders(n, z, 1, diff_n + 1) * z_dot


@structural(legendre_orders)
def legendre_orders_(y_bar: Any, y: Any, n: Any, z: Any, start: Any, count: Any) -> Any:
    """The next orders; none in n."""
    above = legendre_orders(n, z, start + 1, count)
    return None, unbroadcast(np.sum(y_bar * above, axis=0), z), None, None


@tangent(legendre_orders)
def legendre_orders_tangent(y: Any, n: Any, z: Any, start: Any, count: Any, *, z_dot: Any) -> Any:
    """The same derivative, forward."""
    return None, legendre_orders(n, z, start + 1, count) * z_dot, None, None


@structural("scipy.special.assoc_legendre_p")
def assoc_legendre_p_(
    y_bar: Any,
    y: Any,
    n: Any,
    m: Any,
    z: Any,
    branch_cut: Any = 2,
    norm: Any = False,
    diff_n: Any = 0,
) -> Any:
    """The next orders; none in n, m."""
    above = assoc_legendre_orders(n, m, z, branch_cut, norm, 1, diff_n + 1)
    return None, None, unbroadcast(np.sum(y_bar * above, axis=0), z)


@tangent("scipy.special.assoc_legendre_p")
def assoc_legendre_p_tangent(
    y: Any,
    n: Any,
    m: Any,
    z: Any,
    branch_cut: Any = 2,
    norm: Any = False,
    diff_n: Any = 0,
    *,
    z_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return None, None, assoc_legendre_orders(n, m, z, branch_cut, norm, 1, diff_n + 1) * z_dot


@structural(assoc_legendre_orders)
def assoc_legendre_orders_(
    y_bar: Any,
    y: Any,
    n: Any,
    m: Any,
    z: Any,
    branch_cut: Any,
    norm: Any,
    start: Any,
    count: Any,
) -> Any:
    """The next orders; none in n, m."""
    above = assoc_legendre_orders(n, m, z, branch_cut, norm, start + 1, count)
    z_bar = unbroadcast(np.sum(y_bar * above, axis=0), z)
    return None, None, z_bar, None, None, None, None


@tangent(assoc_legendre_orders)
def assoc_legendre_orders_tangent(
    y: Any,
    n: Any,
    m: Any,
    z: Any,
    branch_cut: Any,
    norm: Any,
    start: Any,
    count: Any,
    *,
    z_dot: Any,
) -> Any:
    """The same derivative, forward."""
    moved = assoc_legendre_orders(n, m, z, branch_cut, norm, start + 1, count) * z_dot
    return None, None, moved, None, None, None, None


@structural("scipy.special.sph_legendre_p")
def sph_legendre_p_(y_bar: Any, y: Any, n: Any, m: Any, theta: Any, diff_n: Any = 0) -> Any:
    """The next orders; none in n, m."""
    above = sph_legendre_orders(n, m, theta, 1, diff_n + 1)
    return None, None, unbroadcast(np.sum(y_bar * above, axis=0), theta)


@tangent("scipy.special.sph_legendre_p")
def sph_legendre_p_tangent(
    y: Any, n: Any, m: Any, theta: Any, diff_n: Any = 0, *, theta_dot: Any
) -> Any:
    """The same derivative, forward."""
    return None, None, sph_legendre_orders(n, m, theta, 1, diff_n + 1) * theta_dot


@structural(sph_legendre_orders)
def sph_legendre_orders_(
    y_bar: Any, y: Any, n: Any, m: Any, theta: Any, start: Any, count: Any
) -> Any:
    """The next orders; none in n, m."""
    above = sph_legendre_orders(n, m, theta, start + 1, count)
    return None, None, unbroadcast(np.sum(y_bar * above, axis=0), theta), None, None


@tangent(sph_legendre_orders)
def sph_legendre_orders_tangent(
    y: Any, n: Any, m: Any, theta: Any, start: Any, count: Any, *, theta_dot: Any
) -> Any:
    """The same derivative, forward."""
    moved = sph_legendre_orders(n, m, theta, start + 1, count) * theta_dot
    return None, None, moved, None, None
