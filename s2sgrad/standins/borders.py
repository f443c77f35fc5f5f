"""Floor 8: linear filters beside a number around the image that moves.

What such a filter gives is linear in the image and that number together.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from scipy import ndimage, signal


def bordered(function: Any, settings: tuple[str, ...], input: Any, *args: Any, **given: Any) -> Any:
    """A filter of scipy.ndimage, from zeros around the image and from ones around zeros."""
    given = {"output": None, **given, **dict(zip(settings, args))}  # noqa: B905
    output, cval = given.pop("output"), given.pop("cval")
    if output is not None:
        raise NotImplementedError("scipy.ndimage with output= beside a cval= that moves")
    blank = np.zeros(np.shape(input))
    return function(input, **given, cval=0.0) + cval * function(blank, **given, cval=1.0)


def filled(function: Any, in1: Any, in2: Any, mode: str, boundary: str, fillvalue: Any) -> Any:
    """A convolution of planes in scipy.signal, likewise."""
    found = function(in1, in2, mode, boundary, 0.0)
    return found + fillvalue * function(np.zeros(np.shape(in1)), in2, mode, boundary, 1.0)


def convolve2d(
    in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0.0
) -> Any:
    """scipy.signal.convolve2d."""
    return filled(signal.convolve2d, in1, in2, mode, boundary, fillvalue)


def correlate2d(
    in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0.0
) -> Any:
    """scipy.signal.correlate2d."""
    return filled(signal.correlate2d, in1, in2, mode, boundary, fillvalue)


def savgol_filter(
    x: Any, window_length: int, polyorder: int, deriv: int = 0, delta: Any = 1.0, axis: int = -1,
    mode: str = "interp", cval: Any = 0.0,
) -> Any:  # fmt: skip
    """scipy.signal.savgol_filter; a derivative goes by the step's power."""
    given = window_length, polyorder, deriv, 1.0, axis, mode
    found = signal.savgol_filter(x, *given)
    if mode == "constant":
        found = found + cval * signal.savgol_filter(np.zeros(np.shape(x)), *given, 1.0)
    return found / delta**deriv


ALONG = ("axis", "output", "mode", "cval")
SETTINGS = {
    "correlate1d": ("weights", *ALONG, "origin"), "convolve1d": ("weights", *ALONG, "origin"),
    "sobel": ALONG, "prewitt": ALONG, "laplace": ("output", "mode", "cval"),
    "uniform_filter": ("size", "output", "mode", "cval", "origin"),
    "uniform_filter1d": ("size", *ALONG, "origin"),
}  # fmt: skip
OF_IMAGES = {
    name: functools.partial(bordered, getattr(ndimage, name), settings)
    for name, settings in SETTINGS.items()
}
OF_SIGNALS = {
    "convolve2d": convolve2d, "correlate2d": correlate2d, "savgol_filter": savgol_filter
}  # fmt: skip
