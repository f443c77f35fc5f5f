"""What is written for Numba, run as Python, against central differences."""

from __future__ import annotations

import pytest
from plain_numba import NOT_PYTHON, as_python
from programs.registry import Program
from test_programs import PROGRAMS, check, one_in
from test_programs_numba import ONCE_WRONG

numba = pytest.importorskip("numba")


@pytest.mark.parametrize(
    "p", one_in(60, PROGRAMS, *ONCE_WRONG[::4], "filled_tables.", "limiters.", first=3)
)
def test_gradient_by_loops(
    p: Program, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("S2SGRAD_CACHE_DIR", str(tmp_path_factory.mktemp("loops")))
    as_python(monkeypatch)
    try:
        check(p, jit=True, fallback="error")
    except (*NOT_PYTHON, numba.TypingError) as why:
        pytest.skip(f"not without Numba: {why!s:.80}")
