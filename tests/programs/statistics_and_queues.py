"""Queues of the library, its statistics, and what the classes that it names are asked."""

import collections
import functools
import queue
import statistics
import types

import numpy as np
from numpy.polynomial import Polynomial
from scipy.interpolate import CubicSpline

from programs.registry import normal, positive, program


@program(positive(5))
def first_in_first_out(x):
    waiting = queue.Queue()
    for v in x:
        waiting.put(v**2)
    total, k = 0.0, 1
    while not waiting.empty():
        v = waiting.get()
        total += k * v
        k += 1
        if v > 1.0:
            waiting.put_nowait(v / 4.0)
    return total


@program(positive(4))
def last_in_first_out(x):
    held = queue.LifoQueue(maxsize=3)
    total = 0.0
    for v in x:
        while held.full():
            total += held.get() * v
        held.put(np.sin(v))
    simple = queue.SimpleQueue()
    while held.qsize() > 0:
        simple.put(held.get_nowait() ** 2)
    return total + simple.get() * simple.get() ** 2


@program(positive(5))
def least_first(x):
    heap = queue.PriorityQueue()
    for i, v in enumerate(x):
        heap.put((v, i))
    total = 0.0
    while heap.qsize() > 1:
        v, i = heap.get()
        w, j = heap.get()
        total += v * x[j] + w * w
        if v * w > 0.4:
            heap.put((v * w, i))
        heap.task_done()
    return total


@program(positive(5))
def normal_distributions(x):
    d = statistics.NormalDist(mu=x[0], sigma=x[1])
    e = d + statistics.NormalDist(x[2], x[3])
    turned = 3.0 - d * 2.0
    found = [d.pdf(0.3), e.cdf(x[4]), e.inv_cdf(x[2] / 3.0), d.zscore(x[4]), turned.stdev]
    return sum(found) + e.mean * e.stdev + turned.mean * e.variance + sum(e.quantiles(3))


@program(positive(6))
def samples_described(x):
    d = statistics.NormalDist.from_samples(x)
    line = statistics.linear_regression(x, x**2)
    through = statistics.linear_regression([1.0, 2.0, 3.0, 4.0, 5.0, 6.5], x, proportional=True)
    related = statistics.covariance(x, np.sin(x)) + statistics.correlation(x, x**3)
    means = statistics.harmonic_mean(x) * statistics.fmean(x, weights=x**2)
    middle = statistics.median_low(x) + statistics.median_high(list(x)) ** 2
    parts = statistics.quantiles(x, n=4) + statistics.quantiles(x, n=3, method="inclusive")
    spread = statistics.pstdev(v**2 for v in x)
    return d.stdev * line.slope * line.intercept + through.slope + related + means + middle + (
        sum(k * p for k, p in enumerate(parts, 1)) * spread
    )  # fmt: skip


class Half:
    """One method."""

    def of(self, v):
        return v / 2.0


def asked(value):
    """A factor for each class of the libraries."""
    if isinstance(value, np.poly1d | Polynomial):
        return value(0.5)
    if isinstance(value, CubicSpline):
        return value(1.5)
    if isinstance(value, functools.partial | types.MethodType):
        return value(0.25)
    if isinstance(value, collections.ChainMap):
        return value["a"]
    return value.stdev if isinstance(value, statistics.NormalDist) else 1e3


@program(normal(4))
def classes_of_the_libraries_asked(x):
    items = [np.poly1d(x), Polynomial(x), CubicSpline(np.arange(4.0), x), Half().of]
    items += [functools.partial(np.multiply, x[1]), collections.ChainMap({"a": x[2]})]
    total = x[0] if type(items[1]) is Polynomial else 1e4
    for item in items:
        total = total + asked(item) * x
    return np.sum(total) * asked(statistics.NormalDist(x[0], x[3] ** 2))
