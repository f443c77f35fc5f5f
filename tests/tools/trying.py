"""Try a function's second derivative and its gradient under Numba, on the samples of the tests.

Every sample becomes a program, the weighted sum of the function's outputs, with one argument
active. Its Hessian times a direction is compared with differences of its gradient, and its
gradient under Numba with the one without.

Limitations: real double-precision samples, at most MOST of them a function.
"""

from __future__ import annotations

import itertools
import linecache
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS.parent), str(TESTS / "rules")]

import numeric  # noqa: E402
import pytest  # noqa: E402
from written_programs import text_of  # noqa: E402

import s2sgrad  # noqa: E402
from s2sgrad.analysis.infer import COMPLEX_BY_VALUE  # noqa: E402
from s2sgrad.rules import lookup  # noqa: E402
from s2sgrad.rules.sampling import (  # noqa: E402
    STENCIL,
    has_floats,
    is_complex,
    leaves,
    map_leaves,
)

MOST, SECONDS, STEP = 2, 60, 1e-4
NOT_TRIED = "not tried"
COUNTER = itertools.count()


@dataclass(frozen=True)
class Case:
    """One call of a function; `constrain` maps directions into the set an argument lives in."""

    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    constrain: Callable[[Any], Any]
    constant: tuple[str, ...] = ()


class Collected(list[Case]):
    """Stands in for `assert_rule`: keeps the calls that the tests make."""

    def __call__(self, function: Any, *args: Any, constrain: Any = None, **kwargs: Any) -> None:
        for option in ("step", "tolerance", "forward"):
            kwargs.pop(option, None)
        self.append(Case(function, args, kwargs, constrain or (lambda d: d)))


@cache
def samples() -> dict[Any, list[Case]]:
    """Function (by its rule) -> the calls of it in tests/rules."""
    from tests.rules.samples import SAMPLES

    kept, found = Collected(), {}
    for function, given in SAMPLES.items():
        for one in given:
            kept.append(Case(function, one.args, one.kwargs, lambda d: d, one.constant))
    original, numeric.assert_rule = numeric.assert_rule, kept
    files = [
        f for f in (TESTS / "rules").glob("test_*.py") if "import assert_rule" in f.read_text()
    ]
    files = [str(f) for f in files] + ["-q", "--no-header", "-p", "no:cacheprovider"]
    pytest.main([*files, "-k", "not twice", "-W", "ignore"])
    numeric.assert_rule = original
    for case in kept:
        rule = lookup(case.function)
        if rule is not None:
            found.setdefault(rule.name, []).append(case)
    return found


def active(case: Case) -> Iterator[int | str]:
    """Where real float arguments are that have a derivative: a position or a keyword."""
    rule = lookup(case.function)
    for place, value in [*enumerate(case.args), *case.kwargs.items()]:
        if isinstance(place, str):
            name = rule.aliases.get(place, place)
        else:
            name = rule.parameters[place] if place < len(rule.parameters) else rule.variadic
        wide = all(np.asarray(leaf).dtype == np.float64 for leaf in leaves(value))
        if name in rule.partials and name not in case.constant and has_floats(value) and wide:
            yield place


def program(case: Case, place: int | str) -> tuple[Any, Any]:
    """(program, its argument): the weighted sum of the outputs, as a function of one argument."""
    outputs = case.function(*case.args, **case.kwargs)
    several = isinstance(outputs, tuple | list)
    rng, names, terms = np.random.default_rng(5), {"np": np, "function": case.function}, []
    for k, y in enumerate(outputs if several else [outputs]):
        if np.asarray(y).dtype.kind in "fc":
            names[f"w{k}"] = rng.standard_normal(np.shape(y))
            part = f"y[{k}]" if several else "y"
            complex_by_value = getattr(case.function, "__name__", "") in COMPLEX_BY_VALUE
            part = f"np.real({part})" if np.iscomplexobj(y) or complex_by_value else part
            terms.append(f"np.sum(w{k} * {part})")
    given = []
    for at, value in [*enumerate(case.args), *case.kwargs.items()]:
        text = "x" if at == place else f"c_{at}"
        names[f"c_{at}"] = value
        given.append(f"{at}={text}" if isinstance(at, str) else text)
    lines = f"def f(x):\n    y = function({', '.join(given)})\n    return {' + '.join(terms)}\n"
    x = case.kwargs[place] if isinstance(place, str) else case.args[place]
    return defined(lines, names), x


def defined(text: str, names: dict[str, Any]) -> Any:
    """The function f of a text, with a source that can be read."""
    module = ModuleType(f"tried_{next(COUNTER)}")
    filename = f"<{module.__name__}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    vars(module).update(names)
    exec(compile(text, filename, "exec"), vars(module))
    return module.f


def dot(left: Any, right: Any) -> float:
    return float(sum(np.sum(a * b) for a, b in zip(leaves(left), leaves(right), strict=True)))


def direction(case: Case, x: Any, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    return map_leaves(lambda leaf: case.constrain(rng.standard_normal(np.shape(leaf))), x)


def second_order(case: Case, place: int | str) -> bool:
    """Whether the Hessian times a direction is what differences of the gradient say."""
    f, x = program(case, place)
    return is_hessian(f, x, direction(case, x, 1), direction(case, x, 2))


def is_hessian(f: Any, x: Any, u: Any, v: Any) -> bool:
    """Whether `hvp` of f is what differences of its gradient say."""
    gradient = s2sgrad.grad(f, fallback="error")
    expected = 0.0
    for offset, weight in STENCIL:
        moved = map_leaves(lambda a, d, s=offset * STEP: a + s * d, x, v)
        expected += weight / (12 * STEP) * dot(gradient(moved), u)
    found = dot(s2sgrad.hvp(f, fallback="error")(x, v), u)
    return abs(found - expected) < 1e-5 * (1 + abs(expected))


def under_numba(case: Case, place: int | str) -> bool:
    """Whether the gradient compiles with Numba and stays the same."""
    return is_same_compiled(*program(case, place))


def is_same_compiled(f: Any, x: Any) -> bool:
    """Whether the gradient of f is the same under Numba."""
    plain = s2sgrad.grad(f, fallback="error")(x)
    found = s2sgrad.grad(f, jit=True, fallback="error")(x)
    close = [
        np.allclose(a, b, rtol=1e-6, atol=1e-9)
        for a, b in zip(leaves(plain), leaves(found), strict=True)
    ]
    return bool(close) and all(close)


def cases(function: Any) -> list[tuple[Case, int | str]]:
    """The first MOST samples in real numbers, with each active argument."""
    rule = lookup(function)
    found, used = [], 0
    for case in samples().get(rule.name, []) if rule is not None else []:
        real = not is_complex([*case.args, *case.kwargs.values()])
        places = list(active(case)) if real and used < MOST else []
        used += bool(places)
        found += [(case, place) for place in places]
    return found


def tried(check: Callable[[Case, int | str], bool], function: Any) -> str:
    """The cell of a function: yes; – with what went wrong on stderr; not tried without samples."""
    given = cases(function)
    for case, place in given:
        try:
            fine, why = within(SECONDS, check, case, place), "wrong"
        except Exception as error:
            fine, why = False, f"{type(error).__name__}: {str(error).splitlines()[:2]}"
        if not fine:
            print(lookup(function).name, place, why, file=sys.stderr, flush=True)
            return "–"
    return "yes" if given else NOT_TRIED


def tried_written(name: str, real: bool) -> tuple[str, str, str]:
    """The cells of a function with a program in written_programs.py. real: no complex numbers."""
    text, x = text_of(name)
    around = defined(text_of(name, around=True)[0], {})
    f, (u, v) = defined(text, {}), np.random.default_rng(1).standard_normal((2, *x.shape))

    def complex_too() -> bool:
        return is_gradient(around, x, u) and is_hessian(around, x, u, v)

    number = "real" if real else _cell(name, complex_too)
    checks = (lambda: is_hessian(f, x, u, v), lambda: is_same_compiled(f, x))
    return number, *(_cell(name, check) for check in checks)  # type: ignore[return-value]


def is_gradient(f: Any, x: Any, u: Any) -> bool:
    """Whether the gradient of f is what differences say."""
    expected = sum(w * f(x + o * STEP * u) for o, w in STENCIL) / (12 * STEP)
    return abs(dot(s2sgrad.grad(f, fallback="error")(x), u) - expected) < 1e-6 * (1 + abs(expected))


def _cell(name: str, check: Callable[[], bool]) -> str:
    try:
        fine, why = within(SECONDS, check), "wrong"
    except Exception as error:
        fine, why = False, f"{type(error).__name__}: {str(error).splitlines()[:2]}"
    if not fine:
        print(name, why, file=sys.stderr, flush=True)
    return "yes" if fine else "–"


def within(seconds: int, work: Callable[..., Any], *args: Any) -> Any:
    """The work's result, or TimeoutError."""

    def late(*_: Any) -> None:
        raise TimeoutError(f"more than {seconds} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return work(*args)
    finally:
        signal.alarm(0)
