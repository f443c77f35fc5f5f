"""Modules of `functional_norms`."""

from __future__ import annotations

import warnings
from typing import Any

from s2sgrad.eager._core import Tensor
from s2sgrad.eager.nn.functional_norms import instance_norm, local_response_norm
from s2sgrad.eager.nn.layers import _BatchNorm
from s2sgrad.eager.nn.module import Module


class _InstanceNorm(_BatchNorm):
    """Mean 0 and variance 1 for each channel of each example."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, **options)

    def forward(self, input: Tensor) -> Tensor:
        if input.dim() not in self.dimensions:
            raise ValueError(f"expected {self.words} input (got {input.dim()}D input)")
        alone = input.dim() == self.dimensions[0]
        dim = 0 if alone else 1
        if input.size(dim) != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={dim} to match num_features "
                    f"({self.num_features}), but got: {input.size(dim)}."
                )
            warnings.warn(
                f"input's size at dim={dim} does not match num_features. You can silence this "
                "warning by not passing in num_features, which is not used because affine=False",
                stacklevel=2,
            )
        found = instance_norm(
            input[None] if alone else input, self.running_mean, self.running_var, self.weight,
            self.bias, self.training or not self.track_running_stats, self.momentum, self.eps,
        )  # fmt: skip
        return found[0] if alone else found  # type: ignore[return-value]


class InstanceNorm1d(_InstanceNorm):
    """Instance normalisation of (N, C, L) or (C, L)."""

    dimensions, words = (2, 3), "2D or 3D"


class InstanceNorm2d(_InstanceNorm):
    """Instance normalisation of (N, C, H, W) or (C, H, W)."""

    dimensions, words = (3, 4), "3D or 4D"


class InstanceNorm3d(_InstanceNorm):
    """Instance normalisation of (N, C, D, H, W) or (C, D, H, W)."""

    dimensions, words = (4, 5), "4D or 5D"


class LocalResponseNorm(Module):
    """`local_response_norm` as a module."""

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Tensor) -> Tensor:
        return local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
