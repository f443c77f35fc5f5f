"""Programs that Numba compiles as a whole: nothing of them is left in Python."""

from __future__ import annotations

import pytest
from programs.registry import Program
from test_programs import PROGRAMS, check, one_in

import s2sgrad

pytest.importorskip("numba")

WHOLE = [p for p in PROGRAMS if p.name.startswith("compiled_whole.")]
IN_PIECES = {"compiled_whole.an_entry_seen_after_a_write"}  # a view that Numba can't hold


@pytest.mark.parametrize("p", one_in(6, WHOLE))
def test_all_of_it_is_compiled(p: Program) -> None:
    check(p, jit=True, fallback="error")
    args, kwargs = p.example()
    gradient = s2sgrad.grad(p.function, argnums=p.wrt, jit=True)
    gradient(*args, **kwargs)
    told = gradient.explain(*args, **kwargs)
    assert ("compiled by Numba: all of it" in told) == (p.name not in IN_PIECES), told
