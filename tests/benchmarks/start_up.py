"""Import time, compile time and call cost."""

from __future__ import annotations

import importlib.util
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import s2sgrad
from tests.benchmarks.programs import network_arguments
from tests.benchmarks.timing import show_time, table

ROOT = Path(__file__).resolve().parents[2]
IMPORTS = ("import numpy", "import numpy, s2sgrad", "import numpy, s2sgrad.eager")


def import_times(rounds: int) -> str:
    """Fresh interpreters, taking turns; the time is that of the import statement alone."""
    samples: dict[str, list[float]] = {statement: [] for statement in IMPORTS}
    for _ in range(rounds):
        for statement in IMPORTS:
            samples[statement].append(_import_once(statement))
    medians = {statement: statistics.median(times) for statement, times in samples.items()}
    base = medians[IMPORTS[0]]
    rows = [[s, show_time(t), show_time(t - base) if t > base else ""] for s, t in medians.items()]
    return table("Import", ["statement", "time", "over numpy"], rows)


def _import_once(statement: str) -> float:
    script = (
        f"import time\nstart = time.perf_counter()\n{statement}\nprint(time.perf_counter() - start)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return float(done.stdout)


def compile_times(rounds: int, folder: Path) -> str:
    """From nothing to a compiled function (every cache of ours empty, modules loaded)."""
    from tests.golden import mlp

    args = network_arguments(32)
    s2sgrad.value_and_grad(mlp.primal).source(*args)  # loads what is loaded on first use
    times = [_timed_source(_fresh_copy(mlp.__file__, folder, i), args) for i in range(rounds)]
    network = statistics.median(times)
    rows = [["two-layer network", "", show_time(network), ""]]
    for length in (10, 100, 1000):
        found = []
        for i in range(min(rounds, 5) if length < 1000 else 3):
            path = folder / f"chain_{length}_{i}.py"
            path.write_text(chain_program(length, seed=i))
            found.append(_timed_source(_primal_of(path), (np.ones(8), np.ones(8))))
        seconds = statistics.median(found)
        rows.append([f"{length} statements", "", show_time(seconds), show_time(seconds / length)])
    return table("Compile time", ["program", "", "time", "per statement"], rows)


def chain_program(length: int, seed: int = 0) -> str:
    """A straight-line program of that many assignments over three arrays, each in the result."""
    forms = (
        "a = a * b + 0.1",
        "b = np.tanh(a - b)",
        "c = c + np.sin(a) * 0.5",
        "a = a / (1.0 + c * c)",
        "b = b - 0.01 * a",
    )
    body = [f"    {forms[(i + seed) % len(forms)]}" for i in range(length)]
    lines = ["import numpy as np", "", "", "def primal(a, b):", "    c = a - b", *body]
    return "\n".join([*lines, "    return np.sum(a * b + c)", ""])


def _fresh_copy(source: str | None, folder: Path, i: int) -> Callable[..., Any]:
    assert source is not None
    path = folder / f"network_{i}.py"
    path.write_text(f"{Path(source).read_text()}\n# copy {i}\n")
    return _primal_of(path)


def _primal_of(path: Path) -> Callable[..., Any]:
    return load_module(path).primal


def load_module(path: Path) -> ModuleType:
    """The file imported under a name of its own."""
    spec = importlib.util.spec_from_file_location(f"benchmark_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _timed_source(primal: Callable[..., Any], args: tuple[Any, ...]) -> float:
    start = time.perf_counter()
    function = s2sgrad.value_and_grad(primal)
    function(*args)
    return time.perf_counter() - start
