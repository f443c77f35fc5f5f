"""Losses of several classes by margins, and of several labels each."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager._core import Tensor
from s2sgrad.eager.amp import full_precision
from s2sgrad.eager.nn.functional_activations import logsigmoid
from s2sgrad.eager.nn.reductions import legacy_reduction, reduced
from s2sgrad.eager.recording.node import named_as


@full_precision
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, margin - input[target] + input[i])^p, the mean over the classes i that are others."""
    how = legacy_reduction(size_average, reduce, reduction)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    rows, classes = _rows(input), input.shape[-1]
    wanted = target.reshape(-1, 1)
    if wanted.shape[0] != rows.shape[0]:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input"
            f" samples (batch size). Expected target size [{rows.shape[0]}], but got"
            f" {list(target.shape)}. Input has shape {list(input.shape)}."
        )
    places = wanted._array
    if places.size and not (places.min() >= 0 and places.max() < classes):
        raise RuntimeError("target out of range")
    over = (margin - rows.gather(1, wanted) + rows).clamp(min=0)
    loss = over if p == 1 else over * over
    if weight is not None:
        loss = loss * weight[target.reshape(-1)].reshape(-1, 1)
    loss = _each_row(loss * _others(wanted, classes, rows), input)
    return named_as(reduced(loss, how), "MultiMarginLossBackward0")  # type: ignore[no-any-return]


def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, 1 - input[j] + input[i]) for labels j and the others i; labels end at the first -1."""
    how = legacy_reduction(size_average, reduce, reduction)
    if target.shape != input.shape:
        raise RuntimeError(
            f"inconsistent target size: {list(target.shape)} for input of size: {list(input.shape)}"
        )
    rows, labels = _rows(input), _rows(target)._array
    is_label = np.zeros(labels.shape, bool)
    for found, row in zip(is_label, labels, strict=True):
        ends = np.flatnonzero(row < 0)
        found[row[: ends[0]] if ends.size else row] = True
    pairs = is_label[:, :, None] & ~is_label[:, None, :]
    over = (1 - rows.unsqueeze(2) + rows.unsqueeze(1)).clamp(min=0)
    loss = _each_row((over * _constant(pairs, rows)).sum(1), input)
    made = reduced(loss, how)
    return named_as(made, "MultilabelMarginLossBackward0")  # type: ignore[no-any-return]


def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The binary cross entropy of logits, the mean over the classes."""
    how = legacy_reduction(size_average, reduce, reduction)
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    return reduced(loss.sum(dim=input.dim() - 1) / input.size(input.dim() - 1), how)


def _rows(value: Tensor) -> Tensor:
    return value.reshape(-1, value.shape[-1])


def _constant(mask: Any, like: Tensor) -> Tensor:
    return like.new_tensor(mask)  # type: ignore[no-any-return]


def _others(wanted: Tensor, classes: int, like: Tensor) -> Tensor:
    """1 for every class but the wanted one."""
    return _constant(np.arange(classes) != wanted._array, like)


def _each_row(loss: Tensor, input: Tensor) -> Tensor:
    """The mean over the classes, for each example; of one example alone a number."""
    mean = loss.sum(1) / input.shape[-1]
    return mean if input.dim() > 1 else mean.reshape(())
