"""Medians of interleaved runs, geometric means, and tables.

Candidates take turns within every round, so that a change of the machine's clock or load meets
all of them; ratios within one table can be trusted further than the times themselves.
"""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

Job = Callable[[], object]


def seconds_per_call(
    jobs: Mapping[str, Job],
    rounds: int = 15,
    slot: float = 0.01,
    budget: float = 4.0,
    until: float = math.inf,
    rest: float = 0.0,
) -> dict[str, float]:
    """Name -> median seconds of one call. Each round runs every job for about `slot` seconds.
    Before each there is a rest: for a while after a call, threads of OpenBLAS that wait for the
    next one keep a core busy, and NumPy and SciPy each have their own.

    A job that would take longer than `budget` seconds in all takes part in fewer rounds. After
    `until` (on `time.monotonic`) there are no further rounds but the first.
    """
    once = {name: _once(job) for name, job in jobs.items()}
    repeats = {name: max(1, int(slot / seconds)) for name, seconds in once.items()}
    turns = {name: max(1, int(budget / max(once[name] * repeats[name], slot))) for name in jobs}
    samples: dict[str, list[float]] = {name: [] for name in jobs}
    gc_was_on = gc.isenabled()
    gc.disable()
    try:
        for turn in range(rounds):
            if turn and time.monotonic() > until:
                break
            for name, job in jobs.items():
                if turn < turns[name]:
                    time.sleep(rest)
                    samples[name].append(_timed(job, repeats[name]))
    finally:
        if gc_was_on:
            gc.enable()
    return {name: statistics.median(times) for name, times in samples.items()}


def _timed(job: Job, repeats: int) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        job()
    return (time.perf_counter() - start) / repeats


def _once(job: Job) -> float:
    """Seconds of a call; the first (compilation, caches) is not counted."""
    job()
    first = _timed(job, 1)
    return max(first if first > 1.0 else min(first, _timed(job, 1)), 1e-8)


def geometric_mean(values: Iterable[float]) -> float:
    logs = [math.log(value) for value in values]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def show_time(seconds: float | None) -> str:
    """Three digits with a unit: `12.3 us`; a dash for None."""
    if seconds is None or math.isnan(seconds):
        return "-"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9)):
        if seconds >= scale or unit == "ns":
            return f"{seconds / scale:.3g} {unit}"
    return ""


def show_ratio(ratio: float | None) -> str:
    return "-" if ratio is None or math.isnan(ratio) else f"{ratio:.2f}"


def table(title: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table, padded so that it reads well in a terminal too."""
    body = [list(header), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[i]) for row in body) for i in range(len(header))]

    def line(row: Sequence[str]) -> str:
        first = row[0].ljust(widths[0])
        rest = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        return "| " + " | ".join([first, *rest]) + " |"

    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([f"\n{title}\n", line(body[0]), rule, *map(line, body[1:])])
