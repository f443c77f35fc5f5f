"""Largest, smallest, first: of tuples, of dicts, on heaps; rows joined by np.r_ and np.c_."""

import bisect
import heapq

import numpy as np

from programs.registry import normal, program


@program(normal(5))
def largest_of_tuples(x):
    return max((x[0], 1.0), (x[1], 2.0))[1] * x[2]


@program(normal(5))
def largest_of_a_list_of_tuples(x):
    return max([(x[0], 1.0), (x[1], 2.0)])[0] * x[2]


@program(normal(5))
def smallest_square_and_its_place(x):
    a, i = min((v * v, i) for i, v in enumerate(x))
    return a * x[i]


@program(normal(5))
def tuples_sorted_in_place(x):
    ps = [(v * v, i) for i, v in enumerate(x)]
    ps.sort()
    return sum(k * p for k, (p, i) in enumerate(ps)) + ps[0][1] * x[0]


@program(normal(5))
def sorted_pairs(x):
    ps = sorted((v * v, -v) for i, v in enumerate(x))
    return ps[0][1] * ps[1][0]


@program(normal(5))
def default_of_none_left(x):
    return max((v for v in x if v > 100), default=x[0] ** 2)


@program(normal(5))
def default_not_needed(x):
    return max([v for v in x if v > -100], default=x[0] ** 2)


@program(normal(5))
def tuples_compared(x):
    if (x[0], x[1]) < (x[0], x[2]):
        return x[1] ** 2
    return x[2] ** 3


@program(normal(5))
def largest_key_of_a_dict(x):
    d = {"a": x[0], "b": x[1]}
    k = max(d, key=d.get)
    return d[k] ** 2 * max(d.values())


@program(normal(5))
def largest_entry_of_a_dict(x):
    d = {"a": x[0], "b": x[1]}
    k, v = max(d.items(), key=lambda kv: kv[1])
    return v**2


@program(normal(5))
def largest_of_everything(x):
    return max(x.tolist()) + min(list(x)) + max(*x) + max(x[0], 0.0, x[1])


@program(normal(5))
def best_so_far_as_a_tuple(x):
    best = (-np.inf, -1)
    for i, v in enumerate(x):
        best = max(best, (v * v, i))
    return best[0] * x[best[1]]


@program(normal(5))
def closest_pair(x):
    best = min(((a - b) ** 2, i, j) for i, a in enumerate(x) for j, b in enumerate(x) if i < j)
    return best[0] * x[best[1]] + x[best[2]]


@program(normal(5))
def huffman_like_heap(x):
    h = [(float(i), v) for i, v in enumerate(x)]
    heapq.heapify(h)
    t = 0.0
    while len(h) > 1:
        a = heapq.heappop(h)
        b = heapq.heappop(h)
        heapq.heappush(h, (a[0] + b[0], a[1] * b[1] + 1.0))
        t += a[1] * b[1]
    return t


@program(normal(5))
def joined_by_r_and_c(x):
    v = np.c_[x, x**2]
    w = np.r_[x[:2], 1.0, x[::-1], 0:3]
    u = np.c_[x]
    z = x
    return np.sum(v @ v.T) + np.sum(w**3) + np.sum(u) + np.sum(z**2) + np.sum(np.r_[-1:1:5j] * x)


@program(normal(5))
def heap_beside_other_calls(x):
    heap = []
    for v in x:
        heapq.heappush(heap, v * v)
    first = heapq.heappushpop(heap, 0.7 * x[0] ** 4)
    second = heapq.heapreplace(heap, 2.0)
    return first * second + heap[0] + sum(heapq.nlargest(2, heap)) * heapq.nsmallest(1, heap)[0]


@program(normal(5))
def kept_sorted_by_bisection(x):
    kept = []
    for v in x:
        bisect.insort(kept, v)
    k = bisect.bisect_left(kept, 0.0)
    return kept[0] * kept[-1] + sum(kept[k:]) ** 2 + bisect.bisect(kept, x[0]) * x[1]


@program(normal(5))
def tuple_of_unknown_make_in_a_sum(x):
    return max(v * w for v in x for w in x if v != w) + min((abs(v), i) for i, v in enumerate(x))[0]


@program(np.array([0.71, 0.23, 0.94, 0.42, 0.57]), second=True)
def order_inside_a_heap(x):
    """A heap is not sorted: which item stands where is what heapq makes of it."""
    h = [v * 1.0 for v in x]
    heapq.heapify(h)
    total = h[1] * 2 + h[-1] * 3 + sum(i * v for i, v in enumerate(h))
    heapq.heappush(h, x[0] * 0.5)
    total += sum(i * v * v for i, v in enumerate(h))
    total += heapq.heappop(h) * h[2] + heapq.heappushpop(h, x[1] + 0.3) * h[1]
    total += heapq.heapreplace(h, x[2] * 0.1) * h[-1] + sum(heapq.nsmallest(2, h)) * h[0]
    jobs = []
    for k, v in enumerate(x):
        heapq.heappush(jobs, _Due(round(float(v)), v * (k + 1)))
    order = []
    while jobs:
        job = heapq.heappop(jobs)
        order.append(job.worth)
        if len(order) < 3:
            heapq.heappush(jobs, _Due(job.day + 1, job.worth * 0.5))
    return total + sum((i + 1) * w**2 for i, w in enumerate(order))


class _Due:
    """Jobs of the same day are equal: which comes first is what heapq makes of it."""

    def __init__(self, day, worth):
        self.day, self.worth = day, worth

    def __lt__(self, other):
        return self.day < other.day


@program(np.array([0.3, -0.5, 0.7, 0.9]), second=True)
def read_in_a_slice_before_it_is_taken(x):
    table = {name: 0.3 * v + 0.1 for name, v in zip("uvwz", x)}
    pairs = [(v * 0.5, name) for name, v in zip("uvwz", x)]
    total = 0.2 * x[0]
    pairs.sort()
    total = total * pairs[1][0] + 1.24
    ((least, first),) = pairs[:1]
    total = total + least * (2.0 if first in table else 0.5)
    least, first = pairs.pop(0)
    return (total + least * table.get(first, 0.7)) * total


@program(normal(4, 7), normal(3, 31), jit=True)
def middles_of_rows_and_windows(few, many):
    total = np.sum(np.median(few, axis=0) ** 2) + np.sum(np.quantile(few, 0.7, axis=1) ** 3)
    total += np.sum(np.median(many, axis=1) ** 2) + np.percentile(many, 21.0) ** 2
    total += np.sum(np.percentile(many[:, ::2], 62.5, axis=-1) ** 2) + np.quantile(few[2], 1.0)
    for k in range(many.shape[1] - 5):
        total += np.median(many[0, k : k + 5]) ** 2
    return total
