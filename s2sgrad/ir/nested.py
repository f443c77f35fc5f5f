"""Floor 1: the types of nodes that hold nodes of their own make: lists and trees of any depth."""

from __future__ import annotations

from s2sgrad.ir.types import (
    BOTTOM,
    DEEP,
    Maybe,
    Nested,
    Opaque,
    Type,
    closed,
    covering,
    depth_of,
    make_of,
    type_parts,
    unfolded,
)


def nested(kind: Type) -> Type:
    """The type, without end where nodes of one make hold each other too deep."""
    node = kind.item if isinstance(kind, Maybe) else kind
    make = make_of(node)
    if make is None or depth_of(node, make) < DEEP:
        return kind
    found: list[Type] = []
    closed(node, make, found)
    record = covering(found)
    if any(part == Opaque("mixed") for part in type_parts(record)):
        return kind  # they are not of one make after all
    whole = unfolded(Nested(record))
    return whole if isinstance(kind, Maybe) else whole.item  # type: ignore[attr-defined]


def holds_itself(kind: Type, more: Type = BOTTOM) -> bool:
    """Whether a node holds nodes of its own make, or would with `more` as one of its parts."""
    node = kind.item if isinstance(kind, Maybe) else kind
    make = make_of(node)
    return make is not None and any(depth_of(part, make) for part in (*type_parts(node), more))
