"""Compiled code on disk: a second process loads it; what does not fit is compiled anew."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba")

from s2sgrad.backend.jit import cache

START = """
import numpy as np
import s2sgrad
from numba.core import event
"""
LISTEN = """
compiled = []
class Listener(event.Listener):
    def on_start(self, e):
        compiled.append(e)
    def on_end(self, e):
        pass

x = np.linspace(1.0, 2.0, 5)
with event.install_listener("numba:run_pass", Listener()):
    gradient = {call}
passes = sum("f_grad" in str(e.data.get("qualname", "")) for e in compiled)
print(passes, *gradient)
"""


def program(function: str, call: str) -> str:
    """A script that prints how many passes of Numba ran on our function, and its gradient."""
    return START + function + LISTEN.format(call=call)


PROGRAM = program(
    """
def f(x, settings):
    y = np.zeros_like(x)
    for i in range(1, x.size):
        y[i] = y[i - 1] * settings["decay"] + x[i]
    return np.sum(y * y)

def both(x):
    by_x, by_settings = s2sgrad.grad(f, argnums=(0, 1), jit=True, fallback="error")(
        x, {"decay": 0.5}
    )
    return *by_x, by_settings["decay"]
""",
    "both(x)",
)


def run(folder: Path | str, tmp_path: Path, program: str = PROGRAM) -> tuple[int, list[float]]:
    """(how many passes of Numba ran on our function, the gradient's entries)."""
    script = tmp_path / "program.py"
    script.write_text(program)
    environment = {**os.environ, "S2SGRAD_CACHE_DIR": str(folder)}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    words = done.stdout.split()
    return int(words[0]), [float(w) for w in words[1:]]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[float]]:
    """A cache filled by one process, and what that process found."""
    place = tmp_path_factory.mktemp("cache")
    passes, found = run(place / "kept", place)
    assert passes > 0
    return place / "kept", found


def copied(source: Path, target: Path) -> Path:
    """A copy with the times of the files kept: Numba compares them."""
    subprocess.run(["cp", "-rp", str(source), str(target)], check=True)
    return target


def test_second_process_does_not_compile(first: tuple[Path, list[float]], tmp_path: Path) -> None:
    passes, found = run(first[0], tmp_path)
    assert passes == 0
    assert found == first[1]


def corrupt(folder: Path, suffix: str) -> None:
    """Turn the bits in the second half of every file of a kind."""
    found = list(folder.rglob(f"*{suffix}"))
    assert found
    for path in found:
        data = bytearray(path.read_bytes())
        data[len(data) // 2 :] = bytes(255 - b for b in data[len(data) // 2 :])
        path.write_bytes(bytes(data))


@pytest.mark.parametrize("suffix", [".code", ".json"])
def test_corrupt_file_is_compiled_anew(
    first: tuple[Path, list[float]], tmp_path: Path, suffix: str
) -> None:
    folder = copied(first[0], tmp_path / "corrupt")
    corrupt(folder, suffix)
    assert run(folder, tmp_path)[1] == first[1]
    assert run(folder, tmp_path)[0] == 0, "the cache was not rewritten"


THREADS = program(
    """
def f(x):
    y = np.empty_like(x)
    for i in range(x.size):
        y[i] = np.sin(x[i]) * x[i]
    return np.sum(y)
""",
    "s2sgrad.grad(f, jit=True, parallel=True, fallback='error')(x)",
)


@pytest.mark.slow
def test_code_for_threads(tmp_path: Path) -> None:
    """Code for several threads lies there like any other."""
    folder = tmp_path / "kept"
    passes, found = run(folder, tmp_path, THREADS)
    assert passes > 0
    assert run(folder, tmp_path, THREADS) == (0, found)
    corrupt(folder, ".code")
    assert run(folder, tmp_path, THREADS)[1] == found
    assert run(folder, tmp_path, THREADS) == (0, found), "the cache was not rewritten"


def test_foreign_text_is_rewritten(first: tuple[Path, list[float]], tmp_path: Path) -> None:
    folder = copied(first[0], tmp_path / "foreign")
    (path,) = folder.glob("*.py")
    path.write_text("raise RuntimeError('not what was generated')\n")
    assert run(folder, tmp_path)[1] == first[1]
    assert "def f_grad" in path.read_text()


def test_no_folder_can_be_made(first: tuple[Path, list[float]], tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert run(blocked / "inside", tmp_path)[1] == first[1]


PIECES = program(
    """
def f(x):
    total = 0.0
    for i in range(x.size):
        total += x[i] ** 2
    shown = "{:.0f}".format(total)
    return total * len(shown)
""",
    "s2sgrad.grad(f, jit=True, fallback='error')(x)",
)


@pytest.mark.slow
def test_second_process_knows_what_numba_refused(tmp_path: Path) -> None:
    """A function that is compiled in pieces is not tried as a whole again."""
    passes, found = run(tmp_path / "kept", tmp_path, PIECES)
    splits = list((tmp_path / "kept").glob("split_*.json"))
    assert passes > 0 and splits
    again, same = run(tmp_path / "kept", tmp_path, PIECES)
    assert again == 0 and same == found
    for path in splits:
        path.write_text("broken")
    assert run(tmp_path / "kept", tmp_path, PIECES)[1] == found


def test_a_changed_compiler_does_not_run_old_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "s2sgrad" / "backend" / "jit"
    home.mkdir(parents=True)
    source = tmp_path / "s2sgrad" / "pipeline.py"
    source.write_text("passes = 1")
    monkeypatch.setattr(cache, "__file__", str(home / "cache.py"))
    before = cache._stamp()
    assert before == cache._stamp()
    source.write_text("passes = 12")
    assert before != cache._stamp()


SPECIAL = PROGRAM.replace(
    "import s2sgrad\n", "import s2sgrad\nfrom scipy import special\n"
).replace("+ x[i]", "+ special.gammaln(x[i]) + special.kn(2, x[i]) + special.exprel(x[i])")


@pytest.mark.slow
def test_addresses_of_special_functions_are_found_anew(tmp_path: Path) -> None:
    passes, found = run(tmp_path / "kept", tmp_path, SPECIAL)
    again = run(tmp_path / "kept", tmp_path, SPECIAL)
    assert passes > 0 and again == (0, found)


CHECKPOINTS = program(
    """
def f(x):
    y = np.empty_like(x)
    y[0] = -x[0]
    for k in range(1, x.size):
        alpha = x[k] + np.dot(x[:k], y[:k])
        y[:k] += alpha * y[:k][::-1]
        y[k] = alpha
    return np.sum(y)
""",
    "s2sgrad.grad(f, jit=True, fallback='error')(x)",
)


@pytest.mark.slow
def test_plans_without_their_machine_code_are_compiled_as_before(tmp_path: Path) -> None:
    """What a plan's text imports is what its first process called."""
    passes, found = run(tmp_path / "kept", tmp_path, CHECKPOINTS)
    files = list((tmp_path / "kept").iterdir())
    assert any("block_length" in p.read_text() for p in files if p.name.startswith("plan_"))
    for path in files:
        if path.suffix in (".code", ".record"):
            path.unlink()
    assert run(tmp_path / "kept", tmp_path, CHECKPOINTS) == (passes, found)
    assert not list((tmp_path / "kept").glob("split_*.json"))
