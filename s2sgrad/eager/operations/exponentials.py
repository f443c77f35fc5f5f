"""Sums of exponentials."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.operations.reducing import axes
from s2sgrad.eager.recording.kernel_node import ByHand, recorder
from s2sgrad.eager.recording.record import apply, op_of
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.dtypes import get_default_dtype
from s2sgrad.eager.tensors.tensor import Tensor
from s2sgrad.rules import structural
from s2sgrad_runtime import expand_reduced


def logsumexp_array(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """log(sum(exp(a))) over the axes, without overflow."""
    lowest: Any = {"initial": -np.inf} if a.size == 0 else {}
    peak = np.max(a, axis=axis, keepdims=True, **lowest)
    peak = np.where(np.isfinite(peak), peak, np.zeros((), a.dtype))
    y = np.log(np.sum(np.exp(a - peak), axis=axis, keepdims=True)) + peak
    return y if keepdims else np.squeeze(y, axis)


@structural(logsumexp_array)
def _logsumexp(y_bar, y, a, axis=None, keepdims=False):  # type: ignore[no-untyped-def]
    """dy/da = exp(a - y), the softmax."""
    weights = np.exp(a - expand_reduced(y, a, axis, keepdims))
    return weights * expand_reduced(y_bar, a, axis, keepdims)


def _logsumexp_by_hand(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Kept: the exponentials and their sums."""
    lowest: Any = {"initial": -np.inf} if a.size == 0 else {}
    peak = np.max(a, axis=axis, keepdims=True, **lowest)
    peak = np.where(np.isfinite(peak), peak, np.zeros((), a.dtype))
    powers = np.asarray(a - peak)
    np.exp(powers, out=powers)
    total = np.sum(powers, axis=axis, keepdims=True)
    y = np.log(total) + peak
    return (y if keepdims else np.squeeze(y, axis)), (powers, total)


def _logsumexp_bar(
    y_bar: Any, y: Any, kept: Any, own: bool, a: Any, axis: Any = None, keepdims: bool = False
) -> Any:
    powers, total = kept
    share = expand_reduced(y_bar, a, axis, keepdims) / total
    return np.multiply(powers, share, out=powers if own else None)


LOGSUMEXP_BY_HAND = ByHand(_logsumexp_by_hand, _logsumexp_bar)


def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    """log(sum(exp(x))) over the dims, without overflow."""
    along = axes(dim, None, input._array.ndim)
    if input._array.dtype.kind in "iub":
        input = input.to(get_default_dtype())  # type: ignore[attr-defined]
    if STATE.fast and (made := _recorded_logsumexp(input, along, keepdim)) is not None:
        return made
    return apply(LOGSUMEXP, (input, along, keepdim), {})


LOGSUMEXP = op_of(logsumexp_array, "LogsumexpBackward0")
_recorded_logsumexp = recorder(LOGSUMEXP, LOGSUMEXP_BY_HAND)
