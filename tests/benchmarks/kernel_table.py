"""The sixteen kernels: our code, code by hand, and other packages, from one run."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import s2sgrad
from tests.benchmarks.kernel_peers.jobs import LABELS, peer_jobs
from tests.benchmarks.kernels import NAMES, Kernel, load
from tests.benchmarks.timing import (
    geometric_mean,
    seconds_per_call,
    show_ratio,
    show_time,
    table,
)

Times = dict[str, float]
OURS = ("numpy forward", "jit forward", "generated", "generated jit", "by hand")
COLUMNS = (*OURS, *LABELS)
SPMV_CAP = 100.0  # JAX has no fitting form of spmv: one kernel must not carry a mean


def jit_forward(kernel: Kernel) -> Callable[..., Any]:
    import numba

    return numba.njit(kernel.primal)


def jit_gradient(kernel: Kernel) -> Callable[..., Any]:
    return s2sgrad.value_and_grad(kernel.primal, kernel.argnums, jit=True, fallback="error")


def numpy_gradient(kernel: Kernel) -> Callable[..., Any]:
    return s2sgrad.value_and_grad(kernel.primal, kernel.argnums, fallback="error")


def own_jobs(
    kernel: Kernel, args: tuple[Any, ...], jit: bool = True
) -> dict[str, Callable[[], Any]]:
    """The jobs that run; what cannot is reported on stderr and left out."""
    makers: dict[str, Callable[[Kernel], Callable[..., Any]]] = {
        "numpy forward": lambda k: k.primal,
        "jit forward": jit_forward,
        "generated": numpy_gradient,
        "generated jit": jit_gradient,
        "by hand": lambda k: k.by_hand,
    }
    if not jit:
        del makers["generated jit"]
    jobs: dict[str, Callable[[], Any]] = {}
    for label, maker in makers.items():
        try:
            function = maker(kernel)
            function(*args)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".splitlines()[0][:100]
            print(f"{kernel.name}, {label}: {reason}", file=sys.stderr)
            continue
        jobs[label] = partial(function, *args)
    return jobs


def gradients(result: Any, by_hand: bool) -> list[np.ndarray]:
    found = result[1:] if by_hand else result[1]
    return [np.asarray(g) for g in (found if isinstance(found, tuple | list) else (found,))]


def verify(kernel: Kernel, jobs: Mapping[str, Callable[[], Any]]) -> None:
    """Every gradient against the one by hand; raises where they differ."""
    expected = gradients(jobs["by hand"](), by_hand=True)
    for label, job in jobs.items():
        if label in ("numpy forward", "jit forward", "by hand"):
            continue
        for found, wanted in zip(gradients(job(), by_hand=False), expected, strict=True):
            scale = 1.0 + np.max(np.abs(wanted))
            error = np.max(np.abs(found - wanted)) / scale
            if not error < 1e-7:
                raise AssertionError(f"{kernel.name}, {label}: gradients differ by {error:.1e}")


def measure(name: str, size: str, rounds: int, jit: bool) -> Times:
    kernel = load(name)
    args = kernel.arguments(np.random.default_rng(0), size)
    jobs = {**own_jobs(kernel, args, jit), **peer_jobs(kernel, args)}
    verify(kernel, jobs)
    return seconds_per_call(jobs, rounds)


def ratio(times: Times, above: str, below: str) -> float:
    """Time of `above` in times of `below`; nan where one is missing."""
    return times.get(above, math.nan) / times.get(below, math.nan)


def mean_of(values: Iterable[float]) -> float:
    return geometric_mean(value for value in values if not math.isnan(value))


def best(times: Times) -> str:
    return "generated jit" if "generated jit" in times else "generated"


def ratio_rows(results: Mapping[str, Times]) -> list[list[str]]:
    """Per kernel and as a mean: by hand / ours, JAX / ours, expert JAX / ours, ours / forward."""
    rows, columns = [], [[], [], [], []]
    for name, times in results.items():
        own = best(times)
        values = [
            ratio(times, "by hand", own),
            ratio(times, "jax as is", own),
            ratio(times, "jax expert", own),
            ratio(times, own, "jit forward"),
        ]
        if name == "spmv":
            values[1] = min(values[1], SPMV_CAP)
        for column, value in zip(columns, values, strict=True):
            column.append(value)
        rows.append([f"{name} ({own.removeprefix('generated').strip() or 'numpy'})"])
        rows[-1] += [show_ratio(value) for value in values]
    rows.append(["geometric mean", *(show_ratio(mean_of(column)) for column in columns)])
    return rows


def report(results: Mapping[str, Times]) -> str:
    shown = [[n, *(show_time(t.get(c)) for c in COLUMNS)] for n, t in results.items()]
    times = table("Kernels: value and gradient, seconds", ["kernel", *COLUMNS], shown)
    header = ["kernel (our code)", "by hand / ours", "JAX / ours", "expert JAX / ours"]
    header.append("ours / jit forward")
    ratios = table("Kernels: ratios (JAX's spmv capped at 100)", header, ratio_rows(results))
    return f"{times}\n{ratios}"


def picture(results: Mapping[str, Times], path: Path) -> None:
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
        heights = [ratio(times, label, "by hand") for times in results.values()]
        axes.bar(at, heights, width, label=label, color=color, bottom=0)
    axes.axhline(1.0, color="black", lw=1)
    axes.set(yscale="log", ylabel="time / hand-written gradient")
    axes.set_xticks(np.arange(len(results)), list(results), rotation=35, ha="right")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, ncols=6, loc="upper center", bbox_to_anchor=(0.5, 1.12))
    figure.savefig(path, dpi=130)
    plt.close(figure)


def kernels(rounds: int, size: str = "S", image: Path | None = None, jit: bool = True) -> str:
    """The tables as text; the picture goes to `image`."""
    results: dict[str, Times] = {}
    for name in NAMES:
        try:
            results[name] = measure(name, size, rounds, jit)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".splitlines()[0][:100]
            print(f"{name}: {reason}", file=sys.stderr)
        else:
            print(f"{name}: done", file=sys.stderr)
    if image is not None:
        picture(results, image)
    return report(results)
