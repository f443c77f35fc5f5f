"""Floor 2: check a rule against its primal function: differences, shapes, linearity, reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sgrad.errors import MissingRuleError, RuleError
from s2sgrad.rules.declare import Rule, lookup
from s2sgrad.rules.sampling import (
    Sample,
    changed,
    conjugated,
    directional_difference,
    has_floats,
    inner,
    is_complex,
    is_single,
    leaves,
    magnitude,
    map_leaves,
    noise,
    scrambled,
)
from s2sgrad_runtime import unbroadcast

__all__ = ["Sample", "check_rule"]

_SINGLE_RTOL = 2e-3


@dataclass
class _Case:
    """One sample with everything the checks share."""

    rule: Rule
    sample: Sample
    bound: dict[str, Any]
    y: Any
    y_bar: Any
    rng: np.random.Generator
    rtol: float

    def fail(self, what: str, why: str) -> RuleError:
        shown = ", ".join(
            [*map(_brief, self.sample.args)]
            + [f"{k}={_brief(v)}" for k, v in self.sample.kwargs.items()]
        )
        where = f"rule of {self.rule.name}: {what}"
        return RuleError(where, self.rule.span, f"{why}; sample ({shown})")


def check_rule(
    function: Callable[..., Any], samples: Iterable[Any], *, rtol: float = 1e-6, seed: int = 0
) -> None:
    """Check the declared derivative of `function` on samples of its arguments.

    `samples`: `Sample(*args, **kwargs)` each, or a tuple of positional arguments. Every float
    array argument of every sample is checked:

    - against central differences of the primal along random directions, forwards and backwards;
    - its cotangent has its shape, and stays single precision where everything is;
    - the cotangent is linear in `y_bar`;
    - what a partial is said not to read may be NaN, and what it reads for its shape only too;
    - neither arguments nor `y_bar` are written to.

    Complex samples are checked in the conjugate convention, dL = Re(conj(x_bar) dx).

    Raises TypeError for a sample that is an array or a number, MissingRuleError where there is
    no rule, and RuleError, which points at the rule, for the first check that fails.

    Limitations: differences see nothing at kinks, ties and saturated values (samples should keep
    0.01 away from them, and edge values need tables of their own), and miss relative errors
    below `rtol`. One random direction each can in principle miss an error orthogonal to it.

    >>> check_rule(np.tanh, [(np.array([0.5, -1.0]),)])
    """
    rule = lookup(function)
    if rule is None or rule.kind == "not_yet":
        raise MissingRuleError(getattr(function, "__name__", repr(function)))
    for number, given in enumerate(samples):
        sample = given if isinstance(given, Sample) else Sample(*_arguments(function, given))
        case = _case(rule, sample, np.random.default_rng(seed + number), rtol)
        if rule.kind in ("zero", "none"):
            continue
        for argument in _active(case):
            _check_reverse(case, argument)
            _check_reads(case, argument)
            if not _turned_round(rule, argument):
                _check_forward(case, argument)


def _arguments(function: Callable[..., Any], given: Any) -> tuple[Any, ...]:
    """The positional arguments of one sample. An array would be taken for a list of them."""
    if isinstance(given, tuple | list):
        return tuple(given)
    name = getattr(function, "__name__", "f")
    raise TypeError(
        f"check_rule takes a list of samples, each a tuple of all arguments of {name}, but one "
        f"sample is {_brief(given)}; write check_rule({name}, [(x, ...)])"
    )


def _turned_round(rule: Rule, argument: str) -> bool:
    """Whether the compiler makes the tangent from the cotangent, which was checked to be linear."""
    known = argument in rule.tangents or argument in rule.linear
    return bool(rule.extra.get("by_user")) and not known


def _case(rule: Rule, sample: Sample, rng: np.random.Generator, rtol: float) -> _Case:
    bound = rule.bind(sample.args, sample.kwargs) if rule.declaration else {}
    y = rule.function(*sample.args, **sample.kwargs)
    if rule.tuple_output and isinstance(y, list):
        y = tuple(y)
    single = is_single((sample.args, sample.kwargs))
    return _Case(rule, sample, bound, y, noise(rng, y), rng, _SINGLE_RTOL if single else rtol)


def _active(case: _Case) -> list[str]:
    """The array arguments of the sample that hold floats and have a partial."""
    defaults = dict(case.rule.signature)
    return [
        name
        for name in case.rule.arguments
        if name in case.rule.partials
        and name not in case.rule.shape_only
        and name not in case.sample.constant
        and case.bound[name] is not defaults[name]
        and has_floats(case.bound[name])
    ]


def cotangent(case: _Case, argument: str, y_bar: Any, bound: dict[str, Any], y: Any) -> Any:
    """What a caller of the rule makes of the partial: conjugates, and sums down to the shape."""
    rule, x = case.rule, case.bound[argument]
    around = rule.holomorphic and is_complex((case.y, *(case.bound[a] for a in rule.arguments)))
    if around:
        y_bar = conjugated(y_bar)
    with np.errstate(all="ignore"):
        x_bar = rule.partials[argument].fn(y_bar, y, *bound.values())
    if around:
        x_bar = conjugated(x_bar)
    if argument in rule.sequences and isinstance(x, np.ndarray):
        return np.asarray(x_bar)  # one array stood for the sequence of its rows
    if isinstance(x, dict):
        return map_leaves(lambda a, b: unbroadcast(b, a), x, x_bar)
    if argument in rule.sequences:
        return [unbroadcast(b, a) for b, a in zip(leaves(x_bar), leaves(x), strict=True)]
    by_user = rule.extra.get("by_user")  # what it left broadcast is summed down for it
    if rule.kind == "structural" and np.shape(x_bar) != np.shape(x) and not by_user:
        raise case.fail(
            f"cotangent of {argument} has shape {np.shape(x_bar)}",
            f"the argument has shape {np.shape(x)}",
        )
    if by_user and np.shape(x_bar) != np.broadcast_shapes(np.shape(x_bar), np.shape(x)):
        raise case.fail(
            f"cotangent of {argument} has shape {np.shape(x_bar)}",
            f"the argument has shape {np.shape(x)}: give each entry its own, "
            f"np.full_like({argument}, y_bar) perhaps",
        )
    return unbroadcast(x_bar, x)


def _check_reverse(case: _Case, argument: str) -> None:
    before = map_leaves(np.copy, (case.y_bar, list(case.bound.values())))
    x_bar = cotangent(case, argument, case.y_bar, case.bound, case.y)
    if changed(before, (case.y_bar, list(case.bound.values()))):
        raise case.fail(f"the partial of {argument} writes into its arguments", "values changed")
    for bar, x in zip(leaves(x_bar), leaves(case.bound[argument]), strict=True):
        if np.shape(bar) != np.shape(x):
            raise case.fail(f"cotangent of {argument} has shape {np.shape(bar)}", str(np.shape(x)))
    wide = [leaf for leaf in leaves(x_bar) if np.ndim(leaf) and np.asarray(leaf).itemsize > 4]
    if wide and is_single((case.sample.args, case.y)) and not is_complex(case.sample.args):
        raise case.fail(f"cotangent of {argument} is {wide[0].dtype}", "everything else is float32")
    x_dot = noise(case.rng, case.bound[argument])
    y_dot = directional_difference(case.rule, case.sample, argument, x_dot)
    found, expected = inner(x_bar, x_dot), inner(case.y_bar, y_dot)
    _compare(case, f"cotangent of {argument}", found, expected, magnitude(case.y_bar, y_dot))
    _check_linear(case, argument, x_bar)
    _check_plain(case, argument, x_bar)


def _compare(case: _Case, what: str, found: float, expected: float, scale: float) -> None:
    if not abs(found - expected) <= case.rtol * (scale + 1e-3):
        raise case.fail(
            f"{what} is wrong",
            f"along a random direction it gives {found:.12g}, differences {expected:.12g}",
        )


def _check_linear(case: _Case, argument: str, x_bar: Any) -> None:
    other = noise(case.rng, case.y)
    second = cotangent(case, argument, other, case.bound, case.y)
    mixed = map_leaves(lambda a, b: 2.0 * a - 3.0 * b, case.y_bar, other)
    both = cotangent(case, argument, mixed, case.bound, case.y)
    for one, two, sum_ in zip(leaves(x_bar), leaves(second), leaves(both), strict=True):
        size = np.max(np.abs(one), initial=0.0) + np.max(np.abs(two), initial=0.0) + 1e-3
        if np.max(np.abs(2.0 * one - 3.0 * two - sum_), initial=0.0) > 10 * case.rtol * size:
            raise case.fail(f"the cotangent of {argument} is not linear in y_bar", "2 a - 3 b")


def _check_plain(case: _Case, argument: str, x_bar: Any) -> None:
    """Numbers of Python must do as well as those of NumPy: they have no dtype of their own."""
    y_bar, y = map_leaves(_as_plain, (case.y_bar, case.y))
    bound = {name: map_leaves(_as_plain, value) for name, value in case.bound.items()}
    try:
        found = cotangent(case, argument, y_bar, bound, y)
    except (TypeError, AttributeError) as error:
        what = f"the partial of {argument} does not take Python's floats"
        raise case.fail(what, str(error)) from error
    for one, two in zip(leaves(x_bar), leaves(found), strict=True):
        if not np.allclose(one, two, rtol=1e-13, atol=0.0, equal_nan=True):
            raise case.fail(f"the cotangent of {argument} is inexact", "for Python's floats")


def _as_plain(leaf: Any) -> Any:
    kind = getattr(leaf, "dtype", None)
    return float(leaf) if kind == np.float64 and np.ndim(leaf) == 0 else leaf


def _check_reads(case: _Case, argument: str) -> None:
    """What the partial does not read by value is replaced; the cotangent must not notice."""
    partial = case.rule.partials[argument]
    expected = cotangent(case, argument, case.y_bar, case.bound, case.y)

    def hide(name: str, value: Any) -> Any:
        if name in partial.reads:
            return value
        return scrambled(value) if name in partial.shapes else _Unread(name)

    bound = {name: hide(name, value) for name, value in case.bound.items()}
    try:
        found = cotangent(case, argument, case.y_bar, bound, hide("y", case.y))
    except (TypeError, AttributeError, ValueError, IndexError) as error:
        raise case.fail(f"the partial of {argument} reads more than it says", str(error)) from error
    for one, two in zip(leaves(expected), leaves(found), strict=True):
        if not np.array_equal(one, two, equal_nan=True):
            raise case.fail(f"the partial of {argument} reads more than it says", "NaN came out")


class _Unread:
    """Stands for a parameter that a partial is said not to look at."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError(f"it reads {self.name}")


def _check_forward(case: _Case, argument: str) -> None:
    x_dot = noise(case.rng, case.bound[argument])
    y_dot = tangent_of(case, argument, x_dot)
    expected = directional_difference(case.rule, case.sample, argument, x_dot)
    probe = case.y_bar
    for one, y in zip(leaves(y_dot), leaves(case.y), strict=True):
        if np.shape(one) != np.shape(y):
            raise case.fail(f"tangent of {argument} has shape {np.shape(one)}", str(np.shape(y)))
        if is_complex(one) and not is_complex(y):
            raise case.fail(f"tangent of {argument} is complex", "the result is real")
    scale = magnitude(probe, expected)
    _compare(case, f"tangent of {argument}", inner(probe, y_dot), inner(probe, expected), scale)


def tangent_of(case: _Case, argument: str, x_dot: Any) -> Any:
    """The tangent of the result where only `argument` moves, as the forward transform forms it."""
    rule, bound = case.rule, case.bound
    with np.errstate(all="ignore"):
        if argument in rule.tangents:
            dots = {f"{name}_dot": None for name in rule.arguments}
            dots[f"{argument}_dot"] = x_dot
            partial = rule.tangents[argument]
            known = {"y": case.y, **bound, **dots}
            found = partial.fn(*(known[name] for name in partial.parameters))
        elif argument in rule.linear and rule.kind == "structural":
            args, kwargs = _linear_call(case, argument, x_dot)
            found = rule.function(*args, **kwargs)
        elif rule.kind == "elementwise":
            found = rule.partials[argument].fn(x_dot, case.y, *bound.values())
        else:
            raise case.fail(f"no tangent in {argument}", "declare linear= or @tangent")
    if rule.kind == "elementwise" and np.shape(found) != np.shape(case.y):
        found = np.broadcast_to(found, np.shape(case.y))
    return found


def _linear_call(case: _Case, argument: str, x_dot: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    args, kwargs = case.sample.replaced(case.rule, argument, x_dot)
    return args, {k: v for k, v in kwargs.items() if k not in case.rule.affine}


def _brief(value: Any) -> str:
    if isinstance(value, np.ndarray) and value.ndim:
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_brief, value)) + "]"
    return repr(value)
