"""Programs that compiled code once got wrong: what is read before it changes, and true views."""

from __future__ import annotations

import numpy as np

from .registry import normal, positive, program

REPEATED = np.array([0, 1, 1])


@program(positive(4), REPEATED, jit=True)
def product_put_where_an_index_stands_twice(x, i):
    y = x * 1.0
    y[i] = y[i] * x[1:]
    return np.sum(y**3)


@program(positive(4), REPEATED, jit=True)
def taken_entries_keep_their_values(x, i):
    y = x * 1.0
    taken = y[i]
    y[0] = x[3] ** 2
    return np.sum(taken * y[1:]) + np.sum(y**3)


@program(positive(4), REPEATED)
def added_at_what_was_taken(x, i):
    y = x * 1.0
    np.add.at(y, i, x[1:] * y[i])
    return np.sum(y**3)


@program(positive(4), REPEATED)
def rows_and_points_scaled_twice(x, i):
    y = np.outer(x, x)
    y[i] -= x[1:, None] * y[i]
    y[:, i] *= 2.0
    y[i, i] /= x[1:]
    y[[0, 0]] *= x
    y.T[i] *= x
    return np.sum(y**3)


@program(positive(4), REPEATED)
def scaled_at_repeated_places_in_a_loop(x, i):
    y = x * 1.0
    for k in range(3):
        y[i] *= x[1:]
        y[i] = y[i] + x[1:] ** 2
        y[i[k]] += y[0]
    return np.sum(y**2)


@program(positive(8), 4)
def reshaped_slice_written(x, n):
    a = x * 1.0
    v = np.reshape(a[:n], (2, -1))
    v += x[1]
    return np.sum(a**3) + np.sum(v**2)


@program(normal(8))
def rotated_view_written(x):
    a = (x * 1.0).reshape(2, 2, 2)
    v = np.rot90(a[0])
    v[0] *= x[1]
    w = np.rollaxis(a, 2)
    w[1] += x[0]
    return np.sum(a**3)


@program(normal(8))
def flipped_and_expanded_views_written(x):
    a = np.asarray(x * 1.0)
    d = np.atleast_2d(np.squeeze(np.expand_dims(a, 0)))
    d[0, 1:] *= x[0]
    e = np.flip(a)
    e[0] = x[2] ** 2
    return np.sum(a**3)


@program(normal(8))
def raveled_part_of_a_matrix_written(x):
    a = (x * 1.0).reshape(2, 4)
    v = a[:, :2].ravel()
    v[0] *= x[1]
    return np.sum(a**3) + np.sum(v**2)


@program(positive(3), 3, 12, jit=True)
def decay_sampled_every_so_often(x, duration, samples):
    t = np.arange(0.0, duration, duration / samples)
    return np.sum(x[0] * np.exp(-x[1] * t) * x[2]) + np.sum(t + x[:1])


@program(positive(5), np.array([1, 3]))
def split_at_places_that_are_arguments(x, places):
    a, b, c = np.split(x * x[0], places)
    return np.sum(a) * np.sum(b**2) + np.sum(c) * x[0]


@program(normal(3), normal(4), normal(2))
def split_into_parts_of_other_lengths(a, b, c):
    parts = [a, b, c]
    norms = [np.sqrt(np.sum(p**2)) for p in parts]
    back = np.split(np.concatenate(parts) * 2.0, np.cumsum([len(p) for p in parts])[:-1])
    return sum(np.sum(q) * n for q, n in zip(back, norms)) + norms.index(max(norms))


@program(positive(4), np.array([2, 3]), np.array([1, 2]))
def arrays_as_shapes_and_widths(x, shape, width):
    return np.sum(np.zeros(shape) + x[0]) * np.sum(x**2) + np.sum(np.pad(x, width) ** 2)


@program(positive(4))
def types_of_python_as_dtypes(x):
    lower = np.tril(np.ones((4, 4), bool))
    z, k = np.zeros(4, dtype=complex), np.zeros(4, int)
    k[1], z[1] = 2, x[0]
    return np.sum(np.where(lower, np.outer(x, x), 0.0)) + np.sum(k.astype(float) * x) + abs(z[1])


@program(positive(4), np.array([1, 2, 0, 3]))
def products_with_whole_numbers(x, n):
    grid = np.arange(16).reshape(4, 4)
    return np.sum((grid @ x) ** 2) + np.dot(n, x) ** 2 + np.sum(np.outer(x, x) @ grid) + (n > 1) @ x


@program(positive(4))
def norms_of_a_matrix_by_name(x):
    a = np.outer(x, x) + np.eye(4)
    return np.linalg.norm(a, "fro") ** 3 + np.linalg.norm(a, axis=0).sum()


@program(normal(4), jit=True)
def entry_of_a_view_written_before_a_sum(x):
    y = x * 1.0
    both = [y, y[1:], y[::-1]]
    both[1][0] = x[2] * x[3]
    both[2][0] += x[0]
    return np.sum(y**2) + np.sum(both[1]) + both[2][1] * y[0]


@program(positive(3), 1e-3, jit=True)
def trips_of_a_loop_that_were_counted(x, tol):
    total = 0.0
    for i in range(3):
        left = 1.0
        while left > tol:
            total = total + left * x[i] ** 2
            left = left * 0.1
    return total


@program(positive(3), 4, jit=True)
def bound_of_a_loop_that_changes_in_it(x, n):
    y = x * 1.0
    for k in range(n):
        n = 0
        y[1] += x[0] * (k + 1.0)
    return np.sum(y**2) * (n + 1.0)


@program(normal(6), jit=True)
def neighbours_on_a_ring_beside_turned_slices(x):
    y = x * 1.0
    for i in range(6):
        y[i] += y[i - 1] * x[i - 2]
        y[:i] += 0.1 * np.flip(x[:i])
    return np.sum(y**2) + np.sum(y[::-1] * x)


@program(normal(3, 5), jit=True)
def rows_added_to_the_row_before_on_a_ring(x):
    a = x * 1.0
    for i in range(3):
        for j in range(5):
            a[i - 1, j] += 0.5 * x[i, j - 1]
        a[i] += x[i, ::-1] * x[i - 1]
    return np.sum(a**3)


@program(normal(4), 5, jit=True)
def steps_saved_beside_views_of_them(x, n):
    v = x * 1.0
    total = 0.0
    for i in range(n):
        w = v[1:] * x[:-1]
        v = np.sin(v) + i * x
        head = v[:3]
        total += np.sum(head * w) + v[i % 4] ** 2
    return total + np.sum(v**2)


@program(positive(4), jit=True)
def shorter_with_each_step(x, n=3):
    s = x * 1.0
    v = x * x
    for _ in range(n):
        v = 0.5 * (v[1:] + v[:-1])
        s = s[1:] / 1.1
        v = np.maximum(v, s)
    return v[0]


@program(positive(4, 3), jit=True)
def sums_of_what_becomes_shorter(x, n=2):
    v = x * x
    s = x[:, 0] * 1.0
    for _ in range(n):
        v = v[1:] * 0.5 + v[:-1]
        s = np.sum(v * v, axis=1) + s[1:]
    return np.sum(s)


@program(normal(6, 7, 2), normal(4, 5, 2), jit=True)
def seven_neighbours_with_channels(x, c):
    """Each point's cotangent goes to seven places of one array."""
    core = x[1:-1, 1:-1]
    flow = 4.0 * core - (x[2:, 1:-1] + x[:-2, 1:-1] + x[1:-1, 2:] + x[1:-1, :-2])
    return np.sum(c * (flow + 0.5 * (x[2:, 2:] - x[:-2, :-2])))


@program(normal(6, 7), normal(4, 5), jit=True)
def seven_neighbours_and_limits(x, c):
    core = x[1:-1, 1:-1]
    flow = 4.0 * core - (x[2:, 1:-1] + x[:-2, 1:-1] + x[1:-1, 2:] + x[1:-1, :-2])
    flow = flow + 0.5 * (x[2:, 2:] - x[:-2, :-2])
    limited = np.where(flow * core > 0.0, 0.0, flow)
    return np.sum(c * limited**2 + np.tanh(flow))


@program(normal(3, 6, 6, 2), normal(2, 2, 2, 3), jit=True)
def windows_whose_cotangent_is_read_twice(x, w):
    """The layer's cotangent is copied before its place is cleared, and then used for both."""
    out = np.empty((x.shape[0], 5, 5, w.shape[3]))
    for i in range(5):
        for j in range(5):
            window = x[:, i : i + 2, j : j + 2, :, np.newaxis]
            out[:, i, j, :] = np.sum(window * w[np.newaxis], axis=(1, 2, 3))
    return np.sum(np.tanh(out))


@program(normal(5, 6), normal(5, 6), normal(5, 6), 3, wrt=(0, 1, 2), jit=True)
def leapfrog_of_three_fields(ex, ey, hz, steps):
    """Each cotangent goes to two neighbours: along the rows, and across them."""
    ex, ey, hz = ex.copy(), ey.copy(), hz.copy()
    for t in range(steps):
        ey[0, :] = 0.1 * t
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return np.sum(hz * hz * ex)


@program(normal(7), normal(6), jit=True)
def differences_of_neighbours(x, c):
    d = x[1:] - x[:-1]
    s = x[2:] - x[:-2]
    return np.sum(c * d) + np.sum(c[1:] * s) + np.sum(d * d)


@program(normal(7, 5), jit=True)
def covariances_by_columns(data):
    """A cotangent is brought to the shape of a product that is not computed for that."""
    data = data - np.mean(data, axis=0)
    cov = np.zeros((data.shape[1], data.shape[1]))
    for i in range(data.shape[1]):
        cov[i:, i] = data[:, i] @ data[:, i:] / (data.shape[0] - 1.0)
        cov[i, i:] = cov[i:, i]
    return np.sum(cov**3)


@program(normal(3), normal(3, 3), normal(5, 3), 0.1, 5, wrt=(0, 1, 2, 3), jit=True)
def rigid_body_turned(w0, inertia, torque, dt, steps):
    """Cross products and a trace; variables called as helpers of the compiled code are."""
    identity = np.eye(3)
    inverted = np.linalg.inv(inertia @ inertia.T + 3.0 * identity)
    w, power, power_2 = w0.copy(), 1.0, 0.5
    for k in range(steps):
        change = inverted @ (torque[k] - np.cross(w, inertia @ w))
        w = w + dt * change
        power = power + (power_2 * w[0]) ** 2 + w[1] ** 3
        power_2 = 0.5 * power_2 + (w[2] + 2.0) ** 4 * 1e-3
    return np.trace(np.outer(w, w) @ identity) + power * np.sum(inverted)


@program(normal(6, 8), normal(8, 24), normal(8, 8), 2, wrt=(0, 1, 2), jit=True)
def heads_of_attention(x, w, out, heads):
    """What a length comes to when it is divided by an integer argument is a length, too."""
    n, d = x.shape
    q, k, v = np.split(x @ w, 3, axis=1)
    each = d // heads
    q, k, v = (z.reshape(n, heads, each).transpose(1, 0, 2) for z in (q, k, v))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(each)
    e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    p = e / np.sum(e, axis=-1, keepdims=True)
    return np.sum(((p @ v).transpose(1, 0, 2).reshape(n, d) @ out) ** 2)


@program(normal(5, 4), 3, jit=True)
def vectors_bound_in_the_inner_loop(a, iters):
    """Each is written after it is bound, and read after the loop; ranges end at what is bound."""
    total, b = 0.0, a.copy()
    for k in range(2):
        v = np.ones(b.shape[1])
        stop = min(k + 2, 4)
        for i in range(iters):
            u = b @ v
            u /= np.sqrt(u @ u + 1.0)
            v = b.T @ u
            v /= np.sqrt(v @ v + 1.0)
        for j in range(k, stop):
            total += v[j] ** 3 * u[j]
        b -= 0.5 * np.outer(u, v)
    return total + np.sum(b**3)


@program(normal(2, 7, 6), normal(7, 6), normal(6), 0.3, 3, wrt=(0, 1, 2, 3), jit=True)
def waves_with_a_step(field, mass, speed, dt, steps):
    """Additions to neighbours beside sums for the step, and beside what is cleared."""
    ex, ey, bz = field[0].copy(), field[1].copy(), mass.copy()
    for t in range(steps):
        old = bz.copy()
        bz[:-1, :-1] += dt * (ex[:-1, 1:] - ex[:-1, :-1] - ey[1:, :-1] + ey[:-1, :-1])
        ex[:, 1:-1] += dt * (bz[:, 1:-1] - bz[:, :-2])
        ey[1:-1, 1:-1] = ey[1:-1, 1:-1] - dt * (old[2:, 1:-1] * bz[1:-1, 2:] - old[:-2, 1:-1] / 2)
        speed = speed - dt * np.minimum(speed, 0.3) * (np.roll(speed, -1) - speed)
    return np.sum(bz**2) + np.sum(ex * ey) + np.sum(speed**3)


@program(
    np.array([0.101, -0.106, 0.512]),
    np.array([0.084, -0.429, 0.289]),
    np.array([[0.782, 0.568, -0.422], [-0.759, -0.374, 0.025], [-1.395, -0.131, -0.748]]),
    0.541,
    wrt=(0, 1, 2, 3),
    jit=True,
)
def memory_given_back_and_taken_again(x, y, m, a):
    """Arrays are replaced on one path: another gets their memory, behind the last look at them."""
    u = np.concatenate([x, y])
    v = u * 0.5
    q = np.tanh(u + a)
    A = np.outer(x, y) + 0.3 * m
    B = np.zeros((3, 3))
    s = 0.3 * a
    rows = []
    B[1:-1, 1] += s
    v[1:-1] *= 0.7
    u = v
    q[1:-1] = q[2:]
    if rows:
        s += rows[-1][2]
    if q[2] > 0.219:
        A = B @ A
        v = np.zeros(6)
    return np.sum(v**2) + np.sum(q * u) + np.sum(np.tanh(A))


@program(normal(12), normal(3, 7), jit=True)
def smallest_of_partitions(x, m):
    """Which of the smallest stands where is left open; each has its own slope."""
    first, rows = np.partition(x, 4), np.partition(m, 2, axis=0)
    middle = np.partition(m, (1, 3))[:, 3]
    return np.sum(first[:4] ** 2) + first[4] ** 3 + np.sum(rows[2] ** 2) + np.sum(middle**3)


@program(normal(3, 3), normal(3, 3), 2, jit=True)
def product_in_place_of_a_matrix_in_a_list(a, c, k):
    held = [a, c]
    for _ in range(k):
        held.append(a * 1.0)
    held[0] = c @ c
    return np.sum(held[0] * held[k]) + np.sum(np.sin(a))


@program(normal(3, 3), normal(3), 2, jit=True)
def gains_in_lists_of_none(a, x, rounds):
    n, total = 3, 0.0
    for _ in range(rounds):
        cost, gain = [None] * (n + 1), [None] * n
        cost[n] = a @ a.T + np.eye(3)
        for k in range(n - 1, -1, -1):
            gain[k] = np.linalg.solve(cost[k + 1], a)
            cost[k] = np.eye(3) + 0.1 * (a.T @ cost[k + 1] @ (a - gain[k]))
        for k in range(n):
            x = 0.5 * x - 0.1 * (gain[k] @ x)
            total += x @ cost[k] @ x
    return total


@program(normal(4), jit=True)
def lists_of_none_that_are_asked(x):
    found, total = [None] * 4, 0.0
    for k in range(4):
        if x[k] > 0.0:
            found[k] = x * x[k]
    for k in range(4):
        if found[k] is not None:
            total += np.sum(found[k] ** 2)
    return total + np.sum(x)


@program(normal(4), second=True, jit=True)
def cotangents_that_begin_alike(x):
    a = x[0] * x[1] + x[2]
    b = a * x[1] + x[2]
    doubled = b * 2
    c = b + x[2]
    return a + b + doubled + (a + b + c) * x[3]


@program(normal(1, 3), normal(3), wrt=(0, 1), jit=True)
def centred_batch_of_one(x, mu):
    x = x - mu
    return np.sum(x * x * x)


@program(normal(1, 1), normal(1), jit=True)
def symmetric_matrix_of_one(A, v):
    A = A + A.T
    w = A @ v
    return w @ w + np.sum(A * A)


@program(3.0, 0.8, wrt=(0, 1), jit=True)
def half_a_step_and_half_of_it(x, dt):
    dt = dt / 2
    half = dt / 2
    return x * dt * half


@program(normal(4), 6, jit=True)
def middle_of_the_first_half(x, n):
    n = n // 2
    middle = n // 2
    return x[middle] ** 2 * n


@program(positive(6), normal(6), 2, wrt=(0, 1), jit=True)
def two_fields_and_one_speed(h, g, n):
    for _ in range(n):
        a = np.sum(h)
        p, q = 0.5 * a * h, 0.5 * a * g
        h[1:] -= p[1:] - p[:-1]
        g[1:] -= q[1:] - q[:-1]
    return np.sum(h * g)
