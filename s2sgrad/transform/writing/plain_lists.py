"""Floor 5: helpers that take arrays apart, or copy, as plain Python where that does the same.

rows_bar = copy_tree(unstack_like(2.0 * y, rows))       rows_bar = list(2.0 * y)
"""

from __future__ import annotations

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.new_arrays import shares_memory
from s2sgrad.ir.nodes import Block, Call, Expr
from s2sgrad.ir.types import Array, List, Scalar, shape_of
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block

_APART = (list, s2sgrad_runtime.unstack_like)


def with_plain_lists(block: Block) -> Block:
    """The block with `list` in the place of helpers, and without copies of new arrays' rows."""
    return map_block(block, _plain)


def _plain(expr: Expr) -> Expr:
    match expr:
        case Call(function=s2sgrad_runtime.unstack_like, args=(bar, items)):
            rows = _rank_of_items(items)
            plain = rows is not None and isinstance(bar.type, Array) and bar.type.shape is not None
            if plain and len(bar.type.shape) == rows + 1:  # type: ignore[attr-defined,arg-type,operator]
                return Call(list, "list", (bar,), type=expr.type)
        case Call(function=s2sgrad_runtime.copy_tree, args=(Call() as made,)):
            if made.function in _APART and not shares_memory(made.args[0]):
                return made
        case Call(function=np.full_like, args=(like, value), kwargs=()):
            if build.is_number(value, 1):
                return Call(np.ones_like, "np.ones_like", (like,), type=expr.type)
    return expr


def _rank_of_items(items: Expr) -> int | None:
    """The number of axes of what a list holds."""
    kind = items.type.item if isinstance(items.type, List) else None
    shape = shape_of(kind) if isinstance(kind, Scalar | Array) else None
    return None if shape is None else len(shape)


__all__ = ["with_plain_lists"]
