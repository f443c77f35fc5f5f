"""NumPy's ufuncs on batches: operands are aligned so that their examples broadcast."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import Batched, NeedsExamples, aligned, at, rank_of, top
from s2sgrad.eager.batches.examples import by_examples


def array_ufunc(self: Batched, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """What NumPy calls where an operand of a ufunc is batched."""
    out = kwargs.pop("out", ())
    if any(hasattr(value, "_node") for value in inputs):
        return NotImplemented
    level = top((*inputs, *out))
    if any(o is not None and (not at(o, level) or o.shared) for o in out):
        raise NeedsExamples
    if method == "at" and (not at(inputs[0], level) or inputs[0].shared):
        raise NeedsExamples
    if method == "reduce" and not out:
        return reduced(ufunc, level, *inputs, **kwargs)
    if method == "accumulate" and not out:
        return accumulated(ufunc, level, *inputs, **kwargs)
    if method != "__call__":
        return by_examples(
            getattr(ufunc, method), inputs, {**kwargs, "out": out} if out else kwargs
        )
    if ufunc is np.matmul and not kwargs and not out:
        a, b = inputs
        return Batched(matmul(a, b, level), level)
    if ufunc.signature is not None:
        return by_examples(ufunc, inputs, {**kwargs, "out": out} if out else kwargs)
    rank = max(rank_of(inputs), rank_of(out))
    if "where" in kwargs:
        rank = max(rank, rank_of((kwargs["where"],)))
        kwargs["where"] = aligned(kwargs["where"], level, rank)
    if out:
        kwargs["out"] = tuple(None if o is None else aligned(o, level, rank) for o in out)
    result = ufunc(*(aligned(value, level, rank) for value in inputs), **kwargs)
    if out:
        return out[0] if len(out) == 1 else out
    if result.__class__ is tuple:
        return tuple(Batched(r, level) for r in result)
    return Batched(result, level)


def axis_below(axis: Any, ndim: int) -> Any:
    """Axes of an example as those of the whole; None stands for all."""
    if axis is None:
        return tuple(range(1, ndim + 1))
    if isinstance(axis, (tuple, list)):
        return tuple(axis_below(a, ndim) for a in axis)
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(axis, ndim)
    return axis + 1 if axis >= 0 else axis


def reduced(
    ufunc: Any, level: int, a: Any, axis: Any = 0, dtype: Any = None, out: Any = None,
    keepdims: bool = False, **more: Any,
) -> Any:  # fmt: skip
    """`ufunc.reduce` of a batch."""
    if not at(a, level) or top(more.values()) or (not a.ndim and axis not in (None, ())):
        raise NeedsExamples
    axis = axis_below(axis, a.ndim)
    return Batched(ufunc.reduce(a.whole, axis, dtype, None, keepdims, **more), level)


def accumulated(ufunc: Any, level: int, a: Any, axis: int = 0, dtype: Any = None) -> Any:
    """`ufunc.accumulate` of a batch."""
    return Batched(ufunc.accumulate(a.whole, axis_below(axis, a.ndim), dtype), level)


# --- products of matrices ----------------------------------------------------------------------


def matmul(a: Any, b: Any, level: int) -> Any:
    """The whole of `a @ b`, with as few products of matrices as there can be."""
    if not a.ndim or not b.ndim:
        raise ValueError("matmul: Input operand does not have enough dimensions")
    x, y = common(a, level), common(b, level)
    if x is not None and y is not None:
        made = np.matmul(x, y)
        count = a.count if at(a, level) else b.count
        return np.broadcast_to(made, (count, *np.shape(made)))
    if y is not None and y.ndim <= 2:
        return of_rows(a.whole, y)
    if x is not None and x.ndim == 2 and b.ndim == 1:
        return np.matmul(b.whole, x.T)
    if x is not None and x.ndim == 1 and b.ndim <= 2:
        return np.matmul(b.whole, x) if b.ndim == 1 else np.matmul(x, b.whole)
    rank = max(a.ndim, b.ndim, 2)
    left = stacked(a, level, rank, -2) if a.ndim == 1 else aligned(a, level, rank)
    right = stacked(b, level, rank, -1) if b.ndim == 1 else aligned(b, level, rank)
    if left.shape[-1] == 1 == right.shape[-2]:
        made = left * right  # many outer products are one multiplication
    else:
        made = np.matmul(left, right)
    if a.ndim == 1:
        made = made[..., 0, :] if b.ndim > 1 else made[..., 0, 0]
    elif b.ndim == 1:
        made = made[..., 0]
    return made


def common(value: Any, level: int) -> Any:
    """The one array that all examples of an operand are; None where they differ."""
    if not at(value, level):
        return value
    whole = value.whole
    if whole.__class__ is np.ndarray and whole.shape[0] > 1 and whole.strides[0] == 0:
        return whole[0]
    return None


def of_rows(whole: Any, b: Any) -> Any:
    """Stacked matrices or vectors times one matrix or vector: a single product."""
    if whole.ndim <= 2:
        return np.matmul(whole, b)
    lead = whole.shape[:-1]
    made = np.matmul(np.reshape(whole, (-1, whole.shape[-1])), b)
    return np.reshape(made, (*lead, *b.shape[1:]))


def stacked(value: Any, level: int, rank: int, place: int) -> Any:
    """A vector as matrices of one row (place -2) or one column (-1), aligned to `rank`."""
    if not at(value, level):
        return np.expand_dims(value, place)
    whole = np.expand_dims(value.whole, place)
    return whole[(slice(None), *(None,) * (rank - 2))] if rank > 2 else whole


Batched.__array_ufunc__ = array_ufunc  # type: ignore[method-assign]
