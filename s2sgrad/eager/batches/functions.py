"""NumPy's functions on batches: by a rule where one is known, else example by example."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import (
    Batched,
    NeedsExamples,
    aligned,
    at,
    bottom,
    full,
    rank_of,
    top,
)
from s2sgrad.eager.batches.examples import by_examples
from s2sgrad.eager.batches.ufuncs import axis_below

RULES: dict[Any, Callable[..., Any]] = {}  # NumPy function -> rule(level, *args, **kwargs)


def array_function(self: Batched, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """What NumPy calls where an argument of one of its functions is batched."""
    if any(hasattr(kind, "_edge") for kind in types):
        return NotImplemented
    rule = RULES.get(func)
    if rule is not None:
        try:
            return rule(top((args, kwargs)), *args, **kwargs)
        except NeedsExamples:
            pass
    if kwargs.get("out") is not None:
        raise NeedsExamples
    return by_examples(func, args, kwargs)


Batched.__array_function__ = array_function


def rule(*functions: Any) -> Callable[[Any], Any]:
    """Declare the rule of NumPy functions."""

    def declare(made: Any) -> Any:
        for function in functions:
            RULES[function] = made
        return made

    return declare


def only(level: int, a: Any, *others: Any) -> Any:
    """The whole of an argument that must be the only one that is batched here."""
    if not at(a, level) or top(others):
        raise NeedsExamples
    return a.whole


# --- what is asked of arrays, not computed ------------------------------------------------------


def asking(function: Any) -> Any:
    def ask(level: int, *args: Any, **kwargs: Any) -> Any:
        return function(*(stand_in(a) for a in args), **kwargs)

    return ask


def stand_in(value: Any) -> Any:
    """A plain array of an example's shape and dtype."""
    if value.__class__ is not Batched:
        return value
    return np.broadcast_to(np.zeros((), value.dtype), value.shape)


_f: Any
for _f in (np.shape, np.ndim, np.size, np.result_type, np.iscomplexobj, np.isrealobj,
           np.can_cast, np.min_scalar_type, np.common_type):  # fmt: skip
    RULES[_f] = asking(_f)


@rule(np.may_share_memory, np.shares_memory)
def _share(level: int, a: Any, b: Any, **_: Any) -> Any:
    return np.may_share_memory(bottom(a), bottom(b))


# --- entry by entry -----------------------------------------------------------------------------


def entrywise(function: Any) -> Any:
    """Arguments that broadcast against each other."""

    def apply(level: int, *args: Any, **kwargs: Any) -> Any:
        if top(kwargs.values()) or kwargs.get("out") is not None:
            raise NeedsExamples
        rank = rank_of(args)
        return Batched(function(*(aligned(a, level, rank) for a in args), **kwargs), level)

    return apply


for _f in (np.where, np.clip, np.real, np.imag, np.angle, np.nan_to_num, np.round, np.around,
           np.isclose, np.sinc, np.i0, np.copy, np.real_if_close, np.fix,
           np.isposinf, np.isneginf, np.iscomplex, np.isreal):  # fmt: skip
    RULES[_f] = entrywise(_f)


@rule(np.astype)
def _astype(level: int, a: Any, dtype: Any, **kwargs: Any) -> Any:
    return Batched(np.astype(a.whole, dtype, **kwargs), level)


def filled(function: Any) -> Any:
    """`zeros_like` and its kin: batched too, so that they may be written to."""

    def make(level: int, a: Any, *more: Any, dtype: Any = None, shape: Any = None, **_: Any) -> Any:
        if not at(a, level) or shape is not None:
            raise NeedsExamples
        if more and (function is not np.full_like or top(more)):
            raise NeedsExamples
        value = more[0] if more else 1 if function is np.ones_like else 0
        return full(a, a.shape, value, a.dtype if dtype is None else dtype)

    return make


for _f in (np.zeros_like, np.ones_like, np.empty_like, np.full_like):
    RULES[_f] = filled(_f)


@rule(np.copyto)
def _copyto(level: int, dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    if not at(dst, level) or dst.shared:
        raise NeedsExamples
    if getattr(src, "ndim", 0) > dst.ndim or top((where,)):
        raise ValueError("could not broadcast input array")
    np.copyto(dst.whole, aligned(src, level, dst.ndim), casting=casting, where=where)  # type: ignore[arg-type]


# --- axes and shapes ----------------------------------------------------------------------------


@rule(np.reshape)
def _reshape(level: int, a: Any, shape: Any, order: str = "C", **_: Any) -> Any:
    whole = only(level, a, shape)
    if order != "C":
        raise NeedsExamples
    shape = tuple(shape) if np.ndim(shape) else (shape,)
    if -1 in shape:
        rest = -int(np.prod(shape))
        if not rest or a.size % rest:
            raise ValueError(f"cannot reshape array of size {a.size} into shape {shape}")
        shape = tuple(a.size // rest if n == -1 else n for n in shape)
    return Batched(np.reshape(whole, (a.count, *shape)), level)


@rule(np.ravel)
def _ravel(level: int, a: Any, order: str = "C") -> Any:
    return _reshape(level, a, (a.size,), order)


@rule(np.transpose, np.permute_dims)
def _transpose(level: int, a: Any, axes: Any = None) -> Any:
    whole = only(level, a)
    order = reversed(range(a.ndim)) if axes is None else [x % a.ndim for x in axes]
    return Batched(np.transpose(whole, (0, *(x + 1 for x in order))), level)


@rule(np.matrix_transpose)
def _matrix_transpose(level: int, a: Any) -> Any:
    return Batched(np.swapaxes(only(level, a), -1, -2), level)


@rule(np.swapaxes)
def _swapaxes(level: int, a: Any, axis1: int, axis2: int) -> Any:
    places = (axis_below(x, a.ndim) for x in (axis1, axis2))
    return Batched(np.swapaxes(only(level, a), *places), level)


@rule(np.moveaxis)
def _moveaxis(level: int, a: Any, source: Any, destination: Any) -> Any:
    places = (axis_below(x, a.ndim) for x in (source, destination))
    return Batched(np.moveaxis(only(level, a), *places), level)


@rule(np.expand_dims)
def _expand_dims(level: int, a: Any, axis: Any) -> Any:
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    ndim = a.ndim + len(axes)
    return Batched(np.expand_dims(only(level, a), axis_below(tuple(axes), ndim)), level)


@rule(np.squeeze)
def _squeeze(level: int, a: Any, axis: Any = None) -> Any:
    if axis is None:
        axis = tuple(i for i, n in enumerate(a.shape) if n == 1)
    return Batched(np.squeeze(only(level, a), axis_below(axis, a.ndim)), level)


@rule(np.broadcast_to)
def _broadcast_to(level: int, a: Any, shape: Any, subok: bool = False) -> Any:
    shape = tuple(shape) if np.ndim(shape) else (shape,)
    only(level, a)
    if len(shape) < a.ndim:
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    whole = aligned(a, level, len(shape))
    return Batched(np.broadcast_to(whole, (a.count, *shape)), level, a.shared)


@rule(np.diagonal)
def _diagonal(level: int, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    places = (axis_below(x, a.ndim) for x in (axis1, axis2))
    return Batched(np.diagonal(only(level, a), offset, *places), level)


@rule(np.trace)
def _trace(level: int, a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    places = (axis_below(x, a.ndim) for x in (axis1, axis2))
    return Batched(np.trace(only(level, a), offset, *places), level)


@rule(np.tril, np.triu)
def _no_rule_of_one(level: int, *args: Any, **kwargs: Any) -> Any:
    raise NeedsExamples


RULES[np.tril] = lambda level, m, k=0: Batched(np.tril(only(level, m), k), level)
RULES[np.triu] = lambda level, m, k=0: Batched(np.triu(only(level, m), k), level)


@rule(np.flip)
def _flip(level: int, m: Any, axis: Any = None) -> Any:
    return Batched(np.flip(only(level, m), axis_below(axis, m.ndim)), level)


@rule(np.roll)
def _roll(level: int, a: Any, shift: Any, axis: Any = None) -> Any:
    whole = only(level, a, shift)
    if axis is None:
        flat = np.roll(np.reshape(whole, (a.count, -1)), shift, 1)
        return Batched(np.reshape(flat, whole.shape), level)
    return Batched(np.roll(whole, shift, axis_below(axis, a.ndim)), level)


@rule(np.repeat)
def _repeat(level: int, a: Any, repeats: Any, axis: Any = None) -> Any:
    whole = only(level, a, repeats)
    if axis is None:
        whole, axis = np.reshape(whole, (a.count, -1)), 0
        return Batched(np.repeat(whole, repeats, 1), level)
    return Batched(np.repeat(whole, repeats, axis_below(axis, a.ndim)), level)


@rule(np.tile)
def _tile(level: int, A: Any, reps: Any) -> Any:
    only(level, A, reps)
    reps = tuple(reps) if np.ndim(reps) else (reps,)
    reps = (1,) * (A.ndim - len(reps)) + reps
    return Batched(np.tile(aligned(A, level, len(reps)), (1, *reps)), level)


# --- joining ------------------------------------------------------------------------------------


def spread(value: Any, level: int, count: int) -> Any:
    """The whole of an array; one that all examples share is repeated without a copy."""
    if at(value, level):
        return value.whole
    value = value if value.__class__ is Batched else np.asarray(value)
    return np.broadcast_to(value, (count, *value.shape))


def counted(arrays: Any, level: int) -> int:
    """How many examples a sequence of arrays has at a level."""
    return next(a.count for a in arrays if at(a, level))


@rule(np.concatenate)
def _concatenate(level: int, arrays: Any, axis: Any = 0, **kwargs: Any) -> Any:
    if kwargs.get("out") is not None:
        raise NeedsExamples
    count = counted(arrays, level)
    if axis is None:
        wholes = [np.reshape(spread(a, level, count), (count, -1)) for a in arrays]
        return Batched(np.concatenate(wholes, 1, **kwargs), level)
    wholes = [spread(a, level, count) for a in arrays]
    return Batched(np.concatenate(wholes, axis_below(axis, rank_of(arrays)), **kwargs), level)


@rule(np.stack)
def _stack(level: int, arrays: Any, axis: int = 0, **kwargs: Any) -> Any:
    count = counted(arrays, level)
    wholes = [spread(a, level, count) for a in arrays]
    return Batched(np.stack(wholes, axis_below(axis, rank_of(arrays) + 1), **kwargs), level)


# --- products -----------------------------------------------------------------------------------


@rule(np.dot)
def _dot(level: int, a: Any, b: Any, **_: Any) -> Any:
    if not np.ndim(a) or not np.ndim(b):
        return np.multiply(a, b)
    if np.ndim(b) > 2:
        raise NeedsExamples
    return np.matmul(a, b)


@rule(np.outer)
def _outer(level: int, a: Any, b: Any) -> Any:
    return np.multiply(np.ravel(a)[:, None], np.ravel(b)[None, :])


@rule(np.inner, np.vdot)
def _inner(level: int, a: Any, b: Any) -> Any:
    if np.ndim(a) == np.ndim(b) == 1 and a.dtype.kind != "c":
        return np.matmul(a, b)
    raise NeedsExamples


@rule(np.einsum)
def _einsum(level: int, subscripts: Any, *operands: Any, **kwargs: Any) -> Any:
    if not isinstance(subscripts, str) or kwargs.get("out") is not None:
        raise NeedsExamples
    free = next(c for c in "ZYXWVUTSRQPONMLKJIHGFEDCBAzyxwvutsrqponmlkjihgfedcba"
                if c not in subscripts)  # fmt: skip
    given, arrow, result = subscripts.replace(" ", "").partition("->")
    if not arrow:
        if "." in given:
            raise NeedsExamples
        letters = given.replace(",", "")
        result = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    parts = given.split(",")
    marked = [free + p if at(o, level) else p for p, o in zip(parts, operands, strict=True)]
    wholes = [o.whole if at(o, level) else o for o in operands]
    return Batched(np.einsum(f"{','.join(marked)}->{free}{result}", *wholes, **kwargs), level)


# --- matrices: NumPy takes stacks of them --------------------------------------------------------


def stacks(function: Any) -> Any:
    """A function of one matrix, or stack of them."""

    def apply(level: int, a: Any, *args: Any, **kwargs: Any) -> Any:
        whole = only(level, a, *args, *kwargs.values())
        result = function(whole, *args, **kwargs)
        if isinstance(result, tuple):
            made = [Batched(r, level) for r in result]
            return type(result)(*made) if hasattr(result, "_fields") else tuple(made)
        return Batched(result, level)

    return apply


for _f in (np.linalg.inv, np.linalg.det, np.linalg.slogdet, np.linalg.cholesky, np.linalg.qr,
           np.linalg.svd, np.linalg.svdvals, np.linalg.eigh, np.linalg.eigvalsh,
           np.linalg.pinv, np.linalg.matrix_power):  # fmt: skip
    RULES[_f] = stacks(_f)


@rule(np.linalg.solve)
def _solve(level: int, a: Any, b: Any) -> Any:
    count = counted((a, b), level)
    x, y = spread(a, level, count), spread(b, level, count)
    if np.ndim(b) == 1:
        y = y[(slice(None), *(None,) * (np.ndim(a) - 2))]
        return Batched(np.linalg.solve(x, y[..., None])[..., 0], level)
    rank = max(np.ndim(a), np.ndim(b))
    x, y = (v[(slice(None), *(None,) * (rank + 1 - v.ndim))] for v in (x, y))
    return Batched(np.linalg.solve(x, y), level)
