"""Floor 2: rules of the helpers for quantiles, for derivatives of generated code.

`quantile_rank_dot`, `quantile_rank_bar` and `quantile_rise_bar` are one trilinear form, solved for
each of its three arrays. The order of a, and the slopes of the weights, are flat almost everywhere.
"""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import no_derivative, structural, tangent, zero_derivative
from s2sgrad_runtime import (
    nanquantile_bar,
    nanquantile_dot,
    quantile_bar,
    quantile_dot,
    quantile_rank_bar,
    quantile_rank_dot,
    quantile_rise_bar,
    quantile_weights,
    weighted_places,
)

no_derivative(weighted_places)
zero_derivative(quantile_weights)  # of quantile_dot and its kin, which have rules for q
FLAT = ("a", "axis", "method", "keepdims", "skip_nan")


@structural(quantile_bar, flat=FLAT)
def quantile_bar_(y_bar, y, z, a, q, axis, method, keepdims=False):
    """The transpose of quantile_dot, which moves with q."""
    found = quantile_dot(y_bar, a, q, axis, method, keepdims)
    q_bar = quantile_rank_bar(z, y_bar, a, q, axis, method, keepdims, False)
    return found, None, q_bar, None, None


@tangent(quantile_bar)
def quantile_bar_dot(
    y, z, a, q, axis, method, keepdims=False, *, z_dot, a_dot, q_dot, axis_dot, method_dot
):
    """Linear in z."""
    found = quantile_bar(z_dot, a, q, axis, method, keepdims)
    moved = quantile_rise_bar(z, q_dot, a, q, axis, method, keepdims, False)
    return found, None, moved, None, None


@structural(quantile_dot, flat=FLAT)
def quantile_dot_(y_bar, y, z, a, q, axis, method, keepdims=False):
    """The transpose of quantile_bar, which moves with q."""
    found = quantile_bar(y_bar, a, q, axis, method, keepdims)
    q_bar = quantile_rank_bar(y_bar, z, a, q, axis, method, keepdims, False)
    return found, None, q_bar, None, None


@tangent(quantile_dot)
def quantile_dot_dot(
    y, z, a, q, axis, method, keepdims=False, *, z_dot, a_dot, q_dot, axis_dot, method_dot
):
    """Linear in z."""
    found = quantile_dot(z_dot, a, q, axis, method, keepdims)
    moved = quantile_rank_dot(q_dot, z, a, q, axis, method, keepdims, False)
    return found, None, moved, None, None


@structural(nanquantile_bar, flat=FLAT)
def nanquantile_bar_(y_bar, y, z, a, q, axis, method, keepdims=False):
    """The transpose of nanquantile_dot, which moves with q."""
    found = nanquantile_dot(y_bar, a, q, axis, method, keepdims)
    q_bar = quantile_rank_bar(z, y_bar, a, q, axis, method, keepdims, True)
    return found, None, q_bar, None, None


@tangent(nanquantile_bar)
def nanquantile_bar_dot(
    y, z, a, q, axis, method, keepdims=False, *, z_dot, a_dot, q_dot, axis_dot, method_dot
):
    """Linear in z."""
    found = nanquantile_bar(z_dot, a, q, axis, method, keepdims)
    moved = quantile_rise_bar(z, q_dot, a, q, axis, method, keepdims, True)
    return found, None, moved, None, None


@structural(nanquantile_dot, flat=FLAT)
def nanquantile_dot_(y_bar, y, z, a, q, axis, method, keepdims=False):
    """The transpose of nanquantile_bar, which moves with q."""
    found = nanquantile_bar(y_bar, a, q, axis, method, keepdims)
    q_bar = quantile_rank_bar(y_bar, z, a, q, axis, method, keepdims, True)
    return found, None, q_bar, None, None


@tangent(nanquantile_dot)
def nanquantile_dot_dot(
    y, z, a, q, axis, method, keepdims=False, *, z_dot, a_dot, q_dot, axis_dot, method_dot
):
    """Linear in z."""
    found = nanquantile_dot(z_dot, a, q, axis, method, keepdims)
    moved = quantile_rank_dot(q_dot, z, a, q, axis, method, keepdims, True)
    return found, None, moved, None, None


@structural(quantile_rank_dot, flat=FLAT, linear=("rate", "z"))
def quantile_rank_dot_(y_bar, y, rate, z, a, q, axis, method, keepdims, skip_nan):
    """The form by rate and by z."""
    bar = quantile_rank_bar(y_bar, z, a, q, axis, method, keepdims, skip_nan)
    z_bar = quantile_rise_bar(y_bar, rate, a, q, axis, method, keepdims, skip_nan)
    return bar, z_bar, None, np.zeros_like(q), None, None, None, None


@structural(quantile_rank_bar, flat=FLAT, linear=("u", "z"))
def quantile_rank_bar_(y_bar, y, u, z, a, q, axis, method, keepdims, skip_nan):
    """The form by the cotangent and by z."""
    bar = quantile_rank_dot(y_bar, z, a, q, axis, method, keepdims, skip_nan)
    z_bar = quantile_rise_bar(u, y_bar, a, q, axis, method, keepdims, skip_nan)
    return bar, z_bar, None, np.zeros_like(q), None, None, None, None


@structural(quantile_rise_bar, flat=FLAT, linear=("u", "rate"))
def quantile_rise_bar_(y_bar, y, u, rate, a, q, axis, method, keepdims, skip_nan):
    """The form by the cotangent and by rate."""
    bar = quantile_rank_dot(rate, y_bar, a, q, axis, method, keepdims, skip_nan)
    dot_bar = quantile_rank_bar(u, y_bar, a, q, axis, method, keepdims, skip_nan)
    return bar, dot_bar, None, np.zeros_like(q), None, None, None, None


@tangent(quantile_rank_dot)
def quantile_rank_dot_dot(
    y, rate, z, a, q, axis, method, keepdims, skip_nan,
    *, rate_dot, z_dot, a_dot, q_dot, axis_dot, method_dot, keepdims_dot, skip_nan_dot,
):  # fmt: skip
    """Linear in each."""
    return (
        quantile_rank_dot(rate_dot, z, a, q, axis, method, keepdims, skip_nan),
        quantile_rank_dot(rate, z_dot, a, q, axis, method, keepdims, skip_nan),
        None, np.zeros_like(y), None, None, None, None,
    )  # fmt: skip


@tangent(quantile_rank_bar)
def quantile_rank_bar_dot(
    y, u, z, a, q, axis, method, keepdims, skip_nan,
    *, u_dot, z_dot, a_dot, q_dot, axis_dot, method_dot, keepdims_dot, skip_nan_dot,
):  # fmt: skip
    """Linear in each."""
    return (
        quantile_rank_bar(u_dot, z, a, q, axis, method, keepdims, skip_nan),
        quantile_rank_bar(u, z_dot, a, q, axis, method, keepdims, skip_nan),
        None, np.zeros_like(y), None, None, None, None,
    )  # fmt: skip


@tangent(quantile_rise_bar)
def quantile_rise_bar_dot(
    y, u, rate, a, q, axis, method, keepdims, skip_nan,
    *, u_dot, rate_dot, a_dot, q_dot, axis_dot, method_dot, keepdims_dot, skip_nan_dot,
):  # fmt: skip
    """Linear in each."""
    return (
        quantile_rise_bar(u_dot, rate, a, q, axis, method, keepdims, skip_nan),
        quantile_rise_bar(u, rate_dot, a, q, axis, method, keepdims, skip_nan),
        None, np.zeros_like(y), None, None, None, None,
    )  # fmt: skip
