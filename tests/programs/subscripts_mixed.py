"""Subscripts of all kinds, mixed."""

import numpy as np

from programs.registry import program

X = np.array([0.31, 0.72, 0.53, 0.44])


def mk(x):
    return np.outer(x, x)


@program(X, second=True)
def steps_of_a_loop(x):
    A = mk(x)
    for s in (1, 2, 3):
        A[::s] *= x[0]
        A[:, ::-s] += x[s]
        A[s:, :s] -= A[: 4 - s, s:].sum()
    return (A * A).sum()


@program(X, second=True)
def clipped_windows(x):
    z = np.concatenate([x, x * x])
    t = 0.0
    for i in range(0, 6):
        w = z[max(0, i - 2) : min(i + 3, len(z))]
        t = t + w.sum() * w[-1] * w[len(w) // 2]
        z[max(0, i - 2) : i] *= x[1]
    return t + z.sum()


@program(X, second=True)
def ellipses_and_new_axes(x):
    A = np.einsum("i,j,k->ijk", x, x, x)
    A[..., 0] *= x[0]
    A[0, ...] += x[1]
    A[1, ..., 2] *= x[2]
    A[..., None, 1][..., 0] *= 2
    A[:, None][:, 0] += 1
    A[None, ..., ::2][0, 1] *= x[3]
    B = A[...]
    B += 1
    return (A * A).sum()


@program(X, second=True)
def pairs_of_index_arrays(x):
    A = mk(x)
    i = np.array([0, 1, 1, 3])
    j = np.array([2, 0, 0, 3])
    A[i, j] += x
    A[i] *= x[:, None]
    A[:, j] -= 1
    A[i[:, None], j] *= 2
    A[i, 1:3] *= x[0]
    np.add.at(A, (i, j), x)
    np.multiply.at(A, (i, j), x) if False else None
    A[[0, 2]] = A[[2, 0]]
    A[:, [0, 1]] = A[:, [1, 0]] * x[1]
    return (A * A).sum()


@program(X, second=True)
def flat_views(x):
    A = mk(x)
    A.flat[::5] *= x
    A.flat[3] = x[0] * x[1]
    A.ravel()[2:5] += x[:3]
    A.reshape(2, 8)[:, 1] *= x[2]
    A.T[1] += x
    A.T[0, 2:] *= 2
    np.fill_diagonal(A, x * 2)
    A.diagonal().sum()
    A[::-1][0] *= x[1]
    for v in A.flat:
        pass
    s = 0.0
    for k, v in enumerate(A.flat):
        s = s + k * v
    for r in A:
        r *= 2
    for r in A.T:
        r[0] = x[3]
    return (A * A).sum() + s


@program(X, second=True)
def parts_exchanged(x):
    z = x * x
    z[0], z[1] = (z[1], z[0] * 2)
    z[[0, 2]], z[3] = (z[[2, 0]], z[1])
    a, b = (z[:2], z[2:])
    a[:], b[:] = (b * 1, a * 1)
    z[:2], z[2:] = (z[2:].copy(), z[:2] * x[0])
    z[1:], z[:-1] = (z[:-1] * 2, z[1:] * 3)
    return (z * x).sum()


@program(X, second=True)
def numbers_of_numpy(x):
    z = x * x
    k = np.int64(2)
    z[k] *= x[k]
    o = np.argsort(-x)
    z[o[0]] += x[o[1]]
    z[o] *= x
    z[o[:2]] += z[o[2:]]
    r = np.searchsorted(np.sort(x), 0.5)
    z[r] *= 2
    z[:r] += 1
    for i in np.arange(4)[::-1]:
        z[i] += z[i - 1] * x[i]
    for i in np.flatnonzero(x > 0.4):
        z[i] *= x[i]
    i = z.argmax()
    z[i] = 0.5 * z[i]
    return (z * x).sum()


@program(X, second=True)
def rows_swapped(x):
    A = mk(x)
    A[[0, 2]] = A[[2, 0]]
    return (A * A * x).sum()


@program(X, second=True)
def columns_swapped(x):
    A = mk(x)
    A[:, [0, 1]] = A[:, [1, 0]] * x[1]
    return (A * A).sum()
