"""Try a function on complex numbers: the samples of the tests, with imaginary parts.

Every sample becomes programs, the real part of a weighted sum of the function's outputs: with all
arguments complex, with the active one or the others alone, and with a complex value made of a real
argument on the way. Gradient, tangent and Hessian are compared with differences.

Limitations: double-precision samples, at most MOST of them a function.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from trying import MOST, NOT_TRIED, SECONDS, STEP, Case, defined, samples, within

import s2sgrad
from s2sgrad.rules import lookup
from s2sgrad.rules.sampling import STENCIL, has_floats, is_complex, leaves, map_leaves

WIDE = (np.float64, np.complex128)
SHIFT = 0.3 + 0.4j  # a real argument times this is a complex value made on the way
KINDS = ("all", "this", "others", "inside")


def places(case: Case) -> list[int | str]:
    """Where arguments are that have a derivative, real or complex."""
    rule = lookup(case.function)
    found: list[int | str] = []
    for place, value in [*enumerate(case.args), *case.kwargs.items()]:
        if isinstance(place, str):
            name = rule.aliases.get(place, place)
        else:
            name = rule.parameters[place] if place < len(rule.parameters) else rule.variadic
        wide = all(np.asarray(leaf).dtype in WIDE for leaf in leaves(value))
        if name in rule.partials and name not in case.constant and has_floats(value) and wide:
            found.append(place)
    return found


def with_imaginary(value: Any, seed: int) -> Any:
    """The value with imaginary parts; symmetric matrices become Hermitian ones."""
    rng = np.random.default_rng(seed)

    def one(leaf: Any) -> Any:
        a = np.asarray(leaf)
        if a.dtype.kind == "c":
            return leaf
        b = 0.3 * rng.standard_normal(a.shape)
        if a.ndim > 1 and a.shape[-1] == a.shape[-2] and np.allclose(a, a.swapaxes(-1, -2)):
            b = b - b.swapaxes(-1, -2)
        return (a + 1j * b)[()]

    return map_leaves(one, value)


def changed(case: Case, place: int | str, kind: str) -> Case | None:
    """The case with some arguments complex; None where that is the same as another kind."""
    active = places(case)
    others = [p for p in active if p != place]
    given = dict([*enumerate(case.args), *case.kwargs.items()])
    if kind == "inside" and _is_hermitian(case, place):
        return None  # a multiple of it is not, and only its half is read
    if kind in ("this", "others") and not others:
        return None
    for k, p in enumerate(active):
        turned = kind == "all" or ((kind == "this") == (p == place) and kind != "inside")
        given[p] = with_imaginary(given[p], k) if turned else map_leaves(np.real, given[p])
    args = tuple(given[k] for k in range(len(case.args)))
    return replace(case, args=args, kwargs={k: given[k] for k in case.kwargs})


def program(case: Case, place: int | str, kind: str) -> tuple[Any, Any]:
    """(program, its argument) of one case and active argument."""
    x = case.kwargs[place] if isinstance(place, str) else case.args[place]
    names: dict[str, Any] = {"np": np, "function": case.function}
    inside = kind == "inside"
    given, values = [], []
    for at, value in [*enumerate(case.args), *case.kwargs.items()]:
        text = ("z" if inside else "x") if at == place else f"c_{at}"
        names[f"c_{at}"] = value
        given.append(f"{at}={text}" if isinstance(at, str) else text)
        values.append(map_leaves(lambda a: a * SHIFT, value) if inside and at == place else value)
    count = len(case.args)
    y = case.function(*values[:count], **dict(zip(case.kwargs, values[count:], strict=True)))
    rng, terms = np.random.default_rng(5), []
    for k, part in enumerate(y if isinstance(y, tuple | list) else [y]):
        if np.asarray(part).dtype.kind not in "fc":
            continue
        w = rng.standard_normal(np.shape(part))
        names[f"w{k}"] = w + 1j * rng.standard_normal(w.shape)
        which = f"y[{k}]" if isinstance(y, tuple | list) else "y"
        terms.append(f"np.sum(np.real(w{k} * {which}))")
    made = "x"
    if inside and isinstance(x, list | tuple):
        made = f"[{', '.join(f'x[{k}] * {SHIFT}' for k in range(len(x)))}]"
    elif inside:
        made = f"x * {SHIFT}"
    lines = (
        f"def f(x):\n    z = {made}\n    y = function({', '.join(given)})\n"
        f"    return {' + '.join(terms)}\n"
    )
    return defined(lines, names), x


def _is_hermitian(case: Case, place: int | str) -> bool:
    """Whether the active argument is a matrix that equals its conjugate transpose."""
    parts = [
        np.asarray(a)
        for a in leaves(case.kwargs[place] if isinstance(place, str) else case.args[place])
    ]
    square = [a for a in parts if a.ndim > 1 and a.shape[-1] == a.shape[-2]]
    return any(np.allclose(a, a.conj().swapaxes(-1, -2)) for a in square)


def direction(case: Case, x: Any, seed: int) -> Any:
    rng = np.random.default_rng(seed)

    def one(leaf: Any) -> Any:
        made = rng.standard_normal(np.shape(leaf))
        wide = made + 1j * rng.standard_normal(made.shape) if np.iscomplexobj(leaf) else made
        return case.constrain(wide)

    return map_leaves(one, x)


def inner(left: Any, right: Any) -> float:
    both = zip(leaves(left), leaves(right), strict=True)
    return float(sum(np.sum(np.real(np.conj(a) * b)) for a, b in both))


def difference(function: Any, x: Any, v: Any, measure: Any, step: float = STEP) -> float:
    total = 0.0
    for offset, weight in STENCIL:
        moved = map_leaves(lambda a, d, s=offset * step: a + s * d, x, v)
        total += weight / (12 * step) * measure(function(moved))
    return float(total)


def close(found: Any, expected: float, tolerance: float) -> bool:
    return bool(abs(found - expected) < tolerance * (1 + abs(expected)))


def takes(case: Case, place: int | str, kind: str) -> bool:
    """Whether the function itself takes such numbers, and gives finite ones."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", np.exceptions.ComplexWarning)
            f, x = program(case, place, kind)
            return bool(np.isfinite(f(x)))
    except (TypeError, ValueError, NotImplementedError, np.linalg.LinAlgError, Warning):
        return False


def on_complex(case: Case, place: int | str, kind: str) -> str:
    """What is wrong, or nothing; nothing where the value jumps (eigenvalues change places)."""
    f, x = program(case, place, kind)
    u, v = direction(case, x, 1), direction(case, x, 2)
    expected = difference(f, x, v, float)
    if not close(difference(f, x, v, float, 0.5 * STEP), expected, 1e-3):
        return ""
    gradient = s2sgrad.grad(f, fallback="error")
    wrong = []
    if not close(inner(gradient(x), v), expected, 1e-6):
        wrong.append(f"reverse {inner(gradient(x), v)} not {expected}")
    found = s2sgrad.jvp(f, (x,), (v,), fallback="error")[1]
    if not close(found, expected, 1e-6):
        wrong.append(f"forward {found} not {expected}")
    curved = difference(gradient, x, v, lambda g: inner(g, u))
    found = inner(s2sgrad.hvp(f, fallback="error")(x, v), u)
    if not close(found, curved, 1e-5):
        wrong.append(f"second {found} not {curved}")
    return "; ".join(wrong)


def trials(function: Any) -> Iterator[tuple[Case, int | str, str]]:
    """What to try of a function: its first samples, with each active argument, in each kind."""
    rule = lookup(function)
    found = samples().get(rule.name, []) if rule is not None else []
    some = [c for c in found if is_complex([*c.args, *c.kwargs.values()])][:MOST]
    some += [c for c in found if not is_complex([*c.args, *c.kwargs.values()])][:MOST]
    for case in some:
        for place in places(case):
            for kind in KINDS:
                made = changed(case, place, kind)
                if made is not None and takes(made, place, kind):
                    yield made, place, kind


def tried_complex(function: Any) -> str:
    """The cell of a function: yes; real, if it takes no complex numbers; – if it went wrong."""
    rule = lookup(function)
    if rule is None or not samples().get(rule.name):
        return NOT_TRIED
    count, fine = 0, True
    for case, place, kind in trials(function):
        try:
            wrong = within(SECONDS, on_complex, case, place, kind)
        except Exception as error:
            wrong = f"{type(error).__name__}: {str(error).splitlines()[:2]}"
        if wrong:
            print(rule.name, place, kind, wrong, file=sys.stderr, flush=True)
        count, fine = count + 1, fine and not wrong
    return ("yes" if fine else "–") if count else "real"
