"""SciPy's special functions under Numba: at their addresses, and in the loops of gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import s2sgrad

numba = pytest.importorskip("numba")
special = pytest.importorskip("scipy.special")

from s2sgrad_runtime import elliptic, numba_special, scipy_helpers  # noqa: E402
from s2sgrad_runtime import special as slopes  # noqa: E402

numba_special.teach()
UFUNCS = sorted({u.__name__: u for u in vars(special).values() if type(u) is np.ufunc}.items())
NUMBERS = {"d": (0.35, 0.72, 1.4, 0.6, 0.4), "D": (0.3 + 0.2j, 1.1 - 0.4j, 0.5j, 1.0, 2.0)}
ORDERS = (2, 3, 1, 4, 2)


def compiled(calls: list[str], scope: dict[str, Any]) -> list[Any]:
    """What the calls give in one function under Numba."""
    exec(f"def run():\n    return ({', '.join(calls)},)", scope)
    return list(numba.njit(error_model="numpy")(scope["run"])())


def sampled(kinds: str) -> list[complex]:
    """Numbers of the types that a loop takes."""
    return [NUMBERS[k][n] if k in NUMBERS else ORDERS[n] for n, k in enumerate(kinds)]


@pytest.mark.parametrize("start", range(0, len(UFUNCS), 60))
def test_every_ufunc_of_scipy_gives_the_same_under_numba(start: int) -> None:
    scope: dict[str, Any] = {}
    calls, expected = [], []
    for name, ufunc in UFUNCS[start : start + 60]:
        for kinds in ufunc.types:
            taken = kinds.partition("->")[0]
            if not set(kinds) <= set("dDl->"):
                continue
            scope[name] = ufunc
            args = sampled(taken)
            calls.append(f"{name}({', '.join(map(repr, args))})")
            expected.append(ufunc(*args))
    for call, found, wanted in zip(calls, compiled(calls, scope), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-14, equal_nan=True, err_msg=call)


FORMS = {
    special.polygamma: [(0, 1.3), (1, 0.4), (3, 2.2)],
    special.zeta: [(2.5, 1.2), (2.5,)],
    special.lambertw: [(0.4,), (-0.1, -1)],
    special.multigammaln: [(3.4, 3)],
    special.comb: [(5.0, 2.0), (2.0, 3.0)],
    special.perm: [(5.0, 2.0), (2.0, 3.0)],
    special.factorial: [(4,), (-1,)],
    special.softplus: [(0.3,)],
    special.jvp: [(0.5, 1.2), (1, 1.2, 3), (1, 0.7, 0)],
    special.yvp: [(0.5, 1.2, 2)],
    special.kvp: [(0.5, 1.2, 3), (0.5, 1.2, 2)],
    special.ivp: [(0.5, 1.2, 3)],
    special.h1vp: [(0.5, 1.2 + 0.1j)],
    special.h2vp: [(0.5, 1.2 + 0.1j, 2)],
    special.spherical_jn: [(2, 1.3), (2, -1.3, True), (3, -0.7)],
    special.spherical_yn: [(2, -1.3, True), (2, -0.9)],
    special.spherical_in: [(2, 1.3)],
}


@pytest.mark.slow
def test_what_scipy_writes_in_python_gives_the_same() -> None:
    scope = {function.__name__: function for function in FORMS}
    every = [(function, args) for function, cases in FORMS.items() for args in cases]
    calls = [f"{f.__name__}({', '.join(map(repr, args))})" for f, args in every]
    for call, found, (f, args) in zip(calls, compiled(calls, scope), every, strict=True):
        np.testing.assert_allclose(found, f(*args), rtol=1e-13, err_msg=call)


@pytest.mark.slow
def test_our_own_slopes_give_the_same_for_numbers() -> None:
    helpers = [
        vars(home)[name]
        for home in (slopes, elliptic)
        for name in home.__all__
        if getattr(vars(home)[name], "entrywise", False)
    ]
    assert len(helpers) > 30
    scope, calls, expected = {}, [], []
    for helper in helpers:
        count = helper.__code__.co_argcount
        for numbers in ((0.35, 0.45, 0.72, 1.4), (1e-5, 2.0, 1e-5, 0.4), (2.4, 0.9, 0.6, 3.0)):
            args: list[Any] = [*numbers, True, False][:count]
            if helper is slopes.multigamma_slope:
                args = [2.7, 3]
            scope[helper.__name__] = helper
            calls.append(f"{helper.__name__}({', '.join(map(repr, args))})")
            with np.errstate(all="ignore"):
                expected.append(helper(*map(np.asarray, args[:4]), *args[4:]))
    for call, found, wanted in zip(calls, compiled(calls, scope), expected, strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-13, equal_nan=True, err_msg=call)


def test_lazy_names_stand_for_the_same_functions() -> None:
    scope = {"digamma": scipy_helpers.scipy_digamma, "jv": scipy_helpers.scipy_jv}
    found = compiled(["digamma(2.5)", "jv(1, 0.5)"], scope)
    np.testing.assert_allclose(found, [special.digamma(2.5), special.jv(1, 0.5)], rtol=1e-14)


def sums(a: Any, v: Any, y: Any, y_bar: Any) -> Any:
    """logsumexp and its kin, with every axis that a vector or matrix has."""
    return (
        special.logsumexp(v), special.logsumexp(v, axis=0), special.logsumexp(v, keepdims=True),
        special.logsumexp(a), special.logsumexp(a, 0), special.logsumexp(a, axis=-1),
        special.logsumexp(a, axis=1, keepdims=True), special.logsumexp(a, keepdims=True),
        slopes.logsumexp_pullback(0.5, y[0], v, None, None, False, False),
        slopes.logsumexp_pullback(y_bar, y, a, 1, None, False, False),
        slopes.logsumexp_pullback(y_bar, y, a, 0, None, False, False),
        slopes.logsumexp_pushforward(a, y[0], a, None, None, True, False),
        slopes.logsumexp_pushforward(a, y.reshape(3, 1), a, 1, None, True, False),
        special.softmax(a, axis=0), special.softmax(a), special.log_softmax(v, axis=-1),
        special.log_softmax(a, axis=1),
    )  # fmt: skip


@pytest.mark.slow
def test_sums_in_logarithms_give_the_same() -> None:
    rng = np.random.default_rng(1)
    a, v, y, y_bar = (rng.normal(size=n) for n in ((3, 3), 4, 3, 3))
    a[1, 2] = -np.inf
    found = numba.njit(error_model="numpy")(sums)(a, v, y, y_bar)
    with np.errstate(invalid="ignore"):
        expected = sums(a, v, y, y_bar)
    for k, (one, two) in enumerate(zip(found, expected, strict=True)):
        np.testing.assert_allclose(one, two, rtol=1e-13, err_msg=str(k))
        assert np.shape(one) == np.shape(two)


# --- in gradients ----------------------------------------------------------------------------
def scalars(x: np.ndarray, n: int) -> float:
    s = 0.0
    for i in range(n):
        v = x[i % len(x)]
        s += special.gammaln(v + 1.0) * special.erf(v) - special.betaln(v, 2.0) * special.expit(v)
        s += special.polygamma(1, v) * special.gammainc(1.5, v) + special.kv(2, v)
    return s


def arrays(x: np.ndarray, y: np.ndarray) -> float:
    a = special.logit(special.ndtr(x)) + special.xlogy(y, x) * special.exprel(x)
    b = special.hyp2f1(0.5, 1.0, 1.5, 0.5 * special.expit(x)) + special.jvp(1, x)
    return np.sum(a * b) + np.sum(special.ellipk(0.3 * y) * special.spherical_jn(2, x))


def airy(x: np.ndarray) -> float:
    s = 0.0
    for v in x:
        ai, _, bi, _ = special.airy(v)
        s += ai * bi
    return s


X, Y = np.linspace(0.3, 2.0, 5), np.linspace(0.2, 0.9, 5)


@pytest.mark.parametrize(
    "function, args, whole",
    [(scalars, (X, 12), True), (arrays, (X, Y), True), (airy, (X,), False)],
)
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_gradients_compile_as_a_whole(
    function: Any, args: tuple[Any, ...], whole: bool, mode: str
) -> None:
    """No part of it runs in Python, and it agrees with NumPy's code."""
    if mode == "forward":
        tangents = (
            np.cos(X),
            *(np.sin(Y) if isinstance(a, np.ndarray) else None for a in args[1:]),
        )
        found, expected = (
            s2sgrad.jvp(function, args, tangents, jit=jit, fallback="error")
            for jit in (True, False)
        )
    else:
        found, expected = (
            s2sgrad.value_and_grad(function, jit=jit, fallback="error")(*args)
            for jit in (True, False)
        )
        made = s2sgrad.value_and_grad(function, jit=True, fallback="error")
        made(*args)
        assert not whole or "objmode" not in made.source(*args)
        assert "compiled by Numba: all of it" in made.explain(*args)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-12)
