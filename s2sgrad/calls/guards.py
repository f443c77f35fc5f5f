"""Floor 8: a quick check that a call's arguments are of the kind of an earlier call's.

`binding.token` describes arguments as nested tuples: right for every case, but slow to build and
to hash. A guard is a small generated function that compares attribute by attribute with what was
seen. It may say no where the tokens are equal (the slow way follows), never yes where they
differ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import lru_cache, partial
from types import FunctionType
from typing import Any

import numpy as np

from s2sgrad.calls.binding import Place
from s2sgrad.frontend.functions.held_values import OF_AN_OWNER, held_value
from s2sgrad.frontend.inputs import object_fields
from s2sgrad.frontend.outside import is_code
from s2sgrad.ir.names import GENERATED
from s2sgrad_runtime.objects import slots

LONGEST = 256  # entries of several kinds; larger containers take the slow way
LINES = 1000  # of one guard
FEW = 4  # numbers that are looked at one by one
_NUMBERS = (float, int, complex)
_COMPARED = (str, bytes, range, frozenset, slice, np.dtype)
Guard = Callable[..., bool]


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
        self.objects: dict[int, tuple[str, type]] = {}  # met so far in the value that is looked at

    def constant(self, value: Any) -> str:
        self.constants.append(value)
        return f"c{len(self.constants) - 1}"

    def demand(self, *refusals: str) -> None:
        self.lines.append(f"    if {' or '.join(refusals)}: return False")

    def whole(self, name: str, value: Any) -> None:
        """The same as `value`, for an argument: objects that it holds twice are one."""
        self.objects = {}
        self.value(name, value)

    def value(self, name: str, value: Any) -> None:
        """Write what must hold for the variable `name` to be of the kind of `value`."""
        kind = type(value)
        if isinstance(value, _COMPARED) and not isinstance(value, Enum):
            same = self.constant(value)
            self.demand(f"type({name}) is not {self.constant(kind)}", f"{name} != {same}")
        elif kind is np.ndarray:
            dtype, shape = self.constant(value.dtype), self.constant(value.shape)
            self.demand(
                f"type({name}) is not ndarray",
                f"{name}.dtype is not {dtype}",
                f"{name}.shape != {shape}",
            )
        elif kind in _NUMBERS or isinstance(value, np.generic):
            self.demand(f"type({name}) is not {self.constant(kind)}")
        elif value is None or kind in (bool, FunctionType) or isinstance(value, type | Enum):
            self.demand(f"{name} is not {self.constant(value)}")
        elif kind is dict or kind is list or kind is tuple:
            self.container(name, value, kind)
        elif is_code(value):
            self.demand(f"{name} is not {self.constant(value)}")
        elif isinstance(value, list | tuple | dict):
            self.subclass(name, value, kind)
        elif isinstance(value, np.ndarray):
            raise _Unguarded  # a subclass, of which more may matter
        elif object_fields(value) is None:  # of which nothing but the class is known
            self.demand(f"type({name}) is not {self.constant(kind)}")
        else:
            self.record(name, value, kind)

    def outside(self, name: str, entry: str, where: tuple[str, Any], exact: bool) -> None:
        """Write what must hold for a value read from outside; exact: the same object is there."""
        kind, place = where
        if kind == "object" and (exact or isinstance(place, np.ndarray)):
            return
        self.lines.append(f"    {name} = {self.place(entry, kind, place)}")
        value = held_value(entry, where)
        if not exact or isinstance(value, str | bool):
            self.whole(name, value)
        elif type(value) is int:
            self.demand(f"{name} != {value}")
        else:
            self.demand(f"{name} is not {self.constant(value)}")

    def place(self, entry: str, kind: str, place: Any) -> str:
        """The text that reads a place, as `held_value` does."""
        if kind in OF_AN_OWNER:
            owner, attribute = self.constant(place[0]), place[1]
            if kind == "present":
                return f"hasattr({owner}, {attribute!r})"
            found = f"getattr({owner}, {attribute!r}, None)"
            return f"getattr({found}, '__func__', None)" if kind == "method" else found
        holder = self.constant(place)
        if kind == "global":
            return f"{holder}[{entry!r}]"
        if kind == "keys":
            return f"' '.join({holder})"
        return f"{holder}.cell_contents" if kind == "cell" else holder

    def record(self, name: str, value: Any, kind: type) -> None:
        """Write what must hold for the fields of a plain object to be as they are."""
        if id(value) in self.objects:
            self.demand(f"{name} is not {self.objects[id(value)][0]}")
            return
        fields, held = object_fields(value), getattr(value, "__dict__", None)
        assert fields is not None
        in_dict = held is not None and fields.keys() == held.keys()
        fixed = kind is partial or (held is None and fields.keys() == set(slots(kind)))
        if not in_dict and not fixed:
            raise _Unguarded  # a field may come or go
        self.demand(f"type({name}) is not {self.constant(kind)}")
        if in_dict:
            self.lines.append(f"    {name}_fields = {name}.__dict__")
        others = [other for other, cls in self.objects.values() if cls is kind]
        if others:
            self.demand(*(f"{name} is {other}" for other in others))
        self.objects[id(value)] = name, kind
        if in_dict:
            self.container(f"{name}_fields", held, dict)
            return
        for i, (field, part) in enumerate(fields.items()):
            self.lines.append(f"    {name}_{i} = {name}.{field}")
            self.value(f"{name}_{i}", part)

    def subclass(self, name: str, value: Any, kind: type) -> None:
        """Write the same for a named tuple, an ordered dict and the like, which are read as what
        they are made of."""
        base = next(b for b in (dict, list, tuple) if isinstance(value, b))
        named = kind.__module__ == "collections" or hasattr(kind, "_fields")
        same = all(getattr(kind, m) is getattr(base, m) for m in ("__getitem__", "__len__"))
        if not named or not same or getattr(value, "__dict__", None):
            raise _Unguarded
        if hasattr(value, "__dict__"):
            self.demand(f"{name}.__dict__")
        self.container(name, value, kind, self.constant(kind))

    def container(self, name: str, value: Any, kind: type, called: str = "") -> None:
        """called: the name of the class in the code, if that is not its own."""
        by_key = isinstance(value, dict)
        refusal = f"type({name}) is not {called or kind.__name__}"
        if by_key:
            self.demand(refusal, f"tuple({name}) != {self.constant(tuple(value))}")
        else:
            self.demand(refusal, f"len({name}) != {len(value)}")
        kinds = set(map(type, value.values() if by_key else value))
        if len(value) > FEW and len(kinds) == 1 and kinds <= set(_NUMBERS):
            parts = f"{name}.values()" if by_key else name
            self.demand(f"set(map(type, {parts})) != {self.constant(kinds)}")
            return
        if len(value) > LONGEST or len(self.lines) > LINES:
            raise _Unguarded
        places = value.items() if by_key else enumerate(value)
        for i, (place, part) in enumerate(places):
            key = self.constant(place) if by_key else str(place)
            self.lines.append(f"    {name}_{i} = {name}[{key}]")
            self.value(f"{name}_{i}", part)


@lru_cache(maxsize=1024)
def _maker(text: str) -> Callable[..., Guard]:
    scope: dict[str, Any] = {"ndarray": np.ndarray}
    exec(compile(text, f"{GENERATED}guard>", "exec"), scope)
    return scope["make"]


def guard_of(
    values: tuple[Any, ...],
    captures: Sequence[Place] = (),
    same: Sequence[Place] = (),
) -> Guard | None:
    """A function of the same arguments that says whether they are of the same kind; or None.

    The kind is what `binding.token` tells apart: types, dtypes, exact shapes, keys, and the
    values of strings, bools and None. captures: places outside whose values must be of the same
    kind too (as in `held_value`); same: places that must hold the same object.
    """
    writer = _Writer()
    names = [f"a{i}" for i in range(len(values))]
    try:
        for name, value in zip(names, values, strict=True):
            writer.whole(name, value)
        for exact, places in ((False, captures), (True, same)):
            for i, (entry, where) in enumerate(places):
                writer.outside(f"{'s' if exact else 'o'}{i}", entry, where, exact)
    except (_Unguarded, KeyError, ValueError, AttributeError, RecursionError):
        return None
    constants = ", ".join(f"c{i}" for i in range(len(writer.constants)))
    lines = [
        f"def make({constants}):",
        f"  def guard({', '.join(names)}):",
        "   try:",
        *writer.lines,
        "    return True",
        "   except (KeyError, AttributeError):",  # a name is gone
        "    return False",
        "  return guard",
    ]
    return _maker("\n".join(lines))(*writer.constants)
