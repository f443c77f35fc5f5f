"""docs/coverage.md says what the rules say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

scipy = pytest.importorskip("scipy")
sys.path.insert(0, str(Path(__file__).parent / "tools"))

import coverage_table as coverage_page  # noqa: E402


def test_page_is_the_one_to_write() -> None:
    text = as_written_here()
    assert text == coverage_page.page(coverage_page.kept()), "python tests/tools/coverage_table.py"


def as_written_here() -> str:
    text: str = coverage_page.PAGE.read_text(encoding="utf-8")
    if f"NumPy {np.__version__} and SciPy {scipy.__version__}" not in text:
        pytest.skip("the page was written with other versions of NumPy and SciPy")
    return text


@pytest.mark.slow
def test_page_is_true() -> None:
    as_written_here()
    command = [sys.executable, coverage_page.__file__, "--check"]
    done = subprocess.run(command, capture_output=True, text=True)  # its tests need a fresh pytest
    assert done.returncode == 0, done.stdout + done.stderr


def test_goal_of_coverage() -> None:
    rows = [cells for rows in coverage_page.sections().values() for cells in rows]
    assert sum(cells[1] == "yes" for cells in rows) >= 400
    assert sum(cells[2] == "yes" for cells in rows) >= 400
