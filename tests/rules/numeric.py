"""Check a structural rule against central differences of its primal, both modes, complex too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.rules import lookup
from s2sgrad.rules.checking import Sample, check_rule
from s2sgrad.rules.declare import Rule
from s2sgrad_runtime import unbroadcast

STENCIL = ((1, 8.0), (-1, -8.0), (2, -1.0), (-2, 1.0))


class Numbers:
    """Reproducible random numbers for samples: every test starts anew."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self.rng = np.random.default_rng(0)


NUMBERS = Numbers()


def real(*shape: int) -> Any:
    """Normal numbers; square matrices away from singular ones and equal eigenvalues."""
    spread = 2.0 * np.diag(np.arange(1, shape[-1] + 1)) if shape[-2:-1] == shape[-1:] else 0.0
    return NUMBERS.rng.standard_normal(shape) + spread


def cplx(*shape: int) -> Any:
    """Complex numbers of the same kind."""
    return real(*shape) + 1j * real(*shape)


def as_tuple(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, tuple | list) else (value,)


def is_array(value: Any) -> bool:
    return np.asarray(value).dtype.kind in "fc"


def noise(rng: np.random.Generator, like: Any) -> Any:
    """Normal numbers of the shape and kind of `like`."""
    shape = np.shape(like)
    made = rng.standard_normal(shape)
    return made + 1j * rng.standard_normal(shape) if np.iscomplexobj(like) else made


def slope(primal: Callable[[Any], Any], x: Any, x_dot: Any, step: float) -> list[Any]:
    """The derivative of every output of `primal` at x along x_dot, fourth order."""
    total: list[Any] = []
    for k, weight in STENCIL:
        moved = [a + k * step * d if is_array(a) else a for a, d in zip(x, x_dot, strict=True)]
        values = [np.asarray(v) * (weight / (12 * step)) for v in as_tuple(primal(moved))]
        total = values if not total else [a + b for a, b in zip(total, values, strict=True)]
    return total


def inner(a: Any, b: Any) -> float:
    return float(np.sum(np.real(np.conj(a) * b)))


def cotangent(rule: Rule, argument: str, y_bar: Any, y: Any, bound: dict[str, Any]) -> Any:
    """What a caller of the rule does: conjugate around a holomorphic rule."""
    partial = rule.partials[argument]
    is_complex = any(
        np.iscomplexobj(v)
        for whole in (y, *(bound[a] for a in rule.arguments))
        for v in as_tuple(whole)
    )
    if not (rule.holomorphic and is_complex):
        return partial.fn(y_bar, y, *bound.values())
    back = partial.fn(conjugate(y_bar), y, *bound.values())
    return conjugate(back)


def conjugate(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [np.conj(v) for v in value]
    return np.conj(value)


def assert_rule(
    function: Any,
    *args: Any,
    constrain: Callable[[Any], Any] | None = None,
    step: float = 1e-4,
    tolerance: float = 1e-7,
    forward: bool = True,
    **kwargs: Any,
) -> None:
    """Every array argument: x_bar and y_dot agree with differences of the primal.

    constrain: maps a random direction into the set the argument lives in (Hermitian matrices).
    """
    rule = lookup(function)
    assert rule is not None, f"no rule for {function}"
    rng = np.random.default_rng(7)
    y = function(*args, **kwargs)
    bound = rule.bind(args, kwargs)
    defaults = dict(rule.signature)
    checked = 0
    for argument in rule.arguments:
        value = bound[argument]
        single = argument not in (*rule.sequences, rule.variadic)
        parts = [value] if single else list(value)
        if value is defaults[argument]:
            continue
        if argument not in rule.partials or not any(is_array(p) for p in parts):
            continue
        parts = [np.asarray(p) if is_array(p) else p for p in parts]
        x_dot = [noise(rng, p) if is_array(p) else np.zeros(np.shape(p)) for p in parts]
        x_dot = [constrain(d) for d in x_dot] if constrain else x_dot

        def primal(moved: list[Any], argument: str = argument, single: bool = single) -> Any:
            changed = {**bound, argument: moved[0] if single else moved}
            return call(function, rule, changed, args, kwargs)

        expected = slope(primal, parts, x_dot, step)
        y_bar = [noise(rng, v) for v in expected]
        packed = tuple(y_bar) if isinstance(y, tuple | list) else y_bar[0]
        found = cotangent(rule, argument, packed, y, bound)
        if rule.kind == "elementwise":
            found = unbroadcast(found, parts[0])
        found = [found] if single else list(found)
        for part, part_bar in zip(parts, found, strict=True):
            if is_array(part):
                assert np.shape(part_bar) == np.shape(part), (rule.name, argument, part_bar)
        left = sum(inner(b, v) for b, v in zip(y_bar, expected, strict=True))
        right = sum(inner(b, v) for b, v in zip(found, x_dot, strict=True))
        scale = 1.0 + sum(
            float(np.sum(np.abs(b) * np.abs(v))) for b, v in zip(found, x_dot, strict=True)
        )
        assert abs(left - right) <= tolerance * scale, (rule.name, argument, left, right)
        if forward:
            check_tangent(
                function, rule, argument, bound, x_dot, (y, expected), (args, kwargs), tolerance
            )
        checked += 1
    assert checked, f"{rule.name}: nothing was checked"
    if constrain is None and forward:
        check_rule(function, [Sample(*args, **kwargs)], rtol=1e-4)


def call(function: Any, rule: Rule, bound: dict[str, Any], args: Any, kwargs: Any) -> Any:
    """The function on changed values, passed as they were passed."""
    if rule.variadic is not None:
        leading = rule.parameters.index(rule.variadic)
        positional = [*list(bound.values())[:leading], *bound[rule.variadic]]
    else:
        positional = [bound[name] for name in rule.parameters[: len(args)]]
    return function(*positional, **{name: bound[name] for name in kwargs})


def check_tangent(
    function: Any,
    rule: Rule,
    argument: str,
    bound: dict[str, Any],
    x_dot: list[Any],
    results: tuple[Any, list[Any]],
    passed: tuple[Any, Any],
    tolerance: float,
) -> None:
    y, expected = results
    dot = x_dot if argument in (*rule.sequences, rule.variadic) else x_dot[0]
    if argument in rule.tangents:
        fn = rule.tangents[argument].fn
        dots = {f"{argument}_dot": dot}
        names = rule.tangents[argument].parameters
        found = fn(*[{"y": y, **bound, **dots}.get(name) for name in names])
    elif argument in rule.linear:
        kept = {k: v for k, v in passed[1].items() if k not in rule.affine}
        found = call(function, rule, {**bound, argument: dot}, passed[0], kept)
    elif rule.kind == "elementwise" and rule.holomorphic:
        found = rule.partials[argument].fn(dot, y, *bound.values())
    else:
        raise AssertionError(f"{rule.name} has no tangent for {argument}")
    for got, want in zip(as_tuple(found), expected, strict=True):
        np.testing.assert_allclose(
            got + np.zeros_like(want),
            want,
            rtol=0,
            atol=tolerance * (1 + np.max(np.abs(want), initial=0)),
            err_msg=f"tangent of {rule.name} by {argument}",
        )
