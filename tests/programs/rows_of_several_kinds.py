"""Records as people keep them in lists: names, numbers and lists side by side."""

import heapq
from collections import deque, namedtuple

import numpy as np

from programs.registry import program

V = np.array([0.7, 1.1, 0.45, 1.6, 0.9, 1.35])
LABELS = np.array([2, 0, 2, 1, 0, 2])
NAMES = ["b", "a", "b", "c", "a", "b"]
Row = namedtuple("Row", "name value")


@program(V, NAMES, second=True, jit=True)
def lists_sorted_by_number(x, names):
    rows = [[name, v] for name, v in zip(names, x)]
    rows.sort(key=lambda row: row[1])
    total = 0.0
    for i, (name, v) in enumerate(rows):
        total += (i + 1) * v**2 * (2.0 if name == "a" else 1.0)
    return total


@program(V, LABELS, second=True, jit=True)
def lists_that_change(x, labels):
    rows = []
    for k, v in zip(labels, x):
        rows.append(["even" if k % 2 == 0 else "odd", v])
    for row in rows:
        if row[0] == "odd":
            row[1] *= 3.0
    total = 0.0
    for _, v in rows:
        total = 0.5 * total + v**2
    return total


@program(V, LABELS, second=True, jit=True)
def what_lists_are_asked(x, labels):
    rows = []
    for k, v in zip(labels, x):
        row = [f"g{k}", v, k]
        rows.append(row)
        row[1] *= 2.0
        row[-1] += 1
    rows.sort()
    total = 0.0
    for i, row in enumerate(rows):
        total += (i + 1) * row[1] * row[2] * len(row)
        if "g1" in row:
            total += row[1] ** 2
        if row == ["g0", 2.0 * x[1], 1]:
            total += x[0] * x[1]
    names, values, _ = zip(*rows)
    return total * names.count("g0") + sum(rows[0][1:]) + max(rows)[1] * values[2]


@program(V, LABELS, second=True, jit=True)
def costs_and_names_in_a_heap(x, labels):
    heap = []
    for k, v in zip(labels, x):
        heapq.heappush(heap, [v, f"n{k}"])
    total = 0.0
    while heap:
        cost, name = heapq.heappop(heap)
        total = 0.5 * total + cost**2
        if name == "n1" and cost < 3:
            heapq.heappush(heap, [cost * 2, name])
    return total


@program(V, LABELS, second=True, jit=True)
def name_sum_and_list_by_key(x, labels):
    table = {}
    for k, v in zip(labels, x):
        row = table.setdefault(k, ["name", 0.0, []])
        row[1] += v
        row[2].append(v)
    return sum(row[1] * max(row[2]) for row in table.values())


@program(V, LABELS, second=True, jit=True)
def first_value_or_none(x, labels):
    table = {}
    for k, v in zip(labels, x):
        row = table.setdefault(k, ["name", 0.0, None])
        if row[2] is None:
            row[2] = v
        row[1] += v * row[2]
    return sum(row[1] ** 2 for row in table.values())


@program(V, LABELS, second=True, jit=True)
def history_of_steps(x, labels):
    history = []
    total = 0.0
    for i, v in enumerate(x):
        total += v**2
        history.append(["step", i, total])
    return total + history[-1][2] * history[0][2] + len(history)


@program(V, NAMES, second=True, jit=True)
def tuples_sorted_as_they_are(x, names):
    rows = [(name, v) for name, v in zip(names, x)]
    best = max(rows, key=lambda row: row[1])
    worst = min(rows, key=lambda row: row[1])
    total = 0.0
    for i, row in enumerate(sorted(rows)):
        total += (i + 1) * row[1] ** 2
    return total * best[1] - (worst[1] if best[0] == "c" else 0.0)


@program(V, LABELS, second=True, jit=True)
def dicts_sorted_by_two(x, labels):
    rows = []
    for k, v in zip(labels, x):
        rows.append({"key": k, "value": v, "name": "even" if k % 2 == 0 else "odd"})
    total = 0.0
    for row in sorted(rows, key=lambda r: (r["name"], -r["value"])):
        total = 0.7 * total + row["value"] ** 2 * (row["key"] + 1)
    for row in rows:
        if row["name"] == "odd":
            row["value"] *= 3.0
    return total + sum(row["value"] for row in rows)


@program(V, LABELS, second=True, jit=True)
def tuples_in_a_queue(x, labels):
    queue = deque()
    for k, v in zip(labels, x):
        queue.append(("even" if k % 2 == 0 else "odd", v))
    total = 0.0
    while queue:
        name, v = queue.popleft()
        if name == "odd" and v < 3:
            queue.append((name, v * 2))
        total = 0.5 * total + v**2
    return total


@program(V, second=True, jit=True)
def work_on_a_stack(x):
    stack = [("push", x[0], 1)]
    total = 0.0
    while stack:
        what, v, n = stack.pop()
        if what == "push" and n < 4:
            stack.append(("add", v * x[n], n))
            stack.append(("push", v + x[n], n + 1))
        elif what == "add":
            total += v**2
    return total


@program(V, [("mul", 0), ("add", 1), ("mul", 2), ("sin", 3)], second=True, jit=True)
def little_program_of_steps(x, steps):
    v, trace = x[5], []
    for name, i in steps:
        if name == "mul":
            v = v * x[i]
        elif name == "add":
            v = v + x[i]
        else:
            v = np.sin(v) * x[i]
        trace.append((name, v))
    return sum(v**2 for name, v in trace if name != "add")


@program(V, LABELS, second=True, jit=True)
def named_rows_by_key(x, labels):
    by_name = {}
    for row in [Row(k, v) for k, v in zip(labels, x)]:
        by_name.setdefault(row.name, []).append(row)
    total = 0.0
    for rows in by_name.values():
        total += max(rows, key=lambda r: r.value).value ** 2 / len(rows)
    return total


class Step:
    """A value, and the places that led to it."""

    def __init__(self, value, path):
        self.value, self.path = value, path


@program(V, LABELS, second=True, jit=True)
def places_that_go_by_two_names(x, labels):
    steps = []
    for i, (k, v) in enumerate(zip(labels, x)):
        path = [k]
        steps.append(Step(v, path))
        path.append(i)
        if i > 1:
            steps[i - 1].path.append(5)
            steps[i - 2].path = path
            steps[i - 1].value += v * x[0]
    total = 0.0
    for step in steps:
        while step.path:
            total += step.value**2 * step.path.pop()
    return total


@program(V, LABELS, second=True, jit=True)
def costs_and_paths_in_a_heap(x, labels):
    heap = [[0.0, [0]]]
    total = 0.0
    while heap:
        cost, path = heapq.heappop(heap)
        if len(path) > 3:
            total += cost**2 * path[1]
            continue
        for j in labels[:2]:
            heapq.heappush(heap, [cost + x[j] * x[len(path)], path + [j]])
    return total


@program(V, LABELS, second=True, jit=True)
def costs_and_paths_in_a_queue(x, labels):
    queue = deque([[x[0], [0]]])
    total, n = 0.0, 0
    while queue and n < 12:
        n += 1
        row = queue.popleft()
        cost, path = row
        if len(path) < 4:
            for j in labels[:2]:
                queue.append([cost * x[j], path + [j]])
        row[0] = row[0] * 2
        path.append(7)
        total += row[0] ** 2 * row[1][-1] * len(row[1])
    return total
