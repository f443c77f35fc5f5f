"""Floor 2: rules of scipy.signal's filters that are known by what they do to unit vectors."""

from __future__ import annotations

from typing import Any

from s2sgrad.rules.declare import structural
from s2sgrad.rules.unserved import GIVEN
from s2sgrad_runtime import (
    decimate_rows,
    filtfilt_rows,
    resample_poly_rows,
    resample_rows,
    savgol_rows,
    sosfilt_rows,
    sosfiltfilt_rows,
    unit_map_pullback,
)


@structural("scipy.signal.savgol_filter", linear=("x",), affine=("cval",))
def savgol_filter_(
    y_bar: Any,
    y: Any,
    x: Any,
    window_length: Any,
    polyorder: Any,
    deriv: Any = 0,
    delta: Any = 1.0,
    axis: Any = -1,
    mode: Any = "interp",
    cval: Any = 0.0,
) -> Any:
    """A linear map along one axis, read off the unit vectors."""
    return (
        unit_map_pullback(
            y_bar, x, savgol_rows, axis, window_length, polyorder, deriv, delta, mode
        ),
        None,
        None,
    )


@structural("scipy.signal.filtfilt", linear=("x",))
def filtfilt_(
    y_bar: Any,
    y: Any,
    b: Any,
    a: Any,
    x: Any,
    axis: Any = -1,
    padtype: Any = "odd",
    padlen: Any = None,
    method: Any = "pad",
    irlen: Any = None,
) -> Any:
    """A linear map along one axis, read off the unit vectors."""
    return (
        None,
        None,
        unit_map_pullback(y_bar, x, filtfilt_rows, axis, b, a, padtype, padlen, method, irlen),
    )


@structural("scipy.signal.sosfilt", linear=("x",))
def sosfilt_(y_bar: Any, y: Any, sos: Any, x: Any, axis: Any = -1) -> Any:
    """A linear map along one axis, read off the unit vectors."""
    return None, unit_map_pullback(y_bar, x, sosfilt_rows, axis, sos)


@structural("scipy.signal.sosfiltfilt", linear=("x",))
def sosfiltfilt_(
    y_bar: Any, y: Any, sos: Any, x: Any, axis: Any = -1, padtype: Any = "odd", padlen: Any = None
) -> Any:
    """A linear map along one axis, read off the unit vectors."""
    return None, unit_map_pullback(y_bar, x, sosfiltfilt_rows, axis, sos, padtype, padlen)


@structural("scipy.signal.resample", linear=("x",), extra={"not_for": {"t": GIVEN}})
def resample_(
    y_bar: Any,
    y: Any,
    x: Any,
    num: Any,
    t: Any = None,
    axis: Any = 0,
    window: Any = None,
    domain: Any = "time",
) -> Any:
    """A linear map along one axis, read off the unit vectors."""
    return unit_map_pullback(y_bar, x, resample_rows, axis, num, window, domain), None


@structural(
    "scipy.signal.resample_poly",
    linear=("x",),
    affine=("cval",),
    extra={"not_for": {"padtype": ("maximum", "median", "minimum")}},
)
def resample_poly_(
    y_bar: Any,
    y: Any,
    x: Any,
    up: Any,
    down: Any,
    axis: Any = 0,
    window: Any = ("kaiser", 5.0),
    padtype: Any = "constant",
    cval: Any = None,
) -> Any:
    """A linear map along one axis, read off the unit vectors."""
    return (
        unit_map_pullback(y_bar, x, resample_poly_rows, axis, up, down, window, padtype),
        None,
        None,
    )


@structural("scipy.signal.decimate", linear=("x",))
def decimate_(
    y_bar: Any,
    y: Any,
    x: Any,
    q: Any,
    n: Any = None,
    ftype: Any = "iir",
    axis: Any = -1,
    zero_phase: Any = True,
) -> Any:
    """A linear map along one axis, read off the unit vectors."""
    return unit_map_pullback(y_bar, x, decimate_rows, axis, q, n, ftype, zero_phase), None
