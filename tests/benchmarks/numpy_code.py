"""Generated NumPy code against gradients written by hand, and against other packages."""

from __future__ import annotations

from typing import Any

import numpy as np

import s2sgrad
from tests.benchmarks.peers import network_peers
from tests.benchmarks.programs import Program, network_arguments, programs
from tests.benchmarks.timing import (
    geometric_mean,
    seconds_per_call,
    show_ratio,
    show_time,
    table,
)


def leaves(tree: Any) -> list[np.ndarray]:
    if isinstance(tree, dict):
        return [leaf for value in tree.values() for leaf in leaves(value)]
    if isinstance(tree, tuple | list):
        return [leaf for value in tree for leaf in leaves(value)]
    return [np.asarray(tree)]


def agree(found: Any, expected: Any) -> bool:
    pairs = zip(leaves(found), leaves(expected), strict=True)
    return all(np.allclose(a, b, rtol=1e-9, atol=1e-11) for a, b in pairs)


def row(program: Program, rounds: int) -> tuple[list[str], float]:
    generated = s2sgrad.value_and_grad(program.primal, argnums=program.argnums, fallback="error")
    args = program.args
    if not agree(generated(*args), program.by_hand(*args)):
        raise AssertionError(f"{program.name}: generated and hand-written gradients differ")
    jobs = {
        "primal": lambda: program.primal(*args),
        "hand": lambda: program.by_hand(*args),
        "generated": lambda: generated(*args),
    }
    times = seconds_per_call(jobs, rounds)
    ratio = times["generated"] / times["hand"]
    shown = [show_time(times[name]) for name in ("primal", "hand", "generated")]
    return [program.name, *shown, show_ratio(ratio)], ratio


def against_hand(rounds: int) -> str:
    rows, ratios = [], []
    for program in programs():
        try:
            cells, ratio = row(program, rounds)
        except Exception as error:  # a table with a gap says more than no table
            reason = f"{type(error).__name__}: {error}".splitlines()[0][:60]
            rows.append([program.name, "-", "-", "-", reason])
            continue
        rows.append(cells)
        ratios.append(ratio)
    rows.append(["geometric mean", "", "", "", show_ratio(geometric_mean(ratios))])
    header = ["value and gradient", "primal", "by hand", "generated", "generated / by hand"]
    return table("Generated NumPy code against gradients written by hand", header, rows)


def against_peers(rounds: int) -> str:
    """The two-layer network in each package, value and gradient, one thread."""
    rows = []
    for batch in (32, 1797):
        args = network_arguments(batch)
        jobs = network_peers(*args)
        times = seconds_per_call(jobs, rounds)
        own = times["s2sgrad"]
        for name, seconds in times.items():
            rows.append([f"batch {batch}: {name}", show_time(seconds), show_ratio(seconds / own)])
    return table("The two-layer network in other packages", ["", "time", "times s2sgrad's"], rows)
