"""Floor 6: `q, k, v = np.split(a, 3, axis=1)` as three parts of `a`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.analysis.indexing import constant_of
from s2sgrad.backend.loops.extents import integer, length, multiply
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.nodes import Call, Expr, Index, Slice, Stmt, Var
from s2sgrad.ir.types import Array, Scalar, Type

FULL = Slice(None, None, None)


def split_apart(stmt: nodes.Unpack, types: dict[str, Type]) -> list[Stmt] | None:
    """The statements for the parts; None where their lengths are not known."""
    match stmt.value:
        case Call(function=np.split, args=(Var(type=Array() as kind) as whole, count, *more)):
            given = dict(stmt.value.kwargs)
        case _:
            return None
    number = constant_of(count)
    along = constant_of(more[0] if more else given.pop("axis", integer(0)))
    if given or kind.shape is None or type(along) is not int or number != len(stmt.targets):
        return None
    if not -len(kind.shape) <= along < len(kind.shape) or whole.name in stmt.targets:
        return None
    axis = along % len(kind.shape)
    size = kind.shape[axis]
    part = None if size is None else sizes.quotient(size, len(stmt.targets))
    if part is None:
        return None
    made: list[Stmt] = []
    for k, target in enumerate(stmt.targets):
        bounds = [_places(whole, axis, part, j, len(stmt.targets)) for j in (k, k + 1)]
        shape = (*kind.shape[:axis], part, *kind.shape[axis + 1 :])
        own = replace(kind, shape=shape)
        types[target] = own
        taken = Index(whole, (*(FULL,) * axis, Slice(bounds[0], bounds[1], None)), type=own)
        made.append(nodes.Assign((target,), (taken,), span=stmt.span))
    return made


def _places(whole: Var, axis: int, part: sizes.Size, k: int, count: int) -> Expr | None:
    """Where part k begins; None for the ends of the whole."""
    if k in (0, count):
        return None
    one = Call(
        np.floor_divide, "//", (length(whole, axis), integer(count)),
        form="operator", type=Scalar("int", part),
    )  # fmt: skip
    return replace(multiply(one, integer(k)), type=Scalar("int", part * sizes.of(k)))


__all__ = ["split_apart"]
