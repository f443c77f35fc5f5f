"""The tangent of a function of which only the vjp is known, and only as a black box."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["tangent_by_vjp"]


def tangent_by_vjp(
    rule: Callable[..., Any], position: int | None, x_dot: Any, y: Any, *args: Any
) -> Any:
    """y_dot of y = f(*args) along x_dot: one call of the vjp for each entry of y.

    rule: `(y_bar, y, *args)`, which gives one cotangent, or a tuple of which `position` is meant.
    """
    if isinstance(y, tuple):
        return tuple(_of_one(rule, position, x_dot, y, k, args) for k in range(len(y)))
    shape = np.shape(y)
    y_dot = np.empty(shape, np.result_type(np.result_type(y, *_leaves(x_dot)), np.float16))
    for index in np.ndindex(shape):
        y_bar = np.zeros(shape, y_dot.dtype)
        y_bar[index] = 1.0
        x_bar = rule(y_bar if shape else y_bar[()], y, *args)
        y_dot[index] = _inner(x_bar if position is None else x_bar[position], x_dot)
    return y_dot if shape else y_dot[()]


def _leaves(tree: Any) -> list[Any]:
    """The arrays and numbers in a structure."""
    if isinstance(tree, list | tuple | dict):
        items = tree.values() if isinstance(tree, dict) else tree
        return [leaf for item in items for leaf in _leaves(item)]
    return [tree]


def _inner(bar: Any, dot: Any) -> Any:
    """The sum of the products of all their entries."""
    pairs = zip(_leaves(bar), _leaves(dot), strict=True)
    return sum(np.sum(one * other) for one, other in pairs if one is not None)


def _of_one(
    rule: Callable[..., Any], position: int | None, x_dot: Any, y: Any, k: int, args: Any
) -> Any:
    """The tangent of result k of several."""

    def vjp(y_bar: Any, one: Any, *args: Any) -> Any:
        bars = [np.zeros_like(part)[()] for part in y]
        bars[k] = y_bar
        return rule(tuple(bars), y, *args)

    return tangent_by_vjp(vjp, position, x_dot, y[k], *args)
