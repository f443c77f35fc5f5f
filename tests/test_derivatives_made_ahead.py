"""Derivatives made inside a function, of what changes before they are called; their arguments."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import s2sgrad


class Spring:
    def __init__(self, k: float) -> None:
        self.k = k

    def energy(self, x: Any) -> Any:
        return self.k * np.sum(x**3)

    def __call__(self, x: Any) -> Any:
        return self.energy(x) * self.k

    def scaled(self, a: float, x: Any) -> Any:
        return a * self.energy(x)

    def work(self, q: float, v: float) -> float:
        return self.k * q * v**3


class Stepper:
    def __init__(self, k: float) -> None:
        self.k = k
        self.slope = s2sgrad.grad(self.energy)

    def energy(self, x: Any) -> Any:
        return self.k * np.sum(x**3)


def of_a_method(k: float, x: Any) -> Any:
    spring = Spring(k)
    slope = s2sgrad.grad(spring.energy)
    first = slope(x) @ x
    spring.k = np.sin(spring.k)
    return first + slope(x) @ x


def of_an_object(k: float, x: Any) -> Any:
    spring = Spring(k)
    slope = s2sgrad.grad(spring)
    if x[0] > 0.0:
        spring.k = spring.k**2
    return slope(x) @ x


def of_a_method_in_part(k: float, x: Any) -> Any:
    spring = Spring(k)
    slope = s2sgrad.grad(partial(spring.scaled, 2.0))
    first = slope(x) @ x
    spring.k = k**2
    return first + slope(x) @ x


def in_a_loop(k: float, x: Any) -> Any:
    spring = Spring(k)
    slope = s2sgrad.grad(spring.energy)
    total = 0.0
    for i in range(3):
        total += slope(x) @ x
        spring.k = np.cos(spring.k) + 0.1 * i
    return total


def held_by_the_object(k: float, x: Any) -> Any:
    stepper = Stepper(k)
    for _ in range(3):
        x = x - 0.1 * stepper.slope(x)
        stepper.k = stepper.k * 0.9
    return x @ x


def of_a_derivative_of_a_method(k: float, x: Any) -> Any:
    spring = Spring(k)
    by_v = s2sgrad.grad(spring.work, 1)
    return s2sgrad.grad(by_v, 1)(x[0], x[1]) + s2sgrad.grad(by_v, 0)(x[1], x[0])


def by_name_only(k: float, x: Any) -> Any:
    def f(z: Any, *, s: float, t: float = 2.0) -> Any:
        return np.sum(z**3) * s**2 * t

    curved = s2sgrad.jacobian(s2sgrad.grad(f))(x, s=1.5)
    return s2sgrad.grad(f)(x, t=k, s=k) @ x + s2sgrad.grad(f, "s")(x, s=k) + np.sum(curved)


def by_place_or_default(k: float, x: Any) -> Any:
    def f(z: Any, s: float = 3.0) -> Any:
        return np.sum(z**3) * s

    slope = s2sgrad.grad(f)
    return slope(x) @ x + slope(x, k) @ x + slope(x, s=2.0) @ x


def in_part_by_name(k: float, x: Any) -> Any:
    def f(z: Any, b: float = 1.0, *, s: float) -> Any:
        return np.sum(z**3) * b**2 * s

    return s2sgrad.grad(partial(f, s=k))(x) @ x + s2sgrad.grad(partial(f, b=k, s=2.0))(x) @ x


def of_objects_in_turn(k: float, x: Any) -> Any:
    total = 0.0
    for spring in [Spring(scale) for scale in iter([k, 2.0 * k])]:
        slope = s2sgrad.grad(spring.energy)
        spring.k = spring.k * 0.5
        total += slope(x) @ x
    return total


def of_models_in_turn(k: float, x: Any) -> Any:
    springs = [Spring(scale) for scale in iter([k, 2.0 * k])]
    total = 0.0
    while springs:
        spring = springs.pop()
        slope = s2sgrad.grad(spring.energy)
        spring.k = spring.k * 0.5
        total += slope(x) @ x
    return total


def _turned(k: float) -> list[Spring]:
    return [Spring(scale) for scale in iter([k, 2.0 * k])]


in_a_lambda = lambda k, x: sum(s2sgrad.grad(s.energy)(x) @ x for s in _turned(k))  # noqa: E731


FUNCTIONS = [
    of_a_method, of_an_object, of_a_method_in_part, in_a_loop, held_by_the_object,
    of_a_derivative_of_a_method, by_name_only, by_place_or_default, in_part_by_name,
    of_objects_in_turn, of_models_in_turn, in_a_lambda,
]  # fmt: skip


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradient(f: Any) -> None:
    answer = s2sgrad.value_and_grad(f, argnums=(0, 1), jit=False, fallback="error")
    for k, x in ((1.2, np.array([0.4, 0.7])), (0.7, np.array([-0.3, 0.5]))):
        value, (k_bar, x_bar) = answer(k, x)
        assert value == pytest.approx(f(k, x))
        step = 1e-6
        assert k_bar == pytest.approx((f(k + step, x) - f(k - step, x)) / (2 * step), rel=1e-5)
        for i, e in enumerate(np.eye(2) * step):
            assert x_bar[i] == pytest.approx((f(k, x + e) - f(k, x - e)) / (2 * step), rel=1e-5)


def test_a_name_of_the_function_around_is_not_bound() -> None:
    def f(k: float) -> Any:
        calls = 0.0

        def counted(z: float) -> float:
            nonlocal calls
            calls += 1.0
            return k * z**2

        return s2sgrad.grad(counted)(2.0) + calls

    with pytest.raises(s2sgrad.UnsupportedError, match="binds a name of the one around it"):
        s2sgrad.grad(f, jit=False, fallback="error")(1.5)


def test_an_object_is_not_changed_by_a_function_handed_on() -> None:
    def f(k: float) -> Any:
        spring = Spring(k)

        def stiffer(z: float) -> Any:
            spring.k = spring.k * 2.0
            return spring.k * z**2

        return s2sgrad.grad(stiffer)(2.0) * spring.k

    with pytest.raises(s2sgrad.UnsupportedError, match="changes 'spring'"):
        s2sgrad.grad(f, jit=False, fallback="error")(1.5)
