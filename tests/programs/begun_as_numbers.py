"""Numbers that become arrays in a loop: what is summed, multiplied or smoothed."""

import numpy as np

from programs.registry import normal, program


@program(normal(4, 3), second=True)
def iadd(A):
    s = 0.0
    for r in A:
        s += r * r
    return (s**3).sum()


@program(normal(4, 3), second=True)
def prev_alias(A):
    s = 0.0
    d = 0.0
    for r in A:
        prev = s
        s = s + r
        d = d + (s - prev) ** 2 * s
    return d.sum()


@program(normal(4, 3), second=True)
def prev_inplace(A):
    s = 0.0
    d = 0.0
    for r in A:
        prev = s
        s += r
        d += np.sum((s - prev) ** 2 * s) + np.sum(s)
    return d


@program(normal(4, 3), second=True)
def sum_in_first(A):
    s = 1.0
    t = 0.0
    for r in A:
        t += np.sum(s) * r[0]
        s = s * r
    return t + s.sum()


@program(normal(4, 3), second=True)
def append(A):
    s = 0.0
    out = []
    for r in A:
        out.append(s)
        s = s + r * r
    return sum((o * o for o in out[1:])).sum() + s.sum()


@program(normal(4, 3), second=True)
def left_by_break(A):
    s = 0.0
    for k, r in enumerate(A):
        if k == 2:
            break
        s = s + r**2
    return np.sum(s)


@program(normal(4, 3), second=True)
def break_first(A):
    s = 2.0
    for r in A:
        if r[0] > -100:
            break
        s = s + r**2
    return np.sum(s * A[0, 0])


@program(normal(4, 3), second=True)
def skipped_by_continue(A):
    s = 2.0
    for r in A:
        if r[0] > 0:
            continue
        s = s + r**2
    return np.sum(s * A[0])


@program(normal(4, 3), second=True)
def nested(A):
    s = 0
    for r in A:
        for c in A:
            s = s + r * c**2
    return np.sum(s**2)


@program(normal(4, 3), second=True)
def nested_inner(A):
    t = 0.0
    for r in A:
        s = 0.0
        for c in A:
            s += r * c
        t = t + s**2
    return t.mean()


@program(normal(4, 3), 3, second=True)
def counted(A, n):
    s = 0.0
    for k in range(n):
        s = s + A[k] ** 2
    return np.sum(s) * A[0, 0]


@program(normal(4, 3), 0, second=True)
def counted_to_zero(A, n):
    s = 0.5
    for k in range(n):
        s = s + A[k] ** 2
    return np.sum(s) * A[0, 0]


@program(normal(4, 3), second=True)
def prod(A):
    s = 1.0
    for r in A:
        s = s * r
    return s.sum()


@program(normal(4, 3), second=True)
def two(A):
    s = 1.0
    t = 0.0
    for r in A:
        t = t + s * r
        s = 0.5 * s + r
    return (s * t).sum()


@program(normal(4, 3), second=True)
def matrix(A):
    S = 0
    for r in A:
        S = S + np.outer(r, r)
    return np.linalg.det(S + np.eye(3))


@program(normal(4, 3), second=True)
def in_a_dict(A):
    st = {"m": 0.0, "v": 0.0}
    for r in A:
        st["m"] = 0.9 * st["m"] + r
        st["v"] = 0.9 * st["v"] + r * r
    return (st["m"] / np.sqrt(st["v"])).sum()


class Acc:
    def __init__(self):
        self.s = 0.0
        self.n = 0

    def add(self, r):
        self.s += r**2
        self.n += 1


@program(normal(4, 3), second=True)
def obj(A):
    a = Acc()
    for r in A:
        a.add(r)
    return (a.s / a.n).prod()


@program(normal(4, 3), second=True)
def changed_by_a_helper(A):
    def add(a, v):
        a += v
        return a

    s = 0.0
    t = 0.0
    for r in A:
        t = add(s, r**2)
        s = s + r
    return (s * t).sum()


@program(normal(4, 3), second=True)
def helper2(A):
    def add(a, v):
        return a + v

    s = 0.0
    for r in A:
        s = add(s, r**2)
    return (s * s).sum()


@program(normal(4, 3), second=True)
def tuple(A):
    a, b = 0.0, 1.0
    for r in A:
        a, b = b * r, a + r
    return np.sum(a * b)


@program(normal(4, 3), second=True)
def builtin_sum(A):
    return (sum(r * r for r in A) ** 2).sum() + (sum([np.sin(r) for r in A], 0.0)).sum()


@program(normal(4, 3), second=True)
def branch(A):
    s = 0.0
    for r in A:
        if r[0] > 0:
            s = s + r
        else:
            s = s - 2 * r * r
    return (s * s).sum()


@program(normal(4, 3), second=True)
def branch_number(A):
    s = 0.0
    for r in A:
        if r[0] > 0:
            s = s + r
        else:
            s = s - 2 * r[0]
    return np.sum(s * s)


@program(normal(4, 3), normal(4, 1), second=True)
def bcast(A, B):
    s = 0.0
    for r in A.T:
        s = s + r[:, None] * B.T
    return (s * s).sum()


@program(normal(4, 3), second=True)
def bcast_grow(A):
    s = 0.0
    for k in range(4):
        s = s + A[k]
        s = s * A
    return (s * s).sum()


@program(normal(4, 3), second=True)
def store_into(A):
    s = 0.0
    Y = np.zeros_like(A)
    for k in range(4):
        Y[k] = s
        s = s + A[k] ** 2
    return (Y * A).sum()


@program(normal(4, 3), second=True)
def told_apart_by_rank(A):
    s = 0.0
    for r in A:
        if np.ndim(s) == 0:
            s = r * 2
        s = s + r
    return (s * s).sum()


@program(normal(4, 3), second=True)
def where(A):
    s = 0.0
    for r in A:
        s = np.where(r > 0, s + r, s)
    return (s * s).sum()


@program(normal(4, 3), second=True)
def running_maximum(A):
    m = -np.inf
    n = 0.0
    for r in A:
        m = np.maximum(m, r)
        n = n - 1.0 * m
    return (m * n).sum()


@program(normal(4, 3), second=True)
def neg_zero(A):
    s = -0.0
    for r in A:
        s = s + r**3
    return s.sum()


@program(normal(4, 3), second=True)
def after_use_prev(A):
    s = 0.0
    for r in A:
        last = s
        s = s + r
    return (s * last).sum()


@program(normal(4, 3), second=True)
def intarr(A):
    s = 0
    for k in range(3):
        s = s + np.arange(3) * k
    return (s * A).sum()


@program(normal(6), 4, second=True)
def slices(z, n):
    s = 0
    for i in range(n):
        s = s + z[i : i + 2] ** 2
    return s.sum()


@program(normal(6), second=True)
def view_of_s(A):
    s = 0.0
    for k in range(3):
        s = s + A
        v = s[1:]
        v *= 2
    return (s * s).sum()


@program(0.7, 1.3, np.array(1.1), np.array(0.4), wrt=(0, 1))
def weights_without_axes(a, b, w, v):
    c = a * b
    return w * a + v * b + w * c + np.sum(v * c) + w


@program(normal(3), [1, 0, 1], second=True)
def axes_added_to_numbers(a, order):
    parts = [a, a[0] * a[1]]
    total = 0.0
    for k in order:
        x = parts[k]
        total = total + np.sum(x[..., None] ** 2 * np.array([1.0, 2.0])) + np.sum(x[None] * a)
    return total


@program(normal(3))
def the_larger_of_a_number_and_an_array(x):
    a, b = x * 1.0, x[0] * 1.5
    for v in x:
        a, b = (a if np.sum(a) > np.sum(b) else b), v * a
    return np.sum(a * b)


@program(normal(3))
def the_largest_by_its_sum(x):
    a, b = x * 1.0, x[0] * 1.5
    for v in x:
        a = max(a, b * v, key=np.sum)
    return np.sum(a * b)


@program(normal(3, 3), 2, jit=True, second=True)
def again_in_each_turn(A, n):
    t = 0.0
    for _ in range(n):
        s = 0.0
        for r in A:
            s += r * r
        t += (s**3).sum()
    return t


@program(normal(3, 3), 3, jit=True, second=True)
def beside_an_array_of_some_turns(A, n):
    t = 0.0
    for k in range(n):
        if k > 0:
            q = A[0] * k
        s = 0.0
        for row in A:
            s += row * 2
        if k > 0:
            s = s * q
        t += s.sum()
    return t


@program(normal(3, 3), 2, jit=True, second=True)
def in_loops_that_end_with_their_first_turn(A, n):
    for _ in range(n):
        s = 0.0
        for r in A:
            s += r * r
        return (s**3).sum()
    while True:
        for v in A:
            pass
        return np.sum(v * A[0])


@program(normal(4, 3), 1)
def kept_by_a_name_on_some_ways(A, n):
    d = s = 0.0
    first = A[0]
    for r in A:
        prev = s if n > 0 else first
        s += r
        d += np.sum((s - prev) ** 2 * s) + np.sum(s)
    return d
