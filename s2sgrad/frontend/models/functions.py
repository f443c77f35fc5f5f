"""Floor 4: functions of NumPy that take functions or iterators.

Read in place of the real ones, as those in standard_library.py are.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np

from s2sgrad_runtime import refuse_rounding


def nested_list(array: Any) -> Any:
    """`array.tolist()` where there are several axes."""
    return [row.tolist() for row in array]


class Broadcast:
    """np.broadcast: the shape that arrays have together, and their entries side by side."""

    def __init__(self, *args: Any) -> None:
        self.shape = np.broadcast_shapes(*[np.shape(a) for a in args])
        self.ndim = self.nd = len(self.shape)
        self.size = math.prod(self.shape)
        self.numiter, self.arrays = len(args), args

    def __iter__(self) -> Any:
        columns = [np.ravel(np.broadcast_to(a, self.shape)) for a in self.arrays]
        return iter(list(zip(*columns, strict=True)))


def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """np.apply_along_axis."""
    rows = np.moveaxis(arr, axis, -1)
    lead = np.shape(rows)[:-1]
    flat = np.reshape(rows, (math.prod(lead), np.shape(rows)[-1]))
    values = [func1d(row, *args, **kwargs) for row in flat]
    refuse_rounding(values)
    found = np.array(values)
    if np.ndim(found) == 1:
        return np.reshape(found, lead)
    if np.ndim(found) > 2:
        whole = np.reshape(found, (*lead, *np.shape(found)[1:]))
        count, place = np.ndim(found) - 1, axis % np.ndim(arr)
        last, there = tuple(range(-count, 0)), tuple(range(place, place + count))
        return np.moveaxis(whole, last, there)
    return np.moveaxis(np.reshape(found, (*lead, np.shape(found)[-1])), -1, axis)


def fromiter(iter: Any, dtype: Any, count: int = -1) -> Any:
    """np.fromiter."""
    found = np.array([item for item in iter]).astype(dtype)  # noqa: C416
    return found if count == -1 else found[:count]


def fromfunction(
    function: Any, shape: Any, *, dtype: Any = float, like: Any = None, **kwargs: Any
) -> Any:
    """np.fromfunction."""
    places = np.indices(shape, dtype)
    return function(*[places[k] for k in range(len(shape))], **kwargs)


def kaiser(M: Any, beta: Any) -> Any:
    """np.kaiser."""
    if M == 1:
        return np.ones(1)
    side = 2.0 * np.arange(M) / (M - 1) - 1.0
    return np.i0(beta * np.sqrt(1.0 - side**2)) / np.i0(beta)


def resized(a: Any, shape: Any) -> Any:
    """The entries of an array in another shape: cut off, or with zeros behind."""
    count = math.prod(shape) if isinstance(shape, tuple | list) else shape
    flat = np.ravel(a)[:count]
    return np.reshape(np.concatenate([flat, np.zeros(count - len(flat))]), shape)


# --- functions that write into their argument ------------------------------------------------
def put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """np.put."""
    places = np.ravel(ind)
    if mode == "wrap":
        places = places % np.size(a)
    if mode == "clip":
        places = np.clip(places, 0, np.size(a) - 1)
    a.flat[places] = np.resize(v, len(places))


def set_flat(a: Any, v: Any) -> None:
    """`a.flat = v`: over and over where v is short."""
    if np.shape(v) == np.shape(a) or np.ndim(v) == 0:
        a[...] = v
    else:
        a[...] = np.resize(v, np.shape(a))


def putmask(a: Any, mask: Any, values: Any) -> None:
    """np.putmask: entries take the value at their own place, over and over where it is short."""
    a[...] = np.where(mask, np.resize(values, np.shape(a)), a)


def place(arr: Any, mask: Any, vals: Any) -> None:
    """np.place: the first values go to the first places."""
    places = np.flatnonzero(mask)
    arr.flat[places] = np.resize(vals, len(places))


def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any = -1) -> None:
    """np.put_along_axis, for arrays of at most three axes."""
    if axis is None:
        arr.flat[indices] = values
    elif arr.ndim == 1:
        arr[indices] = values
    elif arr.ndim == 2:
        if axis in (1, -1):
            arr[np.arange(arr.shape[0])[:, None], indices] = values
        else:
            arr[indices, np.arange(arr.shape[1])] = values
    elif arr.ndim == 3:
        first, second = np.arange(arr.shape[0])[:, None, None], np.arange(arr.shape[1])[:, None]
        third = np.arange(arr.shape[2])
        if axis in (2, -1):
            arr[first, second, indices] = values
        elif axis in (1, -2):
            arr[first, indices, third] = values
        else:
            arr[indices, second, third] = values
    else:
        raise NotImplementedError("np.put_along_axis of an array with more than three axes")


def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """np.fill_diagonal."""
    if wrap and a.ndim == 2:
        places = np.arange(0, a.size, a.shape[1] + 1)
        a[places // a.shape[1], places % a.shape[1]] = np.resize(val, len(places))
    else:
        places = np.arange(min(a.shape))
        a[(places,) * a.ndim] = val if np.ndim(val) == 0 else np.resize(val, len(places))


# --- questions -------------------------------------------------------------------------------
def isscalar(element: Any) -> bool:
    """np.isscalar."""
    return isinstance(element, (np.generic, numbers.Number, str, bytes))


def iterable(y: Any) -> bool:
    """np.iterable."""
    return y.ndim > 0 if isinstance(y, np.ndarray) else isinstance(y, Iterable)


# --- operators that write into their first argument ------------------------------------------
def iadd(a: Any, b: Any) -> Any:
    """operator.iadd, and so on."""
    a += b
    return a


def isub(a: Any, b: Any) -> Any:
    a -= b
    return a


def imul(a: Any, b: Any) -> Any:
    a *= b
    return a


def itruediv(a: Any, b: Any) -> Any:
    a /= b
    return a


def ifloordiv(a: Any, b: Any) -> Any:
    a //= b
    return a


def imod(a: Any, b: Any) -> Any:
    a %= b
    return a


def ipow(a: Any, b: Any) -> Any:
    a **= b
    return a


def imatmul(a: Any, b: Any) -> Any:
    a @= b
    return a


def setitem(a: Any, b: Any, c: Any) -> None:
    a[b] = c


def getitem(a: Any, b: Any) -> Any:
    return a[b]


def delitem(a: Any, b: Any) -> None:
    del a[b]


def concat(a: Any, b: Any) -> Any:
    return a + b


def contains(a: Any, b: Any) -> bool:
    return b in a


def sumprod(p: Any, q: Any) -> Any:
    """math.sumprod, of Python 3.12 and later."""
    return sum([a * b for a, b in zip(p, q, strict=True)])


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any) -> Any:
    """np.piecewise: a function (or number) for each condition, the last one for the rest."""
    y = np.zeros_like(x)
    if not isinstance(condlist, list | tuple) and np.ndim(condlist) == np.ndim(x):
        condlist = [condlist]
    if len(funclist) > len(condlist):
        condlist = [*condlist, ~np.any(np.stack(condlist), axis=0)]
    for piece, mask in zip(funclist, condlist, strict=True):
        y[mask] = piece(x[mask], *args) if callable(piece) else piece
    return y


# --- cmath: functions of NumPy on complex numbers ----------------------------------------------
def complex_exp(z: Any) -> Any:
    """cmath.exp."""
    return np.exp(complex(z))


def complex_log10(z: Any) -> Any:
    """cmath.log10."""
    return np.log10(complex(z))


def complex_sqrt(z: Any) -> Any:
    """cmath.sqrt."""
    return np.sqrt(complex(z))


def complex_sin(z: Any) -> Any:
    """cmath.sin."""
    return np.sin(complex(z))


def complex_cos(z: Any) -> Any:
    """cmath.cos."""
    return np.cos(complex(z))


def complex_tan(z: Any) -> Any:
    """cmath.tan."""
    return np.tan(complex(z))


def complex_asin(z: Any) -> Any:
    """cmath.asin."""
    return np.arcsin(complex(z))


def complex_acos(z: Any) -> Any:
    """cmath.acos."""
    return np.arccos(complex(z))


def complex_atan(z: Any) -> Any:
    """cmath.atan."""
    return np.arctan(complex(z))


def complex_sinh(z: Any) -> Any:
    """cmath.sinh."""
    return np.sinh(complex(z))


def complex_cosh(z: Any) -> Any:
    """cmath.cosh."""
    return np.cosh(complex(z))


def complex_tanh(z: Any) -> Any:
    """cmath.tanh."""
    return np.tanh(complex(z))


def complex_asinh(z: Any) -> Any:
    """cmath.asinh."""
    return np.arcsinh(complex(z))


def complex_acosh(z: Any) -> Any:
    """cmath.acosh."""
    return np.arccosh(complex(z))


def complex_atanh(z: Any) -> Any:
    """cmath.atanh."""
    return np.arctanh(complex(z))


def complex_log(z: Any, base: Any = None) -> Any:
    """cmath.log."""
    return np.log(complex(z)) if base is None else np.log(complex(z)) / np.log(complex(base))


def complex_phase(z: Any) -> Any:
    """cmath.phase."""
    return np.angle(complex(z))


def complex_polar(z: Any) -> Any:
    """cmath.polar."""
    return abs(z), np.angle(complex(z))


def complex_rect(r: Any, phi: Any) -> Any:
    """cmath.rect."""
    return complex(r * np.cos(phi), r * np.sin(phi))


def hypot_of(coordinates: Any) -> Any:
    """math.hypot(*coordinates); the largest is taken out, so that no square overflows."""
    if len(coordinates) == 0:
        return 0.0
    largest = max([abs(c) for c in coordinates])
    if largest == 0.0:
        return 0.0
    return largest * math.sqrt(sum([(c / largest) ** 2 for c in coordinates]))
