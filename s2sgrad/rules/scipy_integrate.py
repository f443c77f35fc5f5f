"""Floor 2: rules of scipy.integrate's sums of samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    cumulative_trapezoid_bar_points,
    cumulative_trapezoid_dot_points,
    cumulative_trapezoid_pullback,
    first_left_out,
    first_put_in,
    linear_map_pullback,
    linear_sum_pullback,
    only_if,
    scipy_cumulative_simpson,
    scipy_cumulative_trapezoid,
    scipy_romb,
    scipy_simpson,
    scipy_trapezoid,
    trapezoid_dx_bar,
    trapezoid_dx_dot,
    trapezoid_weights,
    trapezoid_x_bar,
    unbroadcast,
)


@structural("scipy.integrate.trapezoid", optional=("x", "dx"), aliases={"y": "f"})
def trapezoid_(y_bar: Any, y: Any, f: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    """y = sum of (f_i + f_{i+1}) / 2 times the step."""
    return (
        np.expand_dims(y_bar, axis) * trapezoid_weights(f, x, dx, axis),
        trapezoid_x_bar(y_bar, f, x, axis),
        trapezoid_dx_bar(y_bar, f, x, dx, axis),
    )


@tangent("scipy.integrate.trapezoid")
def trapezoid_tangent(
    y: Any,
    f: Any,
    x: Any = None,
    dx: Any = 1.0,
    axis: Any = -1,
    *,
    f_dot: Any,
    x_dot: Any,
    dx_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return (
        scipy_trapezoid(f_dot, x, dx, axis),
        scipy_trapezoid(f, x_dot, axis=axis),
        trapezoid_dx_dot(dx_dot, f, x, axis),
    )


@structural("scipy.integrate.simpson", optional=("x", "dx"), aliases={"y": "f"})
def simpson_(y_bar: Any, y: Any, f: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    """A weighted sum of f; none in x."""
    return (
        linear_sum_pullback(y_bar, f, scipy_simpson, axis, x=x, dx=dx),
        None,
        unbroadcast(only_if(x is None, y_bar, "simpson by dx beside x") * y / dx, dx),
    )


@tangent("scipy.integrate.simpson")
def simpson_tangent(
    y: Any,
    f: Any,
    x: Any = None,
    dx: Any = 1.0,
    axis: Any = -1,
    *,
    f_dot: Any,
    x_dot: Any,
    dx_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return (
        scipy_simpson(f_dot, x=x, dx=dx, axis=axis),
        None,
        only_if(x is None, dx_dot, "simpson by dx beside x") * y / dx,
    )


@structural("scipy.integrate.romb", optional=("dx",), aliases={"y": "f"})
def romb_(y_bar: Any, y: Any, f: Any, dx: Any = 1.0, axis: Any = -1, show: Any = False) -> Any:
    """A weighted sum of f."""
    return linear_sum_pullback(y_bar, f, scipy_romb, axis, dx=dx), unbroadcast(y_bar * y / dx, dx)


@tangent("scipy.integrate.romb")
def romb_tangent(
    y: Any, f: Any, dx: Any = 1.0, axis: Any = -1, show: Any = False, *, f_dot: Any, dx_dot: Any
) -> Any:
    """The same derivative, forward."""
    return scipy_romb(f_dot, dx, axis), dx_dot * y / dx


@structural("scipy.integrate.cumulative_trapezoid", optional=("x",), aliases={"y": "f"})
def cumulative_trapezoid_(
    y_bar: Any, y: Any, f: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1, initial: Any = None
) -> Any:
    """Each area counts in all later sums; none in dx."""
    return cumulative_trapezoid_pullback(
        y_bar, f, x, dx, axis, initial
    ), cumulative_trapezoid_bar_points(y_bar, f, x, axis, initial)


@tangent("scipy.integrate.cumulative_trapezoid")
def cumulative_trapezoid_tangent(
    y: Any,
    f: Any,
    x: Any = None,
    dx: Any = 1.0,
    axis: Any = -1,
    initial: Any = None,
    *,
    f_dot: Any,
    x_dot: Any,
) -> Any:
    """The same derivative, forward."""
    return scipy_cumulative_trapezoid(f_dot, x, dx, axis, initial), cumulative_trapezoid_dot_points(
        x_dot, f, axis, initial
    )


@structural("scipy.integrate.cumulative_simpson", optional=("x",), aliases={"y": "f"})
def cumulative_simpson_(
    y_bar: Any, y: Any, f: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1, initial: Any = None
) -> Any:
    """A linear map along one axis; none in x."""
    return linear_map_pullback(
        first_left_out(y_bar, axis, initial), f, scipy_cumulative_simpson, axis, x=x, dx=dx
    ), None


@tangent("scipy.integrate.cumulative_simpson")
def cumulative_simpson_tangent(
    y: Any,
    f: Any,
    x: Any = None,
    dx: Any = 1.0,
    axis: Any = -1,
    initial: Any = None,
    *,
    f_dot: Any,
    x_dot: Any,
) -> Any:
    """The same derivative, forward."""
    found = scipy_cumulative_simpson(f_dot, x=x, dx=dx, axis=axis)
    return first_put_in(found, axis, initial), None
