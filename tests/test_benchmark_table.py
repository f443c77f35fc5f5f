"""The benchmark's machinery: one process for each kernel, time limits, tables with gaps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba")

from tests.benchmarks.kernel_run import OURS, own_forward
from tests.benchmarks.kernel_table import Result, picture, report, run
from tests.benchmarks.kernels import load


def test_what_takes_too_long_is_left_out(tmp_path: Path) -> None:
    result = run("softmax", 1, 1, tmp_path, limit=0.01)
    assert not result.times and not result.first


@pytest.mark.slow
def test_one_kernel(tmp_path: Path) -> None:
    result = run("softmax", 2, 1, tmp_path, limit=600.0)
    assert result.times[OURS] > 0.0 and result.times["jit forward"] > 0.0
    assert OURS not in result.refused


@pytest.mark.parametrize("name", ["vadv", "softmax"])
def test_own_forward(name: str) -> None:
    """Globals that the kernel reads are given to it."""
    kernel = load(name)
    args = kernel.arguments(np.random.default_rng(0), "test")
    assert own_forward(kernel, args)(*args)[0] == pytest.approx(kernel.primal(*args), rel=1e-12)


def test_tables_and_picture_have_gaps(tmp_path: Path) -> None:
    full = Result({OURS: 1e-3, "by hand": 2e-3, "jax as is": 1.0}, {OURS: 2.5}, {}, 0.05)
    spmv = Result({OURS: 1e-3, "by hand": 1e-3, "jax as is": 1.0}, {}, {"torch": "too slow"})
    results = {"atax": full, "spmv": spmv, "durbin": Result()}
    text = report(results, 1)
    cells = [[c.strip() for c in line.split("|")[1:-1]] for line in text.splitlines()]
    assert ["geometric mean", "1.41", "316.23"] in [row[:3] for row in cells]
    assert "50 ms" in text and "2.5 s" in text and "- spmv, torch: too slow" in text
    assert "NUMBA_NUM_THREADS=2" in report(results, 2) and "2 cores" in report(results, 2)
    pytest.importorskip("matplotlib")
    picture(results, tmp_path / "kernels.png")
    assert (tmp_path / "kernels.png").stat().st_size > 1000
