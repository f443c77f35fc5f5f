"""What `gradcheck` asks beyond right numbers: zero, undefined and batched cotangents."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2sgrad.eager._core import Function as CustomFunction
from s2sgrad.eager._core import Tensor, grad, stack, tensor, zeros_like
from s2sgrad.eager.autograd import gradcheck_jacobians as jacobians
from s2sgrad.eager.autograd import gradcheck_texts as texts
from s2sgrad.eager.autograd.gradcheck_errors import GradcheckError
from s2sgrad.eager.autograd.gradcheck_jacobians import as_tuple, differentiable, is_checked

Function = Callable[..., Any]
_NO_INPUT = "no Tensors requiring grad found in input"


class _Undefined(CustomFunction):
    """The identity, whose backward passes on an undefined cotangent."""

    _internal = True

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, y_bar: Tensor) -> None:
        return None


def _checked(args: Sequence[Any]) -> list[Tensor]:
    found = [x for x in args if is_checked(x)]
    if not found:
        raise GradcheckError(_NO_INPUT)
    return found


def check_scales_with_cotangent(outputs: Sequence[Tensor], args: Sequence[Any]) -> None:
    """A zero cotangent must give zero gradients of the right kind."""
    checked = _checked(args)
    zeros = tuple(zeros_like(y) for y in outputs)
    found = grad(tuple(outputs), checked, zeros, retain_graph=True, allow_unused=True)
    for x_bar, x in zip(found, checked, strict=True):
        if x_bar is None:
            continue
        if np.any(jacobians.raw(x_bar) != 0):
            raise GradcheckError("backward not multiplied by grad_output")
        if x_bar.dtype != x.dtype:
            raise GradcheckError("grad is incorrect type")
        if x_bar.size() != x.size():
            raise GradcheckError("grad is incorrect size")


def check_undefined(func: Function, outputs: Sequence[Tensor], args: Sequence[Any]) -> None:
    """A backward must take undefined cotangents for zeros: all of them, or all but one."""
    checked = _checked(args)
    _undefined(differentiable(func(*args)), checked, keep=None)
    if len(outputs) > 1:
        for index in range(len(outputs)):
            _undefined(differentiable(func(*args)), checked, keep=index)


def _undefined(outputs: Sequence[Tensor], checked: Sequence[Tensor], keep: int | None) -> None:
    """Pull back where only output `keep` has a cotangent, of zeros."""
    cut = tuple(y if i == keep else _Undefined.apply(y) for i, y in enumerate(outputs))
    zeros = tuple(zeros_like(y) for y in cut)
    try:
        found = grad(cut, checked, zeros, allow_unused=True)
    except RuntimeError as error:
        warnings.warn(texts.UNDEFINED_WARNING, stacklevel=5)
        raise GradcheckError(texts.UNDEFINED_UNHANDLED) from error
    for x_bar in found:
        if x_bar is not None and np.any(jacobians.raw(x_bar) != 0):
            warnings.warn(texts.UNDEFINED_WARNING, stacklevel=5)
            raise GradcheckError(texts.UNDEFINED_NOT_ZERO)


def check_undefined_forward(func: Function, args: Sequence[Any]) -> None:
    """An input without tangent must count as one with a zero tangent."""
    for index, x in enumerate(args):
        if not is_checked(x):
            continue
        for part in jacobians.pushed(func, args, index, zeros_like(x).detach()):
            if part.tangent is not None and np.any(jacobians.raw(part.tangent) != 0):
                raise GradcheckError(
                    "Mismatch in tangent values for output with a zero tangent of input "
                    f"{index}: got {part.tangent}"
                )


def check_batched(args: Sequence[Any], y: Tensor, output: int) -> None:
    """Two cotangents in one batch must give what they give one by one."""
    checked = _checked(args)
    rng = np.random.default_rng(0)
    dtype = jacobians.raw(y).dtype
    y_bars = [
        tensor(np.array(rng.standard_normal(tuple(y.shape))).astype(dtype), dtype=y.dtype)
        for _ in range(2)
    ]
    singly = [jacobians.pull(y, checked, y_bar) for y_bar in y_bars]
    try:
        batch = grad(
            y, checked, stack(y_bars), retain_graph=True, allow_unused=True, is_grads_batched=True
        )
    except RuntimeError as error:
        advice = texts.batched_advice(False)
        message = f"While computing batched gradients, got: {error}\n\n{advice}"
        raise GradcheckError(message) from error
    for index, together in enumerate(batch):
        _same(together, [row[index] for row in singly], (output, index), forward=False)


def check_batched_forward(func: Function, args: Sequence[Any]) -> None:
    """Two tangents must add up: the sum of two gives the sum of their results."""
    rng = np.random.default_rng(0)
    for index, x in enumerate(args):
        if not is_checked(x):
            continue
        dtype = jacobians.raw(x).dtype
        x_dots = [
            tensor(np.array(rng.standard_normal(tuple(x.shape))).astype(dtype), dtype=x.dtype)
            for _ in range(2)
        ]
        first, second = (jacobians.pushed(func, args, index, x_dot) for x_dot in x_dots)
        both = jacobians.pushed(func, args, index, x_dots[0] + x_dots[1])
        for k, (a, b, c) in enumerate(zip(first, second, both, strict=True)):
            if c.tangent is None:
                continue
            wanted = jacobians.raw(a.tangent) + jacobians.raw(b.tangent)
            if not np.allclose(jacobians.raw(c.tangent), wanted):
                message = texts.batched_mismatch(c.tangent, tensor(wanted), (k, index), True)
                raise GradcheckError(message)


def _same(
    together: Tensor | None, singly: Sequence[Tensor | None], where: tuple[int, int], forward: bool
) -> None:
    given = [x_bar for x_bar in as_tuple(singly) if x_bar is not None]
    if together is None and not given:
        return
    wanted = stack(given)
    if together is None or not np.allclose(jacobians.raw(together), jacobians.raw(wanted)):
        raise GradcheckError(texts.batched_mismatch(together, wanted, where, forward))
