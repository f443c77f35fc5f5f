"""What a function leaves in lists, dicts and objects from outside, where it runs on tensors."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest

import s2sgrad

pytestmark = pytest.mark.filterwarnings("ignore:.*runs on dynamic-graph tensors")
X = np.array([1.0, 2.0, 3.0])
HISTORY: list[Any] = []
BY_NAME: dict[str, Any] = {}
LAST: Any = None


class Log:
    newest: Any = None

    def __init__(self) -> None:
        self.values, self.steps, self.recent = [], 0, deque(maxlen=2)

    def note(self, value: Any) -> None:
        self.values.append((self.steps, value))
        self.recent.append(value)
        self.steps += 1
        type(self).newest = value


def _logged(x: np.ndarray) -> Any:
    global LAST
    y = 2.0 * x
    LAST = y[0]
    HISTORY.append(np.sum(y))
    BY_NAME["y"] = y
    _logged.calls = [y]  # type: ignore[attr-defined]
    return np.sum(y**2)


@pytest.mark.parametrize(
    "derivative",
    [
        lambda f: s2sgrad.grad(f)(X),
        lambda f: s2sgrad.vjp(f, X)[1](1.0),
        lambda f: s2sgrad.jvp(f, (X,), (X,)),
        lambda f: s2sgrad.jacobian(f)(X),
        lambda f: s2sgrad.hessian(f)(X),
    ],
)
def test_outside_values_are_plain(derivative: Any) -> None:
    HISTORY.clear()
    BY_NAME.clear()
    derivative(_logged)
    assert HISTORY and all(type(v) is np.float64 and v == 12.0 for v in HISTORY)
    assert type(BY_NAME["y"]) is np.ndarray and type(LAST) is np.float64
    assert type(_logged.calls[0]) is np.ndarray  # type: ignore[attr-defined]


def test_objects_and_closures_hold_plain_values() -> None:
    log, best = Log(), None

    def loss(x: np.ndarray) -> Any:
        nonlocal best
        value = np.sum(np.sin(x) ** 2)
        log.note(value)
        best = value if best is None or value < best else best
        return value

    for _ in range(3):
        s2sgrad.value_and_grad(loss)(X)
    assert [step for step, _ in log.values] == list(range(log.steps))
    assert all(type(value) is np.float64 for _, value in log.values)
    assert all(type(value) is np.float64 for value in (*log.recent, Log.newest, best))


def test_values_of_an_outer_run_stay_traced() -> None:
    held: list[Any] = []

    def outer(x: np.ndarray) -> Any:
        held.append(x[0] * x[1])

        def inner(z: float) -> Any:
            held.append(z)
            return z**3

        slope = s2sgrad.grad(inner)(2.0)
        return held[0] * slope

    assert np.allclose(s2sgrad.grad(outer)(X), [24.0, 12.0, 0.0])
    assert held[0] == 2.0 and not type(held[0]).__module__.startswith("s2sgrad")


def _strange(x: np.ndarray) -> Any:
    HISTORY.append(np.sum(x))
    try:
        y = x * 2
    except ValueError:
        y = x
    return y


def test_islands_leave_plain_values() -> None:
    def f(x: np.ndarray) -> Any:
        total = 0.0
        for k in range(2):
            total += np.sum(_strange(x * (k + 1.0)) ** 2)
        return total

    HISTORY.clear()
    assert "eager_vjp" in s2sgrad.grad(f).source(X)
    s2sgrad.grad(f)(X)
    s2sgrad.jvp(f, (X,), (X,))
    assert HISTORY and all(type(v) is np.float64 for v in HISTORY)
