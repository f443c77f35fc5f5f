"""NumPy functions in the combinations that user code shows."""

import numpy as np
from numpy.linalg import inv, norm, solve

from programs.registry import dominant, normal, positive, program, spd, using


@program(normal(4), jit=True, second=True)
def elementwise_chain(x):
    return np.sum(np.sin(x) * np.exp(-(x**2)) + np.arctan(x) / (1.0 + np.square(x)))


@program(positive(4), jit=True)
def logs_and_powers(x):
    return np.sum(np.log(x) + np.sqrt(x) * np.log1p(x) + np.power(x, 1.5) + np.cbrt(x) + np.exp2(x))


@program(normal(4), jit=True)
def hyperbolic(x):
    return np.sum(np.sinh(x) * np.tanh(x) + np.log(np.cosh(x)) + np.arcsinh(x))


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def two_argument_ufuncs(x, y):
    return np.sum(np.maximum(x, y) * np.minimum(x, 0.1) + np.hypot(x, y) + np.arctan2(x, y + 3.0))


@program(normal(4), normal(4), wrt=(0, 1), jit=True)
def logaddexp_and_friends(x, y):
    return np.sum(np.logaddexp(x, y) + np.fmax(x, y) + np.copysign(x, 1.0) * np.sign(y))


@program(normal(3), normal(4, 1), positive(), wrt=(0, 1, 2), jit=True)
def broadcasting(x, column, s):
    table = x * column + s
    return np.sum(table / (1.0 + table**2)) + np.sum(s * column)


@program(normal(3), positive(), wrt=(0, 1), jit=True)
def scalar_broadcasting(x, s):
    return np.sum(x * s + s / (1.0 + x**2) - s**x.size)


@program(normal(3, 4), jit=True)
def where_function(a):
    return np.sum(np.where(a > 0.0, a**2, 0.1 * a)) + np.sum(np.where(a[0] > 0, 1.0, a[1]))


@program(normal(3, 4), second=True)
def softmax_cross_entropy(a):
    labels = np.array([0, 3, 1])
    shifted = a - np.max(a, axis=1, keepdims=True)
    log_norm = np.log(np.sum(np.exp(shifted), axis=1))
    return np.mean(log_norm - shifted[np.arange(3), labels])


@program(normal(3, 4), second=True)
def norms(a):
    return (
        norm(a) + norm(a[0]) * norm(a[:, 1], 1) + np.sum(norm(a, axis=0)) + norm(a[1], ord=np.inf)
    )


@program(normal(3), normal(3), normal(3, 3), wrt=(0, 1, 2))
def products(x, y, a):
    return (
        np.dot(x, y)
        + np.inner(x, y) * np.vdot(y, x)
        + np.sum(np.outer(x, y) * a)
        + np.dot(a, x)[0]
        + np.sum(np.dot(a, a))
    )


@program(normal(2, 3), normal(3, 4), normal(4), wrt=(0, 1, 2))
def einsum_products(a, b, c):
    return np.einsum("ij,jk,k->i", a, b, c).sum() ** 2 + np.einsum("ij,ij->", a, a)


@program(normal(2, 3), normal(3, 4), wrt=(0, 1))
def tensordot_kron(a, b):
    return np.sum(np.tensordot(a, b, axes=1) ** 2) + np.sum(np.kron(a, b[:, :2]) ** 2)


@program(normal(3), normal(3), wrt=(0, 1), jit=True)
def cross_product(x, y):
    z = np.cross(x, y)
    return np.sum(z**2) + z[0] * x[1]


@program(normal(3), normal(4), wrt=(0, 1))
def joins(x, y):
    z = np.concatenate([x, y, x * 2.0])
    return np.sum(z[1:] * z[:-1]) + np.sum(np.hstack((x, y)) ** 2) + np.append(y, x)[5]


@program(normal(3), normal(3), wrt=(0, 1))
def stacks(x, y):
    a = np.stack([x, y], axis=1)
    b = np.vstack([x, y, x])
    c = np.column_stack([x, y])
    return np.sum(a**2) + np.sum(b[0] * b[1]) + np.sum(c[:, 0] * a[:, 1])


@program(normal(6), jit=True, second=True)
def splits(x):
    a, b, c = np.split(x, 3)
    first, rest = np.array_split(x, 2)
    return np.sum(a * b * c) + np.sum(first * rest)


@program(normal(2, 3), second=True)
def tile_repeat_pad(a):
    t = np.tile(a, (2, 1))
    r = np.repeat(a, 2, axis=1)
    p = np.pad(a, 1)
    return np.sum(t**2) + np.sum(r[:, 1:] * r[:, :-1]) + np.sum(p[1:] * p[:-1])


@program(normal(5), jit=True)
def roll_flip(x):
    return np.sum(np.roll(x, 2) * x) + np.sum(np.flip(x) * np.roll(x, -1)) + np.sum(x[::-1] ** 3)


@program(normal(2, 3), jit=True)
def flips_and_rotations(a):
    return np.sum(np.fliplr(a) * a) + np.sum(np.flipud(a)[0] ** 2) + np.rot90(a)[0, 0] ** 2


@program(normal(2, 3))
def expand_squeeze_move(a):
    b = np.expand_dims(a, 1)
    c = np.moveaxis(b, 0, -1)
    d = np.squeeze(c)
    return np.sum(d @ a) + np.sum(np.atleast_2d(a[0]) ** 2) + np.sum(np.reshape(a, 6)[1:4] ** 2)


@program(positive(5), jit=True, second=True)
def scans(x):
    return np.sum(np.cumsum(x) ** 2) + np.sum(np.cumprod(x)) + np.sum(np.diff(x) ** 2) * x[0]


@program(normal(5), jit=True)
def order_statistics(x):
    y = np.sort(x)
    return y[0] * y[-1] + np.median(x) ** 2 + np.ptp(x) + np.max(x) * np.min(x)


@program(normal(3, 4))
def reductions_with_axes(a):
    return (
        np.sum(np.prod(a, axis=1))
        + np.sum(np.mean(a, axis=(0, 1)) ** 2)
        + np.sum(np.var(a, axis=0) * np.std(a, axis=0))
        + np.sum(np.max(a, axis=1))
    )


@program(normal(4, 4), jit=True)
def triangles_and_diagonals(a):
    return (
        np.sum(np.triu(a) ** 2)
        + np.sum(np.tril(a, -1) * a.T)
        + np.trace(a) ** 2
        + np.sum(np.diag(a) ** 3)
        + np.sum(np.diag(a[0]) @ a)
    )


@program(normal(3), normal(4), wrt=(0, 1))
def mesh(x, y):
    u, v = np.meshgrid(x, y)
    return np.sum(np.sin(u) * v**2)


@program(normal(3), jit=True)
def creation(x):
    a = np.zeros((3, 3)) + x
    b = np.ones_like(a) * x[:, None]
    c = np.full((3,), x[0]) + np.eye(3)[1] * x + np.linspace(0.0, 1.0, 3) * x
    return np.sum(a * b) + np.sum(c**2)


@program(normal(3), jit=True)
def array_literals(x):
    m = np.array([[np.cos(x[0]), -np.sin(x[0])], [np.sin(x[0]), x[1] * x[2]]])
    v = np.asarray([x[1], 1.0])
    return np.sum((m @ v) ** 2)


@program(normal(3), jit=True)
def nested_array_literal_in_loop(x):
    m = np.eye(2)
    for t in x:
        m = m @ np.array([[1.0, t], [0.0, np.exp(-t)]])
    return np.sum(m)


@program(dominant(3), normal(3), wrt=(0, 1), jit=True)
def linear_solve(a, b):
    x = solve(a, b)
    return np.sum(x**2) + x[0]


@program(dominant(3), normal(3, 2), wrt=(0, 1), jit=True)
def solve_many(a, b):
    return np.sum(np.linalg.solve(a, b) ** 2)


@program(spd(3), jit=True, second=True)
def determinants(a):
    sign, logdet = np.linalg.slogdet(a)
    return np.linalg.det(a) + sign * logdet + np.trace(inv(a))


@program(spd(3), normal(3), wrt=(0, 1), jit=True)
def gaussian_log_density(cov, x):
    L = np.linalg.cholesky(0.5 * (cov + cov.T))
    z = np.linalg.solve(L, x)
    return -0.5 * z @ z - np.sum(np.log(np.diag(L))) - 1.5 * np.log(2.0 * np.pi)


@program(positive(4), jit=True)
def interpolation(y):
    grid = np.array([0.0, 1.0, 2.0, 3.0])
    return np.sum(np.interp([0.3, 1.7, 2.2], grid, y) ** 2) + np.trapezoid(y**2, grid)


@program(normal(6), normal(3), wrt=(0, 1), jit=True)
def convolution(x, k):
    return np.sum(np.convolve(x, k) ** 2) + np.sum(np.convolve(x, k, mode="valid"))


@program(normal(6))
def gradient_and_differences(x):
    return np.sum(np.gradient(x) ** 2) + np.sum(np.diff(x, n=2) ** 2)


@program(normal(3, 4))
def take_along(a):
    order = np.argsort(a, axis=1)
    s = np.take_along_axis(a, order, axis=1)
    total = np.sum(s * np.arange(4.0)) + np.sum(np.take(a, [], axis=1))
    return total + np.sum(np.take(a, [0, 2], axis=1) ** 2)


@program(normal(4))
def select_function(x):
    y = np.select([x > 0.5, x > -0.5], [x**2, 2.0 * x], default=np.sin(x))
    both = np.stack([x, x**2])
    return np.sum(y) + np.sum(np.select([x > 0.5], [both], default=both * both))


@program(normal(3, 4), normal(4), wrt=(0, 1))
def standardise_and_project(a, w):
    z = (a - np.mean(a, axis=0)) / np.sqrt(np.var(a, axis=0) + 0.1)
    p = 1.0 / (1.0 + np.exp(-z @ w))
    return np.mean(p * np.log(p))


@program(normal(4, 2), normal(3, 2), wrt=(0, 1), jit=True)
def pairwise_distances(a, b):
    d2 = np.sum((a[:, None, :] - b[None, :, :]) ** 2, axis=-1)
    return np.sum(np.exp(-0.5 * d2)) + np.min(d2)


@program(normal(2, 3, 4))
def reductions_of_three_axes(a):
    return np.sum(a.sum(axis=(0, 2)) ** 2) + np.sum(a.mean(axis=1, keepdims=True) * a)


@program(normal(3, 4), rtol=1e-4, jit=True)
def broadcast_to_and_arrays(a):
    b = np.broadcast_to(a[0], (2, 4))
    c, d = np.broadcast_arrays(a, a[:, :1])
    return np.sum(b**2) + np.sum(c * d)


@program(using(lambda rng: rng.normal(size=(3, 2)).astype(np.float32)), rtol=2e-4, jit=True)
def single_precision(a):
    h = np.tanh(a * np.float32(0.5))
    return np.sum(h * a)


@program(
    using(lambda rng: {"w": rng.normal(size=3).astype(np.float32), "b": rng.normal(size=2)}),
    rtol=2e-4,
)
def mixed_precision(params):
    return np.sum(np.sin(params["w"])) * np.sum(params["b"] ** 2)


@program(using(lambda rng: np.asfortranarray(rng.normal(size=(3, 4)))), jit=True)
def fortran_order(a):
    return np.sum(a.ravel()[:6] * a.T.ravel()[6:]) + np.sum(a[1] ** 2)


@program(using(lambda rng: rng.normal(size=(6, 4))[::2, ::-1]), jit=True)
def strided_argument(a):
    a[0] *= 2.0
    return np.sum(np.sin(a) * a)


@program(using(lambda rng: np.array(0.7)), jit=True)
def zero_dimensional(x):
    y = x * x
    return np.sin(y) + x[()] * y


@program(normal(1), jit=True)
def one_element(x):
    return x[0] ** 2 * np.sum(x) + x.item()


@program(normal(0), normal(2), wrt=(0, 1))
def empty_array(x, y):
    return np.sum(x**2) + np.sum(np.concatenate([x, y]) ** 2)


@program(normal(3), np.array([1, 2, 3]), 2)
def integer_operands(x, k, n):
    return np.sum(x * k) / n + np.sum(x**n) + np.sum(k @ x * k)


@program(normal(4), jit=True, second=True)
def reductions_of_ufuncs(x):
    y = x**2
    return np.multiply.reduce(y) + np.add.reduce(x) * np.maximum.reduce(y) + np.logaddexp.reduce(x)


@program(normal(4), second=True)
def accumulations_of_ufuncs(x):
    total = np.add.accumulate(x) * np.maximum.accumulate(x)
    return np.sum(total**2) + np.sum(np.add.reduceat(x, [0, 2]) ** 2)


@program(normal(3), second=True)
def outer_of_ufuncs(x):
    return np.sum(np.multiply.outer(x, x) ** 2) + np.sum(np.hypot.outer(x, x**2 + 1.0))


@program(normal(4))
def blocks_of_several_shapes(x):
    a, b = x.reshape(2, 2), np.outer(x[:2], np.arange(3.0))
    whole = np.block([[a, b], [b.T, np.eye(3)]])
    row = np.block([[x[0], x[1]], [x[2], x[3]]]) @ np.array([1.0, 2.0])
    return np.sum(whole**3 * np.arange(25.0).reshape(5, 5)) + row[0] * row[1]


@program(normal(3))
def guarded_by_machine_limits(x):
    y = x / (np.linalg.norm(x) + np.finfo(float).eps)
    return np.sum(y**3) + x[0] * (np.iinfo(np.int16).max > 100) * np.finfo(x.dtype).nmant


@program(normal(6), wrt=0)
def logarithm_under_a_mask(x):
    y = np.log(x, out=np.zeros_like(x), where=x > 0.1)
    np.multiply(y, x, out=y, where=x < 2.0)
    return np.sum(y**2)


@program(using(lambda rng: rng.normal(size=5).astype(np.float32)), rtol=2e-3)
def single_precision_through_masks(x):
    kept = np.mean(x, where=np.array([True, False, True, True, False]))
    return kept + np.sum(np.cumsum(x)) + np.sum(np.maximum(x, 0.1)) + np.trace(np.outer(x, x))


@program(normal(4, 3), second=True)
def differences_between_ends(a):
    inside = np.diff(a, axis=0, prepend=0.5, append=a[:1] ** 2)
    return np.sum(inside**3) + np.sum(np.diff(a[0], 2, -1, a[1, 0], a[:2, 1]) ** 2)


@program(normal(4, 3, 5), normal(4, 3, 3), jit=True)
def half_spectrum_with_weights(x, w):
    return np.sum(w * np.real(np.fft.rfft(x))) + np.sum(w * np.imag(np.fft.rfft2(x)))


@program(normal(5), second=True)
def blocks_and_differences_over_places(x):
    top = [np.diag(x[:2]), x[2] * np.ones((2, 1))]
    blocks = np.block([top, [x[3:][None], np.array([[1.0]])]])
    slopes = np.gradient(x, np.linspace(0.0, 1.0, 5))
    return np.sum(blocks**3) + slopes @ slopes


@program(normal(4), second=True)
def results_of_two_into_their_arguments(x):
    a, b, c = 3.0 * x + 0.1, 2.0 * x - 0.3, 5.0 * x + 0.2
    _, whole = np.modf(a, a)
    np.divmod(c, 1.7, b, c)
    return np.sum(a * a * np.cos(whole)) + np.sum(c * c * b)


@program(normal(4))
def polynomials_beside_tables(x):
    table = np.outer(x, x[:3])
    both = np.polyadd(table, x[:3]) if len(table) == 3 else np.polysub(table[:3], x[:3])
    return np.sum(both**2) + np.sum(np.polyadd(x, 2.0) * np.polysub(x[:2], x))


@program(normal(4), second=True)
def functions_told_to_be_complex(x):
    total = np.sum(np.sqrt(x - 1.0, dtype=complex).imag)
    total += np.sum(np.arcsin(3.0 * x, dtype=np.complex128).imag * x)
    return total + np.sum(np.power(x, 0.5, dtype=complex).real) + np.log(x, dtype=complex)[1].real
