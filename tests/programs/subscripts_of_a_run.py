"""Subscripts whose kind or length only a run knows: slices in lists, tuples made of lists."""

import numpy as np

from programs.registry import normal, program

X = np.array([0.31, 0.72, 0.53, 0.44])


@program(X, second=True)
def slice_or_false(x):
    y = x * 1.0
    z = y * y
    z[y[0] > 0.1 and slice(0, 2)] *= y[0]
    return (z * y).sum()


@program(X, second=True)
def either_slice(x):
    y = x * 1.0
    z = y * y
    i = slice(0, 2) if y[0] > 0.1 else slice(1, 4)
    z[i] *= y[0]
    return (z * y).sum()


@program(X, second=True)
def slice_bound_in_a_branch(x):
    y = x * 1.0
    z = y * y
    i = slice(0, 2)
    if y[0] > 0.1:
        i = slice(1, 4)
    z[i] *= y[0]
    return (z * y).sum() + (y[i] * 3).sum()


@program(X, second=True)
def number_or_slice(x):
    z = x * x
    i = 1 if x[0] > 0.1 else slice(1, 4)
    z[i] *= x[0]
    return (z * x).sum() + np.sum(x[i] * 3)


@program(X, second=True)
def mask_or_slice(x):
    z = x * x
    i = x > 0.35 if x[0] > 0.1 else slice(1, 4)
    z[i] *= x[0]
    return (z * x).sum() + np.sum(x[i] * 3)


@program(X, second=True)
def none_or_slice(x):
    z = x * x
    i = None if x[0] > 10 else slice(1, 4)
    z[i] *= x[0]
    return (z * x).sum() + np.sum(x[i] * 3)


@program(X, second=True)
def ellipsis_or_number(x):
    z = x * x
    i = ... if x[0] > 10 else 2
    z[i] *= x[0]
    return (z * x).sum() + np.sum(x[i] * 3)


@program(X, second=True)
def slices_of_a_list_by_number(x):
    z = x * x
    s = [slice(0, 2), slice(2, 4), slice(None, None, -1)]
    for k in range(3):
        z[s[k]] *= x[s[k]]
    return (z * x).sum()


@program(X, second=True)
def number_or_slice_each_turn(x):
    z = x * x
    for k in range(5):
        z[k - 4 or slice(0, 2)] *= x[k % 4]
    return (z * x).sum()


@program(X, second=True)
def blocks_of_slices(x):
    blocks = [slice(0, 2), slice(1, 4)]
    z = x * x
    for b in blocks:
        z[b] = z[b] * x[b] + z[b].sum()
        w = z[b]
        w *= 2
    return (z * x).sum()


@program(X, second=True)
def list_parts_by_slices(x):
    blocks = [slice(0, 2), slice(1, 4)]
    l = [x[0], x[1] * 2, x[2], x[3] * x[0]]
    t = 0.0
    for b in blocks:
        m = l[b]
        m[0] = m[0] * 2
        t = t + m[0] * m[1] + l[0]
    return t


@program(X, second=True)
def number_as_mask(x):
    z = x * x
    flag = x[0] > 0.1
    w = z[flag]
    w *= 3
    z[flag] *= x[1]
    return z.sum() * w.sum()


@program(X, second=True)
def subscripts_of_several_kinds(x):
    A = np.outer(x, x)
    ix = [(0, 1), (1, slice(0, 2)), (slice(None), 2), ...]
    t = 0.0
    for i in ix:
        A[i] *= x[0]
        t = t + np.sum(A[i])
    return t


@program(X, second=True)
def number_and_slice_in_a_tuple(x):
    A = np.outer(x, x)
    t = 0.0
    for k in range(3):
        i = (k, slice(0, k + 1))
        r = A[i]
        r *= x[k]
        t = t + np.sum(A[i] * A[i[::-1]])
    return t


@program(X, second=True)
def all_places_of_an_array(x):
    A = np.outer(x, x)
    for i in np.ndindex(2, 2):
        A[i] *= x[i[0]]
        A[i + (slice(None),)[:0]] += 1
    return (A * A).sum()


@program(X, second=True)
def along_each_axis(x):
    A = np.outer(x, x)
    for ax in range(2):
        sl = [slice(None)] * 2
        sl[ax] = slice(1, None)
        A[tuple(sl)] *= x[ax]
        b = [slice(None)] * 2
        b[ax] = slice(None, -1)
        A[tuple(b)] += A[tuple(sl)] * x[3]
    return (A * A).sum()


@program(X, second=True)
def tuple_of_a_changed_list(x):
    s = 0.0
    for ax in range(2):
        l = [x[0], x[1]]
        l[ax] = x[2]
        t = tuple(l)
        l[ax] = x[3]
        s = s + t[0] * t[1] * t[ax] + l[0]
    return s


@program(X, second=True)
def entry_at_a_tuple(x):
    A = np.outer(x, x)
    s = 0.0
    for ax in range(2):
        i = [1, 2]
        i[ax] = 3
        s = s + A[tuple(i)]
        A[tuple(i)] *= x[0]
    return s + A.sum()


@program(X, second=True)
def rows_of_a_list_entry_of_a_tuple(x):
    A = np.outer(x, x)
    s = 0.0
    for ax in range(2):
        i = [1, 2]
        i[ax] = 3
        s = s + A[i].sum() * A[[*i], [0, ax]].sum()
        A[i] *= x[0]
        i.append(0)
        s = s + A[i].sum() + A[tuple(i[:2])]
    return s + A.sum()


@program(X, second=True)
def one_unit_along_each_axis(x):
    A = np.outer(x, x).reshape(2, 2, 2, 2)
    s = 0.0
    for ax in range(4):
        i = [0] * 4
        i[ax] = 1
        s = s + A[tuple(i)] * A[*i[:2], ...].sum() * A[(slice(None),) * ax + (1,)].sum()
        sh = list(A.shape)
        sh[ax] = 1
        s = (
            s
            + A.reshape(2, 8).sum()
            + np.ones(tuple(sh)).sum() * x[0]
            + np.sum(A, axis=ax, keepdims=True).reshape(sh).sum()
        )
    return s


def mk(x):
    return np.outer(x, x)


@program(X, second=True)
def whole_axes_before_one(x):
    A = mk(x)
    s = 0.0
    for ax in range(2):
        A[(slice(None),) * ax + (0,)] *= x[1]
        s = s + A[(slice(None),) * ax + (1,)].sum()
    return s + (A * A).sum()


@program(X, second=True)
def tuple_by_generator(x):
    A = mk(x)
    s = 0.0
    for ax in range(2):
        A[tuple((2 if k == ax else 1 for k in range(2)))] *= x[0]
        s = s + A[tuple((2 if k == ax else slice(None) for k in range(2)))].sum()
    return s + A.sum()


@program(X, second=True)
def tuple_by_generator_of_ndim(x, n=2):
    A = mk(x)
    s = 0.0
    for ax in range(n):
        A[tuple((2 if k == ax else 1 for k in range(A.ndim)))] *= x[0]
        s = s + A[tuple([2 if k == ax else slice(None) for k in range(n)])].sum()
    return s + A.sum()


@program(X, second=True)
def tuples_as_keys(x):
    d = {}
    i = [0, 0]
    for k in range(4):
        i[k % 2] += 1
        d[tuple(i)] = x[k] * 2
    return sum((v * v * k[0] for k, v in d.items())) + d[1, 1]


@program(X, second=True)
def tuples_compared(x):
    s = 0.0
    i = [0, 0]
    for k in range(4):
        i[k % 2] += 1
        if tuple(i) == (1, 1):
            s = s + x[k]
        if tuple(i) > (1, 0):
            s = s + x[k] ** 2
        if isinstance(tuple(i), tuple):
            s = s + x[0]
    return s


@program(X, second=True)
def neighbours_of_each_place(x):
    A = mk(x)
    s = 0.0
    for p in np.ndindex(*A.shape):
        for d in range(2):
            q = list(p)
            q[d] = (q[d] + 1) % 4
            s = s + A[p] * A[tuple(q)]
            A[tuple(q)] += 0.1 * A[p]
    return s


@program(X, second=True)
def list_of_places(x):
    A = mk(x)
    s = 0.0
    pts = [(0, 1), (2, 3), (1, 1)]
    for p in pts:
        s = s + A[p]
        A[p] *= 2
        A[p[::-1]] += x[p[0]]
    pts.append((3, 3))
    for p in sorted(pts):
        A[p] = A[p] * x[0]
    while pts:
        p = pts.pop()
        A[p] += s
    return A.sum() + s


@program(X, second=True)
def places_in_an_array(x):
    A = mk(x)
    s = 0.0
    P = np.array([[0, 1], [2, 3]])
    for p in P:
        s = s + A[tuple(p)] * A[p].sum()
        A[tuple(p)] *= x[1]
    a, b = P[1]
    s = s + A[a, b] + A[tuple(P.T)].sum()
    A[tuple(P)] *= x[2]
    return s + A.sum()


@program(X, second=True)
def slices_in_a_dict(x):
    d = {"a": slice(0, 2), "b": slice(2, 4), "c": 1, "e": [0, 3]}
    z = x * x
    for k, v in d.items():
        z[v] *= x[d["c"]]
    z[d["a"]] += z[d["b"]]
    return (z * x).sum()


@program(X, second=True)
def slices_in_a_dict_by_name(x):
    d = {"a": slice(0, 2), "b": slice(2, 4)}
    z = x * x
    for r in range(2):
        for k in ("a", "b"):
            z[d[k]] *= x[r]
        for v in d.values():
            q = z[v]
            q += x[d["b"]]
    return (z * x).sum()


class Blocks:
    def __init__(self, n):
        self.n = n
        self.off = [slice(2 * k, 2 * k + 2) for k in range(n)]


@program(X, second=True)
def slices_in_an_object(x):
    p = Blocks(2)
    z = x * x
    for i in range(p.n):
        for j in range(p.n):
            z[p.off[i]] += x[p.off[j]] * z[p.off[j]].sum()
    return (z * x).sum()


@program(X, second=True)
def subscripts_as_arguments(x):

    def put(z, ix, v):
        z[ix] += v

    def get(z, ix):
        return z[ix]

    z = x * x
    for ix in (
        slice(0, 2),
        2,
        [1, 3],
        np.array([True, False, False, True]),
        slice(None, None, 2),
        (slice(1, 3),),
        ...,
        -1,
    ):
        put(z, ix, get(x, ix) * 2)
    return (z * x).sum()


@program(X, second=True)
def place_of_the_largest(x):
    A = mk(x)
    s = 0.0
    k = np.unravel_index(np.argmax(A), A.shape)
    A[k] *= 3
    s = s + A[k]
    return A.sum() * s


@program(X, second=True)
def places_found(x):
    A = mk(x)
    s = 0.0
    ar = np.argwhere(A > 0.05)
    for r in ar:
        A[tuple(r)] += x[1]
    return (A * A).sum()


@program(X, second=True)
def places_zipped(x):
    A = mk(x)
    s = 0.0
    for r in zip(*np.where(A > 0.3)):
        A[r] *= x[2]
    return (A * A).sum()


@program(X, second=True)
def triangle_and_diagonal(x):
    A = mk(x)
    s = 0.0
    t = np.tril_indices(4)
    A[t] *= x[3]
    A[np.diag_indices(4)] += x
    return (A * A).sum()


@program(X, second=True)
def mesh_of_places(x):
    A = mk(x)
    s = 0.0
    A[np.ix_([0, 1], [1, 2])] *= x[0]
    A[np.s_[1:3, ::2]] += x[1]
    return (A * A).sum()


@program(normal(4, 5), np.array([0.3, 0.7, 0.2]), np.array([1]), wrt=(0, 1), jit=True)
def one_place_for_many(a, w, row):
    """Of several arrays of places one may hold a single place, and so may the values."""
    many, best = np.nonzero(a[:, 0] < 9.0)[0], np.where(w == np.max(w))[0]
    a[row, many] *= 2.0
    np.add.at(a, (many, best), w[best])
    np.add.at(a, (best, many), w[best] ** 2)
    np.add.at(a, (row, many), w[0] * a[0, 0])
    return np.sum(a * a) + np.max(w[len(many) - 3 :])
