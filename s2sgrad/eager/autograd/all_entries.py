"""A linear function of every one-hot tensor: the rows or columns of a Jacobian, at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sgrad.eager._core import Tensor, cat, stack, zeros, zeros_like
from s2sgrad.eager.batches.array import NeedsExamples
from s2sgrad.eager.batches.levels import enter, leave, random_refused, running

MOST_ENTRIES = 2**22  # of the one-hot tensors that are made at once


def one_hot(like: Tensor, index: int) -> Tensor:
    """Zeros shaped as `like`, with a one at the flat position `index`."""
    basis = zeros(like.numel(), dtype=like.dtype)
    basis[index] = 1.0
    return basis.reshape(like.shape)


def for_all_entries(
    function: Callable[[Tensor], list[Tensor]], like: Tensor, chunk: int | None, draws: str = "same"
) -> list[Tensor]:
    """What a linear function makes of each one-hot tensor, along a new first axis.

    All of them are computed at once, or `chunk` at a time; one by one where values are looked at.
    """
    n = like.numel()
    if not n:
        return [y.new_zeros((0, *y.shape)) for y in function(zeros_like(like))]
    step = chunk or max(1, MOST_ENTRIES // max(n, 1))
    parts = []
    for start in range(0, n, step):
        try:
            parts.append(_at_once(function, like, range(start, min(start + step, n)), draws))
        except (NeedsExamples, Exception):
            with random_refused(draws == "error"):
                found = [function(one_hot(like, j)) for j in range(start, min(start + step, n))]
            parts.append([stack(list(column)) for column in zip(*found, strict=True)])
    if len(parts) == 1:
        return parts[0]
    return [cat(list(column)) for column in zip(*parts, strict=True)]


def _at_once(function: Any, like: Tensor, entries: range, draws: str) -> list[Tensor]:
    basis = zeros(len(entries), like.numel(), dtype=like.dtype)
    for row, j in enumerate(entries):
        basis._array[row, j] = 1
    hot = basis.reshape((len(entries), *like.shape))
    with running(len(entries), draws) as level:
        found = function(enter(hot, 0, level.number))
        return [leave(y, 0, level.number, len(entries)) for y in found]
