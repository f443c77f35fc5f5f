"""Programs that Numba compiles as a whole: nothing of them is left in Python."""

from __future__ import annotations

import numpy as np
import pytest
from programs.registry import Program
from test_programs import PROGRAMS, check, one_in

import s2sgrad

pytest.importorskip("numba")

MODULES = ("compiled_whole.", "layers_in_lists.", "none_until_set.", "arrays_added_up.")
WHOLE = [
    p
    for p in PROGRAMS
    if p.name.startswith(MODULES) and (p.jit or p.name.startswith("layers_in_lists."))
]
IN_PIECES = {
    "compiled_whole.an_entry_seen_after_a_write",  # a view that Numba can't hold
    "layers_in_lists.bodies_that_move",  # a list of the caller's, whose records change
}


@pytest.mark.parametrize("p", one_in(6, WHOLE))
def test_all_of_it_is_compiled(p: Program) -> None:
    check(p, jit=True, fallback="error")
    args, kwargs = p.example()
    gradient = s2sgrad.grad(p.function, argnums=p.wrt, jit=True)
    gradient(*args, **kwargs)
    told = gradient.explain(*args, **kwargs)
    assert ("compiled by Numba: all of it" in told) == (p.name not in IN_PIECES), told


def _told(function: object, *args: object) -> str:
    gradient = s2sgrad.grad(function, jit=True)
    gradient(*args)
    return gradient.explain(*args).split("compiled by Numba: ")[1].split("\n\n")[0]


def test_calls_that_python_runs_are_told() -> None:
    def spectrum(x):
        z = np.fft.fft(x)
        return np.sum(np.abs(z) ** 2)

    told = _told(spectrum, np.arange(4.0))
    assert told.startswith("all but these calls, which compiled code hands to Python one by one")
    assert "| z = np.fft.fft(x)\n    np.fft.fft(x)" in told


def test_assertions_of_numba_have_a_line_and_a_reason() -> None:
    def curve(points):
        b = list(points.T[::-1])
        while len(b) > 1:
            b = [0.5 * b[i] + 0.5 * b[i + 1] for i in range(len(b) - 1)]
        return np.sum(b[0] ** 2)

    told = _told(curve, np.arange(6.0).reshape(2, 3))
    assert "AssertionError" not in told and "it can't turn list(" in told, told
    assert "| b = [0.5" in told


def test_what_stays_in_python_has_a_reason() -> None:
    def moved(bodies):
        for i in range(len(bodies)):
            bodies[i]["p"] = bodies[i]["p"] * bodies[i]["v"]
        return sum(np.sum(body["p"] ** 2) for body in bodies)

    bodies = [{"p": np.ones(2) * k, "v": np.ones(2)} for k in range(1, 4)]
    told = _told(moved, bodies)
    assert not told.startswith("all of it"), told
    assert '| bodies[i]["p"] = ' in told and "it changes a list" in told, told


def test_numbers_that_numba_has_no_type_for_stay_in_python() -> None:
    x = np.array([0.5, 1.2, 0.8], np.longdouble)
    found = s2sgrad.grad(lambda x: np.sum(x**2 * np.sin(x)), jit=True, fallback="error")(x)
    assert found.dtype == np.longdouble
    np.testing.assert_allclose(found, 2.0 * x * np.sin(x) + x**2 * np.cos(x), rtol=1e-15)
