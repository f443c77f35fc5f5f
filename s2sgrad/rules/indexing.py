"""Floor 2: rules of functions that pick entries."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import structural, tangent
from s2sgrad_runtime import (
    choose_bars,
    compress_bar,
    extract_bar,
    item,
    kept_writes,
    scatter,
    select_bars,
    select_default_bar,
    take_along_axis_bar,
    take_bar,
    take_items,
    unitem,
    unkept_writes,
)


@structural(np.take, linear=("a",))
def take(y_bar, y, a, indices, axis=None, out=None, mode="raise"):
    """Adds up where an entry is taken more than once."""
    return take_bar(y_bar, a, indices, axis, mode), None


@structural(take_bar, linear=("z",))
def take_bar_(y_bar, y, z, a, indices, axis=None, mode="raise"):
    """The transpose of np.take."""
    return np.take(y_bar, indices, axis=axis, mode=mode), None, None


@structural(np.take_along_axis, linear=("arr",))
def take_along_axis(y_bar, y, arr, indices, axis=-1):
    """Adds up where an entry is taken more than once."""
    return take_along_axis_bar(y_bar, arr, indices, axis), None


@structural(take_along_axis_bar, linear=("z",))
def take_along_axis_bar_(y_bar, y, z, arr, indices, axis=-1):
    """The transpose of np.take_along_axis."""
    return np.take_along_axis(y_bar, indices, axis=axis), None, None


@structural(take_items, linear=("a",))
def take_items_(y_bar, y, a, index):
    """a[index]; adds up where an entry is taken more than once."""
    return scatter(y_bar, a, index), None


@structural(scatter, linear=("z",))
def scatter_(y_bar, y, z, a, index):
    """The transpose of a[index]."""
    return take_items(y_bar, index), None, None


@structural(item, linear=("a",))
def item_(y_bar, y, a, index=()):
    """One entry."""
    return unitem(y_bar, a, index)


@structural(unitem, linear=("z",))
def unitem_(y_bar, y, z, a, index=()):
    """The transpose of item."""
    return item(y_bar, index), None


@structural(np.compress, linear=("a",), selects=True, flat=("condition",))
def compress(y_bar, y, condition, a, axis=None, out=None):
    """What is left out gets zeros."""
    return None, compress_bar(y_bar, condition, a, axis)


@structural(np.extract, linear=("arr",), selects=True, flat=("condition",))
def extract(y_bar, y, condition, arr):
    """What is left out gets zeros."""
    return None, extract_bar(y_bar, condition, arr)


@structural(np.choose, linear=("choices",), sequences=("choices",), selects=True)
def choose(y_bar, y, a, choices, out=None, mode="raise"):
    """Each choice gets the cotangent where it was chosen."""
    return None, choose_bars(y_bar, a, choices, mode)


@structural(np.select, sequences=("choicelist",), optional=("default",), selects=True)
def select(y_bar, y, condlist, choicelist, default=0):
    """The first choice whose condition holds; the default where none does."""
    return (
        None,
        select_bars(y_bar, condlist, choicelist),
        select_default_bar(y_bar, condlist, default),
    )


@tangent(np.select)
def select_dot(y, condlist, choicelist, default=0, *, condlist_dot, choicelist_dot, default_dot):
    """The tangent of what was selected."""
    zeros = [np.zeros_like(default_dot)] * len(condlist)  # as NumPy asks no tensor for `default`
    return None, np.select(condlist, choicelist_dot), np.select(condlist, zeros, default_dot)


@structural(np.bincount, optional=("weights",), linear=("weights",))
def bincount(y_bar, y, x, weights=None, minlength=0):
    """y_k = sum of the weights of the entries k of x."""
    return None, y_bar[x]


@structural(kept_writes, linear=("z",))
def kept_writes_(y_bar, y, z, index):
    """What was written over takes nothing."""
    return unkept_writes(y_bar, z, index), None


@structural(unkept_writes, linear=("z",))
def unkept_writes_(y_bar, y, z, x, index):
    """The transpose once more."""
    return kept_writes(y_bar, index), None, None
