"""Python's own functions with keywords, numbers of Python and NumPy, searches that stop."""

import functools
import itertools
import math

import numpy as np

from programs.registry import program

X = np.array([0.31, 0.72, 0.53, 0.44])


@program(X, second=True)
def digits_named(x):
    return round(x[0] * 10, ndigits=None) * x[1] + round(number=x[1] * 10) * x[2]


@program(X, second=True)
def powers_named(x):
    return (
        pow(base=x[0], exp=2)
        + pow(3, 4, 5) * x[1]
        + pow(x[2], 3)
        + pow(2, -1) * x[3]
        + pow(7, 2, mod=5) * x[0]
        + pow(3, -1, 7) * x[1]
    )


@program(X, second=True)
def complex_parts_named(x):
    return (
        (complex(real=x[0], imag=x[1]) * complex(imag=x[2])).real
        + complex(x[3]).real
        + complex(2, 3).imag * x[0]
    )


@program(X, second=True)
def strict_zip(x):
    t = 0.0
    for a, b in zip(x[:2], x[2:], strict=True):
        t += a * b
    for a, b in itertools.combinations(x, r=2):
        t += a * b * b
    for k, v in enumerate(iterable=x, start=3):
        t += k * v
    return t


@program(X, second=True)
def leading_axes(x):
    return (
        np.array(x, ndmin=2).sum(axis=1)[0] * np.array(x, ndmin=3)[0, 0, 1]
        + np.array(object=x)[0]
        + np.array([x[0], x[1]], ndmin=2).shape[0] * x[0]
    )


@program(X, second=True)
def array_options(x):
    return np.array(x, dtype=complex, ndmin=2)[0, 1].real * np.array(x, order="F")[2]


@program(X, second=True)
def sum_starts(x):
    return (
        sum(x, start=x[0])
        + sum([x[0]], start=2.0) * x[1]
        + sum([[x[0]], [x[1]]], start=[])[1] * x[2]
        + sum([[x[0]], [x[1]]], [])[0]
    )


@program(X, second=True)
def extremes_named(x):
    return (
        sorted(x, reverse=True)[0]
        * max(x, key=lambda v: -v)
        * min([], default=x[1])
        * len(list(itertools.permutations(x, r=2)))
    )


@program(X, second=True)
def reduced_from(x):
    return functools.reduce(lambda a, b: a * b, x, 2.0) + functools.reduce(
        lambda a, b: a + b * b, x
    )


@program(X, second=True)
def integers_with_base(x):
    return (
        int("11", base=2) * x[0] + int("z", 36) * x[1] + float("1e1") * x[2] + int(x[3] * 10) * x[3]
    )


@program(X, second=True)
def itertools_named(x):
    t = 0.0
    for a in itertools.accumulate(x, initial=2.0):
        t += a * a
    for a in itertools.accumulate(x, func=lambda p, q: p * q):
        t += a
    for a, b in itertools.zip_longest(x, x[:2], fillvalue=3.0):
        t += a * b
    for a in itertools.islice(x, 1, None, 2):
        t += a**3
    for a, b in itertools.product(x[:2], repeat=2):
        t += a * b * b
    for a in itertools.repeat(x[0], times=3):
        t += a
    for a in itertools.chain(x, x[:1]):
        t *= 1 + a * 0.1
    for a, b in itertools.pairwise(x):
        t += a * b
    for k, g in itertools.groupby([0, 0, 1], key=lambda v: v):
        t += x[k] * len(list(g))
    for a in itertools.compress(x, selectors=[1, 0, 1, 0]):
        t += a
    for a in itertools.takewhile(lambda v: v < 0.7, x):
        t += a
    for a in itertools.dropwhile(lambda v: v < 0.7, x):
        t += a * 2
    for a in itertools.filterfalse(lambda v: v < 0.5, x):
        t += a * 3
    for a in itertools.starmap(lambda p, q: p * q, zip(x, x[1:])):
        t += a
    for a, b in zip(itertools.count(start=2, step=3), x):
        t += a * b
    for a, b in zip(itertools.cycle([1, 2]), x):
        t += a * b
    return t


@program(X, second=True)
def reductions_named(x):
    return (
        np.sum(a=x) * np.mean(a=x, axis=None) + np.maximum((x1 := x[0]), x[1]) * 1.0
        if False
        else np.sum(a=x) * np.mean(a=x, axis=None)
    )


@program(X, second=True)
def made_arrays_named(x):
    return (
        np.reshape(a=x, shape=(2, 2))[1].sum() * np.full(shape=2, fill_value=x[0]).sum()
        + np.linspace(start=x[0], stop=x[1], num=3, endpoint=False)[1]
        + np.concatenate(arrays=(x, x)).sum()
        if False
        else np.full(shape=2, fill_value=x[0]).sum()
        + np.linspace(start=x[0], stop=x[1], num=3, endpoint=False)[1]
    )


@program(X, second=True)
def draws_of_a_generator(x):
    rng = np.random.default_rng(3)
    t = 0.0
    for k in range(4):
        e = rng.normal()
        t = t + x[k] * e * x[k]
    return t + (x * rng.normal(size=4)).sum() ** 2


@program(X, second=True)
def draws_of_a_seed(x):
    np.random.seed(1)
    z = x * np.random.rand(4)
    w = np.exp(z) * np.random.randn()
    return (z * w).sum()


@program(X, second=True)
def permuted_by_a_generator(x):
    rng = np.random.default_rng(5)
    p = rng.permutation(4)
    q = rng.choice(4, 2, replace=False)
    s = rng.integers(0, 4)
    y = x[p] * x
    rng.shuffle(y)
    return (y * x).sum() * x[q].sum() + x[s] ** 2


@program(X, second=True)
def floors_and_remainders(x):
    a = x * 10
    return (
        (a // 1 * x).sum()
        + (a % 3).sum() * x[0]
        + divmod(a[1], 2.0)[1] * x[1]
        + divmod(a[1], 2.0)[0] * x[2]
        + math.fmod(a[2], 3.0) * x[2]
        + np.fmod(-a, 3).sum() * x[1]
        + (-a % 3).sum() * x[3]
        + -a[0] % 2 * x[0]
    )


@program(X, second=True)
def rounded(x):
    return (
        round(x[0] * 10) * x[1]
        + round(x[1] * 100 / 3, 1) * x[0]
        + np.round(x * 7, 1).sum() * x[2]
        + int(x[2] * 10) * x[3]
        + math.ceil(x[0] * 3) * x[1]
        + math.trunc(-x[1] * 7) * x[0]
        + np.rint(x * 9).sum() * x[1]
        + round(2.5) * x[0]
        + round(3.5) * x[1]
    )


@program(X, second=True)
def integer_operations(x):
    n = 7
    a = n // 2 * x[0] + -n // 2 * x[1] + -n % 4 * x[2] + n % -4 * x[3]
    b = (
        (n & 3) * x[0]
        + (n | 8) * x[1]
        + (n ^ 2) * x[2]
        + (n << 2) * x[3]
        + (n >> 1) * x[0]
        + ~n * x[1]
    )
    c = (
        2**n * x[0]
        + 2 ** (-2) * x[1]
        + (-2) ** 3 * x[2]
        + pow(3, 4, 5) * x[3]
        + 10 ** (-1) * x[0]
        + 0**0 * x[1]
    )
    return a * b + c * c


@program(X, second=True)
def integer_arrays(x):
    i = np.arange(4)
    a = (i // 2 * x).sum()
    b = (i**2 * x).sum()
    c = (-i // 3 * x).sum()
    d = ((i - 2) % 3 * x).sum()
    e = (i / 3 * x).sum()
    g = ((i << 1) * x).sum()
    h = (np.bitwise_and(i, 1) * x).sum()
    return a * b + c * d + e * g + h * h


@program(X, second=True)
def extremes_of_python(x):
    a = min(x[0], x[1], x[2])
    b = max(x)
    c = min(x.tolist())
    d = max([x[0], x[3]], key=lambda v: -v)
    e = min((x[1], 0), (x[2], 1))[0]
    g = max([], default=x[0])
    h = max(x[0], 0.5)
    i = min(x[1] * 2, 1)
    j = max((k for k in range(4)), key=lambda k: x[k])
    return a * b + c * d + e * g + h * i + x[j] ** 3 + min("b", "a", "c").count("a") * x[0]


@program(X, second=True)
def sorted_by_keys(x):
    s = sorted(x)
    r = sorted(x, reverse=True)
    o = sorted(range(4), key=lambda k: x[k])
    q = sorted([(1, x[0]), (0, x[1]), (1, x[2])], key=lambda p: p[0])
    w = sorted(enumerate(x), key=lambda p: -p[1])
    l = list(x)
    l.sort(key=lambda v: (v > 0.5, v))
    l.reverse()
    return (
        s[0] * r[0]
        + x[o[1]] * 2
        + q[0][1] * q[1][1] ** 2 * q[2][1] ** 3
        + w[0][0] * w[0][1]
        + w[1][1] ** 2 * 3
        + l[0] * l[1] ** 2
        + l[3] ** 3
    )


@program(X, second=True)
def searches_that_count(x):
    n = [0]

    def t(v):
        n[0] += 1
        return v > 0.5

    a = any((t(v) for v in x))
    b = all((t(v) for v in x))
    c = any([])
    d = all([])
    e = any(x > 0.7)
    g = all(x > 0.2)
    return x[0] * n[0] + x[1] * a + x[2] * b + x[3] * (c + 2 * d) + x[0] * (e * 3 + g)


@program(X, second=True)
def python_numbers(x):
    a = float(x[0])
    b = float(x.sum())
    c = float(np.float32(0.1))
    d = complex(x[1], x[2])
    return a * b * c + (d * d).real + abs(d) + d.imag * (d.conjugate() * d).real + (x[0] + 0j).real


@program(X, second=True)
def infinite_starts(x):
    best = float("inf")
    worst = -math.inf
    k = None
    for i, v in enumerate(x):
        if v < best:
            best = v
            k = i
        if v > worst:
            worst = v
    return best * worst * (k + 1) + (x[0] if best != best else x[1]) * np.isfinite(best)


@program(X, second=True)
def math_functions(x):
    return (
        math.fsum(x) * math.prod(x)
        + math.hypot(*x) * math.dist(x[:2], x[2:])
        + math.sumprod([x[0], x[1]], [x[2], x[3]])
        if hasattr(math, "sumprod")
        else math.fsum(x) * math.prod(x)
        + math.hypot(*x) * math.dist(x[:2], x[2:])
        + math.copysign(x[0], -1) * math.ldexp(x[1], 2)
        + math.fabs(-x[2])
        + math.cbrt(x[3])
        + math.log(x[0], 2)
        + math.log2(x[1])
        + math.log1p(x[2])
        + math.expm1(x[3])
        + math.atan2(x[0], x[1])
        + math.degrees(x[2])
        + math.radians(x[3])
        + math.gamma(x[0])
        + math.lgamma(x[1])
        + math.erf(x[2])
        + math.erfc(x[3])
        + math.pow(x[0], x[1])
        + math.exp2(x[2])
        + math.remainder(x[3] * 5, 2.0)
        + math.modf(x[0] * 3)[0] * x[1]
        + math.frexp(x[2])[0] * x[3]
        + math.comb(4, 2) * x[0]
        + math.factorial(4) * x[1]
        + math.gcd(12, 18) * x[2]
        + math.isclose(x[0], x[0]) * x[3]
        + math.isqrt(17) * x[1]
    )


@program(X, second=True)
def iterators_in_hand(x):
    t = 0.0
    for a, b in zip(x, x[1:]):
        t += a * b
    for i, (a, b) in enumerate(zip(x[::-1], range(10)), start=2):
        t += a * b * i
    for a, *b in [(x[0], x[1], x[2]), (x[3],)]:
        t += a * len(b) + sum(b) ** 2
    it = iter(x)
    t += next(it) * next(it) ** 2 + sum(it) + next(it, 7.0)
    return t


@program(X, second=True)
def truths_that_are_numbers(x):
    a = bool(x[0])
    b = x[1] > 0.5 and x[2]
    c = x[0] or x[1]
    d = 0 or x[2]
    e = x[0] * 0 or x[3]
    g = not x[1]
    h = (x[0] > 0.5 or x[1] > 0.5) * x[2]
    i = None or [] or (x[1],)
    return a * b + c * d + e + g + h + i[0] ** 2


@program(X, second=True)
def comparisons_as_numbers(x):
    a = np.sign(x - 0.5) * x
    b = np.heaviside(x - 0.5, 0.5) * x
    c = (x == x.max()) * x
    d = np.isclose(x, 0.72, atol=0.1) * x
    e = np.equal(x, x) * x
    g = np.logical_and(x > 0.4, x < 0.6) * x
    h = np.logical_xor(x > 0.4, x > 0.5) * x
    return (a * b).sum() + (c * d).sum() + (e * g).sum() + h.sum() ** 2


@program(X, second=True)
def texts_as_keys(x):
    cfg = {"a": 0, "b": 1}
    t = 0.0
    for name in "abba":
        t = t * 0.5 + x[cfg[name]] * len(name)
    key = f"w{2:02d}"
    d = {key: x[2], "w" + str(3): x[3]}
    for k, v in d.items():
        if k.startswith("w0"):
            t = t * v
        elif k.endswith("3") and k[1:].isdigit():
            t = t + v * int(k[1:])
    mode = "relu,tanh".split(",")[1]
    op = {"tanh": np.tanh, "relu": lambda v: np.maximum(v, 0)}[mode]
    return (
        op(t)
        + "abc".index("c") * x[0]
        + getattr(np, "sin")(x[1])
        + getattr(x, "sum")()
        + {"x": 1}.get("y", 2) * x[2]
        + ord("a") * x[3]
        + ("%s" % 3 == "3") * x[0]
        + "-".join(["a", "b"]).count("-") * x[1]
    )


@program(X, second=True)
def numbers_of_scalar_types(x):
    return np.float64(x[0]) * x[1] + np.float64(x.sum()) ** 2 + np.double(x[2])


@program(X, second=True)
def scalar_type_in_a_loop(x):
    t = np.float64(0.0)
    for v in x:
        t += np.float64(v) * v
    return t * np.float64(t)


@program(X, second=True)
def scalar_type_of_arrays(x):
    return (np.float64(x) * x).sum() + np.float64([x[0], x[1]]).prod()


@program(X, second=True)
def complex_scalar_type(x):
    z = np.complex128(x[0]) * (1 + 2j) * x[1]
    return (z * np.conj(z)).real + np.complex128(x).real.sum() * x[0]


@program(X, second=True)
def scalar_type_aliased(x):
    z = np.float64(x)
    z[0] *= x[1]
    return (z * z).sum()


@program(X, second=True)
def scalar_type_of_constants(x):
    return float(np.float64(x[0])) * np.float64(float(x[1])) + np.float64(3) * x[2]
