"""Floor 8: whether code that was generated for some sizes suits the sizes of another call.

Code may rest on equations between sizes (analysis/relations.py) that calls of the same kind need
not satisfy: `x: [n], y: [m]` with `m == n - 1`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sgrad.backend.statements import Printer
from s2sgrad.frontend.entering import held_value
from s2sgrad.frontend.lower import Lowered
from s2sgrad.ir import sizes
from s2sgrad.transform.build import size_expr

Suits = Callable[[tuple[Any, ...]], bool]


def suits(lowered: Lowered, names: tuple[str, ...]) -> Suits | None:
    """A function of the values of all parameters; None where every call of the kind is suited."""
    checks = [c for one in _levels(lowered) if (c := _check(one, names)) is not None]
    if not checks:
        return None
    return checks[0] if len(checks) == 1 else lambda values: all(c(values) for c in checks)


def rests_on_integers(lowered: Lowered) -> bool:
    """Whether an equation is about the value of an integer argument."""
    return any("int_" in letter for one in _levels(lowered) for letter in _letters(one))


def _levels(lowered: Lowered | None) -> list[Lowered]:
    found = []
    while lowered is not None:
        found.append(lowered)
        lowered = lowered.below
    return found


def _letters(lowered: Lowered) -> set[str]:
    relations = lowered.letters.relations
    return {letter for name, size in relations.items() for letter in (name, *size.letters())}


def _check(lowered: Lowered, names: tuple[str, ...]) -> Suits | None:
    conditions = list(_conditions(lowered))
    if not conditions:
        return None
    held = lowered.lowering.capture_names
    captures = [(p, held[p], where) for p, where in lowered.captures.items() if p not in names]
    parameters = [*lowered.function.parameters, *(p for p, _, _ in captures)]
    text = f"lambda {', '.join(parameters)}: {' and '.join(conditions)}"
    holds = eval(text, {})  # printed by us from shapes of arguments
    places = [(name, where) for _, name, where in captures]
    return lambda values: holds(*values, *(held_value(name, where) for name, where in places))


def _conditions(lowered: Lowered) -> list[str]:
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
