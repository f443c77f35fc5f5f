"""`u, v = v, f(u, v)` of arrays is compiled as loops over entries, as single assignments are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import programs
import pytest

import s2sgrad

pytest.importorskip("numba")
IN_LOOPS = ("waves", "pendulums", "with_rows_of_the_old_ones", "normalised_by_both")


@pytest.mark.parametrize("name", IN_LOOPS)
def test_no_array_is_computed_as_a_whole(name: str) -> None:
    (p,) = (p for p in programs.load() if p.name == f"states_together.{name}")
    args, kwargs = p.example()
    source = s2sgrad.grad(p.function, p.wrt, jit=True, fallback="error").source(*args, **kwargs)
    whole = ("np.roll(", "np.sin(x)", "np.var(", "np.std(", "compiled_form(")
    assert not any(text in source for text in whole), source


def only_swapped(a: Any, b: Any) -> Any:
    for _ in range(3):
        a, b = b, a
    return np.sum(a * a * b)


def drawn_in_order(a: Any, b: Any, rng: Any) -> Any:
    for _ in range(3):
        a, b = b * rng.normal(size=3), a * rng.uniform(size=3)
    return np.sum(a * b)


@pytest.mark.parametrize("f", [only_swapped, drawn_in_order])
def test_what_keeps_its_order(f: Callable[..., Any]) -> None:
    def args() -> tuple[Any, ...]:
        x = np.array([0.5, -0.3, 1.2]), np.array([1.5, 0.7, -0.2])
        return x if f is only_swapped else (*x, np.random.default_rng(0))

    value, found = s2sgrad.value_and_grad(f, (0, 1), jit=True, fallback="error")(*args())
    assert value == pytest.approx(f(*args()))
    for k in (0, 1):
        for place in range(3):
            ends = []
            for step in (1e-5, -1e-5):
                moved = args()
                moved[k][place] += step
                ends.append(f(*moved))
            assert found[k][place] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-7)
