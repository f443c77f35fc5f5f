"""`grad`, `grad_and_value` and `vjp`: reverse mode as functions of functions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from s2sgrad.eager._core import Tensor, enable_grad, is_grad_enabled
from s2sgrad.eager.func.captured import guarding
from s2sgrad.eager.func.pytree import tree_flatten, tree_map, tree_unflatten
from s2sgrad.eager.func.tracking import (
    Argnums,
    Tracked,
    check_aux,
    checked_argnums,
    chosen_args,
    transforming,
    with_args,
)

Function = Callable[..., Any]


def grad(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """The gradient of a function that returns a scalar tensor.

    Its result has the structure of the argument (a tuple of them for a tuple of argnums); with
    `has_aux`, func returns (output, aux) and the result is (gradient, aux).

    >>> grad(lambda x: (x**2).sum())(tensor([1.0, 2.0]))
    tensor([2., 4.])
    """

    @functools.wraps(func)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        found, value = grad_and_value(func, argnums, has_aux)(*args, **kwargs)
        return (found, value[1]) if has_aux else found

    return gradient


def grad_and_value(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """As `grad`, with the value: (gradient, output), or (gradient, (output, aux))."""

    @functools.wraps(func)
    @transforming()
    def both(*args: Any, **kwargs: Any) -> Any:
        positions = checked_argnums(argnums, len(args))
        tracked = Tracked(chosen_args(args, positions), is_grad_enabled())
        with enable_grad(), guarding(func):
            output = func(*with_args(args, tracked.tree, positions), **kwargs)
        tracked.ended()
        aux = None
        if has_aux:
            if not (isinstance(output, tuple) and len(output) == 2):
                raise RuntimeError(
                    "grad_and_value(f)(*args): output of function f should be a tuple:"
                    " (output, aux) if has_aux is True"
                )
            output, aux = output
            check_aux(aux)
        _check_scalar(output)
        bars = tracked.pull([output], [None], keep=False)
        found = tree_unflatten(bars, tree_flatten(tracked.tree)[1])
        value = tracked.released(output)
        return (found, (value, tree_map(tracked.released, aux)) if has_aux else value)

    return both


def _check_scalar(output: Any) -> None:
    if not isinstance(output, Tensor):
        raise RuntimeError(
            f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(output)}"
        )
    if output.dim() != 0:
        raise RuntimeError(
            "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor"
            f" with {output.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
        )


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> Any:
    """(output, pullback), or (output, pullback, aux).

    `pullback(cotangents)` takes the structure of the output and gives a tuple with one cotangent
    for each primal. It may be called again.
    """
    return vjp_with_argnums(func, primals, None, has_aux)


@transforming()
def vjp_with_argnums(
    func: Function, primals: tuple[Any, ...], argnums: Argnums | None, has_aux: bool
) -> Any:
    """`vjp` with respect to some arguments; None stands for all of them."""
    positions = tuple(range(len(primals))) if argnums is None else argnums
    tracked = Tracked(chosen_args(primals, positions), is_grad_enabled())
    with enable_grad(), guarding(func):
        output = func(*with_args(primals, tracked.tree, positions))
    tracked.ended()
    aux = None
    if has_aux:
        if not (isinstance(output, tuple) and len(output) == 2):
            raise RuntimeError(
                "vjp(f, *primals): output of function f should be a tuple: (output, aux) if"
                " has_aux is True"
            )
        output, aux = output
        check_aux(aux)
        aux = tree_map(tracked.released, aux)
    leaves, spec = tree_flatten(output)
    _check_outputs(leaves)
    input_spec = tree_flatten(tracked.tree)[1]

    @transforming()
    def pullback(cotangents: Any, retain_graph: bool = True, create_graph: Any = None) -> Any:
        bars, bar_spec = tree_flatten(cotangents)
        if bar_spec != spec:
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of"
                f" outputs to the function. cotangents: {bar_spec.short()}, primal output:"
                f" {spec.short()}"
            )
        return tree_unflatten(tracked.pull(leaves, bars, keep=retain_graph), input_spec)

    result = tree_map(tracked.released, output)
    return (result, pullback, aux) if has_aux else (result, pullback)


def _check_outputs(leaves: list[Any]) -> None:
    if not leaves:
        raise RuntimeError(
            "vjp(f, *primals): Expected f to be a function that has non-empty output (got output ="
            f" {leaves})"
        )
    for y in leaves:
        if not isinstance(y, Tensor):
            raise RuntimeError(
                "vjp(f, *primals): expected f(*primals) to return only tensors, got unsupported"
                f" type {type(y)}"
            )
        if not (y.is_floating_point() or y.is_complex()):
            raise RuntimeError(
                "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got"
                f" Tensor with dtype {y.dtype}"
            )
