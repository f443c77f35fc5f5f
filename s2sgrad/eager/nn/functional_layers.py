"""Layers of tensors: affine maps, normalisation, dropout, lookup, distances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from s2sgrad.eager._core import (
    STATE,
    Tensor,
    apply,
    arange,
    from_numpy,
    no_grad,
    ones_like,
    op_of,
    rand_like,
    zeros,
    zeros_like,
)
from s2sgrad.eager.batches.array import bottom
from s2sgrad.eager.nn import layer_kernels as kernels
from s2sgrad.eager.nn.argument_checks import check_bilinear, check_padding, check_scales
from s2sgrad.eager.operations.complaints import no_tensor
from s2sgrad.eager.recording.node import named_as

_INDEX_KINDS = ("torch.int64", "torch.int32")


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input (..., in) times weight (out, in) transposed, plus bias (out,)."""
    if not isinstance(input, Tensor):
        raise no_tensor("linear", input)
    shape = input._array.shape
    if bias is not None and not weight._array.dtype == input._array.dtype == bias._array.dtype:
        _same_dtype(input, weight, bias)
    if shape[-1] != weight._array.shape[-1]:
        rows = input.numel() // max(input.shape[-1], 1)
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({rows}x{input.shape[-1]} and"
            f" {weight.shape[-1]}x{weight.shape[0]})"
        )
    if bias is None:
        return input @ weight.t()
    if weight._array.ndim != 2 or bias._array.shape not in ((weight._array.shape[0],), (1,), ()):
        raise _linear_error(input, weight, bias)
    if len(shape) == 2:
        return kernels.linear(input, weight, bias)
    rows = kernels.linear(input.reshape(-1, input.shape[-1]), weight, bias)
    return rows.view((*input.shape[:-1], weight.shape[0]))


def _same_dtype(input: Tensor, weight: Tensor, bias: Tensor) -> None:
    """RuntimeError for operands of several dtypes; autocast makes them one."""
    if STATE.autocast is None:
        first, given = ("self", bias) if bias.dtype != weight.dtype else ("mat1", input)
        raise RuntimeError(
            f"{first} and mat2 must have the same dtype, but got {given.dtype.type_name} and"
            f" {weight.dtype.type_name}"
        )


def _linear_error(input: Tensor, weight: Tensor, bias: Tensor) -> RuntimeError:
    """torch's words for a weight that is no matrix and for a bias of another size."""
    if weight.dim() != 2:
        return RuntimeError(f"mat2 must be a matrix, got {weight.dim()}-D tensor")
    out, rows = weight.shape[0], input.numel() // max(input.shape[-1], 1)
    return RuntimeError(
        f"The expanded size of the tensor ({out}) must match the existing size"
        f" ({bias.shape[-1] if bias.dim() else 1}) at non-singleton dimension 1.  Target sizes:"
        f" [{rows}, {out}].  Tensor sizes: {list(bias.shape)}"
    )


def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input1^T W_k input2 for each k; weight is (out, in1, in2)."""
    check_bilinear(input1, input2, weight, bias)
    left = input1.unsqueeze(-2).unsqueeze(-2)
    right = input2.unsqueeze(-2).unsqueeze(-1)
    found = (left @ weight @ right).squeeze(-1).squeeze(-1)
    return found if bias is None else found + bias


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zero entries with probability p and divide the rest by 1 - p, while training."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0.0:
        return input
    if p == 1.0:
        result = input * zeros_like(input)
    else:
        with no_grad():
            mask = (rand_like(input) >= p).to(input.dtype) / (1.0 - p)
        result = input * mask
    return input.copy_(result) if inplace else result


def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """`dropout` of whole channels of (N, C, L) or (C, L)."""
    if input.dim() not in (2, 3):
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.dim()}D input. Note that"
            " dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension,"
            " a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs)."
        )
    return _of_channels(input, 1, p, training, inplace)


def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """`dropout` of whole channels of (N, C, H, W); of (N, C, L), channels are axis 1 too."""
    return _of_channels(input, 1 if input.dim() == 3 else 2, p, training, inplace)


def dropout3d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """`dropout` of whole channels of (N, C, D, H, W) or (C, D, H, W)."""
    return _of_channels(input, 3, p, training, inplace)


def _of_channels(input: Tensor, spatial: int, p: float, training: bool, inplace: bool) -> Tensor:
    """`dropout` with one draw for all entries along the last `spatial` axes."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0.0:
        return input
    with no_grad():
        shape = (*input.shape[: input.dim() - spatial], *[1] * spatial)
        kept = dropout(input.new_ones(shape), p)
    result = input * kept
    return input.copy_(result) if inplace else result


def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Mean 0 and variance 1 over the last axes, then weight and bias."""
    shape = list(normalized_shape)
    if list(input.shape[-len(shape) :]) != shape:
        expected = ", ".join(map(str, ["*", *shape]))
        raise RuntimeError(
            f"Given normalized_shape={shape}, expected input with shape [{expected}], but got"
            f" input of size{list(input.shape)}"
        )
    check_scales(shape, weight, bias)
    axes = tuple(range(-len(shape), 0))
    return _normalized(kernels.layer_norm, input, weight, bias, axes, eps)


def _normalized(
    kernel: Any, x: Tensor, weight: Tensor | None, bias: Tensor | None, axes: Any, eps: float
) -> Tensor:
    if weight is None and bias is None:
        plain = kernel is kernels.layer_norm
        return (kernels.standardize if plain else kernels.batch_standardize)(x, axes, eps)
    like = weight if weight is not None else bias
    one = zeros_like(like).detach() + 1 if weight is None else weight
    zero = zeros_like(like).detach() if bias is None else bias
    return kernel(x, one, zero, axes, eps)


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Mean 0 and variance 1 for each channel (axis 1); running statistics when not training."""
    axes = tuple(i for i in range(input.dim()) if i != 1)
    shape = [1] * input.dim()
    shape[1] = input.size(1)
    count = input.numel() // max(input.size(1), 1)
    for name, t in (("running_mean", running_mean), ("running_var", running_var)):
        if t is not None and t.numel() != input.size(1):
            raise RuntimeError(f"{name} should contain {input.size(1)} elements not {t.numel()}")
    weight, bias = (None if t is None else t.reshape(shape) for t in (weight, bias))
    if training:
        if count == 1:
            raise ValueError(
                f"Expected more than 1 value per channel when training, got input size"
                f" {input.size()}"
            )
        _update_running(input, running_mean, running_var, axes, momentum, count)
        return _normalized(kernels.batch_norm, input, weight, bias, axes, eps)
    if running_mean is None or running_var is None:
        raise ValueError("Expected running_mean and running_var to be defined when training=False")
    one, zero = ones_like(running_var).reshape(shape), zeros_like(running_mean).reshape(shape)
    mean, variance = running_mean.reshape(shape), running_var.reshape(shape)
    scale, shift = one if weight is None else weight, zero if bias is None else bias
    return kernels.fixed_norm(input, scale, shift, mean, variance, eps)


def _update_running(
    x: Tensor, mean: Tensor | None, var: Tensor | None, axes: Any, momentum: float, count: int
) -> None:
    """Move the running statistics towards those of x."""
    with no_grad():
        values = x.detach()
        if mean is not None:
            mean.mul_(1 - momentum).add_(values.mean(axes) * momentum)
        if var is not None:
            variance = ((values - values.mean(axes, keepdim=True)) ** 2).sum(axes) / (count - 1)
            var.mul_(1 - momentum).add_(variance * momentum)


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Rows of weight (n, d) at integer indices; `padding_idx` gets no gradient.

    `max_norm` scales too long rows down in place. `sparse` changes nothing: gradients are dense.
    """
    if str(input.dtype) not in _INDEX_KINDS:
        kind = input.type() if hasattr(input, "type") else str(input.dtype)
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types:"
            f" Long, Int; but got {kind} instead (while checking arguments for embedding)"
        )
    if weight.dim() != 2:
        raise RuntimeError("'weight' must be 2-D")
    rows = weight.size(0)
    if padding_idx is not None:
        if not -rows <= padding_idx < rows:
            raise AssertionError("Padding_idx must be within num_embeddings")
        padding_idx %= rows
    places = bottom(input._array)
    if places.size and (places.max() >= rows or places.min() < 0):
        raise IndexError("index out of range in self")
    if scale_grad_by_freq:
        raise NotImplementedError("scale_grad_by_freq is not supported")
    if max_norm is not None:
        _shorten_rows(weight, input, max_norm, norm_type)
    return kernels.embedding(weight, input, padding_idx)


def _shorten_rows(weight: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> None:
    with no_grad():
        for i in sorted(set(indices.reshape(-1).tolist())):
            norm = float(weight[i].norm(norm_type))
            if norm > max_norm:
                weight[i] = weight[i] * (max_norm / (norm + 1e-7))


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Integers as rows of zeros with a one; as many classes as needed by default."""
    if str(tensor.dtype) != "torch.int64":
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if tensor.numel() == 0 and num_classes <= 0:
        raise RuntimeError("Can not infer total number of classes from empty tensor.")
    values = bottom(tensor._array)
    if values.size and values.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    largest = int(values.max()) if values.size else -1
    if num_classes == -1:
        num_classes = largest + 1
    elif num_classes < 1:
        raise RuntimeError("num_classes should be positive")
    elif largest >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return (tensor.unsqueeze(-1) == arange(num_classes)).to(tensor.dtype)


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """input divided by its p-norm along dim (not below eps)."""
    return input / input.norm(p, dim=dim, keepdim=True).clamp(min=eps)


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between vectors along dim."""
    if x1._array.shape != x2._array.shape:
        shape = np.broadcast_shapes(x1._array.shape, x2._array.shape)
        x1, x2 = x1.expand(shape), x2.expand(shape)  # type: ignore[attr-defined]
    first = x1 / x1.norm(2, dim=dim, keepdim=True).clamp(min=eps)
    second = x2 / x2.norm(2, dim=dim, keepdim=True).clamp(min=eps)
    return (first * second).sum(dim)


def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """The p-norm of x1 - x2 + eps along the last axis."""
    distance = (x1 - x2 + eps).norm(p, dim=-1, keepdim=keepdim)
    return named_as(distance, "NormBackward1")  # type: ignore[no-any-return]


_MODES: dict[str, Any] = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def padded_by_itself(input: Any, pad: list[int], mode: str) -> Tensor:
    """Each axis longer by entries that NumPy's padding of its indices picks."""
    if mode not in _MODES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    for i in range(len(pad) // 2):
        axis = input._array.ndim - 1 - i
        places = np.pad(np.arange(input._array.shape[axis]), pad[2 * i : 2 * i + 2], _MODES[mode])
        input = input.index_select(axis, from_numpy(places))
    return input  # type: ignore[no-any-return]


def pad(input: Tensor, pad: Sequence[int], mode: str = "constant", value: float = 0.0) -> Tensor:
    """Padding by (left, right) of the last axis first: one value, or entries of the input."""
    check_padding(input, pad, mode)
    if mode != "constant":
        return padded_by_itself(input, list(pad), mode)
    count = len(pad) // 2
    if count > input.dim():
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got "
            f"padding length {len(pad)} and input of dimension {input.dim()}"
        )
    if any(n < 0 for n in pad):
        cut = [slice(None)] * input.dim()
        for i in range(count):
            left, right = min(pad[2 * i], 0), min(pad[2 * i + 1], 0)
            cut[-1 - i] = slice(-left, input.shape[-1 - i] + right)
        input, pad = input[tuple(cut)], [max(n, 0) for n in pad]
    widths = [(0, 0)] * (input.dim() - count)
    widths += [(pad[2 * i], pad[2 * i + 1]) for i in reversed(range(count))]
    op = op_of(np.pad, "ConstantPadNdBackward0")
    return apply(op, (input, widths), {"constant_values": value})  # type: ignore[no-any-return]


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    """softmax(query key^T / sqrt(d)) value; a boolean mask keeps, a float mask is added."""
    if attn_mask is not None and is_causal:
        raise RuntimeError(
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when "
            "is_causal=True"
        )
    factor = 1 / math.sqrt(query.size(-1)) if scale is None else scale
    scores = query @ key.transpose(-2, -1) * factor
    if is_causal:
        ones = zeros(query.size(-2), key.size(-2)) + 1
        scores = scores.masked_fill(ones.tril() == 0, float("-inf"))
    if attn_mask is not None:
        if str(attn_mask.dtype) == "torch.bool":
            scores = scores.masked_fill(~attn_mask, float("-inf"))
        else:
            scores = scores + attn_mask
    weights = kernels.softmax(scores, -1)
    return dropout(weights, dropout_p) @ value if dropout_p > 0.0 else weights @ value
