"""Floor 8: from the compiler to the tensors: what can't be transformed runs on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from s2sgrad.bridge.left_behind import plain_again
from s2sgrad.calls.binding import Binder, holds_no_floats

Run = Callable[..., Any]


def eager_gradient(function: Any, binder: Binder, request: Any) -> Run:
    """A stand-in for generated code: records on tensors, with the same results."""

    def run(*values: Any) -> Any:
        from s2sgrad.eager.numpy_code.tracing import holds_active, is_active

        for name in request.wrt:
            if not holds_active(binder.pick(name, values)):
                raise holds_no_floats(name)
        value, aux, pullback = _recorded(function, binder, request, values)
        if not is_active(value):
            name = getattr(function, "__name__", "the function")
            raise TypeError(
                f"grad needs a function that returns a real scalar, but {name} returns an object "
                f"of class {type(value).__name__}; use s2sgrad.vjp for other results"
            )
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

    wanted = [binder.pick(name, values) for name in request.wrt]
    call = placed(binder, request.wrt, values)
    beside = others(function, binder, request.wrt, values)
    try:
        return pull(function, wanted, call, request.aux, beside)
    finally:
        plain_again(function)


def others(
    function: Any, binder: Binder, wrt: tuple[str, ...], values: tuple[Any, ...]
) -> dict[str, Any]:
    """The arguments (and members of `*args` and `**kwargs`) that are not asked for, and arrays
    that the function reads from outside."""
    held = {n: v for n, v in zip(binder.names, values, strict=True) if n not in wrt}
    for name in wrt:
        if name in binder.members:
            parameter, key = binder.members[name]
            inside = held[parameter]
            items = inside.items() if isinstance(inside, dict) else enumerate(inside)
            held[parameter] = {k: v for k, v in items if k != key}
    code, outside = getattr(function, "__code__", None), getattr(function, "__globals__", {})
    found = {n: outside.get(n) for n in code.co_names} if code is not None else {}
    return held | {f"global {n}": a for n, a in found.items() if type(a) is np.ndarray}


def placed(
    binder: Binder, wrt: tuple[str, ...], values: tuple[Any, ...]
) -> Callable[[Any, Sequence[Any]], Any]:
    """A call of the function with the arguments `wrt` replaced by what it shall see.

    The others are copied: the function may write into them, and the caller's stay as they are.
    """

    def call(function: Any, active: Sequence[Any]) -> Any:
        from s2sgrad.eager.numpy_code.tracing import of_its_own

        held = {n: v for n, v in zip(binder.names, values, strict=True) if n not in wrt}
        given = {n: of_its_own(v, True) for n, v in held.items()}
        for name, lifted in zip(wrt, active, strict=True):
            if name not in binder.members:
                given[name] = lifted
                continue
            parameter, key = binder.members[name]
            inside = given[parameter]
            items = dict(inside) if isinstance(inside, dict) else list(inside)
            items[key] = lifted
            given[parameter] = items
        bound = binder.signature.bind_partial()
        bound.arguments.update(given)
        return function(*bound.args, **bound.kwargs)

    return call


__all__ = ["eager_gradient", "eager_pullback", "placed"]
