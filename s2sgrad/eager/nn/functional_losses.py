"""Losses of tensors. `reduction`: "mean", "sum", or "none" for all entries."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from s2sgrad.eager._core import Tensor, no_grad, ones_like
from s2sgrad.eager.amp import full_precision
from s2sgrad.eager.nn import loss_kernels as kernels
from s2sgrad.eager.nn.activation_kernels import xlogy
from s2sgrad.eager.nn.argument_checks import check_cosine_targets, check_triplet
from s2sgrad.eager.nn.reductions import REDUCTIONS, legacy_reduction, reduced
from s2sgrad.eager.recording.node import named_as
from s2sgrad.eager.tensors.dtypes import promote_types
from s2sgrad.eager.tensors.promotion import broadcast_error


def _warn_about_sizes(input: Tensor, target: Tensor) -> None:
    if target.size() != input.size():
        warnings.warn(
            f"Using a target size ({target.size()}) that is different to the input size"
            f" ({input.size()}). This will likely lead to incorrect results due to broadcasting."
            " Please ensure they have the same size.",
            stacklevel=4,
        )
        try:
            np.broadcast_shapes(input._array.shape, target._array.shape)
        except ValueError:
            raise broadcast_error(input._array, target._array) from None


def _promoted(input: Tensor, target: Tensor, name: str) -> tuple[Tensor, Tensor]:
    """Both in the type that torch has for them; NotImplementedError for whole numbers."""
    if input._array.dtype == target._array.dtype and input.is_floating_point():
        return input, target
    kind = promote_types(input.dtype, target.dtype)
    if not kind.is_floating_point and not kind.is_complex:
        raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{kind.type_name}'")
    return input.to(kind), target.to(kind)


def _check_labels(input: Tensor, target: Tensor) -> None:
    """Labels of logits are floats."""
    if not (target.is_floating_point() or target.is_complex()) and input.is_floating_point():
        word = target.dtype.type_name
        if word == "Bool":
            raise RuntimeError(
                "Subtraction, the `-` operator, with two bool tensors is not supported. Use the "
                "`^` or `logical_xor()` operator instead."
            )
        raise RuntimeError(
            f"result type {input.dtype.type_name} can't be cast to the desired output type {word}"
        )


def _alike(input: Tensor, target: Tensor) -> Tensor:
    """The target; whole numbers in the type of the input."""
    if target.is_floating_point() or target.is_complex() or not input.is_floating_point():
        return target
    return target.to(input.dtype)


def _weighted(loss: Tensor, input: Tensor, weight: Tensor, reduction: str) -> Tensor:
    """Entry-wise weights: a weighted mean divides by the sum of the weights."""
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    loss = loss * weight
    return loss.sum() / weight.sum() if reduction == "mean" else reduced(loss, reduction)


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The squared differences. Warns when the sizes differ."""
    reduction = legacy_reduction(size_average, reduce, reduction)
    _warn_about_sizes(input, target)
    if input._array.dtype is not target._array.dtype or input._array.dtype.kind != "f":
        input, target = _promoted(input, target, "mse")
    if weight is not None:
        return _weighted(kernels.mse_loss(input, target, "none"), input, weight, reduction)
    return kernels.mse_loss(input, target, reduction)


@full_precision
def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """The absolute differences."""
    reduction = legacy_reduction(size_average, reduce, reduction)
    _warn_about_sizes(input, target)
    loss = (input - target).abs()
    if weight is not None:
        return _weighted(loss, input, weight, reduction)
    return reduced(loss, reduction)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """Squared below beta, absolute beyond; beta 0 is `l1_loss`."""
    reduction = legacy_reduction(size_average, reduce, reduction)
    _warn_about_sizes(input, target)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    if beta == 0.0:
        return reduced((input - target).abs(), reduction)
    return kernels.smooth_l1_loss(*_promoted(input, target, "smooth_l1"), reduction, beta)


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Squared below delta, delta times absolute beyond."""
    legacy_reduction(None, None, reduction)
    _warn_about_sizes(input, target)
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    target = _alike(input, target)
    if weight is not None:
        loss = kernels.huber_loss(input, target, "none", delta)
        return _weighted(loss, input, weight, reduction)
    return kernels.huber_loss(input, target, reduction, delta)


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Minus the log probability of target (0 to 1) where input is a probability."""
    reduction = legacy_reduction(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size"
            f" ({input.size()}) is deprecated. Please ensure they have the same size."
        )
    if input._array.dtype != target._array.dtype:
        kinds = target.dtype.type_name, input.dtype.type_name
        raise RuntimeError("Found dtype {} but expected {}".format(*kinds))
    values = input.detach()
    if values.numel() and bool(((values < 0) | (values > 1)).any()):
        raise RuntimeError("all elements of input should be between 0 and 1")
    if weight is None:
        return kernels.binary_cross_entropy(input, target, reduction)
    loss = reduced(kernels.binary_cross_entropy(input, target, "none") * weight, reduction)
    return named_as(loss, "BinaryCrossEntropyBackward0")  # type: ignore[no-any-return]


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """`binary_cross_entropy` of sigmoid(input), stable for large logits."""
    reduction = legacy_reduction(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Target size ({target.size()}) must be the same as input size ({input.size()})"
        )
    _check_labels(input, target)
    if weight is None and pos_weight is None:
        return kernels.binary_cross_entropy_with_logits(input, target, reduction)
    if pos_weight is None:
        loss = kernels.binary_cross_entropy_with_logits(input, target, "none")
    else:
        zero = ones_like(input)
        positive = kernels.binary_cross_entropy_with_logits(input, zero, "none")
        negative = kernels.binary_cross_entropy_with_logits(input, zero * 0, "none")
        loss = pos_weight * target * positive + (1 - target) * negative
    return named_as(
        reduced(loss if weight is None else loss * weight, reduction),
        "BinaryCrossEntropyWithLogitsBackward0",
    )


@full_precision
def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """target (log target - input), where input holds log probabilities.

    `reduction="batchmean"` divides the sum by the batch size.
    """
    if reduction == "mean" and size_average is None and reduce is None:
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support"
            " size.'batchmean' divides only by the batch size, and aligns with the KL div math"
            " definition.'mean' will be changed to behave the same as 'batchmean' in the next"
            " major release.",
            stacklevel=2,
        )
    if not (input.is_floating_point() and target.is_floating_point()):
        raise RuntimeError("kl_div: Integral inputs not supported.")
    how = "sum" if reduction == "batchmean" else legacy_reduction(size_average, reduce, reduction)
    loss = target.exp() * (target - input) if log_target else xlogy(target, target) - target * input
    total = reduced(loss, how)
    return total / input.size(0) if reduction == "batchmean" and input.dim() else total


@full_precision
def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """exp(input) - target input, or input - target log(input + eps)."""
    how = legacy_reduction(size_average, reduce, reduction)
    if log_input:
        loss = input.exp() - target * input
    else:
        loss = input - target * (input + eps).log()
    if full:
        stirling = target * target.log() - target + 0.5 * (2 * 3.141592653589793 * target).log()
        loss = loss + stirling.masked_fill(target <= 1, 0)
    return reduced(loss, how)


def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Any,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """Half of log(var) + (input - target)^2 / var, the variance not below eps."""
    if reduction not in REDUCTIONS:
        raise ValueError(reduction + " is not valid")
    var = var if isinstance(var, Tensor) else ones_like(input) * var
    if bool((var < 0).any()):
        raise ValueError("var has negative entry/entries")
    if var.shape != input.shape and input.shape[:-1] == var.shape:
        var = var.unsqueeze(-1)  # one variance for each row
    elif var.shape != input.shape:
        others = [m for n, m in zip(input.shape, var.shape, strict=False) if n != m]
        if var.dim() != input.dim() or others != [1]:
            raise ValueError("var is of incorrect size")
    var = var.clone()
    with no_grad():  # a small variance still has a gradient
        var.clamp_(min=eps)
    loss = 0.5 * (var.log() + (input - target) ** 2 / var)
    return reduced(loss + 0.9189385332046727 if full else loss, reduction)


def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """log(1 + exp(-target input)) for targets of 1 and -1."""
    how = legacy_reduction(size_average, reduce, reduction)
    return kernels.soft_margin_loss(input, target, how)


@full_precision
def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: float = 1.0, reduction: str = "mean"
) -> Tensor:
    """input where target is 1, max(0, margin - input) where it is -1."""
    far = (margin - input).clamp(min=0)
    loss = input * (target != -1).to(input.dtype) + far * (target != 1).to(input.dtype)
    return reduced(loss, reduction)


@full_precision
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, reduction: str = "mean"
) -> Tensor:
    """max(0, -target (input1 - input2) + margin)."""
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes:"
            f" input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    return reduced((-target * (input1 - input2) + margin).clamp_min(0), reduction)


@full_precision
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, reduction: str = "mean"
) -> Tensor:
    """1 - cosine where target is 1, max(0, cosine - margin) where it is -1."""
    check_cosine_targets(input1, input2, target)
    dots, squares = (input1 * input2).sum(-1), (input1 * input1).sum(-1) * (input2 * input2).sum(-1)
    cosine = dots / (squares + 1e-16).sqrt()
    near = (1 - cosine) * (target == 1).to(input1.dtype)
    far = (cosine - margin).clamp(min=0) * (target == -1).to(input1.dtype)
    return reduced(near + far, reduction)


@full_precision
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, |anchor - positive| - |anchor - negative| + margin).

    swap: |positive - negative| takes the place of a larger |anchor - negative|.
    """
    reduction = legacy_reduction(size_average, reduce, reduction)
    check_triplet(anchor, positive, negative)
    near = (anchor - positive + eps).norm(p, dim=-1)
    far = (anchor - negative + eps).norm(p, dim=-1)
    if swap:
        far = far.minimum((positive - negative + eps).norm(p, dim=-1))  # type: ignore[attr-defined]
    return reduced((near - far + margin).clamp_min(0), reduction)
