"""Tools of the standard library and of NumPy, as people use them in numerical code."""

import cmath
import functools
import itertools
import math
from collections import Counter

import numpy as np

from programs.registry import normal, positive, program


@program(positive(4), second=True)
def joined_by_index(x):
    a = np.r_[0.0, x, 2.0 * x[0]]
    b = np.c_[x, x**2, np.ones(4)]
    g = np.r_[0:4] * x + np.r_[0:1:4j]
    return np.sum(a**2) + np.linalg.det(b.T @ b) + x @ g + np.sum(np.c_[b, x])


@program(normal(4), second=True)
def slices_and_grids_as_objects(x):
    middle, first = np.s_[1:3], np.s_[:, 0]
    A = np.outer(x, x)
    rows, columns = np.mgrid[0:4, 0:4]
    down, across = np.ogrid[:4, :4]
    return np.sum(x[middle] ** 2) + A[first] @ x + np.sum(A * (rows * columns + down + across))


@program(positive(4))
def extremes_of_what_may_be_empty(x):
    large = [v * v for v in x if v > 50.0]
    small = [v * v for v in x if v < 50.0]
    high = max(large, default=x[0]) + max((v for v in x if v > 99.0), default=3.0 * x[3])
    low = min(small, default=0.0) + min(small, default=0.0, key=lambda q: -q)
    return high + low + max([], default=x[1])


@program(positive(4))
def keys_of_the_largest_values(x):
    table = dict(zip("abcd", x**2, strict=True))
    best, worst = max(table, key=table.get), min(table, key=lambda k: table[k])
    order = sorted(table, key=table.get, reverse=True)
    counts = Counter()
    for i in range(4):
        counts[i % 2] += x[i]
    (_, most), *_ = counts.most_common(1)
    return 2.0 * table[best] + table[worst] + table[order[0]] * table[order[1]] + most**2


@program(positive(5), second=True)
def counted_from_anywhere(x):
    s = 0.0
    for i, v in zip(itertools.count(2, 3), x, strict=False):
        s += i * v * v
    for i, v in enumerate([x[0], x[1], x[2]], start=1):
        s += i * v**3
    for i, v in enumerate(x[1:], 2):
        s += i * x[i - 2] * v
    for k in itertools.count(1):
        if k > 3:
            break
        s += x[k] ** k
    return s


@program(normal(4), second=True)
def drawn_again_from_the_argument(x):
    rng = np.random.default_rng(1)
    a, b, c = rng.choice(x, size=3), rng.permutation(x), rng.choice(x)
    y = 2.0 * x
    rng.shuffle(y)
    d = rng.permutation(np.outer(x, x))
    e = rng.choice(x, size=(2, 2), p=[0.1, 0.2, 0.3, 0.4])
    k = np.arange(4.0)
    return a @ k[:3] + b @ k**2 + c * c + y @ k + d[0] @ k + e[1, 0] ** 2


@program(positive(2), second=True)
def drawn_with_active_parameters(p):
    rng = np.random.default_rng(1)
    mu, sigma = p
    a = rng.normal(mu, sigma, size=5)
    b = rng.normal(loc=mu, scale=2.0)
    c = rng.uniform(mu, mu + sigma, 3)
    d = rng.exponential(sigma, size=(2, 3))
    return np.sum(a**2) + b + np.sum(c**2) + np.sum(d**2) + rng.lognormal(mu, sigma)


def _call_price(spot, strike, years, rate, sigma, kind="call"):
    root = sigma * math.sqrt(years)
    d1 = (math.log(spot / strike) + (rate + 0.5 * sigma**2) * years) / root
    up, down = (0.5 * (1.0 + math.erf(d / math.sqrt(2.0))) for d in (d1, d1 - root))
    if kind == "call":
        return spot * up - strike * math.exp(-rate * years) * down
    return strike * math.exp(-rate * years) * (1.0 - down) - spot * (1.0 - up)


@program(positive(5), second=True)
def array_spread_over_optional_arguments(p):
    return _call_price(*p) + 2.0 * _call_price(*p, kind="put") + _call_price(*p[:4], sigma=0.3)


@program(normal(5, 2), rtol=1e-5)
def rotation_between_points_on_a_line(points):
    fixed = np.arange(10.0).reshape(5, 2) * 0.3
    W = (points - points.mean(axis=0)).T @ (fixed - fixed.mean(axis=0))
    U, _, Vt = np.linalg.svd(W)
    R = Vt.T @ np.diag([1, np.sign(np.linalg.det(Vt.T @ U.T))]) @ U.T
    return np.mean((points @ R.T - fixed) ** 2)


@program(positive(3, 3), [0, 1, 1, 0, 2], second=True)
def forward_algorithm_in_logs(T, seen):
    def logsumexp(a, axis=None):
        m = np.max(a, axis=axis, keepdims=True)
        out = np.log(np.sum(np.exp(a - m), axis=axis, keepdims=True)) + m
        return np.squeeze(out, axis=axis) if axis is not None else out.item()

    emit = np.log([[0.7, 0.2, 0.1], [0.2, 0.2, 0.6], [0.1, 0.8, 0.1]])
    steps = np.log(T / T.sum(axis=1, keepdims=True))
    alpha = np.log(np.full(3, 1.0 / 3.0)) + emit[:, seen[0]]
    for k in seen[1:]:
        alpha = emit[:, k] + logsumexp(alpha[:, None] + steps, axis=0)
    return logsumexp(alpha)


@program(positive(7), second=True)
def local_lines(x):
    out = np.empty_like(x)
    for i in range(len(x)):
        lo, hi = max(0, i - 2), min(len(x), i + 3)
        t = np.arange(lo, hi) - i
        w = np.sqrt((1.0 - np.abs(t / 3.0) ** 3) ** 3)
        A = np.vstack([np.ones_like(t), t]).T
        beta, *_ = np.linalg.lstsq(A * w[:, None], x[lo:hi] * w, rcond=None)
        out[i] = beta[0]
    return np.sum((out - x) ** 2)


@program(positive(4), [1, 2, 3, 5])
def yield_curve_from_swap_rates(rates, years):
    discounts = {}
    for rate, year in zip(rates * 0.03, years, strict=True):
        annuity = 0.0
        for k in range(1, year):
            if k in discounts:
                annuity += discounts[k]
            else:
                before = max(t for t in discounts if t < k)
                annuity += discounts[before] * 0.97 ** (k - before)
        discounts[year] = (1.0 - rate * annuity) / (1.0 + rate)
    zeros = [-math.log(df) / year for year, df in discounts.items()]
    return sum(z * z for z in zeros) + discounts[5]


@program(positive(6), second=True)
def smoothed_medians(x):
    padded = np.pad(x, 1, "reflect")
    out = np.array([np.median(padded[i : i + 3]) for i in range(x.size)])
    average = [out[0]]
    for v in out[1:]:
        average.append(0.3 * v + 0.7 * average[-1] * v)
    return np.var(out) + average[-1] ** 2


@program(normal(3, 3), second=True)
def norms_by_name(a):
    return np.linalg.norm(a * a, "fro") + np.linalg.norm(a, "fro") ** 3 + np.linalg.norm(a, 1)


@program(positive(4), second=True)
def functions_composed(x):
    def compose(*functions):
        return functools.reduce(lambda f, g: lambda *a: f(g(*a)), functions)

    chain = functools.reduce(lambda f, g: lambda v: g(f(v)), [math.sin, lambda v: v * x[1]])
    curried = lambda a: lambda b: lambda c: a * b + c  # noqa: E731
    inner = compose(np.tanh, lambda u: u * x[0], np.sin)
    return chain(x[3]) + inner(x[2]) + curried(x[0])(x[1])(x[2])


@program(positive(3), second=True)
def complex_numbers_by_cmath(x):
    z = complex(x[0], x[1])
    r, phi = cmath.polar(z)
    s = cmath.exp(z).real + abs(cmath.sqrt(-x[2])) + r * phi + cmath.phase(z)
    return s + cmath.rect(x[0], x[1]).imag + cmath.log(z).imag + (1j * z).real


@program(positive(4))
def further_iterators(x):
    s = 0.0
    for v in itertools.dropwhile(lambda q: q < 0.6, x):
        s -= 0.5 * v
    for v in itertools.compress(x, [1, 0, 1, 0]):
        s += 2.0 * v
    for v in itertools.repeat(x[0], 3):
        s += v
    for v in np.nditer(x):
        s += float(v) ** 2
    for v in itertools.filterfalse(lambda q: q > 0.6, x):
        s += v**3
    parts = list(map(str.strip, " a , b ".split(",")))
    return s + len(parts) * x[0] + (x[1] if parts[1] == "b" else 0.0)
