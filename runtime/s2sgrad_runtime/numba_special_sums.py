"""Numba's versions of scipy.special's logsumexp and its kin, of real vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable
from scipy import special

from s2sgrad_runtime import numba_helpers as _taught  # noqa: F401 (Numba learns gap)
from s2sgrad_runtime import special as slopes
from s2sgrad_runtime.elementwise import gap


def _known(kind: Any) -> Any:
    """What an argument is known to be: left out, or written in the code."""
    if isinstance(kind, types.NoneType):
        return None
    return getattr(kind, "literal_value", getattr(kind, "value", kind))


def _along(a: Any, axis: Any, *absent: Any) -> int | None:
    """The axis of the sum, -1 for all of them; None where there is no version."""
    real = isinstance(a, types.Array) and isinstance(a.dtype, types.Float) and a.ndim in (1, 2)
    place = _known(axis)
    if not real or any(_known(kind) not in (None, False) for kind in absent):
        return None
    if place is None:
        return -1
    if not isinstance(place, int) or not -a.ndim <= place < a.ndim:
        return None
    return -1 if a.ndim == 1 else place % 2


@register_jitable  # type: ignore[untyped-decorator]
def _of_all(a: Any) -> Any:
    most = -np.inf
    for entry in a.flat:
        most = max(most, entry) if entry == entry else entry
    if not np.isfinite(most):
        return most
    total = 0.0
    for entry in a.flat:
        total += np.exp(entry - most)
    return np.log(total) + most


@register_jitable  # type: ignore[untyped-decorator]
def _of_rows(a: Any) -> Any:
    out = np.empty(a.shape[0], a.dtype)
    for i in range(a.shape[0]):
        out[i] = _of_all(a[i])
    return out


def _kept(ndim: int, along: int, keepdims: bool) -> Any:
    """How a sum gets its lost axes back; as it is without keepdims."""
    if not keepdims:
        return register_jitable(lambda y: y)
    if along < 0:
        shape = (1,) * ndim
        return register_jitable(lambda y: np.full(shape, y))
    return register_jitable(lambda y: np.expand_dims(y, along))


def _spread(y: Any, a: Any, along: int) -> Any:
    """How the sum, or its cotangent, stands beside the entries."""
    if along < 0 or not isinstance(y, types.Array) or y.ndim == a.ndim:
        return register_jitable(lambda y: y)
    return register_jitable(lambda y: np.expand_dims(y, along))


def _summed(along: int) -> Any:
    if along < 0:
        return _of_all
    return _of_rows if along == 1 else register_jitable(lambda a: _of_rows(a.T))


@overload(special.logsumexp, strict=False, prefer_literal=True)
def logsumexp(
    a: Any, axis: Any = None, b: Any = None, keepdims: Any = False, return_sign: Any = False
) -> Any:
    along = _along(a, axis, b, return_sign)
    if along is None or _known(keepdims) not in (True, False):
        return None
    summed, kept = _summed(along), _kept(a.ndim, along, _known(keepdims))
    return lambda a, axis=None, b=None, keepdims=False, return_sign=False: kept(summed(a))


@overload(slopes.logsumexp_pullback, strict=False, prefer_literal=True)
def logsumexp_pullback(
    y_bar: Any, y: Any, a: Any, axis: Any, b: Any, keepdims: Any, signed: Any
) -> Any:
    along = _along(a, axis, b, signed)
    if along is None:
        return None
    bar, value = _spread(y_bar, a, along), _spread(y, a, along)
    return lambda y_bar, y, a, axis, b, keepdims, signed: bar(y_bar) * np.exp(gap(a, value(y)))


@overload(slopes.logsumexp_pushforward, strict=False, prefer_literal=True)
def logsumexp_pushforward(
    a_dot: Any, y: Any, a: Any, axis: Any, b: Any, keepdims: Any, signed: Any
) -> Any:
    along = _along(a, axis, b, signed)
    if along is None or _known(keepdims) not in (True, False):
        return None
    value, kept = _spread(y, a, along), _kept(a.ndim, along, _known(keepdims))
    if along < 0:
        return lambda a_dot, y, a, axis, b, keepdims, signed: kept(
            np.sum(a_dot * np.exp(gap(a, value(y))))
        )
    return lambda a_dot, y, a, axis, b, keepdims, signed: kept(
        np.sum(a_dot * np.exp(gap(a, value(y))), axis=along)
    )


@overload(special.log_softmax, strict=False, prefer_literal=True)
def log_softmax(x: Any, axis: Any = None) -> Any:
    along = _along(x, axis)
    if along is None:
        return None
    summed, kept = _summed(along), _kept(x.ndim, along, along >= 0)
    return lambda x, axis=None: x - kept(summed(x))


@overload(special.softmax, strict=False, prefer_literal=True)
def softmax(x: Any, axis: Any = None) -> Any:
    along = _along(x, axis)
    if along is None:
        return None
    summed, kept = _summed(along), _kept(x.ndim, along, along >= 0)
    return lambda x, axis=None: np.exp(x - kept(summed(x)))
