"""Floor 4: what is known of values that are compared, before the code runs."""

from __future__ import annotations

from types import NoneType
from typing import Any

import numpy as np

from s2sgrad.analysis.lists import as_array
from s2sgrad.analysis.texts import only_texts
from s2sgrad.errors import Span
from s2sgrad.frontend.values import Dyn, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import (
    BOOL,
    Array,
    Dict,
    Known,
    List,
    Maybe,
    Number,
    Opaque,
    Scalar,
    Tuple,
    Type,
    is_number,
    join,
)
from s2sgrad.rules.methods import OPERATORS

_FAMILIES: tuple[tuple[type, ...], ...] = (
    (list,), (tuple,), (dict,), (str,), (bytes,), (NoneType,), (type({}.values()),),
    (set, frozenset, type({}.keys()), type({}.items())),
)  # fmt: skip


def _family(cls: type | None) -> int | None:
    """Which of the kinds of Python's own values, that are compared by what is in them, a class is
    of; None where it answers for itself."""
    for number, family in enumerate(_FAMILIES):
        base = next((c for c in family if cls is not None and issubclass(cls, c)), None)
        if base is not None:
            return number if "__eq__" not in vars(cls) or cls is base else None
    return None


def never_equal(one: type | None, other: type | None) -> bool:
    """Whether values of two classes differ, whatever is in them: a list and a tuple, say."""
    families = _family(one), _family(other)
    return None not in families and families[0] != families[1]


def met(
    test: nodes.Expr, then: nodes.Expr, orelse: nodes.Expr, span: Span | None
) -> nodes.Choice | None:
    """`then if test else orelse`; None for lists and dicts of which one is of a wider type where
    they meet: it is so from then on, by whatever name."""
    kind = join(then.type, orelse.type)
    if isinstance(kind, List | Dict) and (then.type != kind or orelse.type != kind):
        return None
    return nodes.Choice(test, then, orelse, type=kind, span=span)


def by_numpy(args: tuple[nodes.Expr, ...]) -> bool:
    """Whether lists of numbers are compared with NumPy's, and so are arrays."""
    kinds = [as_array(a.type) if isinstance(a.type, List | Tuple) else a.type for a in args]
    python = ("int", "float", "bool", "complex")
    numpy = [
        isinstance(k, Array | Number) or (isinstance(k, Scalar) and k.dtype not in python)
        for k, a in zip(kinds, args, strict=True)
        if k is a.type
    ]
    return any(numpy) and all(map(is_number, kinds))


def compared_type(sign: str, args: tuple[nodes.Expr, ...]) -> Type:
    """The type of a comparison of what is not all numbers: an array of texts has an answer for
    each entry."""
    kinds = [a.type for a in args]
    arrays = [k for k in kinds if k == Opaque("ndarray") or isinstance(k, Array)]
    if sign in OPERATORS and not arrays and any(isinstance(k, Number) for k in kinds):
        return Number("bool")
    if sign not in OPERATORS or all(isinstance(k, Array) and k.shape == () for k in arrays):
        return BOOL
    first, beside_one = arrays[0], any(isinstance(k, Known | Scalar) for k in kinds)
    return Array("bool", first.shape if beside_one and isinstance(first, Array) else None)


def never_is(value: Value, text: Any) -> bool:
    """Whether a value is no text, type or None: a number, or an array, not one of texts, or one
    of objects, that may be texts; or the letter `x.dtype.kind`, and the text is one that says that
    x holds no numbers."""
    match value:
        case Dyn(expr=nodes.Call(text="kind", form="attribute", args=(nodes.Expr(type=kind),))):
            return kind == Opaque("dtype") and text in ("O", "S", "U", "M", "m")
        case Dyn():
            known = getattr(value.type, "dtype", "") is not None
            return known and is_number(value.type) and not only_texts(value.type)
    return False


def may_be_none(expr: nodes.Expr) -> bool:
    """Whether only a run knows if a value is None: entries of arrays of objects may be, too."""
    if isinstance(expr.type, Maybe | Opaque) or expr.type == Number():
        return True
    held = expr.base.type if isinstance(expr, nodes.Index) else None
    return isinstance(held, Array) and held.dtype is None


def known_size(kind: Type) -> int | None:
    """The value of an integer, where that is known."""
    size = kind.size if isinstance(kind, Scalar) else None
    return None if size is None else size.constant


def is_fraction(function: Any, args: tuple[nodes.Expr, ...], kind: Type) -> bool:
    """Whether a power, of an integer's type, is a float: `10 ** -k`."""
    whole = isinstance(kind, Scalar) and kind.dtype == "int"
    match args:
        case (_, nodes.Call(function=np.negative, form="operator")):
            return function is np.power and whole
    return False


__all__ = ["by_numpy", "compared_type", "is_fraction", "known_size", "may_be_none", "never_is"]
