"""Pools that are told the size of their result: functions and modules."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from s2sgrad.eager._core import Tensor, wrap
from s2sgrad.eager.nn.argument_checks import check_output_sizes
from s2sgrad.eager.nn.conv_kernels import picked
from s2sgrad.eager.nn.kernel import kernel
from s2sgrad.eager.nn.module import Module
from s2sgrad.eager.recording.node import named_as


def bounds(n: int, out: int) -> list[tuple[int, int]]:
    """Where each of `out` windows over n entries begins and ends."""
    return [(i * n // out, -((-(i + 1) * n) // out)) for i in range(out)]


def means(n: int, out: int, dtype: Any) -> Any:
    """The matrix (out, n) that takes the mean of each window."""
    matrix = np.zeros((out, n), dtype)
    for row, (start, stop) in enumerate(bounds(n, out)):
        matrix[row, start:stop] = 1.0 / (stop - start)
    return matrix


def _weigh(x: Any, rows: Any, columns: Any) -> Any:
    """rows @ x @ columns.T for each channel."""
    return np.matmul(np.matmul(rows, x), columns.T)


@kernel(_weigh, "AdaptiveAvgPool2D", linear=("x",))
def weigh(y_bar, y, x, rows=None, columns=None):  # type: ignore[no-untyped-def]
    """The transposed matrices."""
    return weigh(y_bar, rows.T, columns.T)


def wanted(output_size: Any, sizes: Any) -> tuple[int, ...]:
    """The size of the result along each axis; None keeps the input's."""
    given = (output_size,) * 2 if isinstance(output_size, int) else tuple(output_size)
    return tuple(n if k is None else k for k, n in zip(given, sizes, strict=True))


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """The means of as many windows as the result has entries, which cover the input."""
    sizes = tuple(input.shape[-2:])
    out = wanted(output_size, sizes)
    check_output_sizes("adaptive_avg_pool2d", input, out)
    if out == (1, 1):
        return input.mean((-1, -2), keepdim=True)  # type: ignore[no-any-return, attr-defined]
    pairs = zip(sizes, out, strict=True)
    rows, columns = (means(n, k, input._array.dtype) for n, k in pairs)
    return weigh(input, rows, columns)  # type: ignore[no-any-return]


def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The largest entries of as many windows as the result has entries."""
    if input.dim() == 3:
        found = adaptive_max_pool2d(input.unsqueeze(0), output_size, True)  # type: ignore[attr-defined]
        pair = tuple(t.squeeze(0) for t in found)
        return pair if return_indices else pair[0]
    sizes = tuple(input.shape[-2:])
    out = wanted(output_size, sizes)
    index = np.empty((*input.shape[:2], *out), np.int64)
    windows = (enumerate(bounds(n, k)) for n, k in zip(sizes, out, strict=True))
    for (i, (top, bottom)), (j, (left, right)) in itertools.product(*windows):
        part = input._array[..., top:bottom, left:right]
        place = np.argmax(part.reshape(*part.shape[:2], -1), axis=-1)
        down, across = np.divmod(place, right - left)
        index[..., i, j] = (top + down) * sizes[1] + left + across
    values = named_as(picked(input, index), "AdaptiveMaxPool2DBackward0")
    return (values, wrap(index)) if return_indices else values


def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """The same along the last axis."""
    size = output_size if isinstance(output_size, int) else output_size[0]
    found: Any = adaptive_avg_pool2d(input.unsqueeze(-2), (1, size))  # type: ignore[attr-defined]
    return found.squeeze(-2)  # type: ignore[no-any-return]


def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """The same along the last axis."""
    size = output_size if isinstance(output_size, int) else output_size[0]
    found = adaptive_max_pool2d(input.unsqueeze(-2), (1, size), True)  # type: ignore[attr-defined]
    pair = tuple(t.squeeze(-2) for t in found)
    return pair if return_indices else pair[0]


class _Adaptive(Module):
    function: Any

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Tensor) -> Any:
        return self.function(input, self.output_size)

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveAvgPool1d(_Adaptive):
    """`adaptive_avg_pool1d` as a module."""

    function = staticmethod(adaptive_avg_pool1d)


class AdaptiveAvgPool2d(_Adaptive):
    """`adaptive_avg_pool2d` as a module."""

    function = staticmethod(adaptive_avg_pool2d)


class AdaptiveMaxPool1d(_Adaptive):
    """`adaptive_max_pool1d` as a module."""

    function = staticmethod(adaptive_max_pool1d)


class AdaptiveMaxPool2d(_Adaptive):
    """`adaptive_max_pool2d` as a module."""

    function = staticmethod(adaptive_max_pool2d)
