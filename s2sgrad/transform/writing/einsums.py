"""Floor 5: cotangents and tangents of `np.einsum` as einsums of the same letters.

The cotangent of a in `np.einsum("bij,bkj->bik", a, c)` is `np.einsum("bik,bkj->bij", y_bar, c)`;
its tangent along a_dot has a_dot in the place of a.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from s2sgrad.ir.nodes import Call, Const, Expr, Sequence
from s2sgrad.ir.sizes import Size
from s2sgrad.ir.types import Array, Known, Type
from s2sgrad.transform.writing import build

WHOLE = ("int64", "bool")  # operands that carry no derivative


def einsum_bars(s: Any, y_bar: Expr, subscripts: Expr, operands: Expr) -> Expr | None:
    """The cotangents of all operands, in a list; None where an axis is stretched, summed alone or
    named twice."""
    found = _terms(subscripts, operands)
    if found is None:
        return None
    terms, out, values, _ = found
    return _listed([_bar(k, terms, out, values, y_bar) for k in range(len(terms))], operands)


def einsum_dot(s: Any, operands_dot: Expr, subscripts: Expr, operands: Expr) -> Expr | None:
    """Each operand's tangent in its place, added up; None as above."""
    found = _terms(subscripts, operands)
    if found is None or not isinstance(operands_dot, Sequence):
        return None
    terms, out, values, lengths = found
    kind = Array("float64", tuple(lengths[c] for c in out))
    parts: list[Expr | None] = [
        _einsum(terms, out, (*values[:k], dot, *values[k + 1 :]), kind)
        for k, dot in enumerate(operands_dot.items)
        if not _is_zero(dot)
    ]
    return _sum(parts)


def einsum_bars_dot(
    s: Any, operands_dot: Expr, y_bar: Expr, subscripts: Expr, operands: Expr
) -> Expr | None:
    """The tangents of the cotangents in the operands: each other operand's in its place."""
    found = _terms(subscripts, operands)
    if found is None or not isinstance(operands_dot, Sequence):
        return None
    terms, out, values, _ = found
    totals: list[Expr | None] = []
    for k in range(len(terms)):
        parts = [
            _bar(k, terms, out, (*values[:j], dot, *values[j + 1 :]), y_bar)
            for j, dot in enumerate(operands_dot.items)
            if j != k and not _is_zero(dot)
        ]
        none = build.zeros_like(values[k], values[k].type)  # type: ignore[arg-type]
        totals.append(_sum(parts) if parts else none)
    return _listed(totals, operands)


def _sum(parts: list[Expr | None]) -> Expr | None:
    """None where there is nothing to add, or a part is not known."""
    known = [p for p in parts if p is not None]
    if not known or len(known) < len(parts):
        return None
    return reduce(lambda one, two: build.binary("+", one, two), known)


def _is_zero(dot: Expr) -> bool:
    """Whether it is the tangent of what does not change."""
    absent = isinstance(dot, Const) and dot.value is None
    return absent or (isinstance(dot, Call) and dot.function is np.zeros_like)


def _listed(bars: list[Expr | None], operands: Expr) -> Expr | None:
    return None if None in bars else Sequence("list", tuple(bars), type=operands.type)  # type: ignore[arg-type]


def _terms(
    subscripts: Expr, operands: Expr
) -> tuple[list[str], str, tuple[Expr, ...], dict[str, Size]] | None:
    """The letters of the operands' axes and of the result's, the operands, and the lengths."""
    text = subscripts.value if isinstance(subscripts, Const) else None
    if not isinstance(text, str) or "." in text or "->" not in text:
        return None
    left, _, out = text.replace(" ", "").partition("->")
    terms = left.split(",")
    values = operands.items if isinstance(operands, Sequence) else ()
    if len(terms) != len(values) or len(values) < 2:
        return None
    lengths: dict[str, Size] = {}
    for term, value in zip(terms, values, strict=True):
        shape = value.type.shape if isinstance(value.type, Array) else None
        real = isinstance(value.type, Array) and value.type.dtype in ("float64", *WHOLE)
        if not real or shape is None or len(shape) != len(term):
            return None
        for letter, size in zip(term, shape, strict=True):
            if size is None or lengths.setdefault(letter, size) != size:
                return None
    if all(value.type.dtype in WHOLE for value in values):  # type: ignore[attr-defined]
        return None
    alone = any(len(set(t)) < len(t) for t in (*terms, out))
    return None if alone or not out else (terms, out, values, lengths)


def _bar(
    k: int, terms: list[str], out: str, operands: tuple[Expr, ...], y_bar: Expr
) -> Expr | None:
    """The cotangent of operand k; None where it has an axis that nothing else has, zeros where it
    carries none."""
    if operands[k].type.dtype in WHOLE:  # type: ignore[attr-defined]
        return build.zeros_like(operands[k], operands[k].type)  # type: ignore[arg-type]
    others = {letter for i, term in enumerate(terms) if i != k for letter in term}
    if not set(terms[k]) <= {*out, *others}:
        return None
    given = (*operands[:k], y_bar, *operands[k + 1 :])
    return _einsum([*terms[:k], out, *terms[k + 1 :]], terms[k], given, operands[k].type)


def _einsum(terms: list[str], out: str, operands: tuple[Expr, ...], kind: Type) -> Expr:
    text = f"{','.join(terms)}->{out}"
    return build.call(np.einsum, "np.einsum", Const(text, type=Known(text)), *operands, kind=kind)


__all__ = ["einsum_bars", "einsum_bars_dot", "einsum_dot"]
