"""Floor 3: small stand-in values for types, and the way back from their sizes to letters."""

from __future__ import annotations

import math
import warnings
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from s2sgrad.ir.sizes import Size, of
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
LARGE = 32  # constant sizes above this are replaced by a letter, to keep the samples small
DRAWN = 10_007  # so many different entries a sample has; drawing a million takes long


def _is_integer(kind: Scalar | Array) -> bool:
    return kind.dtype is not None and kind.dtype.startswith(("int", "uint"))


def holds_integers(kind: Type) -> bool:
    """Whether a value holds arrays or lists of integers, whose numbers are not known."""
    match kind:
        case Array(shape=shape):
            return shape != () and _is_integer(kind)
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
    """Three sets of stand-in values that differ in every size and entry.

    largest: how many entries an array may have. constant: sizes up to this one are as they are.
    """

    def __init__(
        self, wholes: tuple[int, ...] = (0,), largest: float = math.inf, constant: int = LARGE
    ) -> None:
        self.largest, self.constant = largest, constant
        self.wholes = wholes  # what stands in arrays of integers, in turn: 0 is in any axis
        self.letters: dict[str, tuple[int, int, int]] = {}
        self.found: dict[tuple[int, int], Size] = {}
        self.instead: dict[str, Size] = {}  # letter -> the size that it stands for
        self.guessed = False  # whether a size was put together from letters
        self._rng = tuple(map(np.random.default_rng, (1, 2, 3)))
        self._anonymous: dict[int, list[str]] = {0: [], 1: []}
        self._pending: dict[int, int] = {0: 0, 1: 0, 2: 0}

    def replaced(self) -> bool:
        """Whether letters stand for constant sizes."""
        return any(name.startswith("#") for name in self.letters)

    def letter(self, name: str) -> tuple[int, int, int]:
        """The lengths that a letter stands for, one in each run."""
        if name not in self.letters:
            i = len(self.letters)
            if i >= len(LENGTHS[0]):
                raise CannotSample(name)
            self.letters[name] = (LENGTHS[0][i], LENGTHS[1][i], LENGTHS[2][i])
        return self.letters[name]

    def _unknown(self, which: int) -> int:
        """A size nobody knows: its own letter, the same one in both runs."""
        number = self._pending[which]
        self._pending[which] += 1
        return self.letter(f"?{number}")[which]

    def _at(self, size: Size | None, which: int) -> int:
        if size is None:
            return self._unknown(which)
        if size.constant is not None:
            if size.constant <= self.constant:
                return size.constant
            return self.letter(f"#{size.constant}")[which]
        letters = sorted(size.letters())
        numbers = [size.at({n: self.letter(n)[i] for n in letters}) for i in (0, 1, 2)]
        if min(numbers) < 1:  # `1 + n - k` with a k that happens to be the larger one here
            name = f"~{size!r}"
            self.instead[name] = size
            numbers = list(self.letter(name))
        self.found[numbers[0], numbers[1]] = size
        return numbers[which]

    def value(self, kind: Type, which: int) -> Any:
        """A stand-in value of a type for run 0, 1 or 2."""
        if isinstance(kind, Known):
            return kind.value
        if isinstance(kind, Scalar):
            return self._scalar(kind, which)
        if isinstance(kind, Array) and kind.shape is not None:
            shape = tuple(max(self._at(size, which), 0) for size in kind.shape)
            if math.prod(shape) > self.largest:
                raise CannotSample(kind)
            return self._array(kind.dtype or "float64", shape, which)
        if isinstance(kind, Tuple):
            parts = [self.value(item, which) for item in kind.items]
            return parts if kind.made_by is list else tuple(parts)
        if isinstance(kind, List) and isinstance(kind.item, Scalar) and _is_integer(kind.item):
            return np.resize(self.wholes, self._unknown(which)).tolist()
        if isinstance(kind, List):
            count = self._unknown(which)
            start = self._pending[which]
            items = []
            for _ in range(count):
                self._pending[which] = start  # all elements share their unknown sizes
                items.append(self.value(kind.item, which))
            return items
        if isinstance(kind, Maybe):
            return self.value(kind.item, which)
        raise CannotSample(kind)

    def _scalar(self, kind: Scalar, which: int) -> Any:
        if kind.value is not UNKNOWN:
            return kind.value
        if kind.dtype in ("int", "bool") or kind.dtype.startswith(("int", "uint")):
            if kind.dtype == "bool":
                return which == 1
            length = self._at(kind.size, which)
            return length if kind.dtype == "int" else np.dtype(kind.dtype).type(length)
        number = float(self._rng[which].uniform(0.5, 1.5))
        if kind.dtype == "float":
            return number
        return complex(number) if kind.dtype == "complex" else np.dtype(kind.dtype).type(number)

    def _array(self, dtype: str, shape: tuple[int, ...], which: int) -> np.ndarray:
        rng = self._rng[which]
        if dtype == "bool":
            return rng.uniform(size=shape) < 0.3 + 0.4 * (which == 1)
        if dtype.startswith(("int", "uint")):
            return np.resize(self.wholes, shape).astype(dtype)
        count = math.prod(shape)
        values = rng.uniform(0.5, 1.5, size=shape if count <= DRAWN else DRAWN)
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
        for name, (a, b, _) in named.items():
            if name.startswith("#") and (a, b) == (first, second):
                return of(int(name[1:]))
        if first == second:
            return of(first)
        plain = {n: v for n, v in named.items() if n[0] not in "?#~"}
        self.guessed = True
        for name, (a, b, _) in plain.items():
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

    def confirmed(self, size: Size | None, third: int) -> Size | None:
        """A size that is right in run 2 too, or None."""
        if size is None or any(name not in self.letters for name in size.letters()):
            return size
        for name, known in self.instead.items():
            if known == size:
                return size if self.letters[name][2] == third else None
        values = {name: self.letters[name][2] for name in size.letters()}
        return size if size.at(values) == third else None


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
