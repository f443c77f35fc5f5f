"""Floor 9: an exported function refuses other arguments than those that it was made for."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Map
from typing import Any

from s2sgrad.frontend.values import Heap, Instance, Mapping, Sequence, Static, Value
from s2sgrad.ir.types import Array

Check = tuple[str, str]  # a test, and what the code is for where it fails


def checks(lowered: Any) -> list[str]:
    """Statements that refuse arguments whose flags, number of items and fixed sizes are others."""
    lines: list[str] = []
    for name, value in lowered.arguments.items():
        kind = lowered.function.types.get(name)
        found = _of_sizes(name, kind) if isinstance(kind, Array) else ()
        for test, kept in (*_of(name, value, lowered.initial_heap), *found):
            message = f"this code is for {kept}"
            lines += [f"    if {test}:", f"        raise ValueError({message!r})"]
    return lines


def _of(path: str, value: Value, heap: Map[Any, Any]) -> Iterator[Check]:
    if _is_flag(value):
        known = value.value  # type: ignore[attr-defined]
        sign = "!=" if isinstance(known, str) else "is not"
        yield f"{path} {sign} {known!r}", f"{path}={known!r}"
    contents = heap.get(value.id) if isinstance(value, Heap) else None
    match contents:
        case Sequence(items=items):
            yield from _of_items(path, contents, heap) if items else ()
        case Mapping(items=items):
            keys = [key for key, _ in items]
            yield f"list({path}) != {keys!r}", f"{path} with the keys {keys!r}"
            for key, item in items:
                yield from _of(f"{path}[{key!r}]", item, heap)
        case Instance(fields=fields):
            for field, item in fields:
                yield from _of(f"{path}.{field}", item, heap)


def _of_items(path: str, contents: Sequence, heap: Map[Any, Any]) -> Iterator[Check]:
    items = contents.items
    if all(map(_is_flag, items)):
        known = [item.value for item in items]  # type: ignore[attr-defined]
        yield f"list({path}) != {known!r}", f"{path}={known!r}"
        return
    yield f"len({path}) != {len(items)}", f"{len(items)} items of {path}"
    for k, item in enumerate(items):
        yield from _of(f"{path}[{k}]", item, heap)


def _is_flag(value: Value) -> bool:
    return isinstance(value, Static) and type(value.value) in (str, bool, type(None))


def _of_sizes(name: str, kind: Array) -> Iterator[Check]:
    for axis, size in enumerate(kind.shape or ()):
        if size is not None and size.constant is not None:
            text = f"{name}.shape[{axis}]"
            yield f"{text} != {size.constant}", f"{text} == {size.constant}"
