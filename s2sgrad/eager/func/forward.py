"""`jvp` and `linearize`: forward mode as functions of functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sgrad.eager import _core
from s2sgrad.eager._core import LEAF, Tensor, enable_grad, is_grad_enabled, wrap, zeros_like
from s2sgrad.eager.func.captured import guarding
from s2sgrad.eager.func.pytree import tree_flatten, tree_map, tree_unflatten
from s2sgrad.eager.func.tracking import Tracked, check_aux, transforming
from s2sgrad.eager.passes.dual_levels import OTHER_SIZE, check_floats, new_level
from s2sgrad.eager.passes.tangents import alias

Function = Callable[..., Any]
_JVP = "jvp(f, primals, tangents): "


def jvp(
    func: Function, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> Any:
    """(output, output tangent), or (output, output tangent, aux).

    primals and tangents are tuples of the same structure. `strict` refuses outputs that do not
    depend on the inputs; otherwise their tangent is zero.
    """
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"{_JVP}Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    leaves, spec = tree_flatten(primals)
    dots, dot_spec = tree_flatten(tangents)
    if spec != dot_spec:
        raise RuntimeError(
            f"{_JVP}Expected primals and tangents to have the same python structure. For example,"
            " if primals is a tuple of 3 tensors, tangents also must be. Got primals with"
            f" structure {spec} and tangents with structure {dot_spec}"
        )
    _check_tensors(leaves, "primals")
    _check_tensors(dots, "tangents")
    return _pushed(func, leaves, dots, spec, strict, has_aux)


def _check_tensors(values: list[Any], name: str) -> None:
    if not values:
        raise RuntimeError(f"{_JVP}Expected {name} to contain at least one Tensor.")
    for value in values:
        if not isinstance(value, Tensor):
            raise RuntimeError(f"{_JVP}Expected {name} to only contain Tensors, got {type(value)}")


@transforming()
def _pushed(
    func: Function, leaves: list[Any], dots: list[Any], spec: Any, strict: bool, has_aux: bool
) -> Any:
    """Run `func` on dual numbers of a new level."""
    with new_level() as level:
        with level.outside():
            duals = [x.view_as(x) if x.requires_grad else alias(x) for x in leaves]
        for dual, x, dot in zip(duals, leaves, dots, strict=True):
            for name, t in (("primal", x), ("tangent", dot)):
                check_floats(name, t)
            if dot.shape != x.shape:
                raise RuntimeError(OTHER_SIZE.format(list(x.shape), list(dot.shape)))
            level.set(dual, dot if dot.dtype == x.dtype else dot.to(x.dtype))
        with guarding(func):
            output = func(*tree_unflatten(duals, spec))
        aux = None
        if has_aux:
            if not (isinstance(output, tuple) and len(output) == 2):
                raise RuntimeError(
                    f"{_JVP}output of function f should be a tuple: (output, aux) if has_aux is"
                    " True"
                )
            output, aux = output
            check_aux(aux)
        found = [_unpacked(level, y, strict) for y in tree_flatten(output)[0]]
        out_spec = tree_flatten(output)[1]
        with level.outside():
            aux = tree_map(lambda a: alias_of(a) if isinstance(a, Tensor) else a, aux)
    values = tree_unflatten([y for y, _ in found], out_spec)
    out_dots = tree_unflatten([dot for _, dot in found], out_spec)
    return (values, out_dots, aux) if has_aux else (values, out_dots)


def alias_of(y: Tensor) -> Tensor:
    """The tensor without the tangent of the level that ends."""
    return y.view_as(y) if y.requires_grad else alias(y)


def _unpacked(level: Any, y: Any, strict: bool) -> tuple[Tensor, Tensor]:
    if not isinstance(y, Tensor):
        raise RuntimeError(
            f"{_JVP}expected f(*primals) to return only tensors, got unsupported type {type(y)}"
        )
    dot = level.get(y)
    if dot is None:
        if strict:
            raise RuntimeError(
                "jvp(f, primals, tangents, strict=True): The output of f is independent of the"
                " inputs. This is not allowed with strict=True."
            )
        dot = zeros_like(y)
    with level.outside():
        return alias_of(y), dot


@transforming()
def linearize(func: Function, *primals: Any) -> tuple[Any, Function]:
    """(output, jvp_fn): `jvp_fn(*tangents)` is the output's tangent at these primals.

    The function runs once; its reverse sweep is recorded, and the sweep's own transpose pushes
    every tangent forward.
    """
    leaves, spec = tree_flatten(primals)
    tracked = Tracked(list(leaves), is_grad_enabled())
    with enable_grad():
        output = func(*tree_unflatten(tracked.leaves, spec))
        tracked.ended()
        ys, out_spec = tree_flatten(output)
        us = [wrap(zeros_like(y)._array, LEAF) for y in ys]
        pairs = [(y, u) for y, u in zip(ys, us, strict=True) if y.requires_grad]
        rows: Any = (None,) * len(leaves)
        if pairs:
            kept, seeds = zip(*pairs, strict=True)
            rows = _core.grad(kept, tracked.leaves, seeds, create_graph=True, allow_unused=True)

    @transforming()
    def jvp_fn(*tangents: Any) -> Any:
        dots, dot_spec = tree_flatten(tangents)
        if dot_spec != spec:
            raise RuntimeError(
                f"Expected the tangents {dot_spec} to have the same argspec as the primals {spec}"
            )
        _check_tangents(dots, leaves)
        used = [
            (row, dot)
            for row, dot in zip(rows, dots, strict=True)
            if row is not None and row.requires_grad
        ]
        if not used:
            return tree_unflatten([zeros_like(y) for y in ys], out_spec)
        xs, x_dots = zip(*used, strict=True)
        again = is_grad_enabled() and tracked.needs_graph((*ys, *x_dots))
        found = _core.grad(xs, us, x_dots, retain_graph=True, create_graph=again, allow_unused=True)
        made = [zeros_like(y) if d is None else d for y, d in zip(ys, found, strict=True)]
        return tree_unflatten(made, out_spec)

    return tree_map(tracked.released, output), jvp_fn


def _check_tangents(dots: list[Any], leaves: list[Any]) -> None:
    """Shapes and dtypes of tangents must be those of the primals."""
    for i, (dot, x) in enumerate(zip(dots, leaves, strict=True)):
        for what in ("shape", "dtype"):
            found, wanted = getattr(dot, what), getattr(x, what)
            if found != wanted:
                raise RuntimeError(
                    f"tangent:{i} with {what} {found} in flattened pytree doesn't match the"
                    f" {what} {wanted} of the corresponding primal."
                )
