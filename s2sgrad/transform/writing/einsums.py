"""Floor 5: cotangents of `np.einsum` as einsums of the same letters.

The cotangent of a in `np.einsum("bij,bkj->bik", a, c)` is `np.einsum("bik,bkj->bij", y_bar, c)`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.analysis.costs import COMPILED, present
from s2sgrad.ir.nodes import Const, Expr, Sequence
from s2sgrad.ir.sizes import Size
from s2sgrad.ir.types import Array, Known
from s2sgrad.transform.writing import build


def einsum_bars(s: Any, y_bar: Expr, subscripts: Expr, operands: Expr) -> Expr | None:
    """The cotangents of all operands, in a list; None where an axis is stretched, summed alone or
    named twice."""
    if present() is COMPILED or not isinstance(operands, Sequence):
        return None
    found = _terms(subscripts, operands.items)
    if found is None:
        return None
    terms, out = found
    bars = [_bar(k, terms, out, y_bar, operands.items) for k in range(len(terms))]
    return None if None in bars else Sequence("list", tuple(bars), type=operands.type)  # type: ignore[arg-type]


def _terms(subscripts: Expr, operands: tuple[Expr, ...]) -> tuple[list[str], str] | None:
    """The letters of the operands' axes, and of the result's."""
    text = subscripts.value if isinstance(subscripts, Const) else None
    if not isinstance(text, str) or "." in text or "->" not in text or len(operands) < 2:
        return None
    left, _, out = text.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(operands):
        return None
    lengths: dict[str, Size] = {}
    for term, value in zip(terms, operands, strict=True):
        shape = value.type.shape if isinstance(value.type, Array) else None
        real = isinstance(value.type, Array) and value.type.dtype == "float64"
        if not real or shape is None or len(shape) != len(term):
            return None
        for letter, size in zip(term, shape, strict=True):
            if size is None or lengths.setdefault(letter, size) != size:
                return None
    alone = any(len(set(t)) < len(t) for t in (*terms, out))
    return None if alone or not out else (terms, out)


def _bar(
    k: int, terms: list[str], out: str, y_bar: Expr, operands: tuple[Expr, ...]
) -> Expr | None:
    others = {letter for i, term in enumerate(terms) if i != k for letter in term}
    if not set(terms[k]) <= {*out, *others}:
        return None
    left = ",".join([*terms[:k], out, *terms[k + 1 :]])
    text = f"{left}->{terms[k]}"
    given = (*operands[:k], y_bar, *operands[k + 1 :])
    return build.call(
        np.einsum, "np.einsum", Const(text, type=Known(text)), *given, kind=operands[k].type
    )


__all__ = ["einsum_bars"]
