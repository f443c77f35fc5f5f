"""Normalisation of each channel of each example, and by the channels around each one."""

from __future__ import annotations

import math

from s2sgrad.eager._core import Tensor, cat, no_grad
from s2sgrad.eager.nn import functional_layers as functional
from s2sgrad.eager.nn.norms import group_norm
from s2sgrad.eager.recording.node import named_as


def instance_norm(
    input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None,
    weight: Tensor | None = None, bias: Tensor | None = None, use_input_stats: bool = True,
    momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    """Mean 0 and variance 1 for each channel of each example (N, C, ...), then weight and bias."""
    if not use_input_stats:
        y = functional.batch_norm(input, running_mean, running_var, weight, bias, False, 0.0, eps)
        return named_as(y, "ViewBackward0")  # type: ignore[no-any-return]
    if math.prod(input.shape[2:]) == 1:
        raise ValueError("Expected more than 1 spatial element when training, got input size "
                         f"{input.size()}")  # fmt: skip
    if running_mean is not None and running_var is not None:
        with no_grad():
            rows = input.detach().reshape(input.size(0), input.size(1), -1)
            running_mean.lerp_(rows.mean(2).mean(0), momentum)
            running_var.lerp_(rows.var(2).mean(0), momentum)
    y = group_norm(input, input.size(1), weight, bias, eps)
    return named_as(y, "ViewBackward0")  # type: ignore[no-any-return]


def local_response_norm(
    input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Tensor:
    """input / (k + alpha * mean of the squares of `size` channels around each) ** beta."""
    if input.dim() < 3:
        raise ValueError("Expected 3D or higher dimensionality                          input "
                         f"(got {input.dim()} dimensions)")  # fmt: skip
    squares = input * input
    before = squares.new_zeros((squares.size(0), size // 2, *squares.shape[2:]))
    after = squares.new_zeros((squares.size(0), (size - 1) // 2, *squares.shape[2:]))
    padded = cat([before, squares, after], 1)
    total = padded.narrow(1, 0, input.size(1))
    for start in range(1, size):
        total = total + padded.narrow(1, start, input.size(1))
    return input / (total / size * alpha + k) ** beta  # type: ignore[no-any-return]
