"""Activation functions of tensors. `inplace=True` writes the result into the input."""

from __future__ import annotations

import warnings
from typing import Any

from s2sgrad.eager._core import Tensor, rand_like, sigmoid, tanh, zeros_like
from s2sgrad.eager.nn import activation_kernels as kernels
from s2sgrad.eager.nn import layer_kernels
from s2sgrad.eager.nn.argument_checks import check_slopes
from s2sgrad.eager.operations.shaping import axis_of
from s2sgrad.eager.tensors.inplace import check_inplace, stand_in, write

__all__ = ["sigmoid", "tanh"]

_SELU_ALPHA = 1.6732632423543772
_SELU_SCALE = 1.0507009873554805


def _applied(function: Any, input: Tensor, inplace: bool, *options: Any) -> Tensor:
    """`function(input, *options)`, written into the input if asked to."""
    if not inplace:
        return function(input, *options)
    check_inplace(input)
    return write(input, function(stand_in(input, True), *options))


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """max(input, 0); its derivative at 0 is 0."""
    return input.relu_() if inplace else input.relu()


def relu_(input: Tensor) -> Tensor:
    """`relu`, in place."""
    return input.relu_()


def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """input times the normal distribution function; `approximate="tanh"` is cheaper."""
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return (kernels.gelu_tanh if approximate == "tanh" else kernels.gelu_exact)(input)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """input * sigmoid(input)."""
    return _applied(kernels.silu, input, inplace)


def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """log(1 + exp(beta input)) / beta; the identity where beta input > threshold."""
    return kernels.softplus(input, beta, threshold)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """input, or alpha (exp(input) - 1) where it is negative."""
    return _applied(kernels.elu, input, inplace, alpha)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """`elu` with the self-normalizing constants."""
    return _applied(kernels.elu, input, inplace, _SELU_ALPHA, _SELU_SCALE)


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """input, or alpha (exp(input / alpha) - 1) where it is negative."""
    return _applied(kernels.celu, input, inplace, alpha)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """input, or negative_slope * input where it is negative."""
    return _applied(kernels.leaky_relu, input, inplace, negative_slope)


def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """`leaky_relu` with a learned slope: one, or one for each channel (axis 1)."""
    check_slopes(input, weight)
    if weight.numel() != 1:
        shape = [1] * input.dim()
        shape[1 if input.dim() > 1 else 0] = weight.numel()
        weight = weight.reshape(shape)
    return kernels.prelu(input, weight)


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """input between two bounds."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if input._array.dtype.kind in "iubc":
        return _of_integers(input, min_val, max_val, inplace)
    return _applied(kernels.hardtanh, input, inplace, min_val, max_val)


def _of_integers(input: Tensor, low: float, high: float, inplace: bool) -> Tensor:
    """`hardtanh` of whole numbers, which stay whole."""
    kind = input._array.dtype.kind
    if kind == "b":
        raise RuntimeError("Bool inputs not supported for hardtanh")
    if kind == "u" and low < 0:
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    bounds = (low, high) if kind == "c" else (int(low), int(high))
    cut = input.clamp_(*bounds) if inplace else input.clamp(*bounds)  # type: ignore[attr-defined]
    return cut  # type: ignore[no-any-return]


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """`hardtanh` between 0 and 6."""
    return hardtanh(input, 0.0, 6.0, inplace)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """(input + 3) / 6 between 0 and 1."""
    return _applied(kernels.hardsigmoid, input, inplace)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """input * hardsigmoid(input)."""
    return _applied(kernels.hardswish, input, inplace)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """input * tanh(softplus(input))."""
    return _applied(kernels.mish, input, inplace)


def logsigmoid(input: Tensor) -> Tensor:
    """log(sigmoid(input)), stable."""
    return kernels.logsigmoid(input)


def softsign(input: Tensor) -> Tensor:
    """input / (1 + |input|)."""
    return input / (input.abs() + 1)


def tanhshrink(input: Tensor) -> Tensor:
    """input - tanh(input)."""
    return input - input.tanh()


def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """input moved towards 0 by lambd."""
    if lambd < 0:
        raise RuntimeError(f"lambda must be greater or equal to 0, but found to be {lambd:g}.")
    return kernels.softshrink(input, lambd)


def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """input, or 0 where |input| <= lambd."""
    return kernels.hardshrink(input, lambd)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """input, or `value` where it is not above the threshold."""
    return _applied(kernels.threshold, input, inplace, threshold, value)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half along dim times the sigmoid of the second."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    dim = axis_of(dim, input.dim())
    if input.size(dim) % 2:
        raise RuntimeError(
            f"Halving dimension must be even, but dimension {dim} is size {input.size(dim)}"
        )
    return kernels.glu(input, dim)


def _dimension(name: str, dim: int | None, ndim: int) -> int:
    if dim is not None:
        return axis_of(dim, ndim)
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include"
        " dim=X as an argument.",
        stacklevel=3,
    )
    return 0 if ndim in (0, 1, 3) else 1


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """exp(input) / sum(exp(input)) along dim."""
    dim = _dimension("softmax", dim, input.dim())
    return layer_kernels.softmax(input if dtype is None else input.to(dtype), dim)


def softmin(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """`softmax` of -input."""
    dim = _dimension("softmin", dim, input.dim())
    return layer_kernels.softmax(-input if dtype is None else (-input).to(dtype), dim)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
) -> Tensor:
    """log(softmax(input)), stable."""
    dim = _dimension("log_softmax", dim, input.dim())
    return layer_kernels.log_softmax(input if dtype is None else input.to(dtype), dim)


def gumbel_softmax(
    logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """A random softmax; `hard` gives one-hot values with the soft gradient."""
    noise = -(-rand_like(logits).clamp(min=1e-20).log()).log()
    soft = softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    index = soft.detach().argmax(dim, keepdim=True)
    one = zeros_like(soft).scatter_(dim, index, 1.0)
    return one - soft.detach() + soft
