"""Modules with parameters, and a few without: Linear, Embedding, normalisation, Dropout."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from s2sgrad.eager._core import Tensor, as_dtype, empty, get_default_dtype, no_grad, ones, zeros
from s2sgrad.eager.nn import functional, init
from s2sgrad.eager.nn.module import Module
from s2sgrad.eager.nn.parameter import Parameter

__all__ = [
    "BatchNorm1d",
    "BatchNorm2d",
    "Bilinear",
    "CosineSimilarity",
    "Dropout",
    "Dropout1d",
    "Dropout2d",
    "Dropout3d",
    "Embedding",
    "Flatten",
    "Identity",
    "LayerNorm",
    "Linear",
    "Unflatten",
]


def _made(device: Any, dtype: Any) -> dict[str, Any]:
    """The options of a factory of parameters."""
    kind = get_default_dtype() if dtype is None else as_dtype(dtype)
    return {"dtype": kind, "device": device}


class Identity(Module):
    """Gives back its input; takes any arguments."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class Linear(Module):
    """y = x W^T + b with weight (out_features, in_features)."""

    bias: Any

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(empty(out_features, in_features, **_made(device, dtype)))
        if bias:
            self.bias = Parameter(empty(out_features, **_made(device, dtype)))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Uniform in [-1/sqrt(in_features), 1/sqrt(in_features)]."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features},"
            f" bias={self.bias is not None}"
        )


class Bilinear(Module):
    """y_k = x1^T W_k x2 + b_k."""

    bias: Any

    def __init__(
        self, in1_features: int, in2_features: int, out_features: int, bias: bool = True,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.sizes = (in1_features, in2_features, out_features)
        options = _made(device, dtype)
        self.weight = Parameter(empty(out_features, in1_features, in2_features, **options))
        if bias:
            self.bias = Parameter(empty(out_features, **options))
        else:
            self.register_parameter("bias", None)
        bound = 1 / math.sqrt(in1_features)
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return functional.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        first, second, out = self.sizes
        return (
            f"in1_features={first}, in2_features={second}, out_features={out},"
            f" bias={self.bias is not None}"
        )


class Embedding(Module):
    """A table of vectors, looked up by integers."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise AssertionError("Padding_idx must be within num_embeddings")
            padding_idx %= num_embeddings
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx, self.max_norm, self.norm_type = padding_idx, max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        if _weight is None:
            made = empty(num_embeddings, embedding_dim, **_made(device, dtype))
            self.weight = Parameter(made, requires_grad=not _freeze)
            self.reset_parameters()
        else:
            self.weight = Parameter(_weight, requires_grad=not _freeze)

    def reset_parameters(self) -> None:
        """Normal entries; the padding row is zero."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        return functional.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type,
            self.scale_grad_by_freq, self.sparse,
        )  # fmt: skip

    @classmethod
    def from_pretrained(cls, embeddings: Tensor, freeze: bool = True, **options: Any) -> Any:
        """An Embedding on a given table (rows, d)."""
        rows, columns = embeddings.shape
        return cls(rows, columns, _weight=embeddings, _freeze=freeze, **options)

    def extra_repr(self) -> str:
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        if self.padding_idx is not None:
            text += f", padding_idx={self.padding_idx}"
        if self.max_norm is not None:
            text += f", max_norm={self.max_norm}"
        return text


class LayerNorm(Module):
    """Mean 0 and variance 1 over the last axes, with learned weight and bias."""

    weight: Any
    bias: Any

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        single = isinstance(normalized_shape, int)
        shape = (normalized_shape,) if single else tuple(normalized_shape)  # type: ignore[arg-type]
        self.normalized_shape: tuple[Any, ...] = shape
        self.eps, self.elementwise_affine, self.has_bias = eps, elementwise_affine, bias
        if elementwise_affine:
            self.weight = Parameter(ones(*shape, **_made(device, dtype)))
        else:
            self.register_parameter("weight", None)
        if elementwise_affine and bias:
            self.bias = Parameter(zeros(*shape, **_made(device, dtype)))
        else:
            self.register_parameter("bias", None)

    def forward(self, input: Tensor) -> Tensor:
        return functional.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        affine = self.elementwise_affine
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={affine},"
            f" bias={affine and self.has_bias}"
        )


class _BatchNorm(Module):
    """Mean 0 and variance 1 for each channel over the batch."""

    dimensions: tuple[int, ...] = ()
    words = ""
    weight: Any
    bias: Any
    running_mean: Any
    running_var: Any

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.has_bias = bias
        made = _made(device, dtype)
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        self.register_parameter("weight", Parameter(ones(num_features, **made)) if affine else None)
        shift = Parameter(zeros(num_features, **made)) if affine and bias else None
        self.register_parameter("bias", shift)
        track = track_running_stats
        self.register_buffer("running_mean", zeros(num_features, **made) if track else None)
        self.register_buffer("running_var", ones(num_features, **made) if track else None)
        counter = zeros((), dtype=as_dtype("int64")) if track else None
        self.register_buffer("num_batches_tracked", counter)

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in self.dimensions:
            raise ValueError(f"expected {self.words} input (got {input.dim()}D input)")
        training = self.training or self.running_mean is None
        if self.training and self.track_running_stats:
            self.num_batches_tracked.add_(1)
        return functional.batch_norm(
            input, self.running_mean, self.running_var, self.weight, self.bias, training,
            self.momentum, self.eps,
        )  # fmt: skip

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine},"
            f" bias={self.affine and self.has_bias}, track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(_BatchNorm):
    """Batch normalisation of (N, C) or (N, C, L)."""

    dimensions, words = (2, 3), "2D or 3D"


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of (N, C, H, W)."""

    dimensions, words = (4,), "4D"


class Dropout(Module):
    """Zeros entries with probability p while training."""

    function: Any = staticmethod(functional.dropout)

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Tensor:
        return type(self).function(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout1d(Dropout):
    """Zeros whole channels of (N, C, L) with probability p while training."""

    function = staticmethod(functional.dropout1d)


class Dropout2d(Dropout):
    """Zeros whole channels of (N, C, H, W) with probability p while training."""

    function = staticmethod(functional.dropout2d)


class Dropout3d(Dropout):
    """Zeros whole channels of (N, C, D, H, W) with probability p while training."""

    function = staticmethod(functional.dropout3d)


class Flatten(Module):
    """Axes start_dim to end_dim as one."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """One axis as several."""

    def __init__(self, dim: int, unflattened_size: Sequence[int]) -> None:
        super().__init__()
        self.dim, self.unflattened_size = dim, tuple(unflattened_size)

    def forward(self, input: Tensor) -> Tensor:
        dim = self.dim % input.dim()
        shape = (*input.shape[:dim], *self.unflattened_size, *input.shape[dim + 1 :])
        return input.reshape(shape)

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


class CosineSimilarity(Module):
    """The cosine of the angle between vectors along dim."""

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim, self.eps = dim, eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return functional.cosine_similarity(x1, x2, self.dim, self.eps)
