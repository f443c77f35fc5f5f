"""What loops collect and nobody reads, and arrays that are parts of others by how they are cut."""

import numpy as np

from programs.registry import normal, positive, program


@program(normal(6, 4), jit=True)
def householder_that_needs_no_q(A):
    m, n = A.shape
    R = A.copy()
    Q = np.eye(m)
    for k in range(n):
        x = R[k:, k]
        e = np.zeros_like(x)
        e[0] = np.copysign(np.linalg.norm(x), -A[k, k])
        u = x - e
        v = u / np.linalg.norm(u)
        R[k:, :] -= 2.0 * np.outer(v, v @ R[k:, :])
        Q[:, k:] -= 2.0 * np.outer(Q[:, k:] @ v, v)
    return np.sum(np.triu(R) ** 3)


@program(normal(5, 3), jit=True)
def householder_with_q(A):
    m, n = A.shape
    R = A.copy()
    Q = np.eye(m)
    for k in range(n):
        v = R[k:, k].copy()
        v[0] += np.copysign(np.linalg.norm(v), v[0])
        v /= np.linalg.norm(v)
        R[k:] -= 2.0 * np.outer(v, v @ R[k:])
        Q[:, k:] -= 2.0 * np.outer(Q[:, k:] @ v, v)
    return np.sum(np.sin(Q[:, :n]) * np.cos(R))


@program(normal(5), normal(5), wrt=(0, 1), jit=True)
def a_part_written_that_a_live_array_holds(x, w):
    y = x * w
    tail = y[2:]
    for k in range(3):
        tail *= w[2:] + k
        tail[0] += tail[1]
    return np.sum(y**2)


@program(normal(5), normal(5), wrt=(0, 1), jit=True)
def collected_and_never_read(x, w):
    seen = np.zeros(5)
    count = 0
    rows = []
    worst = 0.0
    total = 0.0
    for k in range(4):
        y = x * w + k
        seen += y * seen
        rows.append(y)
        rows.append(rows[-1] * 2.0)
        count += 1
        worst = max(worst, np.max(y))
        total += np.sum(y**2)
    return total


@program(normal(5), normal(5), wrt=(0, 1), jit=True)
def counted_for_the_next_turn(x, w):
    scale = np.ones(5)
    steps = 0
    total = 0.0
    while steps < 4:
        scale = scale * w
        total += np.sum(scale * x)
        steps += 1
        if total > 1e6:
            scale[:] = 0.0
    return total


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def held_in_a_list_and_written_there(x, w):
    a, b = x * 1.0, w * 1.0
    pair = [a, b]
    for k in range(3):
        for part in pair:
            part[1:] += part[:-1] * 0.5
        spare = pair[0]
        spare *= 0.9
    return np.sum(a * b)


@program(normal(3, 4), normal(4), wrt=(0, 1))
def kept_by_a_dict_and_an_alias(A, w):
    state = {"m": np.zeros(4), "v": np.zeros(4)}
    alias = state["v"]
    total = 0.0
    for row in A:
        state["m"] = 0.9 * state["m"] + row
        alias += row * w
        alias *= 0.5
        total += np.sum(state["v"] ** 2)
    return total


@program(normal(6, 5), positive(5), wrt=(0, 1), jit=True)
def parts_by_a_bound_that_moves(A, w):
    total = 0.0
    k = 1
    while k < 5:
        x = A[k:, k]
        y = np.exp(-x) * w[k - 1]
        total += np.sum(np.outer(y, w) * A[k:]) + np.sum(np.vstack([x, y]) @ A[k:])
        k += 1
        y = y[:-1] * x[1:]
        total += np.sum(y * A[k:, k - 1])
    return total


@program(normal(4, 4), normal(4), wrt=(0, 1), jit=True)
def elimination_by_outer_products(A, b):
    U = A + 8.0 * np.eye(4)
    y = b.copy()
    n = len(b)
    for k in range(n - 1):
        m = U[k + 1 :, k] / U[k, k]
        U[k + 1 :] = U[k + 1 :] - np.outer(m, U[k])
        y[k + 1 :] = y[k + 1 :] - m * y[k]
    return np.sum(U**2) + np.sum(np.sin(y))
