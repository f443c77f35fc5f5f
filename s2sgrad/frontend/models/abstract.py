"""Floor 4: what classes get from the abstract ones of `collections.abc`, where it is written with
`try`: the same, asked first. (Python's own text of the other methods is read as it is.)"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any


def index(self: Any, value: Any, start: Any = 0, stop: Any = None) -> Any:
    """Sequence.index"""
    first = max(len(self) + start, 0) if start < 0 else start
    last = len(self) if stop is None else stop
    last = last + len(self) if last < 0 else min(last, len(self))
    for i in range(first, last):
        if self[i] is value or self[i] == value:
            return i
    raise ValueError


def contains(self: Any, key: Any) -> Any:
    """Mapping.__contains__"""
    return key in list(self)


def get(self: Any, key: Any, default: Any = None) -> Any:
    """Mapping.get"""
    if key in self:
        return self[key]
    return default


def keys(self: Any) -> Any:
    """Mapping.keys"""
    return list(self)


def values(self: Any) -> Any:
    """Mapping.values"""
    return [self[key] for key in self]


def items(self: Any) -> Any:
    """Mapping.items"""
    return [(key, self[key]) for key in self]


def pop(self: Any, key: Any, *default: Any) -> Any:
    """MutableMapping.pop"""
    if default and key not in self:
        return default[0]
    value = self[key]
    del self[key]
    return value


def setdefault(self: Any, key: Any, default: Any = None) -> Any:
    """MutableMapping.setdefault"""
    if key in self:
        return self[key]
    self[key] = default
    return default


def update(self: Any, other: Any = (), /, **named: Any) -> None:
    """MutableMapping.update"""
    for key, value in dict(other).items():
        self[key] = value
    for key, value in named.items():
        self[key] = value


STANDINS: dict[Any, Any] = {
    Sequence.index: index,
    Mapping.__contains__: contains,
    Mapping.get: get,
    Mapping.keys: keys,
    Mapping.values: values,
    Mapping.items: items,
    MutableMapping.pop: pop,
    MutableMapping.setdefault: setdefault,
    MutableMapping.update: update,
}
