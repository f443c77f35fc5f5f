"""Floor 8: named tuples in results. Generated code holds them as plain tuples of their fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sgrad.ir.types import Dict, List, Maybe, Tuple, Type


def naming(kind: Type) -> Callable[[Any], Any] | None:
    """What makes named tuples of the tuples in a result of this type; None where it has none."""
    match kind:
        case Tuple(items=items, made_by=cls):
            return _of_tuple([naming(item) for item in items], getattr(cls, "_make", None))
        case List(item=item) if (each := naming(item)) is not None:
            return lambda value: type(value)(map(each, value))
        case Dict(fields=fields, made_by=None) if fields:
            return _of_dict({key: naming(item) for key, item in fields})
        case Maybe(item=item) if (inner := naming(item)) is not None:
            return lambda value: None if value is None else inner(value)
    return None


def _of_tuple(parts: list[Any], make: Any) -> Callable[[Any], Any] | None:
    if make is None and not any(parts):
        return None

    def made(value: Any) -> Any:
        pairs = zip(parts, value, strict=True)
        items = [item if part is None else part(item) for part, item in pairs]
        return type(value)(items) if make is None else make(items)

    return made


def _of_dict(parts: dict[Any, Any]) -> Callable[[Any], Any] | None:
    named = {key: part for key, part in parts.items() if part is not None}
    if not named:
        return None
    return lambda value: {k: named[k](v) if k in named else v for k, v in value.items()}


__all__ = ["naming"]
