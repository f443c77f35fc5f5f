"""Floor 6: writes at arrays of indices, as loops over them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.backend.jit.outside import OutsideStore
from s2sgrad.backend.loops.extents import length
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Expr, Stmt, Var
from s2sgrad.ir.sizes import Size
from s2sgrad.ir.types import INT, Array, List, Scalar, Type, is_float_dtype


def scattered(stmt: Stmt, names: Names, types: dict[str, Type]) -> list[Stmt]:
    """The statements for a write that Numba has no single form for."""
    if not isinstance(stmt, nodes.Store) or isinstance(stmt, OutsideStore):
        return [stmt]
    arrays = [p for p in stmt.index if _is_array(p)]
    if not arrays and not stmt.op.endswith("at"):
        return [stmt]
    if not stmt.op.endswith("at") and not _hard(stmt.index):
        return [stmt]
    if _loopable(stmt):
        return _loop(stmt, names, types)
    return [OutsideStore(stmt.base, stmt.index, stmt.value, stmt.op, span=stmt.span)]


def _is_array(part: Expr) -> bool:
    return isinstance(part, nodes.Sequence) or (
        isinstance(part.type, Array) and part.type.shape != ()
    )


def _hard(index: tuple[Expr, ...]) -> bool:
    arrays = [p for p in index if _is_array(p)]
    ranks = [
        len(p.type.shape) if isinstance(p.type, Array) and p.type.shape is not None else 9
        for p in arrays
    ]
    return len(arrays) > 1 or any(r > 1 for r in ranks)


def _loopable(stmt: nodes.Store) -> bool:
    """One-dimensional integer arrays for some axes after whole ones, and a value that goes along
    them."""
    kind = stmt.base.type
    if not isinstance(kind, Array) or kind.shape is None:
        return False
    ahead = _whole_ahead(stmt.index)
    places = stmt.index[ahead:]
    if not places or not all(map(_is_vector, places)):
        return False
    value = stmt.value.type
    rank = len(kind.shape) - len(places) + 1
    return isinstance(value, Scalar) or (
        isinstance(value, Array)
        and value.shape is not None
        and value.dtype is not None
        and len(value.shape) == rank
    )


def _whole_ahead(index: tuple[Expr, ...]) -> int:
    """How many axes a subscript takes whole before it names any places."""
    whole = nodes.Slice(None, None, None)
    return next((k for k, part in enumerate(index) if part != whole), len(index))


def _is_vector(part: Expr) -> bool:
    kind = part.type
    if not isinstance(kind, Array) or kind.shape is None or kind.dtype is None:
        return False
    return len(kind.shape) == 1 and kind.dtype != "bool" and not is_float_dtype(kind.dtype)


def _loop(stmt: nodes.Store, names: Names, types: dict[str, Type]) -> list[Stmt]:
    before: list[Stmt] = []

    def named(expr: Expr, base: str) -> Expr:
        if isinstance(expr, Var | nodes.Const):
            return expr
        name = names.fresh(base)
        types[name] = expr.type
        before.append(nodes.Assign((name,), (expr,), span=stmt.span))
        return Var(name, type=expr.type)

    ahead = _whole_ahead(stmt.index)
    whole = stmt.index[:ahead]
    index = tuple(named(p, "index") for p in stmt.index[ahead:])
    value = named(stmt.value, "value")
    counter = names.fresh("k")
    types[counter] = INT
    k = Var(counter, type=INT)
    count, along = _together(index, k)
    parts = tuple(nodes.Index(p, (at,), type=INT) for p, at in zip(index, along, strict=True))
    kind = value.type
    entry = value
    if not isinstance(kind, Scalar):
        count, at = _spread(count, index, value, ahead, k)
        entry = nodes.Index(value, (*whole, at), type=_entry(kind, ahead))
    store = replace(stmt, index=(*whole, *parts), value=entry, op=stmt.op.removesuffix("at"))
    trips = nodes.Call(range, "range", (count,), type=INT)
    return [*before, nodes.For((counter,), (trips,), (store,), span=stmt.span)]


def _together(index: tuple[Expr, ...], k: Var) -> tuple[Expr, list[Expr]]:
    """How many entries arrays of places name together, and which place of each is the k-th."""
    from s2sgrad_runtime.numba_slices import joint_length  # Numba need not be there before

    lengths = [_length(p) for p in index]
    if len({_size(p, 0) for p in index}) == 1 and (_size(index[0], 0) or len(index) == 1):
        return lengths[0], [k] * len(index)
    count = lengths[0]
    for more in lengths[1:]:
        count = nodes.Call(joint_length, "joint_length", (count, more), type=INT)
    return count, [_along(k, own) for own in lengths]


def _spread(
    count: Expr, index: tuple[Expr, ...], value: Expr, axis: int, k: Var
) -> tuple[Expr, Expr]:
    """The same number, once the values are as many, or one for all; and where the k-th lies."""
    from s2sgrad_runtime.numba_slices import spread_length

    own = _size(value, axis)
    if own is not None and all(_size(p, 0) == own for p in index):
        return count, k
    given = _length(value) if axis == 0 else length(value, axis)
    count = nodes.Call(spread_length, "spread_length", (count, given), type=INT)
    return count, _along(k, given)


def _along(k: Var, count: Expr) -> Expr:
    """The k-th of so many, or the only one."""
    last = nodes.Call(
        np.subtract, "-", (count, nodes.Const(1, type=INT)), form="operator", type=INT
    )
    return nodes.Call(min, "min", (k, last), type=INT)


def _length(array: Expr) -> Expr:
    return nodes.Call(len, "len", (array,), type=INT)


def _size(array: Expr, axis: int) -> Size | None:
    return array.type.shape[axis]  # type: ignore[attr-defined, no-any-return]


def _entry(kind: Type, axis: int) -> Type:
    """The type of an array without one of its axes."""
    assert isinstance(kind, Array) and kind.shape is not None and kind.dtype is not None
    rest = (*kind.shape[:axis], *kind.shape[axis + 1 :])
    return Array(kind.dtype, rest) if rest else Scalar(kind.dtype)


def inserted(stmt: Stmt, names: Names, types: dict[str, Type]) -> list[Stmt]:
    """`a.insert(at, item)` as an append and moves: Numba's own frees an entry still in use."""
    if not isinstance(stmt, nodes.Mutate) or stmt.method != "insert":
        return [stmt]
    at, item = stmt.args
    name, counter, where = names.fresh("inserted"), names.fresh("k"), names.fresh("place")
    types[name], types[counter], types[where] = item.type, INT, INT
    new, k, place = Var(name, type=item.type), Var(counter, type=INT), Var(where, type=INT)
    count = nodes.Call(len, "len", (stmt.base,), type=INT)
    one = nodes.Const(1, type=INT)
    last = nodes.Call(np.subtract, "-", (count, one), form="operator", type=INT)
    before = nodes.Call(np.subtract, "-", (k, one), form="operator", type=INT)
    bound = _bound(at, count)
    trips = nodes.Call(range, "range", (last, place, nodes.Const(-1, type=INT)), type=INT)
    move = nodes.Store(stmt.base, (k,), nodes.Index(stmt.base, (before,), type=item.type))
    return [
        nodes.Assign((where,), (bound,), span=stmt.span),  # it may read the length
        nodes.Assign((name,), (item,), span=stmt.span),
        nodes.Mutate(stmt.base, "append", (new,), span=stmt.span),
        nodes.For((counter,), (trips,), (move,), span=stmt.span),
        nodes.Store(stmt.base, (place,), new, span=stmt.span),
    ]


def popped(stmt: Stmt, names: Names, types: dict[str, Type]) -> list[Stmt]:
    """`x = a.pop(at)` from within a list as moves and a pop of the end, for the same reason."""
    match stmt:
        case nodes.Mutate(method="pop", args=(at,)) if isinstance(stmt.base.type, List):
            target = stmt.target
        case nodes.Assign(
            targets=(str(target),), values=(nodes.Call(form="method", text="pop", args=(base, at)),)
        ):
            if not isinstance(base.type, List):
                return [stmt]
            stmt = nodes.Mutate(base, "pop", (at,), target, span=stmt.span)
        case _:
            return [stmt]
    kind = stmt.base.type
    item = kind.item if isinstance(kind, List) else INT
    counter = names.fresh("k")
    types[counter] = INT
    k, one = Var(counter, type=INT), nodes.Const(1, type=INT)
    count = nodes.Call(len, "len", (stmt.base,), type=INT)
    last = nodes.Call(np.subtract, "-", (count, one), form="operator", type=INT)
    place = _bound(at, count)
    after = nodes.Call(np.add, "+", (k, one), form="operator", type=INT)
    move = nodes.Store(stmt.base, (k,), nodes.Index(stmt.base, (after,), type=item))
    trips = nodes.Call(range, "range", (place, last), type=INT)
    taken = nodes.Index(stmt.base, (at,), type=item)
    first: list[Stmt] = (
        [] if target is None else [nodes.Assign((target,), (taken,), span=stmt.span)]
    )
    return [
        *first,
        nodes.For((counter,), (trips,), (move,), span=stmt.span),
        nodes.Mutate(stmt.base, "pop", (), span=stmt.span),
    ]


def _bound(at: Expr, count: Expr) -> Expr:
    from s2sgrad_runtime.numba_slices import slice_bound  # Numba need not be there before

    return nodes.Call(slice_bound, "slice_bound", (at, count), type=INT)
