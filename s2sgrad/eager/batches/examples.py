"""One example at a time: what is done where a function is not known for whole batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import ARRAYS, Batched, NeedsExamples, at, levels_of, top

# Functions that write to their first argument.
WRITERS = (np.copyto, np.put, np.place, np.putmask, np.put_along_axis, np.fill_diagonal)
SPECIAL: dict[Any, Callable[..., Any]] = {}  # function -> the same for batches, where it is known
UNEQUAL = (
    "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor "
    "`other` in extra_args that has more elements than `self`. This happened due to `other` being "
    "vmapped over but `self` not being vmapped over in a vmap. Please try to use out-of-place "
    "operators instead of inplace arithmetic. If said operator is being called inside the PyTorch "
    "framework, please file a bug report instead."
)


class Refused(RuntimeError):
    """An error that the examples one by one would not raise."""


def check_write(target: Any, value: Any) -> None:
    """RuntimeError for examples that are to be written into one array they have in common."""
    level = top((value,))
    if level and level not in levels_of(target):
        raise Refused(UNEQUAL)


Refused.__name__ = Refused.__qualname__ = "RuntimeError"


def call(function: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """`function` on arrays of which some are batched: at once if it can be."""
    special = SPECIAL.get(function)
    try:
        if special is not None:
            return special(*args, **kwargs)
        return function(*args, **kwargs)
    except NeedsExamples:
        return by_examples(function, args, kwargs)


def by_examples(function: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """`function` for each example of the innermost level, its results put together."""
    level = top((args, kwargs))
    if not level:
        raise NeedsExamples
    if function in WRITERS and (not at(args[0], level) or args[0].shared):
        raise NeedsExamples
    count = size_at((args, kwargs), level)
    results = []
    for i in range(count):
        these = [example(a, level, i) for a in args]
        results.append(call(function, these, {k: example(v, level, i) for k, v in kwargs.items()}))
    if not results:
        raise NeedsExamples
    return together(results, level)


def size_at(value: Any, level: int) -> int:
    """How many examples there are at a level."""
    if at(value, level):
        return value.count  # type: ignore[no-any-return]
    if value.__class__ is dict:
        return size_at(tuple(value.values()), level)
    if value.__class__ in (list, tuple):
        return max((size_at(v, level) for v in value), default=0)
    return 0


def example(value: Any, level: int, i: int) -> Any:
    """A nest of values with one example in place of each batch of this level."""
    if at(value, level):
        return value.whole[i]
    if value.__class__ in (list, tuple):
        return value.__class__(example(v, level, i) for v in value)
    return value


def together(results: list[Any], level: int) -> Any:
    """The results of all examples as one batched result; nests entry by entry."""
    first = results[0]
    if isinstance(first, (list, tuple)):
        columns = [together(list(column), level) for column in zip(*results, strict=True)]
        return type(first)(*columns) if hasattr(first, "_fields") else type(first)(columns)
    if isinstance(first, (*ARRAYS, np.generic, float, complex)):
        if any(np.shape(r) != np.shape(first) for r in results):
            raise NeedsExamples
        return Batched(np.stack(results), level)
    if any(r is not first and r != first for r in results):
        raise NeedsExamples
    return first
