"""Arrays that begin to be traced when a traced value is written to them, against differences."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest
from harness import differences
from numpy.lib.stride_tricks import as_strided

import s2sgrad
from s2sgrad.eager.numpy_code.tracing import vjp

X = np.array([0.5, 1.2, -0.7, 0.9])
TABLE = np.array([1.0, 2.0, 3.0, 4.0])
RNG = np.random.default_rng


def constants(x: Any) -> Any:
    a, b, c = np.zeros(4) * 2.0, np.sin(np.zeros(4)), np.linspace(0, 1, 4) ** 2 + 1
    a[0], b[1], c[2:] = x[0], x[1] * x[0], x[2:]
    d = np.tile(TABLE, 2)
    d[:4] *= x
    return (a * b + c).sum() + (d**2).sum() + a[1]


def copies(x: Any) -> Any:
    a, b, c = TABLE.copy(), np.arange(4) / 2, np.outer(TABLE, TABLE)
    a[1] = b[0] = x[0] ** 2
    c[1, 1:] += x[1:]
    a += x
    np.multiply(x, b, out=b)
    np.add.at(a, [0, 0], x[:2])
    return (a * b * c).sum()


def sweeps(x: Any) -> Any:
    u = TABLE * 0.1
    for _ in range(3):
        v = u.copy()
        v[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        v[0], v[-1] = x[0], x[1]
        u = v
    return (u**2).sum()


def put(a: Any, i: int, value: Any) -> None:
    a[i] = value


def helpers(x: Any) -> Any:
    a = TABLE * 1

    def inside(i: int) -> None:
        a[i] = x[i]

    def running() -> Any:
        own = TABLE / 2
        for i in range(3):
            own[i] = x[i]
            yield own.copy()

    inside(1)
    b = TABLE + 1
    put(b, 0, x[2])
    return (a * b).sum() + sum((p**2).sum() for p in running())


def drawn(x: Any) -> Any:
    rng = RNG(0)
    noise = rng.normal(size=4)
    noise[0] = x[0]
    picked = rng.choice(x, size=3) * rng.permutation(x)[:3]
    return (noise * x).sum() + (picked**2).sum() + rng.normal(x, np.exp(x)).sum()


def numbers(x: Any) -> Any:
    z = np.zeros(4) + TABLE
    u, counts = np.unique(z, return_counts=True)
    places = {v: i for i, v in enumerate(z)}
    return (u * counts * x).sum() + x[places[2.0]] ** 2 + np.histogram(z, 2)[1][0] * x[0]


PROGRAMS = [constants, copies, sweeps, helpers, drawn, numbers]


def test_written_constants_have_derivatives() -> None:
    for f in PROGRAMS:
        before = TABLE.copy()
        value, pullback = vjp(f, X)
        assert np.array_equal(TABLE, before)
        assert np.isclose(value, f(X), rtol=1e-12), f.__name__
        np.testing.assert_allclose(
            pullback(1.0)[0], differences(f, X, 1e-5), rtol=1e-6, atol=1e-6, err_msg=f.__name__
        )


def test_the_order_of_evaluation_and_outer_names_stay() -> None:
    said: list[str] = []
    outer = np.ones(4)

    def say(value: Any, what: str) -> Any:
        said.append(what)
        return value

    def f(x: Any) -> Any:
        a = TABLE * 1
        a[say(0, "index")] = say(x[0], "value")
        a[say(1, "index")] += say(x[1], "value")

        def touch() -> None:
            outer[0] = 2.0

        touch()
        return (a * outer).sum()

    np.testing.assert_allclose(vjp(f, X)[1](1.0)[0], [2.0, 1.0, 0.0, 0.0])
    assert said == ["value", "index", "index", "value"]
    assert type(outer) is np.ndarray and outer[0] == 2.0


def other_name(x: Any) -> Any:
    a = TABLE * 1
    b = a
    a[0] = x[0]
    return b.sum()


def window(x: Any) -> Any:
    z = np.zeros(4)
    w = as_strided(z, (2, 2), (8, 8))
    z[0] = x[0]
    return w.sum()


def masked(x: Any) -> Any:
    z = np.zeros(4)
    w = np.ma.array(z, mask=[0, 0, 0, 1])
    z[0] = x[0]
    return w.sum()


def test_what_others_would_see_without_history_is_refused() -> None:
    for f in (other_name, window, masked):
        with pytest.raises(s2sgrad.UnsupportedError, match="loses the derivative"):
            vjp(f, X)


def test_parts_that_are_written_leave_no_cycles() -> None:
    def f(x: Any) -> Any:
        a, b = np.split(x * 2, 2)
        a[0] = b[1]
        whole = np.outer(x, x)
        np.einsum("ii->i", whole)[:] = x
        return (a * b).sum() + (whole**2).sum()

    vjp(f, X)[1](1.0)
    gc.collect()
    before = len(gc.get_objects())
    gc.disable()
    try:
        for _ in range(5):
            vjp(f, X)[1](1.0)
        assert len(gc.get_objects()) - before < 20
    finally:
        gc.enable()
