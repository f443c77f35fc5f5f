"""What convolutions and pools refuse, in torch's words."""

from __future__ import annotations

from typing import Any

from s2sgrad.eager._core import Tensor
from s2sgrad.eager.settings.state import STATE


def check_convolution(input: Tensor, weight: Tensor, bias: Any, options: Any) -> None:
    """options: stride, padding, dilation and groups as they were given."""
    stride, padding, dilation, groups = options
    count = weight.dim() - 2
    if input.dim() not in (count + 1, count + 2):
        raise RuntimeError(
            f"Expected {weight.dim()}-dimensional input for {weight.dim()}-dimensional weight "
            f"{list(weight.shape)}, but got {input.dim()}-dimensional input of size "
            f"{list(input.shape)} instead"
        )
    if isinstance(padding, str) and padding not in ("same", "valid"):
        raise RuntimeError(f"Invalid padding string: '{padding}'")
    for name, value in (("stride", stride), ("padding", padding), ("dilation", dilation)):
        if not isinstance(value, (int, str)) and len(value) not in (1, count):
            raise RuntimeError(
                f"expected {name} to be a single integer value or a list of {count} values to "
                f"match the convolution dimensions, but got {name}={list(value)}"
            )
    if isinstance(padding, (int, tuple, list)) and smallest(padding) < 0:
        raise RuntimeError("negative padding is not supported")
    if smallest(stride) <= 0:
        raise RuntimeError("non-positive stride is not supported")
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if weight.shape[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, "
            f"but got weight of size [{list(weight.shape)}] instead"
        )
    if smallest(dilation) <= 0:
        shown = [dilation] * count if isinstance(dilation, int) else list(dilation)
        raise RuntimeError(f"dilation should be greater than zero, but got {shown}")


def check_parameters(input: Tensor, weight: Tensor, bias: Any) -> None:
    """The bias has one number for each channel, and all have one dtype."""
    if bias is not None and tuple(bias.shape) != (weight.shape[0],):
        raise RuntimeError(
            f"Given weight of size {list(weight.shape)}, expected bias to be 1-dimensional with "
            f"{weight.shape[0]} elements, but got bias of size {list(bias.shape)} instead"
        )
    if STATE.autocast is not None:
        return
    if bias is not None and bias.dtype != input.dtype:
        kinds = [_C_NAMES.get(t.dtype.type_name, t.dtype.type_name) for t in (input, bias)]
        raise RuntimeError(f"Input type ({kinds[0]}) and bias type ({kinds[1]}) should be the same")
    if weight.dtype != input.dtype:
        raise RuntimeError(
            f"expected scalar type {input.dtype.type_name} but found {weight.dtype.type_name}"
        )


_C_NAMES = {"Float": "float", "Double": "double", "Long": "long", "Half": "c10::Half"}


def smallest(value: Any) -> int:
    """The smallest of the numbers for the axes."""
    return value if isinstance(value, int) else min(value)


def check_pool(input: Tensor, window: Any, stride: Any, dilation: Any, out: Any) -> None:
    """out: the sizes of the result, (h, w)."""
    if smallest(dilation) <= 0:
        raise RuntimeError(
            "dilation should be greater than zero, but got "
            f"dilationH: {dilation[0]} dilationW: {dilation[1]}"
        )
    if min(out) < 1:
        channels, *sizes = input.shape[1:]
        raise RuntimeError(
            f"Given input size: ({channels}x{sizes[0]}x{sizes[1]}). Calculated output size: "
            f"({channels}x{out[0]}x{out[1]}). Output size is too small"
        )


def check_steps(stride: Any) -> None:
    """A window must move."""
    if smallest(stride) == 0:
        raise RuntimeError("stride should not be zero")


def check_row_pool(input: Tensor, window: int, stride: int, padding: int, dilation: int) -> None:
    """What `max_pool1d` refuses."""
    if input.dim() not in (2, 3):
        raise RuntimeError(
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for "
            f"input, but got:{list(input.shape)}"
        )
    for name, value in (("kernel_size", window), ("stride", stride)):
        if value <= 0:
            raise RuntimeError(f"max_pool1d() {name} must be greater than zero, but got {value}")
    if 2 * padding > window:
        raise RuntimeError(
            "max_pool1d() padding should be at most half of kernel size, but got "
            f"padding={padding} and kernel_size={window}"
        )
    size = (input.shape[-1] + 2 * padding - dilation * (window - 1) - 1) // stride + 1
    if size < 1:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {max(size, 0)}")
