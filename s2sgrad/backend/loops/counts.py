"""Floor 6: which integers are surely not negative: a subscript that is would count from the end."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import numpy as np

from s2sgrad.analysis.indexing import size_of
from s2sgrad.backend.loops.extents import integer
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.ranges import is_shape
from s2sgrad.backend.loops.touches import every
from s2sgrad.ir import nodes
from s2sgrad.ir.assumptions import not_negative
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Var

_RISING = (np.add, np.multiply, np.floor_divide)


def rising_counters(body: Block) -> frozenset[str]:
    """The names that loops alone bind, over ranges that hold nothing negative."""
    lowest: dict[str, list[Expr]] = {}
    others: set[str] = set()
    for stmt in every(body):
        match stmt:
            case Nest(indices=indices):
                lowest.update((name, []) for name in indices if name not in lowest)
            case nodes.For(targets=(name,), sources=(Call(function=known, args=args),)) if (
                known in (range, "range") and (len(args) < 3 or _step(args[2]))
            ):
                lowest.setdefault(name, []).append(_lowest(args))
            case _:
                others |= set(nodes.targets_of(stmt))
    found: frozenset[str] = frozenset()
    while True:
        more = frozenset(
            name
            for name, starts in lowest.items()
            if name not in others and all(is_count(e, found) for e in starts)
        )
        if more == found:
            return found
        found = more


def falling_counters(body: Block) -> frozenset[str]:
    """The counters of loops over ranges that go down and have loops in them."""
    return frozenset(
        stmt.targets[0]
        for stmt in every(body)
        if isinstance(stmt, nodes.For) and _falls(stmt) and any(map(_is_loop, every(stmt.body)))
    )


def _falls(loop: nodes.For) -> bool:
    match loop.sources:
        case (Call(function=known, args=args),) if known in (range, "range"):
            return (len(args) == 3 and _step(args[2]) < 0) != loop.backwards
    return False


def _is_loop(stmt: nodes.Stmt) -> bool:
    return isinstance(stmt, Nest | nodes.For | nodes.While)


def _step(expr: Expr) -> int:
    """The step of a range, 0 where it is not known."""
    match expr:
        case Const(value=int(value)):
            return value
        case Call(form="operator", text="-", args=(Const(value=int(value)),)):
            return -value
    return 0


def _lowest(args: tuple[Expr, ...]) -> Expr:
    """What the numbers of a range do not fall below."""
    if len(args) == 1:
        return integer(0)
    if len(args) == 3 and _step(args[2]) < 0:
        return Call(np.add, "+", (args[1], integer(1)), form="operator")
    return args[0]


def is_count(expr: Expr, counters: AbstractSet[str]) -> bool:
    """Whether an integer is surely not negative. counters: names of which that is known."""
    match expr:
        case Const(value=int(value)):
            return value >= 0
        case Var(name=name) if name in counters:
            return True
        case Call(form="operator", function=function, args=args) if function in _RISING:
            if all(is_count(a, counters) for a in args):
                return True
        case Call(function=function, args=args) if function is max:
            return any(is_count(a, counters) for a in args)
    size = size_of(expr)
    return is_shape(expr) or (size is not None and not_negative(size))


__all__ = ["is_count", "rising_counters"]
