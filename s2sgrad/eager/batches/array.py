"""`Batched`: many arrays of one shape that NumPy functions take for one of them.

What computes is attached by the modules `ufuncs`, `functions` and `indexing`. What can't be done
for all examples at once (`float(x)`, `np.asarray(x)`, branches) raises NeedsExamples.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin


class NeedsExamples(BaseException):
    """The examples must be looked at one by one.

    Not an Exception, so that a function's own `except Exception` lets it through.
    """


class Flags:
    """What code asks of `array.flags`."""

    __slots__ = ("c_contiguous", "writeable")
    owndata = False

    def __init__(self, c_contiguous: bool, writeable: bool) -> None:
        self.c_contiguous, self.writeable = c_contiguous, writeable


class Batched(NDArrayOperatorsMixin):
    """The examples of one `vmap`, in `whole` along its first axis.

    shape, ndim and the like are those of one example. level: the number of the vmap; that of an
    inner one is higher. Where vmaps are nested, `whole` is the outer one's. shared: whether the
    memory is the caller's, which must not be written to here.
    """

    __slots__ = ("level", "shared", "whole")
    __array_priority__ = 900

    if TYPE_CHECKING:  # attached by the modules that compute
        __array_function__: Any
        __getitem__: Any
        __setitem__: Any
        copy: Any
        astype: Any

        def __array_ufunc__(self, *args: Any, **kwargs: Any) -> Any: ...

    def __init__(self, whole: Any, level: int, shared: bool = False) -> None:
        self.whole, self.level, self.shared = whole, level, shared

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise NeedsExamples

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(np.ndarray, name):
            raise AttributeError(name)
        raise NeedsExamples

    def _no_value(self, *args: Any) -> Any:
        raise NeedsExamples

    __bool__ = __int__ = __float__ = __complex__ = __index__ = __iter__ = __contains__ = _no_value
    tolist = item = tobytes = _no_value

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return int(self.shape[0])

    @property
    def count(self) -> int:
        """How many examples."""
        return int(self.whole.shape[0])

    @property
    def shape(self) -> tuple[int, ...]:
        return self.whole.shape[1:]  # type: ignore[no-any-return]

    @property
    def ndim(self) -> int:
        return self.whole.ndim - 1  # type: ignore[no-any-return]

    @property
    def size(self) -> int:
        n = 1
        for k in self.shape:
            n *= k
        return n

    @property
    def dtype(self) -> Any:
        return self.whole.dtype

    @property
    def itemsize(self) -> int:
        return self.whole.dtype.itemsize  # type: ignore[no-any-return]

    @property
    def nbytes(self) -> int:
        return self.size * self.itemsize

    @property
    def strides(self) -> Any:
        return self.whole.strides[1:]

    @property
    def base(self) -> Any:
        return self if self.shared else self.whole.base

    @property
    def flags(self) -> Flags:
        flags = self.whole.flags
        return Flags(flags.c_contiguous, flags.writeable)

    def __repr__(self) -> str:
        return f"Batched({self.whole!r}, {self.level})"


ARRAYS = (np.ndarray, Batched)


def as_array(value: Any) -> Any:
    """`np.asarray`, which batches need not go through."""
    return value if value.__class__ is Batched else np.asarray(value)


def top(values: Any) -> int:
    """The highest level among values and nests of them; 0 where nothing is batched."""
    found = 0
    for value in values:
        if value.__class__ is Batched:
            found = max(found, value.level)
        elif value.__class__ in (list, tuple):
            found = max(found, top(value))
        elif value.__class__ is dict:
            found = max(found, top(value.values()))
    return found


def levels_of(value: Any) -> tuple[int, ...]:
    """The levels at which an array is batched, the innermost first."""
    found: tuple[int, ...] = ()
    while value.__class__ is Batched:
        found, value = (*found, value.level), value.whole
    return found


def at(value: Any, level: int) -> bool:
    """Whether a value is batched at this very level."""
    return value.__class__ is Batched and value.level == level


def aligned(value: Any, level: int, rank: int) -> Any:
    """The whole of an operand, shaped so that examples broadcast as if they had `rank` axes."""
    if not at(value, level):
        return value
    missing = rank - value.ndim
    return value.whole[(slice(None), *(None,) * missing)] if missing > 0 else value.whole


def rank_of(values: Any) -> int:
    """The most axes that one of these has."""
    return max((getattr(v, "ndim", 0) for v in values), default=0)


def full(like: Any, shape: tuple[int, ...], value: Any, dtype: Any) -> Any:
    """A new array with one value everywhere, batched as `like` is, so that it may be written to."""
    levels = levels_of(like)
    counts = bottom(like).shape[: len(levels)]
    made: Any = np.full((*counts, *shape), value, dtype)
    for level in reversed(levels):
        made = Batched(made, level)
    return made


def bottom(value: Any) -> Any:
    """The plain array that holds all examples of all levels."""
    while value.__class__ is Batched:
        value = value.whole
    return value
