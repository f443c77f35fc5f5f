"""Products of all entries but one: the slopes of np.prod, exact where entries are zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad_runtime.elementwise import masked
from s2sgrad_runtime.reductions import cumprod_dot, reduced_last
from s2sgrad_runtime.shapes import Axis, normalize_axes

__all__ = [
    "others_bar",
    "others_dot",
    "prod_bars",
    "prod_dot",
    "products_of_others",
]


def products_of_others(a: Any, axis: Axis = None, initial: Any = 1, where: Any = True) -> Any:
    """For every entry of a, the product of all others along `axis` (times `initial`).

    Products from the left times products from the right: exact where entries are zero. Entries
    outside `where` count as 1. Allocates a few arrays of the shape of a.
    """
    if where is not True:
        a = np.where(where, a, 1.0)
    initial = 1 if initial is None else initial
    axes = normalize_axes(axis if np.ndim(a) else None, np.ndim(a))
    if len(axes) == 1:
        return _others_along(a, axes[0]) * initial
    if len(axes) == np.ndim(a):
        return np.reshape(_others_along(np.ravel(a), 0), np.shape(a)) * initial
    order, back, kept = reduced_last(axis, np.ndim(a))
    moved = np.transpose(a, order)
    count = int(np.prod(np.shape(moved)[kept:]))
    others = _others_along(np.reshape(moved, (*np.shape(moved)[:kept], count)), -1)
    return np.transpose(np.reshape(others, np.shape(moved)), back) * initial


def others_dot(a_dot: Any, a: Any, axis: Axis = None, initial: Any = 1, where: Any = True) -> Any:
    """Tangent of `products_of_others(a, axis, initial, where)` along a_dot."""
    if where is not True:
        a, a_dot = np.where(where, a, 1.0), np.where(where, a_dot, 0.0)
    axes = normalize_axes(axis if np.ndim(a) else None, np.ndim(a))
    if len(axes) == 1:
        return _others_along_dot(a_dot, a, axes[0]) * initial
    if len(axes) == np.ndim(a):
        flat = _others_along_dot(np.ravel(a_dot), np.ravel(a), 0)
        return np.reshape(flat, np.shape(a)) * initial
    order, back, kept = reduced_last(axis, np.ndim(a))
    moved, moved_dot = np.transpose(a, order), np.transpose(a_dot, order)
    shape = (*np.shape(moved)[:kept], int(np.prod(np.shape(moved)[kept:])))
    found = _others_along_dot(np.reshape(moved_dot, shape), np.reshape(moved, shape), -1)
    return np.transpose(np.reshape(found, np.shape(moved)), back) * initial


def others_bar(y_bar: Any, a: Any, axis: Axis = None, initial: Any = 1, where: Any = True) -> Any:
    """Cotangent of a in `products_of_others`: their second derivatives are symmetric. Entries
    that together have no cotangent were left out: theirs is zero, whatever they are, and so is
    what follows from it at any order."""
    counts = np.any(y_bar != 0, axis=axis if np.ndim(a) else None, keepdims=True)
    entries = masked(a if where is True else np.where(where, a, 1.0), counts)
    found = others_dot(y_bar, entries, axis, initial)
    return found if where is True else np.where(where, found, 0.0)


def prod_bars(y_bar: Any, numbers: Any, start: Any = 1) -> Any:
    """Cotangents of a sequence of numbers in its product: a list, or an array for an array."""
    found = y_bar * products_of_others(np.asarray(numbers), None, start)
    return found if isinstance(numbers, np.ndarray) else [found[i] for i in range(len(numbers))]


def prod_dot(numbers_dot: Any, numbers: Any, start: Any = 1) -> Any:
    """Tangent of the product of a sequence of numbers: the transpose of `prod_bars`."""
    others = products_of_others(np.asarray(numbers), None, start)
    return np.sum(others * np.asarray(numbers_dot))


def _others_along_dot(a_dot: Any, a: Any, axis: int) -> Any:
    rows, dots = np.moveaxis(a, axis, 0), np.moveaxis(a_dot, axis, 0)
    if isinstance(rows, np.ndarray):
        zero = rows == 0
        divisors = np.where(zero, 1.0, rows) if zero.any() else rows
        if _may_be_divisors(divisors):
            return np.moveaxis(_others_dot_by_division(dots, divisors, zero), 0, axis)
    first, none = np.ones_like(rows[:1]), np.zeros_like(dots[:1])
    left = np.concatenate((first, np.cumprod(rows[:-1], axis=0)), axis=0)
    right = np.concatenate((np.flip(np.cumprod(np.flip(rows[1:], 0), axis=0), 0), first), axis=0)
    left_dot = np.concatenate((none, cumprod_dot(dots[:-1], rows[:-1], 0)), axis=0)
    backwards = cumprod_dot(np.flip(dots[1:], 0), np.flip(rows[1:], 0), 0)
    right_dot = np.concatenate((np.flip(backwards, 0), none), axis=0)
    return np.moveaxis(left_dot * right + left * right_dot, 0, axis)


def _others_dot_by_division(dots: Any, rows: Any, zero: Any) -> Any:
    """The tangent of products of others along the first axis; rows hold 1 where the entries are
    zero. What is left out must take all zeros with it, so there are two at most."""
    product, change = np.prod(rows, axis=0), dots / rows
    found = (np.sum(change, axis=0) - change) * (product / rows)
    hit = np.any(zero, axis=0)
    if np.any(hit):
        rows, dots, zero, change = rows[:, hit], dots[:, hit], zero[:, hit], change[:, hit]
        among, count = np.where(zero, dots, 0.0), np.sum(zero, axis=0)
        rest, both = np.sum(change - among, axis=0), np.sum(among, axis=0)
        at_zero = np.where(count == 1, rest, np.where(count == 2, both - dots, 0.0))
        beside = np.where(count == 1, both, 0.0) / rows
        found[:, hit] = np.where(zero, at_zero, beside) * np.prod(rows, axis=0)
    return found


def _may_be_divisors(rows: Any) -> bool:
    """Whether no entry is so small that what it is divided by is lost, nor a product."""
    sizes = np.abs(rows)
    if not rows.size or np.min(sizes) <= 1e-3 * np.max(sizes):
        return False
    products, limits = np.prod(sizes, axis=0), np.finfo(rows.dtype)
    return bool(np.all((products > limits.tiny) & (products < limits.max)))


def _others_along(a: Any, axis: int) -> Any:
    rows = np.moveaxis(a, axis, 0)
    first = np.ones_like(rows[:1])
    left = np.cumprod(rows[:-1], axis=0)
    right = np.flip(np.cumprod(np.flip(rows[1:], 0), axis=0), 0)
    left = np.concatenate((first, left), axis=0)
    return np.moveaxis(left * np.concatenate((right, first), axis=0), 0, axis)
