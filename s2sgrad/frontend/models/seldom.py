"""Floor 4: functions of NumPy with arguments that few programs give, in terms of other functions.

Read in place of the real ones where such an argument is given, or computed by a run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime import weighted_places


def average(
    a: Any, axis: Any = None, weights: Any = None, returned: bool = False, keepdims: Any = False
) -> Any:
    """np.average(returned=True)."""
    found: Any = np.average(a, axis=axis, weights=weights, keepdims=keepdims)
    if weights is None:
        return found, np.full(np.shape(found), np.size(a) / np.size(found))
    if np.shape(weights) == np.shape(a):
        return found, np.sum(weights, axis=axis, keepdims=keepdims)
    return found, np.sum(weights) * np.ones(np.shape(found))


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """np.ediff1d between computed numbers."""
    parts = [np.diff(np.ravel(ary))]
    if to_begin is not None:
        parts = [np.ravel(to_begin), *parts]
    if to_end is not None:
        parts = [*parts, np.ravel(to_end)]
    return np.concatenate(parts)


def arange(
    start: Any, stop: Any = None, step: Any = 1, dtype: Any = None, *, device: Any = None
) -> Any:
    """np.arange between computed numbers: how many there are does not move with them."""
    if stop is None:
        start, stop = 0 * start, start
    count = max(int(np.ceil((stop - start) / step)), 0)
    kind = np.result_type(np.int64, start, stop, step) if dtype is None else dtype
    first = np.asarray(start).astype(kind)  # whole numbers are cut off before they are counted on
    return first + (np.asarray(start + step).astype(kind) - first) * np.arange(count).astype(kind)


def linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False,
    dtype: Any = None, axis: int = 0, *, device: Any = None,
) -> Any:  # fmt: skip
    """np.linspace(retstep=True)."""
    step = np.asarray(stop - start) / (num - 1 if endpoint else num) if num > endpoint else np.nan
    return np.linspace(start, stop, num, endpoint, dtype=dtype, axis=axis), step


def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0,
    dtype: Any = None, axis: int = 0,
) -> Any:  # fmt: skip
    """np.logspace with a computed base."""
    if np.ndim(base) > 0:
        start, base = start + 0.0 * base, np.expand_dims(base, axis)
    powers = np.linspace(start, stop, num, endpoint, axis=axis)
    found = np.power(base, powers)
    return found if dtype is None else found.astype(dtype)


def polyint(p: Any, m: int = 1, k: Any = 0.0) -> Any:
    """np.polyint with computed constants of integration."""
    constants = k * np.ones(m) if np.size(k) == 1 else k
    found = p
    for i in range(m):
        found = np.concatenate((found / np.arange(len(found), 0, -1), constants[i : i + 1]))
    return found


def pad(array: Any, pad_width: Any, mode: Any = "constant", constant_values: Any = 0) -> Any:
    """np.pad with a computed number."""
    if np.asarray(array).dtype.kind not in "fc":
        constant_values = np.trunc(constant_values)
    inside = np.pad(np.ones(np.shape(array)), pad_width)
    return np.where(inside > 0.0, np.pad(array, pad_width), constant_values)


def quantile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
    method: str = "inverted_cdf", keepdims: bool = False, *, weights: Any = None,
) -> Any:  # fmt: skip
    """np.quantile(weights=...): always an entry of a."""
    return np.ravel(a)[weighted_places(a, q, axis, method, keepdims, weights, False)]


def percentile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
    method: str = "inverted_cdf", keepdims: bool = False, *, weights: Any = None,
) -> Any:  # fmt: skip
    """np.percentile(weights=...)."""
    places = weighted_places(a, np.true_divide(q, 100), axis, method, keepdims, weights, False)
    return np.ravel(a)[places]


def nanquantile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
    method: str = "inverted_cdf", keepdims: bool = False, *, weights: Any = None,
) -> Any:  # fmt: skip
    """np.nanquantile(weights=...)."""
    return np.ravel(a)[weighted_places(a, q, axis, method, keepdims, weights, True)]


def nanpercentile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
    method: str = "inverted_cdf", keepdims: bool = False, *, weights: Any = None,
) -> Any:  # fmt: skip
    """np.nanpercentile(weights=...)."""
    places = weighted_places(a, np.true_divide(q, 100), axis, method, keepdims, weights, True)
    return np.ravel(a)[places]


def array(object: Any, ndmin: int = 0, **options: Any) -> Any:
    """np.array(ndmin=...)."""
    made = np.array(object, **options)
    missing = max(ndmin - np.ndim(made), 0)
    return np.reshape(made, (1,) * missing + np.shape(made))


def nan_to_num(
    x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    """np.nan_to_num with numbers that move."""
    found = np.where(np.isnan(x), nan, np.nan_to_num(x, nan=0.0))
    if posinf is not None:
        found = np.where(np.isposinf(x), posinf, found)
    return found if neginf is None else np.where(np.isneginf(x), neginf, found)


def polyval(p: Any, x: Any) -> Any:
    """np.polyval of several polynomials; row k of a table holds the coefficients of one power."""
    y = 0.0 * x + p[0]
    for row in p[1:]:
        y = y * x + row
    return y


GIVEN: dict[Any, tuple[Any, tuple[str, ...]]] = {
    np.array: (array, ("ndmin",)),
    np.linspace: (linspace, ("retstep",)),
    np.average: (average, ("returned",)),
    np.quantile: (quantile, ("weights",)),
    np.percentile: (percentile, ("weights",)),
    np.nanquantile: (nanquantile, ("weights",)),
    np.nanpercentile: (nanpercentile, ("weights",)),
}
COMPUTED: dict[Any, tuple[Any, tuple[str, ...]]] = {
    np.arange: (arange, ("start", "stop", "step")),
    np.ediff1d: (ediff1d, ("to_begin", "to_end")),
    np.nan_to_num: (nan_to_num, ("nan", "posinf", "neginf")),
    np.logspace: (logspace, ("base",)),
    np.polyint: (polyint, ("k",)),
    np.pad: (pad, ("constant_values",)),
}
TABLES: dict[Any, tuple[Any, tuple[str, ...]]] = {np.polyval: (polyval, ("p",))}
