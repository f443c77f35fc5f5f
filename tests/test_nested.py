"""Derivatives inside of functions that are differentiated: of functions made there, any order."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import s2sgrad
from s2sgrad import grad, hessian, hvp, jacfwd, jacobian, jacrev, jvp, linearize, vjp

Function = Callable[..., Any]
X = np.array([0.3, -0.7, 1.1, 0.4])
V = np.array([0.2, 0.5, -0.3, 0.7])
U = np.array([-0.4, 0.3, 0.6, 0.1])
WEIGHTS, PLACES = (1 / 12, -2 / 3, 2 / 3, -1 / 12), (-2, -1, 1, 2)


def along(f: Function, x: Any, v: Any, step: float = 1e-3) -> Any:
    """The derivative of f in a direction, by differences."""
    parts = [w * np.asarray(f(x + p * step * v)) for w, p in zip(WEIGHTS, PLACES, strict=True)]
    return sum(parts) / step


# --- functions of functions made inside: x goes through the inner derivative ---------------------
def of_a_lambda(x: float) -> float:
    return x * grad(lambda y: x + y)(1.0)


def at_the_same_place(x: float) -> float:
    return grad(lambda y: x * y * y)(x)


def by_jvp(x: float) -> float:
    return x * jvp(lambda y: x * y, (2.0,), (1.0,))[1]


def three_deep(x: float) -> float:
    return grad(lambda y: grad(lambda z: x * y * z * z)(y) * x)(x)


def of_a_def(x: float) -> float:
    def inner(y: float) -> float:
        return np.sin(x * y)

    slope = grad(inner)
    return slope(x) + slope(2 * x)


def in_a_loop(x: float) -> float:
    s = 0.0
    for k in range(3):
        s = s + grad(lambda y, k=k: y**3 * x * k)(x)
    return s


def of_two(x: float) -> float:
    def loss(p: float, q: float) -> float:
        return p**2 * q + x * p

    by_p, by_q = grad(loss, argnums=(0, 1))(x, 2 * x)
    return by_p * by_q + grad(loss, argnums=-1)(x, x)


def newton(x: float) -> float:
    z = 1.0
    for _ in range(3):
        z = z - (z**3 - x) / grad(lambda q: q**3 - x)(z)
    return z


def of_a_method(x: float) -> float:
    class Spring:
        def __init__(self, stiffness: float) -> None:
            self.stiffness = stiffness

        def energy(self, y: float) -> float:
            return self.stiffness * y**3

    return grad(Spring(x).energy)(x)


def by_vjp(x: float) -> float:
    y, pull = vjp(lambda z: z * z * x, x)
    return pull(x)[0] * y


def of_an_array_by_vjp(x: float) -> float:
    y, pull = vjp(lambda a, b: a * b * x, np.array([x, 2.0]), x)
    by_a, by_b = pull(y)
    return np.sum(by_a) * by_b


def by_linearize(x: float) -> float:
    y, push = linearize(lambda z: z**2 * x, x)
    return y * push(x)


def by_jvp_of_jvp(x: float) -> float:
    def h(y: float) -> float:
        return x**2 * y**3

    return jvp(lambda z: jvp(h, (z,), (1.0,))[1], (x,), (1.0,))[1]


def by_hessian(x: float) -> float:
    return hessian(lambda y: np.sum(y**3) * x)(np.array([x, 2 * x]))[0, 0]


def by_jacobian(x: float) -> float:
    return np.sum(jacobian(lambda y: np.array([y[0] * y[1] * x, y[1] ** 2]))(np.array([x, 3.0])))


def by_hvp(x: float) -> float:
    v = np.array([x, 1.0])
    return np.sum(hvp(lambda y: np.sum(y**3) * x + y[0] * y[1])(np.array([x, 2.0]), v))


def written(u: np.ndarray) -> np.ndarray:
    u[0] *= u[1]
    u += 1.0
    return np.sin(u) * u


def by_pullbacks_of_what_is_written(x: float) -> float:
    """Pullbacks and pushes are at what was there when they were made; arguments stay."""
    v = np.array([0.3, 0.5, x])
    rows, held = [v, 2.0 * v], {"a": v}
    y, back = vjp(written, v)
    z, push = linearize(written, v)
    w, around = vjp(lambda u: u * rows[-1] * held["a"], y)
    t, pushed = linearize(lambda u: u * rows[-1] * held["a"], y)
    rows.append(v * 3.0)
    v[1] = x * x
    held["a"] = v[::-1]
    v *= 0.8
    v += 0.3 * around(y)[0] * back(z)[0] + pushed(z)
    return np.sum(v * y) + np.sum(push(w) * t)


def by_blocks(x: float) -> float:
    """Jacobians by and of containers, and by several arguments."""

    def fit(p: Any, q: Any) -> Any:
        return {"fit": [p["a"] * q[0] + p["b"], q[0] ** 3], "size": p["a"] ** 2 * np.sum(q[0])}

    p, q = {"a": x, "b": x * x}, (np.array([x, 2.0]), 3)
    rows = jacobian(fit, argnums=(0, 1))(p, q)
    bent = hessian(lambda p, q: fit(p, q)["size"], argnums=(0, 1))(p, q)
    (turned,) = jacrev(lambda z, k: z**k, argnums=(0,))(q[0], 3)
    whole = jacfwd(lambda z: z**3, holomorphic=True)(q[0] + 1j)
    total = np.sum(rows["fit"][0][0]["a"]) * rows["size"][0]["a"] + np.sum(turned)
    total = total + np.sum(rows["fit"][1][1][0] @ q[0]) * bent[0]["a"][0]["a"]
    total = total + np.sum(bent[0]["a"][1][0])
    return total * x + np.sum(np.abs(whole) ** 2)


def by_rows_of_a_dict(x: float) -> float:
    rows = jacrev(lambda p: {"y": p["a"] * p["b"]})({"a": np.array([x, 0.5]), "b": x})
    return rows["y"]["a"][0, 0] * np.sum(rows["y"]["b"])


def by_vjp_of_several(x: float) -> float:
    """Pullbacks of containers, with keywords, integers and what is handed out beside."""

    def cell(p: Any, z: Any, n: int, bias: float = 0.0) -> Any:
        h = p["w"] * z**n + bias
        return {"h": h, "s": (np.sum(h), 2)}, np.sum(z)

    y, pull, aux = vjp(cell, {"w": x}, np.array([x, 0.5]), 2, bias=x, has_aux=True)
    by_p, by_z, by_n = pull({"h": y["h"], "s": (x, None)})
    (rest, _, _), none = pull({"h": None, "s": (2.0, None)}), by_n is None
    return by_p["w"] * np.sum(by_z) * aux + rest["w"] ** 2 + none


def _some_slow(functions: list[Function]) -> list[Any]:
    """Parameters; those that take seconds to compile are tested with the slow ones."""
    marks = {f: [pytest.mark.slow] * (f.__name__ in ("by_blocks", "recursion")) for f in functions}
    return [pytest.param(f, id=f.__name__, marks=marks[f]) for f in functions]


INSIDE = [
    of_a_lambda, at_the_same_place, by_jvp, three_deep, of_a_def, in_a_loop, of_two, newton,
    of_a_method, by_vjp, of_an_array_by_vjp, by_linearize, by_jvp_of_jvp, by_hessian, by_jacobian,
    by_hvp, by_pullbacks_of_what_is_written, by_blocks,
    by_rows_of_a_dict, by_vjp_of_several,
]  # fmt: skip


@pytest.mark.parametrize("f", _some_slow(INSIDE))
def test_derivative_inside(f: Function) -> None:
    expected = along(f, 1.3, 1.0)
    assert grad(f, fallback="error")(1.3) == pytest.approx(expected, rel=1e-8)
    assert jvp(f, (1.3,), (1.0,), fallback="error")[1] == pytest.approx(expected, rel=1e-8)
    second = along(grad(f, fallback="error"), 1.3, 1.0)
    assert grad(grad(f), fallback="error")(1.3) == pytest.approx(second, rel=1e-8, abs=1e-10)


COMPILED = [at_the_same_place, newton, by_pullbacks_of_what_is_written, by_rows_of_a_dict]


@pytest.mark.parametrize("f", COMPILED)
def test_derivative_inside_compiled(f: Function) -> None:
    expected = along(f, 1.3, 1.0)
    assert grad(f, jit=True)(1.3) == pytest.approx(expected, rel=1e-8)


def test_pullback_of_what_is_written_into_later() -> None:
    def f(x: Any) -> Any:
        a = x * 2.0
        _, pull = vjp(lambda z: z**3, a)
        a[0] = 100.0
        return np.sum(pull(np.ones(2))[0])

    x = np.array([1.0, 2.0])
    np.testing.assert_allclose(grad(f, fallback="error")(x), 24.0 * x)


# --- every nesting, through loops, buffers, recursion, containers ---------------------------------
def while_loop(x: Any) -> Any:
    saved, y, n = [], x[0], 0
    while y < 4 and n < 10:
        saved.append(y * x[1])
        y, n = y + np.exp(y * 0.3), n + 1
    total = 0.0
    while saved:
        total = total + saved.pop() ** 2 * x[2]
    return total + x[3] ** 3


def buffer(x: Any) -> Any:
    a = np.zeros(6)
    a[:4] = x
    for i in range(2, 6):
        a[i] = a[i] + a[i - 1] * a[i - 2]
        a[i - 1] *= np.cos(a[i])
    return np.sum(a**2)


def recursion(x: Any, n: int = 3) -> Any:
    if n == 0:
        return np.sum(x**3)
    return recursion(np.sin(x) * x, n - 1) + recursion(x * 0.5, n - 1) * np.sum(x)


def grown_list(x: Any) -> Any:
    out: list[Any] = []
    for v in x:
        out.append(v * v)
        if len(out) > 1:
            out[-1] = out[-1] * out[-2]
    return sum(out)


PROGRAMS = [while_loop, buffer, recursion, grown_list]
SECOND: dict[str, Callable[[Function], Function]] = {
    "hvp": lambda f: lambda x: hvp(f, fallback="error")(x, V),
    "jvp of grad": lambda f: lambda x: jvp(grad(f), (x,), (V,), fallback="error")[1],
    "grad of jvp": lambda f: grad(lambda x: jvp(f, (x,), (V,))[1], fallback="error"),
    "grad of grad": lambda f: grad(lambda x: np.sum(grad(f)(x) * V), fallback="error"),
    "pullback of grad": lambda f: lambda x: vjp(grad(f), x, fallback="error")[1](V)[0],
    "hessian": lambda f: lambda x: hessian(f, fallback="error")(x) @ V,
    "jacfwd of jacrev": lambda f: lambda x: jacfwd(jacrev(f), fallback="error")(x) @ V,
    "jacrev of jacfwd": lambda f: lambda x: jacrev(jacfwd(f), fallback="error")(x) @ V,
}
THIRD: dict[str, Callable[[Function], Function]] = {
    "jvp of hvp": lambda f: lambda x: jvp(
        lambda x: hvp(f)(x, V), (x,), (U,), fallback="error"
    )[1],
    "grad of hvp": lambda f: grad(lambda x: np.sum(hvp(f)(x, V) * U), fallback="error"),
    "grad of grad of grad": lambda f: grad(
        lambda x: np.sum(grad(lambda z: np.sum(grad(f)(z) * V))(x) * U), fallback="error"
    ),
    "jvp of grad of jvp": lambda f: lambda x: jvp(
        grad(lambda x: jvp(f, (x,), (V,))[1]), (x,), (U,), fallback="error"
    )[1],
    "jacfwd of hessian": lambda f: lambda x: jacfwd(hessian(f), fallback="error")(x) @ U @ V,
}  # fmt: skip


@pytest.mark.parametrize("f", _some_slow(PROGRAMS))
def test_second_order(f: Function) -> None:
    expected = along(grad(f, fallback="error"), X, V)
    for name, nest in SECOND.items():
        np.testing.assert_allclose(nest(f)(X), expected, rtol=1e-7, atol=1e-8, err_msg=name)


@pytest.mark.slow
@pytest.mark.parametrize("f", PROGRAMS)
def test_third_order(f: Function) -> None:
    expected = along(lambda x: hvp(f, fallback="error")(x, V), X, U)
    for name, nest in THIRD.items():
        np.testing.assert_allclose(nest(f)(X), expected, rtol=1e-6, atol=1e-7, err_msg=name)


@pytest.mark.parametrize("made", [jacfwd, s2sgrad.sparse_jacobian])
def test_jacobian_that_cannot_be_entered_is_refused(made: Any) -> None:
    def squares(x: Any) -> Any:
        return [v**2 for v in x] if x[0] > 0.0 else [x[0]]

    with pytest.raises(s2sgrad.UnsupportedError, match="acobian"):
        grad(lambda x: np.sum(made(squares)(x)[0]), fallback="error")(X)


# --- on tensors, where the outer function can't be transformed ------------------------------------
ON_TENSORS: dict[str, Function] = {
    "jvp": lambda x: jvp(lambda y: x * y, (2.0,), (1.0,))[1],
    "grad": lambda x: grad(lambda y: x * y)(2.0),
    "value": lambda x: s2sgrad.value_and_grad(lambda y: x * y * y)(3.0)[1],
    "vjp": lambda x: vjp(lambda y: x * y, 2.0)[1](1.0)[0],
    "hvp": lambda x: hvp(lambda y: x * y * y)(2.0, 1.0),
    "linearize": lambda x: linearize(lambda y: x * y * y, 2.0)[1](1.0),
    "argument": lambda x: grad(lambda y, z: z * y * y)(2.0, x),
    "argument of vjp": lambda x: vjp(lambda y, z: z * y * y, 2.0, x)[1](1.0)[0],
    "argument of jvp": lambda x: jvp(lambda y, z: z * y * y, (2.0, x), (1.0, None))[1],
    "jacobian": lambda x: np.sum(jacobian(lambda y: x * y * y)(np.array([2.0, 3.0]))),
    "function of a function": lambda x: grad(lambda y: (lambda q: x * q)(y) * y)(2.0),
}


@pytest.mark.filterwarnings("ignore:.*runs on dynamic-graph tensors:UserWarning")
@pytest.mark.parametrize("name", ON_TENSORS)
def test_derivative_inside_on_tensors(name: str) -> None:
    inner = ON_TENSORS[name]

    def f(x: Any) -> Any:
        try:
            return x * inner(x)
        except KeyError:
            return x

    expected = along(f, 1.3, 1.0)
    assert grad(f)(1.3) == pytest.approx(expected, rel=1e-9)
    assert jvp(f, (1.3,), (1.0,))[1] == pytest.approx(expected, rel=1e-9)


def without_source(f: Function) -> Function:
    code = f.__code__.replace(co_filename="<nowhere>", co_firstlineno=10**6)
    return types.FunctionType(code, f.__globals__, f.__name__, f.__defaults__, f.__closure__)


def by_jacobians(x: float) -> float:
    """Of constants and of what is traced, of functions that read what is traced."""
    v, c = np.array([x, 0.5]), np.array([0.3, 2.0])
    rows = jacrev(lambda u: u**2 * v)(c) + jacfwd(lambda u: u**2 * v)(v)
    products = hvp(lambda u: np.sum(u**3 * v))(v, c) + hvp(lambda u: np.sum(u**3 * v))(c, v)
    _, dots = jvp(lambda d: {"s": d["t"] ** 2 * d["a"]}, ({"a": v, "t": x},), ({"a": c, "t": x},))
    return np.sum(rows @ v) + products @ v + np.sum(dots["s"] * v)


@pytest.mark.filterwarnings("ignore:.*runs on dynamic-graph tensors:UserWarning")
@pytest.mark.parametrize("f", [*INSIDE, by_jacobians])
def test_derivative_inside_without_source(f: Function) -> None:
    expected = along(f, 1.3, 1.0)
    assert grad(without_source(f))(1.3) == pytest.approx(expected, rel=1e-7)


def of_names_bound_later(x: float) -> float:
    """A derivative is one of what the names of its function hold where it is called."""
    factor = x
    slope = grad(lambda y: factor * y**2)
    several = [grad(lambda y: y**n) for n in (2, 3)]  # noqa: B023
    first = slope(2.0)
    factor = x * x
    third = grad(grad(grad(lambda t: t**4 * factor)))
    return first * slope(1.0) + several[0](x) * several[1](x) + third(0.5)


def test_names_bound_after_the_derivative_was_made() -> None:
    s2sgrad.check_grad(of_names_bound_later, 1.3)
    assert s2sgrad.value_and_grad(of_names_bound_later)(1.3)[0] == of_names_bound_later(1.3)


def test_results_that_numpy_gives_as_tuples() -> None:
    """What `np.linalg.eigh` and its kin return is taken apart, also where it stands in a dict."""
    x, d = np.linspace(0.3, 1.5, 4), np.array([1.0, -2.0, 0.5, 1.0])

    def moved(x: Any) -> Any:
        return np.outer(x, x) + np.diag(np.arange(1.0, 5.0))

    def eigh(x: Any) -> Any:
        return np.linalg.eigh(moved(x))

    def held(x: Any) -> Any:
        return {"sizes": np.linalg.slogdet(moved(x))}

    for f in (
        lambda x: s2sgrad.vjp(eigh, x)[1]((np.ones(4), np.eye(4)))[0],
        lambda x: s2sgrad.vjp(held, x)[1]({"sizes": (0.0, 2.0)})[0],
        lambda x: s2sgrad.vjp(held, x)[0]["sizes"].logabsdet * x,
        lambda x: s2sgrad.jacobian(held)(x)["sizes"][1],
    ):
        slope = (f(x + 1e-5 * d) - f(x - 1e-5 * d)) / 2e-5
        _, y_dot = s2sgrad.jvp(f, (x,), (d,), fallback="error")
        np.testing.assert_allclose(y_dot, slope, 1e-6, 1e-8)


def test_a_list_that_grows_has_no_pullback_inside() -> None:
    def grown(x: Any) -> Any:
        items = []
        for i in range(len(x)):
            items.append(x[i] ** 2)
        return items

    x = np.ones(3)
    with pytest.raises(s2sgrad.UnsupportedError, match=r"return np\.stack"):
        s2sgrad.jvp(lambda x: s2sgrad.vjp(grown, x)[1]([1.0] * 3), (x,), (x,), fallback="error")
