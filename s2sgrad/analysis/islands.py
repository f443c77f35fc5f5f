"""Floor 3: calls of functions that can't be transformed: they run on dynamic-graph tensors.

In generated code an island is `y, y_pullback = eager_vjp(f, x)`, and in its reverse sweep
`(x_bar,) = y_pullback(y_bar)`; in forward mode `y, y_dot = eager_jvp(f, (x,), (x_dot,))`. What
runs islands comes from above: each of the functions has an attribute `__s2sgrad_island__`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from s2sgrad.ir import nodes

Function = Callable[..., Any]


@dataclass(frozen=True)
class IslandTools:
    """The functions that generated code with islands calls.

    vjp, jvp: see above. pull: stands for calling a pullback of `vjp` while generated code is
    lowered itself. transposed(f, *wrt): the function `(y_bar, *x) -> x_bar`, for the arguments
    `wrt`. pushed(f): the function `(x, x_dot) -> (y, y_dot)`. with_fields(cls, {name: value}): an
    object with these attributes.
    """

    vjp: Function
    jvp: Function
    pull: Function
    transposed: Function
    pushed: Function
    with_fields: Function


def tools_of(function: Any) -> Any:
    """The tools that a function belongs to; None for all other functions."""
    return getattr(function, "__s2sgrad_island__", None)


def is_island(expr: nodes.Expr) -> bool:
    """Whether an expression is the call of an island."""
    return isinstance(expr, nodes.Call) and tools_of(expr.function) is not None


__all__ = ["IslandTools", "is_island", "tools_of"]
