"""Floor 8: several runs of a function that draw the same random numbers.

A Jacobian by columns runs the function once per column: they belong together only if all runs draw
what the first one drew. After them the generators are where one run leaves them.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from s2sgrad.calls.reached import GENERATORS, reached


class Draws:
    """The generators that a call of a function with these arguments may draw from."""

    def __init__(self, function: Any, values: Iterable[Any]) -> None:
        self.generators = _generators([function, *values])
        self.states = _states(self.generators)
        self.runs = 0

    def again(self) -> None:
        """To be called before each run: all but the first begin where the first began."""
        self.runs += 1
        if self.runs > 1:
            _reset(self.generators, self.states)

    @contextmanager
    def replayed(self) -> Iterator[None]:
        """A block in which the first run's numbers are drawn; they count as drawn once."""
        now = _states(self.generators)
        _reset(self.generators, self.states)
        try:
            yield
        finally:
            _reset(self.generators, now)


def _states(generators: list[Any]) -> list[Any]:
    return [_state(g) for g in generators]


def _state(generator: Any) -> Any:
    if isinstance(generator, np.random.Generator):
        return generator.bit_generator.state
    if isinstance(generator, random.Random):
        return generator.getstate()
    return generator.get_state(legacy=False)


def _reset(generators: list[Any], states: list[Any]) -> None:
    for generator, state in zip(generators, states, strict=True):
        if isinstance(generator, np.random.Generator):
            generator.bit_generator.state = state
        elif isinstance(generator, random.Random):
            generator.setstate(state)
        else:
            generator.set_state(state)


def _generators(todo: list[Any]) -> list[Any]:
    """The generators held by values, and reached by the code of functions; the first is the one
    that is differentiated."""
    return [value for value in reached(todo) if isinstance(value, GENERATORS)]


__all__ = ["Draws"]
