"""Losses as kernels: plain NumPy, each with its derivative beside it.

`reduction` is "none", "mean" or "sum". Input and target broadcast.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager._core import Tensor
from s2sgrad.eager.amp import raised
from s2sgrad.eager.nn.activation_kernels import logistic
from s2sgrad.eager.nn.kernel import Only, constant, kernel
from s2sgrad.eager.nn.picks import one_in_each_row
from s2sgrad.eager.nn.rows import positions
from s2sgrad.eager.recording.kernel_node import ByHand

added: Any = np.add.reduce


def reduced(loss: Any, reduction: str) -> Any:
    """The loss entries, their mean or their sum."""
    if reduction == "none":
        return loss
    total = np.add.reduce(loss, axis=None)
    return total / loss.size if reduction == "mean" else total


def spread(y_bar: Any, input: Any, target: Any, reduction: str) -> Any:
    """The cotangent of each loss entry (it may still have to broadcast)."""
    if reduction != "mean":
        return y_bar
    count = 1
    for size in np.broadcast_shapes(np.shape(input), np.shape(target)):
        count *= size
    return y_bar / count if count else y_bar


def _mse_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    difference = input - target
    return reduced(difference * difference, reduction)


@kernel(_mse_loss, "MseLoss", cast=raised)
def mse_loss(y_bar, y, input, target, reduction="mean"):  # type: ignore[no-untyped-def]
    """2 (input - target), and its negative."""
    u = spread(2.0 * y_bar, input, target, reduction) * (input - target)
    return u, -u


def _mse_loss_by_hand(input: Any, target: Any, reduction: str = "mean") -> Any:
    """Kept: the difference."""
    difference = input - target
    return reduced(difference * difference, reduction), difference


def _mse_loss_bar(
    y_bar: Any, y: Any, kept: Any, own: bool, input: Any, target: Any, reduction: str = "mean"
) -> Any:
    scale = y_bar * 2.0 / (kept.size if reduction == "mean" and kept.size else 1)
    return np.multiply(kept, scale, out=kept if own else None)


def _mse_loss_target_bar(y_bar: Any, y: Any, kept: Any, own: bool, *parameters: Any) -> Any:
    return -_mse_loss_bar(y_bar, y, kept, False, *parameters)  # the input's comes after it


mse_loss.by_hand = ByHand(_mse_loss_by_hand, _mse_loss_bar, target=_mse_loss_target_bar)


def _smooth_l1_loss(input: Any, target: Any, reduction: str = "mean", beta: float = 1.0) -> Any:
    distance = np.abs(input - target)
    near = 0.5 * distance * distance / beta
    return reduced(np.where(distance < beta, near, distance - 0.5 * beta), reduction)


@kernel(_smooth_l1_loss, "SmoothL1Loss", cast=raised)
def smooth_l1_loss(y_bar, y, input, target, reduction="mean", beta=1.0):  # type: ignore[no-untyped-def]
    """The difference over beta, clipped to [-1, 1]."""
    u = spread(y_bar, input, target, reduction) * np.clip((input - target) / beta, -1.0, 1.0)
    return u, -u


def _huber_loss(input: Any, target: Any, reduction: str = "mean", delta: float = 1.0) -> Any:
    distance = np.abs(input - target)
    near = 0.5 * distance * distance
    return reduced(np.where(distance < delta, near, delta * (distance - 0.5 * delta)), reduction)


@kernel(_huber_loss, "HuberLoss", cast=raised, only=Only("huber_cpu"))
def huber_loss(y_bar, y, input, target, reduction="mean", delta=1.0):  # type: ignore[no-untyped-def]
    """The difference, clipped to [-delta, delta]."""
    u = spread(y_bar, input, target, reduction) * np.clip(input - target, -delta, delta)
    return u, -u


def _log(x: Any) -> Any:
    """The logarithm, not below -100."""
    return np.maximum(np.log(x), -100.0)


def _binary_cross_entropy(input: Any, target: Any, reduction: str = "mean") -> Any:
    return reduced(-(target * _log(input) + (1.0 - target) * _log(1.0 - input)), reduction)


def safe_log(x: Any) -> Any:
    """`_log` for arrays and tensors: a bound below keeps the logarithm finite."""
    return np.log(np.maximum(x, 3.8e-44 if constant(x).dtype == np.float64 else 1e-38))


@kernel(_binary_cross_entropy, "BinaryCrossEntropy", cast=raised, only=Only("binary_cross_entropy"))
def binary_cross_entropy(y_bar, y, input, target, reduction="mean"):  # type: ignore[no-untyped-def]
    """(input - target) / (input (1 - input)), the denominator not below 1e-12."""
    u = spread(y_bar, input, target, reduction)
    slope = (input - target) / np.maximum(input * (1.0 - input), 1e-12)
    return u * slope, u * (safe_log(1.0 - input) - safe_log(input))


def _binary_cross_entropy_with_logits(input: Any, target: Any, reduction: str = "mean") -> Any:
    loss = np.maximum(input, 0) - input * target + np.log1p(np.exp(-np.abs(input)))
    return reduced(loss, reduction)


@kernel(_binary_cross_entropy_with_logits, "BinaryCrossEntropyWithLogits", cast=raised)
def binary_cross_entropy_with_logits(y_bar, y, input, target, reduction="mean"):  # type: ignore[no-untyped-def]
    """logistic(input) - target; stable for large logits."""
    u = spread(y_bar, input, target, reduction)
    return u * (logistic(input) - target), u * -input


def _nll_loss(
    input: Any, target: Any, weight: Any = None, ignore_index: int = -100, reduction: str = "mean"
) -> Any:
    """Minus the entries of input (N, C) that target (N,) picks, weighted by class."""
    rows = np.arange(len(target))
    kept = target != ignore_index
    safe = np.where(kept, target, 0)
    weights = _class_weights(input, safe, kept, weight)
    losses = -input[rows, safe] * weights
    if reduction == "none":
        return losses
    total = losses.sum()
    return total / weights.sum() if reduction == "mean" else total


def _class_weights(input: Any, safe: Any, kept: Any, weight: Any) -> Any:
    if weight is None:
        return kept.astype(input.dtype)
    return np.where(kept, weight[safe], 0).astype(input.dtype)


def picked(input: Any, target: Any, weight: Any, ignore_index: int, reduction: str) -> Any:
    """The constant matrix M with `nll_loss = sum(M * input)`, by row for "none"."""
    input, target, weight = constant(input), constant(target), constant(weight)
    kept = target != ignore_index
    matrix = np.zeros_like(input, order="C")
    safe = np.where(kept, target, 0)
    weights = _class_weights(input, safe, kept, weight)
    if reduction == "mean":
        weights = weights / (weights.sum() or 1)  # nothing counts: zeros
    matrix[np.arange(len(target)), safe] = 0 - weights  # never -0
    return matrix


@kernel(_nll_loss, "NllLoss", cast=raised)
def nll_loss(y_bar, y, input, target=None, weight=None, ignore_index=-100, reduction="mean"):  # type: ignore[no-untyped-def]
    """Minus the weight at the picked entries."""
    matrix = picked(input, target, weight, ignore_index, reduction)
    return (y_bar if reduction != "none" else np.reshape(y_bar, (-1, 1))) * matrix


def _nll_loss_plain(input: Any, target: Any, reduction: str = "mean") -> Any:
    """`_nll_loss` where every class counts the same."""
    return reduced(-input[np.arange(len(target)), target], reduction)


def picked_bar(y_bar: Any, input: Any, target: Any, reduction: str) -> Any:
    """The cotangent of `_nll_loss_plain`: -y_bar, or its share of the mean, where target picks."""
    if isinstance(y_bar, Tensor):
        matrix = picked(input, target, None, -1, reduction)
        return (y_bar if reduction != "none" else np.reshape(y_bar, (-1, 1))) * matrix
    input_bar = np.zeros(input.shape, input.dtype)
    share = -y_bar / len(target) if reduction == "mean" else -y_bar
    input_bar[np.arange(len(target)), target] = share
    return input_bar


@kernel(_nll_loss_plain, "NllLoss", cast=raised)
def nll_loss_plain(y_bar, y, input, target=None, reduction="mean"):  # type: ignore[no-untyped-def]
    """See `picked_bar`."""
    return picked_bar(y_bar, input, target, reduction)


def _nll_by_hand(input: Any, target: Any, reduction: str = "mean") -> Any:
    """Kept: where the picked entries lie."""
    places = positions(target, input.shape)
    entries = input.take(places)
    if reduction == "none":
        return -entries, places
    total = 0.0 - added(entries)  # never -0
    return total / len(target) if reduction == "mean" else total, places


def _nll_by_hand_bar(
    y_bar: Any, y: Any, kept: Any, own: bool, input: Any, target: Any, reduction: str = "mean"
) -> Any:
    input_bar = np.zeros(input.shape, input.dtype)
    share = -y_bar if reduction == "none" else -y_bar.item()
    count = max(len(target), 1) if reduction == "mean" else 1
    input_bar.put(kept, share / count)
    return input_bar


nll_loss_plain.by_hand = ByHand(_nll_by_hand, _nll_by_hand_bar)


def _nll_of_logs_bar(
    y_bar: Any, y: Any, kept: Any, own: bool, log_p: Any, target: Any, reduction: str = "mean"
) -> Any:
    share = -y_bar / len(target) if reduction == "mean" else -y_bar
    return one_in_each_row(log_p, target, share)


@kernel(_nll_loss_plain, "NllLoss", cast=raised)
def nll_of_logs(y_bar, y, input, target=None, reduction="mean"):  # type: ignore[no-untyped-def]
    """`nll_loss_plain` of a log_softmax that nobody else has."""
    return picked_bar(y_bar, input, target, reduction)


nll_of_logs.by_hand = ByHand(_nll_by_hand, _nll_of_logs_bar)


def _soft_margin_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    return reduced(np.logaddexp(-as_input(target, input) * input, input.dtype.type(0)), reduction)


def as_input(target: Any, input: Any) -> Any:
    """Targets that are whole numbers in the dtype of the input."""
    return target.astype(input.dtype) if constant(target).dtype.kind in "iub" else target


@kernel(_soft_margin_loss, "SoftMarginLoss")
def soft_margin_loss(y_bar, y, input, target, reduction="mean"):  # type: ignore[no-untyped-def]
    """-target logistic(-target input), and the same with the roles exchanged."""
    signs = as_input(target, input)
    u = spread(y_bar, input, target, reduction) * logistic(-signs * input)
    return -u * signs, -u * input
