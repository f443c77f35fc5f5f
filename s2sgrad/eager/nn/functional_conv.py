"""Convolutions and pools of tensors, over one axis and over two."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from s2sgrad.eager._core import Tensor, wrap
from s2sgrad.eager.nn import conv_kernels as kernels
from s2sgrad.eager.nn.window_checks import (
    check_convolution,
    check_parameters,
    check_pool,
    check_row_pool,
    check_steps,
)

UNEVEN = (
    "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy "
    "of the input be created"
)


def each_axis(value: Any, count: int) -> tuple[int, ...]:
    """One number for all axes, or one for each."""
    if isinstance(value, int):
        return (value,) * count
    return tuple(value) * count if len(value) == 1 else tuple(value)


def _convolution(
    count: int, input: Tensor, weight: Tensor, bias: Any, stride: Any, padding: Any,
    dilation: Any, groups: int,
) -> Tensor:  # fmt: skip
    """`conv1d` and `conv2d`: the input may have no batch axis."""
    if input.dim() not in (count + 1, count + 2):
        raise RuntimeError(
            f"Expected {count + 1}D (unbatched) or {count + 2}D (batched) input to conv{count}d, "
            f"but got input of size: {list(input.shape)}"
        )
    if weight.dim() > 2:
        check_convolution(input, weight, bias, (stride, padding, dilation, groups))
    if input.dim() == count + 1:
        whole = _convolution(count, input.unsqueeze(0), weight, bias, stride, padding,  # type: ignore[attr-defined]
                             dilation, groups)  # fmt: skip
        return whole.squeeze(0)  # type: ignore[no-any-return, attr-defined]
    stride, dilation = each_axis(stride, count), each_axis(dilation, count)
    window = tuple(weight.shape[2:])
    input, margins = _margins(input, window, stride, padding, dilation)
    _check(input, weight, margins, dilation, groups)
    check_parameters(input, weight, bias)
    options = (stride, margins, dilation, groups)
    if bias is None:
        return kernels.conv(input, weight, *options)  # type: ignore[no-any-return]
    return kernels.conv_bias(input, weight, bias, *options)  # type: ignore[no-any-return]


def _margins(
    input: Tensor, window: Any, stride: Any, padding: Any, dilation: Any
) -> tuple[Tensor, tuple[int, ...]]:
    """The margins in numbers; the input with one more entry where they are not the same."""
    count = len(window)
    if padding == "valid":
        return input, (0,) * count
    if padding != "same":
        return input, each_axis(padding, count)
    if any(s != 1 for s in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    total = [d * (k - 1) for d, k in zip(dilation, window, strict=True)]
    if any(n % 2 for n in total):
        warnings.warn(UNEVEN, stacklevel=4)
        from s2sgrad.eager.nn.functional import pad

        input = pad(input, [m for n in reversed(total) for m in (0, n % 2)])
    return input, tuple(n // 2 for n in total)


def _check(input: Tensor, weight: Tensor, margins: Any, dilation: Any, groups: int) -> None:
    """The channels must agree, and a window must fit."""
    if input.shape[1] != weight.shape[1] * groups:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {list(weight.shape)}, expected "
            f"input{list(input.shape)} to have {weight.shape[1] * groups} channels, but got "
            f"{input.shape[1]} channels instead"
        )
    sizes = [n + 2 * p for n, p in zip(input.shape[2:], margins, strict=True)]
    spans = [d * (k - 1) + 1 for d, k in zip(dilation, weight.shape[2:], strict=True)]
    if any(n < s for n, s in zip(sizes, spans, strict=True)):
        raise RuntimeError(
            f"Calculated padded input size per channel: ({' x '.join(map(str, sizes))}). Kernel "
            f"size: ({' x '.join(map(str, spans))}). Kernel size can't be greater than actual "
            "input size"
        )


def conv1d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0,
    dilation: Any = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """input (batch, in, n) with weight (out, in / groups, k)."""
    return _convolution(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0,
    dilation: Any = 1, groups: int = 1,
) -> Tensor:  # fmt: skip
    """input (batch, in, h, w) with weight (out, in / groups, kh, kw)."""
    return _convolution(2, input, weight, bias, stride, padding, dilation, groups)


def max_pool2d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> Any:  # fmt: skip
    """The largest entry of each window."""
    if input.dim() not in (3, 4):
        raise RuntimeError("non-empty 3D or 4D (batch mode) tensor expected for input")
    if input.dim() == 3:
        found = max_pool2d(input.unsqueeze(0), kernel_size, stride, padding, dilation,  # type: ignore[attr-defined]
                           ceil_mode, True)  # fmt: skip
        pair = tuple(t.squeeze(0) for t in found)
        return pair if return_indices else pair[0]
    window = each_axis(kernel_size, 2)
    stride = window if stride is None or stride == () else stride
    options = [each_axis(v, 2) for v in (stride, padding, dilation)]
    check_steps(options[0])
    _half_at_most(window, options[1])
    if ceil_mode:
        options[1] = kernels.rounded_up(input.shape[2:], window, *options)
    check_pool(input, window, options[0], options[2],
               kernels.out_sizes(input.shape[2:], window, *options))  # fmt: skip
    index = kernels.largest(input._array, window, *options)
    values = kernels.picked(input, index)
    return (values, wrap(index)) if return_indices else values


def max_pool1d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> Any:  # fmt: skip
    """The largest entry of each window along the last axis."""
    steps = None if stride is None else (1, *each_axis(stride, 1))
    window, margins = (1, *each_axis(kernel_size, 1)), (0, *each_axis(padding, 1))
    last = (steps or window)[-1]
    check_row_pool(input, window[1], last, margins[1], each_axis(dilation, 1)[0])
    lifted = input.unsqueeze(-2)  # type: ignore[attr-defined]
    apart = (1, *each_axis(dilation, 1))
    found = max_pool2d(lifted, window, steps, margins, apart, ceil_mode, True)
    pair = tuple(t.squeeze(-2) for t in found)
    return pair if return_indices else pair[0]


def avg_pool2d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0,
    ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: Any = None,
) -> Tensor:  # fmt: skip
    """The mean of each window."""
    if input.dim() == 2:
        raise IndexError("Dimension out of range (expected to be in range of [-2, 1], but got -3)")
    if input.dim() == 3:
        whole = avg_pool2d(input.unsqueeze(0), kernel_size, stride, padding, ceil_mode,  # type: ignore[attr-defined]
                           count_include_pad, divisor_override)  # fmt: skip
        return whole.squeeze(0)  # type: ignore[no-any-return, attr-defined]
    window = each_axis(kernel_size, 2)
    stride = window if stride is None or stride == () else stride
    steps, margins = each_axis(stride, 2), each_axis(padding, 2)
    check_steps(steps)
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    _half_at_most(window, margins)
    counts: Any = divisor_override or window[0] * window[1]
    whole_margins: Any = margins
    if ceil_mode:
        whole_margins = kernels.rounded_up(input.shape[2:], window, steps, margins, (1, 1))
    out = kernels.out_sizes(input.shape[2:], window, steps, whole_margins, (1, 1))
    check_pool(input, window, steps, (1, 1), out)
    if (ceil_mode or not count_include_pad) and divisor_override is None:
        inside = np.ones((1, 1, *input.shape[2:]))
        around = kernels.padded(inside, margins, 1.0 if count_include_pad else 0.0)
        pairs = zip(kernels.sides(whole_margins), margins, strict=True)
        beyond = tuple((0, b - p) for (_, b), p in pairs)
        counts = kernels._mean_pool(around, window, steps, beyond, 1)
    return kernels.mean_pool(input, window, steps, whole_margins, counts)  # type: ignore[no-any-return]


def avg_pool1d(
    input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0,
    ceil_mode: bool = False, count_include_pad: bool = True,
) -> Tensor:  # fmt: skip
    """The mean of each window along the last axis."""
    if input.dim() not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {input.dim()}-dimensional tensor for argument #1 "
            "'self' (while checking arguments for avg_pool1d)"
        )
    steps = None if stride is None else (1, *each_axis(stride, 1))
    window, margins = (1, *each_axis(kernel_size, 1)), (0, *each_axis(padding, 1))
    lifted = input.unsqueeze(-2)  # type: ignore[attr-defined]
    found: Any = avg_pool2d(lifted, window, steps, margins, ceil_mode, count_include_pad)
    return found.squeeze(-2)  # type: ignore[no-any-return]


def _half_at_most(window: Any, margins: Any) -> None:
    if any(2 * p > k for p, k in zip(margins, window, strict=True)):
        raise RuntimeError(
            f"pad should be at most half of effective kernel size, but got pad={max(margins)}, "
            f"kernel_size={max(window)} and dilation=1"
        )
