"""Floor 5: helpers that take arrays apart, or copy, as plain Python where that does the same.

rows_bar = copy_tree(unstack_like(2.0 * y, rows))       rows_bar = list(2.0 * y)
item_bar = rows_bar.pop()                               y_bar += rows_bar.pop()
y_bar += item_bar
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.analysis.new_arrays import shares_memory
from s2sgrad.ir.nodes import Block, Call, Expr, Mutate, Stmt, Store, Var
from s2sgrad.ir.types import Array, List, Scalar, shape_of
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block, with_blocks

_APART = (list, s2sgrad_runtime.unstack_like)


def with_plain_lists(block: Block) -> Block:
    """The block with `list` in the place of helpers, and without copies of new arrays' rows."""
    return map_block(block, _plain)


def with_items_taken(block: Block) -> Block:
    """The block with items added where they are taken from a list, if nobody else reads them."""
    alone: set[int] = set()

    def visit(stmt: Stmt, after: frozenset[str]) -> None:
        if isinstance(stmt, Store) and isinstance(stmt.value, Var) and not stmt.index:
            (alone.discard if stmt.value.name in after else alone.add)(id(stmt))

    Liveness(visit=visit).block(block, frozenset())
    return _items_taken(block, alone) if alone else block


def _items_taken(block: Block, alone: set[int]) -> Block:
    result: list[Stmt] = []
    for stmt in block:
        match stmt, result[-1:]:
            case (
                Store(base=Var(), op="+" | "-", value=Var(name=read) as item),
                [Mutate(base=Var() as base, method="pop", args=(), target=name)],
            ) if id(stmt) in alone and name == read:
                taken = Call("pop", "pop", (base,), form="method", type=item.type)
                result[-1] = replace(stmt, value=taken)
            case _:
                result.append(with_blocks(stmt, lambda inner: _items_taken(inner, alone)))
    return tuple(result)


def _plain(expr: Expr) -> Expr:
    match expr:
        case Call(function=s2sgrad_runtime.unstack_like, args=(bar, items)):
            rows = _rank_of_items(items)
            plain = rows is not None and isinstance(bar.type, Array) and bar.type.shape is not None
            if plain and len(bar.type.shape) == rows + 1:  # type: ignore[attr-defined,arg-type,operator]
                return Call(list, "list", (bar,), type=expr.type)
        case Call(function=s2sgrad_runtime.copy_tree, args=(Call() as made,)):
            alone = isinstance(made.type, List) and isinstance(made.type.item, Scalar)
            if made.function in _APART and (alone or not shares_memory(made.args[0])):
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


__all__ = ["with_items_taken", "with_plain_lists"]
