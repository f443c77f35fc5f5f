"""Convolutions and pools as kernels. Each is linear in every operand, and so are the derivatives:
three functions are each other's rules.

All loop over the entries of the window, which are few, with one product of matrices for each.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from s2sgrad.eager.amp import lowered
from s2sgrad.eager.nn.kernel import constant, kernel, summed


def windows(at: tuple[int, ...], out: Any, stride: Any, dilation: Any) -> tuple[slice, ...]:
    """Where the entry `at` of a window lies in the input, for all windows."""
    steps = zip(at, out, stride, dilation, strict=True)
    return tuple(slice(i * d, i * d + s * (n - 1) + 1, s) for i, n, s, d in steps)


def sides(padding: Any) -> list[tuple[int, int]]:
    """The margin before and after each axis, for one number or two."""
    return [(p, p) if isinstance(p, int) else p for p in padding]


def padded(x: Any, padding: Any, value: float = 0.0) -> Any:
    """x with margins around its last axes."""
    if not any(padding):
        return x
    return np.pad(x, [(0, 0), (0, 0), *sides(padding)], constant_values=value)


def cropped(x: Any, padding: Any) -> Any:
    """x without the margins."""
    inner = tuple(slice(a, n - b) for (a, b), n in zip(sides(padding), x.shape[2:], strict=True))
    return x[(slice(None), slice(None), *inner)]


def out_sizes(sizes: Any, window: Any, stride: Any, padding: Any, dilation: Any) -> tuple[int, ...]:
    """How many windows there are along each axis."""
    each = zip(sizes, window, stride, sides(padding), dilation, strict=True)
    return tuple((n + sum(p) - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in each)


def rounded_up(sizes: Any, window: Any, stride: Any, padding: Any, dilation: Any) -> Any:
    """Margins with which windows that are partly outside are there too, if they begin inside."""
    found = []
    for n, k, s, p, d in zip(sizes, window, stride, padding, dilation, strict=True):
        span = d * (k - 1) + 1
        out = -(-(n + 2 * p - span) // s) + 1
        if (out - 1) * s >= n + p:
            out -= 1
        found.append((p, max(p, (out - 1) * s + span - n - p)))
    return tuple(found)


def in_groups(x: Any, groups: int) -> Any:
    """(batch, channels, ...) as (batch, groups, channels of a group, places); any may be 0."""
    return x.reshape(len(x), groups, x.shape[1] // groups, math.prod(x.shape[2:]))


def _conv(x: Any, weight: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> Any:
    """x (batch, in, ...) with weight (out, in / groups, window...)."""
    window = weight.shape[2:]
    out = out_sizes(x.shape[2:], window, stride, padding, dilation)
    w = weight.reshape(groups, -1, weight.shape[1], *window)
    y: Any = 0
    margin = padded(x, padding)
    for at in np.ndindex(*window):
        part = margin[(slice(None), slice(None), *windows(at, out, stride, dilation))]
        y = y + np.matmul(w[(..., *at)], in_groups(part, groups))
    return y.reshape(len(x), weight.shape[0], *out)


def _conv_x(
    u: Any, weight: Any, shape: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    """The transpose of `_conv` for x, which has this shape."""
    window, out = weight.shape[2:], u.shape[2:]
    w = weight.reshape(groups, -1, weight.shape[1], *window)
    rows = in_groups(u, groups)
    sizes = (n + 2 * p for n, p in zip(shape[2:], padding, strict=True))
    margin = np.zeros((*shape[:2], *sizes), u.dtype)
    for at in np.ndindex(*window):
        term = np.matmul(w[(..., *at)].transpose(0, 2, 1), rows).reshape(*shape[:2], *out)
        margin[(slice(None), slice(None), *windows(at, out, stride, dilation))] += term
    return cropped(margin, padding)


def _conv_w(
    u: Any, x: Any, shape: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    """The transpose of `_conv` for the weight, which has this shape."""
    out = u.shape[2:]
    rows = in_groups(u, groups)
    margin = padded(x, padding)
    made = np.zeros((groups, shape[0] // groups, *shape[1:]), u.dtype)
    for at in np.ndindex(*shape[2:]):
        part = margin[(slice(None), slice(None), *windows(at, out, stride, dilation))]
        part = in_groups(part, groups).transpose(0, 1, 3, 2)
        made[(..., *at)] = np.matmul(rows, part).sum(axis=0)
    return made.reshape(shape)


@kernel(_conv_x, "ConvolutionBackward", linear=("u",))
def conv_x(y_bar, y, u, weight, shape=(), stride=(), padding=(), dilation=(), groups=1):  # type: ignore[no-untyped-def]
    """The convolution itself, and the cotangent of its weight."""
    return (
        conv(y_bar, weight, stride, padding, dilation, groups),
        conv_w(u, y_bar, np.shape(weight), stride, padding, dilation, groups),
    )


@kernel(_conv_w, "ConvolutionBackward", linear=("u",))
def conv_w(y_bar, y, u, x, shape=(), stride=(), padding=(), dilation=(), groups=1):  # type: ignore[no-untyped-def]
    """The convolution with y_bar as weight, and the cotangent of x."""
    return (
        conv(x, y_bar, stride, padding, dilation, groups),
        conv_x(u, y_bar, np.shape(x), stride, padding, dilation, groups),
    )


@kernel(_conv, "Convolution", cast=lowered)
def conv(y_bar, y, x, weight, stride=(), padding=(), dilation=(), groups=1):  # type: ignore[no-untyped-def]
    """The transposes for x and for the weight."""
    return (
        conv_x(y_bar, weight, np.shape(x), stride, padding, dilation, groups),
        conv_w(y_bar, x, np.shape(weight), stride, padding, dilation, groups),
    )


def _conv_bias(
    x: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: int
) -> Any:
    made = _conv(x, weight, stride, padding, dilation, groups)
    return made + bias.reshape(-1, *(1,) * (x.ndim - 2))


def of_channels(y_bar: Any) -> Any:
    """Summed over everything but the channels."""
    return summed(y_bar, (0, *range(2, np.ndim(y_bar))), False)


@kernel(_conv_bias, "Convolution", cast=lowered)
def conv_bias(y_bar, y, x, weight, bias, stride=(), padding=(), dilation=(), groups=1):  # type: ignore[no-untyped-def]
    """As `conv`; the bias gets the sum over batch and places."""
    return (
        conv_x(y_bar, weight, np.shape(x), stride, padding, dilation, groups),
        conv_w(y_bar, x, np.shape(weight), stride, padding, dilation, groups),
        of_channels(y_bar),
    )


# --- pools ---------------------------------------------------------------------------------------


def largest(x: Any, window: Any, stride: Any, padding: Any, dilation: Any) -> Any:
    """The place of the (first) largest entry of each window among all of its channel's."""
    out = out_sizes(x.shape[2:], window, stride, padding, dilation)
    places = np.arange(math.prod(x.shape[2:])).reshape(1, 1, *x.shape[2:])
    margin, numbers = padded(x, padding, -np.inf), padded(places, padding, -1)
    parts, found = [], []
    for at in np.ndindex(*window):
        index = (slice(None), slice(None), *windows(at, out, stride, dilation))
        parts.append(margin[index])
        found.append(numbers[index])
    best = np.argmax(np.stack(parts), axis=0)
    stacked = np.broadcast_to(np.stack(found), (len(found), *best.shape))
    return np.take_along_axis(stacked, best[None], 0)[0]


def _picked(x: Any, index: Any) -> Any:
    """The entries of each channel at these places."""
    flat, places = (a.reshape(*a.shape[:2], math.prod(a.shape[2:])) for a in (x, index))
    return np.take_along_axis(flat, places, -1).reshape(index.shape)


def _pool_bar(u: Any, index: Any, shape: Any) -> Any:
    """The transpose of `_picked`: entries picked several times add up."""
    made = np.zeros((shape[0] * shape[1], math.prod(shape[2:])), u.dtype)
    rows = np.arange(len(made))[:, None]
    places, terms = (a.reshape(len(made), math.prod(a.shape[2:])) for a in (index, u))
    np.add.at(made, (rows, places), terms)
    return made.reshape(shape)


@kernel(_pool_bar, "MaxPool2DWithIndicesBackward", linear=("u",))
def pool_bar(y_bar, y, u, index=None, shape=()):  # type: ignore[no-untyped-def]
    """The same entries of y_bar."""
    return picked(y_bar, constant(index))


@kernel(_picked, "MaxPool2DWithIndices", linear=("x",))
def picked(y_bar, y, x, index=None):  # type: ignore[no-untyped-def]
    """Each cotangent goes to the entry that was picked."""
    return pool_bar(y_bar, constant(index), np.shape(x))


def _mean_pool(x: Any, window: Any, stride: Any, padding: Any, counts: Any) -> Any:
    """The sum of each window over its count."""
    ones = (1,) * len(window)
    out = out_sizes(x.shape[2:], window, stride, padding, ones)
    margin = padded(x, padding)
    y: Any = 0
    for at in np.ndindex(*window):
        y = y + margin[(slice(None), slice(None), *windows(at, out, stride, ones))]
    return (y / counts).astype(x.dtype)


def _mean_spread(u: Any, shape: Any, window: Any, stride: Any, padding: Any, counts: Any) -> Any:
    """The transpose of `_mean_pool`."""
    ones, out = (1,) * len(window), u.shape[2:]
    share = (u / counts).astype(u.dtype)
    sizes = (n + sum(p) for n, p in zip(shape[2:], sides(padding), strict=True))
    margin = np.zeros((*shape[:2], *sizes), u.dtype)
    for at in np.ndindex(*window):
        margin[(slice(None), slice(None), *windows(at, out, stride, ones))] += share
    return cropped(margin, padding)


@kernel(_mean_spread, "AvgPool2DBackward", linear=("u",))
def mean_spread(y_bar, y, u, shape=(), window=(), stride=(), padding=(), counts=1):  # type: ignore[no-untyped-def]
    """The pool itself."""
    return mean_pool(y_bar, window, stride, padding, counts)


@kernel(_mean_pool, "AvgPool2D", linear=("x",))
def mean_pool(y_bar, y, x, window=(), stride=(), padding=(), counts=1):  # type: ignore[no-untyped-def]
    """Every entry of a window gets an equal share."""
    return mean_spread(y_bar, np.shape(x), window, stride, padding, counts)
