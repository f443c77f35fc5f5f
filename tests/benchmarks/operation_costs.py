"""What operations and keeping values cost, in Python and compiled: for `analysis/costs.py`."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.analysis.costs import COMPILED, PYTHON, Prices
from tests.benchmarks.timing import table

LENGTH = 1000  # entries of an array in Python
OPERATIONS = {
    "arithmetic": "a + b",
    "division": "a / b",
    "root": "np.sqrt(a)",
    "function": "np.maximum(a, b)",
    "dear": "np.exp(-a)",
    "gather": "z[k]",
}
KEPT = "keep"


def nanoseconds(run: Callable[..., Any], args: tuple[Any, ...], times: int, rounds: int) -> float:
    """Median time of one of `times` steps that a run makes."""
    run(*args)
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        run(*args)
        found.append(time.perf_counter() - start)
    return statistics.median(found) / times * 1e9


def made(text: str) -> Callable[..., Any]:
    scope: dict[str, Any] = {"np": np}
    exec(text, scope)
    return scope["run"]  # type: ignore[no-any-return]


def python_prices(number: bool, rounds: int) -> dict[str, float]:
    steps = 100_000 if number else 2_000
    a: Any = 1.25 if number else np.linspace(0.5, 1.5, LENGTH)
    z, k = np.linspace(0.5, 1.5, LENGTH), 7 if number else np.arange(LENGTH)
    args = (a, a + 0.5, z, k, range(steps))
    loop = "def run(a, b, z, k, steps):\n    for _ in steps:\n        {}"
    empty = nanoseconds(made(loop.format("a")), args, steps, rounds)
    found = {
        name: nanoseconds(made(loop.format(text)), args, steps, rounds) - empty
        for name, text in OPERATIONS.items()
    }
    plain = "def run(a, b, z, k, steps):\n    for _ in steps:\n        h = a + b\n"
    plain += "    for _ in steps:\n        h\n"
    kept = plain.replace("h = a + b\n", "h = a + b\n        held.append(h)\n")
    kept = kept.replace("        h\n", "        h = held.pop()\n").replace(
        ":\n", ":\n    held = []\n", 1
    )
    times = [nanoseconds(made(text), args, steps, rounds) for text in (kept, plain)]
    return {**found, KEPT: times[0] - times[1]}


def compiled_prices(number: bool, rounds: int) -> dict[str, float]:
    """Of numbers: in a chain, each from the one before. Of arrays: rows that stay in the cache."""
    import numba

    steps, length = (100_000, 1) if number else (400, 2048)
    a = np.linspace(0.5, 1.5, length)
    z, k = np.linspace(0.5, 1.5, 2048), np.arange(2048)[:: 2048 // length][:length]
    chain = "def run(a, b, z, k, out, steps):\n    s = out[0]\n    for _ in range(steps):\n"
    chain += "        s = {}\n    out[0] = s"
    rows = "def run(a, b, z, k, out, steps):\n    for _ in range(steps):\n"
    rows += "        for i in range(out.size):\n            out[i] = {}"

    def compiled(text: str) -> Callable[..., Any]:
        names = {"a": "s", "b": "b[0]", "k": "k[0]"} if number else {n: f"{n}[i]" for n in "abk"}
        code = "".join(names.get(c, c) if _alone(text, i) else c for i, c in enumerate(text))
        return numba.njit(error_model="numpy")(made((chain if number else rows).format(code)))

    args = (a, a + 0.5, z, k, np.full(length, 0.7), steps)
    each = steps * length
    copied = 0.0 if number else nanoseconds(compiled("a"), args, each, rounds)
    found = {
        name: nanoseconds(compiled(text), args, each, rounds) - copied
        for name, text in OPERATIONS.items()
    }
    return {**found, KEPT: kept_in_rows(rounds)}


def _alone(text: str, at: int) -> bool:
    """Whether a letter is a name of its own."""
    around = f" {text} "[at : at + 3]
    return not around[0].isalnum() and not around[2].isalnum() and around[0] != "."


def kept_in_rows(rounds: int) -> float:
    """Writing entries into rows of a large array, and reading them backwards."""
    import numba

    text = """
def run(x, out, rows, steps):
    for k in range(steps):
        for i in range(x.size):
            rows[k % rows.shape[0], i] = x[i] * 1.5
    for k in range(steps - 1, -1, -1):
        for i in range(x.size):
            out[i] += rows[k % rows.shape[0], i]
"""
    run = numba.njit(made(text))
    x, steps = np.ones(2048), 4000
    times = [
        nanoseconds(run, (x, np.zeros(2048), np.ones((n, 2048)), steps), steps * 2048, rounds)
        for n in (steps, 1)
    ]
    return times[0] - times[1]


def operation_costs(rounds: int) -> str:
    """The prices in the tables beside those measured now."""
    cases = [
        ("Python, number", PYTHON.number, python_prices(True, rounds)),
        (f"Python, {LENGTH} entries", PYTHON.array, python_prices(False, rounds)),
        ("compiled, number", COMPILED.number, compiled_prices(True, rounds)),
        ("compiled, entry", COMPILED.array, compiled_prices(False, rounds)),
    ]
    rows = [row for label, prices, found in cases for row in _rows(label, prices, found)]
    header = ["where", *OPERATIONS, KEPT]
    return table("Prices of operations: measured, and in the table (nanoseconds)", header, rows)


def _rows(label: str, prices: Prices, found: dict[str, float]) -> list[list[str]]:
    names = [*OPERATIONS, KEPT]
    return [
        [f"{label}, measured", *(f"{found[n]:.3g}" for n in names)],
        [f"{label}, in the table", *(f"{getattr(prices, n):.3g}" for n in names)],
    ]
