"""Generated code compiled with Numba against central differences, over the whole corpus."""

from __future__ import annotations

import pytest
from programs.registry import Program
from test_programs import PROGRAMS, check

pytest.importorskip("numba")


# Numba takes seconds a program: one in five always, and those that compiled code once got wrong;
# the others where slow tests run.
CASES = [
    pytest.param(
        p,
        id=p.name,
        marks=()
        if k % 5 == 0 or p.name.startswith(("carried.", "compiled."))
        else pytest.mark.slow,
    )
    for k, p in enumerate(PROGRAMS)
]


@pytest.mark.parametrize("p", CASES)
def test_gradient_with_numba(p: Program) -> None:
    check(p, jit=True, fallback="error")
