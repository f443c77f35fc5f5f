"""Lists of tuples, of which a run decides which names hold them."""

import numpy as np

from programs.registry import normal, program

ONE = np.ones(1)


@program(normal(4), 1, second=True)
def tuples_put_into_one_of_two(x, n):
    stock, other = [(1.0, x[0])], [(3.0, x[3])]
    stock.append((1.5, x[1]))
    lots = stock if n > 0 else other
    lots.append((0.5, x[2]))
    item = (x[1], x[2])
    lots.append(item)
    lots.insert(0, (x[3], x[0] * 2))
    s = item[1] * 2
    for q, p in stock:
        s += q * p**2
    for q, p in other:
        s += q * p**3
    return s + lots.pop()[1] * lots.pop(0)[0]


@program(normal(4), 0, second=True)
def lists_of_tuples_joined(x, n):
    a, b = [(1.0, x[0])], [(2.0, x[2])]
    c = a if n < ONE[0] else b
    more = [(x[1], x[3])]
    c.extend([(x[1], x[3]), (x[0], 1.0)])
    c.extend(more)
    c += more
    d = c + [(x[1], x[3])]
    e = c * 2 + d[1:]
    c[1:1] = [(x[0], x[1])]
    s = sum(u * v for u, v in a) + sum(2 * u * v for u, v in b)
    return s + d[-1][1] * d[0][1] + e[-1][1] * e[1][0] + more[0][1]


@program(normal(6))
def lots_sold_first_in_first_out(x):
    if ONE[0] > 0.5:
        stock = {"a": [(1.0, x[0])], "b": []}
    pnl = 0.0
    for k, (name, q) in enumerate([("b", 2.0), ("a", 1.5), ("b", 1.0)]):
        stock[name].append((q, x[k + 1]))
    for name, sell in (("a", 2.0), ("b", 2.5)):
        if ONE[0] > 0.5:
            lots = stock[name]
        need = sell
        while need > 0 and lots:
            q, p = lots[0]
            use = min(q, need)
            pnl += use * (x[5] - p)
            need -= use
            if use == q:
                lots.pop(0)
            else:
                lots[0] = (q - use, p)
    return pnl**2 + sum(q * p for rows in stock.values() for q, p in rows)


@program(normal(3, 2), 1, second=True)
def tuples_of_rows_and_of_numbers(points, n):
    a, b = [tuple(p) for p in points], [tuple(p) for p in points]
    c = a if points[0, 0] > n - 9 else b
    c[0] = (points[0, 0] ** 2, points[0, 1])
    c[0] = (c[0][0] ** 2, c[-1][1])
    c.append((c[0][1] * points[0, 0], points[0, 1] ** 2))
    c.insert(0, (points[1, 1], c[1][0]))
    c.append(a[0])
    q = c[-1]
    c[1], c[-1] = c[-1], (q[0] * q[1], q[0])
    return sum(x * y for x, y in a) + sum(2 * x * y for x, y in b)


@program(normal(2, 2), 2, second=True)
def copies_of_lists_of_rows_with_new_pairs(points, n):
    kept, now = [], [tuple(p) for p in points]
    for k in range(n):
        kept.append(now)
        now = list(now)
        now[k % len(now)] = (now[0][0] * points[0, 1], k + 1.0)
        for i, (x, y) in enumerate(now):
            now[i] = (x + y, y * x)
    return sum(x * y for rows in kept for x, y in rows) + sum(x * y for x, y in now)


@program(normal(2, 2), second=True)
def entries_of_dicts_of_rows_replaced(points):
    grid = {}
    for i, p in enumerate(points):
        grid[i] = tuple(p)
    other = dict(grid)
    c = grid if points[0, 0] > -9 else other
    for k in list(c):
        x, y = c[k]
        c[k] = (x * y, x + k)
    c[99] = (points[0, 0], points[0, 1])
    return sum(x * y for x, y in grid.values()) + sum(2 * x * y for x, y in other.values())


@program(normal(3, 2), second=True)
def pairs_among_rows_sorted_and_sought(points):
    rows = [tuple(p) for p in points] + [(points[0, 0] + 1, points[0, 1])]
    rows.append((points[1, 1], points[2, 0] * 2))
    rows.sort()
    least, total = min(rows), 0.0
    for k, (x, y) in enumerate(rows):
        total += k * x * y
        if (x, y) in rows and (x, y) >= least and (x, 99.0) not in rows:
            total += x**2 * y
    rows[0] = (rows[-1][0], rows[0][1])
    return total + max(rows)[1] * rows[0][0] * sorted(rows)[1][1]


@program(normal(3, 2))
def lists_of_pairs_and_of_rows_by_a_choice(points):
    a = [tuple(p) for p in points]
    b = [(p[0], p[1] * 2) for p in points]
    c = a if points[0, 0] > 9 else b
    q = c[-1]
    b[-1] = (a[0][1], points[0, 0] * 2)
    b[0:1] = [(points[0, 0] * 4, b[1][1])]
    return q[0] * q[1] ** 2 + 3 * sum(x * x * y for x, y in c) + sum(x * y for x, y in a)


@program(normal(2, 2))
def lists_of_two_makes_of_which_a_run_takes_one(points):
    def lists():
        return [tuple(p) for p in points], [(p[0], p[1] * 2) for p in points]

    total, last = 0.0, (points[0, 0], points[0, 1] ** 2)
    a, b = lists()
    c = (a, b)[int(points[0, 0] < 9)]
    q = c[-1]
    b[-1] = last
    total += q[0] * q[1] ** 2 + sum(x * y for x, y in c)
    a, b = lists()
    c = [row for row in a if row[0] > 50] or b
    q = c[-1]
    b[-1] = last
    total += q[0] * q[1] ** 2 + sum(x * x * y for x, y in c)
    a, b = lists()
    d = {"a": a, "b": b}
    c = d["a" if points[0, 0] > 9 else "b"]
    q = c[-1]
    d["b"][-1] = last
    return total + q[0] * q[1] ** 3 + sum(x * y for x, y in c)
