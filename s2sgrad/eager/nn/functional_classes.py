"""Losses of classes: negative log likelihood and cross entropy."""

from __future__ import annotations

from s2sgrad.eager._core import Tensor
from s2sgrad.eager.nn import layer_kernels
from s2sgrad.eager.nn import loss_kernels as kernels
from s2sgrad.eager.nn.reductions import legacy_reduction, reduced


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
    _check_classes(input, target, ignore_index)
    if input.dim() == 1:
        found = kernels.nll_loss(
            input.reshape(1, -1), target.reshape(1), weight, ignore_index, reduction
        )
        return found.reshape(()) if reduction == "none" else found
    if input.dim() == 2:
        return kernels.nll_loss(input, target, weight, ignore_index, reduction)
    order = (0, *range(2, input.dim()), 1)
    rows = input.permute(*order).reshape(-1, input.size(1))
    found = kernels.nll_loss(rows, target.reshape(-1), weight, ignore_index, reduction)
    return found.reshape(target.shape) if reduction == "none" else found


def _check_classes(input: Tensor, target: Tensor, ignore_index: int) -> None:
    """Refuse targets whose shape, dtype or range do not fit."""
    if input.dim() == 0:
        raise ValueError(f"Expected 1 or more dimensions (got {input.dim()})")
    if input.dim() == 1:
        if target.numel() != 1:
            raise ValueError(
                f"For 1D input, 1D target must have size 1, but got target size: {target.size(0)}"
            )
    elif input.size(0) != target.size(0):
        raise ValueError(
            f"Expected input batch_size ({input.size(0)}) to match target batch_size"
            f" ({target.size(0)})."
        )
    if target.is_floating_point() or target.is_complex():
        kind = target.dtype
        names = {"float32": "Float", "float64": "Double", "float16": "Half"}
        word = names.get(str(kind).split(".")[-1], str(kind))
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {word}")
    classes = input.size(1) if input.dim() > 1 else input.size(0)
    values = target._array
    if values.size and (values.min() < 0 or values.max() >= classes):
        wrong = values[(values != ignore_index) & ((values < 0) | (values >= classes))]
        if wrong.size:
            raise IndexError(f"Target {int(wrong[0])} is out of bounds.")


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
    axis = 1 if input.dim() > 1 else 0
    log_p = layer_kernels.log_softmax(input, axis)
    if target.shape == input.shape and target.is_floating_point():
        return _soft_cross_entropy(log_p, target, weight, reduction, label_smoothing, axis)
    hard = nll_loss(log_p, target, weight, None, ignore_index, None, reduction)
    if label_smoothing == 0.0:
        return hard
    count = input.size(axis)
    smooth = _uniform_cross_entropy(log_p, target, weight, ignore_index, reduction, axis)
    return hard * (1.0 - label_smoothing) + smooth * (label_smoothing / count)


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
    losses = -(weighted * target)
    if reduction == "none":
        return losses.sum(axis)
    total = losses.sum()
    return total / (log_p.numel() / log_p.size(axis)) if reduction == "mean" else total


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
