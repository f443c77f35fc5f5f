"""Functions along axes, sorting, gathering, and the methods of batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.eager.batches.array import Batched, NeedsExamples, aligned, at, top
from s2sgrad.eager.batches.functions import RULES, counted, only, rule, spread
from s2sgrad.eager.batches.ufuncs import axis_below


def along(function: Any, flat: bool = False) -> Any:
    """A function of one array with an `axis`; None stands for all.

    flat: whether NumPy's function takes one axis only, so that None needs a flat array.
    """

    def apply(level: int, a: Any, axis: Any = None, *args: Any, **kwargs: Any) -> Any:
        whole = only(level, a, *args, *kwargs.values())
        if kwargs.get("out") is not None or (args and flat):
            raise NeedsExamples
        if axis is None and flat:
            if kwargs.pop("keepdims", False):
                raise NeedsExamples
            return Batched(function(np.reshape(whole, (a.count, -1)), axis=1, **kwargs), level)
        if not a.ndim and axis not in (None, ()):
            raise NeedsExamples
        return Batched(function(whole, axis_below(axis, a.ndim), *args, **kwargs), level)

    return apply


_f: Any
for _f in (np.sum, np.mean, np.prod, np.max, np.min, np.amax, np.amin, np.var, np.std, np.any,
           np.all, np.nansum, np.nanmean, np.nanmax, np.nanmin, np.nanvar, np.nanstd, np.ptp,
           np.median, np.count_nonzero):  # fmt: skip
    RULES[_f] = along(_f)
for _f in (np.argmax, np.argmin, np.cumsum, np.cumprod):
    RULES[_f] = along(_f, flat=True)


def last(function: Any) -> Any:
    """A function along one axis, the last one if nothing is said."""

    def apply(level: int, a: Any, axis: Any = -1, **kwargs: Any) -> Any:
        whole = only(level, a, *kwargs.values())
        if axis is None or not a.ndim:
            raise NeedsExamples
        return Batched(function(whole, axis=axis_below(axis, a.ndim), **kwargs), level)

    return apply


for _f in (np.sort, np.argsort):
    RULES[_f] = last(_f)


@rule(np.diff)
def _diff(level: int, a: Any, n: int = 1, axis: int = -1, **kwargs: Any) -> Any:
    whole = only(level, a, *kwargs.values())
    if kwargs or not a.ndim:
        raise NeedsExamples
    return Batched(np.diff(whole, n, axis_below(axis, a.ndim)), level)


@rule(np.partition)
def _partition(level: int, a: Any, kth: Any, axis: Any = -1) -> Any:
    if axis is None:
        raise NeedsExamples
    return Batched(np.partition(only(level, a, kth), kth, axis_below(axis, a.ndim)), level)


@rule(np.take_along_axis)
def _take_along_axis(level: int, arr: Any, indices: Any, axis: Any = -1) -> Any:
    if axis is None:
        raise NeedsExamples
    count = counted((arr, indices), level)
    a, places = (spread(v, level, count) for v in (arr, indices))
    return Batched(np.take_along_axis(a, places, axis_below(axis, arr.ndim)), level)


@rule(np.put_along_axis)
def _put_along_axis(level: int, arr: Any, indices: Any, values: Any, axis: Any) -> None:
    if not at(arr, level) or axis is None or arr.shared:
        raise NeedsExamples
    index = spread(indices, level, arr.count)
    values = aligned(values, level, arr.ndim)
    np.put_along_axis(arr.whole, index, values, axis_below(axis, arr.ndim))


@rule(np.take)
def _take(level: int, a: Any, indices: Any, axis: Any = None, **kwargs: Any) -> Any:
    if at(a, level) and not top((indices,)) and axis is not None and not kwargs:
        return Batched(np.take(a.whole, indices, axis_below(axis, a.ndim)), level)
    first = axis == 0 or (axis is None and np.ndim(a) == 1)
    if at(indices, level) and not at(a, level) and not kwargs and first:
        return Batched(np.take(a, indices.whole, 0), level)
    raise NeedsExamples


@rule(np.linalg.norm)
def _norm(level: int, x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    whole = only(level, x, ord)
    if axis is None:
        if ord is None:
            kept = np.linalg.norm(np.reshape(whole, (x.count, -1)), axis=1)
            shape = (x.count, *(1,) * x.ndim) if keepdims else (x.count,)
            return Batched(np.reshape(kept, shape), level)
        if x.ndim not in (1, 2):
            raise NeedsExamples
        axis = tuple(range(x.ndim)) if x.ndim == 2 else 0
    return Batched(np.linalg.norm(whole, ord, axis_below(axis, x.ndim), keepdims), level)


def transform(function: Any) -> Any:
    """A Fourier transform along one axis."""

    def apply(level: int, a: Any, n: Any = None, axis: int = -1, norm: Any = None) -> Any:
        place = axis_below(axis, a.ndim)
        return Batched(function(only(level, a, n), n, place, norm), level)

    return apply


for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    RULES[getattr(np.fft, _name)] = transform(getattr(np.fft, _name))


# --- methods ------------------------------------------------------------------------------------


def method(function: Any) -> Any:
    def call(self: Batched, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    return call


def _reshape(self: Batched, *shape: Any, order: str = "C") -> Any:
    sizes = shape[0] if len(shape) == 1 and np.ndim(shape[0]) else shape
    return np.reshape(self, sizes, order=order)  # type: ignore[call-overload]


def _transpose(self: Batched, *axes: Any) -> Any:
    if len(axes) == 1 and (axes[0] is None or np.ndim(axes[0])):
        axes = axes[0]
    return np.transpose(self, axes or None)  # type: ignore[call-overload]


def _astype(self: Batched, dtype: Any, *_: Any, **kwargs: Any) -> Any:
    return Batched(self.whole.astype(dtype, **kwargs), self.level)


def _copy(self: Batched, order: str = "C") -> Any:
    return Batched(self.whole.copy(), self.level)


def _fill(self: Batched, value: Any) -> None:
    self[...] = value  # type: ignore[index]


def _conj(self: Batched) -> Any:
    return np.conj(self)


_METHODS: dict[str, Any] = {
    "reshape": _reshape, "transpose": _transpose, "astype": _astype, "copy": _copy,
    "fill": _fill, "conj": _conj, "conjugate": _conj,
}  # fmt: skip
for _name in (
    "sum", "mean", "prod", "max", "min", "var", "std", "any", "all", "argmax", "argmin", "cumsum",
    "cumprod", "dot", "squeeze", "swapaxes", "ravel", "diagonal", "trace", "take", "repeat",
    "clip", "round", "argsort",
):  # fmt: skip
    _METHODS[_name] = method(getattr(np, _name))
_METHODS["flatten"] = lambda self, order="C": np.ravel(self, order).copy()
for _name, _made in _METHODS.items():
    setattr(Batched, _name, _made)
_set: Any = Batched
_set.T = property(np.transpose)
_set.mT = property(lambda self: np.swapaxes(self, -1, -2))
_set.real = property(np.real)
_set.imag = property(np.imag)
