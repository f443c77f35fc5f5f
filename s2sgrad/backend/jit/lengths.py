"""Floor 6: lengths of new arrays that a run may find negative: loops may do without the arrays.

    y = np.zeros(n)         if n < 0: raise ValueError(...)
                            y = np.zeros(n)

The question stands as early as it can, outside of loops; Python runs the code
again after the error.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from s2sgrad.backend.loops.extents import integer
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Function, Stmt
from s2sgrad.ir.types import BOOL, STR, Known, Scalar

WHY = "negative dimensions are not allowed"
_MAKERS = frozenset({"np.empty", "np.zeros", "np.ones", "np.full"})
_GROWING = frozenset({"+", "*", "//"})  # of numbers that are not negative neither is this


def with_lengths_asked(lowered: Block, function: Function) -> Block:
    """The body as loops, with questions for the lengths that the function makes arrays of."""
    every = tuple(nodes.walk_block(function.body))
    bound = Counter(t for s in (*every, *nodes.walk_block(lowered)) for t in nodes.targets_of(s))
    result: tuple[Stmt, ...] = lowered
    asked: list[Expr] = []
    for stmt in every:
        for expr in nodes.expressions(stmt):
            for length in (n for e in nodes.walk(expr) for n in _lengths(e)):
                if length not in asked and not _never_negative(length):
                    asked.append(length)
    for length in reversed(asked):
        place = _place(result, nodes.names_in(length), bound, function)
        if place is not None:
            result = (*result[:place], _question(length), *result[place:])
    return result


def _lengths(expr: Expr) -> tuple[Expr, ...]:
    """What a new array is to be long."""
    if not isinstance(expr, Call) or expr.text not in _MAKERS or not expr.args:
        return ()
    shape = expr.args[0]
    found = shape.items if isinstance(shape, nodes.Sequence) else (shape,)
    return tuple(n for n in found if isinstance(n.type, Scalar) and n.type.dtype == "int")


def _never_negative(expr: Expr) -> bool:
    match expr:
        case Const(value=value):
            return isinstance(value, int) and value >= 0
        case nodes.Index(base=Call(form="attribute", text="shape")):
            return True
        case Call(form="attribute", text="size" | "ndim") | Call(text="len"):
            return True
        case Call(form="operator", args=(_, _), text=text) if text in _GROWING:
            return all(map(_never_negative, expr.args))
        case Call(text="max"):
            return any(map(_never_negative, expr.args))
    return False


def _place(
    block: Block, names: frozenset[str], bound: Counter[str], function: Function
) -> int | None:
    """Where all names of a length have the values that they keep; None: nowhere that is sure."""
    found = 0
    for name in names:
        if name in function.parameters and not bound[name]:
            continue
        places = [k for k, stmt in enumerate(block) if name in nodes.targets_of(stmt)]
        both = 2  # once in the function, once in its loops
        if (
            bound[name] != both
            or len(places) != 1
            or not isinstance(block[places[0]], nodes.Assign)
        ):
            return None
        found = max(found, places[0] + 1)
    return found


def _question(length: Expr) -> Stmt:
    test = Call(np.less, "<", (length, integer(0)), form="operator", type=BOOL)
    error = Call(ValueError, "ValueError", (Const(WHY, type=STR),), type=Known(None))
    return nodes.If(test, (nodes.Do(error, "raise"),), ())


__all__ = ["with_lengths_asked"]
