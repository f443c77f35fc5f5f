"""Floor 4: the number that says which of several functions a run has chosen, and the value of
what it has not."""

from __future__ import annotations

from collections.abc import Sequence

from s2sgrad.frontend.state import constant
from s2sgrad.frontend.values import Chosen, Static, Value, is_function
from s2sgrad.ir import nodes
from s2sgrad.ir.types import BOOL, INT, Scalar, is_float_dtype

MOST = 12  # more functions than this for one name: they are made anew all the time


def options_of(values: Sequence[Value | None]) -> tuple[Value, ...]:
    """The different functions among values, in order."""
    parts = [options_of(v.options) if isinstance(v, Chosen) else (v,) for v in values if v]
    found: list[Value] = []
    for options in sorted(parts, key=len, reverse=True):  # most keep the numbers they have
        found += [p for p in options if p not in found]
    return tuple(found)


def number_of(value: Value, options: tuple[Value, ...]) -> nodes.Expr:
    """The number of a function among `options`, as an expression."""
    if not isinstance(value, Chosen):
        position = options.index(value)
        return nodes.Const(position, type=Scalar("int", None, position))
    if value.options == options[: len(value.options)] and not value.numbers:
        return value.which
    result = number_of(value.options[-1], options)
    for i in range(len(value.options) - 2, -1, -1):
        then = number_of(value.options[i], options)
        result = nodes.Choice(is_chosen(value, i), then, result, type=INT)
    return result


def numbered(chosen: Chosen) -> dict[int, Value]:
    """The options by their numbers."""
    numbers = chosen.numbers or range(len(chosen.options))
    return dict(zip(numbers, chosen.options, strict=True))


def chosen_of(which: nodes.Expr, options: dict[int, Value]) -> Value:
    """One of several options, by their numbers."""
    if len(options) == 1:
        return next(iter(options.values()))
    plain = list(options) == list(range(len(options)))
    return Chosen(which, tuple(options.values()), () if plain else tuple(options))


def is_chosen(chosen: Chosen, position: int) -> nodes.Expr:
    """Whether the option at this position was chosen."""
    return is_option(chosen.which, chosen.numbers[position] if chosen.numbers else position)


def is_option(which: nodes.Expr, number: int) -> nodes.Expr:
    """Whether the function with this number was chosen."""
    constant = nodes.Const(number, type=Scalar("int", None, number))
    return nodes.Call("==", "==", (which, constant), form="operator", type=BOOL)


def asks_which(test: nodes.Expr) -> bool:
    """Whether a test asks only which one was chosen: `which == 0 or which == 2`."""
    match test:
        case nodes.Call(function="==", args=(nodes.Var(), nodes.Const(value=int()))):
            return True
        case nodes.Call(function="or", args=args):
            return all(map(asks_which, args))
    return False


def filler(var: nodes.Var) -> nodes.Expr:
    """What a variable holds where nothing reads it."""
    number = isinstance(var.type, Scalar) and is_float_dtype(var.type.dtype)
    return constant(0.0 if number else None)


def is_thing(value: object) -> bool:
    """Whether a value is an object that code can be specialised to: a function, an enum member."""
    if isinstance(value, Chosen):
        return all(v == Static(None) or is_thing(v) for v in value.options)
    if isinstance(value, Static):
        return not isinstance(value.value, bool | int | float | complex | str | None)
    return isinstance(value, Value) and is_function(value)
