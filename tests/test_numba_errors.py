"""What jit=True takes at its boundary, and what it says where Numba can't follow."""

from __future__ import annotations

import logging
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import programs.shared  # noqa: F401
import pytest
from programs.registry import PROGRAMS

import s2sgrad

pytest.importorskip("numba")


@dataclass
class Point:
    position: np.ndarray
    mass: float


def agree(function: Any, *args: Any, argnums: Any = 0) -> None:
    """Compiled and plain gradients have the same structure and entries."""
    found = s2sgrad.value_and_grad(function, argnums, jit=True, fallback="error")(*args)
    expected = s2sgrad.value_and_grad(function, argnums, fallback="error")(*args)
    same(found, expected)


def same(found: Any, expected: Any) -> None:
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        for key in expected:
            same(found[key], expected[key])
    elif isinstance(expected, list | tuple):
        assert type(found) is type(expected) and len(found) == len(expected)
        for one, two in zip(found, expected, strict=True):
            same(one, two)
    elif isinstance(expected, Point):
        assert type(found) is Point
        same((found.position, found.mass), (expected.position, expected.mass))
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        assert isinstance(found, np.ndarray) == isinstance(expected, np.ndarray)


def test_containers_as_arguments() -> None:
    def f(params: Any, pair: Any, point: Any, scale: Any) -> Any:
        y = params["w"] @ pair[0] + params["b"] * pair[1]
        return np.sum(y * point.position) * point.mass * scale

    params = {"w": np.arange(6.0).reshape(2, 3), "b": 0.5}
    pair = (np.array([1.0, 2.0, 3.0]), 2.0)
    agree(f, params, pair, Point(np.array([1.0, -1.0]), 3.0), 2.0, argnums=(0, 1, 2, 3))


def test_lists_of_numbers_and_of_arrays() -> None:
    def f(numbers: Any, arrays: Any) -> Any:
        s = 0.0
        for i in range(len(numbers)):
            s = s + numbers[i] ** 2 * np.sum(arrays[i])
        return s

    agree(f, [1.0, 2.0], [np.arange(3.0), np.ones(3)], argnums=(0, 1))


def test_float32_is_kept() -> None:
    def f(x: Any) -> Any:
        return np.sum(np.tanh(x) * 2.0)

    x = np.array([0.5, 1.0], np.float32)
    gradient = s2sgrad.grad(f, jit=True, fallback="error")(x)
    assert gradient.dtype == np.float32


def test_strings_and_flags_are_constants() -> None:
    def f(x: Any, kind: str, twice: bool) -> Any:
        y = np.sin(x) if kind == "sin" else np.cos(x)
        return np.sum(y) * 2.0 if twice else np.sum(y)

    for kind in ("sin", "cos"):
        agree(f, np.arange(3.0), kind, kind == "sin")


def test_what_numba_lacks_runs_outside() -> None:
    def f(a: Any, b: Any) -> Any:
        s = 0.0
        for _ in range(3):
            s = s + np.sum(np.einsum("ij,jk->ik", a, b) ** 2)
        return s

    agree(f, np.arange(4.0).reshape(2, 2), np.ones((2, 2)), argnums=(0, 1))


def test_what_numba_gives_up_on_stays_in_python() -> None:
    def f(x: Any) -> Any:
        rng = np.random.default_rng(7)
        s = 0.0
        for _ in range(3):
            s = s + np.sum(np.exp(x) * rng.normal(size=x.shape))
        return s + np.sum(np.cos(x) * x)

    x = np.ones(2)
    agree(f, x)
    text = s2sgrad.grad(f, jit=True, fallback="error").explain(x)
    assert "run in Python" in text and "test_numba_errors.py:" in text


def test_branches_of_two_ranks() -> None:
    def f(x: Any) -> Any:
        z = np.sin(x)
        for _ in range(3):
            z = z * np.cos(z) + x
        if z[0] > 0:
            y = z * 2.0
        else:
            y = np.outer(z, z)
        return np.sum(y)

    agree(f, np.ones(2))
    agree(f, -np.ones(2))
    text = s2sgrad.grad(f, jit=True, fallback="error").explain(np.ones(2))
    assert "run in Python" in text


def test_pullback_and_recursion() -> None:
    def halves(x: Any) -> Any:
        if len(x) < 2:
            return np.sin(x[0])
        m = len(x) // 2
        return halves(x[:m]) * halves(x[m:]) + np.sum(x**2)

    def states(x: Any, a: Any) -> Any:
        s = np.zeros_like(x)
        for _ in range(4):
            x = np.tanh(a * x)
            s = s + x
        return s

    x = np.linspace(0.1, 1.0, 5)
    agree(halves, x)
    found, pull = s2sgrad.vjp(states, x, 0.5, jit=True, fallback="error")
    expected, plain = s2sgrad.vjp(states, x, 0.5, fallback="error")
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    for _ in range(2):
        same(list(pull(np.cos(x))), list(plain(np.cos(x))))


def test_slow_compilation_is_noted(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Any
) -> None:
    from s2sgrad.backend.jit import errors as numba_errors

    monkeypatch.setattr(numba_errors, "PATIENCE", 0.01)
    monkeypatch.setenv("S2SGRAD_CACHE_DIR", str(tmp_path))

    def f(x: Any) -> Any:
        return np.sum(x * x * x)

    with caplog.at_level(logging.INFO, "s2sgrad"):
        s2sgrad.grad(f, jit=True)(np.ones(3))
    assert any("compiling f_grad" in r.message for r in caplog.records)


def test_one_compilation_serves_every_size() -> None:
    def f(x: Any, y: Any) -> Any:
        return np.sum(np.exp(x[1:] - x[:-1]) * y[1:])

    gradient = s2sgrad.grad(f, argnums=(0, 1), jit=True, fallback="error")
    plain = s2sgrad.grad(f, argnums=(0, 1), fallback="error")
    for n in (2, 3, 7):
        x, y = np.linspace(0.0, 1.0, n), np.ones(n)
        same(gradient(x, y), plain(x, y))


@pytest.mark.slow
def test_warnings_of_numba_reach_nobody(monkeypatch: Any, tmp_path: Any) -> None:
    """What goes to compiled code in a form that it can't take is found out in silence."""
    monkeypatch.setenv("S2SGRAD_CACHE_DIR", str(tmp_path))
    program = PROGRAMS["shared.fields_taken_and_replaced"]
    args, _ = program.example()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        s2sgrad.grad(program.function, program.wrt, jit=True, fallback="error")(*args)
    assert not told


def test_what_numba_refuses_as_it_runs_goes_to_python() -> None:
    """Its covariances are of more than one row, its percentiles of something."""

    def spread(x):
        return np.sum(np.cov(x) ** 2 * np.ones((1, 1))) + x[0, 1]

    gradient, plain = s2sgrad.grad(spread, jit=True), s2sgrad.grad(spread)
    for rows in (3, 1, 2):
        x = np.sin(np.arange(5.0 * rows)).reshape(rows, 5)
        np.testing.assert_allclose(gradient(x), plain(x), rtol=1e-10)

    def middle(x):
        return np.percentile(x, 30.0) * x[-1]

    gradient = s2sgrad.grad(middle, jit=True)
    gradient(np.arange(4.0))
    with pytest.raises(IndexError, match="out of bounds"):
        gradient(np.zeros(0))
