"""Calls: subroutines, other modules, recursion, lambdas, functions as arguments, decorators."""

import functools
from functools import partial

import numpy as np

import s2sgrad
from programs import _library
from programs._library import apply_twice, normalise
from programs._library import helper as library_helper
from programs.registry import normal, positive, program, register

SCALE = 0.5


def helper(x):
    return SCALE * np.sin(x)


def _activate(z):
    return np.tanh(z)


@program(normal(3), jit=True, second=True)
def same_module(x):
    return np.sum(helper(x) * helper(2.0 * x))


@program(normal(3))
def clashing_names(x):
    return np.sum(helper(x) * _library.helper(x) + library_helper(helper(x)))


@program({"w": normal(3, 2), "b": normal(2)}, normal(3), wrt=(0, 1))
def other_module_calls_its_own(params, x):
    y = _library.layer(params, x)
    return np.sum(_activate(y) * y)


@program(normal(4), jit=True)
def defaults_and_keywords(x):
    return np.sum(normalise(x) * normalise(x, eps=0.5) * x) + np.sum(normalise(eps=0.1, x=x) ** 3)


@program(normal(4), 3, jit=True, second=True)
def called_in_loop(x, n):
    for _ in range(n):
        x = _step(x, 0.1)
    return np.sum(x**2)


def _step(x, rate):
    """One explicit step."""
    slope = -x + np.sin(x) * x
    return x + rate * slope


@program(normal(3), jit=True)
def several_results(x):
    s, c, n = _sincos(x)
    return np.sum(s * c) / n


def _sincos(x):
    return np.sin(x), np.cos(x), len(x)


@program(positive(), jit=True)
def several_returns_in_callee(x):
    return _piece(x) + _piece(x - 5.0) * _piece(-x * 0.1)


def _piece(x):
    if x > 0:
        return x**2
    if x < -1.0:
        return np.exp(x)
    y = 0.0
    for k in range(3):
        y += x**k
    return y


@program(positive(), 5, jit=True, second=True)
def recursion(x, n):
    if n == 0:
        return 1.0
    return x * recursion(x, n - 1) + np.sin(x)


def power(x, n):
    if n == 0:
        return 1.0
    half = power(x, n // 2)
    return half * half * x if n % 2 else half * half


@program(positive(), 6, jit=True, second=True)
def recursive_helper(x, n):
    return power(x, n) + power(x * 0.5, n - 1)


@program(normal(8), jit=True)
def recursive_halves(x):
    return _tree_sum(x) ** 2


def _tree_sum(x):
    n = len(x)
    if n == 1:
        return x[0]
    return np.tanh(_tree_sum(x[: n // 2])) + _tree_sum(x[n // 2 :])


@program(positive(), 4)
def mutual_recursion(x, n):
    return _even(x, n)


def _even(x, n):
    return x if n == 0 else np.sin(_odd(x, n - 1)) + x


def _odd(x, n):
    return x * x if n == 0 else _even(x, n - 1) * x


@program(normal(3), jit=True, second=True)
def local_lambda(x):
    square = lambda v: v * v  # noqa: E731
    return np.sum(square(x) * square(np.sin(x)))


@program(normal(3))
def nested_definition(x):
    scale = np.sum(x)

    def inner(v, power=2):
        return scale * v**power

    return np.sum(inner(x) + inner(v=x, power=3))


@program(normal(3), jit=True)
def nested_definition_in_loop(x):
    s = 0.0
    for k in range(3):

        def term(v, k=k):
            return v ** (k + 1)

        s += term(x[k])
    return s**2


@program(normal(3), np.tanh)
def function_argument(x, activation):
    return np.sum(activation(x) ** 2)


@program(normal(3), helper)
def user_function_argument(x, f):
    return np.sum(apply_twice(f, x))


@program(normal(3))
def passes_lambda(x):
    return np.sum(apply_twice(lambda v: np.sin(v) + x[0], x))


@program(normal(3), [np.sin, helper, np.tanh])
def list_of_functions(x, stages):
    for f in stages:
        x = f(x) + x
    return np.sum(x)


@program(normal(3), "cos")
def dict_of_functions(x, name):
    table = {"sin": np.sin, "cos": np.cos, "own": helper}
    return np.sum(table[name](x) * table["own"](x))


@program(normal(3))
def chosen_function(x):
    f = np.sin if x.size > 2 else np.cos
    return np.sum(f(x) * x)


@program(normal(4))
def partial_inside(x):
    step = partial(_step, rate=0.3)
    return np.sum(step(step(x)))


def _weighted(weights, power, x):
    return np.sum(weights * x**power)


register("functions.partial_object", partial(_weighted, np.array([1.0, 2.0, 3.0]), 2), normal(3))
register("functions.lambda_object", lambda x, a: np.sum(np.sin(a * x)), normal(3), 1.5)


def plain(function):
    """A decorator that wraps and passes on."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


def doubled(function):
    """A decorator that computes something of its own."""

    @functools.wraps(function)
    def wrapper(x):
        return 2.0 * function(x) + np.sum(x)

    return wrapper


@plain
def _decorated(x):
    return np.sum(x**3)


@doubled
def _doubled(x):
    return np.sum(np.cos(x))


@program(normal(3))
def calls_decorated(x):
    return _decorated(x) * _doubled(x)


@program(normal(3))
@plain
def decorated(x):
    return np.sum(np.exp(0.3 * x))


@program(normal(3))
@doubled
def decorated_with_computation(x):
    return np.sum(np.sin(x))


def scaled_by(factor):
    """A decorator with an argument."""

    def decorate(function):
        def wrapper(x):
            return factor * function(x)

        return wrapper

    return decorate


@scaled_by(3.0)
def _scaled(x):
    return np.sum(x * x)


@program(normal(3))
def calls_decorated_with_argument(x):
    return _scaled(x) ** 2


def softplus(x):
    return np.log1p(np.exp(x))


@s2sgrad.elementwise(softplus)
def _softplus_rule(y_bar, y, x):
    """y = log(1 + exp(x))."""
    return y_bar * (1.0 - np.exp(-y))


@program(normal(4), jit=True, second=True)
def user_rule(x):
    return np.sum(softplus(x) ** 2)


def lookup_table(x):
    """Opaque on purpose: its rule says what the body hides."""
    return np.vectorize(lambda v: eval("v ** 3"))(x)


@s2sgrad.rule(lookup_table)
def _lookup_table_rule(y_bar, y, x):
    return y_bar * 3.0 * x**2


@program(normal(3))
def user_rule_hides_body(x):
    return np.sum(lookup_table(np.sin(x)))


def _in_plain_numbers(a, b):
    return np.array([p * q**2 for p, q in zip(a.tolist(), b.tolist(), strict=True)])


def _slopes(y_bar, a, b):
    pairs = zip(a.tolist(), b.tolist(), strict=True)
    return y_bar * np.array([[q**2, 2.0 * p * q] for p, q in pairs]).T


@s2sgrad.rule(_in_plain_numbers)
def _in_plain_numbers_rule(y_bar, y, a, b):
    both = _slopes(y_bar, a, b)
    return both[0], both[1]


@program(normal(3), normal(3), wrt=(0, 1))
def user_rule_with_black_box_vjp(a, b):
    return np.sum(np.cos(_in_plain_numbers(np.sin(a), b)))


@program(normal(3))
def star_call(x):
    args = (x, 0.2)
    options = {"rate": 0.4}
    return np.sum(_step(*args)) + np.sum(_step(x, **options))


@program(normal(3), normal(3), wrt=(0, 1))
def variadic_callee(x, y):
    return _combine(x, y, x * y, power=2)


def _combine(*parts, power=1, **unused):
    s = 0.0
    for p in parts:
        s += np.sum(p**power)
    return s


@program(normal(3), jit=True)
def callee_returns_dict(x):
    out = _statistics(x)
    return out["mean"] * out["energy"]


def _statistics(x):
    return {"mean": np.mean(x), "energy": np.sum(x**2)}


@program(normal(3), jit=True)
def callee_returns_list(x):
    parts = _powers(x, 4)
    return np.sum(parts[3] * parts[1])


def _powers(x, n):
    out = [np.ones_like(x)]
    for _ in range(n - 1):
        out.append(out[-1] * x)
    return out


@program(normal(3))
def callee_returns_nothing(x):
    values = []
    _collect(values, x)
    return values[0] * values[2]


def _collect(values, x):
    for v in x:
        values.append(np.sin(v))


@program(normal(3), jit=True)
def argument_passed_through(x):
    y = _identity(x)
    return np.sum(y * x)


def _identity(x):
    return x


@program(normal(3), 2.0, jit=True)
def constant_callee(x, a):
    return np.sum(x * _gain(a)) * _gain(3.0)


def _gain(a):
    return a * 2.0 + 1.0


@program(normal(3), jit=True)
def same_callee_active_and_not(x):
    w = helper(np.array([1.0, 2.0, 3.0]))
    return np.sum(w * helper(x))


@program(normal(4))
def reduce_from_functools(x):
    return functools.reduce(lambda a, b: a * 0.5 + np.sin(b), x)


@program(normal(3))
def map_with_function(x):
    return sum(map(helper, x)) + sum(list(map(lambda v: v * v, x)))


@program(normal(3), 3, jit=True)
def deep_calls(x, depth):
    return _outer(x, depth)


def _outer(x, depth):
    return _middle(x * 2.0, depth) + np.sum(x)


def _middle(x, depth):
    for _ in range(depth):
        x = _inner_most(x)
    return np.sum(x)


def _inner_most(x):
    return np.sin(x) * 0.5 + x


def _fourier(v):
    n = len(v)
    if n == 1:
        return v.astype(complex)
    even, odd = _fourier(v[::2]), _fourier(v[1::2])
    turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + turned, even - turned])


@program(normal(4))
def recursive_fourier_transform(x):
    return np.sum(np.abs(_fourier(x)) ** 2 * np.arange(4.0))


@program(normal(4), second=True)
def complex_copy_of_a_real_array(x):
    z = x.astype(complex) * (1 + 2j)
    return np.sum(np.abs(z * x) ** 2 * np.arange(4.0)) + np.sum(np.real(z[1:] * z[:-1]))
