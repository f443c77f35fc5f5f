"""Generated code compiled with Numba against central differences, over the whole corpus."""

from __future__ import annotations

import pytest
from programs.registry import Program
from test_programs import PROGRAMS, check, one_in

pytest.importorskip("numba")


# Numba takes seconds a program: one in eight always, and those that compiled code once got wrong;
# the others where slow tests run.
@pytest.mark.parametrize("p", one_in(8, PROGRAMS, "carried.", "compiled."))
def test_gradient_with_numba(p: Program) -> None:
    check(p, jit=True, fallback="error")
