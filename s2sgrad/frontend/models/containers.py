"""Floor 4: containers of the standard library, written out in plain Python."""

from __future__ import annotations

from typing import Any


class DefaultDict:
    """collections.defaultdict: a dict that makes the values it lacks."""

    def __init__(self, default_factory: Any = None, items: Any = None, **named: Any) -> None:
        self.default_factory = default_factory
        self.table = {} if items is None else dict(items)
        self.table.update(named)

    def __getitem__(self, key: Any) -> Any:
        if key not in self.table:
            if self.default_factory is None:
                raise KeyError(key)
            self.table[key] = self.default_factory()
        return self.table[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.table[key] = value

    def __delitem__(self, key: Any) -> None:
        del self.table[key]

    def __contains__(self, key: Any) -> bool:
        return key in self.table

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Any:
        return iter(self.table)

    def items(self) -> Any:
        """Pairs of key and value."""
        return self.table.items()

    def keys(self) -> Any:
        """The keys."""
        return self.table.keys()

    def values(self) -> Any:
        """The values."""
        return self.table.values()

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, or the default: nothing is made."""
        return self.table.get(key, default)

    def pop(self, key: Any, *default: Any) -> Any:
        """Take the value of a key."""
        return self.table.pop(key, *default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key, which is the default from now on if there is none."""
        return self.table.setdefault(key, default)

    def popitem(self) -> Any:
        """Take the newest entry: its key and value."""
        return self.table.popitem()

    def clear(self) -> None:
        """Take all entries out."""
        self.table.clear()

    def update(self, other: Any = (), **named: Any) -> None:
        """Take over the entries of another dict."""
        self.table.update(other)
        self.table.update(named)

    def copy(self) -> Any:
        """A new one of the same entries."""
        return DefaultDict(self.default_factory, self.table)

    def __copy__(self) -> Any:
        return self.copy()

    def __or__(self, other: Any) -> Any:
        made = self.copy()
        made.update(other)
        return made

    def __ior__(self, other: Any) -> Any:
        self.update(other)
        return self

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, dict) and self.table == dict(other)

    def __repr__(self) -> str:
        return f"defaultdict({self.default_factory}, {self.table})"


class Counter(DefaultDict):
    """collections.Counter: how often each thing came."""

    def __init__(self, items: Any = (), **counts: Any) -> None:
        self.default_factory = int
        self.table = {}
        self.update(items)
        self.update(counts)

    def __getitem__(self, key: Any) -> Any:
        return self.table[key] if key in self.table else 0  # noqa: SIM401

    def __repr__(self) -> str:
        return f"Counter({dict(self.most_common())})" if self.table else "Counter()"

    def most_common(self, n: Any = None) -> Any:
        """Pairs of thing and count, the largest counts first."""
        ordered = sorted(self.table.items(), key=lambda pair: pair[1], reverse=True)
        return ordered if n is None else ordered[:n]

    def total(self) -> Any:
        """The sum of all counts."""
        return sum(self.table.values())

    def update(self, other: Any = (), **named: Any) -> None:
        """Count more things, or add named."""
        if hasattr(other, "keys"):
            for item in other:
                self.table[item] = self[item] + other[item]
        else:
            for item in other:
                self.table[item] = self[item] + 1
        for item, count in named.items():
            self.table[item] = self[item] + count

    def subtract(self, items: Any = (), **counts: Any) -> None:
        """Take counts away."""
        if hasattr(items, "keys"):
            for item in items:
                self.table[item] = self[item] - items[item]
        else:
            for item in items:
                self.table[item] = self[item] - 1
        for item, count in counts.items():
            self.table[item] = self[item] - count

    def copy(self) -> Any:
        """A new one of the same counts."""
        return Counter(self.table)

    def __delitem__(self, key: Any) -> None:
        if key in self.table:
            del self.table[key]

    def elements(self) -> Any:
        """Each thing as often as it came."""
        return [item for item in self.table for _ in range(self.table[item])]

    def __add__(self, other: Any) -> Any:
        made = Counter(self.table)
        made.update(other.table)
        return made.__pos__()

    def __sub__(self, other: Any) -> Any:
        made = Counter(self.table)
        made.subtract(other.table)
        return made.__pos__()

    def __iadd__(self, other: Any) -> Any:
        self.table = (self + other).table
        return self

    def __isub__(self, other: Any) -> Any:
        self.table = (self - other).table
        return self

    def __and__(self, other: Any) -> Any:
        made = Counter()
        for item in self.table:
            made.table[item] = min(self[item], other[item])
        return made.__pos__()

    def __or__(self, other: Any) -> Any:
        made = Counter(self.table)
        for item in other.table:
            made.table[item] = max(self[item], other[item])
        return made.__pos__()

    def __iand__(self, other: Any) -> Any:
        self.table = (self & other).table
        return self

    def __ior__(self, other: Any) -> Any:
        self.table = (self | other).table
        return self

    def __eq__(self, other: Any) -> bool:
        both = [*self.table, *other.table]
        return all(self[item] == other[item] for item in both)

    def __neg__(self) -> Any:
        return Counter() - self

    def __pos__(self) -> Any:
        made = Counter()
        for item in self.table:
            if self.table[item] > 0:
                made.table[item] = self.table[item]
        return made


class ChainMap:
    """collections.ChainMap: the first dict that has a key gives its value."""

    def __init__(self, *maps: Any) -> None:
        self.maps = list(maps) if len(maps) > 0 else [{}]

    def __getitem__(self, key: Any) -> Any:
        for table in self.maps:
            if key in table:
                return table[key]
        raise KeyError(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.maps[0][key] = value

    def __contains__(self, key: Any) -> bool:
        return any(key in table for table in self.maps)

    def __len__(self) -> int:
        return len(self.merged())

    def __iter__(self) -> Any:
        return iter(self.merged())

    def merged(self) -> Any:
        """One dict of all."""
        made = {}
        for table in reversed(self.maps):
            made.update(table)
        return made

    def items(self) -> Any:
        """Pairs of key and value."""
        return self.merged().items()

    def keys(self) -> Any:
        """The keys."""
        return self.merged().keys()

    def values(self) -> Any:
        """The values."""
        return self.merged().values()

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, or the default."""
        return self.merged().get(key, default)

    def new_child(self, table: Any = None) -> Any:
        """A new dict before all the others."""
        return ChainMap({} if table is None else table, *self.maps)

    @property
    def parents(self) -> Any:
        """All dicts but the first."""
        return ChainMap(*self.maps[1:])

    def __delitem__(self, key: Any) -> None:
        del self.maps[0][key]

    def pop(self, key: Any, *default: Any) -> Any:
        """Take the value of a key out of the first dict."""
        return self.maps[0].pop(key, *default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key, which is the default from now on if there is none."""
        if key not in self:
            self.maps[0][key] = default
        return self[key]

    def update(self, other: Any = (), **named: Any) -> None:
        """Take over entries into the first dict."""
        self.maps[0].update(other)
        self.maps[0].update(named)

    def copy(self) -> Any:
        """A new one, with a copy of the first dict."""
        return ChainMap(self.maps[0].copy(), *self.maps[1:])

    def __copy__(self) -> Any:
        return self.copy()

    def __eq__(self, other: Any) -> bool:
        return self.merged() == dict(other)


class MethodCaller:
    """operator.methodcaller."""

    def __init__(self, name: str, *args: Any, **kwargs: Any) -> None:
        self.name, self.args, self.kwargs = name, args, kwargs

    def __call__(self, obj: Any) -> Any:
        return getattr(obj, self.name)(*self.args, **self.kwargs)


class ItemGetter:
    """operator.itemgetter."""

    def __init__(self, *items: Any) -> None:
        self.items = items

    def __call__(self, obj: Any) -> Any:
        if len(self.items) == 1:
            return obj[self.items[0]]
        return tuple([obj[item] for item in self.items])


class AttrGetter:
    """operator.attrgetter, of plain names."""

    def __init__(self, *names: Any) -> None:
        self.names = names

    def __call__(self, obj: Any) -> Any:
        if len(self.names) == 1:
            return getattr(obj, self.names[0])
        return tuple([getattr(obj, name) for name in self.names])


def slice_indices(start: Any, stop: Any, step: Any, size: int) -> Any:
    """slice(start, stop, step).indices(size)."""
    by = 1 if step is None else step
    low, high = (0, size) if by > 0 else (-1, size - 1)
    first, last = (low, high) if by > 0 else (high, low)
    if start is not None:
        first = max(start + size, low) if start < 0 else min(start, high)
    if stop is not None:
        last = max(stop + size, low) if stop < 0 else min(stop, high)
    return first, last, by
