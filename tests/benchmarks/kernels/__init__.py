"""Seventeen kernels in plain NumPy, in the manner of NPBench, each ending in a scalar.

A module has `primal`, the `argnums` to differentiate, and `arguments(rng, size)` for the sizes
"test", "S" and "M". `NAMES` lists them; `load(name)` adds the gradient written by hand.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

WRITTEN_IN = {
    "jacobi_2d": "stencils",
    "seidel_2d": "stencils",
    "hdiff": "atmosphere",
    "vadv": "atmosphere",
    "nbody": "particles",
    "trmm": "factorisations",
    "cholesky": "factorisations",
    "lu": "factorisations",
    "gramschmidt": "factorisations",
    "durbin": "factorisations",
    "spmv": "products",
    "softmax": "pointwise",
    "conv2d_bias": "stencils",
    "go_fast": "pointwise",
    "arc_distance": "pointwise",
    "atax": "products",
    "k2mm": "products",
}
NAMES = tuple(WRITTEN_IN)


@dataclass(frozen=True)
class Kernel:
    """A kernel and its hand-written value-and-gradient function, both called with `arguments`."""

    name: str
    primal: Callable[..., Any]
    by_hand: Callable[..., Any]
    argnums: tuple[int, ...]
    arguments: Callable[..., tuple[Any, ...]]


def load(name: str) -> Kernel:
    module = importlib.import_module(f"tests.benchmarks.kernels.{name}")
    written = importlib.import_module(f"tests.benchmarks.handwritten.{WRITTEN_IN[name]}")
    return Kernel(name, module.primal, getattr(written, name), module.argnums, module.arguments)
