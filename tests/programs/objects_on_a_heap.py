"""Objects that are linked with each other, beside numbers in tuples that are ordered."""

import heapq

import numpy as np

from programs.registry import positive, program


class Vertex:
    def __init__(self):
        self.edges, self.distance = [], np.inf


@program(positive(4), jit=True)
def shortest_way_by_vertices(w):
    a, b, c, d = Vertex(), Vertex(), Vertex(), Vertex()
    a.edges = [(b, w[0]), (c, w[1])]
    b.edges = [(d, w[2])]
    c.edges = [(d, w[3]), (b, w[0] * 0.1)]
    a.distance = 0.0
    heap, count = [(0.0, 0, a)], 1
    while heap:
        distance, _, u = heapq.heappop(heap)
        if distance > u.distance:
            continue
        for v, length in u.edges:
            if distance + length < v.distance:
                v.distance = distance + length
                heapq.heappush(heap, (v.distance, count, v))
                count += 1
    return d.distance**2 + b.distance


class Stop:
    def __init__(self, v):
        self.v, self.next = v, None

    def __lt__(self, other):
        return self.v < other.v


@program(positive(5))
def in_order_of_class_and_value(x):
    stops = [Stop(v) for v in x]
    for a, b in zip(stops, stops[1:], strict=False):
        a.next = b
    heap = []
    for k, stop in enumerate(stops):
        heapq.heappush(heap, (k % 2, stop))
    total, weight = 0.0, 1.0
    while heap:
        _, stop = heapq.heappop(heap)
        total += weight * stop.v
        weight *= 0.5
        if stop.next is not None:
            total += stop.next.v * weight
    return total


class Plain:
    def __init__(self, v):
        self.v, self.next = v, None


@program(positive(4))
def one_after_the_other(x):
    steps = [Plain(v) for v in x]
    for a, b in zip(steps, steps[1:], strict=False):
        a.next = b
    heap, count, total = [(0.0, 0, steps[0])], 1, 0.0
    while heap:
        cost, _, step = heapq.heappop(heap)
        total += cost * step.v
        if step.next is not None:
            heapq.heappush(heap, (cost + step.v, count, step.next))
            count += 1
    return total
