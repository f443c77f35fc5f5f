"""Functions with `yield`, context managers made of them, and iterators over what changes."""

import collections
import contextlib
import itertools
import time

import numpy as np

from programs.registry import positive, program


def _large(x):
    for v in x:
        if v > 0.8:
            yield v
        else:
            yield v**2
            yield v**3


def _windows(x, n):
    for i in range(len(x) - n + 1):
        yield x[i : i + n]


def _joined(*parts):
    for part in parts:
        yield from part


def _newton(square, guess):
    while True:
        guess = 0.5 * (guess + square / guess)
        yield guess


@program(positive(5), jit=True, second=True)
def left_and_continued(x):
    total = 0.0
    for a in _large(x):
        for b in _large(x * 2):
            if b > 1.9:
                continue
            if a * b > 1.8:
                break
            total += a * b
        else:
            total += a
    before = 9.0
    for step, root in enumerate(_newton(x[0], x[1])):
        if abs(root - before) < 1e-10 or step > 30:
            break
        before = root
    for a, b, k in zip(x, _newton(x[2], x[3]), range(9), strict=False):
        total += a * b * k
    return total * root


@program(positive(5), second=True)
def returned_from_inside(x):
    def first_steep(values):
        for i, w in enumerate(_windows(values, 2), start=1):
            for v in _large(w):
                if v * i > 1.5:
                    return v * i * np.sum(w**2)
        return values[0]

    return first_steep(x) * first_steep(x[::-1])


@program(positive(5), second=True)
def gathered(x):
    a, b, *rest = _large(x)
    powers = {i: v**2 for i, v in enumerate(_large(x))}
    listed = np.array(list(_joined(_large(x), [x[0], x[1]], x * 2)))
    firsts = sum(itertools.islice(_newton(x[0], x[1]), 4))
    taken = sum(itertools.takewhile(lambda v: v > 0.1, _large(x)))
    steps = _large(x)
    first = next(steps)
    left = first * sum(steps) * (2.0 if any(v > 1.0 for v in _large(x)) else 3.0)
    most = max(_large(x)) * next(_large(x))
    return (
        a * b + sum(rest) + powers[0] * powers[1] + np.sum(listed**3) + firsts * taken + left * most
    )


class _Tree:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def __iter__(self):
        if self.left is not None:
            yield from self.left
        yield self.value
        if self.right is not None:
            yield from self.right


class _Decay:
    def __init__(self, y, rate):
        self.y, self.rate, self.t = y, rate, 0.0

    def run(self, steps, dt=0.1):
        for _ in range(steps):
            self.y = self.y - dt * self.rate * self.y
            self.t += dt
            yield self.t, self.y


@contextlib.contextmanager
def _timed(label):
    start = time.perf_counter()
    try:
        yield
    finally:
        if time.perf_counter() - start > 1e9:
            print(label)


@contextlib.contextmanager
def _scaled(x, k):
    y = x * k
    yield y
    y += 1.0


@program(positive(5), second=True)
def methods_and_contexts(x):
    total = 0.0
    for v in _Tree(x[0], _Tree(x[1]), _Tree(x[2], _Tree(x[3]))):
        total = total * 0.5 + v**2
    decay = _Decay(x[:2].copy(), x[2])
    with _timed("decay"), _scaled(x, 2.0) as z:
        for t, y in decay.run(10):
            total += t * np.sum(y**2) * z[0]
            if t > 0.55:
                break
    for v in x:
        with _timed("sum"):
            if v > 1.3:
                break
            total += v * v
    with _timed("end"):
        if total > 0.0:
            return total * np.sum(z**2) + np.sum(decay.y)
    return total


@program(positive(5), second=True)
def changed_while_gone_through(x):
    total = 0.0
    for start in (x, x[::-1]):
        y = start * 1.0
        for v in y:
            y[1:] *= v * y[2]
            total += v**2
        for k, v in zip(range(3), y, strict=False):
            y[1:] = v * y[2]
            total += k * v**2
        for v in (y[i] * y[j] for i in range(3) for j in range(2) if i != j):
            y[1] = v * y[2]
            total += v**2
        for v in itertools.chain(itertools.accumulate(y), filter(lambda v: v < 5.0, y)):
            y[2:] = v * 0.5
            total += v * y[1]
        listed = [v for v in y if v > -9.0]
        for a, b in itertools.pairwise(listed):
            listed[-1] = a * b * 0.1
            total += a**2 + b
        for v in itertools.islice(listed, 1, 4):
            listed[-1] = v * listed[0]
            total += v * listed[3]
    return total


class _Ring:
    def __init__(self, x):
        self.x, self.i = x, 0

    def __iter__(self):
        self.i = 0
        return self

    def __next__(self):
        if self.i >= len(self.x):
            raise StopIteration()
        v = self.x[self.i]
        self.i += 1
        return v * v


class _Squares:
    def __init__(self, x):
        self.x = x

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i] ** 2


@program(positive(5), second=True)
def taken_step_by_step(x):
    ring = _Ring(x)
    total = 0.0
    for a in ring:
        if a > 1.9:
            break
        total = 0.5 * total + a
    total += sum(v for v in ring) * ring.i + sum(_Squares(x))
    it = iter(x)
    for a, b in zip(it, it, strict=False):
        total += a * b**2
    it = iter(x)
    number = itertools.count(1)
    weights = itertools.cycle([1.0, -2.0, x[0]])
    first = sum(itertools.islice(it, 2))
    for i, v in enumerate(it):
        total += first * v * next(number) * next(weights) + i * v
    early, late = itertools.tee(x)
    next(late, None)
    return total + sum(u * v for u, v in zip(early, late, strict=False))


def _running(x, state):
    for v in x:
        state["n"] += 1
        state["s"] = state["s"] + v
        yield v * state["s"]


def _buffers(x):
    buffer = np.zeros(3)
    for v in x:
        buffer[:-1] = buffer[1:]
        buffer[-1] = v
        yield buffer


def _halved(depth, v):
    if depth == 0:
        yield v
        return
    yield from _halved(depth - 1, v * 0.5)
    yield v**2
    yield from _halved(depth - 1, v + 1.0)


@contextlib.contextmanager
def _restored(array):
    saved = array.copy()
    yield array
    array[:] = saved


@program(positive(5), second=True)
def state_on_both_sides(x):
    state, total, calls = {"n": 0, "s": 0.0}, 0.0, 0

    def steep():
        nonlocal calls
        for v in x:
            calls += 1
            if v > 1.4:
                return
            yield v**2

    for v in _running(x, state):
        state["s"] *= 0.5
        total += v * state["n"]
        if state["n"] == 4:
            break
    kept = []
    for buffer in _buffers(x):
        total += buffer[0] * buffer[2]
        kept.append(buffer)
        buffer[1] *= 1.1
    y = x * 1.0
    for k in range(3):
        with _restored(y) as z:
            z[k] *= 2
            total += np.sum(z**2) * z[k]
            if k == 1:
                continue
        y[k] += total * 0.01
    total += sum(v * calls for v in steep()) + sum(u * v for u, v in zip(steep(), y, strict=False))
    total += sum(v * i for i, v in enumerate(_halved(2, x[0])))
    return total + sum(np.sum(b) for b in kept) + np.sum(y) * state["s"] + calls


@program(positive(5), jit=True)
def window_of_the_last_two(x):
    items = _large(x)
    window = collections.deque(itertools.islice(items, 2), maxlen=2)
    total = window[0] * window[1]
    for v in items:
        window.append(v)
        total += window[0] * window[1] ** 2
    return total
