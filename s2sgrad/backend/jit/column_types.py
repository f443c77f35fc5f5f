"""Floor 6: types of lists of tuples and records, and of the lists of their parts."""

from __future__ import annotations

from typing import Any

from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr, Sequence, Stmt
from s2sgrad.ir.types import Array, Dict, List, Tuple, Type
from s2sgrad_runtime import trees


class NotApart(Exception):
    """Something is done to a list, or to what is in it, that can't be done to its parts."""


def rows_in(kind: Type | None) -> Tuple | Dict | None:
    """The type of the tuples or records in a list, or in the lists in a list."""
    while isinstance(kind, List) and not kind.fixed:
        kind = kind.item
        if isinstance(kind, Tuple) and kind.items:
            return kind
        if isinstance(kind, Dict) and kind.fields:
            return kind
    return None


def gives_columns(stmt: Stmt) -> bool:
    """Whether a statement takes parts out of a list that the caller gave."""
    calls = stmt.values if isinstance(stmt, nodes.Assign) else ()
    return any(isinstance(v, Call) and v.function is trees.column for v in calls)


def of_table(kind: Type | None) -> bool:
    """Whether it is the type of a list of tuples or records, or of lists of such."""
    return rows_in(kind) is not None


def keys_of(row: Type) -> list[tuple[Any, Type]]:
    """The parts of a row, with their types."""
    if isinstance(row, Tuple):
        return list(enumerate(row.items))
    if isinstance(row, Dict) and row.fields:
        return list(row.fields)
    raise NotApart


def column_of(kind: Type, key: Any) -> Type:
    """The type of the list of one part of each row."""
    if isinstance(kind, List):
        return List(column_of(kind.item, key), count=kind.count)
    return dict(keys_of(kind))[key]


def depth_of(kind: Type) -> int:
    return 1 + depth_of(kind.item) if isinstance(kind, List) else 0


def row_of(kind: Type) -> Tuple | Dict:
    row = rows_in(kind)
    if row is None:
        raise NotApart
    return row


def as_it_comes(kind: Type) -> bool:
    """Whether rows that compiled code gives have the structure and dtypes that are wanted."""
    row = kind.item if isinstance(kind, List) else None
    if not isinstance(row, Tuple) or row.made_by is not None:
        return False
    wide = (isinstance(i, Array) and i.dtype in ("float64", "complex128") for i in row.items)
    return all(wide)


def display(kind: Type, parts: tuple[Expr, ...]) -> Expr:
    """A row of its parts."""
    if isinstance(kind, Dict):
        keys = tuple(constant(key) for key, _ in keys_of(kind))
        return nodes.Mapping(keys, parts, type=kind)
    return Sequence("tuple", parts, type=kind)


__all__ = [
    "NotApart", "as_it_comes", "column_of", "depth_of", "display", "gives_columns", "keys_of",
    "of_table", "row_of", "rows_in",
]  # fmt: skip
