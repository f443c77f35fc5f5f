"""Floor 4: functions and iterators of the standard library, written out in plain Python.

Where a user's function calls one of the library's, the lowering reads the function or class of
the same behaviour here, as if the user had written it. `places` and `sequence` are known to the
lowering itself (see standins.py).
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from s2sgrad_runtime import as_it_lies, place_of_max, place_of_min, sort_order


def sequence(items: Any) -> Any:
    """The items as something that has a length and subscripts."""
    return items if hasattr(items, "__getitem__") else list(items)


def places(function: Any, *args: Any) -> Any:
    """Rows of subscripts: data, through which no derivative passes."""
    return list(function(*args))


def make_record(cls: Any, items: Any) -> Any:
    """The `_make` of a namedtuple."""
    return cls(*items)


def computed_once(owner: Any, field: Any, compute: Any) -> Any:
    """What a cached property gives, of an object that has a field for it."""
    if getattr(owner, field) is None:
        setattr(owner, field, compute(owner))
    return getattr(owner, field)


def member_of(members: Any, value: Any) -> Any:
    """`Kind(value)` of an enumeration."""
    for member in members:
        if member.value == value:
            return member
    raise ValueError("no member of the enumeration has this value")


# --- functions with a key --------------------------------------------------------------------
def sorted_by(iterable: Any, key: Any = None, reverse: bool = False) -> Any:
    """sorted: the order is data, the items carry the derivative."""
    items = sequence(iterable)
    keys = items if key is None else [key(item) for item in items]
    order = sort_order(keys, reverse)
    return [items[k] for k in order]


def max_by(iterable: Any, key: Any) -> Any:
    """max with a key."""
    items = sequence(iterable)
    return items[place_of_max([key(item) for item in items])]


def max_or(items: Any, default: Any, key: Any = None) -> Any:
    """max of what may be empty."""
    if len(items) == 0:
        return default
    return max(items) if key is None else max_by(items, key)


def min_or(items: Any, default: Any, key: Any = None) -> Any:
    """min of what may be empty."""
    if len(items) == 0:
        return default
    return min(items) if key is None else min_by(items, key)


def min_by(iterable: Any, key: Any) -> Any:
    """min with a key."""
    items = sequence(iterable)
    return items[place_of_min([key(item) for item in items])]


def largest(items: Any) -> Any:
    """max of tuples or lists."""
    return items[place_of_max(items)]


def smallest(items: Any) -> Any:
    """min of tuples or lists."""
    return items[place_of_min(items)]


def larger(one: Any, other: Any) -> Any:
    """max of two: the first of them where they are equal."""
    return other if other > one else one


def smaller(one: Any, other: Any) -> Any:
    """min of two."""
    return other if other < one else one


def keep(function: Any, iterable: Any) -> Any:
    """filter."""
    if function is None:
        return (item for item in iterable if item)
    return (item for item in iterable if function(item))


def reduce(function: Any, iterable: Any) -> Any:
    """functools.reduce without an initial value."""
    items = sequence(iterable)
    total = items[0]
    for item in items[1:]:
        total = function(total, item)
    return total


# --- itertools -------------------------------------------------------------------------------
def accumulate(iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    """itertools.accumulate."""
    return (total for total in totals(iterable, func, initial))


def totals(iterable: Any, func: Any, initial: Any) -> Any:
    """The list of what itertools.accumulate gives."""
    items = sequence(iterable)
    if initial is None and len(items) == 0:
        return []
    total = items[0] if initial is None else initial
    result = [total]
    for item in items[1:] if initial is None else items:
        total = total + item if func is None else func(total, item)
        result.append(total)
    return result


def of_one_length(sizes: Any) -> None:
    """What `zip(strict=True)` asks of the lengths of its arguments."""
    for size in sizes[1:]:
        if size != sizes[0]:
            raise ValueError("zip() has arguments of different lengths")


def turns(left: int, times: int, more: int) -> int:
    """How often something that is short of `more` items can be taken from `times` times."""
    return (left + more) // times


def batched(iterable: Any, n: int) -> Any:
    """itertools.batched, of Python 3.12 and later."""
    items = sequence(iterable)
    return (items[k : k + n] for k in range(0, len(items), n))


def pairwise(iterable: Any) -> Any:
    """itertools.pairwise."""
    items = sequence(iterable)
    return zip(items[:-1], items[1:], strict=False)  # noqa: RUF007


def chain(*iterables: Any) -> Any:
    """itertools.chain."""
    return (item for iterable in iterables for item in iterable)


def chain_from_iterable(iterables: Any) -> Any:
    """itertools.chain.from_iterable."""
    return (item for iterable in iterables for item in iterable)


def groupby(iterable: Any, key: Any = None) -> Any:
    """itertools.groupby, the members of each group as a list."""
    marks: Any = []
    groups: Any = []
    for item in iterable:
        mark = item if key is None else key(item)
        if len(marks) == 0 or mark != marks[-1]:
            marks.append(mark)
            groups.append([])
        groups[-1].append(item)
    return zip(marks, groups, strict=True)


def starmap(function: Any, iterable: Any) -> Any:
    """itertools.starmap."""
    return (function(*row) for row in iterable)


def takewhile(predicate: Any, iterable: Any) -> Any:
    """itertools.takewhile."""
    return (item for item in first_ones(predicate, iterable))


def first_ones(predicate: Any, iterable: Any) -> Any:
    """The list of what itertools.takewhile gives."""
    result = []
    for item in iterable:
        if not predicate(item):
            break
        result.append(item)
    return result


def dropwhile(predicate: Any, iterable: Any) -> Any:
    """itertools.dropwhile."""
    return (item for item in later_ones(predicate, iterable))


def later_ones(predicate: Any, iterable: Any) -> Any:
    """The list of what itertools.dropwhile gives."""
    result = []
    dropping = True
    for item in iterable:
        dropping = dropping and predicate(item)
        if not dropping:
            result.append(item)
    return result


def filterfalse(predicate: Any, iterable: Any) -> Any:
    """itertools.filterfalse."""
    if predicate is None:
        return (item for item in iterable if not item)
    return (item for item in iterable if not predicate(item))


def compress(iterable: Any, selectors: Any) -> Any:
    """itertools.compress."""
    return (item for item, chosen in zip(iterable, selectors, strict=False) if chosen)


def repeat(object: Any, times: Any = None) -> Any:
    """itertools.repeat; without end, beside something that ends."""
    if times is None:
        return map(lambda _: object, itertools.count())  # noqa: C417
    return (object for _ in range(times))


def nditer(array: Any, *options: Any, **named: Any) -> Any:
    """np.nditer of one array that is only read."""
    if len(options) + len(named) > 0 or isinstance(array, list | tuple):
        raise NotImplementedError(
            "np.nditer with options: loop over np.ndenumerate(a), or over np.ndindex(a.shape) and"
            " write a[index] = ..."
        )
    entries = as_it_lies(array, array)
    return (entries[k, ...] for k in range(entries.size))


def islice(iterable: Any, *bounds: Any) -> Any:
    """itertools.islice."""
    return (item for item in part_of(iterable, *bounds))


def part_of(iterable: Any, *bounds: Any) -> Any:
    """The sequence of what itertools.islice gives."""
    stop = bounds[0] if len(bounds) == 1 else bounds[1]
    if stop is None or hasattr(iterable, "__len__"):
        return sequence(iterable)[slice(*bounds)]
    return [item for _, item in zip(range(stop), iterable, strict=False)][slice(*bounds)]


def cycle(iterable: Any) -> Any:
    """itertools.cycle, beside something that ends."""
    items = sequence(iterable)
    return map(lambda k: items[k % len(items)], itertools.count())  # noqa: C417


def zip_longest(*iterables: Any, fillvalue: Any = None) -> Any:
    """itertools.zip_longest."""
    parts = [sequence(iterable) for iterable in iterables]
    count = max(*[len(part) for part in parts])
    return (
        tuple([part[k] if k < len(part) else fillvalue for part in parts]) for k in range(count)
    )


def combinations(iterable: Any, r: int) -> Any:
    """itertools.combinations: the subscripts are data."""
    if isinstance(iterable, range):
        return (row for row in places(itertools.combinations, iterable, r))
    items = sequence(iterable)
    rows = places(itertools.combinations, range(len(items)), r)
    return (tuple([items[k] for k in row]) for row in rows)


def combinations_with_replacement(iterable: Any, r: int) -> Any:
    """itertools.combinations_with_replacement: the subscripts are data."""
    if isinstance(iterable, range):
        return (row for row in places(itertools.combinations_with_replacement, iterable, r))
    items = sequence(iterable)
    rows = places(itertools.combinations_with_replacement, range(len(items)), r)
    return (tuple([items[k] for k in row]) for row in rows)


def permutations(iterable: Any, r: Any = None) -> Any:
    """itertools.permutations: the subscripts are data."""
    count = len(iterable) if r is None and isinstance(iterable, range) else r
    if isinstance(iterable, range):
        return (row for row in places(itertools.permutations, iterable, count))
    items = sequence(iterable)
    count = len(items) if r is None else r
    rows = places(itertools.permutations, range(len(items)), count)
    return (tuple([items[k] for k in row]) for row in rows)


def product(*iterables: Any, repeat: int = 1) -> Any:
    """itertools.product: the subscripts are data."""
    if all([isinstance(iterable, range) for iterable in iterables]):  # noqa: C419 (a known one)
        return (row for row in places(itertools.product, *[*iterables] * repeat))
    parts = [sequence(iterable) for iterable in iterables] * repeat
    rows = places(itertools.product, *[range(len(part)) for part in parts])
    return (tuple([part[k] for part, k in zip(parts, row, strict=True)]) for row in rows)


# --- NumPy's iterators -----------------------------------------------------------------------
def ndindex(*shape: Any) -> Any:
    """np.ndindex."""
    return (row for row in places(np.ndindex, *shape))


def ndenumerate(arr: Any) -> Any:
    """np.ndenumerate."""
    return ((row, arr[row]) for row in places(np.ndindex, arr.shape))


def diff_between(
    a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None
) -> Any:
    """np.diff with what goes before and after: an array, or one number for all rows."""
    if n == 0:
        return a
    row = np.shape(np.sum(a, axis=axis, keepdims=True))
    if prepend is not None:
        first = np.full(row, prepend) if np.ndim(prepend) == 0 else prepend
        a = np.concatenate((first, a), axis=axis)
    if append is not None:
        last = np.full(row, append) if np.ndim(append) == 0 else append
        a = np.concatenate((a, last), axis=axis)
    return np.diff(a, n, axis)
