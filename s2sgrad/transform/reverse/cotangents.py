"""Floor 5: small expressions that bring a cotangent into the form its value needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.nodes import Call, Const, Expr
from s2sgrad.ir.types import (
    UNKNOWN,
    Array,
    Known,
    List,
    Maybe,
    Number,
    Scalar,
    Tuple,
    Type,
    is_float_dtype,
    is_number,
    shape_of,
)
from s2sgrad.transform.writing import build


def summed_axes(small: sizes.Shape, large: sizes.Shape) -> tuple[int, tuple[int, ...]] | None:
    """(leading axes to sum away, axes to sum to size 1); None where that isn't known.

    An axis that is not 1 was not stretched: it has the length of the result's axis. What is
    stored may have more axes than its place: `y[0] = z[:1]`.
    """
    leading = len(large) - len(small)
    if leading < 0:
        return None
    kept = []
    for i, size in enumerate(small):
        other = large[leading + i]
        if size == sizes.ONE and other != sizes.ONE:
            kept.append(i)
        elif (size is None or size != other) and not sizes.surely_not_one(size):
            return None
    return leading, tuple(kept)


def present(value: Expr) -> Expr:
    """What may be None elsewhere, as an operand: an operation that has run has found it there."""
    kind = value.type
    return replace(value, type=kind.item) if isinstance(kind, Maybe) else value


def number_in(value: Expr) -> Expr:
    """The number that an array without axes holds: `+=` would change the array itself."""
    if isinstance(value.type, Array) and value.type.shape == ():
        return build.index(value, nodes.Sequence("tuple", (), type=Tuple(())))
    return value


def covers(bar: Expr, result: Expr) -> bool:
    """Whether a cotangent has its value's shape: a length that is not known is not a small one."""
    own, whole = shape_of(bar.type), shape_of(result.type)
    if not own or not whole or len(own) != len(whole):
        return False
    return all(p is None or p == q for p, q in zip(own, whole, strict=True))


def shaped_as(value: Expr, result: Expr) -> Expr:
    """A partial that is made of a cotangent of the result's shape."""
    own, whole = value.type, shape_of(result.type)
    if not isinstance(own, Array) or own.shape is None or sizes.known(own.shape):
        return value
    if whole is None or len(own.shape) != len(whole):
        return value
    return replace(value, type=replace(own, shape=whole))


def only_array(target: Expr, result: Expr) -> bool:
    """Whether an operation's other operands are numbers, so that it keeps the target's shape."""
    if not isinstance(result, Call) or not isinstance(target.type, Array):
        return False
    given = nodes.children(result)
    others = [a for a in given if a is not target]
    return len(others) < len(given) and all(isinstance(a.type, Scalar) for a in others)


def mentions(value: Expr, *parts: Expr) -> bool:
    """Whether one of these is part of an expression."""
    return any(e in parts for e in nodes.walk(value))


def axes_literal(axes: tuple[int, ...]) -> Expr:
    """The `axis=` argument for these axes."""
    if len(axes) == 1:
        return constant(axes[0])
    items = tuple(constant(a) for a in axes)
    return nodes.Sequence("tuple", items, type=Tuple(tuple(i.type for i in items)))


def entry_of(bar: Expr, i: int, kind: Type) -> Expr:
    """`bar[i]`, of type `kind` where it is not known."""
    entry = build.index(bar, constant(i))
    known = is_number(entry.type) and not isinstance(entry.type, Number)
    return entry if known else replace(entry, type=kind)


def value_of(bar: Expr, key: Expr, kind: Type) -> Expr:
    """`bar[key]` of a dict, of type `kind`; complex for a real value where others are."""
    return nodes.Index(bar, (key,), type=as_wide(kind, build.index(bar, key).type))


def as_wide(kind: Type, whole: Type) -> Type:
    """The type of a part of a cotangent: complex for a real value, if the whole is complex."""
    if isinstance(kind, Scalar | Array | Number) and isinstance(whole, Scalar | Array | Number):
        wide = whole.dtype is not None and is_complex_dtype(whole.dtype)
        if wide and kind.dtype is not None and not is_complex_dtype(kind.dtype):
            dtype: Any = whole.dtype
            return replace(kind, dtype=dtype)
    return kind


def any_complex(*exprs: Expr, doubtful: bool = False) -> bool:
    """Whether an operation has complex operands or result.

    doubtful: numbers of unknown dtype count as complex.
    """
    return any(_complex_inside(e.type, doubtful) for e in exprs)


def _complex_inside(kind: Type, doubtful: bool) -> bool:
    if isinstance(kind, Tuple):
        return any(_complex_inside(item, doubtful) for item in kind.items)
    if not isinstance(kind, Scalar | Array | Number):
        return False
    return is_complex_dtype(kind.dtype) if kind.dtype is not None else doubtful


def conjugated(expr: Expr) -> Expr:
    """The conjugate; real numbers as they are; lists and tuples entry by entry."""
    if isinstance(expr.type, List | Tuple):
        helper = s2sgrad_runtime.conj_each
        return Call(helper, "conj_each", (expr,), type=expr.type)
    if isinstance(expr, Call) and expr.function is np.conj:
        return expr.args[0]
    if _holds_conjugates(expr) and isinstance(expr, Call):  # conj(conj(a) * b) is a * conj(b)
        return replace(expr, args=tuple(map(conjugated, expr.args)))
    if isinstance(expr, Const) and type(expr.value) is complex:
        return constant(expr.value.conjugate())
    if (
        isinstance(expr.type, Scalar)
        and expr.type.value is not UNKNOWN
        and not isinstance(expr.type.value, complex)
    ):
        return expr
    if (
        isinstance(expr.type, Scalar | Array)
        and expr.type.dtype is not None
        and not is_complex_dtype(expr.type.dtype)
    ):
        return expr
    return Call(np.conj, "np.conj", (expr,), type=expr.type)


def _holds_conjugates(expr: Expr) -> bool:
    """Whether an operator has a conjugate for an operand: it is conjugated operand by operand."""
    if not isinstance(expr, Call) or expr.form != "operator":
        return False
    if expr.text not in ("*", "/", "@", "+", "-"):
        return False
    conjugates = (isinstance(a, Call) and a.function is np.conj for a in expr.args)
    constants = all(isinstance(a, Const) for a in expr.args)
    return constants or any(conjugates) or any(map(_holds_conjugates, expr.args))


def as_listed(value: Expr, target: Expr, taped: bool) -> Expr:
    """The cotangent of a list or tuple, which a rule may make of an array.

    taped: False in code that is differentiated again. There the list that a rule makes is one to
    be changed, also where it is known how long it is: items are taken out of it.
    """
    if not isinstance(target.type, List | Tuple):
        return value
    if not isinstance(value.type, List | Tuple):
        return replace(value, type=target.type)
    if isinstance(target.type, List) and isinstance(value.type, Tuple) and not taped:
        return Call(list, "list", (value,), type=target.type)
    return value


def real_items(value: Expr, target: Expr, call: Expr, doubtful: bool) -> Expr:
    """Cotangents of the items of a list or tuple, real where the item is, of a complex result."""
    if not _holds_real(target) or not _holds(call.type, _may_be_complex(doubtful)):
        return value
    helper = s2sgrad_runtime.real_like
    return Call(helper, "real_like", (value, target), type=target.type)


def unstacked(bar: Expr, items: Expr, doubtful: bool) -> Expr:
    """The cotangent of a list that `np.array` took, the rows of the array's; of other items of a
    display their own."""
    if isinstance(items.type, Array | Scalar | Number):
        return bar
    helper = s2sgrad_runtime.unstack_like
    rows = Call(helper, "unstack_like", (bar, items), type=items.type)
    real = _holds(items.type, lambda dtype: dtype is None or not is_complex_dtype(dtype))
    return real_items(rows, items, bar, doubtful) if real else rows


def _holds_real(expr: Expr) -> bool:
    """Whether an item may be real. A list's type is that of its widest item."""
    if isinstance(expr, nodes.Sequence):
        return any(map(_holds_real, expr.items))
    return isinstance(expr.type, List) or _holds(
        expr.type, lambda dtype: dtype is None or not is_complex_dtype(dtype)
    )


def _may_be_complex(doubtful: bool) -> Callable[[str | None], bool]:
    return lambda dtype: doubtful if dtype is None else is_complex_dtype(dtype)


def _holds(kind: Any, asked: Callable[[str | None], bool]) -> bool:
    """Whether the dtype of some number in a type is of the kind asked for."""
    if isinstance(kind, Tuple):
        return any(_holds(item, asked) for item in kind.items)
    if isinstance(kind, List):
        return _holds(kind.item, asked)
    return isinstance(kind, Scalar | Array | Number) and asked(kind.dtype)


def projected(value: Expr, target: Expr, doubtful: bool, certain: bool) -> Expr:
    """A cotangent without its imaginary part where what it is about is real, and with one where
    it is complex: more may be added to it in place.

    doubtful: numbers of unknown dtype may be complex, and are looked at when the code runs.
    certain: what has a complex type is complex.
    """
    wide, narrow = (getattr(e.type, "dtype", None) for e in (value, target))
    if wide is not None and narrow is not None:
        if is_complex_dtype(narrow) and not is_complex_dtype(wide):
            return _widened(value, wide) if certain else value
        if not is_complex_dtype(wide) or is_complex_dtype(narrow):
            return _as_precise(value, wide, narrow)
        dtype: dict[str, Any] = {"dtype": "float32" if wide == "complex64" else "float64"}
        return build.attribute(value, "real", np.real, replace(value.type, **dtype))
    unknown = isinstance(target.type, Array | Number | Scalar) and doubtful
    if unknown and not _is_real(narrow, wide) and not isinstance(value, Const):
        helper = s2sgrad_runtime.real_like
        kind = value.type if is_number(value.type) else target.type
        kind = kind if narrow is None else replace(kind, dtype=narrow)  # type: ignore[call-arg]
        return Call(helper, "real_like", (value, target), type=kind)
    return value


def _as_precise(value: Expr, own: str, dtype: str) -> Expr:
    """A cotangent of a value that went on in a lower precision, in the value's own."""
    if own not in build.NARROW or not _is_wider(dtype, own):
        return value
    return _cast(value, dtype)


def as_its_value(value: Expr, target: Type) -> Expr:
    """A tangent in the precision of its value: `np.prod(x, dtype=...)` may give another one."""
    own, dtype = (getattr(t, "dtype", None) for t in (value.type, target))
    both = own in _NUMPYS_FLOATS and dtype in _NUMPYS_FLOATS
    return _cast(value, dtype) if both and own != dtype else value  # type: ignore[arg-type]


def _cast(value: Expr, dtype: str) -> Expr:
    if isinstance(value, Const):
        return value
    scalar = np.dtype(dtype).type
    ref = nodes.Ref(f"np.{scalar.__name__}", scalar, type=Known(scalar))
    wide: dict[str, Any] = {"dtype": dtype}
    kind = replace(value.type, **wide)
    if isinstance(kind, Array):
        return Call(np.astype, "astype", (value, ref), form="method", type=kind)
    return Call(ref.value, ref.text, (value,), type=kind)


_NUMPYS_FLOATS = ("float16", "float32", "float64")


def _is_wider(dtype: str, other: str) -> bool:
    floats = is_float_dtype(dtype) and is_float_dtype(other)  # integers need no cotangent
    return floats and np.finfo(dtype).bits > np.finfo(other).bits


def _widened(value: Expr, wide: str) -> Expr:
    """A real cotangent as a complex one."""
    if isinstance(value, Const):
        return value  # a number is added to anything
    dtype: dict[str, Any] = {"dtype": "complex64" if wide in _SINGLE else "complex128"}
    return replace(build.binary("+", value, constant(0j)), type=replace(value.type, **dtype))


_SINGLE = ("float16", "float32")


def _is_real(narrow: str | None, wide: str | None) -> bool:
    """Whether a cotangent needs no projection: it is real, or its value is complex."""
    if wide is not None and not is_complex_dtype(wide):
        return True
    return narrow is not None and is_complex_dtype(narrow)


def of_rows(value: Expr, target: Expr) -> Expr:
    """The cotangents of the rows of one array, as an array; some helpers give that for an array."""
    if isinstance(value, Call) and value.function in (
        s2sgrad_runtime.entry_bars,
        s2sgrad_runtime.prod_bars,
    ):
        return replace(value, type=target.type)
    return build.call(np.stack, "np.stack", value)
