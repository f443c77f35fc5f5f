"""Decisions in compiled loops: as selections, and with nothing written in branches."""

from __future__ import annotations

import re

import numpy as np
import programs
import pytest

import s2sgrad

PROGRAMS = {p.function.__name__: p for p in programs.load() if p.name.startswith("limiters.")}


def text(name: str) -> str:
    p = PROGRAMS[name]
    args, kwargs = p.example()
    return s2sgrad.value_and_grad(p.function, p.wrt).source(*args, **kwargs, jit=True)


def test_truth_values_are_kept_ahead_of_the_branches() -> None:
    """So that LLVM may take several iterations at once."""
    lines = text("minmod").split("u_bar")[0].splitlines()
    kept = [line for line in lines if re.match(r" *branch_saved\w*\[", line)]
    depths = {len(line) - len(line.lstrip()) for line in kept}
    assert len(kept) == 2 and len(depths) == 1


@pytest.mark.parametrize("name", ["minmod", "the_guard_is_not_enough", "chosen_among_choices"])
def test_compiled(name: str) -> None:
    p = PROGRAMS[name]
    args, kwargs = p.example()
    value, gradient = s2sgrad.value_and_grad(p.function, p.wrt, fallback="error")(*args, **kwargs)
    compiled = s2sgrad.value_and_grad(p.function, p.wrt, jit=True, fallback="error")
    found = compiled(*args, **kwargs)
    np.testing.assert_allclose(found[0], value, rtol=1e-12)
    np.testing.assert_allclose(found[1], gradient, rtol=1e-10, atol=1e-12)


def guarded_too_far(x, n):
    total = 0.0
    for i in range(len(x)):
        if i + 1 < n:
            total += x[i] * x[i + 1]
    return total


def test_entries_beside_the_array_are_noticed() -> None:
    """The guard speaks of another length."""
    compiled = s2sgrad.value_and_grad(guarded_too_far, jit=True, fallback="error")
    x = np.arange(1.0, 5.0)
    assert np.allclose(compiled(x, 3)[1], [2.0, 4.0, 2.0, 0.0])
    with pytest.raises(IndexError):
        compiled(x, 9)


def _limited(x, flat, rising):
    y = np.empty_like(x)
    for i in range(x.shape[0]):
        s, up = x[i], rising[i]
        y[i] = 0.0 if flat[i] else s if up else -s
    return y


def test_two_ways_become_one_instruction(monkeypatch: pytest.MonkeyPatch) -> None:
    numba = pytest.importorskip("numba")
    from s2sgrad_runtime.numba_compiler import Compiler
    from s2sgrad_runtime.numba_lowering import Lower

    plain, written = Lower._chosen, []

    def chosen(self, kind, expr):
        written.append(kind)
        return plain(self, kind, expr)

    monkeypatch.setattr(Lower, "_chosen", chosen)
    compiled = numba.njit(pipeline_class=Compiler)(_limited)
    args = np.arange(4.0), np.array([1, 0, 0, 1], bool), np.array([0, 1, 0, 1], bool)
    assert np.array_equal(compiled(*args), [0.0, 1.0, -2.0, 0.0])
    assert len(written) == 2
