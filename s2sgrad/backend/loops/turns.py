"""Floor 6: arrays turned by a known number of places: `np.roll(u, 1)` is read at `(i - 1) % n`.

See wraps.py for what becomes of the remainders.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.backend.loops.extents import integer, subtract
from s2sgrad.ir.nodes import Call, Const, Expr, Var
from s2sgrad.ir.types import Array, Scalar
from s2sgrad_runtime import negated

DTYPES = frozenset({"float64", "float32", "complex128", "int64", "bool"})


def is_turn(expr: Expr) -> bool:
    """Whether an expression turns an array by a known number of places along a known axis."""
    return turn_of(expr) is not None


def turn_of(expr: Expr) -> tuple[int, int] | None:
    """By how many places `np.roll` turns an array, and along which axis."""
    if not isinstance(expr, Call) or expr.function is not np.roll or len(expr.args) > 3:
        return None
    options = dict(expr.kwargs)
    base, *given = expr.args
    if not given or set(options) - {"axis"} or not isinstance(base.type, Array):
        return None
    kind = base.type
    if kind.dtype not in DTYPES or not kind.shape or expr.type != kind:
        return None
    along = given[1] if len(given) > 1 else options.get("axis")
    named = along is not None and along != Const(None)
    axis = _number(along) if along is not None and named else 0
    shift = _number(given[0])
    if axis is None or not -len(kind.shape) <= axis < len(kind.shape) or shift is None:
        return None
    return (shift, axis % len(kind.shape)) if named or len(kind.shape) == 1 else None


def _number(expr: Expr) -> int | None:
    match expr:
        case Const(value=int(value)) if type(value) is int:
            return value
        case Call(function=function, args=(inner,)) if function in (negated, "negated"):
            found = _number(inner)
            return None if found is None else -found
        case Call(form="operator", text="-", args=(Const(value=int(value)),)):
            return -value
    return None


# --- places on a ring -------------------------------------------------------------------------
def turned_place(place: Expr, shift: int, count: Expr) -> Expr:
    """Where an entry lies before the axis, of that length, is turned by so many places."""
    match place:
        case Call(text="%", form="operator", args=(inner, by)) if by == count:
            place = inner  # turned twice
    place = subtract(place, integer(shift))
    return place if isinstance(place, Var) else place_on_ring(place, count)


def place_on_ring(place: Expr, count: Expr) -> Expr:
    """`place % count`: an entry of an axis of that length, for a place beside it too."""
    return Call(np.remainder, "%", (place, count), form="operator", type=Scalar("int64"))


def step_on_ring(expr: Expr, name: str, count: Expr) -> int | None:
    """The amount in `(name + amount) % count`."""
    match expr:
        case Call(form="operator", text="%", args=(moved, by)) if by == count:
            match moved:
                case Call(text="+", args=(Var(name=own), Const(value=int(amount)))):
                    return amount if own == name else None
                case Call(text="-", args=(Var(name=own), Const(value=int(amount)))):
                    return -amount if own == name else None
    return None


def on_ring_of(expr: Expr, name: str, count: Expr, other: Expr) -> Expr:
    """`(name + amount) % count` as `(name + amount) % other`, which is the same number."""
    if step_on_ring(expr, name, count) is None:
        return expr
    assert isinstance(expr, Call)
    return replace(expr, args=(expr.args[0], other))


__all__ = ["is_turn", "on_ring_of", "place_on_ring", "step_on_ring", "turn_of", "turned_place"]
