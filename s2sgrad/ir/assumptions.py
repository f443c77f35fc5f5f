"""Floor 1: what holds for the sizes of a call, and is relied upon by the code made for it.

Slices such as `x[1 : n + 3]` have the length that their bounds say as long as the bounds lie
within the axis. Where the call that code is made for has them there, this is assumed: the code
is used again only for calls whose sizes keep to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from s2sgrad.ir.sizes import Size, at_least_two


class Assumptions:
    """lengths: letter -> its number in this call. made: sizes relied upon not to be negative.

    lengths holds those of axes and the integer arguments; what changes in a loop is in neither.
    counters: variable of a loop over a range -> (its lowest value, one more than its highest), by
    names of the lowering. in_order: whether every array that the call brings lies in C order.
    """

    def __init__(self, lengths: dict[str, int]) -> None:
        self.lengths = lengths
        self.made: dict[Size, None] = {}
        self.counters: dict[str, tuple[Size, Size]] = {}
        self.in_order = True

    def without_counters(self) -> Assumptions:
        """The same for code whose variables were named anew."""
        new = Assumptions(self.lengths)
        new.made, new.in_order = self.made, self.in_order
        return new

    def hold(self, differences: tuple[Size, ...]) -> bool:
        """Whether none of the sizes is negative in this call; if so that is relied upon."""
        if not all(n in self.lengths for d in differences for n in d.letters()):
            return False
        if any(d.at(self.lengths) < 0 for d in differences):
            return False
        self.made.update((d, None) for d in differences if not never_negative(d))
        return True


def never_negative(size: Size) -> bool:
    """Whether a size is surely not negative: letters of axes stand for at least 2."""
    if not all(map(at_least_two, size.letters())):
        return False
    if any(factor < 0 for letters, factor in size.terms if letters):
        return False
    return sum(factor * 2 ** len(letters) for letters, factor in size.terms) >= 0


_PRESENT: ContextVar[Assumptions | None] = ContextVar("assumptions", default=None)


@contextmanager
def relying_on(assumptions: Assumptions | None) -> Iterator[None]:
    """Code is being made for a call of which this is known; None: nothing is."""
    token = _PRESENT.set(assumptions)
    try:
        yield
    finally:
        _PRESENT.reset(token)


def note_counter(name: str, lowest: Size, stop: Size) -> None:
    """Note the values of a loop's counter."""
    present = _PRESENT.get()
    if present is not None:
        present.counters[name] = (lowest, stop)


def forget_counter(name: str) -> None:
    """Nothing is known of a variable that is new, or that another loop binds."""
    present = _PRESENT.get()
    if present is not None:
        present.counters.pop(name, None)


def forget_counters() -> None:
    """From now on variables have other names: one may stand for the counters of several loops."""
    present = _PRESENT.get()
    if present is not None:
        _PRESENT.set(present.without_counters())


def values_of_counter(name: str) -> tuple[Size, Size] | None:
    """(the lowest value of a loop's counter, one more than the highest), if they are known."""
    present = _PRESENT.get()
    return None if present is None else present.counters.get(name)


def arrays_in_order() -> bool:
    """Whether the arrays that the present call brings are known to lie in C order."""
    present = _PRESENT.get()
    return present is not None and present.in_order


def anything_known() -> bool:
    """Whether code is being made: what is made within it has no sizes of its own to rely on."""
    return _PRESENT.get() is not None


def not_negative(*differences: Size) -> bool:
    """Whether sizes are not negative, by their own look or by the present call."""
    if all(map(never_negative, differences)):
        return True
    present = _PRESENT.get()
    return present is not None and present.hold(differences)


def relied_upon(size: Size) -> bool:
    """Whether a size is not negative by its own look, or by what is relied upon already."""
    present = _PRESENT.get()
    made = () if present is None else tuple(present.made)
    return never_negative(size) or any(never_negative(size - other) for other in made)
