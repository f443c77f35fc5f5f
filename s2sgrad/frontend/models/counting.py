"""Floor 4: histograms, sets and periodic interpolation of NumPy, in terms of functions with rules.

Read in place of the real ones, as those in standard_library.py are. Which bin an entry falls into,
and in which order values come, is flat almost everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime import estimated_edges, first_places, group_places


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """np.histogram_bin_edges: the ends are the least and the greatest entry, or given."""
    if isinstance(bins, str):
        return estimated_edges(a, bins, range)
    if np.ndim(bins) == 1:
        return np.asarray(bins)
    if range is not None:
        low, high = range[0], range[1]
    elif np.size(a) == 0:
        low, high = 0.0, 1.0
    else:
        low, high = np.min(a), np.max(a)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, bins + 1)


def sums_in_cells(columns: Any, edges: Any, weights: Any) -> Any:
    """The sum of the weights of the points in each cell of a grid; their count without weights."""
    cell: Any = 0
    inside: Any = True
    count = 1
    for column, edge in zip(columns, edges, strict=True):
        inside = inside & (column >= edge[0]) & (column <= edge[-1])
        place = np.searchsorted(edge, column, side="right") - 1
        cells = len(edge) - 1
        cell = cell * cells + np.clip(place, 0, cells - 1)
        count = count * cells
    if weights is None:
        return np.bincount(cell[inside], minlength=count)
    given = np.asarray(weights)[inside]
    if np.iscomplexobj(weights):
        real = np.bincount(cell[inside], np.real(given), count)
        return real + 1j * np.bincount(cell[inside], np.imag(given), count)
    return np.bincount(cell[inside], given, count)


def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """np.histogram."""
    edges = histogram_bin_edges(a, bins, range)
    flat = None if weights is None else np.ravel(weights)
    counts = sums_in_cells([np.ravel(a)], [edges], flat)
    if density:
        return counts / (np.diff(edges) * np.sum(counts)), edges
    return counts, edges


def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """np.histogramdd of points in rows, or of a list of columns."""
    if isinstance(sample, list | tuple):
        columns = [np.asarray(column) for column in sample]
    else:
        columns = [sample[:, k] for k in np.arange(np.shape(sample)[1])]
    edges = []
    for k, column in enumerate(columns):
        one = bins if np.ndim(bins) == 0 else bins[k]
        edges.append(histogram_bin_edges(column, one, None if range is None else range[k]))
    counts = sums_in_cells(columns, edges, weights)
    counts = np.reshape(counts, [len(edge) - 1 for edge in edges])
    if density:
        counts = counts / np.sum(counts)
        for k, edge in enumerate(edges):
            counts = np.moveaxis(np.moveaxis(counts, k, -1) / np.diff(edge), -1, k)
    return counts, edges


def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """np.histogram2d."""
    both = bins if np.ndim(bins) == 0 or len(bins) == 2 else [bins, bins]
    counts, edges = histogramdd([x, y], both, range, density, weights)
    return counts, edges[0], edges[1]


def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """np.interp with a period: the samples are put in order and go on at both ends."""
    period = np.abs(period)
    places, points = np.asarray(xp) % period, x % period
    order = np.argsort(places)
    places, values = places[order], np.asarray(fp)[order]
    places = np.concatenate((places[-1:] - period, places, places[:1] + period))
    values = np.concatenate((values[-1:], values, values[:1]))
    return np.interp(points, places, values)


def unique(
    ar: Any, return_index: bool = False, return_inverse: bool = False,
    return_counts: bool = False, axis: Any = None, equal_nan: bool = True,
) -> Any:  # fmt: skip
    """np.unique with places and counts, or of slices: where values coincide, the first counts."""
    index = first_places(ar, axis)
    values = np.ravel(ar)[index] if axis is None else np.take(ar, index, axis=axis)
    if not (return_index or return_inverse or return_counts):
        return values
    inverse, counts = group_places(ar, axis)
    found = [values]
    if return_index:
        found.append(index)
    if return_inverse:
        found.append(inverse)
    if return_counts:
        found.append(counts)
    return tuple(found)


def union1d(ar1: Any, ar2: Any) -> Any:
    """np.union1d."""
    return np.unique(np.concatenate((np.ravel(ar1), np.ravel(ar2))))


def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """np.setdiff1d."""
    values = np.ravel(ar1) if assume_unique else np.unique(ar1)
    return values[~np.isin(values, ar2)]


def sort_complex(a: Any) -> Any:
    """np.sort_complex."""
    return np.sort(a, axis=-1) + 0j


def trim_zeros(filt: Any, trim: str = "fb") -> Any:
    """np.trim_zeros of one axis."""
    places = np.flatnonzero(filt)
    if len(places) == 0:
        return filt[:0]
    start = places[0] if "f" in trim.lower() else 0
    stop = places[-1] + 1 if "b" in trim.lower() else len(filt)
    return filt[start:stop]


def apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    """np.apply_over_axes."""
    found = np.asarray(a)
    for axis in axes if isinstance(axes, list | tuple) else (axes,):
        one = func(found, axis)
        found = one if np.ndim(one) == np.ndim(found) else np.expand_dims(one, axis)
    return found


# --- reductions that start from a computed number ---------------------------------------------
def as_entry(number: Any, a: Any) -> Any:
    """A number as NumPy takes it beside integers: rounded to zero."""
    return number if np.asarray(a).dtype.kind in "fc" else np.trunc(number)


def sum_from(a: Any, initial: Any, **options: Any) -> Any:
    """np.sum(a, initial=...)."""
    return np.sum(a, **options) + as_entry(initial, a)


def prod_from(a: Any, initial: Any, **options: Any) -> Any:
    """np.prod(a, initial=...)."""
    return np.prod(a, **options) * as_entry(initial, a)


def max_from(a: Any, initial: Any, **options: Any) -> Any:
    """np.max(a, initial=...)."""
    if np.asarray(a).dtype.kind not in "fc":
        raise NotImplementedError("np.max of integers with an initial value that is computed")
    return np.maximum(np.max(a, initial=-np.inf, **options), initial)


def min_from(a: Any, initial: Any, **options: Any) -> Any:
    """np.min(a, initial=...)."""
    if np.asarray(a).dtype.kind not in "fc":
        raise NotImplementedError("np.min of integers with an initial value that is computed")
    return np.minimum(np.min(a, initial=np.inf, **options), initial)


def nansum_from(a: Any, initial: Any, **options: Any) -> Any:
    """np.nansum(a, initial=...)."""
    return np.nansum(a, **options) + as_entry(initial, a)


def nanprod_from(a: Any, initial: Any, **options: Any) -> Any:
    """np.nanprod(a, initial=...)."""
    return np.nanprod(a, **options) * as_entry(initial, a)


def nanmax_from(a: Any, initial: Any, **options: Any) -> Any:
    """np.nanmax(a, initial=...)."""
    if np.asarray(a).dtype.kind not in "fc":
        raise NotImplementedError("np.nanmax of integers with an initial value that is computed")
    return np.maximum(np.nanmax(a, initial=-np.inf, **options), initial)


def nanmin_from(a: Any, initial: Any, **options: Any) -> Any:
    """np.nanmin(a, initial=...)."""
    if np.asarray(a).dtype.kind not in "fc":
        raise NotImplementedError("np.nanmin of integers with an initial value that is computed")
    return np.minimum(np.nanmin(a, initial=np.inf, **options), initial)


READ = (
    "apply_over_axes", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd",
    "setdiff1d", "sort_complex", "trim_zeros", "union1d",
)  # fmt: skip
STANDINS: dict[Any, Any] = {getattr(np, name): globals()[name] for name in READ}
# What is read instead only where one of these is given; the rule knows the rest.
WITH_KEYWORD: dict[Any, tuple[Any, tuple[str, ...]]] = {
    np.interp: (interp, ("period",)),
    np.unique: (unique, ("return_index", "return_inverse", "return_counts", "axis")),
}
# Reductions whose `initial` a run computes: it may have a derivative.
WITH_INITIAL: dict[Any, Any] = {
    np.sum: sum_from, np.prod: prod_from, np.nansum: nansum_from, np.nanprod: nanprod_from,
    np.max: max_from, np.amax: max_from, np.min: min_from, np.amin: min_from,
    np.nanmax: nanmax_from, np.nanmin: nanmin_from,
}  # fmt: skip
