"""Floor 8: functions for the user's code: cut a derivative, keep a call whole, reach the reverse
sweep, and declare a derivative of one's own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any

from s2sgrad.errors import UnsupportedError
from s2sgrad.rules.declare import declared, keep_whole, structural, tangent
from s2sgrad.rules.renewal import renew
from s2sgrad.rules.signatures import check_parameters
from s2sgrad_runtime import stop_gradient, zeros_like

Function = Callable[..., Any]


class cotangent:
    """`with s2sgrad.cotangent(x) as x_bar:` runs its body in the reverse sweep, at this place.

    In the body, x_bar is the cotangent that has arrived at `x` from all that comes later: print
    it, stop in a debugger, change it in place, or bind it anew; what it is at the end of the body
    is what goes on to earlier code. `x` must be a variable, and x_bar keeps its shape: a number
    fills an array, and another shape is a ValueError when the reverse sweep gets there. The body
    changes nothing but x_bar, and names of its own.

    Where no gradient is computed, there is no cotangent; Python then runs the body once on zeros,
    so it should do nothing but look at x_bar and change it.

    >>> import numpy as np, s2sgrad
    >>> def f(x):
    ...     y = 3.0 * x
    ...     with s2sgrad.cotangent(y) as y_bar:
    ...         np.clip(y_bar, -1.0, 1.0, out=y_bar)
    ...     return np.sum(y * y)
    >>> s2sgrad.grad(f)(np.array([0.1, 2.0]))
    array([1.8, 3. ])
    """

    __s2sgrad_splice__ = True

    def __init__(self, x: Any) -> None:
        eager = sys.modules.get("s2sgrad.eager")
        if eager is not None and (isinstance(x, eager.Tensor) or hasattr(x, "tensor")):
            raise UnsupportedError(
                "a cotangent block can't run on tensors",
                why="its code belongs into a reverse sweep that is not source here",
                fix="use x.register_hook(...) on tensors, or make the function transformable",
            )
        self.x = x

    def __enter__(self) -> Any:
        return zeros_like(self.x)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None


def opaque(function: Function) -> Function:
    """A function that is called as it is, once, where the call stands: its code is not read.

    No derivative passes through it, unless it has a rule. Usable as a decorator; gives the
    function itself back.

    >>> import numpy as np, s2sgrad
    >>> @s2sgrad.opaque
    ... def lookup(n):
    ...     return {1: 2.0, 2: 5.0}[n]
    >>> float(s2sgrad.grad(lambda x, n: lookup(n) * x * x)(3.0, 2))
    30.0
    """
    if not callable(function):
        raise TypeError(f"opaque takes a function, not {type(function).__name__}")
    renew(function, declared(function) is not None)
    keep_whole(function)
    return function


def rule(
    function: Function, *, jvp: Function | None = None, **facts: Any
) -> Callable[[Function], Function]:
    """Declare the derivative of a function of your own; calls of it are not looked into.

    Args:
        function: any callable: Python code, a solver, a function of a C library (ctypes).
        jvp: its tangent, for forward mode: `(y, *arguments, *, x_dot)` gives the sum of what the
            array arguments contribute, each term linear in one `<argument>_dot`; or a tuple of
            them, one for each array argument.
        facts: as `s2sgrad.rules.declare.Rule` knows them: `linear`, `sequences`, `tuple_output`...

    The decorated declaration `(y_bar, y, *arguments)` returns one cotangent per array argument,
    in the argument's shape (None for one that must not be active). It is written as rules are:
    a few assignments and one return. Check it with `s2sgrad.check_rule`.

    Raises: RuleError where its parameters, or those of jvp, do not fit the function's.

    >>> import numpy as np, s2sgrad
    >>> def cube(x):
    ...     return x**3
    >>> def cube_dot(y, x, *, x_dot):
    ...     return 3.0 * x * x * x_dot
    >>> @s2sgrad.rule(cube, jvp=cube_dot)
    ... def cube_rule(y_bar, y, x):
    ...     return y_bar * 3.0 * x * x
    >>> s2sgrad.check_rule(cube, [(np.array([0.5, -1.0]),)])
    >>> s2sgrad.grad(lambda x: cube(x))(2.0)
    12.0
    """
    if not callable(function):
        raise TypeError(f"rule takes a function, not {type(function).__name__}")
    declare = structural(function, **{**facts, "extra": {"by_user": True}})

    def decorate(declaration: Function) -> Function:
        check_parameters(function, declaration, jvp)
        declare(declaration)
        if jvp is not None:
            tangent(function)(jvp)
        return declaration

    return decorate


__all__ = ["cotangent", "opaque", "rule", "stop_gradient"]
