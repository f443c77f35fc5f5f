"""Lists, dicts and objects under several names: in other lists, in dicts, on some paths only."""

from collections import deque

import numpy as np

from programs.registry import normal, positive, program


@program(positive(4), second=True)
def last_row_while_the_list_grows(x):
    rows = []
    for k in range(3):
        rows.append([x[k]])
    r = rows[-1]
    rows.append([x[0]])
    r.append(x[3] * x[1])
    return rows[2][1] * rows[3][0] + rows[-1][0]


@program(positive(4), second=True)
def row_kept_while_the_list_is_popped(x):
    rows = [[v] for v in x]
    r = rows[1]
    rows.pop(0)
    r.append(x[0] ** 2)
    return rows[0][1] * rows[0][0] + rows[1][0]


@program(positive(4), second=True)
def array_kept_while_the_list_grows(x):
    rows = []
    for k in range(3):
        rows.append(x * x[k])
    last, first = rows[-1], rows[0]
    rows.append(x**2)
    last[0] = x[3] * x[1]
    rows.pop(0)
    first[1] *= x[2]
    return sum(np.sum(q**2) for q in rows) + np.sum(first * last)


@program(positive(4), second=True)
def row_kept_while_replaced_inserted_deleted(x):
    rows = []
    for k in range(3):
        rows.append([x[k], x[0]])
    r, s = rows[1], rows[2]
    rows.insert(0, [x[3], x[2]])
    r[0] = x[2] ** 2
    rows[1] = s
    s[1] *= x[3]
    del rows[0]
    r[1] = s[0] * x[1]
    rows.reverse()
    s[0] += r[1]
    return sum((i + 1) * a * b for i, (a, b) in enumerate(rows)) + r[0] * r[1]


@program(positive(4), second=True)
def lists_swapped_in_a_list(x):
    a = []
    for k in range(4):
        a.append([x[k]])
    for i in range(3):
        a[i], a[i + 1] = a[i + 1], a[i]
        a[i].append(x[i] ** 2)
    return sum((i + 1) * q[-1] * q[0] for i, q in enumerate(a))


@program(positive(4), second=True)
def extended_by_itself(x):
    a = [v for v in x]
    a.extend(a)
    a += a
    a.extend(a[:2])
    a[0] = x[1] ** 2
    return sum((i + 1) * v * v for i, v in enumerate(a))


@program(positive(4), second=True)
def entry_kept_while_the_dict_changes(x):
    d = {}
    e = {}
    for k in range(3):
        d[k] = [x[k]]
        e[k] = x * x[k]
    r, s = d[1], e[1]
    d[1] = [x[3]]
    r.append(x[0] ** 2)
    t = e.pop(1)
    s[0] = x[1]
    t[1] *= x[2]
    return d[1][0] * sum(r) + sum(d[0]) + sum(np.sum(v**2) for v in e.values()) + np.sum(s * t)


@program(positive(4), second=True)
def one_list_under_two_keys(x):
    d = {}
    for k in range(4):
        d.setdefault(k % 2, []).append(x[k] ** 2)
    r = d[0]
    d[2] = r
    r[0] = x[1] * r[1]
    d[2].append(x[0])
    return sum(sum(v) * v[-1] * (k + 1) for k, v in d.items())


@program(positive(4), second=True)
def records_of_numbers_and_arrays(x):
    records = []
    for k in range(3):
        records.append({"p": x[k], "a": x * x[k], "h": [x[k]]})
    r = records[0]
    records.pop(0)
    r["a"][0] = x[2]
    r["p"] *= x[1]
    records.append(r)
    r["a"][1] = x[3] ** 2
    last = records[-1]
    records.append({"p": x[0], "a": x * 2.0, "h": [x[3]]})
    last["p"] += x[3] ** 2
    last["h"].append(x[1])
    return sum(q["p"] * np.sum(q["a"]) * q["h"][-1] for q in records)


class Box:
    def __init__(self, a, h):
        self.a = a
        self.h = h

    def bump(self, v):
        self.a[0] *= v
        self.h.append(v)
        return self


@program(positive(4), second=True)
def one_array_in_several_objects(x):
    a = x * 1.0
    boxes = []
    for k in range(3):
        boxes.append(Box(a if k % 2 else x * x[k], [x[k]]))
    boxes.append(Box(a, [x[0]]))
    for b in boxes:
        b.bump(x[3])
    return sum(np.sum(b.a**2) * b.h[-1] for b in boxes)


@program(positive(4), second=True)
def fields_taken_and_replaced(x):
    boxes = []
    for k in range(3):
        boxes.append(Box(x * x[k], [x[k]]))
    b = boxes[1]
    boxes.pop(0)
    b.bump(x[2])
    r = b.a
    b.a = x**2
    r[3] = x[0] * x[1]
    b.h = [x[0]]
    return sum(np.sum(b.a**2) * b.h[-1] for b in boxes) + np.sum(r)


@program(positive(4))
def tuples_of_a_list_and_an_array(x):
    pairs = []
    for k in range(3):
        pairs.append(([x[k]], x * x[k]))
    for a, b in pairs:
        a.append(b[0])
        b[1] = a[0] ** 2
    a, b = pairs[1]
    pairs.reverse()
    a[0] = x[3] ** 2
    b *= x[1]
    return sum((i + 1) * sum(a) * np.sum(b) for i, (a, b) in enumerate(pairs))


@program(positive(4), second=True)
def lists_that_trade_places(x):
    a = [x[0]]
    b = [x[1]]
    for k in range(3):
        a, b = b, a
        a.append(x[k] * b[-1])
    c = a
    c[0] = x[3] ** 2
    return sum(a) * sum(b)


@program(positive(4), second=True)
def arrays_in_turn_in_a_queue(x):
    queue = deque([x * 1.0, x**2])
    for k in range(3):
        a = queue.popleft()
        a[k] = x[k] ** 2 * queue[0][0]
        queue.append(a)
        queue[0][1] *= x[3]
    return sum((i + 1) * np.sum(p**2) for i, p in enumerate(queue))


@program(positive(4), second=True)
def lists_in_turn_on_a_stack(x):
    stack = [[x[0]], [x[1]]]
    for k in range(3):
        t = stack.pop()
        t.append(x[k] * t[-1])
        stack.insert(0, t)
        t[0] = t[-1] ** 2
    return sum((i + 1) * sum(p) * p[0] for i, p in enumerate(stack))


@program(positive(4), second=True)
def slice_of_a_list_of_arrays(x):
    rows = []
    for k in range(4):
        rows.append(x * x[k])
    b = rows[1:3]
    b[0][0] = x[0] ** 2
    b[1] = x * 2
    rows[1] *= x[1]
    b[0] += 1.0
    return sum((i + 1) * np.sum(v * v) for i, v in enumerate(rows)) + np.sum(b[0] * b[1])


@program(positive(4), second=True)
def sorted_rows_written(x):
    rows = []
    for k in range(3):
        rows.append([x[k], x[3]])
    rows.sort(key=lambda r: -r[0])
    rows[0][1] = x[0] * x[1]
    return sum((i + 1) * a * b for i, (a, b) in enumerate(rows))


@program(positive(4))
def history_of_a_growing_list(x):
    history = []
    current = [x[0]]
    for k in range(3):
        history.append(current)
        current.append(x[k] * current[-1])
    return sum(h[-1] * h[0] for h in history) + len(history[0]) * x[1]


@program(positive(4))
def history_of_lists_made_anew(x):
    history = []
    current = [x[0]]
    for k in range(3):
        history.append(current)
        current = current + [x[k]]
        history[-1].append(x[3] * current[-1])
    return sum(h[-1] * h[0] for h in history) + sum(current)


@program(positive(4), second=True)
def triangle_of_rows(x):
    rows = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        row = rows[i]
        for j in range(3):
            row[j] = x[i] * x[j] + (row[j - 1] if j else 0.0)
    row[0] = x[3]
    return sum(rows[i][i - 1] * rows[2][i] for i in range(3))


@program(normal(4))
def best_row_changed_later(x):
    best = None
    rows = []
    for k in range(4):
        r = [x[k], x[k] ** 2]
        rows.append(r)
        if best is None or r[0] > best[0]:
            best = r
    best.append(x[0] * x[1])
    best[0] = x[2] * x[3]
    return sum(sum(r) * r[0] for r in rows)


@program(positive(4), second=True)
def row_of_a_list_that_is_cleared(x):
    rows = []
    for k in range(3):
        rows.append([x[k]])
    r = rows[0]
    rows.clear()
    r.append(x[1] ** 2)
    rows.append(r)
    r[0] *= x[2]
    return sum(sum(r) * r[0] for r in rows)


@program(positive(4), second=True)
def returned_by_a_closure(x):
    current = [x[0]]

    def push(v):
        nonlocal current
        if len(current) > 2:
            current = [current[-1]]
        current.append(v * current[-1])
        return current

    for k in range(4):
        c = push(x[k])
        c[0] *= x[1]
    return sum(current) + c[0]


@program(normal(3, 2), second=True)
def rows_swapped_and_set_from_one_of_them(m):
    b = m.copy()
    rows = [r for r in b]
    rows[0], rows[2] = rows[2], rows[0]
    for item in rows:
        item[:1] = rows[2][:1] * 2
    return (b**3).sum()
