"""Floor 5: NumPy functions that Numba lacks, or calls in one piece, as slices and sums.

`np.diff(u)` becomes `u[1:] - u[:-1]`: for compiled code, in which what is read and added is then
part of the loops around it, forwards and backwards. Only where the lengths allow it for certain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, Stmt, Store, Var
from s2sgrad.ir.types import INT, Array, Opaque, Scalar, Type
from s2sgrad.transform.preparing.spelled_einsum import pairwise
from s2sgrad.transform.preparing.spelled_forms import FORMS, crossed, meshes
from s2sgrad.transform.preparing.spelled_matrices import (
    blocks,
    chain,
    correlation,
    covariance,
    powers,
)
from s2sgrad.transform.preparing.spelled_numbers import AS_ARRAY
from s2sgrad.transform.preparing.spelling import (
    Writer,
    at_times,
    axis_of,
    earlier,
    is_real,
    later,
    longer,
    number_of,
    options,
    part,
    shape_of,
    span_of,
)
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block, map_stmt_exprs


def spelled_out(body: Block, types: dict[str, Type], taken: frozenset[str]) -> Block:
    """The body with such functions spelled out; `types` gets those of new names.

    taken: names that other things have, beside those that have a type.
    """
    names = Names(set(types) | taken)
    return map_block(body, lambda e: e, lambda s: _statement(s, names, types))


def _statement(stmt: Stmt, names: Names, types: dict[str, Type]) -> list[Stmt]:
    if isinstance(stmt, nodes.Unpack):
        return _unpacked(stmt, names, types) or [stmt]
    if not isinstance(stmt, Assign | Store):
        return [stmt]
    inside = [n for e in nodes.expressions(stmt) for n in nodes.walk(e)]
    wanted = any(_speller(e) or _is_one_of_several(e) for e in inside)
    if not wanted or any(map(at_times, inside)):
        return [stmt]
    writer = Writer(names, types)

    def spelled(expr: Expr) -> Expr:
        speller = _speller(expr)
        if speller is None:
            return _one_of_several(writer, expr) or expr
        assert isinstance(expr, Call)
        return speller(writer, expr) or expr

    stmt = map_stmt_exprs(stmt, spelled)
    return [*writer.before, stmt]


def _unpacked(stmt: nodes.Unpack, names: Names, types: dict[str, Type]) -> list[Stmt] | None:
    """`a, b = np.meshgrid(x, y)`, each of them by itself."""
    call = stmt.value
    if not isinstance(call, Call) or call.function not in tuple(_SEVERAL):
        return None
    writer = Writer(names, types)
    found = _SEVERAL[call.function](writer, call)
    if found is None or len(found) != len(stmt.targets):
        return None
    pairs = zip(stmt.targets, found, strict=True)
    return [*writer.before, *(Assign((t,), (e,), span=stmt.span) for t, e in pairs)]


def _is_one_of_several(expr: Expr) -> bool:
    """Whether it is `np.meshgrid(x, y)[0]`, and the like."""
    match expr:
        case nodes.Index(base=Call(function=function), index=(Const(value=int(k)),)):
            # Slopes along one axis are an error where another one is too short for them.
            return k >= 0 and function in (np.meshgrid, np.ix_)
    return False


def _one_of_several(writer: Writer, expr: Expr) -> Expr | None:
    if not _is_one_of_several(expr):
        return None
    call, place = expr.base, expr.index[0].value  # type: ignore[attr-defined]
    found = _SEVERAL[call.function](writer, call)
    return found[place] if found is not None and place < len(found) else None


# --- the functions -------------------------------------------------------------------------
def _difference(writer: Writer, call: Call) -> Expr | None:
    given = options(call, ("n", "axis"))
    times = None if given is None else number_of(given.get("n"), 1)
    if given is None or times is None or not 1 <= times <= MOST_DIFFERENCES:
        return None
    axis = axis_of(call.args[0].type, given.get("axis"))
    if axis is None:
        return None
    result = call.args[0]
    for _ in range(times):
        base = writer.named(result)
        result = build.binary("-", later(base, axis), earlier(base, axis))
    return result


def _range(writer: Writer, call: Call) -> Expr | None:
    base = writer.named(call.args[0])
    ends = [replace(call, function=f, text=f"np.{f.__name__}") for f in (np.max, np.min)]
    first, last = (replace(end, args=(base, *call.args[1:]), form="call") for end in ends)
    return build.binary("-", first, last) if not _holds_out(call) else None


def _holds_out(call: Call) -> bool:
    """Whether it writes into an array that is given."""
    return len(call.args) > 2 or "out" in dict(call.kwargs)


def _turned(writer: Writer, call: Call) -> Expr | None:
    """Turned along several axes, one after the other."""
    given = options(call, ("shift", "axis"))
    along, shift = (given or {}).get("axis"), (given or {}).get("shift")
    if not isinstance(along, nodes.Sequence) or not isinstance(shift, nodes.Sequence):
        return None
    if len(along.items) != len(shift.items):
        return None
    result = call.args[0]
    for by, axis in zip(shift.items, along.items, strict=True):
        if number_of(by, 1) != 0:
            result = Call(np.roll, call.text, (result, by, axis), type=call.type, span=call.span)
    return result if isinstance(result, Call) else None


def _trapezoids(writer: Writer, call: Call) -> Expr | None:
    given = options(call, ("x", "dx", "axis"))
    kind = call.args[0].type
    axis = None if given is None else axis_of(kind, given.get("axis"))
    if given is None or axis is None:
        return None
    rank = len(kind.shape)  # type: ignore[attr-defined]
    places, step = given.get("x"), given.get("dx", Const(1.0, type=Scalar("float")))
    if not isinstance(step.type, Scalar):
        return None
    if places is not None and (not is_real(places.type) or len(places.type.shape) != 1):  # type: ignore[attr-defined]
        return None
    if places is not None and axis != rank - 1:
        return None  # they would be a column
    height = writer.named(call.args[0])
    both = build.binary("+", later(height, axis), earlier(height, axis))
    if places is not None:
        where = writer.named(places)
        both = build.binary("*", build.binary("-", later(where, 0), earlier(where, 0)), both)
    along = (("axis", Const(axis, type=INT)),) if rank > 1 else ()
    total = Call(np.sum, "np.sum", (both,), along, type=call.type, span=call.span)
    half = Const(2.0, type=Scalar("float"))
    return build.binary("/", total if places is not None else build.binary("*", step, total), half)


def _padded(writer: Writer, call: Call) -> Expr | None:
    given = options(call, ("pad_width", "mode", "constant_values"))
    mode = (given or {}).get("mode", Const("constant"))
    kind, around = call.type, (given or {}).get("constant_values")
    if given is None or not isinstance(mode, Const) or not isinstance(kind, Array):
        return None
    if around is not None and (mode.value != "constant" or not _is_plain_number(around)):
        return None
    rank = len(kind.shape or ())
    widths = _widths(given.get("pad_width"), rank)
    if widths is None and rank == 1 and mode.value == "constant" and around is None:
        return _padded_as_it_runs(writer, call, given.get("pad_width"))
    if widths is None or mode.value not in ("constant", "edge", "wrap"):
        return None
    if mode.value == "wrap" and any(w > 1 for pair in widths for w in pair):
        return None
    base = writer.named(call.args[0])
    sizes = tuple(longer(base, k, sum(pair)) for k, pair in enumerate(widths))
    shape: Expr = nodes.Sequence("tuple", sizes, type=Opaque("shape")) if rank > 1 else sizes[0]
    made = Call(np.zeros, "np.zeros", (shape,), type=kind, span=call.span)
    if around is not None:
        made = Call(np.full, "np.full", (shape, around), type=kind, span=call.span)
    array = writer.named(made, "padded")
    inner = tuple(span_of(a, -b if b else None) for a, b in widths)
    writer.before.append(Store(array, inner, base, span=call.span))
    for axis, (a, b) in enumerate(widths) if mode.value != "constant" else ():
        first, last = span_of(a, a + 1), span_of(-b - 1, -b if b else None)
        turned = mode.value == "wrap"
        if a:
            writer.store(
                array, axis, span_of(None, a), part(array, axis, last if turned else first)
            )
        if b:
            writer.store(
                array, axis, span_of(-b, None), part(array, axis, first if turned else last)
            )
    return array


def _is_plain_number(expr: Expr) -> bool:
    return isinstance(expr, Const) and type(expr.value) in (int, float)


def _padded_as_it_runs(writer: Writer, call: Call, widths: Expr | None) -> Expr | None:
    """Of a vector, by numbers that a run decides; where one is negative, the lengths won't fit."""
    if isinstance(widths, nodes.Sequence) and len(widths.items) == 1:
        widths = widths.items[0]
    pair = widths.items if isinstance(widths, nodes.Sequence) else (widths, widths)
    if len(pair) != 2 or not all(e is not None and isinstance(e.type, Scalar) for e in pair):
        return None
    ahead, behind = (e if isinstance(e, Const) else writer.named(e, "width") for e in pair if e)
    if any(getattr(e.type, "dtype", None) not in ("int", "int64") for e in (ahead, behind)):
        return None
    base = writer.named(call.args[0])
    stop = build.binary("+", ahead, longer(base, 0, 0))
    made = Call(np.zeros, "np.zeros", (build.binary("+", stop, behind),), type=call.type)
    array = writer.named(made, "padded")
    writer.before.append(Store(array, (nodes.Slice(ahead, stop, None),), base, span=call.span))
    return array


def _slopes(writer: Writer, call: Call) -> Expr | None:
    """Of an array along one axis, its points one number apart."""
    given = dict(call.kwargs)
    base, *steps = call.args
    kind = call.type
    if set(given) - {"axis"} or len(steps) > 1 or kind != base.type or not is_real(kind):
        return None
    if not all(isinstance(s.type, Scalar) for s in steps):
        return None
    axis = axis_of(kind, given.get("axis"))
    if axis is None or ("axis" not in given and len(kind.shape) != 1):  # type: ignore[attr-defined]
        return None
    return _slopes_along(writer, call, axis, writer.named(base), steps[0] if steps else None)


def _all_slopes(writer: Writer, call: Call) -> list[Expr] | None:
    """Along each axis."""
    base, *steps = call.args
    if call.kwargs or not is_real(base.type) or len(base.type.shape) < 2:  # type: ignore[attr-defined]
        return None
    rank = len(base.type.shape)  # type: ignore[attr-defined]
    if not all(isinstance(s.type, Scalar) for s in steps) or len(steps) not in (0, 1, rank):
        return None
    values, every = writer.named(base), steps * rank if len(steps) == 1 else steps
    return [
        _slopes_along(writer, call, k, values, every[k] if every else None) for k in range(rank)
    ]


def _slopes_along(writer: Writer, call: Call, axis: int, values: Var, apart: Expr | None) -> Expr:
    kind = values.type
    step = None if apart is None else writer.named(apart, "step")
    made = Call(np.empty, "np.empty", (shape_of(values),), type=kind, span=call.span)
    array = writer.named(made, "slopes")
    two: Expr = Const(2.0, type=Scalar("float"))
    wide = two if step is None else build.binary("*", two, step)
    rows = [
        (span_of(1, -1), span_of(2, None), span_of(None, -2), wide),
        (span_of(None, 1), span_of(1, 2), span_of(None, 1), step),
        (span_of(-1, None), span_of(-1, None), span_of(-2, -1), step),
    ]
    for there, upper, lower, by in rows:
        rise = build.binary("-", part(values, axis, upper), part(values, axis, lower))
        writer.store(array, axis, there, rise if by is None else build.binary("/", rise, by))
    return array


_SPELLERS: dict[object, Callable[[Writer, Call], Expr | None]] = {
    np.diff: _difference,
    np.ptp: _range,
    np.roll: _turned,
    np.trapezoid: _trapezoids,
    np.pad: _padded,
    np.gradient: _slopes,
    np.einsum: pairwise,
    np.cov: covariance,
    np.corrcoef: correlation,
    np.vander: powers,
    np.block: blocks,
    np.linalg.multi_dot: chain,
    **FORMS,
}


MOST_DIFFERENCES = 4  # of differences that are spelled out

_OF_OTHERS = (np.select, np.einsum, np.block, np.linalg.multi_dot)  # not of arrays of doubles only

_SEVERAL: dict[object, Callable[[Writer, Call], list[Expr] | None]] = {
    np.meshgrid: meshes,
    np.ix_: crossed,
    np.gradient: _all_slopes,
}


def _speller(expr: Expr) -> Callable[[Writer, Call], Expr | None] | None:
    if not isinstance(expr, Call) or not expr.args:
        return None
    try:
        if isinstance(expr.args[0].type, Scalar):
            return AS_ARRAY.get(expr.function)
        if not is_real(expr.args[0].type) and expr.function not in _OF_OTHERS:
            return None
        return _SPELLERS.get(expr.function)
    except TypeError:  # a function that has no hash
        return None


# --- arguments ---
def _widths(expr: Expr | None, rank: int) -> list[tuple[int, int]] | None:
    """How much is added before and behind, along each axis."""
    if not isinstance(expr, nodes.Sequence):
        width = None if expr is None else number_of(expr, 0)
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
    ends = [number_of(item, 0) for item in items]
    return (ends[0], ends[1]) if len(ends) == 2 and None not in ends else None  # type: ignore[return-value]


__all__ = ["spelled_out"]
