"""Floor 6: entries taken by arrays of places: `image[rows, columns + 1]`, one for each pair.

Arrays of places are broadcast together. What they span stands where the first of them stood, and
in front where something else stands between them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.backend.loops.extents import Context, Extent, Space, add, integer
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr, Var
from s2sgrad.ir.types import BOOL, INT, Array, Scalar, Type, is_float_dtype

Maker = Callable[[list[Expr]], Expr]


def is_integer(kind: Type) -> bool:
    return isinstance(kind, Scalar) and not is_float_dtype(kind.dtype) and kind.dtype != "bool"


class Taken:
    """The arrays of places in a subscript. space: what they span; first: the part of the subscript
    where it stands, or None where there are no such arrays. leaf: makes a `Leaf` of a part.
    """

    def __init__(self, index: list[Expr], context: Context, leaf: Callable[..., Any]) -> None:
        self.places = {k: part for k, part in enumerate(index) if _is_places(part)}
        self.first: int | None = None
        self.space: Space = ()
        if not self.places:
            return
        chosen = [k for k, part in enumerate(index) if k in self.places or is_integer(part.type)]
        together = chosen == list(range(chosen[0], chosen[-1] + 1))
        self.first = chosen[0] if together else 0
        self.start = sum(_makes_axis(part) for part in index[: self.first])
        self.leaves = {k: leaf(_array(part), context) for k, part in self.places.items()}
        self.space = context.joined([found.extents for found in self.leaves.values()])

    def maker(self, k: int, own_axis: Extent | None) -> Maker:
        """Where one of the arrays leads, from the indices of the result. own_axis: of a part of an
        array, in which places are counted from the start."""
        found = self.leaves[k]
        own, more = found.extents, len(self.space) - len(found.extents)
        start, around = self.start + more, self.space[more:]
        ones = [e.one and not whole.one for e, whole in zip(own, around, strict=True)]

        def made(indices: list[Expr]) -> Expr:
            at = [integer(0) if one else indices[start + n] for n, one in enumerate(ones)]
            place = _moved(self.places[k], replace(found.element(tuple(at)), type=INT))
            return place if own_axis is None else from_start(place, own_axis)

        return made


def from_start(place: Expr, axis: Extent) -> Expr:
    """A place that may count from the end of an axis, counted from its start."""
    below = Call(np.less, "<", (place, integer(0)), form="operator", type=BOOL)
    return nodes.Choice(below, add(place, axis.count), place, type=INT)


def _makes_axis(part: Expr) -> bool:
    return not is_integer(part.type)


def _is_places(part: Expr) -> bool:
    """Whether a part is an array of places, or one that is moved by a number."""
    kind = part.type
    if not isinstance(kind, Array) or not kind.shape or kind.dtype != "int64":
        return False
    match part:
        case Call(form="operator", args=args):
            known = part.text in ("+", "-", "*", "%") and len(args) == 2
            return known and _is_places(args[0]) and _is_number(args[1])
    return True


def _is_number(expr: Expr) -> bool:
    return is_integer(expr.type) and isinstance(expr, Var | nodes.Const)


def _array(part: Expr) -> Expr:
    return _array(part.args[0]) if isinstance(part, Call) and part.form == "operator" else part


def _moved(part: Expr, entry: Expr) -> Expr:
    """The entry of an array, moved as the array is."""
    if not isinstance(part, Call) or part.form != "operator":
        return entry
    left, right = part.args
    return replace(part, args=(_moved(left, entry), right), type=INT)


__all__ = ["Taken", "from_start", "is_integer"]
