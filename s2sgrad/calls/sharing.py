"""Floor 8: calls that pass the same thing twice, to functions which could tell.

Generated code works on copies of the arguments that it writes into, and takes everything that is
passed for a thing of its own: arrays, lists and objects, in arguments and outside. Where the primal
would see its own writes through another name, or asks whether two names mean the same object, the
code would not do as it does: such calls are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from s2sgrad.analysis.effects import Effects, effects
from s2sgrad.analysis.fresh_stores import without_fresh_stores
from s2sgrad.backend.statements import Printer
from s2sgrad.calls.binding import Place
from s2sgrad.calls.suiting import levels
from s2sgrad.errors import Span, UnsupportedError
from s2sgrad.frontend.functions.held_values import held_value
from s2sgrad.frontend.lower import Lowered
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Array, List, Number

Run = Callable[..., Any]
Parts = Callable[[Any, str], Iterator[tuple[str, Any]]]


@dataclass(frozen=True)
class Sharing:
    """What must be so in the arguments, and in what is read from outside.

    All things are named by how they are reached. paths: where they are. written: arrays (or lists
    of arrays) that are written into. changed: lists, dicts and objects that get other contents.
    compared: pairs of which the code asks whether they are the same. parameters: of the function,
    then those that stand for things from outside.
    """

    paths: dict[str, nodes.Expr]
    written: frozenset[str]
    changed: frozenset[str]
    compared: tuple[tuple[str, str], ...]
    parameters: tuple[str, ...]
    span: Span | None

    def checked(self, run: Run, captures: tuple[Place, ...]) -> Run:
        """`run`, with a look at its arguments and what it reads from outside first."""
        if not (self.written or self.changed or self.compared):
            return run

        def run_apart(*values: Any) -> Any:
            count = len(self.parameters) - len(captures)  # tangents come after
            outside = (held_value(name, where) for name, where in captures)
            self._check(dict(zip(self.parameters, (*values[:count], *outside), strict=True)))
            return run(*values)

        return run_apart

    def _check(self, given: dict[str, Any]) -> None:
        held = {name: _value(path, given) for name, path in self.paths.items()}
        for a, b in self.compared:
            if held[a] is held[b]:
                raise UnsupportedError(
                    f"the arguments {a} and {b} are the same object, and the code asks whether "
                    "they are",
                    self.span,
                    "generated code takes each argument for itself",
                    "tell the code by an argument of its own, a flag",
                )
        if self.changed:
            self._check_containers(held)
        if self.written:
            self._check_arrays(held)

    def _check_containers(self, held: dict[str, Any]) -> None:
        found: dict[int, str] = {}
        placed, changed = self._placed(held, _containers, self.changed)
        for place, part in placed.items():
            first = found.setdefault(id(part), place)
            if first is not place and not changed.isdisjoint((first, place)):
                raise self._refusal(first, place, "are the same object, and one is changed")

    def _check_arrays(self, held: dict[str, Any]) -> None:
        placed, written = self._placed(held, _arrays, self.written)
        for (one, a), (other, b) in _near(list(placed.items())):
            if one not in written and other not in written:
                continue
            if np.may_share_memory(a, b) and np.shares_memory(a, b):
                raise self._refusal(one, other, "share memory, and one of them is written in place")

    def _placed(
        self, held: dict[str, Any], parts: Parts, marked: frozenset[str]
    ) -> tuple[dict[str, Any], set[str]]:
        """What is in the arguments by its place (a list's item has one, however it is reached),
        and the places that are in what is marked."""
        placed: dict[str, Any] = {}
        those: set[str] = set()
        for name, value in held.items():
            found = dict(parts(value, name))
            placed |= found
            if name in marked:
                those.update(found)
        return placed, those

    def _refusal(self, one: str, other: str, how: str) -> UnsupportedError:
        return UnsupportedError(
            f"the arguments {one} and {other} {how}",
            self.span,
            "generated code works on a copy of what it writes, and takes each argument for itself",
            f"pass a copy: copy.deepcopy({other})",
        )


def sharing(lowered: Lowered, names: tuple[str, ...]) -> Sharing:
    """What must be so in calls of the code for `lowered`.

    names: the parameters of the user's function. What generated code was made from, where that is
    differentiated again, counts too: it is the primal.
    """
    parameters = (*names, *(p for p in lowered.captures if p not in names))
    found = [_of_level(level, parameters) for level in levels(lowered)]
    whole = found[-1]
    for one in found[:-1]:
        whole = replace(
            whole,
            paths=one.paths | whole.paths,
            written=one.written | whole.written,
            changed=one.changed | whole.changed,
            compared=(*one.compared, *whole.compared),
        )
    return whole


def _of_level(lowered: Lowered, parameters: tuple[str, ...]) -> Sharing:
    function, lowering = lowered.function, lowered.lowering
    found = effects(function.body)
    written = effects(without_fresh_stores(function.body))  # `u = u.copy(); u[0] = ...` is not
    names = (*function.inputs, *function.parameters, *lowered.captures)
    leaves = [n for n in names if isinstance(function.types.get(n), Array | Number | List)]
    paths = {n: function.inputs.get(n, nodes.Var(n)) for n in leaves}
    paths = {n: path for n, path in paths.items() if _root(path) in parameters}
    places = {i: p for i, p in lowering.places.items() if _root(p) in parameters}
    changed = lowering.changed_places & places.keys()
    pairs = [(places[a], places[b]) for a, b in lowering.compared_places if {a, b} <= set(places)]
    shown = Printer().text
    asked = [p for pair in pairs for p in pair]
    kept = [*paths.values(), *(places.values() if changed else asked)]
    return Sharing(
        {shown(p): p for p in kept},
        frozenset(shown(p) for n, p in paths.items() if written.is_written(n)),
        frozenset(shown(p) for n, p in paths.items() if _gets_other_items(function, found, n))
        | {shown(places[i]) for i in changed},
        tuple((shown(a), shown(b)) for a, b in pairs),
        parameters,
        function.span,
    )


def _gets_other_items(function: nodes.Function, found: Effects, name: str) -> bool:
    return isinstance(function.types[name], List) and found.changes(name)


def _root(path: nodes.Expr) -> str:
    while not isinstance(path, nodes.Var):
        path = path.base if isinstance(path, nodes.Index) else path.args[0]  # type: ignore[attr-defined]
    return path.name


def _value(path: nodes.Expr, given: dict[str, Any]) -> Any:
    """What stands at a path (subscripts and attributes of a parameter) in this call."""
    if isinstance(path, nodes.Var):
        return given[path.name]
    if isinstance(path, nodes.Index):
        return _value(path.base, given)[path.index[0].value]  # type: ignore[attr-defined]
    assert isinstance(path, nodes.Call)
    return getattr(_value(path.args[0], given), path.text)


def _arrays(value: Any, place: str) -> Iterator[tuple[str, np.ndarray]]:
    """The arrays in a leaf: itself, or those in its lists."""
    if isinstance(value, np.ndarray):
        yield place, value
    elif isinstance(value, list) and not (value and isinstance(value[0], float)):
        for i, item in enumerate(value):
            yield from _arrays(item, f"{place}[{i}]")


def _containers(value: Any, place: str) -> Iterator[tuple[str, Any]]:
    """What of a leaf or an object can be told by its identity."""
    if not isinstance(value, np.ndarray | tuple):
        yield place, value
    if isinstance(value, list) and value and isinstance(value[0], list):
        for i, item in enumerate(value):
            yield from _containers(item, f"{place}[{i}]")


def _near(found: list[tuple[str, np.ndarray]]) -> Iterator[tuple[Any, Any]]:
    """Pairs of arrays of which the memory may overlap."""
    if len(found) < 8:
        yield from combinations(found, 2)
        return
    bounds = [(*np.lib.array_utils.byte_bounds(entry[1]), k) for k, entry in enumerate(found)]
    open_: list[tuple[int, int]] = []  # (end, place) of those that began before
    for start, end, k in sorted(bounds):
        open_ = [(e, j) for e, j in open_ if e > start]
        yield from ((found[j], found[k]) for _, j in open_)
        open_.append((end, k))


__all__ = ["Sharing", "sharing"]
