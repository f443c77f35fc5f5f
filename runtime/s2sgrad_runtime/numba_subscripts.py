"""Tuples that are subscripts of single entries: nothing has to be written for them.

Generated code has a tuple `(i, j)` for every `a[i, j]`; only its parts are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from numba.core import ir, types

__all__ = ["integers", "is_plain", "offset", "only_subscripts"]


def only_subscripts(
    blocks: Any, names: Iterable[str], typeof: Callable[[str], Any]
) -> frozenset[str]:
    """Of these variables the tuples of integers that are subscripts of entries, and no more."""
    found = {n for n in names if integers(typeof(n)) is not None}
    if not found:
        return frozenset()
    for block in blocks.values():
        for stmt in block.body:
            if isinstance(stmt, ir.Del):
                continue
            index, others = _uses(stmt)
            if index in found and not _takes_entry(stmt, typeof):
                found.discard(index)
            found.difference_update(others)
    return frozenset(found)


def integers(kind: Any) -> int | None:
    """The number of integers in a tuple; None for the type of anything but such a tuple."""
    if not isinstance(kind, types.BaseTuple):
        return None
    kinds: tuple[Any, ...] = tuple(kind)  # type: ignore[arg-type]
    return len(kinds) if all(isinstance(k, types.Integer) for k in kinds) else None


def is_plain(kind: Any) -> bool:
    """Whether a type is that of an array of numbers."""
    return isinstance(kind, types.Array) and isinstance(kind.dtype, types.Number | types.Boolean)


def offset(builder: Any, places: list[Any], steps: list[Any]) -> Any:
    """Instructions for how many bytes from the start of an array an entry lies."""
    found = None
    for place, step in zip(places, steps, strict=True):
        term = builder.mul(place, step)
        found = term if found is None else builder.add(found, term)
    return found


def _takes_entry(stmt: Any, typeof: Callable[[str], Any]) -> bool:
    """Whether a statement takes or sets one entry of an array of numbers, by a tuple."""
    if isinstance(stmt, ir.Assign):
        taken: Any = stmt.value
        array = taken.value.name
    else:
        taken, array = stmt, stmt.target.name
        if not isinstance(typeof(stmt.value.name), types.Number | types.Boolean):
            return False
    kind, index = typeof(array), _index(taken)
    return index is not None and is_plain(kind) and kind.ndim == integers(typeof(index))


def _index(taken: Any) -> str | None:
    """The variable that is the subscript where an entry or a part is taken or set."""
    static = isinstance(taken, ir.StaticSetItem) or getattr(taken, "op", "") == "static_getitem"
    index = taken.index_var if static else taken.index
    return None if index is None else str(index.name)


def _uses(stmt: Any) -> tuple[str | None, list[str]]:
    """The variable that a statement has for a subscript, and all others that it uses."""
    names = [v.name for v in stmt.list_vars()]
    taken: Any = None
    if isinstance(stmt, ir.SetItem | ir.StaticSetItem):
        taken = stmt
    elif isinstance(stmt, ir.Assign):
        names.remove(stmt.target.name)
        if isinstance(stmt.value, ir.Expr) and stmt.value.op in ("getitem", "static_getitem"):
            taken = stmt.value
    index = None if taken is None else _index(taken)
    if index is not None:
        names.remove(index)
    return index, names
