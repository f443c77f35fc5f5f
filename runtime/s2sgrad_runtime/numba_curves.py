"""Numba's versions of polynomials and piecewise linear functions, and of their transposes.

Importing this module teaches Numba (`numba.extending.overload`); nothing here is meant to be
called.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from s2sgrad_runtime import calculus, matrices
from s2sgrad_runtime.numba_layouts import raveled
from s2sgrad_runtime.numba_orders import known_value
from s2sgrad_runtime.numba_sequences import is_absent


# --- polynomials ------------------------------------------------------------------------------
def _are_factors(p: Any, *places: Any) -> bool:
    whole = isinstance(p, types.Array) and p.ndim == 1
    return whole and all(getattr(k, "dtype", k) == types.float64 for k in (p, *places))


@overload(np.polyval, strict=False)
def polyval(p: Any, x: Any) -> Any:
    """Of one polynomial, for real numbers."""
    if not _are_factors(p, x):
        return None
    if not isinstance(x, types.Array):

        def value(p: Any, x: Any) -> Any:
            total = 0.0
            for factor in p:
                total = total * x + factor
            return total

        return value

    def values(p: Any, x: Any) -> Any:
        out, places = np.zeros(x.size), np.ascontiguousarray(x).reshape(-1)
        for factor in p:
            for k in range(x.size):
                out[k] = out[k] * places[k] + factor
        return out.reshape(x.shape)

    return values


@overload(np.polyder, strict=False, prefer_literal=True)
def polyder(p: Any, m: Any = 1) -> Any:
    """The first derivative."""
    if not _are_factors(p) or known_value(m, 1) != 1:
        return None

    def slopes(p: Any, m: Any = 1) -> Any:
        out = np.empty(max(len(p) - 1, 0))
        for k in range(len(out)):
            out[k] = p[k] * (len(p) - 1 - k)
        return out

    return slopes


@overload(matrices.polyval_coefficients, strict=False)
def polyval_coefficients(y_bar: Any, p: Any, x: Any) -> Any:
    """Of one polynomial, for real numbers."""
    if not _are_factors(p, x, y_bar) or getattr(x, "ndim", 0) != getattr(y_bar, "ndim", 0):
        return None
    if not isinstance(x, types.Array):

        def powers(y_bar: Any, p: Any, x: Any) -> Any:
            out, power = np.empty(len(p)), y_bar
            for k in range(len(p) - 1, -1, -1):
                out[k] = power
                power = power * x
            return out

        return powers

    def sums(y_bar: Any, p: Any, x: Any) -> Any:
        out, power = np.zeros(len(p)), y_bar.copy().reshape(-1)
        places = np.ascontiguousarray(x).reshape(-1)
        for k in range(len(p) - 1, -1, -1):
            for i in range(len(power)):
                out[k] += power[i]
                power[i] *= places[i]
        return out

    return sums


# --- interpolation -----------------------------------------------------------------------------
@register_jitable
def _interval(x: float, points: Any) -> int:
    """The number of the interval between points that holds x; the first or last one outside."""
    low, high = 0, len(points)
    while low < high:
        middle = (low + high) // 2
        if x < points[middle]:
            high = middle
        else:
            low = middle + 1
    return max(min(low - 1, len(points) - 2), 0)


@register_jitable
def _slope_at(x: float, xp: Any, fp: Any) -> float:
    i = _interval(x, xp)
    j = min(i + 1, len(xp) - 1)
    run = xp[j] - xp[i]
    inside = x >= xp[0] and x <= xp[-1] and run > 0
    return (fp[j] - fp[i]) / run if inside else 0.0


def _are_points(x: Any, *points: Any) -> bool:
    whole = all(isinstance(k, types.Array) and k.ndim == 1 for k in points)
    dtypes = [getattr(k, "dtype", k) for k in (x, *points)]
    return whole and all(d == types.float64 for d in dtypes)


@overload(calculus.interp_slope, strict=False)
def interp_slope(x: Any, xp: Any, fp: Any) -> Any:
    """For real numbers."""
    if not _are_points(x, xp, fp):
        return None
    if not isinstance(x, types.Array):
        return lambda x, xp, fp: _slope_at(x, xp, fp)

    def slopes(x: Any, xp: Any, fp: Any) -> Any:
        out, places = np.empty(x.size), np.ascontiguousarray(x).reshape(-1)
        for k in range(x.size):
            out[k] = _slope_at(places[k], xp, fp)
        return out.reshape(x.shape)

    return slopes


@overload(calculus.interp_slope_bar, strict=False)
def interp_slope_bar(y_bar: Any, x: Any, xp: Any) -> Any:
    """For real numbers."""
    if not _are_points(x, xp) or getattr(y_bar, "dtype", y_bar) != types.float64:
        return None
    if getattr(y_bar, "ndim", 0) != getattr(x, "ndim", 0):
        return None

    def shares(y_bar: Any, x: Any, xp: Any) -> Any:
        fp_bar = np.zeros(len(xp))
        for k in range(x.size):
            i = _interval(x[k], xp)
            j = min(i + 1, len(xp) - 1)
            run = xp[j] - xp[i]
            if x[k] >= xp[0] and x[k] <= xp[-1] and run > 0:
                fp_bar[i] -= y_bar[k] / run
                fp_bar[j] += y_bar[k] / run
        return fp_bar

    if isinstance(x, types.Array):
        run = register_jitable(shares)
        return lambda y_bar, x, xp: run(raveled(y_bar), raveled(x), xp)

    def share(y_bar: Any, x: Any, xp: Any) -> Any:
        bar, at = np.empty(1), np.empty(1)
        bar[0], at[0] = y_bar, x
        return calculus.interp_slope_bar(bar, at, xp)

    return share


@overload(np.interp, strict=False)
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    """With values of its own outside: without, Numba has it."""
    if not _are_points(x, xp, fp) or (is_absent(left) and is_absent(right)):
        return None
    cut_left, cut_right = not is_absent(left), not is_absent(right)
    if not isinstance(x, types.Array):

        def value(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
            if cut_left and x < xp[0]:
                return left * 1.0
            if cut_right and x > xp[-1]:
                return right * 1.0
            return np.interp(x, xp, fp)

        return value

    def values(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
        places = np.ascontiguousarray(x).reshape(-1)
        out = np.interp(places, xp, fp)
        for k in range(places.size):
            if cut_left and places[k] < xp[0]:
                out[k] = left
            if cut_right and places[k] > xp[-1]:
                out[k] = right
        return out.reshape(x.shape)

    return values


@overload(calculus.interp_points, strict=False)
def interp_points(fp: Any, x: Any, xp: Any, left: Any = None, right: Any = None) -> Any:
    """For real numbers; 0 outside where values of their own are given."""
    if not _are_points(x, xp, fp):
        return None
    match is_absent(left), is_absent(right):
        case True, True:
            return lambda fp, x, xp, left=None, right=None: np.interp(x, xp, fp)
        case True, False:
            return lambda fp, x, xp, left=None, right=None: np.interp(x, xp, fp, None, 0.0)
        case False, True:
            return lambda fp, x, xp, left=None, right=None: np.interp(x, xp, fp, 0.0, None)
    return lambda fp, x, xp, left=None, right=None: np.interp(x, xp, fp, 0.0, 0.0)


@overload(calculus.interp_points_bar, strict=False)
def interp_points_bar(y_bar: Any, x: Any, xp: Any, left: Any = None, right: Any = None) -> Any:
    """For real numbers."""
    if not _are_points(x, xp) or getattr(y_bar, "dtype", y_bar) != types.float64:
        return None
    if getattr(y_bar, "ndim", 0) != getattr(x, "ndim", 0):
        return None
    cut_left, cut_right = not is_absent(left), not is_absent(right)
    number = not isinstance(x, types.Array)

    def shares(y_bar: Any, x: Any, xp: Any, left: Any = None, right: Any = None) -> Any:
        fp_bar = np.zeros(len(xp))
        places, bars = np.ascontiguousarray(x).reshape(-1), np.ascontiguousarray(y_bar).reshape(-1)
        for k in range(places.size):
            at, bar = places[k], bars[k]
            if (cut_left and at < xp[0]) or (cut_right and at > xp[-1]):
                continue
            i = _interval(at, xp)
            j = min(i + 1, len(xp) - 1)
            width = xp[j] - xp[i]
            t = (at - xp[i]) / (width if width > 0 else 1.0)
            t = 0.0 if t < 0.0 else (1.0 if t > 1.0 else t)
            fp_bar[i] += bar * (1.0 - t)
            fp_bar[j] += bar * t
        return fp_bar

    def share(y_bar: Any, x: Any, xp: Any, left: Any = None, right: Any = None) -> Any:
        bar, at = np.empty(1), np.empty(1)
        bar[0], at[0] = y_bar, x
        return calculus.interp_points_bar(bar, at, xp, left, right)

    return share if number else shares
