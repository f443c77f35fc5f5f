"""Floor 6: which products of arrays are contractions: einsum, `@` of stacks, tensordot.

A contraction has a letter for each axis of two operands and of the result, as einsum's subscripts
have it. The cotangents of an operand are contractions too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from string import ascii_letters
from typing import Any

import numpy as np

from s2sgrad.backend.loops.elements import is_array
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr
from s2sgrad.ir.types import Array, Known, Type

Place = tuple[Expr, int]  # an operand, and which of its axes
_DTYPES = ("float64", "float32", "complex128", "complex64")


@dataclass(frozen=True)
class Contraction:
    """Operands with a letter for each axis, and the letters of the result.

    like: what the result must be as long as, where it is a cotangent.
    """

    left: Expr
    right: Expr
    terms: tuple[str, str]
    out: str
    like: Expr | None = None

    @property
    def summed(self) -> str:
        """The letters that are in no axis of the result."""
        every = dict.fromkeys("".join(self.terms))
        return "".join(c for c in every if c not in self.out)


def contraction(expr: Call) -> Contraction | None:
    """The contraction that a call is; None for any other call."""
    read = _READERS.get(expr.text)
    if read is None or (expr.kwargs and expr.text != "np.tensordot"):
        return None
    found = read(expr)
    return None if found is None else _of_one_dtype(found, expr.type)


def _of_one_dtype(found: Contraction, kind: Type) -> Contraction:
    """The same with whole numbers as the floats that they are multiplied with."""
    dtype = kind.dtype if isinstance(kind, Array) else None
    if dtype != "float64":
        return found
    return replace(found, left=_as_floats(found.left), right=_as_floats(found.right))


def _as_floats(expr: Expr) -> Expr:
    kind = expr.type
    if not isinstance(kind, Array) or kind.dtype not in ("int64", "bool"):
        return expr
    dtype = nodes.Ref("np.float64", np.float64, type=Known(np.float64))
    wide = Array("float64", kind.shape)
    return Call(np.astype, "astype", (expr, dtype), form="method", type=wide, span=expr.span)


def _of_einsum(expr: Call) -> Contraction | None:
    if len(expr.args) != 3:
        return None
    found = _subscripts(expr.args[0])
    return None if found is None else Contraction(*expr.args[1:], *found)  # type: ignore[arg-type]


def _subscripts(given: Expr) -> tuple[tuple[str, str], str] | None:
    """The terms of an einsum of two operands, each with different letters."""
    text = given.value if isinstance(given, Const) else None
    if not isinstance(text, str) or "." in text:
        return None
    terms, arrow, out = text.replace(" ", "").partition("->")
    if terms.count(",") != 1:
        return None
    left, right = terms.split(",")
    if not arrow:
        out = "".join(sorted(c for c in set(left + right) if (left + right).count(c) == 1))
    if any(len(set(t)) < len(t) for t in (left, right, out)) or set(out) - set(left + right):
        return None
    return (left, right), out


def of_einsum_bars(expr: Expr, place: int) -> Contraction | None:
    """The cotangent of one operand: y_bar times the other operand."""
    match expr:
        case Call(text="einsum_bars", args=(y_bar, subscripts, nodes.Sequence(items=items))):
            found = _subscripts(subscripts)
            if found is None or len(items) != 2 or place not in (0, 1):
                return None
            (terms, out), other = found, 1 - place
            if set(terms[place]) - set(out + terms[other]):
                return None
            named, like = (out, terms[other]), items[place]
            found_bar = Contraction(y_bar, items[other], named, terms[place], like)
            return _of_one_dtype(found_bar, like.type)
    return None


def _of_stacks(expr: Call) -> Contraction | None:
    """`a @ b` where one has more than two axes."""
    return _stacked(*expr.args, _rank(expr)) if len(expr.args) == 2 else None


def _stacked(left: Expr, right: Expr, rank: int) -> Contraction | None:
    terms = _stack_terms(_rank(left), _rank(right))
    if terms is None or len(terms[1]) != rank:
        return None
    return Contraction(left, right, *terms)


def _stack_terms(left: int, right: int) -> tuple[tuple[str, str], str] | None:
    if min(left, right) < 1 or max(left, right) < 3:
        return None
    stack = ascii_letters[: max(left, right) - 2]
    own = ["X"] if left > 1 else []
    end = ["Z"] if right > 1 else []
    first = stack[len(stack) - max(left - 2, 0) :] + "".join(own) + "Y"
    second = stack[len(stack) - max(right - 2, 0) :] + "Y" + "".join(end)
    return (first, second), stack + "".join(own + end)


def _bar_of_stacks(place: int) -> Callable[[Call], Contraction | None]:
    def read(expr: Call) -> Contraction | None:
        if len(expr.args) != 3:
            return None
        y_bar, *operands = expr.args
        found = _stack_terms(*map(_rank, operands))
        if found is None:
            return None
        terms, out = found
        other = operands[1 - place]
        order = (y_bar, other) if place == 0 else (other, y_bar)
        named = (out, terms[1]) if place == 0 else (terms[0], out)
        return Contraction(*order, named, terms[place], operands[place])

    return read


def _of_tensordot(expr: Call) -> Contraction | None:
    found = _tensordot_terms(expr, expr.args[:2], 2)
    return None if found is None else Contraction(expr.args[0], expr.args[1], *found)


def _tensordot_terms(
    expr: Call, operands: tuple[Expr, ...], place: int
) -> tuple[tuple[str, str], str] | None:
    axes = dict(expr.kwargs).get("axes") or (expr.args[place] if len(expr.args) > place else None)
    ranks = [_rank(o) for o in operands]
    summed = _axes(axes, ranks) if len(ranks) == 2 and min(ranks) > 0 else None
    if summed is None or len(summed[0]) != len(summed[1]):
        return None
    left = ascii_letters[: ranks[0]]
    right = list(ascii_letters[ranks[0] : sum(ranks)])
    for i, k in zip(*summed, strict=True):
        right[k] = left[i]
    shared = {left[i] for i in summed[0]}
    terms = (left, "".join(right))
    return terms, "".join(c for t in terms for c in t if c not in shared)


def _axes(axes: Expr | None, ranks: list[int]) -> tuple[list[int], list[int]] | None:
    """The axes of both operands that are summed over."""
    if axes is None:
        return [ranks[0] - 2, ranks[0] - 1], [0, 1]
    given = _value(axes)
    if type(given) is int:
        return list(range(ranks[0] - given, ranks[0])), list(range(given))
    if not isinstance(given, tuple) or len(given) != 2:
        return None
    parts = [p if isinstance(p, tuple) else (p,) for p in given]
    if not all(
        type(k) is int and -r <= k < r for p, r in zip(parts, ranks, strict=True) for k in p
    ):
        return None
    return tuple([k % r for k in p] for p, r in zip(parts, ranks, strict=True))  # type: ignore[return-value]


def _value(expr: Expr) -> Any:
    """The number, or tuple of them, that an expression surely is; None for any other."""
    if isinstance(expr, nodes.Sequence):
        items = tuple(map(_value, expr.items))
        return None if None in items else items
    if isinstance(expr, Const):
        return expr.value if type(expr.value) is int else None
    match expr:
        case Call(form="operator", text="-", args=(Const(value=int(value)),)):
            return -value
    return None


def _bar_of_tensordot(place: int) -> Callable[[Call], Contraction | None]:
    def read(expr: Call) -> Contraction | None:
        if len(expr.args) not in (3, 4):
            return None
        y_bar, *operands = expr.args[:3]
        found = _tensordot_terms(expr, tuple(operands), 3)
        if found is None:
            return None
        terms, out = found
        other = operands[1 - place]
        named = (out, terms[1 - place])
        return Contraction(y_bar, other, named, terms[place], operands[place])

    return read


_READERS: dict[str, Callable[[Call], Contraction | None]] = {
    "np.einsum": _of_einsum,
    "@": _of_stacks,
    "np.matmul": _of_stacks,
    "matmul_bar_left": _bar_of_stacks(0),
    "matmul_bar_right": _bar_of_stacks(1),
    "np.tensordot": _of_tensordot,
    "tensordot_bar_left": _bar_of_tensordot(0),
    "tensordot_bar_right": _bar_of_tensordot(1),
}


# --- small questions -----------------------------------------------------------------------
def _rank(expr: Expr) -> int:
    kind = expr.type
    return len(kind.shape) if isinstance(kind, Array) and kind.shape is not None else -1


def fits(found: Contraction, kind: Type) -> bool:
    """Whether dtypes and lengths are known to be equal, so that nothing is broadcast."""
    return doubtful_lengths(found, kind) == []


def doubtful_lengths(found: Contraction, kind: Type) -> list[tuple[Place, Place]] | None:
    """The axes that must be as long as each other, and may not be; None where it can't be told, or
    dtypes differ."""
    operands = (found.left, found.right)
    if not all(is_array(o) for o in operands) or not isinstance(kind, Array) or not kind.shape:
        return None
    dtypes = {getattr(k, "dtype", None) for k in (*(o.type for o in operands), kind)}
    if len(dtypes) != 1 or not dtypes <= set(_DTYPES) or len(kind.shape) != len(found.out):
        return None
    terms = list(zip(operands, found.terms, strict=True))
    if found.like is not None:
        terms.append((found.like, found.out))
    if any(_rank(operand) != len(term) for operand, term in terms):
        return None
    first: dict[str, Place] = {}
    doubts: list[tuple[Place, Place]] = []
    for operand, term in terms:
        for axis, c in enumerate(term):
            place = (operand, axis)
            other = first.setdefault(c, place)
            one, two = _size(place), _size(other)
            if one != two and None not in (one, two) and one.constant and two.constant:  # type: ignore[union-attr]
                return None
            if other is not place and (one is None or one != two):
                doubts.append((other, place))
    return doubts if all(c in first for c in found.out) else None


def _size(place: Place) -> Any:
    operand, axis = place
    return operand.type.shape[axis]  # type: ignore[attr-defined]


__all__ = ["Contraction", "Place", "contraction", "doubtful_lengths", "fits", "of_einsum_bars"]
