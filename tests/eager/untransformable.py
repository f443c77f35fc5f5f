"""Programs that the compiler can't transform, each a scalar function of four numbers.

They run on tensors: exceptions, generators, context managers with state, magic attributes, code
without source, threads, coroutines.
"""

# ruff: noqa
# mypy: ignore-errors

import asyncio
import collections
import contextlib
import copy
import dataclasses
import functools
import itertools
import json
import math
import operator
import statistics
import threading
import warnings

import numpy as np
import s2sgrad
from eager import untransformable_parts as parts
from eager.untransformable_parts import Base, Other

PROGRAMS = {}


def program(f):
    PROGRAMS[f.__name__] = f
    return f


@program
def try_float(x):
    try:
        s = float(x[0])
    except ValueError:
        s = 0.0
    return s * s + np.sum(x)


@program
def try_to_write_into_a_number(x):
    low = np.minimum(x[1], 5.0)
    try:
        low[x[1] < 9.0] = 0.5
    except TypeError:
        low = x[2] ** 2
    whole = np.array(x[0])
    whole[...] = low * x[3]
    return whole * x[0]


@program
def try_math(x):
    try:
        return math.exp(x[0]) + math.sin(x[1]) * math.hypot(x[2], x[3])
    except OverflowError:
        return 0.0


@program
def try_item(x):
    try:
        return x[0].item() ** 2 + x.sum()
    except LookupError:
        return 0.0


@program
def try_asarray(x):
    try:
        y = np.asarray(x, dtype=float)
        z = np.array([x[0], x[1] * 2])
        return np.sum(y * y) + z.sum() * z[0]
    except LookupError:
        return 0.0


@program
def try_tolist(x):
    try:
        l = x.tolist()
        return sum(v * v for v in l)
    except LookupError:
        return 0.0


@program
def try_empty_write(x):
    out = np.empty(4)
    try:
        for i in range(4):
            out[i] = x[i] ** 2 * x[i - 1]
    except IndexError:
        pass
    return np.sum(out)


@program
def try_zeros_like(x):
    o = np.zeros_like(x)
    try:
        o[1:] += x[:-1] ** 2
        o[0] = x[3]
    except IndexError:
        pass
    return np.sum(np.sin(o))


@program
def try_raise(x):
    s = 0.0
    for v in x:
        try:
            if v < 0:
                raise ValueError
            s += math.sqrt(v)
        except ValueError:
            s += v * v * v
        finally:
            s *= 1.1
    return s


@program
def try_linalg(x):
    A = np.diag(x * x + 1) + 0.1 * np.outer(x, x)
    try:
        return np.linalg.solve(A, np.ones(4)) @ x + np.linalg.slogdet(A)[1]
    except np.linalg.LinAlgError:
        return 0.0


@program
def gen(x):
    def g():
        a = 1.0
        for v in x:
            a = a * 0.5 + v * v
            yield a

    return sum(g())


@program
def gen_send(x):
    def acc():
        t = 0.0
        while True:
            v = yield t
            if v is None:
                return
            t = t + v * v

    g = acc()
    next(g)
    r = 0.0
    for v in x:
        r = g.send(v)
    return r


@program
def yield_from(x):
    def a():
        yield from (v * 2 for v in x)
        yield x[0] * x[1]

    return np.sum(np.array(list(a())) ** 2)


class Ctx:
    def __init__(s, k):
        s.k = k
        s.log = []

    def __enter__(s):
        s.log.append(1)
        return s

    def __exit__(s, *a):
        s.log.append(2)
        return True


@program
def ctx_state(x):
    @contextlib.contextmanager
    def scaled(d):
        d["s"] = d["s"] * 3
        yield d["s"]
        d["s"] = d["s"] / 3

    d = {"s": x[0]}
    with scaled(d) as s:
        t = s * x[1]
    return t + d["s"] ** 2


class Magic:
    def __init__(s, x):
        object.__setattr__(s, "d", {"x": x})

    def __getattr__(s, n):
        if n.startswith("pow"):
            return s.d["x"] ** int(n[3:])
        raise AttributeError(n)

    def __setattr__(s, n, v):
        s.d[n] = v


@program
def getattr_magic(x):
    m = Magic(x)
    m.y = m.pow2
    return np.sum(m.pow3 * m.d["y"])


class Vec:
    def __init__(s, a):
        s.a = a

    def __add__(s, o):
        return Vec(s.a + getattr(o, "a", o))

    def __mul__(s, o):
        return Vec(s.a * getattr(o, "a", o))

    __rmul__ = __mul__

    def __getitem__(s, i):
        return s.a[i]

    def __len__(s):
        return len(s.a)

    def __iter__(s):
        return iter(s.a)

    def __call__(s, y):
        return s.a @ y


@program
def opclass_try(x):
    try:
        v = 2.0 * Vec(x) + Vec(x) * Vec(x)
        return v(x) + sum(v) + v[0] * len(v)
    except LookupError:
        return 0.0


exec("""
def made_by_exec(x):
    s = 0.0
    for i in range(len(x)):
        s = s + np.sin(x[i]) * i
    return s
""")
PROGRAMS["made_by_exec"] = made_by_exec
PROGRAMS["eval_lambda"] = eval("lambda x: np.sum(np.tanh(x)**2)")


@program
def uses_exec(x):
    ns = {"x": x, "np": np}
    exec("y=np.exp(x).sum()", ns)
    return ns["y"]


@program
def uses_eval(x):
    return eval("np.sum(x**3)", {"x": x, "np": np})


@program
def global_write(x):
    global CNT
    CNT = x.sum()
    return CNT**2


@program
def nonlocal_try(x):
    t = 0.0

    def add(v):
        nonlocal t
        t = t + v

    try:
        for v in x:
            add(v**3)
    except LookupError:
        pass
    return t


@program
def lru(x):
    @functools.lru_cache(None)
    def fib(n):
        return x[0] if n == 0 else x[1] if n == 1 else fib(n - 1) * 0.5 + fib(n - 2) * x[2]

    return fib(8)


@program
def reduce_try(x):
    try:
        return functools.reduce(operator.mul, list(x + 2))
    except LookupError:
        return 0.0


@program
def dataclass_try(x):
    @dataclasses.dataclass
    class S:
        a: object
        b: object

    s = S(x[:2], x[2:])
    s = dataclasses.replace(s, a=s.a * s.b)
    try:
        return np.sum(s.a**2)
    except LookupError:
        return 0.0


@program
def sets(x):
    s = 0.0
    for i in {int(round(abs(v) * 10)) % 3 for v in np.arange(5.0)}:
        s = s + x[i] ** 2
    return s


@program
def sort_try(x):
    try:
        y = np.sort(x)
        i = np.argsort(x)
        return y @ np.arange(4.0) + x[i][::-1] @ np.arange(4.0) + sorted(x)[0] * max(x) - min(x)
    except LookupError:
        return 0.0


@program
def where_try(x):
    try:
        return (
            np.sum(np.where(x > 0, np.log(np.abs(x)), x**2))
            + np.sum(x[x > 0] ** 2)
            + np.max(x)
            + np.clip(x, -0.5, 0.5).sum()
        )
    except LookupError:
        return 0.0


@program
def einsum_try(x):
    try:
        A = x.reshape(2, 2)
        return (
            np.einsum("ij,jk,ki->", A, A.T, A)
            + np.trace(A @ A)
            + np.linalg.det(A)
            + np.kron(A, A).sum()
            + np.tensordot(A, A, 2)
        )
    except LookupError:
        return 0.0


@program
def fft_try(x):
    try:
        return np.sum(np.abs(np.fft.rfft(x)) ** 2) + np.sum(np.convolve(x, x))
    except LookupError:
        return 0.0


@program
def inplace_try(x):
    y = x.copy()
    try:
        y *= 2
        y[::2] -= x[1::2]
        y[[0, 0]] += x[:2]
        np.multiply(y, x, out=y)
        y.sort()
        y = y.astype(float)
        y.fill(y[0]) if False else None
    except LookupError:
        pass
    return np.sum(y * np.arange(4))


@program
def listappend(x):
    l = []
    try:
        for v in x:
            l.append(v * v)
            l[-1] += 1
        return np.sum(np.array(l) * np.stack(l)) + np.concatenate([l, x]).sum() + np.mean(l)
    except LookupError:
        return 0.0


@program
def dictstate(x):
    d = collections.defaultdict(float)
    try:
        for i, v in enumerate(x):
            d[i % 2] += v * v
        return d[0] * d[1]
    except LookupError:
        return 0.0


@program
def deque_try(x):
    q = collections.deque(maxlen=2)
    s = 0.0
    try:
        for v in x:
            q.append(v)
            s = s + sum(q) ** 2
    except LookupError:
        pass
    return s


@program
def walrus_match(x):
    try:
        match x.shape:
            case (4,):
                s = (t := x.sum()) * t
            case _:
                s = 0.0
        return s
    except LookupError:
        return 0.0


@program
def thread(x):
    out = []
    t = threading.Thread(target=lambda: out.append(np.sum(x**2)))
    t.start()
    t.join()
    return out[0]


@program
def iters(x):
    it = iter(x)
    a = next(it)
    b = next(it, 0.0)
    return a * b + sum(it)


@program
def zipstar(x):
    try:
        return sum(a * b for a, b in itertools.pairwise(x)) + sum(
            itertools.accumulate(x, lambda a, b: a * b)
        )
    except LookupError:
        return 0.0


@program
def format_try(x):
    try:
        s = f"{x[0]:.2f} {x!r}"
        assert s
        return np.sum(x**2)
    except LookupError:
        return 0.0


@program
def complex_try(x):
    try:
        z = x[0] + 1j * x[1]
        return np.abs(z**2) + np.real(np.exp(z)) + abs(z) + z.imag * z.real + np.angle(z)
    except LookupError:
        return 0.0


@program
def int_index(x):
    try:
        i = int(np.argmax(x))
        j = int(abs(x[0]) * 2)
        return x[i] * x[j] ** 2 + np.floor(x).sum() + round(float(x[0] * 0 + 2))
    except LookupError:
        return 0.0


@program
def while_try(x):
    y = x[0]
    n = 0
    while True:
        try:
            y = y - (y * y - 2 - x[1] ** 2) / (2 * y)
            n += 1
            if n > 8:
                break
        except ZeroDivisionError:
            break
    return y


@program
def cmp_chain(x):
    try:
        return (
            (x[0] ** 2 if 0 < x[0] < 1 else x[1])
            + (x[2] if x[2] and not x[3] < 0 else 0.0)
            + (x > 0).sum() * x[1]
        )
    except LookupError:
        return 0.0


@program
def deepcopy_try(x):
    try:
        y = copy.deepcopy(x)
        z = copy.copy(x)
        y[0] = 3.0
        return np.sum(y * z)
    except LookupError:
        return 0.0


@program
def json_try(x):
    try:
        return np.sum(x**2) * json.loads(json.dumps({"k": 2.0}))["k"]
    except LookupError:
        return 0.0


@program
def star_args(x):
    def f(*a, **k):
        return sum(a) * k["s"]

    try:
        return f(*x, s=x[0])
    except TypeError:
        return 0.0


@program
def isinstance_try(x):
    try:
        if isinstance(x, np.ndarray):
            r = x.sum() ** 2
        else:
            r = 0.0
        if isinstance(x[0], float):
            r = r + x[0] * x[1]
        return r + np.isscalar(x[0]) * x[2]
    except LookupError:
        return 0.0


@program
def vectorize_try(x):
    g = np.vectorize(lambda v: v * v if v > 0 else -v)
    return np.sum(g(x))


@program
def apply_axis(x):
    return np.sum(np.apply_along_axis(lambda r: r**2, 0, x))


@program
def fromiter_try(x):
    try:
        return np.sum(np.fromiter((v * v for v in x), float))
    except LookupError:
        return 0.0


@program
def async_run(x):
    async def step(v):
        await asyncio.sleep(0)
        return v * v

    async def main():
        return sum(await asyncio.gather(*[step(v) for v in x]))

    return asyncio.run(main())


@program
def numbers_of_math(x):
    try:
        length = math.hypot(x[0], x[1], x[2]) + math.dist(x[:2], x[2:])
        return length * math.fsum(v * v for v in x) + math.prod(x) + math.log(x[3], 3.0)
    except OverflowError:
        return 0.0


@program
def other_modules(x):
    try:
        with parts.scaled(x) as buffer:
            return np.sum(parts.squares(x) * x) + buffer.prod()
    finally:
        parts.COUNTS["calls"] += 1


@program
def objects_that_are_compared(x):
    try:
        here = parts.WHOLE in parts.HELD and parts.HELD[0] is parts.WHOLE
        same = parts.Label("a") in parts.LABELS and type(parts.LABELS[0]) is parts.Label
        return x[0] * (2.0 if here else 3.0) * (5.0 if same else 7.0) * x[1]
    except ZeroDivisionError:
        raise


@program
def classes_of_other_modules(x):
    before = Base.made
    try:
        m, o = parts.Model.of(x), Other(x)
        o.name = x[3]
        assert isinstance(o, Base) and Base.made == before + 2
        assert not any(isinstance(v, Base) for v in ("a text", 2.0, x))
        return m(x[2]).sum() * m.total + o(x[1]).sum() * o.kept[0] + o.squared_name[0]
    except ZeroDivisionError:
        raise


@program
def numbers_made_again(x):
    try:
        a, b = np.float64(x[0]), complex(x[1], x[2])
        y = (
            parts.bent(x).sum()
            + parts.bent(x[0], w=x[3]) * np.frompyfunc(lambda v: v * a, 1, 1)(x)[1]
        )
        return y + abs(b) ** 2 + (np.float32(2.0) if isinstance(a, float) else 1.0) * a
    except ZeroDivisionError:
        raise


@program
def numbers_that_raise(x):
    total = 0.0
    for v in [*x.tolist(), 0.0 * x[0].item(), 400.0 * x[3].item()]:
        try:
            total += 1.0 / v + v % v + v // v
        except ZeroDivisionError:
            total += 3.0 * v * v + v
        try:
            total += math.log(v) * x[1]
        except ValueError as error:
            total += v**3 + len(str(error)) * v
        try:
            total += math.exp(v + 300.0) * 1e-130 + (v * 1e10) ** 30.0 * 1e-302
        except OverflowError:
            total -= v * x[2]
    return total


@program
def read_as_plain_numpy(x):
    try:
        pieces = np.piecewise(x, [x < 0, x > 1], [lambda v: v * v, lambda v: v**3, x[0]])
        p = np.poly1d(x)
        lengths = np.apply_along_axis(lambda r: np.sum(r * r), 1, np.outer(x, x))
        total = p(0.3) + p.deriv()(0.2) + np.sum(np.polyfit(np.arange(4.0), x, 2) ** 2)
        total += statistics.variance(list(x)) + statistics.fmean(v * v for v in x)
        for (i, j), v in np.ndenumerate(np.outer(x, x)):
            total += i * v * v
        for v in np.nditer(np.outer(x, x)):
            total += v**3
        z = np.zeros((2, 3))
        z.flat = x[:2]
        total += np.sum(np.apply_over_axes(np.sum, z, [0]) * z)
        return total + np.sum(pieces) + np.sum(lengths * x)
    except LookupError:
        return 0.0


@program
def errors_of_numpy(x):
    total = 0.0
    y = x.copy()
    for v in x:
        try:
            with np.errstate(all="raise"):
                total += np.sqrt(v)
        except FloatingPointError:
            total += v * v
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            total += np.sum(1 / (x - x[2])) + x[0] * math.inf
        except RuntimeWarning:
            total += x[0] * x[1] + (x.base is None) * x[3] * x.strides[0]
    try:
        y[:2] = x[:3]
    except ValueError:
        total += np.sum(y * x)
    try:
        np.exp(x * 1e4, out=y)
        y *= 1 / np.linalg.inv(np.zeros((4, 4)))
    except np.linalg.LinAlgError:
        total += x[1] ** 3
    try:
        np.sum(x, axis=3)
    except np.exceptions.AxisError:
        total += x[2] * x[3] * (3.0 if x[2].is_integer() else 2.0)
    return total


@program
def asks_for_classes(x):
    z = np.zeros(4, float)
    try:
        z[0] = float(x[0]) * 2
        z[1:] = x[1:].astype(float)
        total = np.sum(z * np.array(list(x), dtype=float))
        total += sum(float(v) ** 2 if isinstance(v, (int, float)) else 0.0 for v in x)
        total *= 2.0 if type(x) == np.ndarray and type(x[0]) == np.float64 else 3.0
        return total * (5.0 if type(x.tolist()[0]) in (int, float) else 7.0)
    except LookupError:
        return 0.0


@program
def asks_for_attributes(x):
    y = x * 1
    number = x.tolist()[0]
    try:
        total = x[0] * (3.0 if hasattr(x[0], "__len__") else 2.0)
        total *= 5.0 if hasattr(number, "shape") or not hasattr(x, "resize") else 7.0
        total += getattr(x, "nothing", 2.0) * x[1] + getattr(number, "ndim", 3) * x[2]
        z = y
        y.shape = (2, 2)
        y[0, 1] = x[3] * 2
        w = x**2
        w.partition(2)
        w.resize((2, 2))
        return total + np.sum(y @ z) + w[0, 0] * w[1, 0]
    except LookupError:
        return 0.0


@program
def objects_in_arrays(x):
    try:
        o = np.array([x[0], None, "text"], dtype=object)
        row = np.array([x, x * 2], dtype=object)
        ragged = np.array([x, x[:2], x[0]], dtype=object)
        whole = (row * row).sum() * row[1, 0] + (x.astype(object) * 2).sum()
        return o[0] ** 2 + whole + ragged[1][0] * ragged[0][1] * ragged[2]
    except ZeroDivisionError:
        raise


PROGRAMS["without_signature"] = functools.partial(functools.reduce, operator.mul)


@program
def classes_made_while_running(*given):
    (x,) = given

    class Doubling(contextlib.ContextDecorator):
        total = 0.0

        def __enter__(self):
            Doubling.total = Doubling.total + x[0]
            return self

        def __exit__(self, *error):
            Doubling.total = Doubling.total * 2

    @Doubling()
    def times_total(v):
        return v * Doubling.total

    square = type("Square", (), {"__init__": lambda s, v: setattr(s, "v", v**2)})
    return times_total(x[1]) + times_total(x[2]) + Doubling.total + square(x[3]).v


def miss(p, residuals):
    return sum(v**2 for v in residuals(p) if isinstance(v, float))


@program
def derivatives_of_functions_in_arguments(x):
    """Nothing that `grad` is given is traced, but for what the function among it reads."""
    p = np.asarray([1.5, 2.5]) * 1.0
    try:
        return s2sgrad.grad(miss)(p, lambda t: np.array([t[0] - x[0], t[1] * t[0] * x[1]])) @ x[:2]
    except ZeroDivisionError:
        raise


class Weights:
    """Has entries: an array beside it is combined with those before its own methods are asked."""

    def __init__(self, v):
        self.v = v

    def __len__(self):
        return len(self.v)

    def __getitem__(self, k):
        return self.v[k]

    def __rmul__(self, other):
        return 100.0 * other


class Summed:
    def __init__(self, v):
        self.v = v

    def __rmul__(self, other):
        return np.sum(other * self.v) ** 2


@program
def arrays_beside_objects(x):
    try:
        return np.sum(x * Weights(x * x)) + np.sum(x[:2] * Summed(x)) + x[0] * Summed(x[1:])
    except ZeroDivisionError:
        raise
