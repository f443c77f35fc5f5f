"""Floor 2: rules of functions that make arrays from numbers. Constant arrays have none."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import no_derivative, not_yet, structural, tangent
from s2sgrad_runtime import linspace_share, unbroadcast

no_derivative(
    np.bartlett,
    np.blackman,
    np.empty,
    np.empty_like,
    np.eye,
    np.hamming,
    np.hanning,
    np.identity,
    np.indices,
    np.ones,
    np.ones_like,
    np.tri,
    np.zeros,
    np.zeros_like,
)
not_yet(np.arange, why="compiled code reads it; on tensors write start + step * np.arange(n)")
not_yet(np.kaiser, why="compiled code reads it with np.i0; on tensors write that")


@structural(np.full, linear=("fill_value",))
def full(y_bar, y, shape, fill_value, dtype=None, order="C", device=None, like=None):
    """Every copy adds."""
    return None, unbroadcast(y_bar, fill_value)


@structural(np.full_like, linear=("fill_value",))
def full_like(y_bar, y, a, fill_value, dtype=None, order="K", subok=True, shape=None, device=None):
    """Every copy adds; only the shape of a is used."""
    return np.zeros_like(a), unbroadcast(y_bar, fill_value)


@tangent(np.full_like)
def full_like_dot(
    y,
    a,
    fill_value,
    dtype=None,
    order="K",
    subok=True,
    shape=None,
    device=None,
    *,
    a_dot,
    fill_value_dot,
):
    """Only the shape of a is used."""
    return np.zeros_like(y), np.full_like(y, fill_value_dot)


@structural(np.linspace, extra={"not_for": {"retstep": (True,)}})
def linspace(
    y_bar, y, start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, device=None
):
    """y = start (1 - t) + stop t."""
    t = linspace_share(y, endpoint, axis)
    return (
        unbroadcast(np.sum(y_bar * (1.0 - t), axis=axis), start),
        unbroadcast(np.sum(y_bar * t, axis=axis), stop),
    )


@tangent(np.linspace)
def linspace_dot(
    y,
    start,
    stop,
    num=50,
    endpoint=True,
    retstep=False,
    dtype=None,
    axis=0,
    device=None,
    *,
    start_dot,
    stop_dot,
):
    """Linear in both ends together."""
    return (
        np.linspace(start_dot, np.zeros_like(stop), num, endpoint, axis=axis),
        np.linspace(np.zeros_like(start), stop_dot, num, endpoint, axis=axis),
    )


@structural(np.logspace)
def logspace(y_bar, y, start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """y = base**u with u = np.linspace(start, stop); base must be a constant."""
    u_bar = y_bar * y * np.log(base)
    t = linspace_share(y, endpoint, axis)
    return (
        unbroadcast(np.sum(u_bar * (1.0 - t), axis=axis), start),
        unbroadcast(np.sum(u_bar * t, axis=axis), stop),
    )


@tangent(np.logspace)
def logspace_dot(
    y, start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0, *, start_dot, stop_dot
):
    """y_dot = y ln(base) u_dot."""
    slope = y * np.log(base)
    return (
        slope * np.linspace(start_dot, np.zeros_like(stop), num, endpoint, axis=axis),
        slope * np.linspace(np.zeros_like(start), stop_dot, num, endpoint, axis=axis),
    )


@structural(np.geomspace)
def geomspace(y_bar, y, start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """y = start**(1 - t) stop**t."""
    u = y_bar * y
    t = linspace_share(y, endpoint, axis)
    return (
        unbroadcast(np.sum(u * (1.0 - t), axis=axis) / start, start),
        unbroadcast(np.sum(u * t, axis=axis) / stop, stop),
    )


@tangent(np.geomspace)
def geomspace_dot(
    y, start, stop, num=50, endpoint=True, dtype=None, axis=0, *, start_dot, stop_dot
):
    """The relative tangent goes over linearly."""
    return (
        y * np.linspace(start_dot / start, np.zeros_like(stop), num, endpoint, axis=axis),
        y * np.linspace(np.zeros_like(start), stop_dot / stop, num, endpoint, axis=axis),
    )
