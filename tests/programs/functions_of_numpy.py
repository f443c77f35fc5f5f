"""NumPy and `statistics` functions that take functions, iterators or make callables."""

import statistics

import numpy as np

from programs.registry import normal, positive, program


@np.vectorize
def _bounded(t):
    return np.exp(t) if t < 1.0 else t


@program(normal(4), second=True)
def vectorized_in_place(x):
    product = np.vectorize(lambda a, b: a * b if a > b else a + b**2)
    return np.sum(product(x[:, None], x[::-1]) ** 2)


@program(normal(4))
def vectorized_outside(x):
    return np.sum(_bounded(x) * x)


@program(normal(2, 3), second=True)
def along_an_axis(a):
    spread = np.apply_along_axis(lambda row, c: c * (np.max(row) - np.min(row)), 1, a, c=2.0)
    ordered = np.apply_along_axis(np.sort, 0, a)
    return np.sum(spread**2) + np.sum(ordered * np.arange(6.0).reshape(2, 3))


@program(normal(4))
def pieces_by_condition(x):
    return np.sum(
        np.piecewise(x, [x < -0.5, x < 0.5], [lambda t: t**2, 2.0, lambda t: 3 * t * x[0]])
    )


@program(normal(3), second=True)
def polynomial_object(c):
    p = np.poly1d(c)
    return p(0.5) ** 2 + np.sum(p.deriv()(np.arange(3.0))) + p.integ()(1.2)


@program(normal(3))
def from_function_and_iterator(x):
    grid = np.fromfunction(lambda i, j: x[0] * i + x[1] ** 2 * j, (3, 2))
    return np.sum(grid) * np.sum(np.fromiter((v**2 for v in x), float))


@program(positive(4))
def statistics_module(x):
    spread = statistics.stdev(x) + statistics.pvariance(x)
    return spread + statistics.median(x) * statistics.geometric_mean(list(x)) + statistics.mean(x)


@program(normal(2, 3, 2), second=True)
def axes_from_the_rank(x):
    n = len(x.shape)
    first = np.sum(x**2, axis=tuple(range(x.ndim - 1)))
    rest = np.mean(x**2, axis=tuple(range(1, n)), keepdims=True)
    return np.sum(first**2) + np.sum(rest * x)


@program(normal(6, 4, 2, 3, 4), normal(6, 4))
def complex_tensor_equation(a, b):
    x = np.linalg.tensorsolve(a + 3.0j * np.eye(24).reshape(6, 4, 2, 3, 4), b + 0.5j)
    return np.sum(np.abs(x) ** 2)


@program(normal(2, 3))
def shapes_repeated_and_joined(x):
    s = 0
    for row in x:
        s = s + row
    weights = np.ones(x.shape * 2) * len(np.shape(s) * 2)
    total = np.sum(x)
    return np.sum(np.reshape(2.0 * x, np.shape(total) + np.shape(x)) ** 2) * weights[0, 0, 0, 0]


@program(normal(5), second=True)
def distinct_values(x):
    return np.sum(np.unique(np.append(x, x[0])) ** 3 * np.arange(1.0, 6.0)) * np.kaiser(4, x[1])[1]


@program(normal(3, 4), jit=True)
def reduced_over_no_axis(x):
    return (
        np.sum(np.max(x, axis=()) ** 3)
        + np.sum(np.var(x, axis=()))
        + np.sum(np.min(x, axis=()) * x)
    )


@program(normal(3), normal(2, 1), second=True)
def shapes_by_broadcast(a, b):
    both = np.broadcast(a, b)
    y = np.zeros(both.shape) + a
    y *= b
    products = [u * v**2 for u, v in np.broadcast(a, b)]
    return np.sum(y**2) / both.size + sum(products) * products[1] * both.ndim


DOTS = np.vectorize(lambda a, b: np.sum(a * b), signature="(n),(n)->()")
BOTH = np.vectorize(lambda m, v: (m @ v, np.sum(v)), signature="(k,n),(n)->(k),()")
STEPS = np.vectorize(lambda a: int(10.3 * a), otypes=[int])


@program(normal(4))
def vectorized_by_signature(x):
    m = np.outer(x, x)
    high, sums = BOTH(np.stack([m[:2], m[2:]]), x[::-1])
    spread = np.vectorize(lambda a, b: a * b, signature="(n),()->(n)")
    return np.sum(DOTS(m, x) ** 2) + np.sum(high**2 * sums) + np.sum(spread(m, x) * STEPS(x))


@program(normal(6), normal(6), 3, jit=True)
def vectors_made_longer_and_shorter(x, y, steps):
    window = x[:4] * 1.0
    total = 0.0
    for k in range(steps):
        window = np.append(window[1:], window[0] * y[k])
        total += np.sum(window**2)
    more = np.insert(np.append(x, y[:2]), steps, x[0] ** 2)
    more = np.insert(np.delete(more, -2), -1, np.append(y[1:3], 0.5))
    together = np.corrcoef(x, y)[0, 1] + np.sum(np.cov(y, x) ** 2)
    return total + np.sum(more**3) + together + np.sum(np.corrcoef(np.outer(x, y) + x) ** 2)


@program(positive(3), second=True)
def ranges_between_numbers(x):
    t = np.arange(x[0], 3.0 + x[1], 0.2 * x[2])
    back = np.arange(3.0, 0.5, -0.6 * x[2], dtype=np.float64) * np.arange(3.0 * x[0], step=9.0)[0]
    return np.sum(t**2) / len(t) + np.sum(np.sin(t)) + np.sum(back) + x[1] * len(back)


@program(positive(3), jit=True)
def lists_of_integers_beside_lists_that_vary(x):
    """What a partial computes with is an array, also where a list of integers was given."""
    a, b, c = x
    total = np.dot([a, b, c], [1, 2, 3]) ** 2 + x.dot([3, 1, 2]) * np.vdot([a, c], (2, 5))
    total += np.trapezoid([1, 2, 5], [a, b, c]) + np.trapezoid([2, 0, 1], x=[a, b, c])
    total += np.linalg.multi_dot([x, [[1, 2], [3, 4], [5, 6]], [1, 2]])
    quotient, rest = np.polydiv([a, b, c], [1, 2])
    return total + np.sum(quotient**2) * rest[0]


@program(normal(3), normal(4), wrt=(0, 1), jit=True)
def vectors_along_axes_of_their_own(a, b):
    down, along = np.ix_(a, b)
    grids = np.ix_(a * b[0], np.array([True, False, True]), b**2)
    picked = np.outer(a, b)[np.ix_(a > -9.0, [0, 3])]
    return np.sum(down + along**2 * down) * np.sum(grids[0] * grids[1] * grids[2]) + picked[1, 1]


@program(normal(3), second=True)
def lists_along_axes_of_their_own(a):
    (row,) = np.ix_(a)
    first, second = np.ix_([a[0], a[1] * a[2]], np.sin(a))
    return np.sum((first * second) ** 2) + row @ row


@program(normal(3))
def an_array_of_texts_compared(x):
    words = np.array([f"{v:+.0e}"[0] for v in x])
    above = np.sum(words == "+")
    return np.sum(x**2) * (above + 1) + len(np.unique(words)) * x[0] * np.sum(words != "-")


@program(normal(3), second=True)
def numbers_made_objects(x):
    held = np.array(x, dtype=object)
    again = x.astype(object, copy=False)
    again[1] = again[1] * x[0]
    return float(sum(v * v for v in held) + np.sum(again * held))


@program(normal(4), second=True)
def truths_reduced_from_a_first_one(x):
    if np.logical_and.reduce(x > -9, initial=True) and np.logical_or.reduce(x > 9, initial=True):
        return np.sum(np.cumulative_sum(x, axis=(-1,)) ** 2)
    return np.sum(x)
