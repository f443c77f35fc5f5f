"""Floor 4: what the names that a function reads from outside hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Place = tuple[str, tuple[str, Any]]
OF_AN_OWNER = ("attribute", "present", "method")  # places that are an object and a name in it
_THEN: ContextVar[Mapping[Any, Any] | None] = ContextVar("what was held at an earlier time")


def held_value(name: str, where: tuple[str, Any]) -> Any:
    """What a captured name holds now (or did at an earlier time: see `as_then`)."""
    kind, place = where
    then = _THEN.get(None)
    if then is not None and (key := key_of((name, where))) in then:
        return then[key]
    if kind == "global":
        return place[name]
    if kind == "cell":
        return place.cell_contents
    if kind == "keys":
        return " ".join(place)
    if kind == "present":
        return hasattr(*place)
    if kind == "method":
        return getattr(getattr(*place), "__func__", None)
    return getattr(*place) if kind == "attribute" else place


@contextmanager
def as_then(values: Mapping[Any, Any]) -> Iterator[None]:
    """A block in which names hold what they held once. values: by the keys of their places."""
    token = _THEN.set(values)
    try:
        yield
    finally:
        _THEN.reset(token)


def key_of(place: Place) -> tuple[Any, ...]:
    """What tells places apart: a name, and the identity of what it is read from."""
    name, (kind, holder) = place
    named = kind in OF_AN_OWNER
    return (name, kind, id(holder[0]), holder[1]) if named else (name, kind, id(holder))
