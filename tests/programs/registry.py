"""How a program enters the corpus: a decorator that records it and returns it unchanged.

    @program(normal(5), positive(), 3, wrt=(0, 1))
    def f(x, a, n): ...

An example argument that is callable (made by `normal`, `positive`, ... or `using`) gets a random
generator seeded by the program's name; any other value is copied and passed as it is.
"""

from __future__ import annotations

import copy
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Function = Callable[..., Any]
PROGRAMS: dict[str, Program] = {}


@dataclass(frozen=True)
class Spec:
    """An example argument that is drawn from a random generator."""

    draw: Callable[[np.random.Generator], Any]


@dataclass(frozen=True, eq=False)
class Program:
    """A primal, its example arguments, and what the tests may do with it.

    wrt: argument position, keyword name, or a tuple of them.
    jit: Numba knows every operation of the primal.
    second: twice differentiable at the example (and `wrt` is a single argument).
    """

    name: str
    function: Function
    specs: tuple[Any, ...]
    keywords: dict[str, Any] = field(default_factory=dict)
    wrt: Any = 0
    jit: bool = False
    second: bool = False
    rtol: float = 2e-6

    def example(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Fresh positional and keyword arguments, the same at every call."""
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        positional = tuple(_draw(spec, rng) for spec in self.specs)
        return positional, {key: _draw(spec, rng) for key, spec in self.keywords.items()}


def _draw(spec: Any, rng: np.random.Generator) -> Any:
    if isinstance(spec, Spec):
        return spec.draw(rng)
    if type(spec) is tuple:
        return tuple(_draw(item, rng) for item in spec)
    if type(spec) is list:
        return [_draw(item, rng) for item in spec]
    if type(spec) is dict:
        return {key: _draw(item, rng) for key, item in spec.items()}
    return copy.deepcopy(spec)


def program(
    *specs: Any,
    wrt: Any = 0,
    keywords: dict[str, Any] | None = None,
    jit: bool = False,
    second: bool = False,
    rtol: float = 2e-6,
) -> Callable[[Function], Function]:
    """Register a primal together with its example arguments."""

    def enter(function: Function) -> Function:
        module = function.__module__.rsplit(".", 1)[-1]
        name = f"{module}.{function.__name__}"
        assert name not in PROGRAMS, f"two programs are called {name}"
        PROGRAMS[name] = Program(name, function, specs, keywords or {}, wrt, jit, second, rtol)
        return function

    return enter


def register(name: str, function: Function, *specs: Any, **facts: Any) -> None:
    """Register a callable that is not a plain `def` (lambda, method, partial)."""
    PROGRAMS[name] = Program(name, function, specs, **facts)


def using(draw: Callable[[np.random.Generator], Any]) -> Spec:
    """An argument made by any function of a random generator."""
    return Spec(draw)


def normal(*shape: int) -> Spec:
    """Standard normal array; a Python float without a shape."""
    return Spec(lambda rng: rng.normal(size=shape) if shape else float(rng.normal()))


def positive(*shape: int) -> Spec:
    """Uniform in [0.5, 1.5); a Python float without a shape."""
    return Spec(
        lambda rng: rng.uniform(0.5, 1.5, size=shape) if shape else float(rng.uniform(0.5, 1.5))
    )


def spd(n: int) -> Spec:
    """A symmetric positive definite matrix, well conditioned."""

    def draw(rng: np.random.Generator) -> Any:
        m = rng.normal(size=(n, n))
        return m @ m.T / n + np.eye(n)

    return Spec(draw)


def dominant(n: int) -> Spec:
    """A matrix with a heavy diagonal: elimination needs no pivoting."""
    return Spec(lambda rng: rng.normal(size=(n, n)) + 2.0 * n * np.eye(n))
