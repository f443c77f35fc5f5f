"""Floor 8: compiled code of earlier processes, found by what it depends on, without compiling.

A record on disk says how to call machine code that lies there too. It is found by the footprint
of the call: the text and code of all functions, what they hold from outside, rules, kinds of the
arguments, versions. Whatever does not fit, or fails in some way, is as if there were no record.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import s2sgrad_runtime
from s2sgrad.backend.jit.cache import versions
from s2sgrad.backend.jit.errors import NotCompiled
from s2sgrad.backend.jit.files import directory, read_bytes, write_bytes
from s2sgrad.backend.jit.machine import Forgotten
from s2sgrad.backend.module import Compiled
from s2sgrad.calls.binding import Place
from s2sgrad.calls.footprint import Footprint, Unknowable
from s2sgrad.calls.kept_code import Divided, Part, part_of, running, tells
from s2sgrad.calls.sharing import Sharing, sharing
from s2sgrad.calls.suiting import Condition, Suits, all_hold, conditions, rests_on_more
from s2sgrad.derivatives.results import told_by_type
from s2sgrad.frontend.functions.held_values import OF_AN_OWNER
from s2sgrad.ir.types import Type
from s2sgrad.pipeline import Product
from s2sgrad.transform.preparing.primal import result_of
from s2sgrad_runtime.lengths import UnequalLengths

# What compiled code raises that the full way may do without.
AGAIN = (
    Forgotten, NotCompiled, UnequalLengths, ValueError, NotImplementedError, TypeError, IndexError,
    ArithmeticError,
)  # fmt: skip
Mark = tuple[str, str, int, str]  # a `Place`, with the number of its holder in the footprint


@dataclass(frozen=True)
class Record:
    """How to call machine code. parts: its functions, as the product has them."""

    parts: tuple[Part | Divided, ...]
    output: Type
    conditions: tuple[tuple[str, tuple[Mark, ...]], ...]
    more: bool
    sharing: Sharing
    captures: tuple[Mark, ...]
    guards: tuple[Mark, ...]


@dataclass(frozen=True, eq=False)
class Recalled:
    """Code of an earlier process, to be called as a `Product` is."""

    compiled: Compiled
    captures: tuple[Place, ...]
    guards: tuple[Place, ...]
    output: Type
    sharing: Sharing
    suits: Suits | None
    more: bool
    tells: bool
    rebuild: None = None


class Memory:
    """What earlier processes made of one function, for one request (`key` says which).

    names: its parameters.
    """

    def __init__(self, key: str, function: Any, names: tuple[str, ...]) -> None:
        self.key, self.function, self.names = key, function, names

    def _look(self, values: tuple[Any, ...]) -> tuple[Footprint, Path]:
        found = Footprint()
        found.arguments(values)
        found.outside(self.function)
        parts = (self.key, found.digest(), versions(), made_by(), _loaded_scipy())
        name = hashlib.sha256(repr(parts).encode()).hexdigest()
        return found, directory() / f"call_{name[:32]}.record"

    def recall(self, values: tuple[Any, ...]) -> tuple[str, Recalled | None]:
        """(what calls of this kind are kept by, the code for them if there is some)."""
        try:
            found, path = self._look(values)
        except Exception:  # objects may be of any kind: what can't be walked has no footprint
            return "", None
        try:
            recalled = _recalled(pickle.loads(read_bytes(path)), found)
            if recalled.suits is not None and not recalled.suits(values):
                return path.name, None
        except Exception:  # not there, broken, of another kind
            return path.name, None
        return path.name, recalled

    def keep(self, name: str, product: Product, values: tuple[Any, ...]) -> None:
        """Write down how to call a product, whose footprint was looked up under `name`."""
        try:
            found, path = self._look(values)
            if path.name == name:  # nothing has changed meanwhile
                record = _record(product, found, self.names)
                write_bytes(path, pickle.dumps(record))
        except Exception:  # it holds what can't be written down
            return


def _record(product: Product, found: Footprint, names: tuple[str, ...]) -> Record:
    lowered = product.lowered
    rebuilt = any(r is not None for r in (product.rebuild, lowered.rebuild))
    if (
        product.islands
        or rebuilt
        or not told_by_type(result_of(lowered.result, lowered.lowering.state))
    ):
        raise Unknowable
    marks = [
        (text.text, tuple(_mark(p, found) for p in text.captures))
        for text in conditions(lowered, names)
    ]
    guards = [(name, (kind, holder)) for (kind, _, name), (holder, _) in lowered.guards.items()]
    return Record(
        tuple(map(part_of, product.compiled.functions)),  # type: ignore[arg-type]
        product.output,
        tuple(marks),
        rests_on_more(lowered),
        sharing(lowered, names),
        tuple(_mark(place, found) for place in product.captures),
        tuple(_mark(place, found) for place in guards),
    )


def _recalled(record: Record, found: Footprint) -> Recalled:
    made = running(record.parts)
    functions = tuple(m.fn for m in made)
    required = [Condition(t, tuple(_place(m, found) for m in ms)) for t, ms in record.conditions]
    return Recalled(
        replace(made[0], functions=functions),
        tuple(_place(m, found) for m in record.captures),
        tuple(_place(m, found) for m in record.guards),
        record.output,
        record.sharing,
        all_hold(required),
        record.more,
        any(map(tells, record.parts)),
    )


def _mark(place: Place, found: Footprint) -> Mark:
    name, (kind, holder) = place
    if kind in OF_AN_OWNER:
        owner, attribute = holder
        return name, kind, found.number_of(owner), attribute
    return name, kind, found.number_of(holder), ""


def _place(mark: Mark, found: Footprint) -> Place:
    name, kind, number, attribute = mark
    held = found.held[number]
    if kind in OF_AN_OWNER:
        return name, (kind, (held, attribute))
    if kind == "global":
        return name, (kind, getattr(held, "__globals__", None) or vars(held))
    return name, (kind, held)


@cache
def made_by() -> tuple[tuple[str, int, int], ...]:
    """The files of the compiler, as they are now: a changed one makes everything anew."""
    found = []
    for package in (Path(__file__).parents[1], Path(s2sgrad_runtime.__file__).parent):
        for folder, _, files in os.walk(package):
            for name in files:
                if name.endswith(".py"):
                    stat = os.stat(os.path.join(folder, name))
                    found.append((name, stat.st_size, stat.st_mtime_ns))
    return tuple(sorted(found))


def _loaded_scipy() -> str:
    return str(getattr(sys.modules.get("scipy"), "__version__", ""))


__all__ = ["AGAIN", "Memory", "Recalled"]
