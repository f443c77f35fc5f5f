"""`import s2sgrad` loads NumPy and little else; the time itself is printed by `make bench`."""

from __future__ import annotations

import subprocess
import sys

import pytest

LATE = ("libcst", "astor", "numba", "scipy", "llvmlite", "sklearn", "matplotlib", "torch", "jax")


def loaded_by(statement: str) -> set[str]:
    """Top-level modules that a fresh interpreter holds after the statement."""
    script = f"import sys\n{statement}\nprint(*{{m.split('.')[0] for m in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "statement", ["import s2sgrad", "import s2sgrad_runtime", "import s2sgrad.rules"]
)
def test_heavy_packages_load_on_first_use(statement: str) -> None:
    assert sorted(loaded_by(statement).intersection(LATE)) == []


def test_the_runtime_does_not_load_the_compiler() -> None:
    assert "s2sgrad" not in loaded_by("import s2sgrad_runtime")


def test_the_eager_wing_does_not_load_the_compiler() -> None:
    script = (
        "import sys\nimport s2sgrad.errors\nbefore = set(sys.modules)\nimport s2sgrad.eager\n"
        "bad = ('frontend', 'analysis', 'transform', 'backend')\n"
        "new = set(sys.modules) - before\n"
        "print(*[m for m in new if m.startswith(tuple(f's2sgrad.{b}' for b in bad))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_every_public_name_is_there() -> None:
    import s2sgrad

    assert [name for name in s2sgrad.__all__ if getattr(s2sgrad, name, None) is None] == []
    assert set(s2sgrad.__all__) <= set(dir(s2sgrad))
    with pytest.raises(AttributeError, match="no attribute 'gard'"):
        _ = s2sgrad.gard


def test_the_compiler_loads_on_first_use() -> None:
    script = "import sys, s2sgrad\nprint(*[m for m in sys.modules if m.startswith('s2sgrad.')])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["s2sgrad.errors"]
