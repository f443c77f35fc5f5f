"""Floor 5: NumPy functions that Numba lacks, or calls in one piece, as slices and sums.

`np.diff(u)` becomes `u[1:] - u[:-1]`: for compiled code, in which what is read and added is then
part of the loops around it, forwards and backwards. Only where the lengths allow it for certain.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from s2sgrad.analysis.effects import has_effect
from s2sgrad.analysis.indexing import infer_index
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, Index, Slice, Stmt, Store, Var
from s2sgrad.ir.types import INT, Array, Opaque, Scalar, Type
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block, map_stmt_exprs

_WHOLE = Slice(None, None, None)


def spelled_out(body: Block, types: dict[str, Type]) -> Block:
    """The body with such functions spelled out; `types` gets those of new names."""
    names = Names(set(types))
    return map_block(body, lambda e: e, lambda s: _statement(s, names, types))


def _statement(stmt: Stmt, names: Names, types: dict[str, Type]) -> list[Stmt]:
    if not isinstance(stmt, Assign | Store):
        return [stmt]
    inside = [n for e in nodes.expressions(stmt) for n in nodes.walk(e)]
    if not any(map(_speller, inside)) or any(map(_at_times, inside)):
        return [stmt]
    writer = _Writer(names, types)

    def spelled(expr: Expr) -> Expr:
        speller = _speller(expr)
        if speller is None:
            return expr
        assert isinstance(expr, Call)
        return speller(writer, expr) or expr

    stmt = map_stmt_exprs(stmt, spelled)
    return [*writer.before, stmt]


def _at_times(expr: Expr) -> bool:
    """Whether an expression does something, or computes some of its parts only at times."""
    short = isinstance(expr, Call) and expr.text in ("and", "or")
    return short or isinstance(expr, nodes.Choice) or has_effect(expr)


class _Writer:
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


# --- the functions -------------------------------------------------------------------------
def _difference(writer: _Writer, call: Call) -> Expr | None:
    given = _options(call, ("n", "axis"))
    if given is None or _number(given.get("n"), 1) != 1:
        return None
    axis = _axis(call.args[0].type, given.get("axis"))
    if axis is None:
        return None
    base = writer.named(call.args[0])
    return build.binary("-", _later(base, axis), _earlier(base, axis))


def _turned(writer: _Writer, call: Call) -> Expr | None:
    """Turned along several axes, one after the other."""
    given = _options(call, ("shift", "axis"))
    along, shift = (given or {}).get("axis"), (given or {}).get("shift")
    if not isinstance(along, nodes.Sequence) or not isinstance(shift, nodes.Sequence):
        return None
    if len(along.items) != len(shift.items):
        return None
    result = call.args[0]
    for by, axis in zip(shift.items, along.items, strict=True):
        if _number(by, 1) != 0:
            result = Call(np.roll, call.text, (result, by, axis), type=call.type, span=call.span)
    return result if isinstance(result, Call) else None


def _trapezoids(writer: _Writer, call: Call) -> Expr | None:
    given = _options(call, ("x", "dx", "axis"))
    kind = call.args[0].type
    if (
        given is None
        or "axis" in given
        or not isinstance(kind, Array)
        or len(kind.shape or ()) != 1
    ):
        return None
    places, step = given.get("x"), given.get("dx", Const(1.0, type=Scalar("float")))
    if not isinstance(step.type, Scalar):
        return None
    if places is not None and (not _is_real(places.type) or len(places.type.shape) != 1):  # type: ignore[attr-defined]
        return None
    height = writer.named(call.args[0])
    both = build.binary("+", _later(height, 0), _earlier(height, 0))
    if places is not None:
        where = writer.named(places)
        both = build.binary("*", build.binary("-", _later(where, 0), _earlier(where, 0)), both)
    total = Call(np.sum, "np.sum", (both,), type=Scalar("float64"), span=call.span)
    half = Const(2.0, type=Scalar("float"))
    return build.binary("/", total if places is not None else build.binary("*", step, total), half)


def _padded(writer: _Writer, call: Call) -> Expr | None:
    given = _options(call, ("pad_width", "mode"))
    mode = (given or {}).get("mode", Const("constant"))
    kind = call.type
    if given is None or not isinstance(mode, Const) or not isinstance(kind, Array):
        return None
    rank = len(kind.shape or ())
    widths = _widths(given.get("pad_width"), rank)
    if widths is None or mode.value not in ("constant", "edge", "wrap"):
        return None
    if mode.value != "constant" and any(w > 1 for pair in widths for w in pair):
        return None
    base = writer.named(call.args[0])
    sizes = tuple(_longer(base, k, sum(pair)) for k, pair in enumerate(widths))
    shape: Expr = nodes.Sequence("tuple", sizes, type=Opaque("shape")) if rank > 1 else sizes[0]
    made = Call(np.zeros, "np.zeros", (shape,), type=kind, span=call.span)
    array = writer.named(made, "padded")
    inner = tuple(_slice(a, -b if b else None) for a, b in widths)
    writer.before.append(Store(array, inner, base, span=call.span))
    for axis, (a, b) in enumerate(widths) if mode.value != "constant" else ():
        first, last = _slice(a, a + 1), _slice(-b - 1, -b if b else None)
        turned = mode.value == "wrap"
        if a:
            writer.store(
                array, axis, _slice(None, a), _part(array, axis, last if turned else first)
            )
        if b:
            writer.store(
                array, axis, _slice(-b, None), _part(array, axis, first if turned else last)
            )
    return array


def _slopes(writer: _Writer, call: Call) -> Expr | None:
    """Of an array along one axis, its points one number apart."""
    options = dict(call.kwargs)
    base, *steps = call.args
    kind = call.type
    if set(options) - {"axis"} or len(steps) > 1 or kind != base.type or not _is_real(kind):
        return None
    if not all(isinstance(s.type, Scalar) for s in steps):
        return None
    axis = _axis(kind, options.get("axis"))
    if axis is None or ("axis" not in options and len(kind.shape) != 1):  # type: ignore[attr-defined]
        return None
    values = writer.named(base)
    step = writer.named(steps[0], "step") if steps else None
    shape = build.shape(values)
    made = Call(np.empty, "np.empty", (shape,), type=kind, span=call.span)
    array = writer.named(made, "slopes")
    two: Expr = Const(2.0, type=Scalar("float"))
    wide = two if step is None else build.binary("*", two, step)
    rows = [
        (_slice(1, -1), _slice(2, None), _slice(None, -2), wide),
        (_slice(None, 1), _slice(1, 2), _slice(None, 1), step),
        (_slice(-1, None), _slice(-1, None), _slice(-2, -1), step),
    ]
    for there, upper, lower, by in rows:
        rise = build.binary("-", _part(values, axis, upper), _part(values, axis, lower))
        writer.store(array, axis, there, rise if by is None else build.binary("/", rise, by))
    return array


_SPELLERS: dict[object, Callable[[_Writer, Call], Expr | None]] = {
    np.diff: _difference,
    np.roll: _turned,
    np.trapezoid: _trapezoids,
    np.pad: _padded,
    np.gradient: _slopes,
}


def _speller(expr: Expr) -> Callable[[_Writer, Call], Expr | None] | None:
    if not isinstance(expr, Call) or not expr.args or not _is_real(expr.args[0].type):
        return None
    try:
        return _SPELLERS.get(expr.function)
    except TypeError:  # a function that has no hash
        return None


# --- parts ---------------------------------------------------------------------------------
def _index(axis: int, which: Slice) -> tuple[Expr, ...]:
    return (*(_WHOLE,) * axis, which)


def _part(base: Var, axis: int, which: Slice) -> Index:
    index = _index(axis, which)
    return Index(base, index, type=infer_index(base.type, index))


def _later(base: Var, axis: int) -> Index:
    return _part(base, axis, _slice(1, None))


def _earlier(base: Var, axis: int) -> Index:
    return _part(base, axis, _slice(None, -1))


def _slice(start: int | None, stop: int | None) -> Slice:
    first, last = (None if k is None else Const(k, type=INT) for k in (start, stop))
    return Slice(first, last, None)


def _longer(base: Var, axis: int, more: int) -> Expr:
    shape = build.shape(base)
    size = build.index(shape, Const(axis, type=INT))
    return build.binary("+", size, Const(more, type=INT)) if more else size


# --- arguments -----------------------------------------------------------------------------
def _is_real(kind: Type) -> bool:
    return isinstance(kind, Array) and bool(kind.shape) and kind.dtype == "float64"


def _options(call: Call, names: tuple[str, ...]) -> dict[str, Expr] | None:
    """The arguments behind the first one, by name; None where there are others."""
    given = dict(zip(names, call.args[1:], strict=False)) | dict(call.kwargs)
    known = len(call.args) <= len(names) + 1 and set(given) <= set(names)
    return {n: e for n, e in given.items() if e != Const(None)} if known else None


def _axis(kind: Type, given: Expr | None) -> int | None:
    rank = len(kind.shape or ()) if isinstance(kind, Array) else 0
    axis = _number(given, -1)
    return axis % rank if axis is not None and -rank <= axis < rank else None


def _number(expr: Expr | None, default: int) -> int | None:
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


def _widths(expr: Expr | None, rank: int) -> list[tuple[int, int]] | None:
    """How much is added before and behind, along each axis."""
    if not isinstance(expr, nodes.Sequence):
        width = None if expr is None else _number(expr, 0)
        return None if width is None or width < 0 else [(width, width)] * rank
    pairs = [_pair(item) for item in expr.items]
    if all(isinstance(item, Const) for item in expr.items):
        pairs = [_pair(expr)]
    if len(pairs) == 1:
        pairs *= rank
    found = [p for p in pairs if p is not None and min(p) >= 0]
    return found if len(found) == len(pairs) == rank else None


def _pair(expr: Expr) -> tuple[int, int] | None:
    items = expr.items if isinstance(expr, nodes.Sequence) else ()
    ends = [_number(item, 0) for item in items]
    return (ends[0], ends[1]) if len(ends) == 2 and None not in ends else None  # type: ignore[return-value]


__all__ = ["spelled_out"]
