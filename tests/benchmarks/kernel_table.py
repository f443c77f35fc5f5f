"""The kernels: our code, code by hand, and other packages, from one run.

Every kernel runs in a process of its own, within a time limit: what takes too long is left out and
said so.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer

import numpy as np

from tests.benchmarks.kernel_peers.jobs import LABELS
from tests.benchmarks.kernel_run import BY_HAND, OURS, WITHOUT_GRADIENT
from tests.benchmarks.kernels import NAMES
from tests.benchmarks.settings import environment
from tests.benchmarks.timing import geometric_mean, show_ratio, show_time, table

Times = dict[str, float]
COLUMNS = (*WITHOUT_GRADIENT, "generated", OURS, BY_HAND, *LABELS)
JAX = ("jax as is", "jax expert")
RATIOS = {
    "by hand / ours": (BY_HAND, OURS),
    "JAX / ours": ("jax as is", OURS),
    "expert JAX / ours": ("jax expert", OURS),
    "torch / ours": ("torch", OURS),
    "ours / our jit forward": (OURS, "jit forward"),
    "ours in NumPy / NumPy forward": ("generated", "numpy forward"),
}
SPMV_CAP = 100.0  # JAX has no fitting form of spmv: one kernel must not carry a mean
CAPPED = {"JAX / ours": SPMV_CAP, "expert JAX / ours": SPMV_CAP, "torch / ours": SPMV_CAP}
FROM_DISK = """
"from disk": the first call in a new process, from the call of the gradient function to its result,
less a second call. Before it, the process has imported NumPy, Numba and s2sgrad, and made the
gradient function (`value_and_grad(...)`): what that takes stands beside it.
"""
LIMIT = 100.0  # seconds for one kernel
CORES = (1, 2)
ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Result:
    """What one kernel's process told. first: seconds of first calls; again: of ours, from disk.

    imports: seconds that the process for `again` took to import NumPy and Numba, and us.
    """

    times: Times = field(default_factory=dict)
    first: Times = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    again: float | None = None
    imports: tuple[float | None, float | None] = (None, None)


def run(name: str, threads: int, rounds: int, cache: Path, limit: float = LIMIT) -> Result:
    """One kernel; jobs that don't end in time are left out, and the rest runs again."""
    result = Result()
    without: list[str] = []
    for _ in range(3):
        told, ended = _told(_command(name, threads, rounds, without, limit), cache, threads, limit)
        for line in told:
            result.times.update(line.get("times", {}))
            result.first.update([line["first"]] if "first" in line else [])
            result.refused.update([line["refused"]] if "refused" in line else [])
        if result.times or not told:
            break
        last = next((line["start"] for line in reversed(told) if "start" in line), "")
        reason = f"not done within {limit:.0f} s" if ended is None else ended
        result.refused[last] = reason
        if last in ("", "timing", BY_HAND, OURS):
            break
        without.append(last)
    if threads == 1 and OURS in result.times:
        told, _ = _told([*_command(name, 1, rounds, [], limit), "--again"], cache, threads, limit)
        for line in told:
            result.again = line.get("again", result.again)
            result.imports = tuple(line.get("imports", result.imports))  # type: ignore[assignment]
    return result


def _command(name: str, threads: int, rounds: int, without: list[str], limit: float) -> list[str]:
    start = [sys.executable, "-m", "tests.benchmarks.kernel_run", name]
    options = [f"--threads={threads}", f"--rounds={rounds}", f"--limit={limit}"]
    return [*start, *options, *(["--without", *without] if without else [])]


def _told(
    command: list[str], cache: Path, threads: int, limit: float
) -> tuple[list[dict], str | None]:
    """(the lines of JSON that a process printed, how it ended: None where it was stopped)."""
    own = {**os.environ, **environment(threads), "S2SGRAD_CACHE_DIR": str(cache)}
    own.pop("OPENBLAS_CORETYPE", None)
    own.pop("PYTHONDONTWRITEBYTECODE", None)
    own["PYTHONPYCACHEPREFIX"] = str(cache / "bytecode")
    with subprocess.Popen(
        command, env=own, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        stopped: list[bool] = []
        timer = Timer(limit, lambda: (stopped.append(True), child.kill()))
        timer.start()
        out, err = child.communicate()
        timer.cancel()
    lines = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    if stopped:
        return lines, None
    last = err.strip().splitlines()[-1:] if child.returncode else []
    return lines, last[0][:160] if last else "ended"


def ratio(times: Times, above: str, below: str) -> float:
    """Time of `above` in times of `below`; nan where one is missing."""
    return times.get(above, math.nan) / times.get(below, math.nan)


def mean_of(values: Iterable[float]) -> float:
    return geometric_mean(value for value in values if not math.isnan(value))


def ratio_rows(results: Mapping[str, Result]) -> list[list[str]]:
    """Per kernel and as a mean: others against ours, and ours against our compiled primal."""
    rows, columns = [], [[] for _ in RATIOS]
    for name, result in results.items():
        values = [ratio(result.times, above, below) for above, below in RATIOS.values()]
        if name == "spmv":
            values = [min(v, CAPPED.get(title, v)) for title, v in zip(RATIOS, values, strict=True)]
        for column, value in zip(columns, values, strict=True):
            column.append(value)
        rows.append([name, *(show_ratio(value) for value in values)])
    rows.append(["geometric mean", *(show_ratio(mean_of(column)) for column in columns)])
    return rows


def report(results: Mapping[str, Result], threads: int) -> str:
    """The tables of one number of threads."""
    cores = "one core" if threads == 1 else f"{threads} cores"
    shown = [[n, *(show_time(r.times.get(c)) for c in COLUMNS)] for n, r in results.items()]
    texts = [
        f"\nThreads: {' '.join(f'{k}={v}' for k, v in environment(threads).items())}",
        table(f"Kernels, {cores}: value and gradient, median times", ["kernel", *COLUMNS], shown),
        table(f"Kernels, {cores}: ratios of times (JAX's spmv capped at {SPMV_CAP:.0f})",
              ["kernel", *RATIOS], ratio_rows(results)),
    ]  # fmt: skip
    if threads == 1:
        header = ["kernel", "ours", "from disk", "import NumPy and Numba", "import ours", *JAX]
        rows = [[n, *map(show_time, _first_calls(r))] for n, r in results.items()]
        texts.append(table("Kernels: the first call, with compilation", header, rows))
        texts.append(FROM_DISK)
    notes = [f"- {n}, {job}: {why}" for n, r in results.items() for job, why in r.refused.items()]
    return "\n".join([*texts, *(["", "Not in the tables:", "", *notes] if notes else [])])


def _first_calls(result: Result) -> list[float | None]:
    ours = [result.first.get(OURS), result.again, *result.imports]
    return [*ours, *(result.first.get(c) for c in JAX)]


def picture(results: Mapping[str, Result], path: Path) -> None:
    """Bars of the time relative to the hand-written gradient, on a log axis."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    shown = {
        "generated jit": "#2563a6",
        "generated": "#7fb2e5",
        "jax as is": "#c8442c",
        "jax expert": "#eaa08f",
        "torch": "#8a8f98",
        "autograd": "#c9ccd1",
    }
    figure, axes = plt.subplots(figsize=(12, 4.6), layout="constrained")
    width = 0.8 / len(shown)
    for i, (label, color) in enumerate(shown.items()):
        at = np.arange(len(results)) + (i - len(shown) / 2 + 0.5) * width
        heights = [ratio(r.times, label, BY_HAND) for r in results.values()]
        axes.bar(at, heights, width, label=label, color=color, bottom=0)
    axes.axhline(1.0, color="black", lw=1)
    axes.set(yscale="log", ylabel="time / hand-written gradient")
    axes.set_xticks(np.arange(len(results)), list(results), rotation=35, ha="right")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, ncols=6, loc="upper center", bbox_to_anchor=(0.5, 1.12))
    figure.savefig(path, dpi=130)
    plt.close(figure)


def kernels(rounds: int, folder: Path, image: Path | None = None) -> str:
    """The tables as text; the picture (of one core) goes to `image`."""
    texts = []
    for threads in CORES:
        results: dict[str, Result] = {}
        for name in NAMES:
            start = time.perf_counter()
            results[name] = run(name, threads, rounds, folder / f"cache_{threads}")
            ours, hand = (show_time(results[name].times.get(c)) for c in (OURS, BY_HAND))
            took = time.perf_counter() - start
            line = f"{name}, {threads} threads: ours {ours}, by hand {hand} (in {took:.0f} s)"
            print(line, file=sys.stderr, flush=True)
        if image is not None and threads == 1:
            picture(results, image)
        texts.append(report(results, threads))
    return "\n".join(texts)
