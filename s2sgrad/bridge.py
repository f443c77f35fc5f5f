"""Floor 8: from the compiler to the tensors: what can't be transformed runs on them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.errors import S2sgradError


def eager_gradient(derivative: Any, reason: S2sgradError) -> Callable[..., Any]:
    """A stand-in for generated code: records on tensors, with the same results."""
    warnings.warn(
        f"{getattr(derivative.function, '__name__', 'f')} runs on dynamic-graph tensors, "
        f"because it can't be transformed:\n{reason}",
        stacklevel=4,
    )
    request, names = derivative.request, derivative.binder.names

    def run(*values: Any) -> Any:
        from s2sgrad import eager

        leaves: list[Any] = []
        placed = [_lift(v, leaves, eager) if n in request.wrt else v for n, v in zip(names, values, strict=True)]
        bound = derivative.binder.signature.bind_partial()
        bound.arguments.update(zip(names, placed, strict=True))
        result = derivative.function(*bound.args, **bound.kwargs)
        value, aux = result if request.aux else (result, None)
        if not isinstance(value, eager.Tensor):
            value = eager.tensor(value)
        if value.ndim or value.dtype.is_complex:
            raise TypeError(f"grad needs a function that returns a real scalar, not shape {tuple(value.shape)}; use s2sgrad.vjp")
        grads = eager.autograd.grad(value, leaves, allow_unused=True) if value.requires_grad and leaves else [None] * len(leaves)
        found = iter(grads)
        chosen = [_lower(v, found) for n, v in zip(names, values, strict=True) if n in request.wrt]
        order = [n for n in names if n in request.wrt]
        chosen = [chosen[order.index(n)] for n in request.wrt]
        answer = chosen[0] if request.single else tuple(chosen)
        if not request.value:
            return answer
        plain = value.detach().numpy()[()]
        return ((plain, _plain(aux, eager)) if request.aux else plain), answer

    return run


def _plain(value: Any, eager: Any) -> Any:
    if isinstance(value, eager.Tensor):
        return value.detach().numpy()
    if isinstance(value, list | tuple):
        return type(value)(_plain(v, eager) for v in value)
    return {k: _plain(v, eager) for k, v in value.items()} if isinstance(value, dict) else value


def _is_leaf(value: Any) -> bool:
    return isinstance(value, float | complex | np.ndarray | np.generic) and np.asarray(value).dtype.kind in "fc"


def _lift(value: Any, leaves: list[Any], eager: Any) -> Any:
    """The argument with its floats as tensors that record."""
    if _is_leaf(value):
        leaf = eager.tensor(np.array(value), requires_grad=True)
        leaves.append(leaf)
        return leaf
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_lift(v, leaves, eager) for v in value))
    if isinstance(value, list | tuple):
        return type(value)(_lift(v, leaves, eager) for v in value)
    if isinstance(value, dict):
        return {k: _lift(v, leaves, eager) for k, v in value.items()}
    if hasattr(value, "__dict__") and not callable(value):
        made = object.__new__(type(value))
        for k, v in vars(value).items():
            object.__setattr__(made, k, _lift(v, leaves, eager))
        return made
    return value


def _lower(value: Any, grads: Any) -> Any:
    """The gradients in the argument's structure, as arrays and floats."""
    if _is_leaf(value):
        grad = next(grads)
        if grad is None:
            return np.zeros_like(value)[()] if isinstance(value, np.ndarray | np.generic) else type(value)(0)
        plain = grad.detach().numpy().astype(np.asarray(value).dtype, copy=False)
        return plain if isinstance(value, np.ndarray) else plain[()]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_lower(v, grads) for v in value))
    if isinstance(value, list | tuple):
        return type(value)(_lower(v, grads) for v in value)
    if isinstance(value, dict):
        return {k: _lower(v, grads) for k, v in value.items()}
    if hasattr(value, "__dict__") and not callable(value):
        made = object.__new__(type(value))
        for k, v in vars(value).items():
            object.__setattr__(made, k, _lower(v, grads))
        return made
    return None
