"""Arrays that grow or shrink from one iteration of a loop to the next."""

import math

import numpy as np

from programs.registry import normal, positive, program


@program(normal(6), second=True)
def de_casteljau(c):
    b = c.copy()
    t = 0.3
    while len(b) > 1:
        b = (1 - t) * b[:-1] + t * b[1:]
    return b[0] ** 2


@program(normal(6), second=True)
def products_until_nothing_is_left(c):
    v = c
    w = c**2
    s = 0.0
    while v.size:
        s += (v * w).sum()
        v = v[1:] * 2
        w = w[:-1]
    return s


@program(normal(6), second=True)
def neighbours_multiplied_beyond_the_end(c):
    v = c
    s = 0.0
    for k in range(10):
        a = v[:-1]
        b = v[1:]
        s += (a * b).sum()
        v = a + b
    return s


@program(normal(6), second=True)
def two_that_grow_together(c):
    v = c[:2]
    w = v**2
    for k in range(4):
        v = np.append(v, c[k] * v[-1])
        w = np.append(w, v[-1] + w[0])
        s = v * w
    return s.sum() + (v - w).prod()


@program(normal(6), second=True)
def first_bound_in_a_loop_that_reads_a_length(x):
    rows = []
    while len(rows) < 3:
        v = x[len(rows) :]
        rows.append(v)
        if len(rows) == 2:
            v = v * 2
        w = np.ones_like(v) * v[0]
    return sum((r * w[-1]).sum() for r in rows)


@program(normal(6), second=True)
def one_entry_beside_a_growing_array(c):
    v = c[:1]
    w = c[:1] * 3
    s = 0.0
    for k in range(3):
        s += (v * w).sum()
        w = np.append(w, c[k])
    return s


@program(normal(6), second=True)
def one_entry_left_of_two(c):
    v = c[:2]
    w = c[2:4]
    s = 0.0
    for k in range(3):
        s += (v * w).sum()
        v = v[:1]
        if k == 1:
            w = w[-1:]
    return s


@program(normal(6), second=True)
def rows_of_falling_length(c):
    v = c
    rows = []
    while len(v) > 1:
        rows.append(v)
        v = np.diff(v) ** 2
    s = 0.0
    for r in rows:
        s += (r * rows[-1][-1]).sum() * rows[0][0]
    return s + (rows[-1] * rows[-1]).sum()


@program(normal(6), second=True)
def rows_of_rising_length_from_one(c):
    rows = []
    v = c[:1]
    for k in range(3):
        rows.append(v * c[k])
        v = np.append(v, c[k + 1])
    return (rows[0] * rows[2]).sum() + (rows[1][:1] * rows[2]).sum()


@program(normal(6), second=True)
def beside_its_former_self(c):
    v = c
    old = c
    s = 0.0
    for k in range(4):
        s += (v * old[: len(v)]).sum()
        old = v
        v = v[1:] * v[:-1]
    return s


@program(normal(6), second=True)
def one_entry_beside_its_former_self(c):
    v = c[:3]
    old = c[:1]
    s = 0.0
    for k in range(3):
        s += (v * old).sum()
        old = v
        v = v[:1] if k % 2 else v * c[k]
        if k == 0:
            v = v[:1]
    return s


@program(normal(6), second=True)
def shortened_before_a_break(c):
    v = c
    w = 2 * c
    s = 0.0
    for k in range(5):
        v = v[1:]
        if k == 3:
            w = w[:-1]
            break
        w = w[1:] * v
        s += (v * w).sum()
    else:
        s = 1.0
    return s + (v[:1] * w).sum() + (v * w[-1]).sum()


@program(normal(6), second=True)
def shortened_before_a_continue(c):
    v = c
    w = 2 * c
    s = 0.0
    for k in range(6):
        if k % 2:
            v = v[:-1] * 1.5
            w = w[1:]
            continue
        s += (v * w).sum()
        v = v**2
        w = w * v
    return s


@program(normal(6), second=True)
def neville_table(c):
    x = np.arange(6.0)
    p = c.copy()
    n = len(p)
    for k in range(1, n):
        p = ((2.5 - x[k:]) * p[:-1] - (2.5 - x[: n - k]) * p[1:]) / (x[: n - k] - x[k:])
    return p[0] ** 2


@program(normal(8), second=True)
def haar_transform(c):
    a = c
    out = []
    while len(a) > 1:
        out.append((a[::2] - a[1::2]) * 0.5)
        a = (a[::2] + a[1::2]) * 0.5
    return sum(((o**2).sum() for o in out)) * a[0]


@program(normal(8, 8), second=True)
def pyramid_of_an_image(c):
    a = c
    s = 0.0
    while a.shape[0] > 1:
        a = a[::2, ::2] + a[1::2, 1::2] * a[::2, 1::2]
        s += np.tanh(a).mean()
    return s


@program(normal(4, 4), second=True)
def determinant_by_schur_complements(A):
    M = A + 5 * np.eye(4)
    d = 1.0
    while len(M) > 0:
        d *= M[0, 0]
        M = M[1:, 1:] - np.outer(M[1:, 0], M[0, 1:]) / M[0, 0]
    return d


@program(normal(6), second=True)
def polynomial_grown_by_convolution(c):
    p = c[:1]
    for k in range(1, 5):
        p = np.convolve(p, c[k : k + 2])
    return (p**2).sum()


@program(normal(6), second=True)
def shrinking_in_nested_loops(c):
    s = 0.0
    v = c
    while len(v) > 2:
        w = v
        u = v * 2
        while len(w) > 1:
            s += (w * u).sum()
            w = w[1:]
            u = u[:-1] + 0 * w
        v = v[:-1] * w
    return s


@program(normal(6), second=True)
def option_tree_with_early_exercise(c):
    v = np.maximum(c, 0)
    p = c
    for i in range(5):
        p = p[:-1] * 0.9
        v = np.maximum(0.5 * (v[:-1] + v[1:]), p)
    return v[0]


@program(normal(6), second=True)
def squeezed_while_shrinking(c):
    v = c
    for i in range(5):
        v = v[:-1]
        u = v[:, None].squeeze()
        s = (u * c[: len(v)]).sum()
    return s


@program(normal(6), second=True)
def entry_of_a_dict_that_shrinks(c):
    d = {"v": c, "w": c * 2}
    t = 0.0
    for k in range(4):
        d["v"] = d["v"][1:]
        t += (d["v"] * d["w"][k + 1 :]).sum()
        if k < 2:
            d["w"] = d["w"] ** 2
    return t


@program(positive(4), second=True, jit=True)
def product_of_what_is_left(x):
    """Nothing is left in the second turn: the product is 1."""
    total, at = 0.0, 0
    for k in range(2):
        rest = x[at:]
        total += math.prod(rest) * (k + 1) + math.fsum(rest) ** 2
        at = len(x)
    return total
