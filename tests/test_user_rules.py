"""s2sgrad.rule and check_rule as a user meets them."""

from __future__ import annotations

import ctypes
import ctypes.util
from typing import Any

import numpy as np
import pytest

import s2sgrad

X = np.array([0.5, 1.5])


def scaled(a: Any, b: Any, *, scale: float = 2.0) -> Any:
    return np.asarray(a) * np.asarray(b) ** 2 * scale


@s2sgrad.rule(scaled)
def scaled_rule(y_bar, y, a, b, scale=2.0):
    return y_bar * b**2 * scale, y_bar * 2.0 * a * b * scale


def sine_cosine(t: Any) -> Any:
    return np.sin(t), np.cos(t)


@s2sgrad.rule(sine_cosine)
def sine_cosine_rule(y_bar, y, t):
    return y_bar[0] * y[1] - y_bar[1] * y[0]


def raised(a: Any, n: int) -> Any:
    return np.asarray(a) ** n


@s2sgrad.rule(raised)
def raised_rule(y_bar, y, a, n):
    return y_bar * n * a ** (n - 1), None


LIBRARY = ctypes.CDLL(ctypes.util.find_library("m"))
LIBRARY.tgamma.restype, LIBRARY.tgamma.argtypes = ctypes.c_double, [ctypes.c_double]


def gamma(a: Any) -> Any:
    return np.array([LIBRARY.tgamma(v) for v in a])


def gamma_bar(y_bar: Any, a: Any) -> Any:
    return y_bar * (gamma(a + 1e-5) - gamma(a - 1e-5)) / 2e-5


@s2sgrad.rule(gamma)
def gamma_rule(y_bar, y, a):
    return gamma_bar(y_bar, a)


def wrong(a: Any) -> Any:
    return np.asarray(a) ** 2


@s2sgrad.rule(wrong)
def wrong_rule(y_bar, y, a):
    return y_bar * a


def wrong_forward(a: Any) -> Any:
    return np.asarray(a) ** 2


def wrong_dot(y, a, *, a_dot):
    return 3.0 * a * a_dot


@s2sgrad.rule(wrong_forward, jvp=wrong_dot)
def wrong_forward_rule(y_bar, y, a):
    return y_bar * 2.0 * a


def total(items: Any) -> Any:
    return sum(np.sum(v) for v in items)


@s2sgrad.rule(total, sequences=("items",))
def total_rule(y_bar, y, items):
    return [y_bar * np.ones_like(v) for v in items]


@pytest.mark.parametrize(
    ("function", "args"),
    [(scaled, (X, X)), (scaled, (2.0, X)), (sine_cosine, (X,)), (raised, (X, 3))],
)
def test_right_rules_pass(function: Any, args: Any) -> None:
    s2sgrad.check_rule(function, [args])  # without a tangent: it is made of the cotangent


def test_wrong_rules_are_found() -> None:
    with pytest.raises(s2sgrad.RuleError, match="cotangent of a is wrong"):
        s2sgrad.check_rule(wrong, [(X,)])
    with pytest.raises(s2sgrad.RuleError, match="tangent of a is wrong"):
        s2sgrad.check_rule(wrong_forward, [(X,)])
    with pytest.raises(s2sgrad.RuleError, match="ListComp"):
        s2sgrad.grad(lambda a: total([a, a * a]), fallback="error")(X)


@pytest.mark.parametrize("samples", [(X, X), X, (2.0, X)])
def test_one_sample_in_place_of_a_list_is_noticed(samples: Any) -> None:
    with pytest.raises(TypeError, match=r"write check_rule\(scaled, \[\(x, ...\)\]\)"):
        s2sgrad.check_rule(scaled, samples)


def with_keyword(a: Any, b: Any) -> Any:
    return np.sum(scaled(a, b, scale=3.0))


def unpacked(t: Any) -> Any:
    sine, cosine = sine_cosine(t)
    return np.sum(sine * cosine * cosine)


def in_a_loop(x: Any) -> Any:
    for k in range(3):
        x = raised(x, 2) * 0.5 + scaled(x, X) * 0.1 + k
    return np.sum(x)


def black_box(a: Any) -> Any:
    return np.sum(gamma(a) * a)


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("function", [unpacked, in_a_loop, black_box])
def test_gradients(function: Any, jit: bool) -> None:
    found = s2sgrad.grad(function, jit=jit, fallback="error")(X)
    slopes = [(function(X + d) - function(X - d)) / 2e-6 for d in 1e-6 * np.eye(2)]
    np.testing.assert_allclose(found, slopes, rtol=1e-6)


def test_keywords_and_broadcasting() -> None:
    s2sgrad.check_grad(with_keyword, X, X + 1.0)
    both = s2sgrad.grad(with_keyword, (0, 1), fallback="error")(2.0, X)
    assert isinstance(both[0], float) and both[0] == pytest.approx(3.0 * np.sum(X**2))
    np.testing.assert_allclose(both[1], 12.0 * X)
    np.testing.assert_allclose(s2sgrad.jacfwd(lambda s: scaled(s, X))(2.0), 2.0 * X**2)


@pytest.mark.parametrize("function", [in_a_loop, black_box])
def test_forward_and_second_order(function: Any) -> None:
    gradient = s2sgrad.grad(function)
    np.testing.assert_allclose(s2sgrad.jacfwd(function, fallback="error")(X), gradient(X))
    rows = [(gradient(X + d) - gradient(X - d)) / 2e-3 for d in 1e-3 * np.eye(2)]
    curvature = s2sgrad.hessian(function, fallback="error")(X)
    np.testing.assert_allclose(curvature, rows, rtol=1e-3, atol=1e-4)


def weighted(x, y):
    return np.sin(x) * y


@s2sgrad.rule(weighted)
def weighted_rule(out_bar, out, x, y):
    return out_bar * np.cos(x) * y, out_bar * np.sin(x)


@pytest.mark.parametrize("jit", [False, True])
def test_names_in_a_rule_are_free(jit):
    def f(x):
        return np.sum(weighted(x, y=x**2) * weighted(2.0 * x, x))

    x = np.array([0.3, 0.8])
    s2sgrad.check_grad(f, x)
    plain = s2sgrad.grad(lambda x: np.sum(np.sin(x) * x**2 * np.sin(2.0 * x) * x))(x)
    np.testing.assert_allclose(s2sgrad.grad(f, jit=jit, fallback="error")(x), plain)
    np.testing.assert_allclose(s2sgrad.jvp(f, (x,), (np.ones(2),))[1], np.sum(plain))


def shifted(x, by):
    return np.exp(x + by)


@s2sgrad.rule(shifted)
def shifted_rule(y_bar, y, x, by):
    return adjoint(y_bar, y), None


def adjoint(bar, factor):
    """The runtime has a helper of this name, which is another."""
    return bar * factor


def test_names_of_the_users_come_before_those_of_helpers():
    s2sgrad.check_grad(lambda x: np.sum(shifted(x, 0.5) ** 2), np.array([0.1, 0.4]))


def both(x: Any, c: Any) -> Any:
    return x * c, np.outer(x, x)


@s2sgrad.rule(both)
def both_rule(y_bar, y, x, c):
    a_bar, b_bar = y_bar
    return a_bar * c + (b_bar + b_bar.T) @ x, np.sum(a_bar * x)


def of_both(x: Any, c: float) -> Any:
    total = 0.0
    for _ in range(2):
        a, b = both(x, c)
        total = total + np.sum(a**2) + np.sum(np.sin(b))
        x = a
    return total


@pytest.mark.parametrize("jit", [False, True])
def test_tuples_without_a_tangent_go_forward(jit: bool) -> None:
    """A rule of a function with several results, turned round; by both of its arguments."""
    s2sgrad.check_grad(of_both, X, 1.5, argnums=(0, 1))
    expected = s2sgrad.grad(of_both, (0, 1), fallback="error")(X, 1.5)
    found = s2sgrad.jacfwd(of_both, (0, 1), jit=jit, fallback="error")(X, 1.5)
    for mine, like in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, like, rtol=1e-12)
    gradient, step = s2sgrad.grad(of_both), 1e-5
    curvature = [(gradient(X + step * e, 1.5) - gradient(X - step * e, 1.5)) / (2 * step)
                 for e in np.eye(2)]  # fmt: skip
    np.testing.assert_allclose(s2sgrad.hessian(of_both, jit=jit)(X, 1.5), curvature, rtol=1e-7)
    both_at_once = s2sgrad.jvp(lambda x: both(x, 2.0), (X,), (np.ones(2),), fallback="error")[1]
    np.testing.assert_allclose(both_at_once[1], np.add.outer(X, X))


def test_a_rule_may_not_call_what_a_call_gives() -> None:
    def f(x: Any) -> Any:
        return x * x

    @s2sgrad.rule(f)
    def f_rule(y_bar, y, x):
        return y_bar * s2sgrad.opaque(np.sin)(x)

    with pytest.raises(s2sgrad.RuleError, match="give the function a name outside the rule"):
        s2sgrad.grad(lambda x: np.sum(f(x)), fallback="error")(X)


def test_a_lambda_is_no_rule() -> None:
    """Its text can't be told from that of the statement around it."""

    def root(a: Any) -> Any:
        return np.sqrt(a)

    @s2sgrad.rule(root, jvp=lambda y, a, *, a_dot: a_dot / y)
    def root_rule(y_bar, y, a):
        return 0.5 * y_bar / y

    with pytest.raises(s2sgrad.RuleError, match="written with def"):
        s2sgrad.jvp(lambda a: np.sum(root(a)), (np.ones(2),), (np.ones(2),), fallback="error")


def doubled(x: Any) -> Any:
    return x * x


@s2sgrad.rule(doubled)
def doubled_rule(y_bar, y, x):
    return turned(y_bar, passed(x))  # not its derivative: what serves is the rule


def passed(x: Any) -> Any:
    return 1.0 * x


@s2sgrad.rule(passed)
def passed_rule(y_bar, y, x):
    return 5.0 * y_bar


def turned(bar: Any, factor: Any) -> Any:
    return bar * factor


class Layer:
    def __call__(self, x: Any) -> Any:
        return doubled(x)


LAYERS = [Layer()]


def by_default(x: Any, inner: Any = doubled) -> Any:
    return inner(x)


def through_names(x: Any) -> Any:
    made = eval("1.0") * Layer()(x)
    return np.sum(sum(map(doubled, [x]), made)) + np.sum(by_default(x))


def through_objects(x: Any) -> Any:
    return eval("1.0") * np.sum(LAYERS[0](x))


@pytest.mark.filterwarnings("ignore:.*runs on dynamic-graph tensors")
def test_rules_serve_on_tensors() -> None:
    np.testing.assert_allclose(s2sgrad.grad(through_names)(X), 3.0 * X)
    np.testing.assert_allclose(s2sgrad.hvp(through_names)(X, X), 15.0 * X)
    np.testing.assert_allclose(s2sgrad.jvp(through_names, (X,), (X,))[1], np.sum(3.0 * X * X))
    with pytest.raises(s2sgrad.UnsupportedError, match="pass by"):
        s2sgrad.grad(through_objects)(X)


def gram(a: Any) -> Any:
    return a.T @ a


@s2sgrad.rule(gram)
def gram_rule(y_bar, y, a):
    return a @ (y_bar + y_bar.T)


def squares(items: Any) -> Any:
    return sum(np.sum(v**2) for v in items)


@s2sgrad.rule(squares, sequences=("items",))
def squares_rule(y_bar, y, items):
    return square_bars(y_bar, items)


def square_bars(y_bar: Any, items: Any) -> Any:
    return [2.0 * y_bar * v for v in items]


def test_tangents_of_sums_and_sequences() -> None:
    def f(x):
        return np.sum(gram(np.outer(x, x) + 1.0) ** 2) + squares([x, x * x, x[0]])

    s2sgrad.check_grad(f, X)
    np.testing.assert_allclose(s2sgrad.jacfwd(f, fallback="error")(X), s2sgrad.grad(f)(X))


def two_sided(x: Any, y: Any = 2.0) -> Any:
    return x * y


def in_tables(table: Any) -> Any:
    return {"product": table["a"] * table["b"]}


def in_tables_bar(bar: Any, table: Any) -> Any:
    return {"a": 2.0 * bar["product"] * table["b"], "b": bar["product"] * table["a"]}


def test_what_rules_say_of_their_parameters() -> None:
    def short(y_bar, x):
        return y_bar * 2.0

    def bar(y_bar, out, x, y=2.0):
        return y_bar * y

    def dot(y, x, *, z_dot):
        return 2.0 * z_dot

    def table_bar(y_bar, y, table):
        return in_tables_bar(y_bar, table)

    with pytest.raises(s2sgrad.RuleError, match=r"def short\(y_bar, y, x, y=2.0\)"):
        s2sgrad.rule(two_sided)(short)
    with pytest.raises(s2sgrad.RuleError, match="tangent 'dot' takes"):
        s2sgrad.rule(two_sided, jvp=dot)(bar)
    s2sgrad.rule(two_sided)(bar)
    with pytest.raises(s2sgrad.MissingRuleError, match=r"to 'y'(?s:.*)optional=\('y',\)"):
        s2sgrad.grad(lambda x: np.sum(two_sided(x, y=x)), fallback="error")(X)
    s2sgrad.rule(in_tables)(table_bar)
    with pytest.raises(s2sgrad.RuleError, match="cotangent of table is wrong"):
        s2sgrad.check_rule(in_tables, [({"a": X, "b": X + 1.0},)])


def squared(u: Any, w: Any, k: int = 1) -> Any:
    return u * u * w * k


def squared_dot(y, u, w, k=1, *, u_dot, w_dot):
    first = 2.0 * w * u_dot
    both = first + u * w_dot
    return k * (u * both) / 1.0


@s2sgrad.rule(squared, jvp=squared_dot)
def squared_rule(y_bar, y, u, w, k=1):
    return y_bar * 2.0 * u * w * k, y_bar * u * u * k


def test_the_tangent_of_several_arguments_is_one_sum() -> None:
    v = np.array([0.3, -0.2])
    s2sgrad.check_rule(squared, [(X, v), (X, 2.0, 3)])
    found = s2sgrad.jvp(lambda u: squared(u, u * v, 2), (X,), (v,), fallback="error")[1]
    np.testing.assert_allclose(found, 6.0 * X * X * v * v)


def test_a_tangent_whose_terms_cannot_be_told_apart() -> None:
    def larger(u: Any, w: Any) -> Any:
        return np.maximum(u, w)

    def larger_dot(y, u, w, *, u_dot, w_dot):
        return np.where(u > w, u_dot, w_dot)

    @s2sgrad.rule(larger, jvp=larger_dot)
    def larger_rule(y_bar, y, u, w):
        return y_bar * (u > w), y_bar * (u <= w)

    with pytest.raises(s2sgrad.RuleError, match="return a tuple"):
        s2sgrad.jvp(lambda u: larger(u, 0.1 * u), (X,), (X,), fallback="error")


def plain_squares(x: Any) -> Any:
    return x**2


def sum_of_squares(x):
    return np.sum(plain_squares(x))


def test_rules_declared_after_code_was_made() -> None:
    """Derivatives that were used before take a rule that is declared, or declared anew."""
    slope, product = s2sgrad.grad(sum_of_squares), s2sgrad.hvp(sum_of_squares)

    def found() -> list[Any]:
        return [
            slope(X), product(X, X), s2sgrad.vjp(sum_of_squares, X)[1](1.0)[0],
            s2sgrad.jvp(sum_of_squares, (X,), (np.ones(2),))[1] * X / X.sum(),
        ]  # fmt: skip

    np.testing.assert_allclose(found(), [2.0 * X] * 4)

    @s2sgrad.rule(plain_squares)
    def three_times(y_bar, y, x):
        return y_bar * 3.0 * x

    np.testing.assert_allclose(found(), [3.0 * X] * 4)

    @s2sgrad.rule(plain_squares)
    def seven_times(y_bar, y, x):
        return y_bar * 7.0 * x

    np.testing.assert_allclose(found(), [7.0 * X] * 4)
