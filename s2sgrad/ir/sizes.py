"""Floor 1: symbolic sizes of array axes, as polynomials of letters with integer coefficients.

Equal sizes are guaranteed equal at run time; nothing follows from unequal ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

Monomial = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Size:
    """A polynomial: sorted ((letters, coefficient), ...); the empty letters are the constant."""

    terms: tuple[tuple[Monomial, int], ...]

    @property
    def constant(self) -> int | None:
        """The value where it does not depend on a letter."""
        if not self.terms:
            return 0
        if len(self.terms) == 1 and self.terms[0][0] == ():
            return self.terms[0][1]
        return None

    @property
    def letter(self) -> str | None:
        """The letter where the size is just one letter."""
        if len(self.terms) == 1 and len(self.terms[0][0]) == 1 and self.terms[0][1] == 1:
            return self.terms[0][0][0]
        return None

    def __add__(self, other: Size) -> Size:
        total = dict(self.terms)
        for monomial, factor in other.terms:
            total[monomial] = total.get(monomial, 0) + factor
        return make(total)

    def __sub__(self, other: Size) -> Size:
        return self + other * of(-1)

    def __mul__(self, other: Size) -> Size:
        total: dict[Monomial, int] = {}
        for left, a in self.terms:
            for right, b in other.terms:
                key = tuple(sorted(left + right))
                total[key] = total.get(key, 0) + a * b
        return make(total)

    def at(self, values: dict[str, int]) -> int:
        """The number, given one for each letter."""
        result = 0
        for monomial, factor in self.terms:
            for letter in monomial:
                factor *= values[letter]
            result += factor
        return result

    def letters(self) -> set[str]:
        """The letters that appear."""
        return {letter for monomial, _ in self.terms for letter in monomial}

    def __str__(self) -> str:
        parts = []
        for monomial, factor in self.terms:
            name = "*".join(monomial)
            parts.append(str(factor) if not name else name if factor == 1 else f"{factor}*{name}")
        return "+".join(parts).replace("+-", "-") or "0"


def make(terms: dict[Monomial, int]) -> Size:
    """A size from its terms."""
    return Size(tuple(sorted((m, f) for m, f in terms.items() if f)))


@cache
def of(value: int | str) -> Size:
    """The size of a number or a letter."""
    return make({(): value}) if isinstance(value, int) else make({(value,): 1})


ONE = of(1)


def quotient(size: Size, number: int) -> Size | None:
    """The size divided by a number, where that leaves no remainder whatever the letters are."""
    if any(factor % number for _, factor in size.terms):
        return None
    return make({monomial: factor // number for monomial, factor in size.terms})


def substituted(size: Size, values: Mapping[str, Size]) -> Size:
    """The size with letters replaced by sizes, until none of those is left."""
    while values and any(letter in values for letter in size.letters()):
        total = of(0)
        for monomial, factor in size.terms:
            part = of(factor)
            for letter in monomial:
                part = part * values.get(letter, of(letter))
            total = total + part
        size = total
    return size


def at_least_two(letter: str) -> bool:
    """Whether a letter stands for an axis of an argument; integers and counts may be anything."""
    return not letter.startswith(FREE)


SOME = "some_"  # sizes that change from one iteration of a loop to the next
CHOSEN = f"{SOME}chosen_"  # of these, what values decide: x[mask] may have no entries
FREE = ("int_", SOME)  # integer arguments; sizes that are known only at run time


def changes(letter: str) -> bool:
    """Whether a letter may stand for another number in each iteration of a loop."""
    return letter.startswith(SOME)


def may_be_none(size: Size) -> bool:
    """Whether values decide about a size, so that it may be 0."""
    return any(letter.startswith(CHOSEN) for letter in size.letters())


def shortened(size: Size, cut: int) -> Size | None:
    """The length of an axis of which `cut` entries are left out: it does not fall below 0.

    `some_1-2` is the letter for `max(some_1 - 2, 0)`.
    """
    if cut == 0 or not any(map(changes, size.letters())):
        return size - of(cut)
    terms = dict(size.terms)
    if all(factor > 0 for factor in terms.values()) and terms.get((), 0) >= cut:
        return size - of(cut)
    if size.letter is None:
        return None
    base, _, before = size.letter.partition("-")
    return of(f"{base}-{int(before or 0) + cut}")


def surely_not_one(size: Size | None) -> bool:
    """Whether a size can't be 1: letters of array axes stand for sizes of at least 2."""
    if size is None:
        return False
    if size.constant is not None:
        return size.constant != 1
    smallest = least(size)
    return smallest is not None and smallest > 1


def least(size: Size) -> int | None:
    """The smallest number that a size can be, if it grows with all its letters."""
    if not all(map(at_least_two, size.letters())):
        return None
    if any(factor < 0 for monomial, factor in size.terms if monomial):
        return None
    return sum(factor * 2 ** len(monomial) for monomial, factor in size.terms)


Shape = tuple[Size | None, ...]


def broadcast(a: Shape, b: Shape) -> Shape:
    """The shape of an elementwise result; None where it isn't known."""
    if len(a) < len(b):
        a = (ONE,) * (len(b) - len(a)) + a
    if len(b) < len(a):
        b = (ONE,) * (len(a) - len(b)) + b
    return tuple(_broadcast_axis(p, q) for p, q in zip(a, b, strict=True))


def _broadcast_axis(p: Size | None, q: Size | None) -> Size | None:
    if p == ONE:
        return q
    if q == ONE or (p == q and p is not None):
        return p
    if surely_not_one(p):
        return p
    return q if surely_not_one(q) else None


def known(shape: Shape | None) -> bool:
    """Whether all lengths of a shape are known."""
    return shape is not None and all(size is not None for size in shape)
