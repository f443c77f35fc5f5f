"""Forward mode of what can't be transformed, on dynamic-graph tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.calls.binding import Binder


def eager_forward(function: Any, binder: Binder, wrt: tuple[str, ...]) -> Callable[..., Any]:
    """A stand-in for generated code: `(arguments, tangents of wrt) -> (y, y_dot)`.

    The reverse sweep is linear in the cotangent of y, so its own transpose, taken by a second
    reverse sweep, pushes tangents forward. It runs the function twice.
    """

    def run(*given: Any) -> tuple[Any, Any]:
        from s2sgrad.eager.numpy_code.relocated import relocated
        from s2sgrad.eager.numpy_code.tracing import is_active, mapped, vjp

        values, dots = given[: len(binder.names)], given[len(binder.names) :]
        chosen = [binder.pick(n, values) for n in wrt]

        traced = relocated(function)  # `vjp` below sees `call` only

        def call(*wanted: Any) -> Any:
            args, kwargs = _replaced(binder, values, wrt, wanted)
            return traced(*args, **kwargs)

        args, kwargs = _replaced(binder, values, wrt, tuple(chosen))
        y = function(*args, **kwargs)
        zeros = mapped(y, lambda leaf: np.zeros_like(leaf)[()] if is_active(leaf) else leaf)

        def transposed(y_bar: Any, *wanted: Any) -> Any:
            return vjp(call, *wanted)[1](y_bar)

        _, back = vjp(transposed, zeros, *chosen)
        return y, back(tuple(dots))[0]

    return run


def _replaced(
    binder: Binder, values: tuple[Any, ...], wrt: tuple[str, ...], wanted: tuple[Any, ...]
) -> Any:
    """The call's arguments with those of `wrt` replaced."""
    placed = dict(zip(binder.names, values, strict=True))
    for name, value in zip(wrt, wanted, strict=True):
        if name not in binder.members:
            placed[name] = value
            continue
        parameter, key = binder.members[name]
        items: Any = (
            dict(placed[parameter])
            if isinstance(placed[parameter], dict)
            else list(placed[parameter])
        )
        items[key] = value
        placed[parameter] = items
    bound = binder.signature.bind_partial()
    bound.arguments.update(placed)
    return bound.args, bound.kwargs


__all__ = ["eager_forward"]
