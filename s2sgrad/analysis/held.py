"""Floor 3: where a statement takes memory over that NumPy may have copied, or not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.contiguity import doubtful_names, surely_view
from s2sgrad.analysis.effects import Effects, gives_view, root
from s2sgrad.analysis.memory import is_view, view_or_copy
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt
from s2sgrad.ir.types import Dict, List, shape_of

_BY_STRIDES = (
    np.lib.stride_tricks.as_strided,
    s2sgrad_runtime.restrided,
    s2sgrad_runtime.unstrided,
)


def held_values(stmt: Stmt) -> tuple[Expr, ...]:
    """The values whose memory something holds after a statement."""
    match stmt:
        case nodes.Assign(values=values):
            return values
        case nodes.Unpack(value=value):
            return (value,)
        case nodes.For(sources=sources):
            return sources
        case nodes.Mutate(args=args):
            return args
        case nodes.Store(base=base, value=value) if isinstance(base.type, List | Dict):
            return (value,)
    return ()


def undecided_in(expr: Expr, choices: bool = True) -> Iterator[Call]:
    """The operations in a value that give a view or a copy, and whose memory the value may share;
    what is around something comes before it. choices: also where one of two values is chosen."""
    parts: tuple[Expr, ...] = ()
    match expr:
        case nodes.Index(base=base) if gives_view(expr):
            parts = (base,)
        case nodes.Choice(then=then, orelse=orelse) if choices:
            parts = (then, orelse)
        case nodes.Sequence(items=items) | nodes.Mapping(values=items):
            parts = items
        case Call(args=args) if is_view(expr):
            if view_or_copy(expr):
                yield expr
            parts = args[:1]
        case Call(function=function, args=args) if function in ("list+", "list*", "and", "or"):
            parts = args
    for part in parts:
        yield from undecided_in(part, choices)


def chain(value: Expr) -> Iterator[Call]:
    """The operations between a value and the variable whose memory it may share."""
    while True:
        match value:
            case nodes.Index(base=base) if gives_view(value):
                value = base
            case Call(args=args) if is_view(value):
                yield value
                value = args[0]
            case _:
                return


def left_open(value: Expr, found: Effects, doubtful: frozenset[str]) -> bool:
    """Whether only a run can tell if a value shares memory that is written in place."""
    return any(
        view_or_copy(call)
        and found.is_written(root(call) or "")
        and not surely_view(call, doubtful)
        for call in chain(value)
    )


def deciding_layouts(
    block: Block, found: Effects, given_in_order: bool | None = None
) -> frozenset[str]:
    """The names of arrays that are written in place, and whose layout in memory decides which of
    them share it. given_in_order: see `doubtful_names`."""
    values = [v for s in nodes.walk_block(block) if isinstance(s, nodes.Assign) for v in s.values]
    values = [v for v in values if any(map(view_or_copy, chain(v)))]
    if not values:
        return frozenset()
    doubtful = doubtful_names(block, given_in_order)
    held = [root(v) or "" for v in values if left_open(v, found, doubtful)]
    return frozenset(name for owner in held for name in found.members(owner))


_BEGUN = (np.zeros, np.ones, np.full, np.zeros_like, np.ones_like)


def begun_from_numbers(block: Block) -> frozenset[str]:
    """The names of arrays that may lie in another order than the program's own do: of numbers that
    a loop makes arrays of, begun as arrays (they stand at no place in the source), and what is
    computed from those. What is added to a number first decides how the sum lies, in NumPy."""
    pairs = [
        (target, value)
        for stmt in nodes.walk_block(block)
        if isinstance(stmt, nodes.Assign)
        for target, value in zip(stmt.targets, stmt.values, strict=True)
        if len(shape_of(value.type) or ((), ())) > 1
    ]
    found: set[str] = set()
    grown = True
    while grown:
        new = {t for t, v in pairs if _is_begun(v) or nodes.names_in(v) & found} - found
        found, grown = found | new, bool(new)
    return frozenset(found)


def _is_begun(value: Expr) -> bool:
    return isinstance(value, Call) and value.span is None and value.function in _BEGUN


def names_order(block: Block) -> bool:
    """Whether entries are taken in the order in which they lie (`order="K"` and `order="A"`), or
    by their distances in memory."""
    return any(
        isinstance(part, Call)
        and (
            any(part.function is f for f in _BY_STRIDES)
            or any(
                isinstance(e, nodes.Const) and e.value in ("K", "A") for e in nodes.children(part)
            )
        )
        for stmt in nodes.walk_block(block)
        for expr in nodes.expressions(stmt)
        for part in nodes.walk(expr)
    )


__all__ = [
    "begun_from_numbers",
    "chain",
    "deciding_layouts",
    "held_values",
    "left_open",
    "names_order",
    "undecided_in",
]
