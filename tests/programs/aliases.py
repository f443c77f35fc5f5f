"""Names that share an array on some paths only, and are written through: branches, loops, lists."""

import numpy as np

from programs.registry import normal, positive, program


@program(normal(4), jit=True, second=True)
def rows_of_two_arrays(x):
    even = x * 1.0
    odd = x * x
    for i in range(3):
        here = even if i % 2 == 0 else odd
        here[i] = here[i + 1] * x[0] + np.sum(odd)
        here[i + 1] *= 0.5
    return np.sum(even * odd)


@program(normal(4), jit=True, second=True)
def swapped_then_another_name(x):
    a, b = x[:2].copy(), x[2:].copy()
    for _ in range(3):
        a, b = b, a
        a[0] *= b[1]
    c = a
    c[::-1][0] *= b[0]
    return np.sum(a * b) + np.sum(c)


@program(normal(3, 4), second=True)
def list_of_rows_written_twice(m):
    a = m * 1.0
    rows = []
    for i in range(3):
        rows.append(a[i])
    for row in rows:
        row *= row[0]
    rows[0][1] = rows[1][2] * rows[2][0]
    return np.sum(a**2)


@program(normal(3, 4))
def rows_taken_from_a_list(m):
    a = m * 1.0
    rows = []
    for i in range(3):
        rows.append(a[i, :3])
        rows.append(a[:, i])
    total = 0.0
    while len(rows) > 2:
        total += np.sum(rows[-1] * rows[-2] * rows[0][:3])
        last = rows.pop()
        first = rows.pop(0)
        last[0] *= 2.0
        rows[0][1] += last[0]
        rows.insert(1, first)
        first[1] = last[0] * last[1]
        total += np.sum(last * last)
    return total + np.sum(a**2)


@program(normal(4), jit=True, second=True)
def kept_while_rebound(x):
    y = x * 1.0
    keep = y
    total = 0.0
    for i in range(3):
        z = y if x[i] > 0 else keep
        z[i] = z[i + 1] * total + z[0] ** 2
        y = 0.3 * z * x + y
        total += np.sum(y * y)
        y[0] *= 0.5
    return 0.1 * total + np.sum(keep * y)


@program(normal(4), jit=True, second=True)
def read_before_the_swap(x):
    a = x * 1.0
    b = x * 2.0
    total = 0.0
    for i in range(3):
        total = total + np.sum(a**2)
        a, b = b, a
        b[:] = x[i] * 3.0
    return total + np.sum(a * b)


@program(normal(4), jit=True, second=True)
def taken_over_in_every_step(x):
    total = 0.0
    for i in range(3):
        a = x * (i + 1.0)
        total += np.sum(a**2)
        b = a
        b[0] = 5.0 * x[1]
        total += np.sum(b**2)
    return total


@program(normal(4), jit=True)
def pops_in_a_loop(x):
    values = [x[0], x[1], x[2], x[3]]
    for i in range(4):
        values.append(x[i] * values[-1])
    total = 0.0
    while len(values) > 2:
        total += values[-1] * values[-2] * values[0]
        last = values.pop()
        total += last * last
    return total


@program(normal(3, 4))
def popped_arrays_are_written(m):
    rows = [m[0] * 1.0, m[1] * 2.0]
    for i in range(3):
        rows.append(m[i] * rows[-1])
    total = 0.0
    while len(rows) > 2:
        total += np.sum(rows[-1] * rows[-2] * rows[0])
        last = rows.pop()
        last[0] *= 2.0
        rows[0][1] += last[0]
        total += np.sum(last * last)
    return total


@program(normal(3, 4))
def ravel_copies_here(m):
    b = m * 1.0
    t = b.T
    for _ in range(3):
        flat = t.ravel()
        flat[0] = 0.5 * m[0, 0] + flat[5]
        b = b * flat[0] + flat[1]
    return np.sum(b**2)


@program(normal(3, 4))
def ravel_is_a_view_here(m):
    b = m * 1.0
    other = m * m
    for i in range(3):
        now = b if i < 2 else other
        flat = now.ravel()
        flat[i] = 0.5 * m[0, 0] * flat[5]
        b[0] += flat[3]
    return np.sum(b**2 * other)


@program(normal(4), jit=True)
def same_array_twice_in_a_list(x):
    y = x * 1.0
    held = [y, y, x * 2.0]
    for i in range(3):
        held[i][0] *= x[1]
        held[0], held[2] = held[2], held[0]
    held[1][2] = held[0][1] * held[2][3]
    return np.sum(y * held[0]) + np.sum(held[2] ** 2)


@program(normal(4), second=True)
def chained_choices(x):
    y = x * 1.0
    head, tail = y[:2], y[2:]
    part = head
    for i in range(4):
        if x[i] > 0.0:
            part = tail if part is head else head
        part[i % 2] *= x[i]
        part = part[::-1]
        head, tail = y[:2], y[2:]
    return np.sum(y**2)


@program(normal(4), jit=True, second=True)
def views_that_overlap(x):
    y = x * 1.0
    left = y[:3]
    for i in range(3):
        window = left if i == 1 else y[1:]
        window *= y[0]
        left[1] += window[2]
        left = y[:3]
    return np.sum(y * x)


@program(normal(4), jit=True)
def helper_returns_one_of_two(x):
    a, b = x * 1.0, x * x
    for i in range(3):
        low = _lower(a, b)
        low += 0.1 * x[i]
        low[i] = a[i] * b[i + 1]
    return np.sum(a * b)


def _lower(a, b):
    return a if a[0] < b[0] else b


@program(normal(4), jit=True)
def loop_left_with_an_alias(x):
    y = x * 1.0
    z = y * 2.0
    for i in range(4):
        z[i] *= y[0]
        if i == 2:
            z = y
            break
    z[1] = z[2] * z[3]
    return np.sum(y * x) + np.sum(z**2)


@program(normal(4))
def may_be_nothing_yet(x):
    y = x * 1.0
    best = None
    for i in range(4):
        y[i] *= x[0]
        if best is None or y[i] > best[0]:
            best = y[i:]
        best[0] += 0.3
    return np.sum(best) + np.sum(y**2)


@program(normal(2, 3), wrt=0, second=True)
def nested_lists_of_views(m):
    a = m * 1.0
    table = [[a[0], a[1]], [a[1, :], a[0, ::-1]]]
    for i in range(2):
        for j in range(2):
            table[i][j][0] = table[j][i][1] * table[i][j][2]
    return np.sum(a**2)


@program(normal(3, 4), second=True)
def written_through_flat(m):
    b = m * 1.0
    b.flat[3] = b[0, 0] ** 2
    b.ravel()[2] *= 2.0
    b.reshape(-1)[1:3] += b[0, 1]
    b.flat[1:3] = b.flat[4]
    for i in range(5):
        b.flat[i] *= b.flat[i + 1]
        b.reshape(-1)[i] += b[i % 3, 2]
    return np.sum(b**2)


@program(normal(3, 4), second=True)
def rows_written_through_flat(m):
    b = m * 1.0
    b[1:].flat[3] = b[0, 0] ** 2
    b[1].flat[2] = b[2, 1]
    b[2].reshape(2, 2)[1, 0] *= b[0, 3]
    b.T.ravel()[3] = 7.0
    return np.sum(b**2)


@program(normal(3, 4), second=True)
def one_of_two_written_through_ravel(m):
    a = m * 1.0
    b = m * m
    for i in range(4):
        c = a if i % 2 else b
        c.ravel()[i] = a[0, 1] * b[1, 2]
    return np.sum(a * b)


@program(normal(4))
def parts_of_a_cotangent_outlive_it(x):
    y = x * 2.0
    z = x * 3.0
    p = y[1:]
    np.copyto(z, np.concatenate([p, [x[2]]]))
    return np.sum(z * x) + np.sum(y)


@program(normal(4))
def lists_of_arrays_by_branch(x):
    first = [x * 1.0]
    second = [x * 2.0]
    chosen = first if x[0] < 100.0 else second
    chosen[0][1] = x[2] * x[3]
    return np.sum(first[0] ** 2) + np.sum(second[0])


@program(normal(4), jit=True)
def fresh_lists_by_branch(x):
    if x[0] > 0.0:
        b = [x[0], x[1]]
    else:
        b = [x[2], x[3]]
    b[0] = b[0] * x[3]
    b.append(x[1])
    return b[0] * b[1] + b[2] * x[3]


@program(normal(3, 4), jit=True, second=True)
def views_updated_without_names(m):
    b = m * 1.0
    b.T[1] *= b[0, 0]
    b.T[1:][0] **= 2
    b.T[2] += b.T[1] * b[1, 1]
    b[1:].T[0] /= 2.0 + b[0, 3] ** 2
    b.swapaxes(0, 1)[0, 1] *= 2.0
    return np.sum(b**3)


@program(normal(4))
def list_grows_while_written(x):
    a = x * 1.0
    lst = [a, x * 2.0]
    for i in range(3):
        lst[i % 2] *= x[i]
        lst.append(lst[0] * 0.5)
        lst[-1][0] = a[1] ** 2
    tot = 0.0
    for v in lst:
        tot += np.sum(v * v)
    return tot


@program(normal(4), second=True)
def row_moves_on_in_while_loop(x):
    y = np.stack([x, x * 2.0])
    r = y[0]
    i = 0
    while np.sum(r) < 50.0 and i < 5:
        r += x**2
        r = y[i % 2]
        i += 1
    return np.sum(y * y) + np.sum(r)


@program(normal(4), second=True)
def picked_by_a_helper(x):
    def pick(a, b, k):
        if k % 2:
            return a
        return b

    a = x * 1.0
    b = np.cos(x)
    for k in range(3):
        c = pick(a, b, k)
        d = pick(b, a, k)
        c *= d
        d[k] += c[k + 1]
    return np.sum(a - b * x)


@program(normal(4), second=True)
def longest_row_scaled(x):
    M = np.outer(x, x)
    best = M[0]
    for i in range(4):
        if M[i] @ M[i] > best @ best:
            best = M[i]
    best /= np.sqrt(best @ best)
    return np.sum(M * M[::-1])


@program(normal(4), second=True)
def pivot_row_or_own_row(x):
    A = np.outer(x, x) + np.eye(4)
    for k in range(4):
        p = k
        for i in range(k + 1, 4):
            if abs(A[i, k]) > abs(A[p, k]):
                p = i
        row = A[k] if p == k else A[p]
        row /= 1.0 + row[k] ** 2
        A[k] = A[k] + row
    return np.sum(A**2)


@program(normal(4), second=True)
def written_by_functions_through_either(x):
    a = x * 1.0
    np.multiply(a, 2.0, out=a)
    b = a if x[0] < 9 else x
    np.add(b, x, out=b)
    np.sin(b, out=b)
    b.sort()
    b[b > 0.1] *= 2.0
    np.add.at(b, [0, 0, 1], x[:3])
    return np.sum(a * b * x)


@program(normal(4))
def array_made_from_another_name_of_itself(x):
    """The old array is read through `old` while the new one gets its name."""
    state = (x, x * 2.0)
    for _ in range(3):
        older, old = state
        state = (old * 0.5, np.sin(older) + old)
    both = state[1]
    rows = np.outer(both, both)
    for _ in range(2):
        kept = rows
        rows = np.sin(kept) + x
        both = both + np.sum(kept * 0.1, axis=0)
    return np.sum(rows * state[0]) + np.sum(both)


@program(normal(4))
def scaled_by_parts_of_itself(x):
    y = x.copy()
    y[1:] *= y[:-1]
    y[::-1] *= y
    m = np.outer(y, x)
    m *= m.T
    y *= y
    return np.sum(y) + np.sum(m)


@program(normal(4))
def taken_over_while_a_third_name_sees_it(x):
    """The array of `field` goes on as `again` while `level` still is the same one."""
    field = 0.6 * x
    level = field
    again = field
    level += 0.45 * again
    state = [np.tanh(x)]
    first = state[0]
    second = state[0]
    first += np.sin(second)
    half = x * 0.5
    tail = half[1:]
    whole = half
    tail *= whole[:-1]
    return np.sum(level * again) + np.sum(first) + np.sum(second**2) + np.sum(whole * tail[0])


@program(normal(4))
def products_of_names_of_one_array(x):
    a = 0.6 * x
    b = a
    c = b
    c += a * b
    b -= a * c + x * a
    c[1:] += a[:-1] * b[1:]
    return np.sum(a * x) + np.sum(b**2)


@program(normal(4), second=True)
def asked_whether_a_view_was_made(x):
    """Generated code asks whether `flat` is a view; differentiated again it must stay one."""
    a = 0.6 * x
    b = np.tanh(x)
    c = a
    for _ in range(2):
        c *= 0.5 * a
        a = b.reshape(2, 2).ravel()
    b *= b * c
    a[3] *= a[0] * 0.7
    flat = b.reshape(2, 2).ravel()
    if x[0] < 9.0:
        a *= 0.3 * x
    return np.sum(a * x) + np.sum(b**2) + np.sum(c) + 2.0 * np.sum(flat * x)


@program(normal(3, 2), second=True)
def copies_listed_and_changed(a):
    listed, table = list(a * 1.0), {"u": a * 1.0, "v": [a[0] * 1.0, -(-a[1])]}
    total = 0.0
    for row in listed:
        row += listed[0] * 0.5
        total += row[0] * row[1]
    parts = [a * 1.0, a[0] * 1.0, a.copy()]
    parts[0] *= a
    parts[1] *= parts[0][1]
    parts[2][0] = parts[1]
    for row in tuple(a + 0.0):
        row *= a[1]
        total += row[0] ** 2
    table["u"] *= a
    table["v"][0] *= 2
    table["v"][1] *= table["v"][0]
    return total + np.sum(parts[0] * parts[2]) + np.sum(table["u"]) * table["v"][1][0] + np.sum(a)


def _written_through_the_list(x, remade):
    a = 0.6 * x
    b = np.tanh(x)
    rows = [a, b]
    for _ in range(3):
        rows = rows + [a]
    rows = remade(rows)
    rows[1] *= 2.0
    return np.sum(b**2) + np.sum(a * x)


@program(normal(3), second=True)
def lists_made_anew_of_the_same_arrays(x):
    return (
        _written_through_the_list(x, lambda rows: [row for row in rows])
        + 2.0 * _written_through_the_list(x, lambda rows: list(rows))
        + 3.0 * _written_through_the_list(x, lambda rows: rows * 2)
        + 4.0 * _written_through_the_list(x, lambda rows: [rows[0]] + rows[1:])
    )


@program(normal(4), second=True)
def best_entry_of_dicts_so_far(x):
    kept, best = [], None
    for i in range(3):
        c = {"x": x[i] ** 2}
        kept.append(c)
        if best is None or c["x"] > best["x"]:
            best = c
        best["x"] *= 0.9 * x[3]
    return best["x"] * kept[0]["x"]


@program(normal(4), 3, second=True)
def read_by_another_name_while_written(x, n):
    total = 0.0
    for k in range(n):
        field = (0.5 + 0.1 * k) * x
        old = field
        for _ in range(2):
            field[:] = np.sin(old) + 0.2
        total += np.sum(field)
    return total


@program(normal(5), 3)
def part_read_by_a_view_while_all_is_written(x, n):
    total = 0.0
    for k in range(n):
        field = (0.5 + 0.1 * k) * x
        inner = field[1:-1]
        if total > -100.0:
            for _ in range(k + 1):
                field *= 0.3 + np.cos(inner[1])
        total += np.sum(inner**2) + field[0]
    return total


@program(normal(3, 4), 2)
def row_read_by_another_name_in_a_while(a, n):
    a = a.copy()
    total = 0.0
    for i in range(3):
        row = a[i]
        same = row
        trips = 0
        while trips < n:
            trips += 1
            a[i] = np.tanh(same) + 0.5 * same
        total += np.sum(row * same)
    return total


@program(normal(4), 3, second=True)
def named_again_beside_a_count(x, n):
    total, count = 0.0, 0
    for k in range(n):
        field = (0.5 + 0.1 * k) * x
        old, count = field, count + 1
        if count < 10:
            field *= np.cos(old[0])
        total += np.sum(field) * count
    return total


@program(normal(4), 3)
def whole_and_part_unpacked(x, n):
    total = 0.0
    for _ in range(n):
        field = np.exp(0.3 * x)
        whole, inner = field, field[1:-1]
        for _ in range(2):
            field *= 0.2 + inner[0] * whole[-1]
        total += np.sum(whole) + np.sum(inner**2)
    return total


@program(positive(4), 2)
def length_asked_of_one_name_entries_of_another(x, n):
    total, above = 0.0, x > 0.0
    for _ in range(n):
        field = x[above] * 0.8
        old = field
        for _ in range(2):
            field[:] = np.sin(old) * field.shape[0] * 0.3 + np.sum(x) * 0.1
        total += np.sum(field)
    return total
