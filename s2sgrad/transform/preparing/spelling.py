"""Floor 5: parts of the statements that stand for NumPy functions which are spelled out."""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.effects import has_effect
from s2sgrad.analysis.indexing import infer_index
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import (
    Assign,
    Call,
    Choice,
    Const,
    Expr,
    Index,
    Sequence,
    Slice,
    Stmt,
    Store,
    Var,
)
from s2sgrad.ir.types import INT, Array, Scalar, Tuple, Type
from s2sgrad.transform.writing import build

WHOLE = Slice(None, None, None)


class Writer:
    """Statements ahead of the one that an expression stands in."""

    def __init__(self, names: Names, types: dict[str, Type]) -> None:
        self.names, self.types = names, types
        self.before: list[Stmt] = []

    def named(self, expr: Expr, base: str = "part") -> Var:
        """The value of an expression as a variable."""
        if isinstance(expr, Var):
            return expr
        name = self.names.fresh(base)
        self.types[name] = expr.type
        self.before.append(Assign((name,), (expr,), span=expr.span))
        return Var(name, type=expr.type)

    def store(self, array: Var, axis: int, which: Slice, value: Expr) -> None:
        self.before.append(Store(array, _index(axis, which), value, span=value.span))


def at_times(expr: Expr) -> bool:
    """Whether an expression does something, or computes some of its parts only at times."""
    short = isinstance(expr, Call) and expr.text in ("and", "or")
    return short or isinstance(expr, Choice) or has_effect(expr)


# --- parts ---------------------------------------------------------------------------------
def _index(axis: int, which: Slice) -> tuple[Expr, ...]:
    return (*(WHOLE,) * axis, which)


def part(base: Var, axis: int, which: Slice) -> Index:
    index = _index(axis, which)
    return Index(base, index, type=infer_index(base.type, index))


def later(base: Var, axis: int) -> Index:
    return part(base, axis, span_of(1, None))


def earlier(base: Var, axis: int) -> Index:
    return part(base, axis, span_of(None, -1))


def span_of(start: int | None, stop: int | None) -> Slice:
    first, last = (None if k is None else Const(k, type=INT) for k in (start, stop))
    return Slice(first, last, None)


def longer(base: Var, axis: int, more: int) -> Expr:
    shape = build.shape(base)
    known = base.type.shape[axis] if isinstance(base.type, Array) and base.type.shape else None
    size: Expr = replace(build.index(shape, Const(axis, type=INT)), type=replace(INT, size=known))
    return build.binary("+", size, Const(more, type=INT)) if more else size


def tuple_of(lengths: list[Expr]) -> Expr:
    """The shape of an array with these lengths; of one axis, its length."""
    kind = Tuple(tuple(INT for _ in lengths))
    return Sequence("tuple", tuple(lengths), type=kind) if len(lengths) > 1 else lengths[0]


def shape_of(base: Var) -> Expr:
    """The shape of an array of known rank."""
    return tuple_of([longer(base, k, 0) for k in range(len(base.type.shape or ()))])  # type: ignore[attr-defined]


# --- arguments -----------------------------------------------------------------------------
def is_real(kind: Type) -> bool:
    return isinstance(kind, Array) and bool(kind.shape) and kind.dtype == "float64"


def options(call: Call, names: tuple[str, ...]) -> dict[str, Expr] | None:
    """The arguments behind the first one, by name; None where there are others."""
    given = dict(zip(names, call.args[1:], strict=False)) | dict(call.kwargs)
    known = len(call.args) <= len(names) + 1 and set(given) <= set(names)
    return {n: e for n, e in given.items() if e != Const(None)} if known else None


def axis_of(kind: Type, given: Expr | None) -> int | None:
    rank = len(kind.shape or ()) if isinstance(kind, Array) else 0
    axis = number_of(given, -1)
    return axis % rank if axis is not None and -rank <= axis < rank else None


def number_of(expr: Expr | None, default: int) -> int | None:
    """A whole number in the text; None for others."""
    match expr:
        case None:
            return default
        case Const(value=bool()):
            return None
        case Const(value=int(value)):
            return value
        case Call(form="operator", text="-", args=(Const(value=int(value)),)):
            return -value
    return None


def is_mask(kind: Type) -> bool:
    """Whether a type is an array of truths."""
    return isinstance(kind, Array) and kind.dtype == "bool"


def is_float(kind: Type) -> bool:
    """Whether a type is a real number, or an array of them."""
    return is_real(kind) or (isinstance(kind, Scalar) and kind.dtype in ("float", "float64"))


def axes_of(kind: Type, given: Expr) -> set[int | None]:
    """The axes that one number or a tuple names; None is among them where one is not known."""
    listed = given.items if isinstance(given, Sequence) else (given,)
    return {axis_of(kind, item) for item in listed}


def is_vector(kind: Type) -> bool:
    """Whether a type is an array of one axis, of numbers."""
    wanted = isinstance(kind, Array) and kind.dtype in ("float64", "int64")
    return wanted and len(kind.shape or ()) == 1  # type: ignore[attr-defined]


__all__ = [
    "WHOLE", "Writer", "at_times", "axes_of", "axis_of", "earlier", "is_float", "is_mask",
    "is_real", "is_vector", "later", "longer", "number_of", "options", "part", "shape_of",
    "span_of", "tuple_of",
]  # fmt: skip
