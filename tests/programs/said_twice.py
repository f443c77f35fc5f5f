"""Values that code computes twice, with changes in between or without; losses over batches."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from programs.registry import normal, positive, program


@program(normal(5, 3), normal(4, 5), normal(4, 3), wrt=(0, 2), jit=True)
def softmax_spelled_out(w, x, t):
    z = x @ w
    z = z - z.max(axis=1, keepdims=True)
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    return -np.mean(np.sum(t * np.log(p), axis=1))


@program(normal(4), normal(4), wrt=(0, 1))
def written_in_between(x, w):
    y = x * 1.0
    a = np.exp(y) * w
    y[1] = w[1]
    b = np.exp(y) * w
    v = y[:2]
    v *= 2.0
    return np.sum(a * b) + np.sum(np.exp(y) * np.exp(y))


@program(normal(4), normal(4), wrt=(0, 1))
def bound_anew_in_between(x, w):
    a = np.sin(x) * np.cos(w)
    x = x * w
    b = np.sin(x) * np.cos(w)
    for k in range(2):
        a = a * np.sin(x) + k
        x = x + np.sin(x) * 0.5
    return np.sum(a * b * np.sin(x))


@program(normal(4), normal(4), wrt=(0, 1))
def in_one_branch_only(x, w):
    if x[0] > -10:
        y = np.exp(x) * w
    else:
        y = np.exp(x)
    return np.sum(y * np.exp(x) * np.exp(w)) + np.sum(np.exp(w) ** 2)


@program(normal(4))
def one_decides_the_other_counts(x):
    longest = max(np.sqrt(np.sum(x**2)), 0.5)
    if longest > 100:
        return np.sum(x)
    return np.sqrt(np.sum(x**2)) * np.sum(np.sqrt(np.sum(x**2)) + x)


@program(normal(4), normal(4), wrt=(0, 1))
def a_name_of_the_users_holds_it(x, w):
    e = np.exp(x)
    total = np.sum(e * w)
    e = e * 2.0
    return total * np.sum(np.exp(x) * e) / np.sum(np.exp(x))


@program(normal(4, 3), normal(4, 3), wrt=(0, 1), jit=True)
def means_of_sums(x, t):
    residual = x - np.sin(t)
    return np.mean(np.sum(residual**2, axis=1)) - np.sum(np.mean(x * t, axis=0))


@program(normal(4, 3, 2), normal(4, 3, 2), wrt=(0, 1))
def sums_of_means_of_sums(x, t):
    rows = np.sum(x * t, axis=(0, 2), keepdims=True)
    return np.sum(np.mean(rows * x, axis=1)) + np.mean(np.sum(np.exp(x), axis=-1))


@program(normal(4, 3), normal(3, 3), wrt=(0, 1), jit=True)
def forward_algorithm(scores, moves):
    a = scores[0]
    for t in range(1, len(scores)):
        a = logsumexp(a[:, None] + moves, axis=0) + scores[t]
    return logsumexp(a)


@program(normal(4, 3), normal(4, 3), wrt=(0, 1))
def logsumexp_along_axes(x, t):
    rows = x - logsumexp(x, axis=1)[:, None]
    columns = x - logsumexp(x, axis=0, keepdims=True)
    masked = np.where(x > 0.3, x, -np.inf)
    return np.sum(rows * t) + np.sum(columns * t) + logsumexp(masked) * logsumexp(x[:, 0])


@program(positive(3), normal(6), wrt=0)
def parameters_unpacked(p, data):
    scale, shift, power = p
    total = 0.0
    for v in data:
        total += scale * np.abs(v - shift) ** power
    return total


@program(normal(2), normal(2), wrt=(0, 1))
def parameters_by_number(p, q):
    a = p[0] * q[1]
    return np.sin(a) * p[1] + p[0] * q[0]


@program(normal(3, 3))
def determinant_and_inverse(a):
    s = a @ a.T + np.eye(3)
    _, size = np.linalg.slogdet(s)
    return size + np.sum(np.linalg.inv(s)) + 2.0 * np.linalg.slogdet(s)[1] ** 2


@program(normal(6, 2))
def pairs_of_neighbours(pos):
    energy = 0.0
    for i, j in [(0, 1), (1, 2), (2, 3), (3, 0), (5, 4)]:
        gap = np.linalg.norm(pos[i] - pos[j])
        energy += (gap - 1.0) ** 2
    return energy


@program(normal(6, 2), [(0, 1), (1, 2), (2, 3), (3, 0), (5, 4)])
def pairs_from_outside(pos, pairs):
    energy = 0.0
    for i, j in pairs:
        gap = np.linalg.norm(pos[i] - pos[j])
        i, j = j, i
        energy += (gap - 1.0) ** 2 * pos[i, 0]
    return energy


@program(normal(5), normal(5), wrt=(0, 1))
def running_sums(x, w):
    s = np.cumsum(x * w)
    return np.sum(s * np.cumsum(x)) + np.cumsum(w)[-1]


@program(1.1, 0.3, normal(2), wrt=(0, 1, 2))
def states_in_a_list(a, b, y):
    states = []
    for _ in range(4):
        y = y + 0.1 * np.array([a * y[0] - b * y[0] * y[1], -y[1] + b * y[0] * y[1]])
        states.append(y)
    states = np.array(states)
    return np.sum((states - 1.0) ** 2)


@program(normal(4), normal(4), wrt=(0, 1))
def zero_by_number(x, w):
    for k in range(3):
        v = x * w[k]
        x = np.tanh(v)
    return np.sum(v * x)


@program(normal(2, 5, 3), normal(2, 4, 3), wrt=(0, 1), jit=True)
def contractions(x, w):
    scores = np.einsum("bij,bkj->bik", x, w)
    return np.sum(np.einsum("bik,bkj->bij", np.tanh(scores), w) ** 2)


@program(normal(2, 3), normal(3, 4), normal(4, 5), wrt=(0, 1, 2))
def contractions_of_three(a, b, c):
    outer = np.einsum("ij,k->ik", a, c[0])
    whole = np.einsum("ij,ij->", a, a)
    return np.sum(np.einsum("ij,jk,kl->il", a, b, c) ** 3) + np.sum(outer**2) * whole


@program(positive(4), second=True, jit=True)
def one_slope_for_two(z):
    a = np.sin(z)
    b = np.cos(z)
    return np.sum(np.exp(a + b) + a / z + b / z)


@program(positive(3), positive(3), positive(3), wrt=(0, 1, 2), jit=True)
def one_slope_for_two_arguments(z, a, b):
    return np.sum(np.exp(a + b) + a / z + b / z)


@program(positive(3), second=True, jit=True)
def one_solution_for_two(z):
    m = np.outer(z, z) + np.eye(3)
    a, b = np.sin(z), np.cos(z)
    e = np.exp(a + b)
    return np.sum(e * (np.linalg.solve(m, a) + np.linalg.solve(m, b)))


@program(positive(3), second=True, jit=True)
def one_slope_in_three_sums(z):
    a, b = np.sin(z), np.cos(z)
    e = np.exp(a + b)
    total = e * (a / np.sum(z) + b / np.sum(z))
    total += e * (np.cumsum(a / z) + np.cumsum(b / z))
    return np.sum(total + e * (a / z[0] + b / z[0]))


@program(normal(4), second=True)
def a_sum_to_all_entries_then_to_one(x):
    u = x
    w = np.sin(x)
    w[2] = u[0]
    return np.sum(u * np.arange(1.0, 5.0)) + w @ x + np.sum(u) ** 2
