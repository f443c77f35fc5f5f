"""What the compiler refuses: the program, the place it must point at, and a rewrite that works.

Every text defines `f`. `at` is where line and column must be (the first of several that the text
contains; alternatives where more than one place is right).
"""

from __future__ import annotations

import hashlib
import linecache
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Refused:
    """One refused program and its rewrite, both taking a vector of three entries."""

    name: str
    bad: str
    at: tuple[str, ...]
    good: str


def load(source: str) -> Any:
    """The function `f` of a text; its source is known to inspect and to tracebacks."""
    name = f"<refused {hashlib.sha1(source.encode()).hexdigest()[:12]}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"__name__": "refused_program", "np": np}
    exec(compile(source, name, "exec"), scope)
    return scope["f"]


def place(source: str, snippet: str) -> tuple[int, int]:
    """1-based line and 1-based column of a snippet."""
    before = source[: source.index(snippet)]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


CASES = [
    Refused(
        "setting_an_attribute_of_a_deep_copy_of_linked_objects",
        """
import copy


class Node:
    def __init__(self, value, below):
        self.value, self.below = value, below


def f(x):
    top = None
    for v in x:
        top = Node(v * 2.0, top)
    other = copy.deepcopy(top)
    other.value = 3.0
    return top.value * other.value * other.below.value
""",
        ("other.value = 3.0",),
        """
class Node:
    def __init__(self, value, below):
        self.value, self.below = value, below


def f(x):
    top, other = None, None
    for v in x:
        top = Node(v * 2.0, top)
        other = Node(v * 2.0, other)
    other.value = 3.0
    return top.value * other.value * other.below.value
""",
    ),
    Refused(
        "ordered_dicts_in_two_orders",
        """
from collections import OrderedDict


def f(x):
    first, second = OrderedDict(u=1, v=2), OrderedDict(v=2, u=1)
    return np.sum(x) if first == second else np.sum(x**2)
""",
        ("first == second",),
        """
from collections import OrderedDict


def f(x):
    first, second = OrderedDict(u=1, v=2), OrderedDict(v=2, u=1)
    return np.sum(x) if list(first.items()) == list(second.items()) else np.sum(x**2)
""",
    ),
    Refused(
        "text_of_an_ordered_dict",
        """
from collections import OrderedDict


def f(x):
    sizes = OrderedDict(width=2, height=3)
    return np.sum(x) * (1.0 + ("width" in str(sizes)))
""",
        ("str(sizes)",),
        """
from collections import OrderedDict


def f(x):
    sizes = OrderedDict(width=2, height=3)
    return np.sum(x) * (1.0 + ("width" in sizes))
""",
    ),
    Refused(
        "tuples_that_grow_in_a_loop",
        """
import heapq


def f(x):
    heap = [(x[i], i, None, None) for i in range(len(x))]
    heapq.heapify(heap)
    count = len(x)
    while len(heap) > 1:
        a = heapq.heappop(heap)
        b = heapq.heappop(heap)
        heapq.heappush(heap, (a[0] + b[0], count, a, b))
        count += 1
    return heap[0][0] ** 2
""",
        ("while len(heap) > 1",),
        """
import heapq


class Node:
    def __init__(self, weight, left, right):
        self.weight, self.left, self.right = weight, left, right

    def __lt__(self, other):
        return self.weight < other.weight


def f(x):
    heap = [Node(x[i], None, None) for i in range(len(x))]
    heapq.heapify(heap)
    while len(heap) > 1:
        a = heapq.heappop(heap)
        b = heapq.heappop(heap)
        heapq.heappush(heap, Node(a.weight + b.weight, a, b))
    return heap[0].weight ** 2
""",
    ),
    Refused(
        "results_remembered_by_computed_numbers",
        """
import functools


def f(x):
    @functools.lru_cache(None)
    def split(v):
        if v < 0.5:
            return v * v
        return split(v * 0.5) + split(v - 0.4)

    return split(x[0] * x[1])
""",
        ("split(v * 0.5)",),
        """
def f(x):
    def split(v):
        if v < 0.5:
            return v * v
        return split(v * 0.5) + split(v - 0.4)

    return split(x[0] * x[1])
""",
    ),
    Refused(
        "frozen_sets_that_a_run_makes_as_keys",
        """
def f(x):
    sums = {}
    for i in range(len(x)):
        key = frozenset([i % 2, int(x[i] > 0.4)])
        sums[key] = sums.get(key, 0.0) + x[i] * x[i]
    return sum(sums.values())
""",
        ("sums.get(key, 0.0)", "sums[key]"),
        """
def f(x):
    sums = {}
    for i in range(len(x)):
        key = tuple(sorted({i % 2, int(x[i] > 0.4)}))
        sums[key] = sums.get(key, 0.0) + x[i] * x[i]
    return sum(sums.values())
""",
    ),
    Refused(
        "a_list_that_a_class_of_the_function_holds",
        """
def f(x):
    class Tape:
        items = []

        def add(self, v):
            self.items.append(v)

    tape = Tape()
    for v in x:
        tape.add(v * v)
    return tape.items[0] * tape.items[1]
""",
        ("self.items.append(v)",),
        """
def f(x):
    class Tape:
        def __init__(self):
            self.items = []

        def add(self, v):
            self.items.append(v)

    tape = Tape()
    for v in x:
        tape.add(v * v)
    return tape.items[0] * tape.items[1]
""",
    ),
    Refused(
        "generic_functions_made_inside",
        """
import functools


def f(x):
    @functools.singledispatch
    def size(v):
        return np.sum(v) * 2.0

    @size.register(list)
    def _(v):
        return v[0] * 3.0

    return size(x) * size([x[0]])
""",
        ("functools.singledispatch", "@functools", "def size"),
        """
def f(x):
    def size(v):
        if isinstance(v, list):
            return v[0] * 3.0
        return np.sum(v) * 2.0

    return size(x) * size([x[0]])
""",
    ),
    Refused(
        "arrays_of_objects_made_empty",
        """
def f(x):
    y = np.empty(3, dtype=object)
    for i in range(3):
        y[i] = x * i
    s = 0.0
    for part in y:
        s = s + part[1] * part[2]
    return s
""",
        ("y[i] = x * i",),
        """
def f(x):
    y = [None] * 3
    for i in range(3):
        y[i] = x * i
    s = 0.0
    for part in y:
        s = s + part[1] * part[2]
    return s
""",
    ),
    Refused(
        "arrays_of_nones",
        """
def f(x):
    y = np.array([None] * 3, dtype=object)
    y[1] = x * 2.0
    return y[1][0] * x[2]
""",
        ("y[1] = x * 2.0",),
        """
def f(x):
    y = [None] * 3
    y[1] = x * 2.0
    return y[1][0] * x[2]
""",
    ),
    Refused(
        "arrays_of_arrays_of_several_lengths",
        """
def f(x):
    y = np.array([x, x[1:]], dtype=object)
    return y[1][0] * y[0][0]
""",
        ("np.array([x, x[1:]], dtype=object)",),
        """
def f(x):
    y = [x, x[1:]]
    return y[1][0] * y[0][0]
""",
    ),
    Refused(
        "objects_that_are_lists_themselves",
        """
class Track(list):
    def __init__(self, items, gain):
        super().__init__(items)
        self.gain = gain

    def total(self):
        return sum(self) * self.gain


def f(x):
    track = Track([x[0], x[1]], x[2])
    track.append(x[2])
    return track.total()
""",
        ("Track([x[0], x[1]], x[2])",),
        """
class Track:
    def __init__(self, items, gain):
        self.items = list(items)
        self.gain = gain

    def total(self):
        return sum(self.items) * self.gain


def f(x):
    track = Track([x[0], x[1]], x[2])
    track.items.append(x[2])
    return track.total()
""",
    ),
    Refused(
        "number_times_the_time_between_two_dates",
        """
import datetime


def f(x):
    time = datetime.date(2024, 3, 1) - datetime.date(2024, 1, 1)
    return (x[0] * time).total_seconds() / 86400 + x[1]
""",
        ("x[0] * time",),
        """
import datetime


def f(x):
    time = datetime.date(2024, 3, 1) - datetime.date(2024, 1, 1)
    return x[0] * time.days + x[1]
""",
    ),
    Refused(
        "next_until_it_raises",
        """
def f(x):
    items, total = iter(x), 0.0
    while True:
        try:
            total += next(items) ** 2
        except StopIteration:
            break
    return total
""",
        ("try:",),
        """
def f(x):
    items, total = iter(x), 0.0
    while True:
        v = next(items, None)
        if v is None:
            break
        total += v**2
    return total
""",
    ),
    Refused(
        "factor_of_a_matrix_that_may_not_be_definite",
        """
def f(x):
    A = np.outer(x, x) + np.eye(3)
    try:
        L = np.linalg.cholesky(A)
    except np.linalg.LinAlgError:
        return x[0]
    return np.sum(L)
""",
        ("try:",),
        """
def f(x):
    A = np.outer(x, x) + np.eye(3)
    if not np.linalg.eigvalsh(A)[0] > 0:
        return x[0]
    L = np.linalg.cholesky(A)
    return np.sum(L)
""",
    ),
    Refused(
        "key_that_may_be_missing",
        """
def f(x):
    table = {int(v > 0.0): v for v in x}
    total = 0.0
    for k in range(3):
        try:
            total += table[k] ** 2
        except KeyError:
            total += x[2]
    return total
""",
        ("try:",),
        """
def f(x):
    table = {int(v > 0.0): v for v in x}
    total = 0.0
    for k in range(3):
        if k in table:
            total += table[k] ** 2
        else:
            total += x[2]
    return total
""",
    ),
    Refused(
        "number_read_from_an_entry_of_an_array_of_texts",
        """
def f(x):
    words = x.astype(str)
    return float(words[0]) * x[1]
""",
        ("float(words[0])",),
        """
def f(x):
    words = x.astype(str)
    return float(x[0]) * x[1] + 0.0 * len(words)
""",
    ),
    Refused(
        "number_read_from_a_table_of_texts_that_is_filled",
        """
def f(x):
    words = np.empty(3, dtype="U20")
    words[:] = x
    return float(words[0]) * x[1]
""",
        ("float(words[0])",),
        """
def f(x):
    words = np.empty(3, dtype="U20")
    words[:] = x
    return x[0] * x[1]
""",
    ),
    Refused(
        "numbers_read_from_an_array_of_bytes",
        """
def f(x):
    words = x.astype("S20")
    return words.astype(float) @ x
""",
        ("words.astype(float)",),
        """
def f(x):
    words = x.astype("S20")
    return x @ x + 0.0 * len(words)
""",
    ),
    Refused(
        "lists_of_a_number_and_a_text_that_grow",
        """
def f(x):
    rows = []
    for v in x:
        rows.append(["big" if v > 1.0 else "small", v * v])
    for row in rows:
        row.append(row[1] ** 2)
    return rows[0][1] * rows[-1][2]
""",
        ("row.append(row",),
        """
def f(x):
    rows = []
    for v in x:
        rows.append(["big" if v > 1.0 else "small", [v * v]])
    for row in rows:
        row[1].append(row[1][0] ** 2)
    return rows[0][1][0] * rows[-1][1][1]
""",
    ),
    Refused(
        "places_of_a_list_of_a_number_and_a_text",
        """
def f(x):
    rows = []
    for v in x:
        rows.append([v * v, v**3, "big" if v > 1.0 else "small"])
    k = int(x[0] > 0.0)
    rows[0][k] = x[1] ** 2
    return rows[0][0] * rows[0][1]
""",
        ("rows[0][k]",),
        """
def f(x):
    rows = []
    for v in x:
        rows.append([[v * v, v**3], "big" if v > 1.0 else "small"])
    k = int(x[0] > 0.0)
    rows[0][0][k] = x[1] ** 2
    return rows[0][0][0] * rows[0][0][1]
""",
    ),
    Refused(
        "keys_of_a_dict_that_vary",
        """
def f(x):
    counts = {}
    for v in x:
        counts[v] = counts.get(v, 0) + 1
    return sum(k**2 * n for k, n in counts.items())
""",
        ("sum(k**2", "counts.items()"),
        """
def f(x):
    places, values = {}, []
    for v in x:
        if v not in places:
            places[v] = len(values)
            values.append([v, 0])
        values[places[v]][1] += 1
    return sum(v**2 * n for v, n in values)
""",
    ),
    Refused(
        "numbers_read_from_an_array_of_texts",
        """
def f(x):
    words = np.array([str(v) for v in x])
    return words.astype(float) @ x
""",
        ("words.astype(float)",),
        """
def f(x):
    words = np.array([str(v) for v in x])
    return x @ x + 0.0 * len(words)
""",
    ),
    Refused(
        "order_of_a_sum_begun_as_a_number",
        """
def f(x):
    a = x[:, None] * x**2
    total = 0.0
    for k in range(3):
        total = total + x[k] * a.T
    total.ravel()[1] *= x[0]
    return np.sum(total**2 * a)
""",
        ("total.ravel()",),
        """
def f(x):
    a = x[:, None] * x**2
    total = np.zeros((3, 3))
    for k in range(3):
        total = total + x[k] * a.T
    flat = total.flatten()
    flat[1] *= x[0]
    return np.sum(total**2 * a)
""",
    ),
    Refused(
        "recursion_returns_the_list_it_changes",
        """
def doubled(rows, n):
    if n == 0:
        return rows
    rows.append(rows[0] * 2.0)
    return doubled(rows, n - 1)


def f(x):
    rows = [x * 1.0]
    same = doubled(rows, 2)
    same[0] = same[0] * 3.0
    return np.sum(rows[0] * x) + np.sum(rows[1])
""",
        ("doubled(rows, 2)",),
        """
def doubled(rows, n):
    if n > 0:
        rows.append(rows[0] * 2.0)
        doubled(rows, n - 1)


def f(x):
    rows = [x * 1.0]
    doubled(rows, 2)
    rows[0] = rows[0] * 3.0
    return np.sum(rows[0] * x) + np.sum(rows[1])
""",
    ),
    Refused(
        "recursive_generator_of_what_changes",
        """
class Tree:
    def __init__(self, value):
        self.value, self.left, self.right = value, None, None

    def insert(self, v):
        if v < self.value:
            if self.left is None:
                self.left = Tree(v)
            else:
                self.left.insert(v)
        elif self.right is None:
            self.right = Tree(v)
        else:
            self.right.insert(v)

    def walk(self):
        if self.left is not None:
            yield from self.left.walk()
        yield self.value
        if self.right is not None:
            yield from self.right.walk()


def f(x):
    root, total = Tree(x[0]), 0.0
    for v in x[1:]:
        root.insert(v)
    for v in root.walk():
        total += v * v
        root.value = root.value * 1.0
    return total
""",
        ("root.walk()",),
        """
class Tree:
    def __init__(self, value):
        self.value, self.left, self.right = value, None, None

    def insert(self, v):
        if v < self.value:
            if self.left is None:
                self.left = Tree(v)
            else:
                self.left.insert(v)
        elif self.right is None:
            self.right = Tree(v)
        else:
            self.right.insert(v)

    def walk(self):
        if self.left is not None:
            yield from self.left.walk()
        yield self.value
        if self.right is not None:
            yield from self.right.walk()


def f(x):
    root, total = Tree(x[0]), 0.0
    for v in x[1:]:
        root.insert(v)
    for v in root.walk():
        total += v * v
    root.value = root.value * 1.0
    return total
""",
    ),
    Refused(
        "try_except",
        """
def f(x):
    y = x * x
    try:
        z = np.sqrt(y)
    except FloatingPointError:
        z = y
    return np.sum(z * x)
""",
        ("try:",),
        """
def f(x):
    y = x * x
    z = np.sqrt(y) if np.all(y >= 0.0) else y
    return np.sum(z * x)
""",
    ),
    Refused(
        "try_except_finally",
        """
def f(x):
    s = 0.0
    for v in x:
        try:
            s += v * v
        except ValueError:
            s += 1.0
        finally:
            s += v
    return s
""",
        ("try:",),
        """
def f(x):
    s = 0.0
    for v in x:
        s += v * v
        s += v
    return s
""",
    ),
    Refused(
        "generator_callee",
        """
def squares(x):
    for v in x:
        more = yield v * v

def f(x):
    s = 0.0
    for q in squares(x):
        s += q * s + q
    return s
""",
        ("yield v * v",),
        """
def squares(x):
    return [v * v for v in x]

def f(x):
    s = 0.0
    for q in squares(x):
        s += q * s + q
    return s
""",
    ),
    Refused(
        "async_function",
        """
import asyncio

async def g(x):
    return np.sum(x * x)

def f(x):
    return asyncio.run(g(x))
""",
        ("async def g", "asyncio.run(g", "g(x))"),
        """
def g(x):
    return np.sum(x * x)

def f(x):
    return g(x)
""",
    ),
    Refused(
        "exec_statement",
        """
def f(x):
    y = x * x
    exec("y[0] = 0.0")
    return np.sum(y)
""",
        ('exec("y',),
        """
def f(x):
    y = x * x
    y[0] = 0.0
    return np.sum(y)
""",
    ),
    Refused(
        "eval_expression",
        """
def f(x):
    y = eval("x * x")
    return np.sum(y)
""",
        ('eval("x',),
        """
def f(x):
    y = x * x
    return np.sum(y)
""",
    ),
    Refused(
        "locals_call",
        """
def f(x):
    y = x * x
    return np.sum(locals()["y"])
""",
        ("locals()",),
        """
def f(x):
    y = x * x
    return np.sum(y)
""",
    ),
    Refused(
        "global_write",
        """
calls = 0.0

def f(x):
    global calls
    calls = calls + x[0]
    return calls * x[1]
""",
        ("global calls", "calls = calls + x[0]"),
        """
calls = 0.0

def f(x):
    count = calls + x[0]
    return count * x[1]
""",
    ),
    Refused(
        "global_array_write",
        """
TABLE = np.zeros(3)

def f(x):
    s = x[0] * x[1]
    TABLE[0] = s
    return TABLE[0] * s
""",
        ("TABLE[0] = s",),
        """
TABLE = np.zeros(3)

def f(x):
    s = x[0] * x[1]
    table = TABLE.copy()
    table[0] = s
    return table[0] * s
""",
    ),
    Refused(
        "global_list_append",
        """
LOG = []

def f(x):
    s = np.sum(x * x)
    LOG.append(s)
    return s * LOG[-1]
""",
        ("LOG.append(s)",),
        """
LOG = []

def f(x):
    s = np.sum(x * x)
    log = list(LOG)
    log.append(s)
    return s * log[-1]
""",
    ),
    Refused(
        "outside_attribute_write",
        """
class Config:
    scale = 2.0

CONFIG = Config()

def f(x):
    CONFIG.scale = x[0] * x[1]
    return CONFIG.scale * np.sum(x)
""",
        ("CONFIG.scale = x",),
        """
class Config:
    scale = 2.0

CONFIG = Config()

def f(x):
    scale = x[0] * x[1]
    return scale * np.sum(x)
""",
    ),
    Refused(
        "outside_dict_write",
        """
CACHE = {"s": 1.0}

def f(x):
    CACHE["s"] = np.sum(x * x)
    return CACHE["s"] * x[0]
""",
        ('CACHE["s"] = np',),
        """
CACHE = {"s": 1.0}

def f(x):
    cache = dict(CACHE)
    cache["s"] = np.sum(x * x)
    return cache["s"] * x[0]
""",
    ),
    Refused(
        "exceptions_suppressed",
        """
class Quiet:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True

def f(x):
    y = x * x
    with Quiet():
        if y[0] < 0.0:
            raise ValueError
        y = y * 2.0
    return np.sum(y)
""",
        ("with Quiet():",),
        """
def f(x):
    y = x * x
    if y[0] >= 0.0:
        y = y * 2.0
    return np.sum(y)
""",
    ),
    Refused(
        "generator_that_reads_a_name_bound_again",
        """
def f(x):
    c = x[0]

    def scaled():
        yield c * x[0]
        yield c * x[1]

    items = scaled()
    c = x[1]
    return next(items) + next(items) ** 2
""",
        ("scaled()\n    c", "scaled()"),
        """
def f(x):
    def scaled(c):
        yield c * x[0]
        yield c * x[1]

    items = scaled(x[1])
    return next(items) + next(items) ** 2
""",
    ),
    Refused(
        "places_written_that_np_ix_shares",
        """
def f(x):
    i = np.array([0, 1])
    p, q = np.ix_(i, [1, 2])
    s = np.sum(np.outer(x, x)[p, q] ** 2)
    i[0] = 2
    return s + np.sum(np.outer(x, x)[p, q] ** 3)
""",
        ("np.ix_(i", "p, q = np"),
        """
def f(x):
    i = np.array([0, 1])
    p, q = np.ix_(i.copy(), [1, 2])
    s = np.sum(np.outer(x, x)[p, q] ** 2)
    i[0] = 2
    p, q = np.ix_(i.copy(), [1, 2])
    return s + np.sum(np.outer(x, x)[p, q] ** 3)
""",
    ),
    Refused(
        "class_body_that_computes",
        """
def f(x):
    class Scale:
        factor = x[0] * 2.0

        def of(self, v):
            return self.factor * v

    return np.sum(Scale().of(x))
""",
        ("class Scale:",),
        """
def f(x):
    factor_here = x[0] * 2.0

    class Scale:
        factor = factor_here

        def of(self, v):
            return self.factor * v

    return np.sum(Scale().of(x))
""",
    ),
    Refused(
        "setattr_outside",
        """
class Config:
    scale = 2.0

CONFIG = Config()

def f(x):
    setattr(CONFIG, "scale", np.sum(x * x))
    return CONFIG.scale * x[0]
""",
        ("setattr(CONFIG",),
        """
def f(x):
    scale = np.sum(x * x)
    return scale * x[0]
""",
    ),
    Refused(
        "outer_nonlocal_write",
        """
def make():
    total = 1.0

    def f(x):
        nonlocal total
        total = total + np.sum(x * x)
        return total * x[0]

    return f

f = make()
""",
        ("nonlocal total", "total = total + np"),
        """
def make():
    total = 1.0

    def f(x):
        new_total = total + np.sum(x * x)
        return new_total * x[0]

    return f

f = make()
""",
    ),
    Refused(
        "class_of_a_number_that_nested_loops_make_whole",
        """
def f(x):
    s = x[0]
    for i in range(2):
        for j in range(len(x)):
            s = i
    if isinstance(s, float):
        return s * x[1]
    return s**2 * x[0]
""",
        ("isinstance(s, float)",),
        """
def f(x):
    s, whole = x[0], False
    for i in range(2):
        for j in range(len(x)):
            s, whole = 1.0 * i, True
    if not whole:
        return s * x[1]
    return s**2 * x[0]
""",
    ),
    Refused(
        "number_in_the_place_of_a_row",
        """
def f(x):
    rows = x if x[0] > 0.0 else np.outer(x, x)
    kept = []
    for row in rows:
        kept.append(row)
        kept[-1] *= 2.0
    return np.sum(np.array(kept)) + np.sum(rows)
""",
        ("for row in rows:", "row in rows"),
        """
def f(x):
    rows = x if x[0] > 0.0 else np.outer(x, x)
    kept = []
    for row in rows:
        kept.append(row * 2.0)
    return np.sum(np.array(kept)) + np.sum(rows)
""",
    ),
    Refused(
        "store_into_one_of_several_arrays_of_integers",
        """
def f(x):
    rows = [np.arange(3) for _ in range(3)]
    for i in range(3):
        if x[i] > -1.0:
            rows[i] = x * i
    for i in range(3):
        rows[i][0] = x[1]
    return np.sum(rows[2]) + np.sum(rows[1]) + np.sum(rows[0])
""",
        ("rows[i][0] = x[1]",),
        """
def f(x):
    rows = [np.arange(3.0) for _ in range(3)]
    for i in range(3):
        if x[i] > -1.0:
            rows[i] = x * i
    for i in range(3):
        rows[i][0] = x[1]
    return np.sum(rows[2]) + np.sum(rows[1]) + np.sum(rows[0])
""",
    ),
    Refused(
        "store_into_integers",
        """
def f(x):
    a = np.array([1, 2, 3])
    if x[0] > 0.0:
        a = a * x
    a[0] = x[1] * 2.0
    return np.sum(a * x)
""",
        ("a[0] = x[1] * 2.0",),
        """
def f(x):
    a = np.array([1.0, 2.0, 3.0])
    if x[0] > 0.0:
        a = a * x
    a[0] = x[1] * 2.0
    return np.sum(a * x)
""",
    ),
    Refused(
        "hasattr_of_linked_nodes",
        """
class Node:
    def __init__(self, x, depth):
        self.next = None
        if depth > 0:
            self.next = Node(x[1:], depth - 1)
            if x[0] > 0.1:
                self.weight = x[0]

def f(x):
    node, total = Node(x, 2), 0.0
    while node is not None:
        total += node.weight**2 if hasattr(node, "weight") else x[0]
        node = node.next
    return total
""",
        ('hasattr(node, "weight")',),
        """
class Node:
    def __init__(self, x, depth):
        self.next, self.weight = None, None
        if depth > 0:
            self.next = Node(x[1:], depth - 1)
            if x[0] > 0.1:
                self.weight = x[0]

def f(x):
    node, total = Node(x, 2), 0.0
    while node is not None:
        total += node.weight**2 if node.weight is not None else x[0]
        node = node.next
    return total
""",
    ),
    Refused(
        "whether_it_is_a_list_or_a_tuple",
        """
def f(x):
    total = 0.0
    for v in x:
        row = [v, v] if v < 0.1 else (v, 2.0 * v)
        total += v if isinstance(row, tuple) else v**2
    return total
""",
        ("isinstance(row, tuple)",),
        """
def f(x):
    total = 0.0
    for v in x:
        pair = v >= 0.1
        row = (v, 2.0 * v) if pair else (v, v)
        total += row[0] if pair else row[0] ** 2
    return total
""",
    ),
    Refused(
        "a_list_or_a_tuple_compared",
        """
def f(x):
    total = 0.0
    for v in x:
        row = (v, 1.0) if v < 0.1 else [v, 1.0]
        total += v if row == [v, 1.0] else v**2
    return total
""",
        ("row == [v, 1.0]",),
        """
def f(x):
    total = 0.0
    for v in x:
        listed = v >= 0.1
        row = [v, 1.0] if listed else [v, 2.0]
        total += v if listed and row == [v, 1.0] else v**2
    return total
""",
    ),
    Refused(
        "getattr_magic",
        """
class Magic:
    asked = 0

    def __getattr__(self, name):
        self.asked = self.asked + 1
        return float(len(name))

def f(x):
    magic = Magic()
    return np.sum(x * x) * (magic.weight if hasattr(magic, "weight") else 1.0)
""",
        ('hasattr(magic, "weight")',),
        """
class Plain:
    def __init__(self):
        self.weight = 6.0

def f(x):
    plain = Plain()
    return plain.weight * np.sum(x * x)
""",
    ),
    Refused(
        "getattr_magic_of_one_in_a_list",
        """
class Item:
    def __init__(self, w):
        self.w = w

    def __getattr__(self, name):
        raise AttributeError(name)

def f(x):
    items = [Item(v) for v in x]
    return items[0].w + (x[1] if hasattr(items[0], "late") else x[2] ** 2)
""",
        ('hasattr(items[0], "late")',),
        """
class Item:
    def __init__(self, w):
        self.w, self.late = w, None

def f(x):
    items = [Item(v) for v in x]
    return items[0].w + (x[1] if items[0].late is not None else x[2] ** 2)
""",
    ),
    Refused(
        "attribute_deleted",
        """
class Box:
    def __init__(self, value):
        self.value = value

BOX = Box(1.0)

def f(x):
    s = BOX.value * np.sum(x * x)
    del BOX.value
    return s
""",
        ("del BOX.value", "BOX.value\n    return"),
        """
class Box:
    def __init__(self, value):
        self.value = value

BOX = Box(1.0)

def f(x):
    s = BOX.value * np.sum(x * x)
    return s
""",
    ),
    Refused(
        "try_in_callee",
        """
def safe_log(v):
    try:
        return np.log(v)
    except ValueError:
        return 0.0

def f(x):
    return np.sum(safe_log(x * x + 1.0))
""",
        ("try:",),
        """
def safe_log(v):
    if np.all(v > 0.0):
        return np.log(v)
    return 0.0 * v

def f(x):
    return np.sum(safe_log(x * x + 1.0))
""",
    ),
    Refused(
        "try_in_nested_loops",
        """
def f(x):
    total = 0.0
    for k in range(3):
        while total < 1.0:
            try:
                total += x[k] ** 2 + 0.5
            except ZeroDivisionError:
                break
    return total
""",
        ("try:",),
        """
def f(x):
    total = 0.0
    for k in range(3):
        while total < 1.0:
            total += x[k] ** 2 + 0.5
    return total
""",
    ),
    Refused(
        "suppressed_exception",
        """
import contextlib

def f(x):
    y = x * x
    with contextlib.suppress(ZeroDivisionError):
        y = y * x
    return np.sum(y)
""",
        ("contextlib.suppress(",),
        """
def f(x):
    y = x * x
    if np.all(np.isfinite(y)):
        y = y * x
    return np.sum(y)
""",
    ),
    Refused(
        "iteration_over_a_set",
        """
def f(x):
    s = 0.0
    for k in {int(v > 0.0) for v in x} | {2} | {0}:
        s += x[k] ** 2
    return s
""",
        ("for k in",),
        """
def f(x):
    s = 0.0
    for k in sorted({int(v > 0.0) for v in x} | {2} | {0}):
        s += x[k] ** 2
    return s
""",
    ),
    Refused(
        "iterator_searched",
        """
def f(x):
    values = iter(x)
    first = next(values)
    found = any(values)
    return first * sum(values) * (2.0 if found else 1.0)
""",
        ("any(values)",),
        """
def f(x):
    found = np.any(x[1:] > 0.0)
    return x[0] * np.sum(x[2:]) * (2.0 if found else 1.0)
""",
    ),
    Refused(
        "a_number_read_from_a_text_of_numbers",
        """
def f(x):
    shown = f"{np.sum(x * x)}"
    return float(shown)
""",
        ("float(shown)",),
        """
def f(x):
    total = np.sum(x * x)
    print(f"{total}")
    return total
""",
    ),
    Refused(
        "a_node_of_a_linked_list_is_changed",
        """
def f(x):
    node = None
    for i in range(len(x)):
        node = {"value": x[i], "next": node}
    total = 0.0
    while node is not None:
        node["value"] = node["value"] ** 2
        total += node["value"]
        node = node["next"]
    return total
""",
        ('node["value"] = node["value"] ** 2',),
        """
def f(x):
    node = None
    for i in range(len(x)):
        node = {"value": x[i], "next": node}
    total = 0.0
    while node is not None:
        value = node["value"] ** 2
        total += value
        node = node["next"]
    return total
""",
    ),
    Refused(
        "a_recursion_that_changes_one_of_two_names",
        """
def halved(a, b, k):
    if a[k] < 0.1:
        return
    a[k] *= 0.5 * b[k + 1]
    halved(a, b, k)

def f(x):
    a = x * 1.0
    halved(a, a, 0)
    return np.sum(a * a)
""",
        ("halved(a, a, 0)",),
        """
def halved(a, b, k):
    if a[k] < 0.1:
        return
    a[k] *= 0.5 * b[k + 1]
    halved(a, b, k)

def f(x):
    a = x * 1.0
    halved(a, a.copy(), 0)
    return np.sum(a * a)
""",
    ),
    Refused(
        "result_of_recursion_written",
        """
def last(items):
    if len(items) == 1:
        return items[0]
    return last([a * b for a, b in zip(items, items[1:])])

def f(x):
    items = [v * x for v in x]
    a = last(items[:1])
    a *= x
    return np.sum(items[1] * a)
""",
        ("a = last(items[:1])", "last(items[:1])"),
        """
def last(items):
    if len(items) == 1:
        return items[0]
    return last([a * b for a, b in zip(items, items[1:])])

def f(x):
    items = [v * x for v in x]
    a = last(items[:1]).copy()
    a *= x
    return np.sum(items[1] * a)
""",
    ),
    Refused(
        "metaclass_that_makes_objects",
        """
class Doubling(type):
    def __call__(cls, *args):
        made = super().__call__(*args)
        made.v = made.v * 2.0
        return made

class P(metaclass=Doubling):
    def __init__(self, v):
        self.v = v

def f(x):
    return np.sum(P(x).v ** 2)
""",
        ("P(x)",),
        """
class P:
    def __init__(self, v):
        self.v = v * 2.0

def f(x):
    return np.sum(P(x).v ** 2)
""",
    ),
    Refused(
        "attributes_of_its_own_making",
        """
class P:
    def __init__(self, v):
        self.v = v

    def __getattribute__(self, name):
        return object.__getattribute__(self, name) * 2.0

def f(x):
    return np.sum(P(x).v ** 2)
""",
        ("P(x)",),
        """
class P:
    def __init__(self, v):
        self._v = v

    @property
    def v(self):
        return self._v * 2.0

def f(x):
    return np.sum(P(x).v ** 2)
""",
    ),
    Refused(
        "generator_over_what_changes",
        """
def f(x):
    y = x * 1.0
    doubled = (2.0 * v for v in y if v > -9.0)
    first = next(doubled)
    y[1] = first * x[2]
    return next(doubled) * first
""",
        ("doubled = (2.0 * v for v in y if v > -9.0)", "(2.0 * v for v in y if v > -9.0)"),
        """
def f(x):
    y = x * 1.0
    first = 2.0 * y[0]
    y[1] = first * x[2]
    return 2.0 * y[1] * first
""",
    ),
    Refused(
        "counter_in_place_of_a_dict",
        """
from collections import Counter

def f(x):
    totals = {}
    for turn in range(2):
        totals = Counter()
        for i in range(3):
            totals[i % 2] += x[i] * (turn + 1)
    return sum(k * v for k, v in totals.items())
""",
        ("for turn in range(2)",),
        """
from collections import Counter

def f(x):
    totals = Counter()
    for turn in range(2):
        totals = Counter()
        for i in range(3):
            totals[i % 2] += x[i] * (turn + 1)
    return sum(k * v for k, v in totals.items())
""",
    ),
    Refused(
        "slice_of_a_row_of_several_kinds",
        """
def f(x):
    rows = []
    for i in range(3):
        rows.append(["a", x[i]])
    for row in rows:
        row[1:] = [row[1] * 2.0]
    return sum(row[1] for row in rows)
""",
        ("row[1:] = ",),
        """
def f(x):
    rows = []
    for i in range(3):
        rows.append(["a", x[i]])
    for row in rows:
        row[1] = row[1] * 2.0
    return sum(row[1] for row in rows)
""",
    ),
    Refused(
        "counter_in_an_object_from_outside",
        """
class Model:
    def __init__(self):
        self.calls, self.scale = 0, 2.0

    def step(self, v):
        self.calls += 1
        return v * self.scale

MODEL = Model()

def f(x):
    return np.sum(MODEL.step(x) ** 2)
""",
        ("self.calls += 1",),
        """
class Model:
    def __init__(self):
        self.calls, self.scale = 0, 2.0

    def step(self, v):
        self.calls += 1
        return v * self.scale

def f(x):
    model = Model()
    return np.sum(model.step(x) ** 2)
""",
    ),
    Refused(
        "copy_of_a_field",
        """
def f(x):
    table = np.zeros(3, dtype=[("a", float), ("b", float)])
    table["a"] = x
    old = np.ravel(table["a"])
    table["a"] *= 2.0
    return np.sum(table["a"] * old)
""",
        ('np.ravel(table["a"])',),
        """
def f(x):
    table = np.zeros(3, dtype=[("a", float), ("b", float)])
    table["a"] = x
    old = table["a"].copy()
    table["a"] *= 2.0
    return np.sum(table["a"] * old)
""",
    ),
    Refused(
        "array_with_named_fields_sorted",
        """
def f(x):
    table = np.zeros(3, dtype=[("a", float), ("b", float)])
    table["a"] = x
    table = np.sort(table, order="a")
    return np.sum(table["a"] * np.arange(3))
""",
        ('np.sort(table, order="a")',),
        """
def f(x):
    table = np.zeros(3, dtype=[("a", float), ("b", float)])
    table["a"] = x
    table = table[np.argsort(table["a"])]
    return np.sum(table["a"] * np.arange(3))
""",
    ),
    Refused(
        "thread_in_the_function",
        """
import threading

def f(x):
    found = []
    thread = threading.Thread(target=lambda: found.append(np.sum(x * x)))
    thread.start()
    thread.join()
    return found[0]
""",
        ("threading.Thread(",),
        """
def f(x):
    found = []
    found.append(np.sum(x * x))
    return found[0]
""",
    ),
    Refused(
        "numbers_read_from_a_text_by_numpy",
        """
def f(x):
    shown = ",".join(str(v) for v in x)
    return np.fromstring(shown, sep=",").sum()
""",
        ("np.fromstring(",),
        """
def f(x):
    return x.sum()
""",
    ),
    Refused(
        "view_or_copy_as_a_run_decides",
        """
def f(x):
    z = x * x
    i = np.array([0, 1, 1]) if x[0] > 0.1 else slice(1, 3)
    w = z[i]
    w += 1
    return z.sum() + w.sum()
""",
        ("z[i]",),
        """
def f(x):
    z = x * x
    i = np.array([0, 1, 1]) if x[0] > 0.1 else slice(1, 3)
    w = z[i].copy()
    w += 1
    return z.sum() + w.sum()
""",
    ),
    Refused(
        "counting_in_a_function_that_remembers",
        """
import functools

def f(x):
    calls = 0

    @functools.lru_cache(maxsize=None)
    def cost(k):
        nonlocal calls
        calls += 1
        return x[k] ** 2

    return sum(cost(k % 2) for k in range(4)) * calls
""",
        ("def cost(",),
        """
def f(x):
    calls, known = 0, {}

    def cost(k):
        nonlocal calls
        if k not in known:
            calls += 1
            known[k] = x[k] ** 2
        return known[k]

    return sum(cost(k % 2) for k in range(4)) * calls
""",
    ),
    Refused(
        "writes_through_windows",
        """
def f(x):
    y = x**2
    pairs = np.lib.stride_tricks.sliding_window_view(y, 2, writeable=True)
    for k in range(2):
        pairs[k] *= x[k]
    return np.sum(y * x)
""",
        ("np.lib.stride_tricks.sliding_window_view(",),
        """
def f(x):
    y = x**2
    for k in range(2):
        y[k : k + 2] *= x[k]
    return np.sum(y * x)
""",
    ),
    Refused(
        "written_by_strides",
        """
def f(x):
    y = x * 2.0
    for k in range(2):
        np.lib.stride_tricks.as_strided(y, (2, 2), (8, 8))[k, 1] = x[k] ** 2
    return np.sum(y)
""",
        ("np.lib.stride_tricks.as_strided(",),
        """
def f(x):
    y = x * 2.0
    for k in range(2):
        y[k + 1] = x[k] ** 2
    return np.sum(y)
""",
    ),
    Refused(
        "items_without_end",
        """
def f(x):
    def squares():
        k = 0
        while True:
            yield x[k % 3] ** 2
            k += 1

    return next(v for v in squares() if v > 1e-6) + x[0]
""",
        ("(v for v in squares()", "next("),
        """
def f(x):
    def squares():
        k = 0
        while True:
            yield x[k % 3] ** 2
            k += 1

    for v in squares():
        if v > 1e-6:
            break
    return v + x[0]
""",
    ),
    Refused(
        "a_member_or_a_number",
        """
from enum import IntEnum


class Power(IntEnum):
    ONE = 1
    TWO = 2


def f(x):
    total, kind = 0.0, 1
    for k in range(3):
        if kind is Power.TWO:
            total += x[k] ** 2
        else:
            total += x[k]
        kind = Power(k % 2 + 1)
    return total
""",
        ("kind is Power.TWO",),
        """
from enum import IntEnum


class Power(IntEnum):
    ONE = 1
    TWO = 2


def f(x):
    total, kind = 0.0, 1
    for k in range(3):
        if kind == Power.TWO:
            total += x[k] ** 2
        else:
            total += x[k]
        kind = Power(k % 2 + 1)
    return total
""",
    ),
    Refused(
        "array_beside_an_object_that_it_makes_an_array_of",
        """
class Weights:
    def __init__(self, v):
        self.v = v

    def __len__(self):
        return len(self.v)

    def __getitem__(self, k):
        return self.v[k]

    def __rmul__(self, other):
        return self.v * other


def f(x):
    return np.sum(x * Weights(x + 1.0))
""",
        ("x * Weights",),
        """
class Weights:
    __array_ufunc__ = None

    def __init__(self, v):
        self.v = v

    def __len__(self):
        return len(self.v)

    def __getitem__(self, k):
        return self.v[k]

    def __rmul__(self, other):
        return self.v * other


def f(x):
    return np.sum(x * Weights(x + 1.0))
""",
    ),
    Refused(
        "array_beside_an_object",
        """
class Squared:
    def __init__(self, v):
        self.v = v

    def __rmul__(self, other):
        return np.sum(self.v * other) ** 2


def f(x):
    return np.sum(x[:2] * Squared(x[2]))
""",
        ("x[:2] * Squared",),
        """
class Squared:
    def __init__(self, v):
        self.v = v

    def __rmul__(self, other):
        return np.sum(self.v * other) ** 2


def f(x):
    return np.sum([v * Squared(x[2]) for v in x[:2]])
""",
    ),
    Refused(
        "items_by_number_that_go_on_behind_the_length",
        """
class Pairs:
    def __init__(self, v):
        self.v = v

    def __len__(self):
        return len(self.v) - 1

    def __getitem__(self, k):
        return self.v[k] ** 2


def f(x):
    total = 0.0
    for v in Pairs(x):
        total += v
    return total
""",
        ("for v in Pairs(x)", "Pairs(x)"),
        """
class Pairs:
    def __init__(self, v):
        self.v = v

    def __len__(self):
        return len(self.v) - 1

    def __getitem__(self, k):
        return self.v[k] ** 2


def f(x):
    total = 0.0
    pairs = Pairs(x)
    for k in range(len(pairs) + 1):
        total += pairs[k]
    return total
""",
    ),
    Refused(
        "whose_memory_an_array_has",
        """
def f(x, n=2):
    a = 0.5 * np.outer(x, x)
    z = a[1]
    for k in range(n):
        z = x
    s = 2.0 if z.base is not None else 1.0
    return np.sum(z) * s
""",
        ("z.base",),
        """
def f(x, n=2):
    a = 0.5 * np.outer(x, x)
    z, own = a[1], False
    for k in range(n):
        z, own = x, True
    s = 1.0 if own else 2.0
    return np.sum(z) * s
""",
    ),
    Refused(
        "a_list_of_numpys_that_grows",
        """
def f(x):
    parts = np.array_split(x, 2)
    parts.append(x * 2.0)
    return sum(np.sum(p**2) for p in parts)
""",
        ("parts.append(x * 2.0)",),
        """
def f(x):
    parts = list(np.array_split(x, 2))
    parts.append(x * 2.0)
    return sum(np.sum(p**2) for p in parts)
""",
    ),
    Refused(
        "result_that_a_run_decides_to_be_a_list",
        """
def f(x):
    q = {"a": x[0] ** 2, "b": x[1], "hist": [x[0]]}
    top = max((k for k in q if k != "hist"), key=lambda k: q[k])
    return q[top] * x[1]
""",
        ("def f(x):",),
        """
def f(x):
    q, hist = {"a": x[0] ** 2, "b": x[1]}, [x[0]]
    top = max(q, key=lambda k: q[k])
    return q[top] * x[1]
""",
    ),
    Refused(
        "a_map_that_changes_a_list_beside_what_may_end_earlier",
        """
def f(x):
    squares = []
    def kept(v):
        squares.append(v * v)
        return v
    total = 0.0
    for a, b in zip(map(kept, x), x[x > -100.0]):
        total += a * b
    return total + sum(squares)
""",
        ("zip(map(kept, x), x[x > -100.0])",),
        """
def f(x):
    squares = []
    def kept(v):
        squares.append(v * v)
        return v
    total = 0.0
    items = list(map(kept, x))
    for a, b in zip(items, x[x > -100.0]):
        total += a * b
    return total + sum(squares)
""",
    ),
    Refused(
        "a_recursion_that_is_given_one_of_two_partial_functions",
        """
from functools import partial


def f(x):
    def bisected(fn, a, b, d):
        c = 0.5 * (a + b)
        if d == 0:
            return c
        return bisected(fn, a, c, d - 1) if fn(c) > 0 else bisected(fn, c, b, d - 1)

    cube = lambda k, s: s * s * s + s - k
    g = partial(cube, x[0] ** 2) if x[1] > 0 else partial(cube, x[2] ** 2)
    return g(bisected(g, 0.0, 2.0, 6)) * x[0]
""",
        ("bisected(g, 0.0, 2.0, 6)",),
        """
from functools import partial


def f(x):
    def bisected(fn, a, b, d):
        c = 0.5 * (a + b)
        if d == 0:
            return c
        return bisected(fn, a, c, d - 1) if fn(c) > 0 else bisected(fn, c, b, d - 1)

    cube = lambda k, s: s * s * s + s - k
    k = x[0] ** 2 if x[1] > 0 else x[2] ** 2
    g = partial(cube, k)
    return g(bisected(g, 0.0, 2.0, 6)) * x[0]
""",
    ),
    Refused(
        "an_array_of_a_generator",
        """
def f(x):
    held = {"a": x[0], "b": x[1]}
    return sum(held.values()) * (1 + np.ndim(held.values()))
""",
        ("np.ndim(held.values())",),
        """
def f(x):
    held = {"a": x[0], "b": x[1]}
    return sum(held.values()) * (1 + np.ndim(held["a"]))
""",
    ),
    Refused(
        "the_defaults_of_a_function",
        """
def f(x):
    scaled = lambda v, by=2.0: v * by
    return scaled(x[0]) * scaled.__defaults__[0]
""",
        ("scaled.__defaults__",),
        """
def f(x):
    by = 2.0
    scaled = lambda v, by=by: v * by
    return scaled(x[0]) * by
""",
    ),
    Refused(
        "comparing_items_that_write",
        """
class Counted:
    def __init__(self, a):
        self.a = a
        self.asked = 0.0
    def __eq__(self, other):
        self.asked += 1.0
        return self.a > other

def f(x):
    items = [Counted(x[0]), Counted(x[1])]
    total = 2.0 * x[0] if items == [1.0, 2.0] else x[1]
    return total * (1.0 + items[1].asked)
""",
        ("items == [1.0, 2.0]",),
        """
class Counted:
    def __init__(self, a):
        self.a = a
        self.asked = 0.0
    def more(self, other):
        self.asked += 1.0
        return self.a > other

def f(x):
    items = [Counted(x[0]), Counted(x[1])]
    total = x[1]
    if items[0].more(1.0):
        if items[1].more(2.0):
            total = 2.0 * x[0]
    return total * (1.0 + items[1].asked)
""",
    ),
    Refused(
        "keys_that_say_what_they_are_equal_to",
        """
class Cell:
    def __init__(self, row, column):
        self.row, self.column = row, column
    def __eq__(self, other):
        return self.row == other.row and self.column == other.column
    def __hash__(self):
        return hash((self.row, self.column))

def f(x):
    held = {Cell(0, 1): x[0]}
    held[Cell(0, 1)] = x[1]
    return held[Cell(0, 1)] * len(held)
""",
        ("Cell(0, 1): x[0]", "{Cell(0, 1): x[0]}"),
        """
class Cell:
    def __init__(self, row, column):
        self.row, self.column = row, column
    def __eq__(self, other):
        return self.row == other.row and self.column == other.column
    def __hash__(self):
        return hash((self.row, self.column))

def f(x):
    cell = Cell(0, 1)
    held = {(cell.row, cell.column): x[0]}
    held[cell.row, cell.column] = x[1]
    return held[0, 1] * len(held)
""",
    ),
    Refused(
        "tuples_of_objects_compared",
        """
class Cell:
    def __init__(self, row):
        self.row = row
    def __eq__(self, other):
        return self.row == other.row

def f(x):
    rows = []
    for k in range(len(x)):
        rows.append((Cell(k), k))
    return x[0] ** 2 if rows[1] == (Cell(1), 1) else x[1]
""",
        ("rows[1] == (Cell(1), 1)",),
        """
class Cell:
    def __init__(self, row):
        self.row = row
    def __eq__(self, other):
        return self.row == other.row

def f(x):
    rows = []
    for k in range(len(x)):
        rows.append((Cell(k), k))
    cell, k = rows[1]
    return x[0] ** 2 if cell == Cell(1) and k == 1 else x[1]
""",
    ),
    Refused(
        "a_list_that_becomes_a_set",
        """
def f(x):
    kept = [1, 2, 3]
    for k in range(len(x)):
        kept = {k}
    return x[0] * (1 + len(kept))
""",
        ("kept))",),
        """
def f(x):
    kept = {1, 2, 3}
    for k in range(len(x)):
        kept = {k}
    return x[0] * (1 + len(kept))
""",
    ),
    Refused(
        "matrices_of_their_own_kind",
        """
def f(x):
    w = np.asmatrix([[1.0, 2.0, 0.5]])
    return np.sum(np.asarray(w * x[0]))
""",
        ("np.asmatrix(",),
        """
def f(x):
    w = np.array([[1.0, 2.0, 0.5]])
    return np.sum(w * x[0])
""",
    ),
    Refused(
        "masked_arrays_inside",
        """
def f(x):
    data = np.ma.masked_invalid([1.0, np.nan, 3.0])
    return np.sum((x - data) ** 2)
""",
        ("np.ma.masked_invalid(",),
        """
def f(x):
    data = np.array([1.0, np.nan, 3.0])
    seen = ~np.isnan(data)
    return np.sum((x[seen] - data[seen]) ** 2)
""",
    ),
    Refused(
        "an_array_of_a_number_that_is_an_integer_on_some_paths",
        """
def f(x):
    best = 0
    for v in x:
        if v > best:
            best = v
    y = np.full(3, best)
    y[0] = x[1]
    return np.sum(y**2)
""",
        ("y[0] = x[1]",),
        """
def f(x):
    best = 0.0
    for v in x:
        if v > best:
            best = v
    y = np.full(3, best)
    y[0] = x[1]
    return np.sum(y**2)
""",
    ),
]
