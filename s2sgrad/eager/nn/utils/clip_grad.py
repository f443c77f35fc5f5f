"""Clip the gradients of parameters in place."""

from __future__ import annotations

import types
import warnings
from collections.abc import Iterable
from typing import Any

from s2sgrad.eager._core import Tensor, no_grad, stack, tensor

_NOT_FINITE = (
    "The total norm of order {} for gradients from `parameters` is non-finite, so it cannot be"
    " clipped. To disable this error and scale the gradients by the non-finite norm anyway, set"
    " `error_if_nonfinite=False`"
)


def _listed(parameters: Any, warn: bool = False) -> list[Tensor]:
    if isinstance(parameters, Tensor):
        return [parameters]
    generated = isinstance(parameters, types.GeneratorType)
    found = list(parameters)
    if warn and generated and not found:
        warnings.warn(
            "`parameters` is an empty generator, no gradient clipping will occur.", stacklevel=4
        )
    return found


def get_total_norm(
    tensors: Iterable[Tensor] | Tensor,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of all tensors taken as one vector; 0 for none."""
    given = _listed(tensors)
    norm_type = float(norm_type)
    if not given:
        return tensor(0.0)
    with no_grad():
        total = stack([t.norm(norm_type) for t in given]).norm(norm_type)
    if error_if_nonfinite and not bool(total.isfinite().all()):
        raise RuntimeError(_NOT_FINITE.format(norm_type))
    return total


def clip_grads_with_norm_(
    parameters: Iterable[Tensor] | Tensor,
    max_norm: float,
    total_norm: Tensor,
    foreach: bool | None = None,
) -> None:
    """Scale the gradients by max_norm / (total_norm + 1e-6), at most 1."""
    with no_grad():
        factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
        for p in _listed(parameters):
            if p.grad is not None:
                p.grad.mul_(factor.to(p.grad.dtype))


def clip_grad_norm_(
    parameters: Iterable[Tensor] | Tensor,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale all gradients so that their norm together is at most max_norm.

    Returns the norm before. Parameters without gradient are skipped.
    """
    given = _listed(parameters, warn=True)
    gradients = [p.grad for p in given if p.grad is not None]
    total = get_total_norm(gradients, norm_type, error_if_nonfinite, foreach)
    clip_grads_with_norm_(given, max_norm, total, foreach)
    return total


def clip_grad_norm(parameters: Any, max_norm: float, *args: Any, **kwargs: Any) -> Tensor:
    """The old name of `clip_grad_norm_`."""
    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of"
        " `torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(parameters, max_norm, *args, **kwargs)


def clip_grad_value_(
    parameters: Iterable[Tensor] | Tensor, clip_value: float, foreach: bool | None = None
) -> None:
    """Bring every gradient entry into [-clip_value, clip_value]."""
    bound = float(clip_value)
    with no_grad():
        for p in _listed(parameters):
            if p.grad is not None:
                p.grad.clamp_(min=-bound, max=bound)
