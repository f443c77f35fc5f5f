"""Floor 6: what a condition says of the counters in it.

for i in range(n):
    if i + 1 < n:
        d = x[i + 1] - x[i]        here i is at most n - 2
    if i == 0:
        s = x[0]
    else:
        s = x[i - 1]               here it is at least 1
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from s2sgrad.backend.loops.ranges import Moment
from s2sgrad.ir import sizes
from s2sgrad.ir.assumptions import never_negative
from s2sgrad.ir.nodes import Call, Expr
from s2sgrad.ir.sizes import ONE, Size

_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


@contextmanager
def narrowed(moment: Moment, test: Expr, holds: bool = True) -> Iterator[None]:
    """While this lasts a condition is known to hold, or not to."""
    before = dict(moment.ranges)
    _note(moment, test, holds)
    try:
        yield
    finally:
        moment.ranges = before


def _note(moment: Moment, test: Expr, holds: bool) -> None:
    match test:
        case Call(form="operator", text="not", args=(inner,)):
            _note(moment, inner, not holds)
        case Call(form="operator", text="and" | "or" as text, args=args):
            if holds == (text == "and"):
                for arg in args:
                    _note(moment, arg, holds)
        case Call(form="operator", text=sign, args=(left, right)) if sign in _OPPOSITE:
            first, second = moment.value(left), moment.value(right)
            if first is not None and second is not None:
                _note_order(moment, first - second, sign if holds else _OPPOSITE[sign])


def _note_order(moment: Moment, difference: Size, sign: str) -> None:
    """Note that a difference is below zero, above it, and so on."""
    opposite = sizes.of(0) - difference
    match sign:
        case "<":
            _note_at_least(moment, opposite - ONE)
        case "<=":
            _note_at_least(moment, opposite)
        case ">":
            _note_at_least(moment, difference - ONE)
        case ">=":
            _note_at_least(moment, difference)
        case "==":
            _note_at_least(moment, difference)
            _note_at_least(moment, opposite)
        case "!=":
            _note_unequal(moment, difference)


def _note_at_least(moment: Moment, size: Size) -> None:
    """Note that a size is not negative: a bound of the innermost counter in it."""
    found = _counter(moment, size)
    if found is None:
        return
    letter, factor = found
    low, high = moment.ranges[letter]
    own = sizes.of(letter)
    if factor > 0:
        bound = own - size
        low = low if never_negative(low - bound) else bound
    else:
        bound = own + size
        high = high if never_negative(bound - high) else bound
    moment.ranges[letter] = low, high


def _note_unequal(moment: Moment, difference: Size) -> None:
    """Note that a counter is not a number: where that is its lowest, it is above it."""
    found = _counter(moment, difference)
    if found is None:
        return
    letter, factor = found
    low, high = moment.ranges[letter]
    number = sizes.of(letter) - difference * sizes.of(factor)
    low = low + ONE if number == low else low
    high = high - ONE if number == high else high
    moment.ranges[letter] = low, high


def _counter(moment: Moment, size: Size) -> tuple[str, int] | None:
    """The innermost counter in a size, and its sign, where it stands there once and alone."""
    letters = [letter for letter in moment.ranges if letter in size.letters()]
    if not letters:
        return None
    terms = [(monomial, factor) for monomial, factor in size.terms if letters[-1] in monomial]
    if len(terms) != 1 or terms[0][0] != (letters[-1],) or abs(terms[0][1]) != 1:
        return None
    return letters[-1], terms[0][1]


__all__ = ["narrowed"]
