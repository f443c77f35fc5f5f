"""Floor 8: whether code that was generated for some sizes suits the sizes of another call.

Code may rest on equations between sizes (analysis/relations.py) that calls of the same kind need
not satisfy: `x: [n], y: [m]` with `m == n - 1`. And on how arrays lie in memory, where that decides
between a view and a copy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from s2sgrad.backend.statements import Printer
from s2sgrad.calls.binding import Place
from s2sgrad.frontend.functions.held_values import held_value
from s2sgrad.frontend.lower import Lowered
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.types import Array, List, Type
from s2sgrad.transform.preparing.settle import layout_matters
from s2sgrad.transform.writing.build import size_expr

Suits = Callable[[tuple[Any, ...]], bool]


@dataclass(frozen=True)
class Condition:
    """A condition on the arguments, as the text of a function of them and of values from outside.

    captures: (name, where its value stands) of those.
    """

    text: str
    captures: tuple[Place, ...]


def suits(lowered: Lowered, names: tuple[str, ...]) -> Suits | None:
    """A function of the values of all parameters; None where every call of the kind is suited."""
    return all_hold(conditions(lowered, names))


def all_hold(required: Sequence[Condition]) -> Suits | None:
    """A function that says whether conditions hold; None where there are none."""
    checks = [_check(c) for c in required]
    if not checks:
        return None
    return checks[0] if len(checks) == 1 else lambda values: all(c(values) for c in checks)


def conditions(lowered: Lowered, names: tuple[str, ...]) -> tuple[Condition, ...]:
    """What must hold for the sizes of a call."""
    found = (_condition(one, names) for one in levels(lowered))
    return tuple(c for c in found if c is not None)


def rests_on_more(lowered: Lowered) -> bool:
    """Whether a condition is about what tokens do not tell: integers, and layouts in memory."""
    return any(
        any("int_" in letter for letter in _letters(one)) or _about_layouts(one)
        for one in levels(lowered)
    )


def levels(lowered: Lowered | None) -> list[Lowered]:
    """What was lowered: generated code, what that was made from, and so on to the primal."""
    found = []
    while lowered is not None:
        found.append(lowered)
        lowered = lowered.below
    return found


def _letters(lowered: Lowered) -> set[str]:
    relations = lowered.letters.relations
    found = {letter for name, size in relations.items() for letter in (name, *size.letters())}
    relied = lowered.assumptions.made if lowered.assumptions is not None else ()
    return found.union(*(size.letters() for size in relied))


def _condition(lowered: Lowered, names: tuple[str, ...]) -> Condition | None:
    required = [*_texts(lowered), *_about_layouts(lowered)]
    if not required:
        return None
    held = lowered.lowering.capture_names
    captures = [(p, held[p], where) for p, where in lowered.captures.items() if p not in names]
    parameters = [*(p for p, _, _ in captures), *lowered.function.parameters]
    text = f"lambda {', '.join(parameters)}, *tangents: {' and '.join(required)}"
    return Condition(text, tuple((name, where) for _, name, where in captures))


def _about_layouts(lowered: Lowered) -> list[str]:
    """That all arrays lie in C order, or not all, as in the call that the code was made for."""
    function, known = lowered.function, lowered.assumptions
    if known is None or not layout_matters(function.body, nodes.names_in(function.output)):
        return []
    leaves = (*function.inputs, *function.parameters, *lowered.captures)
    found = []
    for name in dict.fromkeys(leaves):
        path = Printer().text(function.inputs.get(name, nodes.Var(name)))
        found += _in_order(path, function.types.get(name))
    if known.in_order or not found:
        return found
    return [f"not ({' and '.join(found)})"]


def _in_order(text: str, kind: Type | None, depth: int = 0) -> list[str]:
    """The condition that an array, or those in a list, lie in C order; none for other types."""
    if isinstance(kind, Array):
        return [f"{text}.flags.c_contiguous"]
    if not isinstance(kind, List):
        return []
    item = f"item_{depth}"
    return [f"all({one} for {item} in {text})" for one in _in_order(item, kind.item, depth + 1)]


def _check(condition: Condition) -> Suits:
    holds = eval(condition.text, {})  # printed by us from shapes of arguments
    places = condition.captures
    return lambda values: holds(*(held_value(name, where) for name, where in places), *values)


def _texts(lowered: Lowered) -> list[str]:
    letters, found = lowered.letters, []
    for letter, size in letters.relations.items():
        if not all(map(letters.derive, sorted({letter, *size.letters()}))):
            continue  # of an argument that the code does not use
        quotients = sorted(q for q in {letter, *size.letters()} if "/" in q)
        plain = {name: e for name, e in letters.origin.items() if isinstance(name, str)}
        sides = size_expr(sizes.of(letter), plain), size_expr(size, plain)  # type: ignore[arg-type]
        first, second = (Printer().text(side) for side in sides if side is not None)
        found.append(f"{first} == {second}")
        found += [f"{Printer().text(plain[q])} >= 2" for q in quotients]
    for size in lowered.assumptions.made if lowered.assumptions is not None else ():
        shown = size_expr(size, {n: e for n, e in letters.origin.items() if isinstance(n, str)})
        if shown is not None:
            found.append(f"{Printer().text(shown)} >= 0")
    return found
