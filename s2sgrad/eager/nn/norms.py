"""Normalisation over groups of channels and by root mean squares: functions and modules."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from s2sgrad.eager._core import Tensor, ones, zeros
from s2sgrad.eager.nn.conv_kernels import of_channels
from s2sgrad.eager.nn.kernel import kernel
from s2sgrad.eager.nn.layer_kernels import standardize_bar, standardized
from s2sgrad.eager.nn.module import Module
from s2sgrad.eager.nn.parameter import Parameter


def in_groups(x: Any, groups: int) -> Any:
    """(batch, channels, ...) as (batch, groups, entries of a group)."""
    batch, *rest = np.shape(x)
    return np.reshape(x, (batch, groups, math.prod(rest) // groups))


def by_channel(v: Any, x: Any) -> Any:
    """One number a channel, shaped to broadcast against x."""
    return np.reshape(v, (-1, *(1,) * (np.ndim(x) - 2)))


def standard(x: Any, groups: int, eps: float) -> Any:
    """x with mean 0 and variance 1 in each group."""
    return np.reshape(standardized(in_groups(x, groups), (-1,), eps), np.shape(x))


def _group_norm(x: Any, weight: Any, bias: Any, groups: int, eps: float) -> Any:
    return standard(x, groups, eps) * by_channel(weight, x) + by_channel(bias, x)


@kernel(_group_norm, "NativeGroupNorm")
def _normalized(y_bar, y, x, weight, bias, groups=1, eps=1e-5):  # type: ignore[no-untyped-def]
    """Through the affine map, then the standardization of each group."""
    u = in_groups(y_bar * by_channel(weight, x), groups)
    return (
        np.reshape(standardize_bar(u, in_groups(x, groups), (-1,), eps), np.shape(x)),
        of_channels(y_bar * standard(x, groups, eps)),
        of_channels(y_bar),
    )


def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    """Mean 0 and variance 1 in each of the groups of channels (axis 1), then weight and bias."""
    if input.dim() < 2:
        raise RuntimeError("Expected at least 2 dimensions for input tensor but received "
                           f"{input.dim()}")  # fmt: skip
    channels = input.size(1)
    if channels % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of "
            f"shape {list(input.shape)} and num_groups={num_groups}"
        )
    scale = ones(channels, dtype=input.dtype) if weight is None else weight
    shift = zeros(channels, dtype=input.dtype) if bias is None else bias
    return _normalized(input, scale, shift, num_groups, eps)  # type: ignore[no-any-return]


def rms_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None,
    eps: float | None = None,
) -> Tensor:  # fmt: skip
    """The input over the root of its mean square over the last axes, times weight."""
    least = float(np.finfo(input._array.dtype).eps) if eps is None else eps
    axes = tuple(range(-len(normalized_shape), 0))
    made = input * ((input * input).mean(axes, keepdim=True) + least).rsqrt()  # type: ignore[attr-defined]
    return made if weight is None else made * weight  # type: ignore[no-any-return]


class GroupNorm(Module):
    """`group_norm` with learned weight and bias."""

    weight: Any
    bias: Any

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True,
        bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(
                f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})"
            )
        self.num_groups, self.num_channels = num_groups, num_channels
        self.eps, self.affine, self.has_bias = eps, affine, bias
        self.weight = Parameter(ones(num_channels, dtype=dtype)) if affine else None
        self.bias = Parameter(zeros(num_channels, dtype=dtype)) if affine and bias else None

    def forward(self, input: Tensor) -> Tensor:
        return group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.affine and self.has_bias}"
        )


class RMSNorm(Module):
    """`rms_norm` with a learned weight."""

    weight: Any

    def __init__(
        self, normalized_shape: Any, eps: float | None = None, elementwise_affine: bool = True,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        single = isinstance(normalized_shape, int)
        self.normalized_shape: Any = (normalized_shape,) if single else tuple(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        made = ones(*self.normalized_shape, dtype=dtype) if elementwise_affine else None
        self.weight = None if made is None else Parameter(made)

    def forward(self, input: Tensor) -> Tensor:
        return rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        )
