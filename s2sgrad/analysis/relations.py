"""Floor 3: equations between sizes that an operation needs to work at all.

`x[1:] * y` of `x: [n]` and `y: [m]` needs `m == n - 1`, `np.split(z, 4)` of `z: [n]` needs a
multiple of 4. Where the sizes of the call satisfy such an equation, code is generated for calls
that do: a letter is replaced by what it equals, and the call's sizes are checked (see
`frontend/relations.py`). Letters of the form `n/4` stand for exact quotients.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

from s2sgrad.analysis.infer import infer_call
from s2sgrad.ir import sizes
from s2sgrad.ir.sizes import ONE, Size, of, surely_not_one
from s2sgrad.ir.types import Array, List, Number, Scalar, Tuple, Type

Relations = dict[str, Size]  # letter -> the size it equals
FEW = 4  # entries of a vector that stands for a place or a rotation: `np.cross` takes 2 or 3
PARTS = 64  # that an axis is divided into, each of them as long as the others
Numbers = Mapping[str, int]  # letter -> its value in the call that is compiled


def value_of(size: Size, actual: Numbers) -> int | None:
    """The number that a size is in the call that is compiled, where all letters are known."""
    return size.at(dict(actual)) if size.letters() <= set(actual) else None


def solved(p: Size, q: Size, actual: Numbers) -> Relations | None:
    """What makes two sizes equal; None where they differ in the call that is compiled."""
    first, second = value_of(p, actual), value_of(q, actual)
    if p == q or first is None or first != second:
        return None
    difference = p - q
    if not difference.letters():
        return None
    ways = [(letter, size) for letter, size in _isolated(difference)]
    if not ways:
        return {letter: of(actual[letter]) for letter in sorted(difference.letters())}
    letter, size = min(ways, key=lambda way: _awkward(*way))
    return {letter: size}


def _isolated(difference: Size) -> Iterator[tuple[str, Size]]:
    """Every letter that the equation `difference == 0` can be solved for."""
    for monomial, factor in difference.terms:
        if len(monomial) != 1 or abs(factor) != 1:
            continue
        if sum(monomial[0] in other for other, _ in difference.terms) == 1:
            rest = difference - Size(((monomial, factor),))
            yield monomial[0], rest * of(-factor)


def _awkward(letter: str, size: Size) -> tuple[bool, bool, int]:
    """Prefer to replace what is least known by what is known best."""
    loses = sizes.at_least_two(letter) and not surely_not_one(size)
    return loses, sizes.at_least_two(letter), len(size.terms)


def mismatches(shapes: Iterable[sizes.Shape | None]) -> list[tuple[Size, Size]]:
    """Axes that are broadcast together, have different sizes, and can't both be stretched."""
    found = []
    for a, b in combinations([s for s in shapes if s is not None], 2):
        for p, q in zip(reversed(a), reversed(b), strict=False):
            if p is not None and q is not None and p != q and ONE not in (p, q):
                found.append((p, q))
    return found


def different(a: Type, b: Type) -> list[tuple[Size, Size]]:
    """Sizes in which two values of one variable differ."""
    if isinstance(a, Array) and isinstance(b, Array) and a.shape and b.shape:
        if len(a.shape) != len(b.shape):
            return []
        pairs = zip(a.shape, b.shape, strict=True)
        return [(p, q) for p, q in pairs if p is not None and q is not None and p != q]
    if isinstance(a, List) and isinstance(b, List):
        return different(a.item, b.item)
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.items) == len(b.items):
        return [d for x, y in zip(a.items, b.items, strict=True) for d in different(x, y)]
    return []


def needed(
    function: Any, args: tuple[Type, ...], kwargs: dict[str, Type], actual: Numbers
) -> Relations | None:
    """The equations under which a call's result is known, where it is not known without."""
    kinds = [*args, *kwargs.values()]
    found = list(dict.fromkeys(s for kind in kinds for s in _sizes_in(kind)))
    if not any(s.letters() for s in found):
        return None
    for relations in _candidates(found, kinds, actual):
        table = {name: sizes.substituted(size, relations) for name, size in relations.items()}
        new = tuple(substituted_type(a, table) for a in args)
        named = {k: substituted_type(v, table) for k, v in kwargs.items()}
        if not unknown(infer_call(function, new, named)):
            return relations
    return None


def unknown(kind: Type) -> bool:
    """Whether nothing was found out about a result, or about the items of a list of results."""
    if isinstance(kind, List):
        return unknown(kind.item)
    return isinstance(kind, Number) and kind.dtype is None


def _candidates(found: list[Size], kinds: list[Type], actual: Numbers) -> Iterator[Relations]:
    equal: Relations = {}
    for p, q in combinations(found, 2):
        p, q = sizes.substituted(p, equal), sizes.substituted(q, equal)
        if (value_of(p, actual) or 0) >= 2:
            equal |= solved(p, q, actual) or {}
    if equal:
        yield equal
    numbers = list(dict.fromkeys(n for kind in kinds for n in _integers_in(kind)))
    for number, size in ((n, s) for n in numbers for s in found):
        exact = multiple(size, number, actual)
        if exact is not None:
            yield {**equal, **exact}
    yield from _products(found, actual)
    few = [letter for letter in (s.letter for s in found) if letter and letter in actual]
    numbers_of = {letter: of(actual[letter]) for letter in few if 2 <= actual[letter] <= FEW}
    if numbers_of:
        yield numbers_of


def multiple(size: Size, number: int, actual: Numbers) -> Relations | None:
    """What makes a size a multiple of a number, `n == 4 * (n/4)`, where it is and that leaves at
    least 2."""
    letter, value = size.letter, value_of(size, actual)
    if letter is None or value is None or "/" in letter or value % number or value < 2 * number:
        return None
    return {letter: of(number) * of(f"{letter}/{number}")}


def divisor(size: Size, number: Size, actual: Numbers) -> Relations | None:
    """An integer argument that a length is a multiple of, as the number that it is."""
    letter, value = number.letter, value_of(number, actual)
    if letter is None or sizes.at_least_two(letter) or not value or not 2 <= value <= PARTS:
        return None
    counted = bool(size.terms) and all(factor % value == 0 for _, factor in size.terms)
    exact = counted or (size.letter is not None and multiple(size, value, actual) is not None)
    return {letter: of(value)} if exact else None


def _products(found: list[Size], actual: Numbers) -> Iterator[Relations]:
    """`n == rows * columns`, for a reshape to given lengths."""
    whole = [s for s in found if s.letter is not None]
    for size in whole:
        others = [s for s in found if s != size and value_of(s, actual) != 1]
        for count in (2, 3):
            for parts in combinations(others, count):
                product = of(1)
                for part in parts:
                    product = product * part
                relation = solved(size, product, actual)
                if relation is not None:
                    yield relation


def _sizes_in(kind: Type) -> Iterator[Size]:
    match kind:
        case Array(shape=shape) if shape is not None:
            yield from (s for s in shape if s is not None)
        case Scalar(size=Size() as size):
            yield size
        case Scalar(value=int() as value) if type(value) is int:
            yield of(value)
        case Tuple(items=items):
            for item in items:
                yield from _sizes_in(item)
        case List(item=item):
            yield from _sizes_in(item)


def _integers_in(kind: Type) -> Iterator[int]:
    match kind:
        case Scalar(value=value) if type(value) is int and value >= 2:
            yield value
        case Tuple(items=items):
            for item in items:
                yield from _integers_in(item)


def substituted_type(kind: Type, values: Mapping[str, Size]) -> Type:
    """The type with letters replaced."""
    match kind:
        case Array(shape=shape) if shape is not None:
            new = (None if s is None else sizes.substituted(s, values) for s in shape)
            return replace(kind, shape=tuple(new))
        case Scalar(size=Size() as size):
            made = sizes.substituted(size, values)
            return replace(kind, size=made)
        case Tuple(items=items):
            return Tuple(tuple(substituted_type(i, values) for i in items))
        case List(item=item):
            return List(substituted_type(item, values))
    return kind
