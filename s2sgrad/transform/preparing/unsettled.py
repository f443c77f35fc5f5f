"""Floor 5: refuse views of which generated code can't tell what they share, and keep an order in
memory only where something asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from s2sgrad.analysis.effects import Effects, holds_arrays, root
from s2sgrad.analysis.held import begun_from_numbers, chain, names_order
from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr
from s2sgrad.transform.writing.rewrite import map_block
from s2sgrad_runtime import laid_beside

_ASKING = (np.may_share_memory, np.shares_memory)
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


def asking_calls(block: Block) -> list[Call]:
    """The questions whether two things share memory, or are one."""
    parts = (e for stmt in nodes.walk_block(block) for e in nodes.expressions(stmt))
    calls = (c for e in parts for c in nodes.walk(e) if isinstance(c, Call))
    asking = (c for c in calls if c.function in _ASKING or c.text in ("is", "is not"))
    return [c for c in asking if not any(isinstance(a, nodes.Const) for a in c.args)]


def refuse_asked_of_results(block: Block, found: Effects) -> None:
    """Refuse to ask which array a recursive function gave back: it works on copies."""
    given: set[str] = set()
    for stmt in nodes.walk_block(block):
        match stmt:
            case nodes.Assign(values=values):
                made = [v for v in values if isinstance(v, Call)]
            case nodes.Unpack(value=Call() as value):
                made = [value]
            case _:
                continue
        if any(type(v.function).__name__ == "UserPair" for v in made):
            given.update(map(found.find, nodes.targets_of(stmt)))
    for call in asking_calls(block) if given else ():
        names = [root(a) for a in call.args if holds_arrays(a.type)]
        if any(name is not None and found.find(name) in given for name in names):
            raise UnsupportedError(
                f"'{call.text}' of an array that a recursive function gave back",
                call.span,
                "it may be one that the function was given, or a copy in generated code",
                "let the function give back a flag or a number that tells them apart",
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
