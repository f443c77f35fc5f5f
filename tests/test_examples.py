"""Every script under examples/ runs; each asserts its own result."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent / "examples"
SCRIPTS = sorted(path.name for path in FOLDER.glob("*.py"))
NEEDS = {"demo.py": ("scipy", "sklearn", "matplotlib", "rich")}

pytestmark = pytest.mark.examples


@pytest.mark.parametrize(
    "script",
    # `make demo` runs this one in the gate
    [pytest.param(s, marks=[pytest.mark.slow] * (s == "demo.py")) for s in SCRIPTS],
)
def test_example(script: str, tmp_path: Path) -> None:
    for package in NEEDS.get(script, ()):
        pytest.importorskip(package)
    arguments = [str(tmp_path / "demo.png")] if script == "demo.py" else []
    done = subprocess.run(
        [sys.executable, str(FOLDER / script), *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONWARNINGS": "default"},
        timeout=300,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert done.stdout.strip(), "an example prints something useful"
