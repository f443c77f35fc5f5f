"""Generated code compiled with Numba against central differences, over the programs Numba knows."""

from __future__ import annotations

import pytest
from programs.registry import Program
from test_programs import PROGRAMS, check

pytest.importorskip("numba")


@pytest.mark.parametrize("p", [p for p in PROGRAMS if p.jit], ids=lambda p: p.name)
def test_gradient_with_numba(p: Program) -> None:
    check(p, fallback="error", jit=True)
