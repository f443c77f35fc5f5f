"""What filters and splines of images read: matrices and places, which carry no derivative."""

from __future__ import annotations

import importlib
import math
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from s2sgrad_runtime.scipy_helpers import lazy

__all__ = [
    "filtered_places",
    "fourier_response",
    "monomial_powers",
    "rotated_sizes",
    "sampled_window",
    "smoothing_spline",
    "spline_matrix",
    "spline_places",
]

MOST = 5000  # monomials
scipy_spline_filter1d = lazy("scipy.ndimage.spline_filter1d")


def spline_matrix(size: int, order: int, mode: str) -> Any:
    """The matrix (size, size) from the entries of an axis to the coefficients of their spline."""
    return scipy_spline_filter1d(np.eye(size), order, axis=0, mode=mode)


def monomial_powers(variables: int, degree: int) -> Any:
    """The powers (count, variables) of the monomials up to a degree; none for degree -1."""
    if math.comb(variables + degree, variables) > MOST:
        raise ValueError("a polynomial of so many variables and such a degree")
    found = [
        [chosen.count(i) for i in range(variables)]
        for total in range(degree + 1)
        for chosen in combinations_with_replacement(range(variables), total)
    ]
    return np.reshape(np.array(found, dtype=int), (len(found), variables))


def spline_places(c: Any, size: int, order: int, mode: str) -> Any:
    """The order + 1 coefficients that a spline reads at c, stacked; -1 for a constant outside."""
    first = np.floor(c).astype(np.intp) - order // 2
    places = first + np.reshape(np.arange(order + 1), (-1,) + (1,) * np.ndim(c))
    if mode == "grid-constant":
        return np.where((places < 0) | (places >= size), -1, places)
    if size == 1:
        return np.zeros_like(places)
    if mode == "nearest":
        return np.clip(places, 0, size - 1)
    if mode == "grid-wrap":
        return places % size
    if mode in ("reflect", "grid-mirror"):
        turned = places % (2 * size)
        return np.where(turned >= size, 2 * size - 1 - turned, turned)
    turned = places % (2 * size - 2)
    return np.where(turned >= size, 2 * size - 2 - turned, turned)


def filtered_places(name: str, a: Any, given: dict[str, Any], cval: Any) -> Any:
    """Which entry of np.ravel(a) each result of a filter is, found by the ranks; -1 for cval."""
    a = np.asarray(a)
    home, function = name.rsplit(".", 1)
    order, ranks = np.argsort(a, axis=None, stable=True), np.empty(a.size)
    ranks[order] = np.arange(a.size)
    among = np.searchsorted(np.ravel(a)[order], cval) - 0.5
    found = getattr(importlib.import_module(home), function)(
        np.reshape(ranks, a.shape), cval=among, **given
    )
    inside = found != among
    return np.where(inside, order[np.where(inside, np.rint(found), 0.0).astype(np.intp)], -1)


def fourier_response(name: str, shape: Any, *settings: Any) -> Any:
    """What a Fourier filter of scipy.ndimage multiplies a spectrum of that shape with."""
    function = getattr(importlib.import_module("scipy.ndimage"), name)
    return function(np.ones(shape, complex if name == "fourier_shift" else float), *settings)


def rotated_sizes(shape: Any, angle: Any) -> tuple[int, int]:
    """The sizes of a plane that holds one of the given sizes, turned by an angle in degrees."""
    turn = np.deg2rad(angle)
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([[c, s], [-s, c]]) @ [[0, 0, shape[0], shape[0]], [0, shape[1], 0, shape[1]]]
    rows, columns = (np.ptp(corners, axis=1) + 0.5).astype(int)
    return int(rows), int(columns)


def sampled_window(window: Any, size: int, fftbins: bool = True) -> Any:
    """scipy.signal.get_window."""
    return np.asarray(importlib.import_module("scipy.signal").get_window(window, size, fftbins))


def smoothing_spline(x: Any, w: Any, lam: Any) -> tuple[Any, Any]:
    """Knots of the smoothing spline through values at x, and the matrix from those values to its
    coefficients."""
    interpolate = importlib.import_module("scipy.interpolate")
    found = interpolate.make_smoothing_spline(x, np.eye(len(x)), w, lam)
    return found.t, found.c
