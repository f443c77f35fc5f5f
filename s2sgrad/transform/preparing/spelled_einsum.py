"""Floor 5: einsum of many operands as products of two, one after the other; of one, as its sum.

`np.einsum("i,j,ij->", a, b, w)` becomes `np.sum(b * np.einsum("i,ij->j", a, w))`: of two operands,
and of sums, the compiler makes loops, forwards and backwards.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from s2sgrad.ir import sizes
from s2sgrad.ir.nodes import Call, Const, Expr, Sequence
from s2sgrad.ir.types import INT, Array, Known, Tuple, Type
from s2sgrad.transform.preparing.spelling import Writer, is_real
from s2sgrad.transform.writing import build

Lengths = dict[str, sizes.Size | None]
Operand = tuple[str, Expr]


def pairwise(writer: Writer, call: Call) -> Expr | None:
    """The last of the products, after those that it needs; None for other calls."""
    if len(call.args) == 2:
        return _summed(call)
    found = _operands(call)
    if found is None:
        return None
    operands, out = found
    lengths = _lengths(operands)
    if lengths is None:
        return None
    while len(operands) > 2:
        one, two = min(combinations(operands, 2), key=lambda pair: _letters(pair, operands, out))
        rest = [o for o in operands if o is not one and o is not two]
        kept = _kept((one, two), rest, out)
        if not kept:
            return None
        kind = Array("float64", tuple(lengths[c] for c in kept))
        operands = [(kept, writer.named(_einsum(one, two, kept, kind), "product")), *rest]
    one, two = operands
    return _einsum(one, two, out, call.type) if out else _number(one, two)


def _summed(call: Call) -> Expr | None:
    """Of one operand, `ijk->ki`: a sum over some axes, and the others in their order."""
    given, value = call.args
    text = given.value if isinstance(given, Const) else None
    if call.kwargs or not isinstance(text, str) or "." in text or not is_real(value.type):
        return None
    term, arrow, out = text.replace(" ", "").partition("->")
    distinct = len(set(term)) == len(term) == _rank(value.type) and len(set(out)) == len(out)
    over = [k for k, letter in enumerate(term) if letter not in out]
    if not arrow or not distinct or not over or set(out) - set(term):
        return None
    if not out:
        return build.call(np.sum, "np.sum", value)
    shape = value.type.shape  # type: ignore[attr-defined]
    kept = tuple(k for k in range(len(term)) if k not in over)
    axes = tuple(Const(k, type=INT) for k in over)
    axis = axes[0] if len(axes) == 1 else Sequence("tuple", axes, type=Tuple((INT,) * len(axes)))
    kind = Array("float64", tuple(shape[k] for k in kept))
    total = Call(np.sum, "np.sum", (value,), (("axis", axis),), type=kind, span=call.span)
    order = [[term[k] for k in kept].index(letter) for letter in out]
    if order == sorted(order):
        return total
    return build.transpose(total) if order == sorted(order)[::-1] else None


def _number(one: Operand, two: Operand) -> Expr | None:
    """The sum of all products of two arrays with the same axes, in this order or the other."""
    if two[0] != one[0] and two[0] == one[0][::-1] and len(one[0]) == 2:
        two = (one[0], build.transpose(two[1]))
    if two[0] != one[0]:
        return None
    return build.call(np.sum, "np.sum", build.binary("*", one[1], two[1]))


def _operands(call: Call) -> tuple[list[Operand], str] | None:
    """More than two operands with the letters of their axes, and the letters of the result.

    Two of them where the result is a number.
    """
    given, *values = call.args
    text = given.value if isinstance(given, Const) else None
    if call.kwargs or len(values) < 2 or not isinstance(text, str) or "." in text:
        return None
    left, arrow, out = text.replace(" ", "").partition("->")
    terms = left.split(",")
    if not arrow or len(terms) != len(values) or set(out) - set(left):
        return None
    if len(terms) == 2 and out:
        return None
    if any(len(set(t)) < len(t) for t in (*terms, out)):
        return None
    operands = list(zip(terms, values, strict=True))
    fits = all(is_real(v.type) and _rank(v.type) == len(t) for t, v in operands)
    return (operands, out) if fits else None


def _rank(kind: Type) -> int:
    return len(kind.shape or ()) if isinstance(kind, Array) else 0


def _lengths(operands: list[Operand]) -> Lengths | None:
    """How long each letter's axes are; None where axes may be stretched."""
    found: Lengths = {}
    for term, value in operands:
        for letter, size in zip(term, value.type.shape, strict=True):  # type: ignore[attr-defined]
            if size is None or found.setdefault(letter, size) != size:
                return None
    return found


def _kept(pair: tuple[Operand, Operand], rest: list[Operand], out: str) -> str:
    """The letters of a product that are needed after it."""
    needed = {*out, *(c for term, _ in rest for c in term)}
    return "".join(c for c in dict.fromkeys(pair[0][0] + pair[1][0]) if c in needed)


def _letters(pair: tuple[Operand, Operand], operands: list[Operand], out: str) -> tuple[int, int]:
    """How many axes a product has, and how many it goes over."""
    rest = [o for o in operands if all(o is not p for p in pair)]
    return len(_kept(pair, rest, out)), len(set(pair[0][0] + pair[1][0]))


def _einsum(one: Operand, two: Operand, out: str, kind: Type) -> Expr:
    text = f"{one[0]},{two[0]}->{out}"
    subscripts = Const(text, type=Known(text))
    return build.call(np.einsum, "np.einsum", subscripts, one[1], two[1], kind=kind)


__all__ = ["pairwise"]
