"""Losses of classes: negative log likelihood and cross entropy."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager._core import Tensor
from s2sgrad.eager.batches.array import bottom
from s2sgrad.eager.nn import layer_kernels
from s2sgrad.eager.nn import loss_kernels as kernels
from s2sgrad.eager.nn.reductions import legacy_reduction, reduced
from s2sgrad.eager.nn.rows import SMALL
from s2sgrad.eager.recording.node import named_as

minimum, maximum = np.minimum.reduce, np.maximum.reduce
INT64, UINT64 = np.dtype(np.int64), np.dtype(np.uint64)


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Minus the log probabilities input (N, C, ...) at the classes target (N, ...).

    `weight` (C,) weighs the classes; targets equal to `ignore_index` do not count.
    """
    reduction = legacy_reduction(size_average, reduce, reduction)
    plain = _check_classes(input, target, ignore_index) and weight is None
    if input._array.ndim == 2:
        return _nll(input, target, weight, ignore_index, reduction, plain)
    if input.dim() == 1:
        row, one = input.reshape(1, -1), target.reshape(1)
        found = _nll(row, one, weight, ignore_index, reduction, plain)
        return found.reshape(()) if reduction == "none" else found
    order = (0, *range(2, input.dim()), 1)
    rows = input.permute(*order).reshape(-1, input.size(1))
    found = _nll(rows, target.reshape(-1), weight, ignore_index, reduction, plain)
    found = found.reshape(target.shape) if reduction == "none" else found
    return named_as(found, "NllLoss2DBackward0")  # type: ignore[no-any-return]


def _nll(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None,
    ignore_index: int,
    reduction: str,
    plain: bool,
) -> Tensor:
    """The loss of rows (N, C)."""
    if plain:
        return kernels.nll_loss_plain(input, target, reduction)
    return kernels.nll_loss(input, target, weight, ignore_index, reduction)


def _check_classes(input: Tensor, target: Tensor, ignore_index: int) -> bool:
    """Refuse targets whose shape, dtype or range do not fit; whether all of them count."""
    shape, values = input._array.shape, target._array
    usual = ignore_index < 0 and values.__class__ is np.ndarray and values.dtype is INT64
    usual = usual and len(shape) == 2 and values.shape == shape[:1] and shape[0] > 0
    if usual:
        unsigned = values.view(UINT64)  # negative ones are large there
        if unsigned.item(unsigned.argmax()) < shape[1]:
            return True
    if not shape:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    if len(shape) == 1:
        if values.size != 1:
            raise ValueError(
                f"For 1D input, 1D target must have size 1, but got target size: {len(values)}"
            )
    elif shape[0] != values.shape[0]:
        raise ValueError(
            f"Expected input batch_size ({shape[0]}) to match target batch_size"
            f" ({values.shape[0]})."
        )
    if values.ndim > 1 and len(shape) == 2:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if values.dtype is not INT64 and values.dtype not in (np.int64, np.uint8):
        word = target.dtype.type_name
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {word}")
    classes = shape[1] if len(shape) > 1 else shape[0]
    values = bottom(values)
    if not values.size:
        return True
    if values.dtype is INT64:  # negative numbers are large ones without a sign
        fits = maximum(values.view(UINT64), axis=None) < classes
    else:
        fits = minimum(values, axis=None) >= 0 and maximum(values, axis=None) < classes
    if fits:
        return ignore_index < 0 or not bool((values == ignore_index).any())
    wrong = values[(values != ignore_index) & ((values < 0) | (values >= classes))]
    if wrong.size:
        raise IndexError(f"Target {int(wrong[0])} is out of bounds.")
    return False


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """`nll_loss` of log_softmax(input) over the classes (axis 1; axis 0 for a vector).

    `target` holds classes, or probabilities in the shape of input.
    """
    reduction = legacy_reduction(size_average, reduce, reduction)
    axis = 1 if input._array.ndim > 1 else 0
    soft = target._array.shape == input._array.shape and target.is_floating_point()
    if label_smoothing or soft or weight is not None:
        _check_options(input, weight, ignore_index if soft else -100, label_smoothing)
    log_p = layer_kernels.log_softmax(input, axis)
    if soft:
        return _soft_cross_entropy(log_p, target, weight, reduction, label_smoothing, axis)
    rows = axis == 1 == input._array.ndim - 1 and weight is None and label_smoothing == 0.0
    if rows and _check_classes(log_p, target, ignore_index):
        large = input._array.size > SMALL
        loss = kernels.nll_of_logs if large else kernels.nll_loss_plain
        return loss(log_p, target, reduction)
    hard = nll_loss(log_p, target, weight, None, ignore_index, None, reduction)
    if label_smoothing == 0.0:
        return hard
    count = input.size(axis)
    smooth = _uniform_cross_entropy(log_p, target, weight, ignore_index, reduction, axis)
    return hard * (1.0 - label_smoothing) + smooth * (label_smoothing / count)


def _check_options(input: Tensor, weight: Any, ignored: int, smoothing: float) -> None:
    """Refuse options that do not fit the input or each other; `ignored`: of soft targets."""
    if weight is not None and not isinstance(weight, Tensor):
        raise TypeError("cross_entropy_loss(): argument 'weight' (position 3) must be Tensor, not "
                        f"{type(weight).__name__}")  # fmt: skip
    if ignored >= 0:
        raise RuntimeError("ignore_index is not supported for floating point target")
    if not 0.0 <= smoothing <= 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {smoothing:g}")
    classes = input._array.shape[1 if input._array.ndim > 1 else 0] if input._array.ndim else 1
    if weight is not None and weight._array.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but "
            f"got weight tensor of shape: {list(weight._array.shape)}"
        )


def _class_shape(weight: Tensor, ndim: int, axis: int) -> Tensor:
    shape = [1] * ndim
    shape[axis] = -1
    return weight.reshape(shape)


def _soft_cross_entropy(
    log_p: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: str,
    smoothing: float,
    axis: int,
) -> Tensor:
    """Targets are probabilities; the mean divides by the batch and the other axes."""
    if smoothing > 0.0:
        target = target * (1 - smoothing) + smoothing / log_p.size(axis)
    weighted = log_p if weight is None else log_p * _class_shape(weight, log_p.dim(), axis)
    products = weighted * target
    if reduction == "none":
        return -products.sum(axis)
    total = -products.sum()
    if reduction == "sum":
        return total
    mean = total / (log_p.numel() / log_p.size(axis))
    return named_as(mean, "DivBackward1")  # type: ignore[no-any-return]


def _uniform_cross_entropy(
    log_p: Tensor,
    target: Tensor,
    weight: Tensor | None,
    ignore_index: int,
    reduction: str,
    axis: int,
) -> Tensor:
    """The cross entropy with the uniform distribution, times the number of classes."""
    weighted = log_p if weight is None else log_p * _class_shape(weight, log_p.dim(), axis)
    kept = (target != ignore_index).to(log_p.dtype)
    losses = -weighted.sum(axis) * kept
    if reduction != "mean":
        return reduced(losses, reduction)
    if weight is None:
        return losses.sum() / kept.sum()
    safe = target * (target != ignore_index)
    return losses.sum() / (weight[safe] * kept).sum()
