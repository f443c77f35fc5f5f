"""Floor 5: the parts of the cotangent of joined arrays, as slices where their lengths are known.

c = np.concatenate((a, b))          a_bar = c_bar[: a.shape[0]]
                                    b_bar = c_bar[a.shape[0] :]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from s2sgrad.analysis.indexing import constant_of
from s2sgrad.frontend.state import constant
from s2sgrad.ir.nodes import Const, Expr, Sequence, Slice, Var
from s2sgrad.ir.types import Array, Opaque, Scalar, Tuple, Type, shape_of
from s2sgrad.transform.writing import build

_NAMED = 2  # lengths that are added up in the bounds of a slice, before that is hard to read
_FULL = Slice(None, None, None, type=Opaque("slice"))


def split_like(s: Any, y_bar: Expr, arrays: Expr, axis: Expr | None = None) -> Expr | None:
    """The parts of `np.concatenate`; without an axis, numbers beside vectors are entries."""
    if axis == Const(None):
        flat = _rank(arrays, numbers=True) == 1
        return _side_by_side(s, y_bar, arrays.items, 0) if flat else None  # type: ignore[attr-defined]
    rank = _rank(arrays)
    along = 0 if axis is None else constant_of(axis)
    if rank is None or rank < 1 or type(along) is not int:
        return None
    return _side_by_side(s, y_bar, arrays.items, along % rank)  # type: ignore[attr-defined]


def hstack_bars(s: Any, y_bar: Expr, arrays: Expr) -> Expr | None:
    """The parts of `np.hstack`; numbers beside vectors are entries."""
    rank = _rank(arrays, numbers=True)
    if rank is None or rank < 1:
        return None
    return _side_by_side(s, y_bar, arrays.items, min(rank - 1, 1))  # type: ignore[attr-defined]


def vstack_bars(s: Any, y_bar: Expr, arrays: Expr) -> Expr | None:
    """The parts of `np.vstack`: vectors are rows."""
    rank = 2 if _is_mixed(arrays) else _rank(arrays)
    if rank == 1:
        return _rows(y_bar, arrays.items, ())  # type: ignore[attr-defined]
    return _side_by_side(s, y_bar, arrays.items, 0) if rank else None  # type: ignore[attr-defined]


def column_stack_bars(s: Any, y_bar: Expr, arrays: Expr) -> Expr | None:
    """The parts of `np.column_stack`: vectors are columns."""
    rank = 2 if _is_mixed(arrays) else _rank(arrays)
    if rank == 1:
        return _rows(y_bar, arrays.items, (_FULL,))  # type: ignore[attr-defined]
    return _side_by_side(s, y_bar, arrays.items, 1) if rank == 2 else None  # type: ignore[attr-defined]


def _rank(arrays: Expr, numbers: bool = False) -> int | None:
    """How many axes all of these have; None if they differ, or are not listed."""
    if not isinstance(arrays, Sequence) or not arrays.items:
        return None
    kinds = [e.type for e in arrays.items if not (numbers and isinstance(e.type, Scalar))]
    ranks = {len(k.shape) if isinstance(k, Array) and k.shape is not None else None for k in kinds}
    rank = ranks.pop() if len(ranks) == 1 else None
    return rank if rank == 1 or len(kinds) == len(arrays.items) else None


def _is_mixed(arrays: Expr) -> bool:
    """Whether there are vectors beside matrices."""
    items = arrays.items if isinstance(arrays, Sequence) else ()
    return {len(shape_of(e.type) or ()) for e in items} == {1, 2}


def _is_thin(item: Expr, items: tuple[Expr, ...]) -> bool:
    """Whether it is an entry, or a row, of the axis along which others are joined."""
    ranks = [len(shape_of(e.type) or ()) for e in (item, *items)]
    return isinstance(item.type, Scalar) or ranks[0] < max(ranks)


def _rows(y_bar: Expr, items: tuple[Expr, ...], ahead: tuple[Expr, ...]) -> Expr:
    """Each item has an entry of the axis along which they are joined."""
    parts = [build.index(y_bar, *ahead, constant(k)) for k in range(len(items))]
    return _listed(parts, y_bar, items)


def _side_by_side(s: Any, y_bar: Expr, items: tuple[Expr, ...], axis: int) -> Expr | None:
    """Each item has as many entries of the axis as it is long."""
    lengths = [constant(1) if _is_thin(i, items) else _length(s, i, axis) for i in items]
    named = sum(not isinstance(n, Const) for n in lengths[:-1])
    ahead = (_FULL,) * axis
    known = [n.value if isinstance(n, Const) else None for n in lengths]
    if lengths.count(None) == 1 == known.count(None):
        return _around(y_bar, items, known, ahead)
    if None in lengths or named > _NAMED:
        return None
    parts: list[Expr] = []
    start: Expr = constant(0)
    for item, length in zip(items, lengths, strict=True):
        assert length is not None
        stop = length if build.is_number(start, 0) else build.binary("+", start, length)
        if _is_thin(item, items):
            parts.append(build.index(y_bar, *ahead, start))
        else:
            low = None if build.is_number(start, 0) else start
            high = None if len(parts) == len(items) - 1 else stop
            parts.append(build.index(y_bar, *ahead, Slice(low, high, None, type=_FULL.type)))
        start = stop
    return _listed(parts, y_bar, items)


def _around(
    y_bar: Expr, items: tuple[Expr, ...], lengths: list[int | None], ahead: tuple[Expr, ...]
) -> Expr:
    """The same, where one length is not known: what stands behind it is counted from the end."""
    middle, parts = lengths.index(None), []
    for k, item in enumerate(items):
        first = sum(lengths[:k]) if k <= middle else -sum(lengths[k:])  # type: ignore[arg-type]
        last = sum(lengths[: k + 1]) if k < middle else -sum(lengths[k + 1 :])  # type: ignore[arg-type]
        low, high = (constant(n) if n else None for n in (first, last))
        part = Slice(low, high, None, type=_FULL.type)
        parts.append(build.index(y_bar, *ahead, constant(first) if _is_thin(item, items) else part))
    return _listed(parts, y_bar, items)


def _length(s: Any, item: Expr, axis: int) -> Expr | None:
    """How long an array is, where that can be said without computing it again."""
    shape = shape_of(item.type)
    size = None if shape is None else shape[axis]
    found = build.size_expr(size, s.origin) if size is not None else None
    if found is None and isinstance(item, Var):
        found = s.size(item, axis)
    return found


def _listed(parts: list[Expr], y_bar: Expr, items: tuple[Expr, ...]) -> Expr:
    dtype = getattr(y_bar.type, "dtype", None)

    def kind(part: Expr, item: Expr) -> Type:
        return Array(dtype, item.type.shape) if isinstance(item.type, Array) else part.type

    parts = [replace(p, type=kind(p, item)) for p, item in zip(parts, items, strict=True)]
    return Sequence("list", tuple(parts), type=Tuple(tuple(p.type for p in parts)))


EXPANDERS: dict[str, Callable[..., Any]] = {
    "split_like": split_like,
    "hstack_bars": hstack_bars,
    "vstack_bars": vstack_bars,
    "column_stack_bars": column_stack_bars,
}

__all__ = ["EXPANDERS"]
