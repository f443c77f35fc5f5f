"""Floor 4: zip, enumerate and map of a generator function's items, written out in plain Python.

The body of the generator function runs in place of the loops here. Nothing of it runs once the
others have no item left.
"""

from __future__ import annotations

import itertools
from typing import Any

from s2sgrad.frontend.models.standard_library import sequence


def by_number(owner: Any) -> Any:
    """The items of an object with __getitem__ and __len__."""
    for k in range(len(owner)):
        yield owner[k]


def in_step(parts: Any) -> Any:
    """zip of iterators that other places take from too."""
    while True:
        row = []
        for part in parts:
            if not part.more():
                return
            row.append(part.step())
        yield tuple(row)


def numbered(items: Any) -> Any:
    """enumerate(items)."""
    k = 0
    for item in items:
        yield k, item
        k = k + 1


def counted(items: Any, start: Any, step: Any, place: int) -> Any:
    """zip of items with numbers that count from `start`; place: where the items stand."""
    k = start
    for item in items:
        yield (k, item) if place else (item, k)
        k = k + step


def mapped(function: Any, items: Any) -> Any:
    """map(function, items)."""
    for item in items:
        yield function(item)


def mapped_rows(function: Any, rows: Any) -> Any:
    """map(function, *columns), of the rows of the columns."""
    for row in rows:
        yield function(*row)


def beside(items: Any, others: Any, place: Any) -> Any:
    """zip of items with others that are taken step by step; place: where the items stand."""
    if place == 0:  # one item is taken before the others turn out to have none left
        for item in items:
            if not others.more():
                return
            yield (item, *others.step())
    elif others.more():
        for item in items:
            row = others.step()
            yield (*row[:place], item, *row[place:])
            if not others.more():
                return


def before_as_many(items: Any, others: Any) -> Any:
    """zip(strict=True) of items with others that are taken step by step, each after an item."""
    for item in items:
        if not others.more():
            raise ValueError("zip() has arguments of different lengths")
        yield (item, *others.step())
    if others.more():
        raise ValueError("zip() has arguments of different lengths")


def behind_as_many(items: Any, before: Any, after: Any, some: Any) -> Any:
    """zip(strict=True) of items with others that are taken step by step, before each item and
    after it; some: whether there are any of the latter."""
    more = before.more()
    if more:
        row = before.step()
    for item in items:
        if not more or not after.more():
            raise ValueError("zip() has arguments of different lengths")
        yield (*row, item, *after.step())
        more = before.more()
        if more:
            row = before.step()
    if more or (some and after.more()):
        raise ValueError("zip() has arguments of different lengths")


def between(items: Any, before: Any, after: Any) -> Any:
    """zip of items with others that are taken step by step, where what runs between the items
    changes something: each is taken in its turn."""
    if before.more():
        row = before.step()
        for item in items:
            if not after.more():
                return
            yield (*row, item, *after.step())
            if not before.more():
                return
            row = before.step()


def first(items: Any) -> Any:
    """next(items) of items that nothing else is taken of."""
    for item in items:
        return item
    raise StopIteration


def first_or(items: Any, default: Any) -> Any:
    """next(items, default) of items that nothing else is taken of."""
    for item in items:
        return item
    return default


def any_of(items: Any) -> bool:
    """any(items), where it matters how many are looked at."""
    for item in items:  # noqa: SIM110
        if item:
            return True
    return False


def all_of(items: Any) -> bool:
    """all(items), where it matters how many are looked at."""
    for item in items:  # noqa: SIM110
        if not item:
            return False
    return True


def found_in(items: Any, value: Any) -> bool:
    """value in items, where it matters how many are looked at."""
    for item in items:  # noqa: SIM110
        if item == value:
            return True
    return False


# --- the lazy parts of itertools, where what they go through may change meanwhile -----------------
def accumulate(iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    """itertools.accumulate."""
    items = sequence(iterable)
    if initial is None and len(items) == 0:
        return
    total = items[0] if initial is None else initial
    yield total
    for k in range(1 if initial is None else 0, len(items)):
        total = total + items[k] if func is None else func(total, items[k])
        yield total


def pairwise(iterable: Any) -> Any:
    """itertools.pairwise."""
    items = sequence(iterable)
    if len(items) == 0:
        return
    before = items[0]
    for k in range(1, len(items)):
        item = items[k]
        yield before, item
        before = item


def chain(*iterables: Any) -> Any:
    """itertools.chain."""
    for iterable in iterables:
        yield from iterable


def chain_from_iterable(iterables: Any) -> Any:
    """itertools.chain.from_iterable."""
    for iterable in iterables:
        yield from iterable


def starmap(function: Any, iterable: Any) -> Any:
    """itertools.starmap."""
    for row in iterable:
        yield function(*row)


def takewhile(predicate: Any, iterable: Any) -> Any:
    """itertools.takewhile."""
    for item in iterable:
        if not predicate(item):
            return
        yield item


def dropwhile(predicate: Any, iterable: Any) -> Any:
    """itertools.dropwhile."""
    dropping = True
    for item in iterable:
        dropping = dropping and predicate(item)
        if not dropping:
            yield item


def filterfalse(predicate: Any, iterable: Any) -> Any:
    """itertools.filterfalse."""
    for item in iterable:
        if not predicate(item):
            yield item


def keep(function: Any, iterable: Any) -> Any:
    """filter."""
    for item in iterable:
        if item if function is None else function(item):
            yield item


def compress(iterable: Any, selectors: Any) -> Any:
    """itertools.compress."""
    for item, chosen in zip(iterable, selectors, strict=False):
        if chosen:
            yield item


def islice(iterable: Any, *bounds: Any) -> Any:
    """itertools.islice."""
    start, step = 0, 1
    stop = bounds[0]
    if len(bounds) > 1:
        start, stop = bounds[0] or 0, bounds[1]
    if len(bounds) > 2:
        step = bounds[2] or 1
    numbers = itertools.count() if stop is None else range(stop)
    for k, item in zip(numbers, iterable):  # noqa: B905
        if k >= start and (k - start) % step == 0:
            yield item


def zip_longest(*iterables: Any, fillvalue: Any = None) -> Any:
    """itertools.zip_longest."""
    parts = [sequence(iterable) for iterable in iterables]
    for k in range(max(*[len(part) for part in parts])):
        yield tuple([part[k] if k < len(part) else fillvalue for part in parts])


def tee(iterable: Any, n: int = 2) -> Any:
    """itertools.tee."""
    items = sequence(iterable)
    return tuple(map(iter, [items] * n))


LAZY: dict[Any, Any] = {
    itertools.accumulate: accumulate,
    itertools.pairwise: pairwise,
    itertools.chain: chain,
    itertools.chain.from_iterable: chain_from_iterable,
    itertools.starmap: starmap,
    itertools.takewhile: takewhile,
    itertools.dropwhile: dropwhile,
    itertools.filterfalse: filterfalse,
    itertools.compress: compress,
    itertools.islice: islice,
    itertools.zip_longest: zip_longest,
    filter: keep,
}
