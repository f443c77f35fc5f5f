"""Floor 3: small stand-in values for types, and the way back from their sizes to letters."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from s2sgrad.ir.sizes import Size, at_least_two, of
from s2sgrad.ir.types import (
    UNKNOWN,
    Array,
    Known,
    List,
    Maybe,
    Scalar,
    Tuple,
    Type,
)

LENGTHS = (  # no two differ by the same number in two of the runs
    (5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43),
    (7, 11, 17, 23, 13, 31, 37, 19, 47, 29, 59, 41),
    (20, 19, 18, 17, 16, 15, 14, 12, 32, 31, 30, 33),  # to confirm: what was smaller is larger
)
# More lengths to confirm with: of axes, which have at least two entries, and of what is known only
# at run time, which may be any number. The last are for samples that hold nothing but zeros.
FURTHER = (
    ((4,) * 12, (4,) * 12),
    ((2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13), (9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -2)),
    ((16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5), (13, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)),
    ((13, 3, 8, 2, 6, 10, 5, 4, 9, 7, 12, 11), (-1, 10, 5, 12, 8, 3, 7, 6, 2, 4, 11, 13)),
    ((3,) * 12, (1,) * 12),
    ((2,) * 12, (0,) * 12),
    ((5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16), (3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12)),
)
RUNS = len(LENGTHS) + len(FURTHER)
LARGE = 32  # constant sizes above this are replaced by a letter, to keep the samples small
DRAWN = 10_007  # so many different entries a sample has; drawing a million takes long


def _is_integer(kind: Scalar | Array) -> bool:
    return kind.dtype is not None and kind.dtype.startswith(("int", "uint"))


def holds_integers(kind: Type) -> bool:
    """Whether a value holds arrays or lists of integers, whose numbers are not known."""
    match kind:
        case Array():
            return _is_integer(kind)
        case List(item=Scalar() as item):
            return _is_integer(item)
        case List(item=item) | Maybe(item=item):
            return holds_integers(item)
        case Tuple(items=items):
            return any(map(holds_integers, items))
    return False


class CannotSample(Exception):
    """A type has no stand-in value."""


class Samples:
    """Sets of stand-in values: the first three differ in every size and entry.

    largest: how many entries an array may have. constant: sizes up to this one are as they are.
    alike: all sizes that nobody knows are the same one.
    """

    def __init__(
        self, wholes: tuple[int, ...] = (0,), largest: float = math.inf, constant: int = LARGE,
        alike: bool = False,
    ) -> None:  # fmt: skip
        self.alike = alike
        self.largest, self.constant = largest, constant
        self.wholes = wholes  # what stands in arrays of integers, in turn: 0 is in any axis
        self.letters: dict[str, tuple[int, ...]] = {}
        self.found: dict[tuple[int, int], Size] = {}
        self.instead: dict[str, Size] = {}  # letter -> the size that it stands for
        self.empty = [False] * RUNS  # whether an array or list without entries is among the samples
        self.guessed = False  # whether a size was put together from letters
        self._rng: dict[int, np.random.Generator] = {}
        self._lengths: dict[Size, tuple[int, ...]] = {}
        self._pending: dict[int, int] = dict.fromkeys(range(RUNS), 0)

    def replaced(self) -> bool:
        """Whether letters stand for constant sizes."""
        return any(name.startswith("#") for name in self.letters)

    def letter(self, name: str) -> tuple[int, ...]:
        """The lengths that a letter stands for, one in each run."""
        if name not in self.letters:
            i = len(self.letters)
            if i >= len(LENGTHS[0]):
                raise CannotSample(name)
            free = name[0] in "?~" or not at_least_two(name)
            self.letters[name] = (*(n[i] for n in LENGTHS), *(pair[free][i] for pair in FURTHER))
        return self.letters[name]

    def _unknown(self, which: int) -> int:
        """A size nobody knows: its own letter, the same one in both runs."""
        number = self._pending[which]
        self._pending[which] += not self.alike
        return self.letter(f"?{number}")[which]

    def _at(self, size: Size | None, which: int) -> int:
        if size is None:
            return self._unknown(which)
        if size.constant is not None:
            if size.constant <= self.constant:
                return size.constant
            return self.letter(f"#{size.constant}")[which]
        if size not in self._lengths:
            self._lengths[size] = self._lengths_of(size)
        return self._lengths[size][which]

    def _lengths_of(self, size: Size) -> tuple[int, ...]:
        """What a size is in each of the runs."""
        letters = {name: self.letter(name) for name in sorted(size.letters())}
        numbers = [size.at({n: each[i] for n, each in letters.items()}) for i in range(RUNS)]
        if min(numbers[: len(LENGTHS)]) < 1:  # `1 + n - k` where k happens to be larger
            name = f"~{size!r}"
            self.instead[name] = size
            numbers = list(self.letter(name))
        self.found[numbers[0], numbers[1]] = size
        return tuple(numbers)

    def value(self, kind: Type, which: int) -> Any:
        """A stand-in value of a type for one of the runs."""
        if isinstance(kind, Known):
            return kind.value
        if isinstance(kind, Scalar):
            return self._scalar(kind, which)
        if isinstance(kind, Array) and kind.shape is not None:
            shape = tuple(self._at(size, which) for size in kind.shape)
            self.empty[which] |= 0 in shape
            if min(shape, default=0) < 0 or math.prod(shape) > self.largest:
                raise CannotSample(kind)
            return self._array(kind.dtype or "float64", shape, which)
        if isinstance(kind, Tuple):
            parts = [self.value(item, which) for item in kind.items]
            return parts if kind.made_by is list else tuple(parts)
        if isinstance(kind, List) and isinstance(kind.item, Scalar) and _is_integer(kind.item):
            return np.resize(self.wholes, self._count(which)).tolist()
        if isinstance(kind, List):
            count = self._count(which)
            start = self._pending[which]
            items = []
            for _ in range(count):
                self._pending[which] = start  # all elements share their unknown sizes
                items.append(self.value(kind.item, which))
            return items
        if isinstance(kind, Maybe):
            return self.value(kind.item, which)
        raise CannotSample(kind)

    def _count(self, which: int) -> int:
        """How many items a list has. NumPy takes none for floats, whatever there would be."""
        count = self._unknown(which)
        self.empty[which] |= count <= 0
        return count

    def _numbers(self, which: int) -> np.random.Generator:
        if which not in self._rng:
            self._rng[which] = np.random.default_rng(which + 1)
        return self._rng[which]

    def _scalar(self, kind: Scalar, which: int) -> Any:
        if kind.value is not UNKNOWN:
            return kind.value
        if kind.dtype in ("int", "bool") or kind.dtype.startswith(("int", "uint")):
            if kind.dtype == "bool":
                return which % 2 == 1
            length = self._at(kind.size, which)
            return length if kind.dtype == "int" else np.dtype(kind.dtype).type(length)
        number = float(self._numbers(which).uniform(*_range(which)))
        if kind.dtype == "float":
            return number
        return complex(number) if kind.dtype == "complex" else np.dtype(kind.dtype).type(number)

    def _array(self, dtype: str, shape: tuple[int, ...], which: int) -> np.ndarray:
        rng = self._numbers(which)
        if dtype == "bool":
            return rng.uniform(size=shape) < 0.3 + 0.4 * (which == 1)
        if dtype.startswith(("int", "uint")):
            if len(LENGTHS) <= which < RUNS - 1:
                # places among as many: LAPACK exchanges rows unchecked (lu_solve)
                places = min(max(shape[-1] if shape else 1, 1), 4)
                return rng.integers(0, places, shape).astype(dtype)
            return np.resize(self.wholes, shape).astype(dtype)
        count = math.prod(shape)
        values = rng.uniform(*_range(which), size=shape if count <= DRAWN else DRAWN)
        values = values if count <= DRAWN else np.resize(values, shape)
        if len(shape) >= 2 and shape[-1] == shape[-2]:
            values = (values + np.swapaxes(values, -1, -2)) * 0.1 + np.eye(shape[-1]) * shape[-1]
        return values.astype(dtype, copy=False)

    def size(self, first: int, second: int) -> Size | None:
        """The polynomial that is `first` in run 0 and `second` in run 1, or None."""
        named = dict(self.letters)
        if len(named) > 1:
            self.guessed = True  # it may be the smaller of two lengths, here always the same one
        if (first, second) in self.found:
            return self.found[first, second]
        for name, (a, b, *_) in named.items():
            if name.startswith("#") and (a, b) == (first, second):
                return of(int(name[1:]))
        if first == second:
            return of(first)
        plain = {n: v for n, v in named.items() if n[0] not in "?#~"}
        self.guessed = True
        for name, (a, b, *_) in plain.items():
            if first - a == second - b and abs(first - a) <= 8:
                return of(name) + of(first - a)
        pool = [(of(n), v[:2]) for n, v in plain.items()]
        pool += [(s, v) for v, s in self.found.items() if s.letter is None]
        for (s, v), (t, w) in combinations_with_replacement(pool, 2):
            if (v[0] * w[0], v[1] * w[1]) == (first, second):
                return s * t
            if (v[0] + w[0], v[1] + w[1]) == (first, second):
                return s + t
        return None

    def agrees(self, size: Size, value: int, which: int, at_least: int | None = None) -> bool:
        """Whether a size is this number in one of the further runs; at_least: where it would be
        smaller, it is that instead."""
        if any(name not in self.letters for name in size.letters()):
            return True
        for name, known in (*self.instead.items(), *self._replaced()):
            if known == size:
                return self.letters[name][which] == value
        number = size.at({name: self.letters[name][which] for name in size.letters()})
        return value == (number if at_least is None else max(number, at_least))

    def _replaced(self) -> Iterator[tuple[str, Size]]:
        return ((name, of(int(name[1:]))) for name in self.letters if name.startswith("#"))


def _range(which: int) -> tuple[float, float]:
    """Between which numbers the samples of a run lie: first where most functions are defined."""
    if which == RUNS - 1:
        return 0.0, 0.0
    return (0.5, 1.5) if which < len(LENGTHS) else (-3.0, 3.0)


def run(
    function: Any, args: tuple[Type, ...], kwargs: dict[str, Type], samples: Samples, which: int
) -> Any:
    """The function's result on the samples of one run."""
    values = [samples.value(a, which) for a in args]
    named = {k: samples.value(v, which) for k, v in kwargs.items()}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*values, **named)
        except Exception:
            if not any(isinstance(v, tuple) for v in values):
                raise
            return function(*map(_as_lists, values), **named)  # np.block takes nothing else


def runs(
    function: Any, args: tuple[Type, ...], kwargs: dict[str, Type], samples: Samples
) -> tuple[Any, Any] | None:
    """The function's results on the samples of the first two runs; None if one fails."""
    try:
        return run(function, args, kwargs, samples, 0), run(function, args, kwargs, samples, 1)
    except Exception:
        return None


def _as_lists(value: Any) -> Any:
    return [_as_lists(v) for v in value] if isinstance(value, tuple) else value
