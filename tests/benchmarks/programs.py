"""The programs of the NumPy table: the golden ones at working sizes, and the two-layer network."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Program:
    """A primal, its gradient by hand, and arguments of a realistic size."""

    name: str
    primal: Callable[..., Any]
    by_hand: Callable[..., Any]
    argnums: int | tuple[int, ...]
    args: tuple[Any, ...]


def network_arguments(batch: int, hidden: int = 64) -> tuple[Any, ...]:
    """Weights 64-hidden-10, images float64[batch, 64], labels int64[batch]."""
    rng = np.random.default_rng(0)
    params = {
        "w1": rng.normal(size=(64, hidden)) / 8.0,
        "b1": rng.normal(size=hidden),
        "w2": rng.normal(size=(hidden, 10)) / 8.0,
        "b2": rng.normal(size=10),
    }
    return params, rng.uniform(size=(batch, 64)), rng.integers(0, 10, batch)


def working_arguments(name: str) -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    if name == "branchy":
        return rng.normal(size=2000) * 0.1, 1e9
    if name == "burgers":
        return np.sin(np.linspace(0.0, 6.0, 256)), 0.01, 0.001, 0.05, 60
    if name == "cholesky":
        m = rng.normal(size=(30, 30))
        return (m @ m.T + 30.0 * np.eye(30),)
    if name == "newton":
        return (7.3,)
    if name == "rnn":
        scale = 0.2
        return (
            rng.normal(size=(32, 32)) * scale,
            rng.normal(size=(16, 32)) * scale,
            rng.normal(size=(50, 16)),
            rng.normal(size=32),
        )
    if name == "rosenbrock":
        return (rng.normal(size=1000),)
    raise KeyError(name)


def programs() -> Iterator[Program]:
    for name in ("rosenbrock", "branchy", "burgers", "cholesky", "newton", "rnn"):
        module = importlib.import_module(f"tests.golden.{name}")
        argnums = module.wrt if len(module.wrt) > 1 else module.wrt[0]
        yield Program(name, module.primal, module.target, argnums, working_arguments(name))
    mlp = importlib.import_module("tests.golden.mlp")
    for batch in (32, 1797):
        args = network_arguments(batch)
        yield Program(f"network, batch {batch}", mlp.primal, mlp.target, 0, args)
