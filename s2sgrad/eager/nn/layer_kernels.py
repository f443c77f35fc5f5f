"""Layers as kernels: affine maps, normalisation, lookup and softmax, each with its derivative."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.amp import lowered
from s2sgrad.eager.nn.kernel import Only, constant, kernel, summed
from s2sgrad.eager.nn.picks import picked_entries
from s2sgrad.eager.nn.rows import SMALL, peaks
from s2sgrad.eager.recording.kernel_node import ByHand
from s2sgrad.eager.recording.node import Node, public_edge
from s2sgrad.eager.recording.sums import row_sums
from s2sgrad.eager.tensors.tensor import new

added: Any = np.add.reduce


def _linear(x: Any, weight: Any, bias: Any) -> Any:
    """x (..., in) times weight (out, in) transposed, plus bias (out,)."""
    return x @ weight.T + bias


def flat_rows(x: Any) -> Any:
    """(..., n) as (rows, n)."""
    return x if np.ndim(x) == 2 else np.reshape(x, (-1, np.shape(x)[-1]))


@kernel(_linear, "Addmm", cast=lowered, turned=("weight",))
def linear(y_bar, y, x, weight, bias):  # type: ignore[no-untyped-def]
    """x_bar = y_bar W, W_bar = y_bar^T x, bias_bar sums y_bar over the rows."""
    return (
        y_bar @ weight,
        flat_rows(y_bar).T @ flat_rows(x),
        summed(flat_rows(y_bar), 0, False),
    )


class TBackward0(Node):
    """The transposition of a weight, which torch records as a step of its own."""

    __slots__ = ()


def _inputs_of_addmm(node: Any) -> Any:
    """The bias, the input, and the transpose of the weight."""
    x, weight, bias = node.parents
    turned: Any = None
    if weight is not None:
        turned = new(TBackward0)
        turned.order, turned.hooks, turned.parents = node.order, None, (weight,)
    return public_edge(bias), public_edge(x), (turned, 0)


linear.op.shown = _inputs_of_addmm


def standardized(x: Any, axes: tuple[int, ...], eps: float) -> Any:
    """x with mean 0 and variance 1 over the axes; arrays or tensors."""
    centred = x - np.mean(x, axis=axes, keepdims=True)
    variance = np.mean(centred * centred, axis=axes, keepdims=True)
    return centred / np.sqrt(variance + eps)


def standardize_bar(u: Any, x: Any, axes: tuple[int, ...], eps: float) -> Any:
    """The cotangent of `standardized`: (u - mean u - h mean(u h)) / std, h = standardized x."""
    centred = x - np.mean(x, axis=axes, keepdims=True)
    scale = 1.0 / np.sqrt(np.mean(centred * centred, axis=axes, keepdims=True) + eps)
    h = centred * scale
    along = np.mean(u * h, axis=axes, keepdims=True)
    return scale * (u - np.mean(u, axis=axes, keepdims=True) - h * along)


def _layer_norm(x: Any, weight: Any, bias: Any, axes: tuple[int, ...], eps: float) -> Any:
    return standardized(x, axes, eps) * weight + bias


@kernel(_layer_norm, "NativeLayerNorm", only=Only("LayerNormKernelImpl"))
def layer_norm(y_bar, y, x, weight, bias, axes=(-1,), eps=1e-5):  # type: ignore[no-untyped-def]
    """Through the affine map, then the standardization."""
    return (
        standardize_bar(y_bar * weight, x, axes, eps),
        y_bar * standardized(x, axes, eps),
        y_bar,
    )


def _layer_norm_by_hand(x: Any, weight: Any, bias: Any, axes: Any, eps: float) -> Any:
    """Kept: x with mean 0 and variance 1, and what it was divided by, inverted."""
    h = x - np.mean(x, axis=axes, keepdims=True)
    scale = 1.0 / np.sqrt(np.mean(h * h, axis=axes, keepdims=True) + eps)
    h *= scale
    y = h * weight
    y += bias
    return y, (h, scale)


def _layer_norm_bar(
    y_bar: Any, y: Any, kept: Any, own: bool, x: Any, weight: Any, bias: Any, axes: Any, eps: float
) -> Any:
    h, scale = kept
    u = y_bar * weight
    along = np.mean(u * h, axis=axes, keepdims=True)
    u -= np.mean(u, axis=axes, keepdims=True)
    u -= np.multiply(h, along, out=h if own else None)
    u *= scale
    return u


def _layer_norm_weight_bar(y_bar: Any, y: Any, kept: Any, own: bool, *_: Any) -> Any:
    return y_bar * kept[0]


layer_norm.by_hand = ByHand(_layer_norm_by_hand, _layer_norm_bar, weight=_layer_norm_weight_bar)


@kernel(_layer_norm, "NativeBatchNorm")
def batch_norm(y_bar, y, x, weight, bias, axes=(0,), eps=1e-5):  # type: ignore[no-untyped-def]
    """As `layer_norm`, over the other axes."""
    return (
        standardize_bar(y_bar * weight, x, axes, eps),
        y_bar * standardized(x, axes, eps),
        y_bar,
    )


@kernel(standardized, "NativeLayerNorm", only=Only("LayerNormKernelImpl"))
def standardize(y_bar, y, x, axes=(-1,), eps=1e-5):  # type: ignore[no-untyped-def]
    """See `standardize_bar`."""
    return standardize_bar(y_bar, x, axes, eps)


@kernel(standardized, "NativeBatchNorm")
def batch_standardize(y_bar, y, x, axes=(0,), eps=1e-5):  # type: ignore[no-untyped-def]
    """See `standardize_bar`."""
    return standardize_bar(y_bar, x, axes, eps)


def _fixed_norm(x: Any, weight: Any, bias: Any, mean: Any, variance: Any, eps: float) -> Any:
    """x with a known mean and variance taken out, then weight and bias."""
    return (x - mean) / np.sqrt(variance + eps) * weight + bias


@kernel(_fixed_norm, "NativeBatchNorm", "elementwise")
def fixed_norm(y_bar, y, x, weight, bias, mean=0.0, variance=1.0, eps=1e-5):  # type: ignore[no-untyped-def]
    """Affine in x, weight and bias."""
    scale = 1.0 / np.sqrt(constant(variance) + eps)
    return y_bar * weight * scale, y_bar * (x - constant(mean)) * scale, y_bar


def _embedding(weight: Any, indices: Any, padding_idx: int | None = None) -> Any:
    """Rows of weight (n, d) at integer indices of any shape."""
    return weight[indices]


def _embedding_bar(
    y_bar: Any, shape: tuple[int, ...], indices: Any, padding_idx: int | None = None
) -> Any:
    """The transpose of `_embedding`: rows added up where their index says."""
    weight_bar = np.zeros(shape, y_bar.dtype)
    np.add.at(weight_bar, indices, y_bar)
    if padding_idx is not None:
        weight_bar[padding_idx] = 0
    return weight_bar


def _padded(y_bar: Any, indices: Any, padding_idx: int | None) -> Any:
    """1 for every looked-up row that is trained, 0 for padding."""
    indices = constant(indices)
    kept = np.ones(indices.shape) if padding_idx is None else indices != padding_idx
    return kept.astype(constant(y_bar).dtype)[..., None]


@kernel(_embedding_bar, "EmbeddingDenseBackward")
def embedding_bar(y_bar, y, x_bar, shape=(), indices=None, padding_idx=None):  # type: ignore[no-untyped-def]
    """Linear in x_bar: look the rows up again, padding excepted."""
    return embedding(y_bar, indices) * _padded(y_bar, indices, padding_idx)


@kernel(_embedding, "Embedding", linear=("weight",))
def embedding(y_bar, y, weight, indices=None, padding_idx=None):  # type: ignore[no-untyped-def]
    """Each row's cotangents add up; the padding row gets none."""
    return embedding_bar(y_bar, np.shape(weight), constant(indices), padding_idx)


def _softmax(x: Any, axis: int = -1) -> Any:
    e = np.exp(x - np.maximum.reduce(x, axis=axis, keepdims=True))
    e /= row_sums(e, axis)
    return e


def _along(name: str) -> Any:
    """What torch calls its softmax along the last axis, and along another one."""

    def called(x: Any, dim: int) -> str:
        last = dim in (-1, max(x._array.ndim - 1, 0))
        return f"{name}_{'lastdim_' if last else ''}kernel_impl"

    return called


@kernel(_softmax, "Softmax", only=Only(_along("softmax")))
def softmax(y_bar, y, x, axis=-1):  # type: ignore[no-untyped-def]
    """y (y_bar - sum(y_bar y))."""
    u = y_bar * y
    return u - y * summed(u, axis)


def _softmax_by_hand(x: Any, axis: int = -1) -> Any:
    e = np.asarray(x - peaks(x, axis))
    np.exp(e, out=e)
    e /= np.add.reduce(e, axis=axis, keepdims=True)
    return e, None


def _softmax_bar(y_bar: Any, y: Any, kept: Any, own: bool, x: Any, axis: int = -1) -> Any:
    u = y_bar * y
    np.subtract(y_bar, row_sums(u, axis), out=u)
    return np.multiply(u, y, out=u)


softmax.by_hand = ByHand(_softmax_by_hand, _softmax_bar)


def _log_softmax(x: Any, axis: int = -1) -> Any:
    shifted = x - np.maximum.reduce(x, axis=axis, keepdims=True)
    shifted -= np.log(np.add.reduce(np.exp(shifted), axis=axis, keepdims=True))
    return shifted


@kernel(_log_softmax, "LogSoftmax", only=Only(_along("log_softmax")))
def log_softmax(y_bar, y, x, axis=-1):  # type: ignore[no-untyped-def]
    """y_bar - softmax(x) sum(y_bar)."""
    return y_bar - np.exp(y) * summed(y_bar, axis)


def _log_softmax_by_hand(x: Any, axis: int = -1) -> Any:
    """Kept: the exponentials and their sums."""
    shifted = x - peaks(x, axis)
    powers = np.exp(shifted)
    total = row_sums(powers, axis)
    shifted -= np.log(total)
    return shifted, (powers, total)


def _log_softmax_bar(y_bar: Any, y: Any, kept: Any, own: bool, x: Any, axis: int = -1) -> Any:
    powers, total = kept
    picks = picked_entries(y_bar) if y_bar.size > SMALL and axis in (1, -1) else None
    if picks is not None:
        columns, values = picks
        u = np.multiply(powers, -values / total, out=powers if own else None)
        u[np.arange(len(columns)), columns] += values if values.ndim == 0 else values[:, 0]
        return u
    share = row_sums(y_bar, axis) / total
    u = np.multiply(powers, share, out=powers if own else None)
    return np.subtract(y_bar, u, out=u)


log_softmax.by_hand = ByHand(_log_softmax_by_hand, _log_softmax_bar)
