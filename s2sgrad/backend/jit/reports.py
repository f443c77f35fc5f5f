"""Floor 6: what became of the functions of a product under Numba."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from s2sgrad.backend.jit.boundary import Boundary
from s2sgrad.backend.jit.cache import Module
from s2sgrad.backend.module import Compiled
from s2sgrad.backend.parallel.loops import Verdict
from s2sgrad.errors import Span


@dataclass
class Report:
    """What became of the functions of one product; it grows with the calls.

    python: the user's lines that Numba does not run, and why. calls: what compiled code hands to
    Python as it runs, at the user's lines. loops: see `parallel.Verdict`.
    built: every text that was loaded, for notes on errors.
    """

    python: dict[Span | None, str] = field(default_factory=dict)
    calls: dict[tuple[Span | None, str], None] = field(default_factory=dict)
    loops: list[Verdict] = field(default_factory=list)
    built: list[Compiled] = field(default_factory=list)

    def note(self, error: BaseException) -> None:
        """Add the user's own line to an error raised in generated code."""
        for compiled in self.built:
            compiled.note(error)


@dataclass(frozen=True)
class Whole:
    """A function that is compiled as one. compiled: its text; name: of its function."""

    compiled: Compiled
    name: str
    boundary: Boundary
    module: Module


@dataclass(frozen=True)
class InPython:
    """A function that runs in Python. pieces: attempts of what it calls."""

    compiled: Compiled
    pieces: tuple[Any, ...]


__all__ = ["InPython", "Report", "Whole"]
