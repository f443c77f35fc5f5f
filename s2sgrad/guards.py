"""Floor 8: a quick check that a call's arguments are of the kind of an earlier call's.

`calling.token` describes arguments as nested tuples: right for every case, but slow to build and
to hash. A guard is a small generated function that compares attribute by attribute with what was
seen. It may say no where the tokens are equal (the slow way follows), never yes where they
differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from types import FunctionType
from typing import Any

import numpy as np

LONGEST = 64  # entries; larger containers take the slow way
_NUMBERS = (float, int, complex)
_COMPARED = (str, bytes, range, frozenset)
Guard = Callable[..., bool]
Place = tuple[str, tuple[str, Any]]


def never(*values: Any) -> bool:
    """The guard that knows no arguments."""
    return False


class _Unguarded(Exception):
    """An argument of a kind that has no quick check."""


class _Writer:
    """Collects the conditions as lines of code, and the constants they compare with."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.constants: list[Any] = []

    def constant(self, value: Any) -> str:
        self.constants.append(value)
        return f"c{len(self.constants) - 1}"

    def demand(self, *refusals: str) -> None:
        self.lines.append(f"    if {' or '.join(refusals)}: return False")

    def value(self, name: str, value: Any) -> None:
        """Write what must hold for the variable `name` to be of the kind of `value`."""
        kind = type(value)
        if kind is np.ndarray:
            dtype, shape = self.constant(value.dtype), self.constant(value.shape)
            self.demand(
                f"type({name}) is not ndarray",
                f"{name}.dtype is not {dtype}",
                f"{name}.shape != {shape}",
            )
        elif kind in _NUMBERS or isinstance(value, np.generic):
            self.demand(f"type({name}) is not {self.constant(kind)}")
        elif value is None or kind is bool or kind is FunctionType or isinstance(value, type):
            self.demand(f"{name} is not {self.constant(value)}")
        elif kind in _COMPARED:
            same = self.constant(value)
            self.demand(f"type({name}) is not {self.constant(kind)}", f"{name} != {same}")
        elif kind is dict or kind is list or kind is tuple:
            self.container(name, value, kind)
        else:
            raise _Unguarded

    def outside(self, name: str, entry: str, where: tuple[str, Any], exact: bool) -> None:
        """Write what must hold for a value read from outside; exact: the same object is there."""
        kind, place = where
        if kind == "object" and (exact or isinstance(place, np.ndarray)):
            return
        if kind not in ("global", "cell"):
            raise _Unguarded
        holder = self.constant(place)
        text = f"{holder}.get({entry!r})" if kind == "global" else f"{holder}.cell_contents"
        self.lines.append(f"    {name} = {text}")
        value = place[entry] if kind == "global" else place.cell_contents
        if not exact or isinstance(value, str | bool):
            self.value(name, value)
        elif type(value) is int:
            self.demand(f"{name} != {value}")
        else:
            self.demand(f"{name} is not {self.constant(value)}")

    def container(self, name: str, value: Any, kind: type) -> None:
        if len(value) > LONGEST or len(self.lines) > LONGEST:
            raise _Unguarded
        if kind is dict:
            keys = self.constant(tuple(value))
            self.demand(f"type({name}) is not dict", f"tuple({name}) != {keys}")
        else:
            size = f"len({name}) != {len(value)}"
            self.demand(f"type({name}) is not {kind.__name__}", size)
        places = value.items() if kind is dict else enumerate(value)
        for i, (place, part) in enumerate(places):
            key = self.constant(place) if kind is dict else str(place)
            self.lines.append(f"    {name}_{i} = {name}[{key}]")
            self.value(f"{name}_{i}", part)


@lru_cache(maxsize=1024)
def _maker(text: str) -> Callable[..., Guard]:
    scope: dict[str, Any] = {"ndarray": np.ndarray}
    exec(compile(text, "<s2sgrad guard>", "exec"), scope)
    return scope["make"]


def guard_of(
    values: tuple[Any, ...], captures: Sequence[Place] = (), same: Sequence[Place] = ()
) -> Guard | None:
    """A function of the same arguments that says whether they are of the same kind; or None.

    The kind is what `calling.token` tells apart: types, dtypes, exact shapes, keys, and the
    values of strings, bools and None. captures: places outside whose values must be of the same
    kind too (as in `calling.read`); same: places that must hold the same object.
    """
    writer = _Writer()
    names = [f"a{i}" for i in range(len(values))]
    try:
        for name, value in zip(names, values, strict=True):
            writer.value(name, value)
        for exact, places in ((False, captures), (True, same)):
            for i, (entry, where) in enumerate(places):
                writer.outside(f"{'s' if exact else 'o'}{i}", entry, where, exact)
    except (_Unguarded, KeyError, ValueError):
        return None
    constants = ", ".join(f"c{i}" for i in range(len(writer.constants)))
    lines = [
        f"def make({constants}):",
        f"  def guard({', '.join(names)}):",
        *writer.lines,
        "    return True",
        "  return guard",
    ]
    return _maker("\n".join(lines))(*writer.constants)
