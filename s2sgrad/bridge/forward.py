"""Forward mode of what can't be transformed, on dynamic-graph tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.bridge.left_behind import plain_again
from s2sgrad.bridge.reverse import others, placed
from s2sgrad.calls.binding import Binder
from s2sgrad.calls.draws import Draws


def eager_forward(function: Any, binder: Binder, wrt: tuple[str, ...]) -> Callable[..., Any]:
    """A stand-in for generated code: `(arguments, tangents of wrt) -> (y, y_dot)`.

    The reverse sweep is linear in the cotangent of y, so its own transpose, taken by a second
    reverse sweep, pushes tangents forward. It runs the function twice.
    """

    def run(*given: Any) -> tuple[Any, Any]:
        values, dots = given[: len(binder.names)], given[len(binder.names) :]
        y, push = eager_linear(function, binder, wrt, values)
        return y, push(*dots)

    return run


def eager_linear(
    function: Any, binder: Binder, wrt: tuple[str, ...], values: tuple[Any, ...]
) -> tuple[Any, Callable[..., Any]]:
    """The value, and what takes the tangents of wrt to its tangent; both are recorded now."""
    from s2sgrad.eager.numpy_code.tracing import is_active, mapped, pull, vjp

    wanted = [binder.pick(n, values) for n in wrt]
    call, beside = placed(binder, wrt, values), others(function, binder, wrt, values)
    draws = Draws(function, values)

    def recorded(active: Any) -> Any:
        draws.again()
        return pull(function, active, call, False, beside)

    y = recorded(wanted)[0]
    counts: list[bool] = []  # of each number and array in the result: whether it has a cotangent
    mapped(y, lambda leaf: counts.append(is_active(leaf)), True)
    point = mapped(y, _one, True)

    def transposed(y_bar: Any, *active: Any) -> Any:
        places = iter(counts)
        bars = mapped(y_bar, lambda leaf: leaf if next(places) else None, True)
        return recorded(active)[2](bars)

    _, back = vjp(transposed, point, *wanted)
    plain_again(function)
    return y, lambda *dots: back(dots)[0]


def _one(leaf: Any) -> Any:
    """A cotangent for one number or array of a result; whole numbers have one too, as in code.

    What a sweep gives is linear in it. Not zero: that says of a branch that it was not taken.
    """
    kind = leaf.dtype if hasattr(leaf, "dtype") else np.asarray(leaf).dtype
    if isinstance(leaf, int) or kind.kind not in "biufc":
        return 1.0 if isinstance(leaf, int) else leaf
    return np.ones_like(leaf, float if kind.kind in "biu" else kind)[()]


__all__ = ["eager_forward", "eager_linear"]
