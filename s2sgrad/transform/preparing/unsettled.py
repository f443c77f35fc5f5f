"""Floor 5: refuse views of which generated code can't tell what they share, and keep an order in
memory only where something asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from s2sgrad.analysis.effects import root
from s2sgrad.analysis.held import begun_from_numbers, chain, names_order
from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr
from s2sgrad.transform.writing.rewrite import map_block
from s2sgrad_runtime import laid_beside

OVERLAPPING = (np.lib.stride_tricks.sliding_window_view, np.lib.stride_tricks.as_strided)


def refuse_overlapping(block: Block) -> None:
    """Refuse writes through views in which an entry may stand several times."""
    for stmt in nodes.walk_block(block):
        for call in chain(stmt.base) if isinstance(stmt, nodes.Store) else ():
            if any(call.function is own for own in OVERLAPPING):
                raise written_several_times(call)


def written_several_times(call: Call) -> UnsupportedError:
    """The error for a write through a view in which an entry may stand several times."""
    return UnsupportedError(
        f"an array is written through {call.text.rpartition('.')[2]}",
        call.span,
        "one entry may stand in several places of it, and the last one that is written counts",
        f"write the entries of the array itself: {root(call)}[i] = ..., {root(call)}[i:j] = ...",
    )


def refuse_begun(block: Block, asked: Sequence[Call]) -> None:
    """Refuse to ask whether something shares the memory of an array that may lie otherwise than
    the program's own does. asked: what gives a view or a copy, as a run shows."""
    begun = begun_from_numbers(block) if asked else frozenset()
    for call in asked:
        if root(call) in begun:
            raise UnsupportedError(
                "the order in memory of a sum decides whether this is a view of it",
                call.span,
                "a loop adds arrays to a number, and NumPy lays out the sum as the first of them",
                "begin with an array, np.zeros(...), or add .copy() to what is written",
            )


def as_computed(block: Block) -> Block:
    """The block without what only puts results in the order in memory that NumPy gives them, where
    nothing decides by that order."""
    if names_order(block):
        return block

    def on_expr(expr: Expr) -> Expr:
        if isinstance(expr, Call) and expr.function is laid_beside:
            return replace(expr.args[0], span=expr.span)
        return expr

    return map_block(block, on_expr, lambda stmt: [stmt])


__all__ = [
    "OVERLAPPING",
    "as_computed",
    "refuse_begun",
    "refuse_overlapping",
    "written_several_times",
]
