"""Arrays that loops carry on: bound anew in every step, while other names may hold the old ones."""

from __future__ import annotations

import numpy as np

from .registry import normal, positive, program


@program(normal(2, 3, 5), positive(2, 3, 5), wrt=(0, 1), jit=True)
def columns_substituted_back(a, c):
    d = np.zeros(a.shape)
    d[:, :, 0] = a[:, :, 0] * c[:, :, 0]
    for k in range(1, 5):
        d[:, :, k] = (a[:, :, k] - d[:, :, k - 1] * c[:, :, k]) * c[:, :, k - 1]
    out = np.zeros(a.shape)
    x = d[:, :, -1]
    out[:, :, -1] = np.sin(x)
    for k in range(3, -1, -1):
        x = d[:, :, k] - c[:, :, k] * x
        out[:, :, k] = x * a[:, :, k]
    return np.sum(out)


@program(normal(4, 3), normal(3), wrt=(0, 1), jit=True)
def view_whose_base_is_written_while_it_is_read(a, w):
    d = a.copy()
    d[0] *= 2.0
    v = d[1]
    total = 0.0
    for k in range(3):
        d[1] = d[1] * w[k]
        total += np.sum(v * v * a[k])
        v = d[k] * 2.0
    return total + np.sum(d**3)


@program(normal(4, 3), normal(3), wrt=(0, 1), jit=True)
def view_that_is_written_before_it_is_bound_anew(a, w):
    d = a * 1.0
    v = d[2]
    for k in range(3):
        v *= w
        d[3] += v * d[k]
        v = d[k] * w[k]
    return np.sum(d * d) + np.sum(v)


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def steps_of_which_the_last_is_held(x, w):
    u = x * 1.0
    before = u
    total = 0.0
    for _ in range(3):
        before = u
        u = u * w + np.sin(before)
        total += np.sum(before * u)
    return total + np.sum(u**2) + np.sum(before)


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def steps_kept_in_a_list(x, w):
    u = x * 1.0
    steps = [u]
    for _ in range(3):
        u = u * u * 0.3 + w
        steps.append(u)
    total = 0.0
    for v in steps:
        total += np.sum(v * w)
    return total


@program(normal(5), normal(5), wrt=(0, 1), jit=True)
def steps_turned_round(x, w):
    u = x + w
    for k in range(4):
        u = u[::-1] * w + x * u[k]
    return np.sum(u**2)


@program(normal(5), normal(5), wrt=(0, 1), jit=True)
def steps_on_one_path_only(x, w):
    u = x + w
    v = np.zeros(5)
    for k in range(4):
        if x[k] > 0.0:
            v = u * w
            u = v + np.cos(u)
        else:
            u = u * 0.5 - v
    return np.sum(u * v)


@program(normal(3), normal(3), wrt=(0, 1), jit=True)
def steps_that_change_places(x, w):
    u, v = x * 1.0, w * 1.0
    for _ in range(3):
        u, v = v, u * v + x
    return np.sum(u * v**2)


@program(normal(3, 3), jit=True)
def rows_handed_on(a):
    total = 0.0
    row = a[0] * 2.0
    for k in range(3):
        held = row
        row = a[k] * held + np.sum(held)
        if total < 3.0:
            total += np.sum(held * a[k])
    return total + np.sum(row)


@program(normal(4), positive(4), wrt=(0, 1), jit=True)
def added_to_in_place_in_each_step(x, w):
    total = 0.0
    for k in range(3):
        flux = x * w[k]
        flux -= np.sin(x) * w
        flux += x[k] * w
        total += np.sum(flux**2)
    return total


@program(normal(4, 5), normal(4, 5), wrt=(0, 1), jit=True)
def pressure_of_which_only_the_lengths_are_kept(p0, b):
    p = p0.copy()
    for _ in range(2):
        for _ in range(3):
            before = p.copy()
            p[1:-1, 1:-1] = (
                before[1:-1, 2:] + before[1:-1, :-2] + before[2:, 1:-1] + before[:-2, 1:-1]
            ) * 0.25 - b[1:-1, 1:-1]
            p[:, -1] = p[:, -2]
            p[0, :] = p[1, :]
            p[:, 0] = p[:, 1]
            p[-1, :] = 0.0
    return np.sum(p * p)


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def lengths_of_pairs_one_by_one(x, y):
    out = np.zeros(4)
    for i in range(4):
        length = np.hypot(x[i], y[i])
        out[i] = np.where(length > 1.0, length, x[i] * y[i]) * np.exp(-length)
    return np.sum(out)


@program(normal(4, 3), normal(3), normal(4), wrt=(0, 1, 2), jit=True)
def one_matrix_in_many_products(a, x, y):
    u = a @ x
    v = y @ a
    w = np.dot(a.T, u) + np.sum(a, axis=0)
    return np.sum(u * u) + np.sum(v * w) + np.sum(a @ v)


@program(normal(3, 3), normal(3), wrt=(0, 1), jit=True)
def one_matrix_in_products_that_follow_each_other(a, x):
    total = 0.0
    for _ in range(3):
        u = a @ x
        x = np.tanh(u @ a)
        total += np.sum(u)
    return total + np.sum(np.dot(a, x))


@program(normal(5, 6), normal(3, 4), wrt=(0, 1), jit=True)
def fluxes_of_two_kinds(u0, w):
    u = u0.copy()
    for _ in range(2):
        along = u[1:-1, 2:] + u[1:-1, :-2] - 2.0 * u[1:-1, 1:-1]
        across = u[2:, 1:-1] + u[:-2, 1:-1] - 2.0 * u[1:-1, 1:-1]
        u[1:-1, 1:-1] += w * along - 0.5 * across
    return np.sum(u**2)


@program(normal(8), normal(6), normal(6), wrt=(0, 1, 2), jit=True)
def neighbours_with_signs(u0, v, w):
    u = u0.copy()
    for k in range(3):
        slope = np.sin(u[2:] - u[:-2]) * v
        bend = np.cos(u[1:-1] - u[:-2]) * w
        u[1:-1] -= slope + bend * u[2:] * (k + 1.0)
    return np.sum(u**2)


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def names_of_names_that_move_on(x, w):
    u = x * 1.0
    total = 0.0
    for k in range(3):
        a = u
        b = a
        u = u * w + np.sin(a)
        c = b
        total += np.sum(c * u) * w[k]
        if total > 0.0:
            u = u * 0.5 + c
        d = u
        u = np.cos(d) * b
    return total + np.sum(u**2)


@program(normal(4, 4), jit=True)
def shortest_ways(a):
    path = a * a
    for k in range(4):
        path = np.minimum(path, path[:, k][:, None] + path[k, :][None, :])
    return np.sum(path * a)


@program(np.array([[0.7, -0.3, 1.2], [0.4, 0.6, -0.2], [0.1, 0.2, 0.3]]), second=True)
def lists_shortened_and_replaced(m):
    """A list is popped from on some paths, and replaced by one of another length behind that."""
    parts, s = [m[1, 1] * 0.5, m[2, 2]], 0.0
    for _, (_, t) in enumerate(zip(m - m.mean(axis=0), np.roll(m[0], 1), strict=True)):
        s = s + (parts.pop(0) if len(parts) > 1 else t)
        parts = [0.5 * e for e in m[0]]
    more = [m[0, 1] * 0.5, m[1, 1]]
    if len(parts) % 2 == 1:
        s = s * (more.pop(0) if len(more) > 1 else s)
        more = [0.5 * e for e in m.mean(axis=1)]
    return sum(more) * parts[0] + s


@program(np.array([[0.7, -0.3, 1.2], [0.4, 0.6, -0.2], [0.1, 0.2, 0.3]]), second=True, jit=True)
def results_over_what_they_were_made_of(m):
    """`y, x = np.modf(... y ...)`; a result that is used beside one that is not; np.cross."""
    x, y = m[0], m[1]
    z, total = x * y, 0.0
    for _ in range(2):
        y, x = np.modf(2.31 * y * 0.5 * np.sum(z))
        b, v = np.linalg.eigh(0.2 * np.tanh(m + m.T) + np.diag([1.0, 2.1, 4.3]))
        b[:] = np.tanh(v @ b)
        p, q = np.split(np.concatenate([np.tanh(np.prod(v, axis=1)), x.copy()]), 2)
    weighted = np.cross(m[0], m[1]) * [0.4, 1.3, 0.7]
    i = np.interp(z, [-1.0, 0.1, 1.3], np.sort(m[2]))
    total += np.sum(np.tanh(np.multiply.outer(i, b)) ** 2)
    return total + np.sum(y) + b[np.argsort(z)][0] + np.sum(weighted) + (m[1, 0] * 0.5 + m[2, 0])


@program(normal(4), second=True)
def popped_into_a_name_that_is_read_before(x):
    stack, item, table, held = [], x * 0.5, {}, x[1]
    slots = [None, 1.0]
    for k in range(3):
        stack.append(item)
        item = x * len(stack)
        table[k] = held
        held = held * x[2]
        slots[0] = held * item
    total = 0.0
    for k in range(3):
        total = total + np.sum(item**2) * (1 + total) + held**2 * np.sum(slots[0])
        item = stack.pop()
        held = table.pop(2 - k)
        slots[0] = item * held
    return total


@program(np.array([[0.7, -0.3, 1.2], [0.4, 0.6, -0.2], [0.1, 0.2, 0.3]]), second=True)
def arrays_exchanged_with_new_ones(m):
    """`a, v = 0.6 * a, a - ...`, where the arrays are written in place under several names."""
    x, y = m[0], m[1]
    z = x * y
    a, v = np.meshgrid(y.copy(), x * np.linalg.norm(y))
    if np.abs(x[0]) > 0.31:
        a = np.stack([np.tanh(np.prod(v, axis=1)), np.tanh(z), a[:, 1]], axis=1)
    for _ in z:
        a *= 0.6
        a, v = 0.6 * a, a - v.mean(axis=1, keepdims=True)
    total = np.sum(np.einsum("ij,kj->ik", v, m)[2] * 0.3)
    u, b = np.outer(x, y) * 0.4, 0.3 * m
    u = b - u.mean(axis=0, keepdims=True)
    if 0.0 < m[0, 0] < 0.731:
        wide = np.interp(x, [-1.0, 0.1, 1.3], np.sort(y))
        b, u = np.diff(np.pad(u, 1)[:, 1:], axis=0)[:3, :3], np.diag(wide)
    for _ in range(2):
        b, u = u - u.mean(axis=-1, keepdims=True), np.kron(y[:1], b)
        b, u = np.gradient(u)
    return total + np.mean(b) + np.mean(u**2)


@program(np.array([[0.7, -0.3, 1.2], [0.4, 0.6, -0.2], [0.1, 0.2, 0.3]]), second=True, jit=True)
def real_arrays_written_that_turn_complex(m):
    """Arrays are written in place before (and after) their name holds complex ones."""
    c, b, e = m[1] * 1.0, 0.3 * m[0], (m[2] * 1.0).real
    c[1:] *= b[1:]
    np.add.at(c, [0, 0, 1], b)
    e *= np.mean(m)
    for _ in range(2):
        c = np.exp(0.7j * m[1]) * c[0]
        e = np.fft.ifft(e)
        d = m[1] * 0.5 + 0.1j
        d[1:] *= m[1, 1:]
        d = d.real if m[0, 0] > 5.0 else d
    return np.sum(c * [1.0, 0.3, 0.6]).real + np.sum(np.abs(e) ** 2) + 2.0 * np.sum(d).imag


@program(np.array([[0.7, -0.3, 1.2], [0.4, 0.6, -0.2], [0.1, 0.2, 0.3]]), second=True, jit=True)
def decompositions_written_by_rows(m):
    """What a call made is written under other names, and needed as it was for its pullback."""
    total, x, t = 0.0, m[0] * 1.0, -1.0
    while t < 0.5:
        t = t + 0.31
        for _, (x, s) in enumerate(
            zip(
                np.linalg.cholesky(0.2 * np.tanh(m + m.T) + np.diag([1.0, 2.1, 4.3])),
                np.cumsum(m[2]),
                strict=True,
            )
        ):
            x[2] = m[1, 2] * s
    y = m * 1.0
    for k in range(2):
        e = np.linalg.inv(y + np.diag([3.0, 6.3, 12.9]))
        r, q = e[0], e.T
        r *= m[1]
        q[1] += r
        y = np.exp(e) * m
        y[0] = r
        total += np.sum(y) + k * x[1]
    return total + np.sum(x * [0.4, 1.3, 0.7])


@program(np.array([[0.7, -0.3, 1.2], [0.4, 0.6, -0.2], [0.1, 0.2, 0.3]]), 2, second=True)
def tests_of_a_counter_bound_again(m, n):
    """A branch is undone by what an earlier loop's counter was, though later loops count on."""
    b, y, v = 0.3 * m[0], m[1], np.outer(m[1], m[2])
    for k in range(2):
        y = np.concatenate([b, np.flip(y)])[:3]
    for b in v:
        if k == 1:
            continue
    for k in range(n + 1):
        v = v * 1.0
    for b in m:
        if k == 1:
            continue
    b[2] = np.mean(m)
    return np.sum(y) + np.sum(b**2) * np.sum(v)
