"""Workbooks: rates and signals, numerical methods, classes and iterators of every style."""

import functools
import itertools
import math
import operator
from abc import ABC, abstractmethod
from collections import defaultdict, deque, namedtuple
from dataclasses import astuple, dataclass, field, replace
from typing import Any, Callable, Iterable

import numpy as np

from programs.registry import normal, positive, program, using

Rates = namedtuple("Rates", "beta gamma mu", defaults=(0.01,))


@dataclass(frozen=True)
class Compartments:
    s: float
    i: float
    r: float

    def __add__(self, other):
        return Compartments(self.s + other.s, self.i + other.i, self.r + other.r)

    def __rmul__(self, k):
        return replace(self, s=k * self.s, i=k * self.i, r=k * self.r)


def sir(y, p):
    new = p.beta * y.s * y.i
    return Compartments(-new + p.mu * y.r, new - p.gamma * y.i, p.gamma * y.i - p.mu * y.r)


def rk4(f, y, dt, *args):
    k1 = f(y, *args)
    k2 = f(y + 0.5 * dt * k1, *args)
    k3 = f(y + 0.5 * dt * k2, *args)
    k4 = f(y + dt * k3, *args)
    return y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


@program(np.array([1.2, 0.4]), second=True)
def epidemic_with_frozen_dataclasses(theta):
    p = Rates(*theta)
    y = Compartments(0.98, 0.02, 0.0)
    peak = 0.0
    for day in range(10):
        y = rk4(sir, y, 0.5, p)
        peak = max(peak, y.i)
    return peak + sum(astuple(y)[1:])


@program(positive(4), second=True)
def gillespie_mean_field(k):
    species = {"A": 10.0, "B": 5.0, "C": 0.0}
    reactions = [
        (k[0], {"A": 1, "B": 1}, {"C": 1}),
        (k[1], {"C": 1}, {"A": 1, "B": 1}),
        (k[2], {"B": 2}, {"A": 1}),
        (k[3] * 0.1, {}, {"B": 1}),
    ]
    dt = 0.01
    for _ in range(6):
        change = defaultdict(float)
        for rate, inputs, outputs in reactions:
            flux = rate * math.prod(species[s] ** n for s, n in inputs.items())
            for s, n in inputs.items():
                change[s] -= n * flux
            for s, n in outputs.items():
                change[s] += n * flux
        for s, c in change.items():
            species[s] += dt * c
    return species["C"] ** 2 + 0.1 * species["A"]


@program(positive(3), np.linspace(0.1, 3.0, 6), wrt=0, second=True)
def michaelis_menten_fit(theta, s):
    vmax, km, hill = theta
    predicted = vmax * s**hill / (km**hill + s**hill)
    observed = np.array([0.1, 0.4, 0.55, 0.62, 0.7, 0.71])
    resid = observed - predicted
    return float(
        np.sum(np.where(np.abs(resid) < 0.3, 0.5 * resid**2, 0.3 * (np.abs(resid) - 0.15)))
    )


@program(normal(4, 4), 0.7, wrt=(0, 1))
def soft_alignment(similarity, gap):
    """Needleman-Wunsch with a soft maximum."""
    n, m = similarity.shape
    H = np.zeros((n + 1, m + 1))
    H[1:, 0] = -gap * np.arange(1, n + 1)
    H[0, 1:] = [-gap * (j + 1) for j in range(m)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            options = (
                H[i - 1, j - 1] + similarity[i - 1, j - 1],
                H[i - 1, j] - gap,
                H[i, j - 1] - gap,
            )
            top = max(options)
            H[i, j] = top + 0.5 * math.log(sum(math.exp((o - top) / 0.5) for o in options))
    return H[-1, -1]


@program(np.array([0.2, 0.3, 0.2]), np.array([1.0, -0.5, 0.25]), normal(10), wrt=(0, 1))
def iir_filter(b, a, x):
    """Direct form II with a deque as the delay line."""
    line = deque([0.0] * (len(a) - 1), maxlen=len(a) - 1)
    y = []
    for sample in x:
        w = sample - sum(ak * wk for ak, wk in zip(a[1:], line))
        y.append(b[0] * w + sum(bk * wk for bk, wk in zip(b[1:], line)))
        line.appendleft(w)
    y = np.asarray(y)
    return np.sum(y**2) / a[0]


@program(normal(16), 0.2, wrt=(0, 1))
def fourier_filter(signal, cutoff):
    spectrum = np.fft.rfft(signal)
    freqs = np.fft.rfftfreq(signal.size)
    gain = 1.0 / (1.0 + (freqs / cutoff) ** 4)
    out = np.fft.irfft(spectrum * gain, n=signal.size)
    return np.sum(np.abs(out[1:] - out[:-1]) ** 2) + np.abs(spectrum[3]) ** 2


def haar(x, levels):
    bands = []
    for _ in range(levels):
        even, odd = x[::2], x[1::2]
        bands.append((even - odd) / np.sqrt(2))
        x = (even + odd) / np.sqrt(2)
    bands.append(x)
    return bands[::-1]


def inverse_haar(bands):
    x, *details = bands
    for d in details:
        y = np.empty(2 * len(x))
        y[::2] = (x + d) / np.sqrt(2)
        y[1::2] = (x - d) / np.sqrt(2)
        x = y
    return x


@program(normal(8), 0.3, wrt=(0, 1), second=False)
def wavelet_shrinkage(x, threshold):
    coarse, *details = haar(x, 3)
    shrunk = [np.sign(d) * np.maximum(np.abs(d) - threshold, 0) for d in details]
    y = inverse_haar([coarse, *shrunk])
    return np.sum((x - y) ** 2) + 0.3 * np.sum(y[::-1][:3] ** 2)


@program(positive(2), normal(6), wrt=(0, 1))
def kalman_smoother(noise, zs):
    q, r = noise
    m, p = 0.0, 1.0
    filtered, predicted = [], []
    for z in zs:
        mp, pp = 0.9 * m, 0.81 * p + q
        gain = pp / (pp + r)
        m, p = mp + gain * (z - mp), (1 - gain) * pp
        predicted.append((mp, pp))
        filtered.append((m, p))
    ms, ps = filtered[-1]
    smoothed = [ms]
    for (mf, pf), (mp, pp) in zip(filtered[-2::-1], predicted[:0:-1]):
        g = 0.9 * pf / pp
        ms = mf + g * (ms - mp)
        ps = pf + g**2 * (ps - pp)
        smoothed.append(ms)
    return sum(s**2 for s in reversed(smoothed)) + ps


def newton(f, df, x0, tol=1e-12, maxiter=50):
    """Newton's iteration; raises if it does not converge."""
    x = x0
    for k in range(maxiter):
        step = f(x) / df(x)
        x = x - step
        if abs(step) < tol:
            return x, k
    raise ValueError(f"no convergence after {maxiter} steps, x = {x}")


@program(2.5, second=True)
def newton_root_finding(a):
    root, _ = newton(lambda x: x**3 - a * x - 1, lambda x: 3 * x * x - a, 2.0)
    return root**2


def simpson(f, a, b, n=8):
    h = (b - a) / n
    odd = sum(f(a + i * h) for i in range(1, n, 2))
    even = sum(f(a + i * h) for i in range(2, n, 2))
    return h / 3 * (f(a) + f(b) + 4 * odd + 2 * even)


@program(0.3, 1.7, 2.0, wrt=(0, 1, 2))
def simpson_rule(a, b, k):
    return simpson(lambda t: math.exp(-k * t) * math.sin(t), a, b) ** 2


def adaptive(f, a, b, eps, whole=None, depth=6):
    mid = (a + b) / 2
    if whole is None:
        whole = (b - a) / 6 * (f(a) + 4 * f(mid) + f(b))
    left = (mid - a) / 6 * (f(a) + 4 * f((a + mid) / 2) + f(mid))
    right = (b - mid) / 6 * (f(mid) + 4 * f((mid + b) / 2) + f(b))
    if depth == 0 or abs(left + right - whole) < 15 * eps:
        return left + right + (left + right - whole) / 15
    return adaptive(f, a, mid, eps / 2, left, depth - 1) + adaptive(
        f, mid, b, eps / 2, right, depth - 1
    )


@program(1.3, second=True)
def adaptive_simpson(w):
    return adaptive(lambda t: math.sin(w * t * t), 0.0, 2.0, 1e-4)


BUTCHER = {
    "heun": ([[], [1.0]], [0.5, 0.5]),
    "rk4": ([[], [0.5], [0, 0.5], [0, 0, 1.0]], [1 / 6, 1 / 3, 1 / 3, 1 / 6]),
}


def integrate(rhs, y, t_end, steps, method="rk4", **parameters):
    a, b = BUTCHER[method]
    h = t_end / steps
    for _ in range(steps):
        k = []
        for row in a:
            yi = y + h * sum((aij * kj for aij, kj in zip(row, k)), start=np.zeros_like(y))
            k.append(rhs(yi, **parameters))
        y = y + h * sum(bi * ki for bi, ki in zip(b, k))
    return y


@program(positive(2), 1.5, wrt=(0, 1))
def runge_kutta_tables(y0, mu):
    def van_der_pol(y, mu, *, forcing=0.0):
        return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0] + forcing])

    fine = integrate(van_der_pol, y0, 1.0, 4, mu=mu)
    rough = integrate(van_der_pol, y0, 1.0, 4, "heun", mu=mu, forcing=0.1)
    return np.sum((fine - rough) ** 2) * 100 + fine @ rough


@program(normal(3, 3), normal(3), 0.1, wrt=(0, 1, 2))
def gradient_descent_inside(A, b, rate):
    H = A.T @ A + np.eye(3)
    x, v = np.zeros(3), np.zeros(3)
    trace = []
    for it in itertools.count():
        g = H @ x - b
        v = 0.5 * v - rate * 0.3 * g
        x = x + v
        trace.append(0.5 * x @ H @ x - b @ x)
        if it >= 5 or np.linalg.norm(g) < 1e-8:
            break
    return trace[-1] + np.mean(trace)


def bisect(f, lo, hi, iterations=40):
    flo = f(lo)
    while iterations:
        mid = 0.5 * (lo + hi)
        fm = f(mid)
        if (fm > 0) == (flo > 0):
            lo, flo = mid, fm
        else:
            hi = mid
        iterations -= 1
    # one Newton step makes it differentiable
    eps = 1e-6
    slope = (f(mid + eps) - f(mid - eps)) / (2 * eps)
    return mid - f(mid) / slope


@program(0.7, rtol=1e-4)
def bisection_then_newton(c):
    return bisect(lambda x: math.cos(x) - c * x, 0.0, 2.0) ** 2


def expm(A, terms=12):
    total = term = np.eye(len(A))
    for k in range(1, terms):
        term = term @ A / k
        total = total + term
    return total


@program(normal(3, 3), second=True)
def matrix_exponential(A):
    E = expm(0.3 * A)
    return np.trace(E @ E) + E[0, -1]


def givens_qr(A):
    R = A.copy()
    m, n = R.shape
    Q = np.eye(m)
    for j in range(n):
        for i in range(m - 1, j, -1):
            a, b = R[i - 1, j], R[i, j]
            r = np.hypot(a, b)
            if r == 0:
                continue
            G = np.array([[a / r, b / r], [-b / r, a / r]])
            R[[i - 1, i], :] = G @ R[[i - 1, i], :]
            Q[:, i - 1 : i + 1] = Q[:, i - 1 : i + 1] @ G.T
    return Q, R


@program(normal(4, 3), second=True)
def qr_by_givens(A):
    Q, R = givens_qr(A)
    return np.sum(np.log(np.abs(np.diag(R)))) + Q[0, 0] ** 2 + Q[2, 1]


def lu_solve(A, b):
    A, b = A.astype(float).copy(), b.copy()
    n = len(b)
    for k in range(n - 1):
        p = k + np.argmax(np.abs(A[k:, k]))
        if p != k:
            A[[k, p]] = A[[p, k]]
            b[k], b[p] = b[p], b[k]
        for i in range(k + 1, n):
            m = A[i, k] / A[k, k]
            A[i, k:] -= m * A[k, k:]
            b[i] -= m * b[k]
    x = np.zeros(n)
    for i in range(n)[::-1]:
        x[i] = (b[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return x


@program(using(lambda rng: rng.normal(size=(4, 4)) + 4.0 * np.eye(4)[::-1]), normal(4), wrt=(0, 1))
def lu_with_pivoting(A, b):
    x = lu_solve(A, b)
    return np.sum(np.tanh(x))


@program(np.diag([4.0, 2.0, 1.0, 0.5]) + 0.1, second=True)
def power_iteration_with_deflation(A):
    values = []
    for k in range(2):
        v = np.ones(len(A)) / (k + 2) + np.arange(len(A)) * 0.1
        for _ in range(25):
            w = A @ v
            v = w / np.sqrt(w.dot(w))
        lam = v @ A @ v
        values.append(lam)
        A = A - lam * np.outer(v, v)
    first, second = values
    return first - 0.5 * second


class Vector:
    """A small vector class with the usual operators."""

    def __init__(self, *entries):
        self.entries = list(entries)

    def __len__(self):
        return len(self.entries)

    def __getitem__(self, i):
        return self.entries[i]

    def __setitem__(self, i, value):
        self.entries[i] = value

    def __iter__(self):
        return iter(self.entries)

    def __add__(self, other):
        return Vector(*(a + b for a, b in zip(self, other)))

    def __sub__(self, other):
        return self + -1.0 * other

    def __mul__(self, k):
        return Vector(*[a * k for a in self])

    __rmul__ = __mul__

    def __neg__(self):
        return -1.0 * self

    def __matmul__(self, other):
        return sum(map(operator.mul, self, other))

    def __abs__(self):
        return math.sqrt(self @ self)

    def __bool__(self):
        return len(self) > 0

    def __repr__(self):
        return f"Vector{tuple(self.entries)}"


@program(normal(3), second=True)
def vector_with_operators(x):
    a = Vector(*x)
    b = Vector(1.0, -2.0, 0.5)
    b[1] = a[0] * a[1]
    c = 2.0 * (a + b) - a * 0.5
    assert c, "empty"
    d = -c
    return abs(c) + d @ a + len(c) * c[-1]


class Layer(ABC):
    @abstractmethod
    def __call__(self, x): ...

    def __rshift__(self, other):
        return Chain(self, other)


class Linear(Layer):
    def __init__(self, w, b=None):
        self.w, self.b = w, b

    def __call__(self, x):
        y = x @ self.w
        return y if self.b is None else y + self.b


class Act(Layer):
    table = {"tanh": np.tanh, "relu": lambda z: np.maximum(z, 0), "id": lambda z: z}

    def __init__(self, kind):
        self.f = self.table[kind]

    def __call__(self, x):
        return self.f(x)


class Chain(Layer):
    def __init__(self, *layers):
        self.layers = []
        for l in layers:
            self.layers += l.layers if isinstance(l, Chain) else [l]

    def __call__(self, x):
        for l in self.layers:
            x = l(x)
        return x

    def __len__(self):
        return len(self.layers)


@program([normal(3, 4), normal(4), normal(4, 2)], normal(5, 3), second=True)
def layers_joined_with_operators(params, x):
    w1, b1, w2 = params
    net = Linear(w1, b1) >> Act("tanh") >> Linear(w2) >> Act("id")
    y = net(x)
    return np.mean((y - 0.3) ** 2) * len(net)


class Circle:
    def __init__(self, r):
        self._r = r

    @property
    def r(self):
        return self._r

    @r.setter
    def r(self, value):
        if value <= 0:
            raise ValueError("radius must be positive")
        self._r = value

    @staticmethod
    def unit():
        return Circle(1.0)

    @functools.cached_property
    def area(self):
        return np.pi * self.r**2

    def __lt__(self, other):
        return self.area < other.area


@dataclass
class Point:
    x: float
    y: float

    __match_args__ = ("x", "y")


@dataclass
class Box:
    corner: Point
    size: tuple[float, float]


def measure(shape):
    match shape:
        case Circle(r=r) if r > 1.2:
            return 3.0 * r
        case Circle() as c:
            return c.area
        case Point(0, y):
            return y
        case Point(x, y):
            return x * y
        case Box(Point(x, _), (w, h)) if w > h:
            return x * w
        case Box(size=(w, h)):
            return w * h
        case [first, *rest]:
            return measure(first) + 0.5 * measure(rest)
        case {"kind": "scaled", "by": k, "shape": inner, **other}:
            return k * measure(inner) + len(other)
        case []:
            return 0.0
        case float() | int():
            return shape**2
        case _:
            raise TypeError(f"what is {shape!r}?")


@program(positive(5), second=True)
def shapes_by_matching(p):
    c = Circle.unit()
    c.r = p[0] * 1.1
    shapes = [
        c,
        Point(p[1], p[2]),
        Box(Point(p[0], 0), (p[3], 0.1)),
        {"kind": "scaled", "by": p[4], "shape": Point(0, p[1]), "note": "x"},
        2,
    ]
    smallest = min(Circle(p[3] + 2.0), Circle(p[4]))
    return measure(shapes) + smallest.area


@program(positive(6), second=True)
def itertools_everywhere(x):
    s = 0.0
    for a, b in itertools.pairwise(x):
        s += a * b
    for (i, a), w in zip(enumerate(x), itertools.cycle((1.0, -0.5))):
        s += w * a * i
    for a, b in itertools.zip_longest(x[:2], x, fillvalue=0.5):
        s += a / b
    running = list(itertools.accumulate(x, lambda c, v: 0.9 * c + v, initial=0.0))
    s += running[-1] + max(itertools.islice(running, 1, None, 2))
    s += sum(a * b * c for a, b, c in itertools.combinations(x, 3))
    for row in itertools.chain([x[:3]], [x[3:]], itertools.repeat(x[::2], 2)):
        s += np.prod(row)
    s += sum(itertools.starmap(operator.truediv, zip(x, x[::-1])))
    for up, group in itertools.groupby(range(6), key=lambda i: i // 2):
        s += up * sum(x[i] for i in group)
    return s + sum(itertools.takewhile(lambda v: v < 10, running))


@program(positive(5), second=True)
def sorted_and_ranked(x):
    items = [{"name": n, "value": v, "rank": None} for n, v in zip("edcba", x)]
    items.sort(key=lambda d: -d["value"])
    for r, it in enumerate(items, 1):
        it["rank"] = r
    by_name = {it["name"]: it for it in items}
    top = sorted(by_name, key=lambda n: by_name[n]["value"], reverse=True)[:2]
    total = sum(by_name[n]["value"] ** 2 for n in top)
    report = "; ".join(f"{it['name']}={it['value']:.2f}" for it in items if it["rank"] < 3)
    assert len(report) > 3
    present = {n for n in top}
    rest = [it["value"] / it["rank"] for it in items if it["name"] not in present]
    return total + math.fsum(rest) + (any(v > 1 for v in x) and x[0] or x[1])


def memoised(function):
    cache = {}

    @functools.wraps(function)
    def wrapper(n, x):
        if n not in cache:
            cache[n] = function(n, x)
        return cache[n]

    return wrapper


@program(1.3, second=True)
def legendre_by_memoised_recursion(x):
    @memoised
    def p(n, x):
        if n < 2:
            return (1.0, x)[n]
        return ((2 * n - 1) * x * p(n - 1, x) - (n - 1) * p(n - 2, x)) / n

    return sum(p(n, x) / (n + 1) for n in range(6))


@functools.lru_cache(maxsize=None)
def binom(n, k):
    return 1 if k in (0, n) else binom(n - 1, k - 1) + binom(n - 1, k)


@program(normal(5, 2), 0.4, wrt=(0, 1))
def bezier_curve(control, t):
    n = len(control) - 1
    bern = [binom(n, k) * t**k * (1 - t) ** (n - k) for k in range(n + 1)]
    point = sum(b * c for b, c in zip(bern, control))

    def casteljau(points):
        if len(points) == 1:
            return points[0]
        return casteljau([(1 - t) * p + t * q for p, q in zip(points, points[1:])])

    other = casteljau(list(control))
    return point @ other + np.linalg.norm(point)


def make_counter():
    count, total = 0, 0.0

    def add(v):
        nonlocal count, total
        count += 1
        total += v / count
        return total

    def state():
        return count, total

    return add, state


@program(normal(4), second=True)
def closures_with_state(x):
    add, state = make_counter()
    for v in x:
        if (y := add(v * v)) > 2.0:
            add(-y / 2)
    n, t = state()
    return t * n


def accumulate_into(value, bucket=None, *, weights=(1.0, 0.5)):
    if bucket is None:
        bucket = []
    bucket.append(value * weights[len(bucket) % 2])
    return bucket


@program(normal(5), second=True)
def loops_with_else_and_ternaries(x):
    bucket = []
    for v in x:
        bucket = accumulate_into(v if v > 0 else -0.5 * v, bucket)
    i, s = 0, 0.0
    while i < len(bucket):
        if bucket[i] > 50:
            break
        s += bucket[i] ** 2
        i += 1
    else:
        s *= 1.1
    for v in bucket:
        if v < 0:
            break
    else:
        s += bucket[0]
    mask = (i & 1) ^ 1
    return s / (1 << mask) + (x[i >> 2] if i else 0.0)


@program(normal(4, 4), second=True)
def views_of_views_written(A):
    B = A.copy()
    inner = B[1:3, 1:3]
    inner[0, :] *= 2.0
    col = inner.T[1]
    col += B[0, :2]
    flat = B.reshape(2, 8)
    flat[1, ::-2] = flat[0, :4] ** 2
    B[..., -1] -= B[..., 0]
    B.T[0, 1:] = B[0, :-1]
    corner = B[-1:, -1:]
    corner[...] = corner * B[0, 0]
    return np.sum(B**2) + np.sum(inner)


@program(normal(3, 4), normal(4), wrt=(0, 1))
def out_buffers_reused(W, x):
    buffer = np.empty(3)
    scratch = np.empty_like(buffer)
    total = 0.0
    for k in range(3):
        np.dot(W, x, out=buffer)
        np.tanh(buffer, out=buffer)
        np.multiply(buffer, k + 1.0, out=scratch)
        total += scratch.sum()
        x = np.append(buffer, total)
    return total


@program(normal(5), normal(3, 3), wrt=(0, 1))
def numpy_iterators(x, A):
    s = 0.0
    for (i, j), a in np.ndenumerate(A):
        s += a * x[i] * x[j]
    for v in np.nditer(x):
        s += v**2
    f = np.vectorize(lambda a, b: a * b if a > b else b**2)
    s += f(x, 0.3).sum()
    s += np.apply_along_axis(lambda r: r @ r / (1 + r[0] ** 2), 1, A).sum()
    for idx in np.argwhere(A > 0):
        s += A[tuple(idx)] * 0.1
    window = slice(1, None, 2)
    return s + np.sum(x[window] * x[window.start + 1 :: 2][: len(x[window])])


@program(normal(6), second=True)
def noisy_training_with_generator(w):
    rng = np.random.default_rng(7)

    def batch(size):
        x = rng.normal(size=(size, 6))
        return x, x @ np.arange(6.0) + 0.1 * rng.standard_normal(size)

    loss = 0.0
    with np.errstate(all="ignore"):
        for epoch in range(3):
            x, y = batch(4)
            order = rng.permutation(4)
            keep = rng.random(6) > 0.3
            loss += np.mean((x[order] @ (w * keep) - y[order]) ** 2)
    return loss / 3


@program(positive(3), second=True)
def dispatch_on_strings(x):
    operations: dict[str, Callable[..., Any]] = {
        "+": operator.add,
        "*": operator.mul,
        "^": pow,
        "~": lambda a, b: a - b,
    }
    stack: list[Any] = []
    names = dict(zip("xyz", x))
    for token in "x y * z + x ^ 2 y ~ *".split():
        if token in operations:
            b, a = stack.pop(), stack.pop()
            stack.append(operations[token](a, b))
        elif token.isdigit():
            stack.append(float(token))
        else:
            stack.append(names[token])
    (result,) = stack
    return result


@dataclass
class Adam:
    rate: float = 0.1
    b1: float = 0.9
    b2: float = 0.99
    state: dict = field(default_factory=dict)

    def step(self, params, grads):
        t = self.state["t"] = self.state.get("t", 0) + 1
        new = {}
        for name, p in params.items():
            m, v = self.state.get(name, (np.zeros_like(p), np.zeros_like(p)))
            m = self.b1 * m + (1 - self.b1) * grads[name]
            v = self.b2 * v + (1 - self.b2) * grads[name] ** 2
            self.state[name] = m, v
            mh, vh = m / (1 - self.b1**t), v / (1 - self.b2**t)
            new[name] = p - self.rate * mh / (np.sqrt(vh) + 1e-8)
        return new


@program(0.05, normal(6, 2), wrt=(0, 1))
def learning_rate_through_adam(rate, x):
    y = x[:, 0] - 2 * x[:, 1] + 0.5
    opt = Adam(rate=rate)
    params = {"w": np.zeros(2), "b": np.zeros(1)}
    for _ in range(3):
        e = x @ params["w"] + params["b"] - y
        params = opt.step(params, {"w": 2 * x.T @ e / 6, "b": np.array([2 * e.mean()])})
    e = x @ params["w"] + params["b"] - y
    return np.mean(e**2)


class Polynomial:
    def __init__(self, coefficients: Iterable[float]):
        self.c = tuple(coefficients)

    def __call__(self, x):
        return functools.reduce(lambda acc, c: acc * x + c, self.c[::-1], 0.0)

    def __mul__(self, other):
        out = [0.0] * (len(self.c) + len(other.c) - 1)
        for (i, a), (j, b) in itertools.product(enumerate(self.c), enumerate(other.c)):
            out[i + j] += a * b
        return type(self)(out)

    def derivative(self):
        return Polynomial(k * c for k, c in enumerate(self.c) if k)

    @property
    def degree(self):
        return len(self.c) - 1

    def __pow__(self, n):
        return self if n == 1 else self * self ** (n - 1)


@program(normal(3), 0.7, wrt=(0, 1))
def polynomial_class(c, x):
    p = Polynomial(c)
    q = (p**3).derivative()
    return q(x) + q.degree * p.derivative()(x * x)


@program(normal(3, 3, 3), wrt=0, second=True)
def attention_free_einsum_mix(T):
    a = np.einsum("ijk,ikj->i", T, T)
    b = np.einsum("...ii->...", T)
    c = np.tensordot(T, T, ([0, 1], [0, 1]))
    d = np.moveaxis(T, 0, -1)[..., 0]
    return np.sum(a * b) + np.trace(c) + np.sum(d * d.T)


def trapezoid_tail(values, *rest, scale=1.0, **named):
    total = scale * np.trapezoid(values)
    for r in rest:
        total += np.trapezoid(r, dx=named.get("dx", 1.0))
    return total


@program(normal(6), second=True)
def variadic_helpers(x):
    halves = np.array_split(x, 3)
    options = {"dx": 0.5, "scale": x[0]}
    first = trapezoid_tail(*halves, **options)
    scaled = functools.partial(trapezoid_tail, scale=2.0)
    return first + scaled(x**2) * scaled(x, x[1:], dx=x[2])
