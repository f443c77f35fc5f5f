"""Reductions of losses, with the old keywords for them."""

from __future__ import annotations

import warnings

from s2sgrad.eager._core import Tensor

REDUCTIONS = ("none", "mean", "sum")


def legacy_reduction(size_average: bool | None, reduce: bool | None, reduction: str) -> str:
    """The reduction meant by the old keywords `size_average` and `reduce`."""
    if size_average is None and reduce is None:
        if reduction not in REDUCTIONS:
            raise ValueError(f"{reduction} is not a valid value for reduction")
        return reduction
    average = True if size_average is None else size_average
    chosen = "none" if reduce is False else "mean" if average else "sum"
    text = "size_average and reduce args will be deprecated, please use reduction='{}' instead."
    warnings.warn(text.format(chosen), stacklevel=4)
    return chosen


def reduced(loss: Tensor, reduction: str) -> Tensor:
    """The loss as one number ("mean", "sum") or one for each entry ("none")."""
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return loss if reduction == "none" else loss.mean() if reduction == "mean" else loss.sum()
