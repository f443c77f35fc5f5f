"""Lists that are read while loops fill them, and afterwards: compiled, they are arrays."""

from __future__ import annotations

import numpy as np

from programs.registry import normal, positive, program


@program(normal(5), normal(4), second=True, wrt=0, jit=True)
def legendre_polynomials(x, c):
    P = [np.ones_like(x), x]
    for k in range(2, len(c)):
        P.append(((2 * k - 1) * x * P[k - 1] - (k - 1) * P[k - 2]) / k)
    total = np.zeros_like(x)
    for k in range(len(c)):
        total = total + c[k] * P[k]
    return np.sum(total**2)


@program(normal(3), normal(3), second=True, wrt=0, jit=True)
def states_from_the_last_one(x0, w):
    xs = [x0]
    for t in range(6):
        xs.append(xs[-1] + 0.1 * (w * xs[-1] - xs[-1] ** 3))
    X = np.array(xs)
    return np.sum(X**2) + np.sum(xs[-1] * xs[-2])


@program(normal(2), normal(5), wrt=(0, 1), jit=True)
def two_lists_of_numbers(x, u):
    xs = [x[0]]
    vs = [x[1]]
    for t in range(len(u)):
        xs.append(xs[-1] + 0.1 * vs[-1])
        vs.append(vs[t] + 0.1 * (u[t] - xs[t + 1] - 0.1 * vs[t] * xs[t]))
    return np.mean(np.array(xs) ** 2) + vs[-1] ** 2 + len(vs) * vs[2]


@program(normal(4), normal(3, 4), wrt=(0, 1), jit=True)
def all_states_so_far(x, w):
    hs = [x]
    for l in range(w.shape[0]):
        h = hs[-1] * w[l]
        for j in range(len(hs)):
            h = h + 0.1 * hs[j] * (j + 1)
        hs.append(np.sin(h))
    return np.sum(hs[-1] ** 2)


@program(normal(4), normal(3, 4), wrt=(0, 1), jit=True)
def every_item_in_a_loop(x, w):
    hs = [x]
    for row in w:
        total = np.zeros(4)
        for h in hs:
            total += h * row
        hs.append(np.tanh(total))
    out = 0.0
    for k, h in enumerate(hs):
        out += (k + 1) * np.sum(h * x)
    return out


@program(normal(4, 4), jit=True)
def orthogonal_vectors(A):
    Q = []
    for k in range(3):
        v = A[:, k]
        for q in Q:
            v = v - np.dot(q, v) * q
        Q.append(v / np.linalg.norm(v))
    M = np.array(Q)
    return np.sum(M * A[:3]) + np.sum(Q[1] * A[3])


@program(normal(4, 4), jit=True)
def orthogonal_vectors_by_places(A):
    Q = []
    for k in range(4):
        v = A[k].copy()
        for j in range(k):
            v -= np.dot(Q[j], A[k]) * Q[j]
        Q.append(v / np.sqrt(np.sum(v**2)))
    return np.sum(np.stack(Q, axis=1) * A)


@program(normal(2), 6, jit=True)
def fibonacci_like(x, n):
    a = [x[0], x[1]]
    for i in range(n):
        a.append(0.5 * a[-1] + np.sin(a[-2]))
    s = 0.0
    for v in a:
        s += v * v
    return s


@program(normal(2), 0, jit=True)
def as_many_as_none(x, n):
    a = [x[0], x[1]]
    for i in range(n):
        a.append(0.5 * a[-1] + np.sin(a[-2]))
    return a[-1] * a[0] + sum(a)


@program(normal(5, 6), jit=True)
def patches_of_two_loops(x):
    patches = []
    for i in range(x.shape[0] - 1):
        for j in range(x.shape[1] - 2):
            patches.append(x[i : i + 2, j : j + 3].ravel() * (i + 2 * j))
    M = np.array(patches)
    return np.sum(np.sin(M) * M[:, :1])


@program(normal(3), normal(4), wrt=(0, 1), jit=True)
def read_in_two_loops(x, y):
    s = [x[0]]
    for a in x:
        for b in y:
            s.append(s[-1] * 0.9 + a * b)
        s.append(s[-2] * a)
    return np.sum(np.array(s) ** 2) + s[3]


@program(normal(4), jit=True)
def items_from_either_end(x):
    f = [x, x * x]
    for k in range(2, 5):
        f.append(f[k - 2] * np.cos(f[-1]) + f[0] * f[1])
    g = np.zeros(4)
    for k in range(len(f)):
        g += f[-k - 1] * (k + 1)
    return np.sum(g * f[3])


@program(normal(4), jit=True)
def counted_from_behind(x):
    f = [x, x * x]
    for k in range(3):
        f.append(f[-k - 1] * np.cos(f[-1]))
    return np.sum(f[-1] * f[2])


@program(normal(4), jit=True)
def last_but_one_of_one(x):
    f = [x]
    for k in range(3):
        prev = f[k - 1] if k > 0 else x * 2.0
        f.append(prev * np.cos(f[-1]))
    return np.sum(f[-1] * f[2])


@program(normal(4), jit=True)
def item_that_is_changed(x):
    f = [x.copy()]
    for k in range(3):
        last = f[-1]
        f.append(last * np.cos(x))
        last += x * k
    return np.sum(f[-1] * f[2]) + np.sum(f[0] ** 2)


@program(normal(4), jit=True)
def array_of_them_is_changed(x):
    f = [x]
    for k in range(3):
        f.append(f[-1] * np.cos(x))
    table = np.array(f)
    table[1] *= 3.0
    return np.sum(table**2) + np.sum(f[1] * f[3])


@program(normal(4), jit=True)
def view_of_them_is_changed(x):
    f = [x]
    for k in range(3):
        f.append(f[-1] * np.cos(x))
    table = np.array(f).T
    table[1] *= 3.0
    first = table[0]
    first += 1.0
    return np.sum(table**2) + np.sum(f[1] * f[3])


@program(normal(4), jit=True)
def more_after_an_array_was_made(x):
    f = [x]
    for k in range(2):
        f.append(f[-1] * np.cos(x))
    first = np.array(f)
    f.append(first[1] * 2.0)
    for k in range(2):
        f.append(f[-1] + f[0] * k)
    return np.sum(first**2) + np.sum(np.array(f) ** 2) + np.sum(f[2] * f[4])


@program(normal(4), jit=True)
def taken_when_a_run_says(x):
    f = [x]
    for k in range(5):
        f.append(f[-1] * np.cos(x))
        if np.sum(f[-1]) > 0.5:
            f.append(x)
    return np.sum(f[-1] * f[2])


@program(normal(4), jit=True)
def ended_when_a_run_says(x):
    f = [x]
    for k in range(5):
        f.append(f[-1] * np.cos(x))
        if np.sum(f[-1] ** 2) < 0.5:
            break
    return np.sum(f[-1] * f[1]) + len(f) * np.sum(f[-2])


@program(normal(4), jit=True)
def carried_and_begun_again(x):
    out = 0.0
    f = [x]
    for r in range(2):
        for k in range(2):
            f.append(f[-1] * np.cos(x) + r)
        out += np.sum(f[-1] * f[1])
        f = [f[-1], f[-2]]
    return out + np.sum(f[0])


@program(normal(4), jit=True)
def begun_in_each_turn(x):
    out = 0.0
    for r in range(3):
        f = [x * r]
        for k in range(2):
            f.append(f[-1] * np.cos(x) + r)
        out += np.sum(f[-1] * f[1]) + np.sum(np.array(f)[:, 0])
    return out


@program(normal(4), jit=True)
def slices_of_the_list(x):
    f = [x[0]]
    for v in x:
        f.append(f[-1] * 0.5 + v)
    out = 0.0
    for a, b in zip(f[:-1], f[1:]):
        out += a * b
    for a, b in zip(f, x):
        out += a * b * b
    return out + sum(f[2:]) + max(f)


@program(normal(3), normal(4), wrt=(0, 1), jit=True)
def lists_in_a_list(x, y):
    rows = []
    for a in x:
        row = []
        for b in y:
            row.append(np.exp(-((a - b) ** 2)))
        rows.append(row)
    K = np.array(rows)
    return np.sum(K @ y) + rows[1][2] * rows[-1][0]


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def table_by_lists_of_lists(x, y):
    D = [[0.0] * (len(y) + 1) for _ in range(len(x) + 1)]
    for i in range(1, len(x) + 1):
        for j in range(1, len(y) + 1):
            c = (x[i - 1] - y[j - 1]) ** 2
            D[i][j] = c + 0.3 * D[i - 1][j] + 0.4 * D[i][j - 1] + 0.2 * D[i - 1][j - 1]
    return D[-1][-1]


@program(positive(3), normal(5), wrt=(0, 1), jit=True)
def garch_with_lists(theta, r):
    var = [np.var(r)]
    for t in range(1, len(r)):
        var.append(theta[0] + theta[1] * r[t - 1] ** 2 + theta[2] * var[t - 1])
    v = np.array(var)
    return np.sum(np.log(v) + r**2 / v)


@program(normal(3), jit=True)
def integers_beside(x):
    steps = [0]
    f = [x]
    for k in range(3):
        steps.append(steps[-1] + k)
        f.append(f[-1] * steps[-1] + x)
    return np.sum(f[-1]) * steps[2]


@program(normal(3), jit=True)
def an_item_that_is_a_view(x):
    y = x * 2.0
    f = [y[:2]]
    for k in range(2):
        f.append(f[-1][::-1] * x[k])
    y[0] = 5.0 * x[1]
    return np.sum(f[0] * f[-1]) + y[0]


@program(normal(4), normal(3), wrt=(0, 1), jit=True)
def neighbours_in_the_whole_list(x, w):
    f = [x]
    for k in range(len(w)):
        f.append(np.sin(f[-1]) * w[k])
    total = 0.0
    for i in range(1, len(f)):
        total += np.sum(f[i] * f[i - 1])
    for i in range(len(f) - 1):
        total += np.sum(f[i + 1] - f[i]) * i
    for i in range(len(w)):
        total += w[i] * f[i][0] * f[i + 1][1]
    return total


@program(normal(4), normal(3), wrt=(0, 1), jit=True)
def at_the_place_of_the_largest(x, w):
    f = [x[0]]
    for v in w:
        f.append(0.5 * f[-1] + v * x[1])
    k = int(np.argmax(np.array(f)))
    return f[k] ** 2 + f[k - 1] * x[2] + f[-k]


@program(normal(4), jit=True)
def two_arrays_of_one_list(x):
    f = []
    for v in x:
        f.append(v * v)
    a, b = np.array(f), np.array(f)
    a[0] *= 3.0
    a[1] = b[2]
    return np.sum(a**2 * b) + b[0]


@program(normal(4), jit=True)
def an_array_of_it_in_each_turn(x):
    f = []
    for v in x:
        f.append(v * x)
    total = 0.0
    for k in range(3):
        M = np.array(f)
        M[k] *= 2.0
        M += x
        total += np.sum(M**2) * (k + 1)
    return total
