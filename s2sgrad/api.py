"""Floor 9: the public face."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sgrad.backend.jit.options import jit_options
from s2sgrad.derivatives.decorating import differentiable
from s2sgrad.derivatives.gradient import Derivative
from s2sgrad.derivatives.holomorphic import Holomorphic
from s2sgrad.derivatives.pullbacks import vjp
from s2sgrad.rules.checking import check_rule
from s2sgrad.standins.cutting import cotangent, opaque, rule, stop_gradient


def grad(
    function: Callable[..., Any] | None = None,
    argnums: Any = 0,
    *,
    holomorphic: bool = False,
    jit: bool = False,
    parallel: bool = False,
    fastmath: bool = False,
    fallback: str = "eager",
) -> Any:
    """The gradient of a scalar function, as a function with the same signature.

    Args:
        function: any NumPy function that returns a real scalar. Left out: a decorator.
        argnums: the argument to differentiate by: a position, a name, or a tuple of them.
        holomorphic: the function takes and gives complex numbers, and its derivative in the
            complex sense is wanted, f'(z), not conjugated.
        jit: compile the generated code with Numba.
        parallel: with jit, run loops whose iterations are proven independent on all cores;
            `explain` lists which are.
        fastmath: with jit, let sums be reordered and divisions become products. NaN and infinity
            keep their meaning.
        fallback: what to do with code that can't be transformed: "eager" runs it on
            dynamic-graph tensors (and warns once), "error" raises.

    Returns: a function whose result has the structure of the argument (array, float, dict,
        list, tuple, object), a tuple of those for a tuple of argnums. dtypes are kept.

    Raises: TypeError if the function does not return a real scalar; UnsupportedError or
        MissingRuleError with `fallback="error"`.

    >>> import numpy as np
    >>> grad(lambda x: np.sum(x**2))(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    if function is None:
        return lambda f: grad(
            f, argnums, holomorphic=holomorphic, jit=jit, parallel=parallel, fastmath=fastmath,
            fallback=fallback,
        )  # fmt: skip
    options = jit_options(jit, parallel, fastmath)
    if holomorphic:
        return Holomorphic(function, argnums, jit=options, fallback=fallback)
    return Derivative(function, argnums, value=False, jit=options, fallback=fallback)


def value_and_grad(
    function: Callable[..., Any] | None = None,
    argnums: Any = 0,
    *,
    has_aux: bool = False,
    jit: bool = False,
    parallel: bool = False,
    fastmath: bool = False,
    fallback: str = "eager",
) -> Any:
    """The value and the gradient of a scalar function, from one forward sweep.

    Takes the arguments of `grad`. has_aux: the function returns `(value, aux)`; the result is
    then `((value, aux), gradient)`. Fits `scipy.optimize.minimize(..., jac=True)`.

    >>> import numpy as np
    >>> value_and_grad(lambda x: np.sum(x**2))(np.array([1.0, 2.0]))
    (np.float64(5.0), array([2., 4.]))
    """
    if function is None:
        return lambda f: value_and_grad(
            f, argnums, has_aux=has_aux, jit=jit, parallel=parallel, fastmath=fastmath,
            fallback=fallback,
        )  # fmt: skip
    options = jit_options(jit, parallel, fastmath)
    return Derivative(function, argnums, value=True, aux=has_aux, jit=options, fallback=fallback)


for _transform in (grad, value_and_grad):
    _transform.__s2sgrad_transform__ = True  # type: ignore[union-attr]

__all__ = [
    "check_rule",
    "cotangent",
    "differentiable",
    "grad",
    "opaque",
    "rule",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]
