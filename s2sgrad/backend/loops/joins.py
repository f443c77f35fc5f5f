"""Floor 6: where the parts of joined arrays lie: `np.concatenate((a, b))`, and its kin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from s2sgrad.backend.loops.elements import is_array, is_scalar
from s2sgrad.backend.loops.extents import add, integer, length
from s2sgrad.backend.loops.leaves import constant
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Index, Slice, Var
from s2sgrad.ir.sizes import Size
from s2sgrad.ir.types import Array, Scalar

_REAL = ("float", "float64", "int", "int64", "bool")
FULL = Slice(None, None, None)
Places = tuple[Expr, ...]
JOINS = {
    "np.hstack": "hstack", "np.vstack": "vstack", "np.concatenate": "concatenate",
    "np.stack": "stack", "np.column_stack": "column_stack",
}  # fmt: skip
BARS = {
    "hstack_bars": "hstack", "vstack_bars": "vstack", "split_like": "concatenate",
    "column_stack_bars": "column_stack",
}  # fmt: skip


@dataclass(frozen=True)
class Layout:
    """How arrays are joined. axis: along which; new: whether it is an axis that they lack."""

    axis: int
    new: bool


def layout_of(kind: str, ranks: list[int], axis: Expr | None) -> Layout | None:
    """The layout of a join of arrays; None where it is not one of parts side by side."""
    rank = max(ranks)
    if set(ranks) == {1, 2} and kind in ("vstack", "column_stack"):  # vectors are rows, or columns
        return Layout(0 if kind == "vstack" else 1, False)
    if any(r != rank for r in ranks) or rank == 0:
        return None
    given = constant(axis, 0)
    if given is None:
        return None
    match kind:
        case "hstack":
            return Layout(min(rank - 1, 1), False)
        case "vstack":
            return Layout(0, rank == 1)
        case "column_stack":
            return Layout(1, rank == 1) if rank <= 2 else None
        case "stack":
            return Layout(given % (rank + 1), True)
    return Layout(given % rank, False)


def places_of(items: Sequence[Expr], layout: Layout) -> tuple[list[Places], Expr]:
    """The subscripts of the parts, and the length of the whole along the axis."""
    ahead: Places = (FULL,) * layout.axis
    if layout.new:
        return [(*ahead, integer(k)) for k in range(len(items))], integer(len(items))
    places: list[Places] = []
    start: Expr = integer(0)
    for k, item in enumerate(items):
        if is_thin(item, items):
            places.append((*ahead, start))
            start = add(start, integer(1))
            continue
        stop = add(start, _count(item, layout.axis))
        places.append((*ahead, _between(start, stop, items[k:], layout.axis)))
        start = stop
    return places, start


def lengths_beside(items: Sequence[Expr], layout: Layout) -> list[set[Size | None]]:
    """The lengths of the parts along each axis along which they have to be as long."""
    shapes = [list(item.type.shape) for item in items if is_array(item)]  # type: ignore[attr-defined]
    rank = max(map(len, shapes), default=0)
    for shape in shapes:
        if not layout.new and len(shape) == rank:
            del shape[layout.axis]
    return [set(along) for along in zip(*shapes, strict=True)]


def _count(item: Expr, axis: int) -> Expr:
    """How long an array is along an axis."""
    size = item.type.shape[axis]  # type: ignore[attr-defined]
    known = size.constant if isinstance(size, Size) else None
    return integer(known) if known is not None else length(item, axis)


def _between(start: Expr, stop: Expr, rest: Sequence[Expr], axis: int) -> Slice:
    """The place of the first of these arrays, which go to the end: counted from there if how many
    entries follow is known, and how many come before, or are in it, is not."""
    after = [integer(1) if is_thin(item, rest) else _count(item, axis) for item in rest]
    if not all(isinstance(n, Const) for n in after[1:]):
        return Slice(start, stop, None)
    behind = sum(n.value for n in after[1:] if isinstance(n, Const))
    if not isinstance(after[0], Const):
        return Slice(start, integer(-behind) if behind else None, None)
    if isinstance(start, Const) or not after[0].value:  # `-0` would be the start of the whole
        return Slice(start, stop, None)
    return Slice(integer(-behind - after[0].value), integer(-behind) if behind else None, None)


def is_thin(item: Expr, items: Sequence[Expr]) -> bool:
    """Whether it is an entry, or a row, of the axis along which others are joined."""
    return not is_array(item) or _rank(item) < max(map(_rank, items))


# --- what is joined ---------------------------------------------------------------------------
def is_real(expr: Expr) -> bool:
    """Whether a value is a number of ordinary width."""
    return is_scalar(expr) and getattr(expr.type, "dtype", None) in _REAL


def is_entry(call: Call, item: Expr) -> bool:
    """Whether a number is joined to vectors, as an entry of its own."""
    return call.text in ("np.hstack", "hstack_bars") and is_real(item)


def ranks_of(call: Call, items: Sequence[Expr]) -> list[int]:
    """Of what is joined; a number that is joined to vectors counts as one."""
    return [1 if is_entry(call, item) else _rank(item) for item in items]


def _rank(expr: Expr) -> int:
    kind = expr.type
    return len(kind.shape) if isinstance(kind, Array) and kind.shape is not None else -1


def as_long(expr: Expr) -> Expr | None:
    """A variable, or part of one, of the same shape: of what was joined only lengths are asked."""
    if isinstance(expr, Var):
        return expr
    shape = expr.type.shape if isinstance(expr.type, Array) else None
    if shape is None or None in shape:
        return None
    if all(size is not None and size.constant is not None for size in shape):
        return expr
    inside = [node for node in nodes.walk(expr) if _is_part(node)]
    return next((v for v in inside if isinstance(v.type, Array) and v.type.shape == shape), None)


def _is_part(expr: Expr) -> bool:
    """Whether it is a variable, or rows or slices of one."""
    match expr:
        case Index(base=Var(), index=index):
            return all(isinstance(p, Slice | Const) or _is_counter(p) for p in index)
    return isinstance(expr, Var)


def _is_counter(expr: Expr) -> bool:
    return isinstance(expr, Var) and isinstance(expr.type, Scalar)


def items_of(call: Call, place: int) -> list[Expr] | None:
    """The arrays that are joined, where the code lists them."""
    if len(call.args) <= place or any(name != "axis" for name, _ in call.kwargs):
        return None
    listed = call.args[place]
    return list(listed.items) if isinstance(listed, nodes.Sequence) and listed.items else None


def axis_of(call: Call, place: int) -> Expr | None:
    """The axis that a join names."""
    given = dict(call.kwargs).get("axis")
    return given if given is not None or len(call.args) <= place else call.args[place]


__all__ = [
    "BARS", "FULL", "JOINS", "Layout", "Places", "as_long", "axis_of", "is_entry", "is_real",
    "is_thin", "items_of", "layout_of", "lengths_beside", "places_of", "ranks_of",
]  # fmt: skip
