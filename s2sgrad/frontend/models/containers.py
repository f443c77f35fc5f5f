"""Floor 4: containers of the standard library, written out in plain Python."""

from __future__ import annotations

from typing import Any


class Deque:
    """collections.deque: a list that both ends of can be taken from."""

    def __init__(self, iterable: Any = (), maxlen: Any = None) -> None:
        self.maxlen = maxlen
        self.items = list(iterable)
        if maxlen is not None:
            while len(self.items) > maxlen:
                self.items.pop(0)

    def append(self, item: Any) -> None:
        """Add an item at the right end."""
        self.items.append(item)
        if self.maxlen is not None and len(self.items) > self.maxlen:
            self.items.pop(0)

    def appendleft(self, item: Any) -> None:
        """Add an item at the left end."""
        self.items.insert(0, item)
        if self.maxlen is not None and len(self.items) > self.maxlen:
            self.items.pop()

    def extend(self, items: Any) -> None:
        """Add items at the right end."""
        for item in items:
            self.append(item)

    def extendleft(self, items: Any) -> None:
        """Add items at the left end, one after the other."""
        for item in items:
            self.appendleft(item)

    def pop(self) -> Any:
        """Take the item at the right end."""
        return self.items.pop()

    def popleft(self) -> Any:
        """Take the item at the left end."""
        return self.items.pop(0)

    def rotate(self, n: int = 1) -> None:
        """Move n items from the right end to the left end."""
        for _ in range(n):
            self.items.insert(0, self.items.pop())
        for _ in range(-n):
            self.items.append(self.items.pop(0))

    def clear(self) -> None:
        """Remove all items."""
        self.items.clear()

    def insert(self, place: int, item: Any) -> None:
        """Put an item before another one."""
        self.items.insert(place, item)

    def reverse(self) -> None:
        """Turn the order round."""
        self.items.reverse()

    def copy(self) -> Any:
        """A new deque of the same items."""
        return Deque(self.items, self.maxlen)

    def __iadd__(self, items: Any) -> Any:
        self.extend(items)
        return self

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Any:
        return iter(self.items)

    def __getitem__(self, index: Any) -> Any:
        return self.items[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        self.items[index] = value

    def __contains__(self, value: Any) -> bool:
        return value in self.items


class DefaultDict:
    """collections.defaultdict: a dict that makes the values it lacks."""

    def __init__(self, default_factory: Any = None, items: Any = None) -> None:
        self.default_factory = default_factory
        self.table = {} if items is None else dict(items)

    def __getitem__(self, key: Any) -> Any:
        if key not in self.table:
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

    def update(self, other: Any) -> None:
        """Take over the entries of another dict."""
        self.table.update(other)


class Counter(DefaultDict):
    """collections.Counter: how often each thing came."""

    def __init__(self, items: Any = (), **counts: Any) -> None:
        self.default_factory = int
        self.table = {}
        self.update(items)
        self.update(counts)

    def __getitem__(self, key: Any) -> Any:
        return self.table[key] if key in self.table else 0  # noqa: SIM401

    def most_common(self, n: Any = None) -> Any:
        """Pairs of thing and count, the largest counts first."""
        ordered = sorted(self.table.items(), key=lambda pair: pair[1], reverse=True)
        return ordered if n is None else ordered[:n]

    def total(self) -> Any:
        """The sum of all counts."""
        return sum(self.table.values())

    def update(self, items: Any = ()) -> None:
        """Count more things, or add counts."""
        if hasattr(items, "keys"):
            for item in items:
                self.table[item] = self[item] + items[item]
        else:
            for item in items:
                self.table[item] = self[item] + 1

    def subtract(self, items: Any = ()) -> None:
        """Take counts away."""
        if hasattr(items, "keys"):
            for item in items:
                self.table[item] = self[item] - items[item]
        else:
            for item in items:
                self.table[item] = self[item] - 1

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
