"""`gradcheck` and `gradgradcheck`: analytical gradients against central differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.eager._core import Tensor, enable_grad, grad, tensor
from s2sgrad.eager.autograd import gradcheck_jacobians as jacobians
from s2sgrad.eager.autograd.gradcheck_behaviour import (
    check_batched,
    check_batched_forward,
    check_scales_with_cotangent,
    check_undefined,
    check_undefined_forward,
)
from s2sgrad.eager.autograd.gradcheck_compare import (
    Settings,
    check_constant,
    check_forward,
    check_inputs,
    check_reverse,
)
from s2sgrad.eager.autograd.gradcheck_errors import GradcheckError
from s2sgrad.eager.autograd.gradcheck_jacobians import as_tuple, differentiable, is_checked

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]

Function = Callable[..., Any]


def gradcheck(
    func: Function,
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compare the gradients of `func` at `inputs` with central differences.

    Inputs that require grad should be double or cdouble. `fast_mode` compares one random
    projection of the Jacobian in place of all of it. `masked` speaks of sparse tensors only and
    changes nothing here. Returns True; on a difference raises GradcheckError, or returns False
    with `raise_exception=False`.
    """
    _check_switches(
        check_forward_ad, check_backward_ad, check_batched_grad, check_batched_forward_grad
    )
    how = Settings(eps, atol, rtol, nondet_tol, check_grad_dtypes, fast_mode)
    args = as_tuple(inputs)
    try:
        check_inputs(args)
        outputs = differentiable(func(*args))
        if not outputs:
            return check_constant(func, args, how)
        if check_backward_ad:
            check_reverse(func, args, outputs, how)
        if check_forward_ad:
            check_forward(func, args, how)
            if check_undefined_grad:
                check_undefined_forward(func, args)
        if check_batched_forward_grad:
            check_batched_forward(func, args)
        if not check_backward_ad:
            return True
        for index, y in enumerate(outputs):
            if check_batched_grad:
                check_batched(args, y, index)
        check_scales_with_cotangent(outputs, args)
        if check_undefined_grad:
            check_undefined(func, outputs, args)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _check_switches(forward: bool, backward: bool, batched: bool, batched_forward: bool) -> None:
    if not (forward or backward):
        raise AssertionError(
            "Expected at least one of check_forward_ad or check_backward_ad to be True"
        )
    if batched and not backward:
        raise AssertionError(
            "Setting check_batched_grad=True requires check_backward_ad to be True"
        )
    if batched_forward and not forward:
        raise AssertionError(
            "Setting check_batched_forward_grad=True requires check_forward_ad to be True"
        )


def gradgradcheck(
    func: Function,
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """`gradcheck` of the gradient: second derivatives against central differences of the first.

    `grad_outputs` are random when not given (`gen_non_contig_grad_outputs`: in strided memory).
    """
    _check_second_switches(
        check_fwd_over_rev, check_rev_over_rev, check_undefined_grad, check_batched_grad
    )
    args = as_tuple(inputs)
    if grad_outputs is None:
        outputs = differentiable(func(*args))
        cotangents = tuple(_random_like(y, gen_non_contig_grad_outputs) for y in outputs)
    else:
        cotangents = as_tuple(grad_outputs)
    return gradcheck(
        _gradient_of(func, args),
        args + cotangents,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        fast_mode=fast_mode,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        masked=masked,
    )


def _gradient_of(func: Function, args: tuple[Any, ...]) -> Function:
    """The gradient of `func` as a function of its inputs, then the cotangents of its outputs."""
    checked = [is_checked(x) for x in args]

    def gradient(*values: Any) -> tuple[Tensor, ...]:
        xs, y_bars = values[: len(args)], values[len(args) :]
        wrt = tuple(x for x, wanted in zip(xs, checked, strict=True) if wanted)
        with enable_grad():
            for x in wrt:
                if not x.requires_grad:  # forward mode hands in detached duals
                    x.requires_grad_()
            ys = differentiable(func(*xs))
            found = grad(ys, wrt, y_bars, create_graph=True, allow_unused=True)
        return tuple(x_bar for x_bar in found if x_bar is not None)

    return gradient


def _check_second_switches(forward: bool, reverse: bool, undefined: bool, batched: bool) -> None:
    if not (forward or reverse):
        raise AssertionError(
            "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True"
        )
    if undefined and not reverse:
        raise AssertionError(
            "Setting check_undefined_grad=True requires check_rev_over_rev to be True"
        )
    if batched and not reverse:
        raise AssertionError(
            "Setting check_batched_grad=True requires check_rev_over_rev to be True"
        )


def _random_like(y: Tensor, strided: bool) -> Tensor:
    """A tracked random cotangent for y."""
    rng = np.random.default_rng()
    dtype = jacobians.raw(y).dtype
    numbers = rng.standard_normal((*y.shape, 2))
    entries = numbers[..., 0] + (1j * numbers[..., 1] if y.is_complex() else 0.0)
    made = np.array(entries).astype(dtype)
    if not strided or made.ndim == 0:
        return tensor(made, dtype=y.dtype, requires_grad=True)
    wide = tensor(np.repeat(made, 2, axis=-1), dtype=y.dtype)
    return wide[..., ::2].requires_grad_()
