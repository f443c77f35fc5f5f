"""Floor 8: from the compiler to the tensors: what can't be transformed runs on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.calls.binding import Binder

Run = Callable[..., Any]


def eager_gradient(function: Any, binder: Binder, request: Any) -> Run:
    """A stand-in for generated code: records on tensors, with the same results."""

    def run(*values: Any) -> Any:
        value, aux, pullback = _recorded(function, binder, request, values)
        if np.ndim(value) or np.iscomplexobj(value):
            raise TypeError(
                "grad needs a function that returns a real scalar, not shape "
                f"{np.shape(value)}; use s2sgrad.vjp"
            )
        found = pullback(1.0)
        answer = found[0] if request.single else found
        if not request.value:
            return answer
        return ((value, aux) if request.aux else value), answer

    return run


def eager_pullback(function: Any, binder: Binder, request: Any) -> Run:
    """The same for `vjp`: a function that gives (value, backward, aux)."""

    def run(*values: Any) -> Any:
        value, aux, pullback = _recorded(function, binder, request, values)
        return value, pullback, aux

    return run


def _recorded(function: Any, binder: Binder, request: Any, values: tuple[Any, ...]) -> Any:
    """(value, aux, pullback) of one call, recorded for the arguments that are asked for."""
    from s2sgrad.eager.numpy_code.tracing import pull

    def call(recording: Any, active: list[Any]) -> Any:
        """The function with the active arguments replaced by what it shall see."""
        placed = dict(zip(binder.names, values, strict=True))
        for name, lifted in zip(request.wrt, active, strict=True):
            if name not in binder.members:
                placed[name] = lifted
                continue
            parameter, key = binder.members[name]
            inside = placed[parameter]
            items = dict(inside) if isinstance(inside, dict) else list(inside)
            items[key] = lifted
            placed[parameter] = items
        bound = binder.signature.bind_partial()
        bound.arguments.update(placed)
        return recording(*bound.args, **bound.kwargs)

    wanted = [binder.pick(name, values) for name in request.wrt]
    return pull(function, wanted, call, request.aux, values)


__all__ = ["eager_gradient", "eager_pullback"]
