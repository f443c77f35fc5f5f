"""The reentrant checkpoint: one node that runs a backward pass inside its backward."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from s2sgrad.eager._core import (
    Function,
    Tensor,
    backward,
    enable_grad,
    is_checkpoint_valid,
    no_grad,
)
from s2sgrad.eager.utils.checkpoint_random import Surroundings

_WITH_GRAD = (
    "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an"
    " `inputs` parameter to .backward(). To resolve this error, you can either set"
    " use_reentrant=False, or call .backward() without passing the `inputs` argument."
)


def warn_without_gradient(inputs: Iterable[Any]) -> None:
    """Warn when no input requires grad: parameters then get no gradients either."""
    if not any(isinstance(x, Tensor) and x.requires_grad for x in inputs):
        warnings.warn(
            "None of the inputs have requires_grad=True. Gradients will be None", stacklevel=4
        )


class CheckpointFunction(Function):
    """`apply(function, preserve_rng_state, *args)`."""

    @staticmethod
    def forward(ctx: Any, function: Callable[..., Any], preserve: bool, *args: Any) -> Any:
        warn_without_gradient(args)
        ctx.run_function = function
        ctx.surroundings = Surroundings(preserve)
        ctx.tensor_positions = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        ctx.others = [None if isinstance(a, Tensor) else a for a in args]
        ctx.save_for_backward(*(args[i] for i in ctx.tensor_positions))
        with no_grad():
            return function(*args)

    @staticmethod
    def backward(ctx: Any, *y_bars: Any) -> Any:
        if not is_checkpoint_valid():
            raise RuntimeError(_WITH_GRAD)
        inputs = list(ctx.others)
        for position, saved in zip(ctx.tensor_positions, ctx.saved_tensors, strict=True):
            inputs[position] = saved.detach().requires_grad_(saved.requires_grad)
        with ctx.surroundings.restored(), enable_grad():
            outputs = ctx.run_function(*inputs)
        outputs = (outputs,) if isinstance(outputs, Tensor) else outputs
        pairs = [
            (y, y_bar)
            for y, y_bar in zip(outputs, y_bars, strict=True)
            if isinstance(y, Tensor) and y.requires_grad
        ]
        if not pairs:
            raise RuntimeError(
                "none of output has requires_grad=True, this checkpoint() is not necessary"
            )
        tracked, cotangents = zip(*pairs, strict=True)
        backward(tracked, cotangents)
        return None, None, *(x.grad if isinstance(x, Tensor) else None for x in inputs)
