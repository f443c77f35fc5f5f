"""The corpus with other arguments than its examples: one gradient function, called with each.

Calls that fail in the primal, or that are at a kink, say nothing; where generated code is refused,
it is right to refuse. What is left must have the primal's value and the slope of differences.
"""

from __future__ import annotations

import contextlib
import copy
import signal
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import changed_arguments
import numpy as np
import programs
import pytest
from harness import assert_structure, gradient_vector, ravel, replaced, same, select, unravel
from test_programs import PROGRAMS, one_in, parameter_names

import s2sgrad

SINGULAR = {
    ("methods.complex_moments", "one_size"): "the angle of a sum that is zero but for rounding",
    ("simulations.polygon_area_and_perimeter", "one_size"): "the square root of zero",
}


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises TimeoutError after so long: other arguments may keep a loop from ending."""
    if not hasattr(signal, "SIGALRM"):
        pytest.skip("needs an alarm")

    def stop(number: int, frame: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


@dataclass(frozen=True)
class Call:
    """A call with changed arguments. value: of the primal; expected: its slope in a direction."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    tree: Any
    direction: np.ndarray
    value: float
    expected: float


def prepared(p: programs.Program, change: str, seed: int) -> Call | None:
    """The call; None where differences can't be trusted, or depend on the dtype."""
    names = parameter_names(p)
    args, kwargs = p.example()
    args = changed_arguments.CHANGES[change](args, np.random.default_rng(seed))
    tree = select(args, kwargs, p.wrt, names)
    at = ravel(tree)
    direction = np.random.default_rng(seed + 1).normal(size=at.size)

    def primal(args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
        if change == "layouts":  # copies lie in C order
            args = changed_arguments.layouts(args, np.random.default_rng(seed))
        result = p.function(*args, **kwargs)
        assert not isinstance(result, int)
        return float(result)

    def value(t: float) -> float:
        return primal(*replaced(args, kwargs, p.wrt, unravel(tree, at + t * direction), names))

    middle, given = value(0.0), primal(*copy.deepcopy((args, kwargs)))
    sides = [((value(h) - middle) / h, (middle - value(-h)) / h) for h in (1e-4, 5e-5)]
    coarse, fine = (0.5 * (right + left) for right, left in sides)
    scale = 1.0 + abs(fine)
    smooth = abs(coarse - fine) < 1e-5 * scale and abs(np.subtract(*sides[1])) < 2e-2 * scale
    alike = abs(given - middle) < (1e-4 if change == "narrow" else 1e-10) * (1.0 + abs(middle))
    if not (np.isfinite(scale) and smooth and alike and abs(middle) < 1e6):
        return None
    return Call(args, kwargs, tree, direction, given, (4.0 * fine - coarse) / 3.0)


def check(value_and_grad: Any, call: Call, change: str, rtol: float) -> None:
    before = copy.deepcopy((call.args, call.kwargs))
    value, gradient = value_and_grad(*call.args, **call.kwargs)
    assert same(before, (call.args, call.kwargs)), f"{change}: the arguments were changed"
    limit = 1e-4 if change == "narrow" else 1e-10
    assert float(value) == pytest.approx(call.value, rel=limit, abs=limit), change
    assert_structure(gradient, call.tree, f"{change}: gradient")
    slope = gradient_vector(gradient, call.tree) @ call.direction
    scale = 1.0 + abs(call.expected) + abs(ravel(call.tree) @ call.direction)
    assert abs(slope - call.expected) < max(10.0 * max(limit, 1e-6), rtol) * scale, change


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("p", one_in(75, PROGRAMS))
def test_other_arguments(p: programs.Program) -> None:
    value_and_grad = s2sgrad.value_and_grad(p.function, argnums=p.wrt, fallback="error")
    for change in changed_arguments.CHANGES:
        if (p.name, change) in SINGULAR:
            continue
        try:
            with at_most(seconds=2.0):
                call = prepared(p, change, zlib.crc32(f"{p.name} {change}".encode()))
        except Exception:
            continue  # the program fails for such arguments
        if call is not None:
            with contextlib.suppress(
                s2sgrad.UnsupportedError
            ):  # refusing is right, guessing is not
                check(value_and_grad, call, change, p.rtol)
