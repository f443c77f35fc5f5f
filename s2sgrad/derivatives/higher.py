"""Forward mode, Jacobians and Hessians: generated code run over directions."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from s2sgrad.backend.jit.options import Jit, jit_options
from s2sgrad.bridge.forward import eager_linear
from s2sgrad.calls.draws import Draws
from s2sgrad.calls.tables import Tables
from s2sgrad.derivatives.belonging import kept
from s2sgrad.derivatives.forward import Forward
from s2sgrad.derivatives.inside import jvp_inside, linearize_inside
from s2sgrad.derivatives.jacobians import Jacobian, plain
from s2sgrad.derivatives.second_order import GradientForward
from s2sgrad.frontend.functions.held_values import as_then
from s2sgrad_runtime.objects import copied, holds_floats

Function = Callable[..., Any]
_MADE = Tables()


def forward_of(function: Function, wrt: tuple[Any, ...], jit: Jit | None, fallback: str) -> Forward:
    """The forward mode of a function by some arguments; made once, and kept with the function."""
    key = (wrt, jit, fallback)
    table = _MADE.of(function) if not isinstance(function, types.MethodType) else {}
    if key not in table:
        table[key] = Forward(function, wrt, jit=jit, fallback=fallback)
    made: Forward = table[key]
    return made


def jvp(
    function: Function,
    args: tuple[Any, ...],
    tangents: tuple[Any, ...],
    *,
    jit: bool = False,
    parallel: bool = False,
    fastmath: bool = False,
    fallback: str = "eager",
) -> tuple[Any, Any]:
    """The value of `function(*args)` and its derivative in the direction `tangents`.

    Args:
        function: any NumPy function of these arguments.
        args: the arguments, a tuple.
        tangents: a tuple of the same length; each has the structure, shapes and dtypes of its
            argument. None: no tangent (for arguments without floats, or held fixed).
        jit, parallel, fastmath, fallback: as in `grad`.

    Returns: `(y, y_dot)`; y_dot has the structure of y.

    Raises: ShapeError if a tangent does not have its argument's shape; UnsupportedError or
        MissingRuleError with `fallback="error"`.

    >>> import numpy as np
    >>> jvp(np.sin, (0.0,), (2.0,))
    (np.float64(0.0), np.float64(2.0))
    """
    if not all(isinstance(given, tuple | list) for given in (args, tangents)):
        name = getattr(function, "__name__", "f")
        raise TypeError(
            "jvp takes the arguments in a tuple, and the tangents in another: "
            f"s2sgrad.jvp({name}, (x,), (x_dot,))"
        )
    args, tangents = tuple(args), tuple(tangents)
    if len(args) != len(tangents):
        raise TypeError(
            f"jvp needs one tangent per argument: {len(args)} arguments, {len(tangents)} tangents"
        )
    wrt = tuple(i for i, t in enumerate(tangents) if t is not None)
    forward = forward_of(plain(function), wrt, jit_options(jit, parallel, fastmath), fallback)
    values = forward.binder.bind(*args)
    dots = forward.conform(values, tuple(tangents[i] for i in wrt))
    return forward.push(values, dots)  # type: ignore[no-any-return]


def linearize(
    function: Function,
    *args: Any,
    jit: bool = False,
    parallel: bool = False,
    fastmath: bool = False,
    fallback: str = "eager",
) -> tuple[Any, Function]:
    """The value at `args`, and the linear function from tangents to the tangent of the value.

    The linear function takes one tangent per argument (None where there is none) and runs the
    generated forward mode at `args`, and at what the function reads from outside, as they are
    now: both are copied. It draws the random numbers that the value was computed with, where the
    function draws any.

    >>> import numpy as np
    >>> y, push = linearize(lambda x: x**2, np.array([1.0, 3.0]))
    >>> push(np.array([1.0, 1.0]))
    array([2., 6.])
    """
    options = jit_options(jit, parallel, fastmath)
    draws, args = Draws(function, args), copied(args)
    forward = forward_of(
        plain(function), tuple(i for i, a in enumerate(args) if holds_floats(a)), options, fallback
    )
    values = forward.binder.bind(*args)
    if forward.runs_on_tensors(values):
        return _on_tensors(forward, values, len(args))
    held = forward.held()
    alone = Forward(forward.function, (), jit=options, fallback=fallback)
    value = alone.push(copied(values), ())[0]

    def push(*tangents: Any) -> Any:
        with draws.replayed(), as_then(held):
            return jvp(
                function, args, tangents, jit=jit, parallel=parallel, fastmath=fastmath,
                fallback=fallback,
            )[1]  # fmt: skip

    return value, push


def _on_tensors(forward: Forward, values: tuple[Any, ...], count: int) -> tuple[Any, Function]:
    """The same for a function that runs on tensors. count: of the tangents that `push` takes."""
    value, linear = eager_linear(forward.function, forward.binder, forward.wrt, values)

    def push(*tangents: Any) -> Any:
        if len(tangents) != count:
            raise TypeError(f"push needs one tangent per argument: {count}, not {len(tangents)}")
        given = dict(zip(forward.binder.names, tangents, strict=False))
        dots = forward.conform(values, tuple(given[n] for n in forward.wrt))
        return kept((linear(*dots),), (dots,))[0]

    return value, push


def jacobian(
    function: Function,
    argnums: Any = 0,
    *,
    holomorphic: bool = False,
    jit: bool = False,
    parallel: bool = False,
    fastmath: bool = False,
    fallback: str = "eager",
) -> Jacobian:
    """The Jacobian, by forward or reverse mode, whichever needs fewer sweeps.

    Args:
        function: any NumPy function; arguments and result may be nested in containers.
        argnums: as in `grad`.
        holomorphic: the function takes and gives complex numbers, and is differentiable in the
            complex sense. Without it, complex arguments of real results give what `grad` gives.
        jit, parallel, fastmath, fallback: as in `grad`.

    Returns: a function of the same arguments. Its result has, for every leaf y of the value and
        every leaf x of the argument, a block of shape `y.shape + x.shape`, in the structure of the
        value and, in that, of the argument (a tuple of those for a tuple of argnums).

    >>> import numpy as np
    >>> jacobian(lambda x: x**2)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    options = jit_options(jit, parallel, fastmath)
    return Jacobian(function, argnums, "auto", options, fallback, holomorphic=holomorphic)


def jacfwd(
    function: Function,
    argnums: Any = 0,
    *,
    holomorphic: bool = False,
    jit: bool = False,
    parallel: bool = False,
    fastmath: bool = False,
    fallback: str = "eager",
) -> Jacobian:
    """`jacobian` by forward mode: one sweep per number in the arguments."""
    options = jit_options(jit, parallel, fastmath)
    return Jacobian(function, argnums, "forward", options, fallback, holomorphic=holomorphic)


def jacrev(
    function: Function,
    argnums: Any = 0,
    *,
    holomorphic: bool = False,
    jit: bool = False,
    parallel: bool = False,
    fastmath: bool = False,
    fallback: str = "eager",
) -> Jacobian:
    """`jacobian` by reverse mode: one reverse sweep per number in the value."""
    options = jit_options(jit, parallel, fastmath)
    return Jacobian(function, argnums, "reverse", options, fallback, holomorphic=holomorphic)


def hessian(
    function: Function,
    argnums: Any = 0,
    *,
    jit: bool = False,
    parallel: bool = False,
    fastmath: bool = False,
    fallback: str = "eager",
) -> Jacobian:
    """The second derivatives of a scalar function: forward mode over the generated gradient.

    Returns: a function of the same arguments; for an array argument x, an array of shape
        `x.shape + x.shape`, else as `jacobian` of the gradient.

    >>> import numpy as np
    >>> hessian(lambda x: x[0] ** 2 * x[1])(np.array([1.0, 2.0]))
    array([[4., 2.],
           [2., 0.]])
    """
    options = jit_options(jit, parallel, fastmath)
    pushed = GradientForward(plain(function), argnums, options, fallback)
    return Jacobian(pushed.gradient, argnums, "forward", options, fallback, pushed)


vars(jvp)["__s2sgrad_inside__"] = jvp_inside
vars(linearize)["__s2sgrad_inside__"] = linearize_inside

for _transform in (jvp, linearize, jacobian, jacfwd, jacrev, hessian):
    vars(_transform)["__s2sgrad_transform__"] = True

__all__ = ["Jacobian", "hessian", "jacfwd", "jacobian", "jacrev", "jvp", "linearize"]
