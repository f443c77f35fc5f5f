"""Results written into given arrays (by place or by name), arguments that may be overwritten."""

import numpy as np
import scipy.fft as sf
import scipy.linalg as sl
import scipy.ndimage as nd
import scipy.special as sp

from programs.registry import normal, program

X = np.array([0.31, 0.72, 0.53, 0.44])


def M(x):
    return np.outer(x, x) + np.diag(x) + 3 * np.eye(4)


@program(X, second=True)
def solve_overwriting(x):
    A = M(x)
    b = x * x
    v = sl.solve(A, b, overwrite_a=True, overwrite_b=True)
    return (v * x).sum()


@program(X, second=True)
def cho_solve_overwriting(x):
    A = M(x)
    c = sl.cho_factor(A, overwrite_a=True)
    v = sl.cho_solve(c, x * 2.0, overwrite_b=True)
    return (v * x).sum()


@program(X, second=True)
def lu_solve_overwriting(x):
    A = M(x)
    c = sl.lu_factor(A, overwrite_a=True)
    v = sl.lu_solve(c, x * 2.0, overwrite_b=True)
    return (v * x).sum()


@program(X, second=True)
def cholesky_overwriting(x):
    return sl.cholesky(M(x), lower=True, overwrite_a=True, check_finite=False).sum()


@program(X, second=True)
def inv_overwriting(x):
    return sl.inv(M(x), overwrite_a=True).sum()


@program(X, second=True)
def det_overwriting(x):
    return sl.det(M(x), overwrite_a=True)


@program(X, second=True)
def eigh_overwriting(x):
    w, V = sl.eigh(M(x), overwrite_a=True)
    return (w * x).sum()


@program(X, second=True)
def svdvals_overwriting(x):
    return sl.svdvals(M(x), overwrite_a=True) @ x


@program(X, second=True)
def qr_overwriting(x):
    q, r = sl.qr(M(x), overwrite_a=True)
    return np.abs(r).sum()


@program(X, second=True)
def solve_triangular_overwriting(x):
    b = x * x
    v = sl.solve_triangular(M(x), b, overwrite_b=True)
    return v @ x


@program(X, second=True)
def solve_banded_overwriting(x):
    ab = np.array([x, x + 3, x])
    b = x * 1.0
    return sl.solve_banded((1, 1), ab, b, overwrite_ab=True, overwrite_b=True) @ x


@program(X, second=True)
def lstsq_overwriting(x):
    A = M(x)
    b = x * 2.0
    cut = np.linalg.pinv(M(x), rtol=0.5) @ b + np.linalg.lstsq(M(x), b, rcond=0.5)[0]
    return (cut + sl.lstsq(A, b, overwrite_a=True, overwrite_b=True)[0]) @ x


@program(X, second=True)
def fft_overwriting(x):
    z = x * (1 + 0j)
    v = sf.fft(z, overwrite_x=True)
    return (np.abs(v) ** 2 * x).sum()


@program(X, second=True)
def dct_overwriting(x):
    z = x * 1.0
    v = sf.dct(z, overwrite_x=True)
    return (v * x).sum()


@program(X, second=True)
def median_overwriting(x):
    z = x * 1.0
    return np.median(z, overwrite_input=True) * x[0] + np.percentile(
        x * 2.0, 30, overwrite_input=True
    )


@program(X, second=True)
def filter_with_output(x):
    out = np.zeros(4)
    nd.gaussian_filter1d(x, 1.0, output=out)
    return (out * x).sum()


@program(X, second=True)
def filters_with_outputs_by_position(x):
    out, other = np.zeros(4), np.zeros(4)
    nd.gaussian_filter1d(x, 1.0, -1, 0, out)
    same = nd.shift(x * x, 0.3, other)
    nd.fourier_gaussian(x, 1.0, -1, -1, out[::-1])
    wide = nd.uniform_filter1d(x, 3, -1, np.float64)
    return (out * x).sum() + other @ same + wide @ out


@program(X, second=True)
def results_into_arrays(x):
    out = np.zeros((4, 4))
    np.einsum("i,j->ij", x, x, out=out)
    r = np.zeros(4)
    np.dot(out, x, out=r)
    np.matmul(out, r, out=r)
    s = np.zeros(4)
    np.cumsum(r, out=s)
    np.take(s, [1, 0, 2, 3], out=r)
    np.clip(r, -9, 9, out=r)
    np.sum(out, axis=0, out=s)
    np.mean(out, axis=1, out=r)
    np.multiply(r, s, r)
    return (r * x).sum() + s.sum()


@program(X, second=True)
def two_results_into_arrays(x):
    a, b = np.modf(x * 3)
    c, d = np.frexp(x)
    q, r = np.divmod(x * 5, 2.0)
    o1 = np.zeros(4)
    o2 = np.zeros(4)
    np.modf(x * 4, out=(o1, o2))
    np.divmod(x * 7, 3.0, o1, o2)
    return (a * b).sum() + (c * d).sum() + (q * r).sum() + (o1 * o2 * x).sum()


@program(X, second=True)
def operations_at_places(x):
    z = x * 1.0
    np.multiply.at(z, [0, 0, 1], x[:3])
    np.add.at(z, [1, 1], x[2])
    np.subtract.at(z, (np.array([3, 3]),), x[:2])
    np.maximum.at(z, [2], 0.6)
    return (z * z).sum()


@program(X, second=True)
def ufunc_methods_all(x):
    return (
        np.add.reduce(x) * np.multiply.reduce(x)
        + np.add.accumulate(x) @ x
        + np.multiply.outer(x, x).sum()
        + np.maximum.reduce(x) * np.add.reduceat(x, [0, 2])[1]
        + np.minimum.accumulate(x) @ x
        + np.logaddexp.reduce(x)
        + np.hypot.reduce(x)
        + np.sum(np.logaddexp.reduce(x.reshape(2, 2), axis=(0, -1), keepdims=True) ** 2)
        + np.logaddexp.reduce(x.reshape(2, 2), axis=None)
        + np.sum(np.hypot.reduce(x.reshape(2, 2), axis=-1, initial=0.3))
    )


@program(X, second=True)
def writes_by_functions(x):
    z = x * 1.0
    np.put(z, [0, 1], x[2:])
    np.place(z, z > 0.5, [x[0]])
    np.copyto(z, x * 2, where=z < 0.4)
    np.putmask(z, z > 0.6, x**2)
    M = np.outer(x, x)
    np.fill_diagonal(M, x)
    np.put_along_axis(M, np.array([[0], [1], [2], [3]]), x[:, None] * 3, axis=1)
    return (z * z * z).sum() + (M * M).sum()


@program(X, second=True)
def writes_by_methods(x):
    z = x * 1.0
    z.sort()
    w = x[::-1] * 1.0
    w.partition(2)
    v = z.copy()
    v.resize(4)
    z.fill(x[0])
    i = np.argsort(x)
    u = x.copy()
    u.put([0], x[3])
    u.itemset if False else None
    return (z * v).sum() + w[2] * w[3] + x[i][0] ** 2 + u @ x


@program(X, second=True)
def dot_into(x):
    r = np.zeros(4)
    M = np.outer(x, x)
    np.dot(M, x, r)
    return (r * x).sum()


@program(X, second=True)
def sum_into(x):
    r = np.zeros(4)
    np.sum(np.outer(x, x), 0, None, r)
    return (r * x).sum()


@program(X, second=True)
def cumsum_into(x):
    r = np.zeros(4)
    np.cumsum(x, 0, None, r)
    np.clip(r, 0.4, 1.5, r)
    return (r * x).sum()


@program(X, second=True)
def take_into(x):
    r = np.zeros(4)
    np.take(x, [3, 2, 1, 0], 0, r)
    x.cumprod(out=r)
    x.cumsum(0, None, r)
    return (r * x).sum()


@program(X, second=True)
def ufuncs_into(x):
    r = np.zeros(4)
    np.maximum(x, 0.5, r)
    np.add(r, x, r)
    np.exp(r, r)
    np.where(x > 0, x, r)
    np.concatenate([x[:2], r[2:]], 0, r)
    return (r * x).sum()


@program(X, second=True)
def max_into(x):
    r = np.zeros(4)
    np.stack([x[:1], x[1:2], x[2:3], x[3:]], 0, np.zeros((4, 1)))
    np.max(np.outer(x, x), 1, r)
    return (r * x).sum()


@program(X, second=True)
def mean_into(x):
    r = np.zeros(4)
    np.mean(np.outer(x, x), 1, None, r)
    s = np.zeros(4)
    np.std(np.outer(x, x), 0, None, s)
    np.outer(x, x, np.zeros((4, 4)))
    q = np.zeros(())
    np.trace(np.outer(x, x), 0, 0, 1, None, q)
    return (r * x).sum() * s.sum() * q


@program(X, second=True)
def modf_into(x):
    a = np.zeros(4)
    b = np.zeros(4)
    np.modf(x * 4, a, b)
    c, d = np.divmod(x * 7, 3.0)
    return (a * b * x).sum() + (c * d).sum()


@program(X, second=True)
def median_options_by_place(x):
    m = np.median(x * 1.0, None, None, True)
    return m * x[0] + np.round(x * 3, 1, np.zeros(4)).sum() * x[0]


@program(X, second=True)
def modf_into_named(x):
    a = np.zeros(4)
    b = np.zeros(4)
    np.modf(x * 4, out=(a, b))
    return (a * b * x).sum()


@program(X, second=True)
def divmod_into_named(x):
    a = np.zeros(4)
    b = np.zeros(4)
    q, r = np.divmod(x * 7, 3.0, out=(a, b))
    return (a * b * x).sum() + (q * r).sum()


@program(X, second=True)
def modf_into_one(x):
    a = np.zeros(4)
    b, c = np.modf(x * 4, out=(a, None))
    return (a * b * x).sum() + c.sum() * x[0]


@program(X, second=True)
def special_twice_one_changed(x):
    y = sp.erf(x)
    y[0] = 2.0 * x[1]
    y[1] *= 3.0
    z = sp.erf(x)
    return np.sum(y * z)


@program(normal(6), jit=True, second=True)
def largest_fall_from_the_highest_so_far(x):
    wealth = np.cumsum(x)
    falls = np.maximum.accumulate(wealth) - wealth
    return np.sum(falls**2) + np.sum(np.minimum.accumulate(wealth) * x)


@program(normal(6), normal(6), 3)
def two_rows_take_turns(u0, c, steps):
    u, v, w = u0.copy(), np.empty_like(u0), np.zeros_like(u0)
    for _ in range(steps):
        np.multiply(u[1:-1], c[1:-1], out=v[1:-1])
        v[0], v[-1] = u[-1], u[0]
        np.add(v, w, out=w, where=v > 0)
        np.copyto(w[:2], u[2:4], where=u[2:4] > 0.2)
        u, v = v, u
    return np.sum(u * w) + np.sum(w**2)


@program(normal(4))
def the_first_of_two_results_goes_into_an_array(x):
    parts = np.zeros(4)
    low, high = np.modf(3 * x, parts)
    return np.sum(parts**2) + np.sum(high * x) + np.sum(low)
