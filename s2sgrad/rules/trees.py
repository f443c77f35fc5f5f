"""Floor 2: rules of the runtime's helpers for lists, tuples and dicts of arrays."""

from __future__ import annotations

import numpy as np

from s2sgrad.rules.declare import keep_whole, no_derivative, structural, tangent, zero_derivative
from s2sgrad_runtime import (
    accumulate,
    conj_each,
    copy_apart,
    copy_as_it_lies,
    copy_tree,
    deep_copy,
    fold,
    in_structure,
    place_of_max,
    place_of_min,
    refuse_rounding,
    set_left,
    set_order,
    set_places,
    set_popped,
    sort_order,
    stack_bar,
    unstack,
    unstack_like,
    zero_arrays_like,
    zeros_like,
)

zero_derivative(zeros_like, zero_arrays_like)
no_derivative(sort_order, set_left, set_order, set_places, set_popped, place_of_max, place_of_min)
keep_whole(refuse_rounding)


@structural(copy_tree, copy_apart, copy_as_it_lies, deep_copy, linear=("tree",))
def copy_tree_(y_bar, y, tree):
    """A copy takes the cotangent on."""
    return y_bar


@structural(conj_each, linear=("tree",), holomorphic=False)
def conj_each_(y_bar, y, tree):
    """Its own transpose."""
    return conj_each(y_bar)


@structural(accumulate)
def accumulate_(y_bar, y, a, b):
    """y = a + b, entry by entry. Its tangent is the sum of both tangents."""
    return y_bar, y_bar


@tangent(accumulate)
def accumulate_dot(y, a, b, *, a_dot, b_dot):
    """The sum of the tangents."""
    return a_dot, b_dot


@structural(in_structure, linear=("z",))
def in_structure_(y_bar, y, z, tree):
    """Only lists and tuples change places."""
    return y_bar, None


@structural(stack_bar, linear=("z",))
def stack_bar_(y_bar, y, z, x):
    """The slices of a stack."""
    return unstack(y_bar), None


@structural(unstack_like, linear=("z",))
def unstack_like_(y_bar, y, z, items):
    """Parts go back to their places in the array."""
    return np.asarray(y_bar), None


@structural(fold, linear=("z",))
def fold_(y_bar, y, z, items):
    """Every repetition takes the cotangent of the sum."""
    return y_bar * (len(z) // max(len(items), 1)), None
