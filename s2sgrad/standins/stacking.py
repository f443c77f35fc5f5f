"""Floor 8: functions of scipy.linalg that take stacks of matrices one by one, as SciPy does.

The axes before those of one matrix or vector are broadcast against each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import linalg

from s2sgrad.rules.unserved import Ranks

SYSTEM, OF_TOEPLITZ = ("matrix", "either"), ("vector", "vector", "either")


def rank_of_one(a: Any, kind: str) -> int:
    """How many axes of an array are those of one matrix or vector."""
    return 1 if kind == "vector" or (kind == "either" and np.ndim(a) < 2) else 2


def is_stack(a: Any, kind: str) -> bool:
    """Whether an argument is more than one matrix or vector."""
    return a is not None and np.ndim(a) > rank_of_one(a, kind)


def one_by_one(function: Callable[..., Any], arrays: Any, kinds: Any) -> Any:
    """What a function of matrices gives for each of a stack of them, as stacks again."""
    kept = [rank_of_one(a, kind) for a, kind in zip(arrays, kinds, strict=True)]
    before = [np.shape(a)[: np.ndim(a) - k] for a, k in zip(arrays, kept, strict=True)]
    shape = np.broadcast_shapes(*before)
    rows = []
    for a, k in zip(arrays, kept, strict=True):
        own = np.shape(a)[np.ndim(a) - k :]
        rows.append(np.reshape(np.broadcast_to(a, (*shape, *own)), (-1, *own)))
    if len(rows[0]) == 0:
        raise ValueError("scipy.linalg does not support zero-size batches")
    found = [function(*[row[k] for row in rows]) for k in range(len(rows[0]))]
    if not isinstance(found[0], tuple):
        return stacked(found, shape)
    return [stacked([f[j] for f in found], shape) for j in range(len(found[0]))]


def stacked(found: Any, shape: Any) -> Any:
    """Results in a row, as a stack of this shape."""
    return np.reshape(np.stack(found), (*shape, *np.shape(found[0])))


def each(function: Any, kinds: Ranks, args: Any, kwargs: Any) -> Any:
    """A call of a function of one matrix with stacks; kinds: what each of its arguments is."""
    given = {**dict(zip(kinds, args, strict=False)), **kwargs}
    names = [n for n in kinds if given.get(n) is not None]
    options = {n: v for n, v in kwargs.items() if n not in kinds}

    def of_one(*one: Any) -> Any:
        own = dict(zip(names, one, strict=True))
        first = [own.get(n) for n, _ in zip(kinds, args, strict=False)]
        named = {n: own.get(n) for n in kinds if n in kwargs}
        return function(*first, *args[len(kinds) :], **named, **options)

    return one_by_one(of_one, [given[n] for n in names], [kinds[n] for n in names])


def of_stacks(function: Any, kinds: Ranks) -> Callable[..., Any]:
    """SciPy's function of stacks, in terms of that of one matrix."""
    return lambda *args, **kwargs: each(function, kinds, args, kwargs)


def with_stacks(model: Any, kinds: Ranks) -> Callable[..., Any]:
    """What is read in place of SciPy's function of one matrix, of stacks too."""

    def either(*args: Any, **kwargs: Any) -> Any:
        given = {**dict(zip(kinds, args, strict=False)), **kwargs}
        if any(is_stack(given[n], kind) for n, kind in kinds.items() if n in given):
            return each(model, kinds, args, kwargs)
        return model(*args, **kwargs)

    return either


def solve_banded(l_and_u: Any, ab: Any, b: Any, *options: Any, **named: Any) -> Any:
    """scipy.linalg.solve_banded of several matrices."""
    solve = linalg.solve_banded
    return one_by_one(lambda a, v: solve(l_and_u, a, v, *options, **named), [ab, b], SYSTEM)


def cho_solve_banded_of(model: Any) -> Callable[..., Any]:
    """scipy.linalg.cho_solve_banded; model: what is read for one matrix."""

    def either(cb_and_lower: Any, b: Any, *options: Any, **named: Any) -> Any:
        cb, lower = cb_and_lower
        if not (is_stack(cb, "matrix") or is_stack(b, "either")):
            return model(cb_and_lower, b, *options, **named)
        return one_by_one(lambda c, v: model((c, lower), v), [cb, b], SYSTEM)

    return either


def of_toeplitz(model: Any) -> Callable[..., Any]:
    """A function of Toeplitz matrices and vectors; model: what is read for one matrix."""

    def either(c_or_cr: Any, x: Any, *options: Any, **named: Any) -> Any:
        pair = isinstance(c_or_cr, tuple)
        c, r = c_or_cr if pair else (c_or_cr, np.conj(c_or_cr))
        if not (is_stack(c, "vector") or is_stack(r, "vector") or is_stack(x, "either")):
            return model(c_or_cr, x, *options, **named)
        return one_by_one(
            lambda c, r, v: model((c, r), v), [c, r, x], ["vector", "vector", "either"]
        )

    return either
