"""Lists and dicts that are made of integers and take floats later, as tables of sums do.

Numba's lists have items of one type: without care, what is written into these is rounded.
"""

from programs.registry import positive, program


def weighed(items):
    return sum((k + 1) * v for k, v in enumerate(items))


@program(positive(5), second=True)
def tables_of_zeros(x):
    """The longest common subsequence, and the most that fits into a bag: tables of zeros."""
    n = len(x) - 1
    table = [[0] * (n + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            longer = table[i - 1][j - 1] + x[i] * x[j - 1]
            table[i][j] = max(table[i - 1][j], table[i][j - 1], longer)
    best, counts, sums = [0] * 6, [0] * 3, [0] * 3
    for i, v in enumerate(x):
        counts[i % 3] += 1
        sums[i % 3] += v
        for c in range(5, 0, -1):
            if best[c - 1] + v * v > best[c]:
                best[c] = best[c - 1] + v * v
    means = [total / count for total, count in zip(sums, counts, strict=True)]
    return table[n][n] * table[2][1] + best[5] * weighed(means)


@program(positive(6), second=True)
def lists_of_all_makes(x):
    """Ranges, copies, displays, products, truth values, tuples and lists in dicts."""
    counted, squares = list(range(5)), [i * i for i in range(4)]
    counted[2], squares[1] = x[0], squares[1] + x[1]
    joined, flags = [0] + [1] * 3, [False] * 3
    joined[2], flags[1] = x[3], x[4]
    rows = []
    for _ in range(3):
        row = [0] * 3
        rows.append(row)
    for i in range(3):
        rows[i][i] = x[i] * x[i + 1]
    pairs = [(0, 0) for _ in range(4)]
    for i in range(4):
        pairs[i] = (x[i], i)
    tens, waves = [0] * 2, [0] * 2
    tens[1], waves[1] = 10 * x[0], 1j * x[1]
    total = weighed(counted) * weighed(squares) + weighed(joined) * weighed(flags)
    total += weighed(map(sum, rows)) + sum(a * b * b for a, b in pairs)
    return total + weighed(tens) * abs(waves[1]) ** 2


@program(positive(6))
def lists_in_a_dict(x):
    held = {k: [0] * 3 for k in range(2)}
    held[1][2] = x[5]
    held[0] = [1, 2, 3]
    held[0][0] += x[1]
    counts = dict.fromkeys(range(3), 0)
    for k, v in enumerate(x):
        counts[k % 3] = counts[k % 3] + v
    return weighed(held[0]) * weighed(held[1]) + weighed(counts.values()) ** 2


def filled(items, x, i):
    if i == len(items):
        return 0.0
    items[i] = x[i] ** 2
    return filled(items, x, i + 1) + items[i]


@program(positive(6), second=True)
def integers_under_a_name_of_floats(x):
    """Places and sums under one name in turn: the former stay integers."""
    parent, sums, items = list(range(6)), [0] * 6, [0] * 4
    for i in range(6):
        sums[i] = x[i]
    for a, b in [(0, 1), (2, 3), (1, 3)]:
        while parent[a] != a:
            a = parent[a]
        parent[a] = b
        sums[b] += sums[a] * sums[b]
    total = filled(items, x, 0)
    items = sorted(range(4), key=lambda k: items[k])
    queue, far = [0], [0] * 6
    for u in queue:
        for v in ((u + 1) % 6, (u * 2) % 6):
            if v not in queue:
                queue.append(v)
                far[v] = far[u] + x[v] ** 2
    return total * weighed(x[k] for k in items) + weighed(sums) + sum(v * v for v in far)
