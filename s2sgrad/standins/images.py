"""Floor 8: splines through the entries of an array, and filters that pick entries.

A spline's coefficients are a matrix times the entries along each axis, and a point's value a
weighted sum of those around it: the derivative goes by the entries and by where the points are.
"""

from __future__ import annotations

import functools
import sys
from typing import Any

import numpy as np

from s2sgrad.standins import borders, measuring
from s2sgrad_runtime import filtered_places, rotated_sizes, spline_matrix, spline_places
from s2sgrad_runtime.filters import PAD_MODES

PADDED = 12  # entries that SciPy adds at each end before it fits a spline


def floats(input: Any, output: Any) -> Any:
    """The array that is given, of floats, with a new one for its result."""
    if output is not None:
        raise NotImplementedError("scipy.ndimage with output=")
    values = np.asarray(input)
    if values.dtype.kind not in "fc":
        raise TypeError("scipy.ndimage rounds what it makes of integers: give it floats")
    return values


def along_axis(values: Any, order: int, axis: int, mode: str) -> Any:
    """The coefficients of splines along one axis."""
    matrix = spline_matrix(np.shape(values)[axis], order, mode).astype(values.real.dtype)
    return np.moveaxis(np.tensordot(matrix, values, axes=(1, axis)), 0, axis)


def coefficients(values: Any, rank: int, order: int, mode: str) -> Any:
    """The coefficients of splines along all axes, as many as rank says."""
    if order > 1:
        for axis in tuple(range(rank)):
            values = along_axis(values, order, axis, mode)
    return values


def spline_filter1d(
    input: Any, order: int = 3, axis: int = -1, output: Any = None, mode: str = "mirror"
) -> Any:
    """scipy.ndimage.spline_filter1d."""
    values = floats(input, output)
    return along_axis(values, order, axis, mode) if order > 1 else values


def spline_filter(input: Any, order: int = 3, output: Any = None, mode: str = "mirror") -> Any:
    """scipy.ndimage.spline_filter."""
    return coefficients(floats(input, output), np.ndim(input), order, mode)


def basis(t: Any, order: int) -> Any:
    """The order + 1 B-splines that are not zero at t in [0, 1), stacked."""
    weights = [np.ones(np.shape(t))]
    for degree in range(1, order + 1):
        saved = np.zeros(np.shape(t))
        found = []
        for r in range(degree):
            share = weights[r] / degree
            found.append(saved + (r + 1.0 - t) * share)
            saved = (t + (degree - 1.0 - r)) * share
        weights = [*found, saved]
    return np.stack(weights)


def within(c: Any, size: int, mode: str) -> Any:
    """Coordinates brought into an axis of that size as the mode says ("nearest" brings in the
    entries that a spline reads there instead, each by itself)."""
    if size == 1:
        return 0.0 * c
    if mode == "mirror":
        turned = np.mod(np.abs(c), 2.0 * size - 2.0)
        return np.where(turned > size - 1.0, 2.0 * size - 2.0 - turned, turned)
    if mode in ("reflect", "grid-mirror"):
        turned = np.mod(c + 0.5, 2.0 * size)
        return np.where(turned > size, 2.0 * size - turned, turned) - 0.5
    if mode == "wrap":
        return np.where((c < 0.0) | (c > size - 1.0), np.mod(c, size - 1.0), c)
    return np.mod(c, float(size)) if mode == "grid-wrap" else c


def map_coordinates(
    input: Any, coordinates: Any, output: Any = None, order: int = 3, mode: str = "constant",
    cval: Any = 0.0, prefilter: bool = True,
) -> Any:  # fmt: skip
    """scipy.ndimage.map_coordinates."""
    pad = PADDED if prefilter and mode in ("nearest", "grid-constant") and order > 1 else 0
    values, places = floats(input, output), np.asarray(coordinates)
    if pad > 0 and mode == "nearest":
        values = np.pad(values, pad, mode="edge")
    if pad > 0 and mode == "grid-constant":
        values = np.pad(values, pad, constant_values=cval)
    if prefilter:
        values = coefficients(values, np.ndim(input), order, mode)
    rank = np.ndim(input)
    sizes = tuple([n + 2 * pad for n in np.shape(input)])
    place: Any = 0
    weight: Any = 1.0
    out: Any = False
    for k in tuple(range(rank)):
        c = places[k]
        if mode == "constant":
            out = out | (c < 0.0) | (c > np.shape(input)[k] - 1.0)
        c = within(c + float(pad), sizes[k], mode)
        half = 0.5 * ((order + 1) % 2)
        shares = basis(c + half - np.floor(c + half), order)
        chosen = spline_places(c + half, sizes[k], order, mode)
        shape = (1,) * k + (order + 1,) + (1,) * (rank - 1 - k) + np.shape(c)
        place = place * sizes[k] + np.reshape(np.maximum(chosen, 0), shape)
        weight = weight * np.reshape(shares, shape)
        if mode == "grid-constant":
            out = out | np.reshape(chosen < 0, shape)
    entries, weight = np.ravel(values)[place], weight.astype(np.real(input).dtype)
    if mode == "grid-constant":
        entries = np.where(out, cval, entries)
    found = np.sum(entries * weight, axis=tuple(range(rank)))
    return np.where(out, cval, found) if mode == "constant" else found


def grid(shape: Any) -> Any:
    """The indices of every entry of an array of that shape, as floats."""
    return np.indices(shape).astype(float)


def shift(
    input: Any, shift: Any, output: Any = None, order: int = 3, mode: str = "constant",
    cval: Any = 0.0, prefilter: bool = True,
) -> Any:  # fmt: skip
    """scipy.ndimage.shift."""
    rank = np.ndim(input)
    moves = np.reshape(shift * np.ones(rank), (rank,) + (1,) * rank)
    points = grid(np.shape(input)) - moves
    return map_coordinates(input, points, output, order, mode, cval, prefilter)


def zoom(
    input: Any, zoom: Any, output: Any = None, order: int = 3, mode: str = "constant",
    cval: Any = 0.0, prefilter: bool = True, *, grid_mode: bool = False,
) -> Any:  # fmt: skip
    """scipy.ndimage.zoom."""
    rank, axes = np.ndim(input), []
    for k in tuple(range(rank)):
        n = np.shape(input)[k]
        m = round(n * (zoom[k] if isinstance(zoom, tuple | list) else zoom))
        if grid_mode:
            axes.append((np.arange(m) + 0.5) * (n / m) - 0.5)
        else:
            axes.append(np.arange(m) * ((n - 1) / (m - 1) if m > 1 else 1.0))
    points = np.stack(np.meshgrid(*axes, indexing="ij"))
    return map_coordinates(input, points, output, order, mode, cval, prefilter)


def affine_transform(
    input: Any, matrix: Any, offset: Any = 0.0, output_shape: Any = None, output: Any = None,
    order: int = 3, mode: str = "constant", cval: Any = 0.0, prefilter: bool = True,
) -> Any:  # fmt: skip
    """scipy.ndimage.affine_transform."""
    rank = np.ndim(input)
    if np.ndim(matrix) == 2 and np.shape(matrix)[1] == rank + 1:
        offset = matrix[:rank, rank]
        matrix = matrix[:rank, :rank]
    after = np.shape(input) if output_shape is None else tuple(output_shape)
    points = grid(after)
    if np.ndim(matrix) == 1:
        turned = np.reshape(matrix, (rank,) + (1,) * rank) * points
    else:
        turned = np.tensordot(matrix, points, axes=1)
    moved = turned + np.reshape(offset * np.ones(rank), (rank,) + (1,) * rank)
    return map_coordinates(input, moved, output, order, mode, cval, prefilter)


def rotate(
    input: Any, angle: Any, axes: Any = (1, 0), reshape: bool = True, output: Any = None,
    order: int = 3, mode: str = "constant", cval: Any = 0.0, prefilter: bool = True,
) -> Any:  # fmt: skip
    """scipy.ndimage.rotate."""
    rank = np.ndim(input)
    first, second = sorted([axis % rank for axis in axes])
    planes = np.moveaxis(input, (first, second), (-2, -1)) if rank > 2 else input
    turn = np.deg2rad(angle)
    c, s = np.cos(turn), np.sin(turn)
    matrix = np.array([[c, s], [-s, c]])
    before = np.shape(planes)[-2:]
    after = rotated_sizes(before, angle) if reshape else before
    centre = (np.array(before) - 1.0) / 2.0
    offset = centre - matrix @ ((np.array(after) - 1.0) / 2.0)
    rest = (matrix, offset, (after[0], after[1]), output, order, mode, cval, prefilter)
    if rank == 2:
        return affine_transform(planes, *rest)
    stacked = np.reshape(planes, (-1, *before))
    found = np.stack([affine_transform(plane, *rest) for plane in stacked])
    found = np.reshape(found, (*np.shape(planes)[:-2], after[0], after[1]))
    return np.moveaxis(found, (-2, -1), (first, second))


# --- filters that pick entries by their rank ------------------------------------------------------
def picked(name: str, input: Any, output: Any, cval: Any, given: Any) -> Any:
    """A filter of scipy.ndimage whose every result is an entry, or cval."""
    input = floats(input, output)
    places = filtered_places(f"scipy.ndimage.{name}", input, given, cval)
    return np.where(places < 0, cval, np.ravel(input)[places])


def picking(name: str, settings: Any, input: Any, *args: Any, **given: Any) -> Any:
    """The filter of that name, called with what SciPy has behind the array, and keywords."""
    given = {"output": None, "cval": 0.0, **given, **dict(zip(settings, args))}  # noqa: B905
    output, cval = given.pop("output"), given.pop("cval")
    return picked(name, input, output, cval, given)


def flat(
    name: str, input: Any, size: Any, footprint: Any, structure: Any, output: Any, mode: str,
    cval: Any, origin: Any,
) -> Any:  # fmt: skip
    """grey_erosion or grey_dilation by a window, flat or not."""
    if structure is not None:
        if output is not None:
            raise NotImplementedError("scipy.ndimage with output= and structure=: leave it out")
        return raised(name, input, np.asarray(structure), footprint, mode, cval, origin)
    given = {"size": size, "footprint": footprint, "mode": mode, "origin": origin}
    return picked(name, input, output, cval, given)


def raised(
    name: str, input: Any, structure: Any, footprint: Any, mode: str, cval: Any, origin: Any
) -> Any:
    """By a window that is not flat: the least difference from it, or the largest sum with it."""
    erodes, shape, ndim = name == "grey_erosion", np.shape(structure), np.ndim(input)
    origins = origin if isinstance(origin, tuple | list) else [origin] * ndim
    if not erodes:  # by the window turned round its middle
        structure = np.flip(structure)
        footprint = None if footprint is None else np.flip(footprint)
        origins = [-o - (n % 2 == 0) for o, n in zip(origins, shape, strict=True)]
    before = [n // 2 + o for o, n in zip(origins, shape, strict=True)]
    widths = [(b, n - 1 - b) for b, n in zip(before, shape, strict=True)]
    if mode in ("constant", "grid-constant"):
        wide = np.pad(input, widths, constant_values=cval)
    else:
        wide = np.pad(input, widths, mode=PAD_MODES[mode])
    windows = np.lib.stride_tricks.sliding_window_view(wide, shape)
    moved = structure - windows if erodes else structure + windows
    if footprint is not None:
        moved = np.where(footprint, moved, -np.inf)
    found = np.max(moved, axis=tuple(range(-ndim, 0)))
    return -found if erodes else found


def grey_erosion(
    input: Any, size: Any = None, footprint: Any = None, structure: Any = None,
    output: Any = None, mode: str = "reflect", cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """scipy.ndimage.grey_erosion."""
    given = (size, footprint, structure, output, mode, cval, origin)
    return flat("grey_erosion", input, *given)


def grey_dilation(
    input: Any, size: Any = None, footprint: Any = None, structure: Any = None,
    output: Any = None, mode: str = "reflect", cval: Any = 0.0, origin: Any = 0,
) -> Any:  # fmt: skip
    """scipy.ndimage.grey_dilation."""
    given = (size, footprint, structure, output, mode, cval, origin)
    return flat("grey_dilation", input, *given)


def grey_opening(input: Any, *args: Any, **given: Any) -> Any:
    """scipy.ndimage.grey_opening."""
    return grey_dilation(grey_erosion(input, *args, **given), *args, **given)


def grey_closing(input: Any, *args: Any, **given: Any) -> Any:
    """scipy.ndimage.grey_closing."""
    return grey_erosion(grey_dilation(input, *args, **given), *args, **given)


def white_tophat(input: Any, *args: Any, **given: Any) -> Any:
    """scipy.ndimage.white_tophat."""
    return input - grey_opening(input, *args, **given)


def black_tophat(input: Any, *args: Any, **given: Any) -> Any:
    """scipy.ndimage.black_tophat."""
    return grey_closing(input, *args, **given) - input


def morphological_gradient(input: Any, *args: Any, **given: Any) -> Any:
    """scipy.ndimage.morphological_gradient."""
    return grey_dilation(input, *args, **given) - grey_erosion(input, *args, **given)


def morphological_laplace(input: Any, *args: Any, **given: Any) -> Any:
    """scipy.ndimage.morphological_laplace."""
    both = grey_dilation(input, *args, **given) + grey_erosion(input, *args, **given)
    return both - 2.0 * input


WINDOW = ("size", "footprint", "output", "mode", "cval", "origin")
ALONG = ("size", "axis", "output", "mode", "cval", "origin")
PICKING = {
    "maximum_filter": WINDOW, "minimum_filter": WINDOW, "median_filter": WINDOW,
    "percentile_filter": ("percentile", *WINDOW), "rank_filter": ("rank", *WINDOW),
    "maximum_filter1d": ALONG, "minimum_filter1d": ALONG,
}  # fmt: skip


READ = (
    "affine_transform", "black_tophat", "grey_closing", "grey_dilation", "grey_erosion",
    "grey_opening", "map_coordinates", "morphological_gradient", "morphological_laplace",
    "rotate", "shift", "spline_filter", "spline_filter1d", "white_tophat", "zoom",
)  # fmt: skip


def table() -> dict[Any, Any]:
    """SciPy's function -> what is read in its place."""
    ndimage = sys.modules["scipy.ndimage"]
    found = {getattr(ndimage, name): globals()[name] for name in READ}
    found |= {getattr(ndimage, n): functools.partial(picking, n, s) for n, s in PICKING.items()}
    return found | {getattr(ndimage, name): read for name, read in measuring.READ.items()}


def further() -> dict[Any, Any]:
    """The same for arguments that the function's rule does not serve."""
    ndimage = sys.modules["scipy.ndimage"]
    found = {**borders.OF_IMAGES, **measuring.FURTHER}
    return {getattr(ndimage, name): read for name, read in found.items()}
