"""Objects that the caller passes and the function changes stay as they were; where the function
could tell that it changed a copy, the call is refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pytest

import s2sgrad


@dataclass
class Body:
    x: np.ndarray
    turns: int = 0
    seen: list = field(default_factory=list)

    def push(self, k: Any) -> Any:
        self.x = self.x * k
        self.turns += 1
        self.seen.append(self.x[0])
        return np.sum(self.x**2) * self.turns


@dataclass
class Holder:
    body: Body


def body() -> Body:
    return Body(np.array([1.0, 2.0]))


SHARED = body()


def moved(holder: Holder, k: Any) -> Any:
    holder.body.x = holder.body.x * k
    return np.sum(SHARED.x * holder.body.x)


def both(a: Body, b: Body) -> Any:
    a.x = a.x * 3.0
    return np.sum(a.x * b.x)


def test_the_changed_object_is_a_result() -> None:
    given = body()
    (value, after), (bar, slope) = s2sgrad.value_and_grad(
        lambda b, k: (b.push(k), b), argnums=(0, 1), has_aux=True, fallback="error"
    )(given, 2.0)
    assert value == 20.0 and slope == 20.0 and np.allclose(bar.x, [8.0, 16.0])
    assert after.turns == 1 and np.allclose(after.x, [2.0, 4.0]) and after.seen == [2.0]
    assert given.turns == 0 and np.allclose(given.x, [1.0, 2.0]) and given.seen == []


def test_a_method_changes_its_own_object() -> None:
    given = body()
    slope = s2sgrad.grad(given.push, fallback="error")
    assert slope(2.0) == 20.0 and slope(2.0) == 20.0 and given.turns == 0
    given.turns = 3
    assert slope(2.0) == 80.0


def test_what_is_passed_twice_or_held_elsewhere_is_refused() -> None:
    slope = s2sgrad.grad(moved, argnums="k", fallback="error")
    assert slope(Holder(body()), 0.5) == 5.0
    with pytest.raises(s2sgrad.UnsupportedError, match="are the same object"):
        slope(Holder(SHARED), 0.5)
    slopes = s2sgrad.grad(both, argnums=(0, 1), fallback="error")
    assert np.allclose(slopes(body(), body())[0].x, [3.0, 6.0])
    given = body()
    with pytest.raises(s2sgrad.UnsupportedError, match="are the same object"):
        slopes(given, given)


class Doubling:
    def __init__(self, x: float) -> None:
        object.__setattr__(self, "x", x)

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, 2.0 * value)


@dataclass(frozen=True)
class Frozen:
    x: float


def set_x(thing: Any, k: Any) -> Any:
    thing.x = k
    return thing.x**2


def test_classes_that_set_attributes_in_their_own_way() -> None:
    with pytest.raises(s2sgrad.UnsupportedError, match="has a __setattr__ of its own"):
        s2sgrad.grad(set_x, argnums="k", fallback="error")(Doubling(1.0), 2.0)
    with pytest.raises(s2sgrad.UnsupportedError, match="cannot assign to field 'x'"):
        s2sgrad.grad(set_x, argnums="k", fallback="error")(Frozen(1.0), 2.0)


class Beam:
    def __init__(self, stiffness: Any) -> None:
        self.stiffness = stiffness

    @cached_property
    def matrix(self) -> Any:
        return self.stiffness * np.array([1.0, 2.0])


def softened(beam: Beam) -> Any:
    row = beam.matrix
    row[0] += 1.0
    return np.sum(beam.matrix)


def test_what_a_passed_object_computes_once_is_not_changed() -> None:
    with pytest.raises(s2sgrad.UnsupportedError, match="'matrix', which an object computes once"):
        s2sgrad.grad(softened, fallback="error")(Beam(1.5))
