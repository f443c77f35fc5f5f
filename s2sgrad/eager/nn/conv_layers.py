"""Convolutions and pools as modules."""

from __future__ import annotations

import math
from typing import Any

from s2sgrad.eager._core import Tensor, as_dtype, empty, get_default_dtype
from s2sgrad.eager.nn import functional_conv as functional
from s2sgrad.eager.nn import init
from s2sgrad.eager.nn.functional_conv import each_axis
from s2sgrad.eager.nn.module import Module
from s2sgrad.eager.nn.parameter import Parameter

__all__ = ["AvgPool1d", "AvgPool2d", "Conv1d", "Conv2d", "MaxPool1d", "MaxPool2d"]


class _Conv(Module):
    """A convolution with weight (out, in / groups, window...)."""

    count = 1
    bias: Any

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
        padding: Any = 0, dilation: Any = 1, groups: int = 1, bias: bool = True,
        padding_mode: str = "zeros", device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        if padding_mode != "zeros":
            raise NotImplementedError("only padding_mode='zeros' is there: use F.pad before")
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride, self.dilation = (
            each_axis(v, self.count) for v in (kernel_size, stride, dilation)
        )
        self.padding = padding if isinstance(padding, str) else each_axis(padding, self.count)
        kind = get_default_dtype() if dtype is None else as_dtype(dtype)
        shape = (out_channels, in_channels // groups, *self.kernel_size)
        self.weight = Parameter(empty(*shape, dtype=kind))
        if bias:
            self.bias = Parameter(empty(out_channels, dtype=kind))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Uniform within 1 / sqrt(in / groups * size of the window)."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        fan_in = self.weight[0].numel()
        if self.bias is not None and fan_in:
            init.uniform_(self.bias, -1 / math.sqrt(fan_in), 1 / math.sqrt(fan_in))

    def forward(self, input: Tensor) -> Tensor:
        function = functional.conv1d if self.count == 1 else functional.conv2d
        return function(input, self.weight, self.bias, self.stride, self.padding, self.dilation,
                        self.groups)  # fmt: skip

    def extra_repr(self) -> str:
        text = (
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}"
        )
        if self.padding != (0,) * self.count:
            text += f", padding={self.padding}"
        if self.dilation != (1,) * self.count:
            text += f", dilation={self.dilation}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        return text if self.bias is not None else text + ", bias=False"


class Conv1d(_Conv):
    """A convolution along the last axis."""


class Conv2d(_Conv):
    """A convolution over the last two axes."""

    count = 2


class _MaxPool(Module):
    function: Any = staticmethod(functional.max_pool1d)

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
        return_indices: bool = False, ceil_mode: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode

    def forward(self, input: Tensor) -> Any:
        return self.function(input, self.kernel_size, self.stride, self.padding, self.dilation,
                             self.ceil_mode, self.return_indices)  # fmt: skip

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(_MaxPool):
    """The largest entries of windows along the last axis."""


class MaxPool2d(_MaxPool):
    """The largest entries of windows over the last two axes."""

    function = staticmethod(functional.max_pool2d)


class _AvgPool(Module):
    function: Any = staticmethod(functional.avg_pool1d)
    one = True

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        shown = [kernel_size, kernel_size if stride is None else stride, padding]
        if self.one:
            shown = [each_axis(v, 1) for v in shown]
        self.kernel_size, self.stride, self.padding = shown
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, input: Tensor) -> Any:
        return self.function(input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
                             self.count_include_pad)  # fmt: skip

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1d(_AvgPool):
    """The means of windows along the last axis."""


class AvgPool2d(_AvgPool):
    """The means of windows over the last two axes."""

    function = staticmethod(functional.avg_pool2d)
    one = False
