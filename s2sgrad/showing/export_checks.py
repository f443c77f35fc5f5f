"""Floor 9: an exported function refuses other arguments than those that it was made for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as Map
from collections.abc import Sequence as Items
from typing import Any

import numpy as np

from s2sgrad.backend.expressions import constant_text, quoted
from s2sgrad.frontend.values import Dyn, Heap, Instance, Mapping, Sequence, Static, Value
from s2sgrad.ir.sizes import Size
from s2sgrad.ir.types import Array

Check = tuple[str, str]  # a test, and what the code is for where it fails


def checks(lowered: Any) -> list[str]:
    """Statements that refuse arguments of other flags, number of items, dtypes, ranks and sizes."""
    arrays = [a for name, value in lowered.arguments.items() for a in _within(name, value, lowered)]
    lengths = _lengths(arrays)
    found = [
        *(c for name, v in lowered.arguments.items() for c in _of(name, v, lowered.initial_heap)),
        *(c for path, kind in arrays if (c := _of_array(path, kind, lengths)) is not None),
    ]
    lines: list[str] = []
    for test, kept in found:
        message = quoted(f"this code is for {kept}")
        lines += [f"    if {test}:", f"        raise ValueError({message})"]
    return lines


def _of(path: str, value: Value, heap: Map[Any, Any]) -> Iterator[Check]:
    if _is_flag(value):
        known = value.value  # type: ignore[attr-defined]
        sign = "!=" if isinstance(known, str) else "is not"
        yield f"{path} {sign} {_key(known)}", f"{path}={known!r}"
    contents = heap.get(value.id) if isinstance(value, Heap) else None
    match contents:
        case Sequence(items=items):
            yield from _of_items(path, contents, heap) if items else ()
        case Mapping(items=items):
            keys = [key for key, _ in items]
            yield f"list({path}) != {_list(keys)}", f"{path} with the keys {keys!r}"
            for key, item in items:
                yield from _of(f"{path}[{_key(key)}]", item, heap)
        case Instance(fields=fields):
            for field, item in fields:
                yield from _of(f"{path}.{field}", item, heap)


def _of_items(path: str, contents: Sequence, heap: Map[Any, Any]) -> Iterator[Check]:
    items = contents.items
    if all(map(_is_flag, items)):
        known = [item.value for item in items]  # type: ignore[attr-defined]
        yield f"list({path}) != {_list(known)}", f"{path}={known!r}"
        return
    yield f"len({path}) != {len(items)}", f"{len(items)} items of {path}"
    for k, item in enumerate(items):
        yield from _of(f"{path}[{k}]", item, heap)


def _is_flag(value: Value) -> bool:
    return isinstance(value, Static) and type(value.value) in (str, bool, type(None))


def _within(path: str, value: Value, lowered: Any) -> Iterator[tuple[str, Array]]:
    """The arrays in a container, by their places."""
    contents = lowered.initial_heap.get(value.id) if isinstance(value, Heap) else None
    match contents:
        case Sequence(items=items):
            parts = [(f"{path}[{k}]", item) for k, item in enumerate(items)]
        case Mapping(items=items):
            parts = [(f"{path}[{_key(key)}]", item) for key, item in items]
        case Instance(fields=fields):
            parts = [(f"{path}.{field}", item) for field, item in fields]
        case _:
            kind = value.expr.type if isinstance(value, Dyn) else None
            if isinstance(kind, Array):
                yield path, kind
            return
    for place, item in parts:
        yield from _within(place, item, lowered)


def _lengths(arrays: Items[tuple[str, Array]]) -> dict[str, str]:
    """Where each letter of a size can be read."""
    found: dict[str, str] = {}
    for path, kind in arrays:
        for axis, size in enumerate(kind.shape or ()):
            if size is not None and size.letter is not None:
                found.setdefault(size.letter, f"{path}.shape[{axis}]")
    return found


def _of_array(path: str, kind: Array, lengths: Map[str, str]) -> Check | None:
    """What an array has where it is of another kind than the code is for."""
    tests = []
    if kind.dtype is not None and np.dtype(kind.dtype).kind in "fciu":
        tests.append(f"{path}.dtype != np.{kind.dtype}")
    if kind.shape is not None:
        tests.append(f"{path}.ndim != {len(kind.shape)}")
    for axis, size in enumerate(kind.shape or ()):
        place = f"{path}.shape[{axis}]"
        known = size is not None and size.letters() <= lengths.keys()
        if size is not None and known and (text := _size(size, lengths)) != place:
            tests.append(f"{place} != {text}")
    sizes = "" if kind.shape is None else f"[{', '.join(map(str, kind.shape))}]"
    return (" or ".join(tests), f"{path}: {kind.dtype}{sizes}") if tests else None


def _size(size: Size, lengths: Map[str, str]) -> str:
    text = re.sub(r"(?<=.)[-+*]", lambda sign: f" {sign[0]} ", str(size))
    return re.sub(r"[A-Za-z_]\w*", lambda letter: lengths[letter[0]], text)


def _key(value: Any) -> str:
    return constant_text(value)[0]


def _list(values: Items[Any]) -> str:
    return f"[{', '.join(map(_key, values))}]"
