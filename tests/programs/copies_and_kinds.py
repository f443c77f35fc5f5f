"""Containers of the standard library: their copies, classes, equality and less known methods."""

import collections
import copy
import math
import operator
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque

import numpy as np

from programs.registry import positive, program


def weighed(items):
    return sum((k + 1) * v for k, v in enumerate(items))


@program(positive(5), second=True)
def copies_of_containers_of_the_library(x):
    """A copy has items of its own, by whichever way it is made."""
    window, grown = deque(x, maxlen=3), defaultdict(float)
    other, third = copy.copy(window), copy.deepcopy(window)
    other.append(x[0] * x[1])
    third[0] = 5.0 * x[0]
    grown["a"] += x[1]
    one, two = copy.copy(grown), grown.copy()
    one["a"] *= x[2]
    two["b"] += 2.0
    counts, seen = Counter("aab"), {1, 2}
    copy.copy(counts)["a"] += 5
    copy.copy(seen).add(3)
    total = weighed(window) + 2 * weighed(other) + 3 * weighed(third) + one["a"] * grown["a"]
    return total + len(grown) * len(two) + counts["a"] * len(seen) * x[3] ** 2


@program(positive(3), second=True)
def classes_and_equality_of_containers_of_the_library(x):
    """What they are, and whether two are equal, is what Python says of the real ones."""
    queue, groups, counts = deque([1.0]), defaultdict(list), Counter("ab")
    kinds = [
        isinstance(queue, deque),
        isinstance(groups, dict),
        isinstance(counts, Counter),
        isinstance({1}, set),
        type(queue) is collections.deque,
        type(groups) is not dict,
        isinstance(zip(x, x), zip),
    ]
    alike = [
        queue == deque([1.0]),
        queue != [1.0],
        counts == Counter("ba"),
        defaultdict(int, {1: 2}) == {1: 2},
        ChainMap({"a": 1}) == {"a": 1},
    ]
    return kinds.count(True) * x[0] ** 2 + alike.count(True) * x[1] ** 2 * x[2]


@program(positive(5), second=True)
def deques_that_meet_themselves(x):
    """An empty one is turned round, and one is added to itself, at both ends."""
    queue = deque()
    queue.rotate(2)
    queue.extend(x[:2])
    queue.extend(queue)
    queue.extendleft(queue)
    queue += queue
    queue.remove(x[0])
    place, times = queue.index(x[1]), queue.count(x[1])
    del queue[0]
    joined = (queue + deque([x[2]])) * 2
    joined *= 2
    return weighed(queue) * times + place * weighed(joined) ** 2 + weighed(reversed(queue))


@program(positive(4), second=True)
def entries_taken_in_their_order(x):
    """The entry longest unused goes: what a cache of the least recently used does."""
    cache, total = OrderedDict(), 0.0
    for k, key in enumerate([0, 1, 2, 0, 3, 1, 0, 2]):
        if key in cache:
            cache.move_to_end(key)
            total += cache[key]
        else:
            cache[key] = x[key] ** 2 * (k + 1)
        if len(cache) > 2:
            _, gone = cache.popitem(last=False)
            total -= 0.5 * gone * x[k % 4]
    named = OrderedDict(zip("abc", x, strict=False))
    named.move_to_end("a")
    key, first = named.popitem(last=False)
    named.move_to_end("a", last=False)
    return total + first * ord(key) + weighed(named.values()) ** 2 + named.popitem()[1]


@program(positive(4), second=True)
def dicts_that_take_over_entries(x):
    """Pairs, keywords and dicts; those of several dicts, of which the first is written to."""
    groups = defaultdict(float, a=x[0])
    groups.update([("b", x[1] ** 2), ("c", x[2])], d=2.0)
    groups.update(zip("ef", x[2:], strict=True))
    groups |= {"a": groups["a"] * x[3]}
    merged = groups | {"z": 2.0 * x[0]}
    key, newest = groups.popitem()
    plain = {"a": 1.0}
    plain.update([("b", x[0]), ("a", x[1])])
    chain = ChainMap({"a": x[0]}, {"a": 2.0, "b": x[1]})
    older = chain.parents
    chain.update(b=5.0 * x[2])
    del chain["a"]
    total = weighed(merged.values()) + newest * ord(key) + plain["a"] * plain["b"]
    return total + chain["a"] * chain.setdefault("c", x[3]) + older["b"] * chain.pop("b") ** 2


@program(positive(3), second=True)
def counters_with_each_other(x):
    counts = Counter(a=2, b=1)
    counts.update(a=3)
    counts.update("bcc")
    del counts["absent"]
    both, either = counts & Counter(a=1, b=9), counts | Counter(z=4)
    less = -(Counter(b=1) - counts)
    seen = {1, 2, 3}
    seen -= seen
    seen.update([1], {2}, (3,))
    seen.difference_update(seen)
    seen.update(range(4))
    seen.intersection_update([0, 1, 2], [1, 2, 3])
    return either.total() * x[0] ** 2 + both["b"] * x[1] * x[2] + len(less) + len(seen) * x[0] ** 3


@program(positive(7), second=True)
def slices_of_lists_deleted_and_put_back(x):
    """With steps, and of the list itself: what is written is what it was before."""
    items = [v * v for v in x if v > 0]
    del items[::3]
    items[::-1] = items
    items[:: len(items) - 1] = items[-1] * 2.0, items[0]
    del items[-1:0:-2]
    items += x.tolist()
    few = [x[0], x[1] * x[2], x[3], 4.0]
    del few[::2]
    few[::-1] = few
    few[1:] = few
    operator.delitem(items, 1)
    return weighed(items) + weighed(operator.concat(few, items[1::2])) ** 2


@program(positive(4), jit=True)
def deque_for_functions_of_numpy_and_math(x):
    window = deque((v * 2.0 for v in x), maxlen=3)
    return np.mean(window) * math.prod(window) + math.fsum(window) + np.std(window)
