"""Array attributes and methods, as users chain them."""

import numpy as np

from programs.registry import normal, positive, program


@program(normal(2, 3), jit=True)
def transpose_attribute(a):
    return np.sum((a @ a.T) ** 2) + np.sum(a.T[0] ** 2)


@program(normal(2, 3), jit=True)
def shape_attributes(a):
    n, d = a.shape
    return np.sum(a**2) / n + a.sum() * d + a.size * a[0, 0] + a.ndim * a[1, 1] + len(a.shape)


@program(normal(3))
def dtype_attribute(x):
    y = np.zeros(3, dtype=x.dtype)
    y[0] = x[1]
    z = np.ones(x.shape, x.dtype) * x
    return np.sum(y * z) + (1.0 if x.dtype == np.float64 else 2.0)


@program(normal(2, 3), jit=True, second=True)
def sum_method(a):
    return np.sum(a.sum(axis=0) ** 2) + np.prod(a.sum(1)) + a.sum()


@program(normal(2, 3))
def sum_keepdims(a):
    return np.sum((a / (2.0 + a.sum(axis=1, keepdims=True) ** 2)) * a)


@program(normal(2, 3))
def mean_method(a):
    centred = a - a.mean(axis=0)
    return np.sum(centred**2) * a.mean() + np.sum(a.mean(-1) ** 3)


@program(normal(2, 3))
def max_min_methods(a):
    return a.max() * a.min() + np.sum(a.max(axis=0) ** 2) + np.sum(a.min(axis=1))


@program(normal(2, 3), second=True)
def std_var_methods(a):
    return a.std() * a.var() + np.sum(a.std(axis=0)) + np.sum(a.var(axis=1, ddof=1))


@program(positive(2, 3), second=True)
def prod_cumsum_cumprod(a):
    return a.prod() + np.sum(a.cumsum(axis=1) ** 2) + np.sum(a.cumprod(axis=0)) + a[0].cumsum()[1]


@program(normal(6), jit=True, second=True)
def reshape_method(x):
    a = x.reshape(2, 3)
    b = x.reshape((3, -1))
    return np.sum((a @ b) ** 2)


@program(normal(2, 3), jit=True)
def ravel_flatten(a):
    return np.sum(a.ravel()[1:] * a.flatten()[:-1])


@program(normal(3), jit=True)
def copy_method(x):
    y = x.copy()
    y[0] = y[1] * 2.0
    return np.sum(x * y)


@program(normal(3))
def astype_method(x):
    y = x.astype(np.float64)
    k = (x * 10.0).astype(int)
    return np.sum(y * y * k) + np.sum(y.astype(float))


@program(normal(5), jit=True)
def clip_method(x):
    return np.sum(x.clip(-0.5, 0.5) * x) + np.sum(np.clip(x, None, 0.3) ** 2)


@program(normal(2, 3, 4), jit=True)
def transpose_method(a):
    b = a.transpose(2, 0, 1)
    c = a.transpose()
    return np.sum(b[0] * c[0].T) + np.sum(a.transpose((1, 0, 2))[2] ** 2)


@program(normal(2, 3, 4))
def swapaxes_method(a):
    return np.sum(a.swapaxes(0, 2)[1] ** 2) + a.swapaxes(1, 2)[0, 1, 2]


@program(normal(1, 3, 1))
def squeeze_method(a):
    v = a.squeeze()
    w = a.squeeze(axis=0)
    return np.sum(v * v) + np.sum(np.sin(w)) * v[0]


@program(normal(3, 3))
def diagonal_trace(a):
    return np.prod(a.diagonal()) + a.trace() ** 2 + np.sum(a.diagonal(1) ** 2)


@program(normal(2, 3), normal(3), wrt=(0, 1), jit=True)
def dot_method(a, x):
    return np.sum(a.dot(x) ** 2) + x.dot(x)


@program(normal(3, 3))
def item_method(a):
    s = a.item(4) ** 2
    return s * a[0].sum().item() + a.item((0, 1))


@program(normal(4))
def tolist_method(x):
    a, b, c, d = x.tolist()
    return a * b + c * d


@program(normal(3, 2), np.array([2, 0]), jit=True)
def take_repeat_methods(a, index):
    return np.sum(a.take(index, axis=0) ** 2) + np.sum(a[0].repeat(2) * np.arange(4.0))


@program(normal(5), jit=True)
def sort_method(x):
    y = x.copy()
    y.sort()
    return np.sum(y * np.arange(5.0)) + y[0] * x[0]


@program(normal(5), jit=True)
def argmax_method(x):
    return x[x.argmax()] ** 2 + x[x.argmin()] + x[x.argsort()[2]] ** 3


@program(normal(4), jit=True)
def any_all_methods(x):
    if (x > -100.0).all() and not (x > 100.0).any():
        return (x**2).sum()
    return x.sum()


@program(normal(4), jit=True)
def real_imag(x):
    return np.sum(x.real**2 + x.imag) + np.sum(x.conj() * x)


@program(normal(3), jit=True)
def complex_intermediate(x):
    z = np.exp(1j * x) * (x + 2.0j)
    return np.sum(z.real**2) + np.sum(z.imag * np.abs(z))


@program(normal(4), jit=True)
def complex_moments(x):
    z = np.sum(x * np.exp(2j * np.pi * np.arange(4) / 4.0))
    return np.abs(z) ** 2 + np.real(z * z) + np.angle(z)


@program(normal(2, 3))
def chained_methods(a):
    return (a.T.reshape(-1).clip(-1.0, 1.0) ** 2).sum() * a.mean(axis=1).max()


@program(normal(2, 3))
def ptp_round_nonzero(a):
    rows = np.nonzero(a[:, 0] < 100.0)[0]
    return np.ptp(a) + np.sum(a[rows].round(0) * a) + a.flat[3] ** 2


@program(normal(4), jit=True)
def in_place_operators_on_attribute(x):
    y = x.copy()
    y.T[1] *= 3.0
    y.real[2] = x[0] ** 2
    return np.sum(y * y)


@program(normal(2, 3), jit=True)
def iteration_methods(a):
    s = 0.0
    for index, v in np.ndenumerate(a):
        s += v * v * (1 + index[1])
    for i, j in np.ndindex(2, 2):
        s += a[i, j] * a[j, i]
    return s


@program(np.float64(0.7))
def numpy_scalar_methods(x):
    y = x * x
    return y.item() * x.real + float(y.sum()) + y.astype(float)


@program(normal(2, 2), normal(2), wrt=(0, 1), jit=True)
def matmul_operator_variants(a, x):
    y = a @ x
    z = x @ a
    m = a @ a @ a
    return y @ z + np.trace(m) + x @ a @ x


@program(normal(2, 3, 3), normal(2, 3, 2), wrt=(0, 1))
def batched_matmul(a, b):
    return np.sum((a @ b) ** 2) + np.sum(a @ b[0]) + np.sum(np.matmul(a[1], b))


@program(normal(3), np.zeros(3, dtype=np.float64))
def dunder_names(x, like):
    y = np.zeros_like(like)
    y[...] = x
    return y.__len__() * np.sum(y**2)


class Told:
    def energy(self, x):
        assert x.ndim == 1, """
one axis
"""
        return np.sum(x**2)


@program(normal(3), second=True)
def text_at_the_margin(x):
    return Told().energy(x) * x[0]
