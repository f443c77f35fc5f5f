"""`jacrev`, `jacfwd` and `hessian` as functions of functions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from s2sgrad.eager._core import Tensor, zeros, zeros_like
from s2sgrad.eager.autograd.all_entries import for_all_entries
from s2sgrad.eager.func.batching import check_randomness
from s2sgrad.eager.func.forward import jvp
from s2sgrad.eager.func.pytree import tree_flatten, tree_unflatten
from s2sgrad.eager.func.reverse import vjp_with_argnums
from s2sgrad.eager.func.tracking import Argnums, checked_argnums, chosen_args, with_args

Function = Callable[..., Any]


def jacrev(
    func: Function,
    argnums: Argnums = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
) -> Function:
    """The Jacobian by rows: structure of the output, in it that of the argument.

    Entries have shape `output.shape + input.shape`. chunk_size: how many rows
    are computed at once.
    """
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")

    @functools.wraps(func)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        positions = checked_argnums(argnums, len(args))
        call = functools.partial(func, **kwargs) if kwargs else func
        output, pullback, *aux = vjp_with_argnums(call, args, positions, has_aux)
        ys, out_spec = tree_flatten(output)
        check_real(ys, "jacrev")
        xs, in_spec = tree_flatten(chosen_args(args, positions))
        blocks = []
        for k, y in enumerate(ys):

            def pulled(bar: Tensor, k: int = k) -> list[Tensor]:
                bars = [bar if i == k else zeros_like(o) for i, o in enumerate(ys)]
                return tree_flatten(pullback(tree_unflatten(bars, out_spec)))[0]

            rows = for_all_entries(pulled, y, chunk_size)
            entries = [
                rows[i].reshape((*y.shape, *x.shape))
                if rows
                else zeros((*y.shape, *x.shape), dtype=y.dtype)
                for i, x in enumerate(xs)
            ]
            blocks.append(tree_unflatten(entries, in_spec))
        result = tree_unflatten(blocks, out_spec)
        return (result, aux[0]) if has_aux else result

    return jacobian


def jacfwd(
    func: Function, argnums: Argnums = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Function:
    """The Jacobian by columns: the same result as `jacrev`, cheaper for few inputs."""
    check_randomness(randomness)

    @functools.wraps(func)
    def jacobian(*args: Any, **kwargs: Any) -> Any:
        positions = checked_argnums(argnums, len(args))
        chosen = chosen_args(args, positions)
        xs, in_spec = tree_flatten(chosen)
        columns: list[list[Tensor]] = []  # [input][output], one column for each element
        aux = out_spec = None
        ys: list[Tensor] = []

        def call(new: Any) -> Any:
            return func(*with_args(args, new, positions), **kwargs)

        def pushed(place: int, dot: Tensor) -> list[Tensor]:
            nonlocal ys, out_spec, aux
            dots = [dot if k == place else zeros_like(o) for k, o in enumerate(xs)]
            tangents = (tree_unflatten(dots, in_spec),)
            output, output_dot, *rest = jvp(call, (chosen,), tangents, has_aux=has_aux)
            ys, out_spec = tree_flatten(output)
            check_real(ys, "jacfwd")
            aux = rest[0] if rest else None
            return tree_flatten(output_dot)[0]

        for place, x in enumerate(xs):
            along = functools.partial(pushed, place)
            columns.append(for_all_entries(along, x, None, randomness))
        blocks = []
        for k, y in enumerate(ys):
            entries = [
                columns[i][k].movedim(0, -1).reshape((*y.shape, *x.shape)) for i, x in enumerate(xs)
            ]
            blocks.append(tree_unflatten(entries, in_spec))
        assert out_spec is not None
        result = tree_unflatten(blocks, out_spec)
        return (result, aux) if has_aux else result

    return jacobian


def check_real(ys: list[Any], name: str) -> None:
    """The rows of a Jacobian are the cotangents of real numbers."""
    for i, y in enumerate(ys):
        if isinstance(y, Tensor) and y.is_complex():
            raise RuntimeError(
                f"{name}: Expected all outputs to be real but received complex tensor at flattened"
                f" input idx: {i}"
            )


def hessian(func: Function, argnums: Argnums = 0) -> Function:
    """The second derivatives, forward over reverse: `jacfwd(jacrev(func))`."""
    return jacfwd(jacrev(func, argnums), argnums)
