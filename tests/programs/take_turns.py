"""Buffers that take turns: what one name holds now is written through another one later."""

import numpy as np

from programs.registry import normal, positive, program


@program(normal(7), positive(7), wrt=(0, 1), jit=True)
def three_levels_in_turn(u0, c):
    un, u, up = u0.copy(), u0.copy(), np.zeros_like(u0)
    for _ in range(5):
        up[1:-1] = 2 * u[1:-1] - un[1:-1] + c[1:-1] ** 2 * (u[2:] + u[:-2] - 2 * u[1:-1]) * u[1:-1]
        un, u, up = u, up, un
    return np.sum(u**2) + np.sum(un * up)


@program(normal(7), jit=True, second=True)
def three_levels_twice_differentiated(u0):
    un, u, up = u0.copy(), u0.copy(), np.zeros_like(u0)
    for _ in range(4):
        up[1:-1] = np.sin(u[1:-1]) - un[1:-1] + u[2:] * u[:-2]
        un, u, up = u, up, un
    return np.sum(u**2)


@program(normal(7), positive(7), wrt=(0, 1), jit=True)
def two_in_turn_by_a_third_name(u0, c):
    a, b = u0 * 1.0, np.zeros(7)
    total = 0.0
    for k in range(6):
        b[1:-1] = np.sin(a[2:] * c[1:-1]) + a[:-2] * a[1:-1]
        b[0] = a[0] ** 2
        total += np.sum(b) * k
        spare = a
        a = b
        b = spare
    return total + np.sum(a * c)


@program(normal(6), positive(6), wrt=(0, 1), jit=True)
def in_turn_on_a_path_only(u0, c):
    a, b = u0 * 1.0, u0 * 0.5
    for k in range(6):
        b[1:] = a[:-1] * a[1:] * c[1:]
        if k % 3 != 1:
            a, b = b, a
        else:
            a[0] = b[1] * 2.0
    return np.sum(a**2) + np.sum(b * c)


@program(normal(6), positive(6), wrt=(0, 1), jit=True)
def in_turn_until_it_is_small(u0, c):
    a, b = u0.copy(), np.zeros_like(u0)
    steps = 0
    while np.sum(a**2) > 1e-3 and steps < 9:
        b[:] = 0.4 * a * np.cos(a * c)
        b[1:] += 0.1 * a[:-1] ** 2
        a, b = b, a
        steps += 1
        if a[0] > 1e3:
            break
    return np.sum(a * c) + np.sum(b)


@program(normal(6), positive(6), wrt=(0, 1))
def in_turn_with_a_history(u0, c):
    a, b = u0.copy(), np.zeros(6)
    history = []
    for k in range(5):
        b[:] = a * a * c + k
        history.append(a)
        a, b = b, a
    return np.sum(a) + sum(np.sum(h**2) * (i + 1) for i, h in enumerate(history))


@program(normal(6), positive(6), wrt=(0, 1), jit=True)
def in_turn_beside_a_view(u0, c):
    a, b = u0.copy(), np.zeros(6)
    total = 0.0
    for k in range(5):
        tail = a[3:]
        b[:] = a**2 * c
        total += np.sum(tail * b[:3])
        a, b = b, a
        total += np.sum(tail**2)
        tail *= 0.5
    return total + np.sum(a * b)


@program(normal(5), positive(5), wrt=(0, 1), jit=True)
def in_turn_entry_by_entry(u0, c):
    a, b = u0.copy(), np.zeros(5)
    for k in range(4):
        for i in range(5):
            b[i] = a[i] * a[i - 1] * c[i] + c[i]
            if i > 2:
                b[i] += b[i - 1] * a[i]
        a, b = b, a
    return np.sum(a**2)


@program(normal(5), positive(5), wrt=(0, 1), jit=True)
def in_turn_with_a_small_write(u0, c):
    a, b = u0.copy(), u0 * c
    total = 0.0
    for k in range(5):
        a[0] = np.sum(b**2) * 0.1
        total += np.sum(a**3)
        a, b = b, a
    return total


@program(normal(4, 5), positive(5), wrt=(0, 1), jit=True)
def rows_in_turn_of_one_array(A, c):
    buffers = A.copy()
    a, b = buffers[0], buffers[1]
    for k in range(4):
        b[:] = a**2 * c + b
        a, b = b, a
    return np.sum(buffers**2) + np.sum(a * c)


@program(normal(5), positive(5), wrt=(0, 1))
def in_turn_in_an_object(u0, c):
    state = {"now": u0.copy(), "old": np.zeros(5)}
    for k in range(4):
        state["old"][:] = 2 * state["now"] ** 2 * c - state["old"]
        state["now"], state["old"] = state["old"], state["now"]
    return np.sum(state["now"] ** 2) + np.sum(state["old"])


@program(normal(5), normal(5), wrt=(0, 1), jit=True)
def arguments_in_turn(a, b):
    total = 0.0
    for k in range(4):
        b[1:] += a[:-1] ** 2
        total += np.sum(a * b)
        a, b = b, a
    return total


@program(normal(3, 4), positive(4), wrt=(0, 1), jit=True)
def in_turn_inside_of_rows(A, c):
    total = 0.0
    for row in A:
        a, b = row.copy(), np.zeros(4)
        for k in range(3):
            b[:] = a[::-1] * a * c
            a, b = b, a
        total += np.sum(a**2) + b[0]
    return total


@program(normal(4, 4), positive(4, 4), wrt=(0, 1), jit=True)
def levels_in_turn_with_edges(u0, c):
    u, v = u0.copy(), np.zeros_like(u0)
    for k in range(4):
        v[1:-1, 1:-1] = c[1:-1, 1:-1] * u[1:-1, 1:-1] * (u[2:, 1:-1] + u[1:-1, :-2])
        v[0, :] = v[1, :]
        v[:, -1] = u[:, -2] * 0.5
        v, u = u, v
    return np.sum(u**2) + np.sum(v * c)
