"""Views and aliases: two names for one array, written through either."""

import numpy as np

from programs.registry import normal, positive, program


@program(normal(4), jit=True, second=True)
def alias_written(x):
    y = x * x
    z = y
    z[0] = x[1]
    return np.sum(y * x)


@program(normal(4), jit=True, second=True)
def augmented_through_alias(x):
    y = x * 2.0
    z = y
    y += x**2
    return np.sum(z * y)


@program(normal(4), jit=True)
def augmented_argument_alias(x):
    z = x
    z *= 2.0
    return np.sum(x * z)


@program(normal(4), jit=True)
def rebound_is_no_alias(x):
    y = x * 2.0
    z = y
    y = y + x**2
    return np.sum(z * y)


@program(normal(3, 4), jit=True, second=True)
def row_view_written(a):
    b = a * 1.0
    row = b[1]
    row[:] = b[0] * b[2]
    row[0] += b[1, 3]
    return np.sum(b**2)


@program(normal(3, 4), jit=True)
def row_view_augmented(a):
    b = a.copy()
    for i in range(3):
        row = b[i]
        row *= np.sin(a[i, 0])
        row += 1.0
    return np.sum(b * a)


@program(normal(3, 4), normal(4), wrt=(0, 1), jit=True)
def row_view_written_in_a_range_of_its_lengths(a, w):
    b = a.copy()
    for i in range(b.shape[0]):
        row = b[i]
        for j in range(b.shape[1]):
            row[j] = row[j] * w[j] + np.sin(row[j])
    return np.sum(b**3)


@program(normal(3, 4), jit=True)
def rows_iterated_and_written(a):
    b = a * a
    for row in b:
        row[0] = row[1] * row[2]
        row /= 2.0
    return np.sum(b * a)


@program(normal(6), jit=True, second=True)
def slice_view_read_after_write(x):
    y = x * 1.0
    inner = y[1:-1]
    y[2] = x[0] * x[1]
    return np.sum(inner**2)


@program(normal(6), jit=True)
def view_of_view(x):
    y = x * 1.0
    a = y[1:]
    b = a[::2]
    b[1] = x[0]
    a[0] *= 3.0
    y[5] += b[2]
    return np.sum(y**2)


@program(normal(2, 3), jit=True)
def transposed_view(a):
    b = a * 1.0
    c = b.T
    c[0] = c[1] * c[2]
    b[1] += b[0]
    return np.sum(c * a.T)


@program(normal(6), jit=True, second=True)
def reshaped_view(x):
    y = x * 2.0
    m = y.reshape(2, 3)
    m[0] = m[1] ** 2
    y[5] = y[0] * y[1]
    return np.sum(m**2)


@program(normal(2, 3), jit=True)
def ravel_view(a):
    b = a * 1.0
    flat = b.ravel()
    flat[0] = flat[4] * flat[5]
    flat[1:3] *= a[1, 0]
    return np.sum(b**2)


@program(normal(2, 3), jit=True)
def flatten_is_a_copy(a):
    b = a * 1.0
    flat = b.flatten()
    flat[0] = 7.0
    flat[1:] *= 2.0
    return np.sum(b**2) + np.sum(flat**3)


@program(normal(4), jit=True)
def copy_breaks_the_alias(x):
    y = x * 1.0
    z = y.copy()
    y[0] = 0.0
    z[1] = y[2] * 2.0
    return np.sum(y * z * x)


@program(normal(4), jit=True)
def asarray_is_an_alias(x):
    y = x + 0.0
    z = np.asarray(y)
    z[1] = x[0] * x[3]
    return np.sum(y**2)


@program(normal(4))
def array_is_a_copy(x):
    y = x + 0.0
    z = np.array(y)
    z[1] = x[0] * x[3]
    return np.sum(y**2 + z)


@program(normal(4), jit=True)
def view_chosen_by_branch(x):
    y = x * 1.0
    part = y[:2] if x[0] < 100.0 else y[2:]
    part *= x[2]
    return np.sum(y**2)


@program(normal(3, 2), jit=True)
def two_buffers_swapped(a):
    old = a[0].copy()
    new = np.zeros(2)
    for k in range(1, 3):
        new[:] = old * a[k] + np.sin(old)
        old, new = new, old
    return np.sum(old**2) + np.sum(new)


@program(normal(6), jit=True, second=True)
def swapped_in_many_steps(u0):
    u = u0.copy()
    v = u0.copy()
    for _ in range(5):
        v[1:-1] = u[1:-1] + 0.2 * (u[2:] - 2.0 * u[1:-1] + u[:-2]) - 0.1 * u[1:-1] ** 2
        u, v = v, u
    return np.sum(u * v)


@program(normal(4), jit=True)
def swapped_aliases_odd_trips(x):
    a = x * 1.0
    b = x * 2.0
    keep = a
    for i in range(3):
        a[i] = b[i] * b[i + 1]
        a, b = b, a
    return np.sum(keep * a) + np.sum(b)


@program(normal(4), jit=True)
def list_holds_aliases(x):
    y = x * 1.0
    parts = [y, y[1:]]
    parts[1][0] = x[2] * x[3]
    parts[0][3] += 1.0
    return np.sum(y**2) + np.sum(parts[1])


@program(normal(4), jit=True)
def appended_alias_changes(x):
    y = x * 1.0
    history = []
    for _ in range(3):
        history.append(y)
        y += 0.5 * x
    return np.sum(history[0] * history[2])


@program(normal(4), jit=True, second=True)
def appended_copies_stay(x):
    y = x * 1.0
    history = []
    for _ in range(3):
        history.append(y.copy())
        y += 0.5 * x**2
    return np.sum(history[0] * history[2]) + np.sum(y)


@program(normal(4), jit=True)
def dict_holds_alias(x):
    state = {"y": x * 1.0}
    y = state["y"]
    y[0] = x[1] ** 2
    state["y"][2] *= 3.0
    return np.sum(y * state["y"])


@program(normal(2, 2, 3))
def swapaxes_view(a):
    b = a * 1.0
    c = b.swapaxes(0, 2)
    c[0, 1] = a[1, 1, 1]
    c[2] *= 2.0
    return np.sum(b**2)


@program(normal(4, 4), jit=True)
def block_views(a):
    m = a * 1.0
    top = m[:2, :2]
    bottom = m[2:, 2:]
    top += bottom
    bottom[:] = top @ bottom
    m[1] -= m[2]
    return np.sum(m**2)


@program(normal(5), second=True)
def overlapping_shift(x):
    y = x * 1.0
    y[1:] += y[:-1]
    y[:-1] *= y[1:]
    return np.sum(y**2)


@program(normal(3, 3), jit=True)
def diagonal_write(a):
    b = a * 1.0
    i = np.arange(3)
    b[i, i] += 2.0 * a[0]
    b[i, i] = b[i, i] ** 2
    return np.sum(b * a)


@program(normal(2, 3), jit=True)
def view_returned_by_helper(a):
    b = a * 1.0
    first = _first_row(b)
    first *= 2.0
    first[1] = a[1, 1]
    return np.sum(b**2)


def _first_row(m):
    return m[0]


@program(normal(3), jit=True)
def written_by_helper(x):
    y = x * 1.0
    _double_tail(y)
    _double_tail(y[::-1])
    return np.sum(y * x)


def _double_tail(v):
    v[1:] *= 2.0
    v[0] = v[1] * v[2]


@program(normal(4), jit=True)
def stale_scalar_is_a_value(x):
    y = x * 1.0
    first = y[0]
    y[0] = 5.0
    return first * y[1] + y[0] * y[2]


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def conditional_alias(x, y):
    target = x * 1.0
    other = y * 1.0
    z = target if x[0] < 100.0 else other
    z += y
    return np.sum(target * other)


@program(normal(3), jit=True)
def newaxis_view(x):
    y = x * 1.0
    column = y[:, None]
    column[1, 0] = x[0] * x[2]
    column *= 2.0
    return np.sum(y**2)


@program(normal(3, 4), jit=True)
def column_view_in_loop(a):
    b = a * 1.0
    for j in range(1, 4):
        left = b[:, j - 1]
        here = b[:, j]
        here -= left * np.sum(left * here)
    return np.sum(b**2)


# A view or a copy: NumPy decides by the layout.
@program(normal(4), jit=True, second=True)
def ravel_of_transposed_is_a_copy(x):
    a = x.reshape(2, 2) * 1.0
    v = a.T.ravel()
    a[0, 1] = x[0] ** 2
    return np.sum(v * np.arange(4.0)) + np.sum(a**3)


@program(normal(4), jit=True)
def ravel_of_array_is_a_view(x):
    a = x.reshape(2, 2) * 1.0
    v = a.ravel()
    a[0, 1] = x[0] ** 2
    v[3] *= 2.0
    return np.sum(v * np.arange(4.0)) + np.sum(a**3)


@program(normal(4), jit=True)
def contiguous_of_transposed_is_a_copy(x):
    a = np.ascontiguousarray(x.reshape(2, 2).T)
    a[0, 0] = x[1]
    return np.sum(a**3) + np.sum(x)


@program(normal(4), jit=True)
def reshaped_transposed_written(x):
    a = x.reshape(2, 2) * 1.0
    v = a.T.reshape(4)
    v *= a[0, 0]
    return np.sum(v * np.arange(4.0)) + np.sum(a**3)


@program(normal(4), jit=True)
def diagonal_read_before_a_write(x):
    a = x.reshape(2, 2) * 1.0
    s = np.sum(np.diag(a) ** 2)
    d = np.diag(a)
    t = np.sum(d * np.arange(2.0))
    a[0, 0] = x[1] ** 2
    return s * t + np.sum(a**3)


@program(normal(4), jit=True)
def broadcast_read_before_a_write(x):
    b = np.broadcast_to(x[:2], (3, 2))
    s = np.sum(b * np.arange(6.0).reshape(3, 2))
    x[0] = x[2] * x[1]
    return s + np.sum(x**2)


@program(normal(4), jit=True)
def inner_part_raveled_in_a_loop(x):
    u = np.zeros((4, 4))
    u[1:3, 1:3] = x.reshape(2, 2)
    for _ in range(3):
        b = u[1:-1, 1:-1].ravel()
        u[1:-1, 1:-1] += 0.1 * b.reshape(2, 2) ** 2
        c = b * u[1, 1]
        u[2, 2] += c[0]
    return np.sum(u**2)


@program(normal(4), second=True)
def one_entry_spread_into_a_written_part(x):
    y = x[2:] * 1.0
    z = x[:2] * 1.0
    t = z[0] + 0.2
    p = y[1:]
    z[:2] += 0.5 * p * p
    return t * 1.17 + np.sum(z) * 0.7 + np.sum(y) * 0.7 + t * 1.3


@program(normal(8), second=True)
def sliding_windows(x):
    windows = np.lib.stride_tricks.sliding_window_view(x, 3)
    grid = np.lib.stride_tricks.sliding_window_view(x.reshape(2, 4), (2, 2))
    return np.sum(windows.mean(axis=1) ** 2) + np.sum(windows[:, 0] * windows[:, 2]) + grid.std()


@program(normal(7), second=True)
def views_by_strides(x):
    """Entries that are shown in several places; the array changes after they are read."""
    y, total = np.outer(x, x**2), 0.0
    s = y.T.strides
    blocks = np.lib.stride_tricks.as_strided(y, (3, 2, 4, 2), (s[1], s[0], s[1], s[0]))
    for k in range(3):
        rows = np.lib.stride_tricks.as_strided(x[k:], strides=(x.itemsize,), shape=(4,))
        total += rows @ x[:4] * blocks[k, 0, 1, 1] + np.sum(rows**3)
        x = np.sin(x)
    z = x * 1.5
    total += np.sum(np.lib.stride_tricks.as_strided(z, (5, 3), (8, 8)) ** 2)
    z[2] *= total
    diagonal = np.lib.stride_tricks.as_strided(y, (7,), (s[0] + s[1],))
    for k in range(3):
        z[k] *= np.sin(np.sum(np.broadcast_to(z, (3, 7)) ** 2 * x))
    return np.sum(blocks.sum(axis=(2, 3)) ** 2) + z @ diagonal


@program(normal(6), second=True)
def reshaped_beside_a_reshaped_copy(x):
    """The cotangent of x is first a view of `a`, which the reverse sweep restores."""
    a = x.reshape(2, 3) * 1.0
    for _ in range(2):
        a[0, 1] = np.sin(a[0, 1])
    return np.sum(a * x.reshape(2, 3))


@program(normal(6), second=True)
def written_through_a_flat_view(x):
    a = x.reshape(2, 3) * 1.0
    for k in range(2):
        flat = a.ravel()
        flat[k] = np.sin(flat[k]) * flat[k + 1]
    return np.sum(a * x.reshape(2, 3))


@program(np.linspace(0.2, 1.4, 12), second=True)
def changed_by_its_own_entries_elsewhere(x):
    """In-place operators whose right side is a view of the left side, in another order."""
    q = np.outer(x[:3], x[:4]).reshape(2, 3, 2) * 0.5
    q -= q.reshape(2, 2, 3).swapaxes(1, 2).copy()
    q += np.sin(q.reshape(2, 2, 3).transpose(0, 2, 1))
    m = x[:9].reshape(3, 3) * 0.5
    m += m.T.reshape(3, 3)
    m *= 1.0 + np.flipud(m).T
    m.ravel()[1:] -= m.reshape(-1)[:-1] ** 2
    m[:2] *= np.rollaxis(m[None], 1)[1:, 0]
    return np.max(q) * np.sum(q**2) + np.sum(m**2 * np.arange(3.0))


@program(np.linspace(-0.4, 1.1, 16), jit=True)
def written_through_a_turned_view_beside_lists(x):
    """A row is put together from the diagonal, again and again, and the array read turned."""
    a = 0.5 * x[:9].reshape(3, 3)
    row = a[1]
    q = x[9:12] * 1.0
    a = a.swapaxes(0, 1)
    for _ in range(3):
        np.put(row, [0, 2], a.diagonal().copy()[:2])
    a, q = x[7:].reshape(3, 3)[[0, 2, 1]], q * a[1, 2]
    return np.sum(q * np.array([0.2, 0.9, 0.1])) + np.sum(a**2)


@program(np.linspace(0.2, 1.4, 12), jit=True)
def written_row_by_row_beside_grown_lists(x):
    held, k = [], 0
    while k < 3:
        held.append(x[k : k + 2] * 1.0)
        k += 1
    a = x.reshape(3, 4) * 1.0
    np.put(a[0], [0, 2], np.sin(x[:2]))
    for row in a:
        row[0] = row[1] * x[2]
    for k, column in enumerate(a.T):
        column[k % 3] *= 2
    first, last = a[0], a[2]
    first[1] = last[2]
    pair, rows = (a[1], last), [a[0], a[1]]
    pair[0][2] = x[5]
    rows.pop()[3] = x[0] * x[1]
    s = 0.0
    for h in held:
        s += h[0] * h[1]
    return np.sum(a**2) * s


@program(np.linspace(0.2, 1.4, 12), jit=True)
def written_by_parts_beside_nested_lists(x):
    rows = [[x[0], x[1]], [x[2]]]
    for k in range(2):
        rows.append([x[k] * x[3]] * (k + 1))
    a = np.zeros((2, 2), complex)
    real = a.real
    real[0] = x[:2]
    a.imag[1] = x[2:4]
    np.put(real, [3], x[4])
    t = 0.0
    for row in rows:
        for e in row:
            t += e * e
    return t * np.sum(np.abs(a) ** 2)


@program(np.linspace(0.2, 1.4, 12), jit=True, second=True)
def written_parts_of_one_array(x):
    places = [2 + int(x[0] > 0.1), 7]
    a, b, c = np.split(x * 1.0, places)
    b[0] = a[1] * c[0]
    left, right = np.hsplit((x * 1.0).reshape(3, 4), 2)
    left[0] = right[1] * x[3]
    d, e = np.array_split(x + 0.0, 2)
    d += e * x[:6]
    part, whole = np.modf(x * 1.0)
    part[0] = whole[11] * x[2]
    parts = np.vsplit((x * 1.0).reshape(4, 3), 2)
    parts[0][1] *= parts[1][0]
    rows = (x * 1.0).reshape(3, 4)
    first, _, last, _ = np.unstack(rows, axis=1)
    first *= last
    rows[2] *= np.unstack(rows)[1]
    n = x * 1.0
    numbers = np.unstack(n)  # entries of a vector are no views
    n[3] = x[0] ** 2
    n[0] *= numbers[3]
    return (
        np.sum(np.concatenate([c, a, b]) * x)
        + np.sum(left * right)
        + d @ e
        + part @ x
        + np.sum(parts[0] ** 2)
        + np.sum(rows**2)
        + n @ n
    )


@program(np.linspace(0.2, 1.4, 6), jit=True, second=True)
def entries_spread_out_before_they_are_written(x):
    a = x.reshape(2, 3) * 1.0
    y = np.broadcast_to(a[1, 1], 3)
    for k in range(2):
        y = y * np.broadcast_to(a[k % 2, k % 3], 3)
        a[k % 2, 1] = y[0] * x[5]
    return np.sum(y) + np.sum(a**2)


@program(positive(3), second=True)
def stored_with_more_axes(x):
    y = np.outer(x, x)
    y[0] = y[1:2]
    y[1] = np.split(y, 3)[2] * y[0]
    y[2, :2] = (x * x)[None, None, 1:]
    return np.sum(y * x)


@program(positive(3), second=True)
def stretched_views_of_what_is_written(x):
    y = np.outer(x, x)
    y *= np.broadcast_to(y[0], (3, 3))
    y[1, 1:] = np.lib.stride_tricks.sliding_window_view(y[0], 2) @ x[:2]
    return np.sum(y * x)


@program(positive(6), jit=True)
def turned_round_and_written(x):
    y, m = x * 1.0, np.outer(x, x)
    r = np.flip(y)[2:]
    r[0] = x[0]
    np.flip(y)[2:4] *= 3.0
    column, row = np.flip(m, axis=1)[0], np.flip(m[2])[1:3]
    column *= x
    row *= 2
    entry = y[1, ...]
    entry *= x[2]
    return y**2 @ np.arange(6) + np.sum(m * np.arange(36).reshape(6, 6)) + entry


@program(normal(4), 2, jit=True, second=True)
def axes_exchanged_before_a_change_in_a_loop(x, n):
    s = 0.0
    for t in range(n):
        M = np.outer(x, x) * (t + 1) + np.diag(x)
        v = np.transpose(M, (1, 0))[0]
        w = np.reshape(M, (2, 8))[1]
        before = v[0] * v[1] + w[0] * w[3]
        M *= x[1]
        s += (v * v * v).sum() + before * M.sum() + (w * w).sum()
    return s


@program(normal(4), 2, jit=True, second=True)
def parts_of_what_is_flat_are_copies(x, n):
    s = 0.0
    for t in range(n):
        M = np.outer(x, x) * (t + 1) + np.diag(x)
        v = M.flat[2:5]
        before = v[0] * v[1]
        M *= x[1]
        M.flat[1:3] *= 2.0
        s += (v * v * v).sum() + before * M.sum() * M.flat[2]
    return s
