"""Floor 5: arrays of which only the length is asked are not made, where an input has it too.

The gradient of `losses = f(x); np.mean(losses)` divides by `x.shape[0]`, and needs no losses.
"""

from __future__ import annotations

import numpy as np

from s2sgrad.analysis.shape_reads import by_value_and_shape
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Var
from s2sgrad.ir.sizes import ONE, Size
from s2sgrad.ir.types import Array
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block

Origin = dict[str | Size, Expr]


def with_lengths_of_inputs(block: Block, origin: Origin) -> Block:
    """The block with lengths read off inputs, where other arrays were there for them alone."""
    bound = nodes.bound_in(block)
    exprs = [e for s in nodes.walk_block(block) for e in nodes.expressions(s)]
    values, shaped = by_value_and_shape(*exprs)
    only = (shaped - values) & bound
    if not only:
        return block

    def on_expr(expr: Expr) -> Expr:
        size = _size_of(expr, only)
        found = None if size is None else build.size_expr(size, origin)
        return expr if found is None or nodes.names_in(found) & bound else found

    return map_block(block, on_expr)


def _size_of(expr: Expr, names: frozenset[str]) -> Size | None:
    """The size that an expression reads off one of these arrays."""
    match expr:
        case Index(
            base=Call(function=np.shape, form="attribute", args=(Var(type=Array()) as var,)),
            index=(Const(value=int(axis)),),
        ):
            axes: tuple[int, ...] | None = (axis,)
        case Call(function=np.size, form="attribute", args=(Var(type=Array()) as var,)):
            axes = None
        case _:
            return None
    shape = var.type.shape  # type: ignore[attr-defined]
    if var.name not in names or shape is None:
        return None
    total = ONE
    for size in shape if axes is None else [shape[axes[0]]]:
        if size is None:
            return None
        total = total * size
    return total


__all__ = ["with_lengths_of_inputs"]
