"""Floor 2: samples of arguments, and the trees of numbers that `check_rule` works on.

A tree is an array or number, or a list, tuple or dict of trees; anything else is a constant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.rules.declare import Rule

# Central differences of fourth order: (offset, weight) in units of the step.
STENCIL = ((1, 8.0), (-1, -8.0), (2, -1.0), (-2, 1.0))
STEP = 1e-3


class Sample:
    """The arguments of one call; `constant` names arguments that are not to be differentiated.

    `Sample(x, axis=0)` stands for `function(x, axis=0)`.
    """

    def __init__(self, *args: Any, constant: tuple[str, ...] = (), **kwargs: Any) -> None:
        self.args, self.kwargs, self.constant = args, kwargs, constant

    def replaced(self, rule: Rule, name: str, value: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The call's arguments with one parameter's value exchanged."""
        for keyword in self.kwargs:
            if rule.aliases.get(keyword, keyword) == name:
                return self.args, {**self.kwargs, keyword: value}
        position = rule.parameters.index(name)
        if rule.variadic == name:
            return (*self.args[:position], *value), self.kwargs
        return (*self.args[:position], value, *self.args[position + 1 :]), self.kwargs


def map_leaves(function: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """The tree with `function` applied to every array or number; containers are new."""
    if isinstance(tree, dict):
        return {k: map_leaves(function, v, *(o[k] for o in others)) for k, v in tree.items()}
    if isinstance(tree, list | tuple):
        made = [map_leaves(function, *items) for items in zip(tree, *others, strict=True)]
        return tuple(made) if isinstance(tree, tuple) else made
    return function(tree, *others) if _is_number(tree) else tree


def leaves(tree: Any) -> list[Any]:
    """Every array or number of a tree, in order."""
    found: list[Any] = []
    map_leaves(found.append, tree)
    return found


def _is_number(value: Any) -> bool:
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in "biufc"
    return isinstance(value, bool | int | float | complex)


def _kind(value: Any) -> str:
    return np.asarray(value).dtype.kind


def has_floats(tree: Any) -> bool:
    """Whether every number of a tree is a float or complex one, and there is one."""
    kinds = [_kind(leaf) for leaf in leaves(tree)]
    return bool(kinds) and all(kind in "fc" for kind in kinds)


def is_complex(tree: Any) -> bool:
    return any(_kind(leaf) == "c" for leaf in leaves(tree))


def is_single(tree: Any) -> bool:
    """Whether every float array of a tree is float32 or complex64, and there is one."""
    wide = [np.asarray(x).dtype for x in leaves(tree) if np.ndim(x) and _kind(x) in "fc"]
    return bool(wide) and all(dtype in (np.float32, np.complex64) for dtype in wide)


def noise(rng: np.random.Generator, tree: Any) -> Any:
    """Normal numbers in the shapes and dtypes of a tree; zeros for what is not a float."""

    def one(leaf: Any) -> Any:
        shape = np.shape(leaf)
        if _kind(leaf) not in "fc":
            return np.zeros(shape)
        made = np.empty_like(leaf)  # in the memory order of the leaf
        made[...] = rng.standard_normal(shape)
        if _kind(leaf) == "c":
            made[...] += 1j * rng.standard_normal(shape)
        return made[()]

    return map_leaves(one, tree)


def scrambled(tree: Any) -> Any:
    """NaN (or -7) in the shapes and dtypes of a tree."""
    return map_leaves(lambda x: np.full_like(x, np.nan if _kind(x) in "fc" else -7)[()], tree)


def conjugated(tree: Any) -> Any:
    return map_leaves(np.conjugate, tree)


def inner(left: Any, right: Any) -> float:
    """Re sum conj(left) right over all leaves, in double precision."""
    return float(sum(np.sum(np.real(a * np.conj(b))) for a, b in _pairs(left, right)))


def magnitude(left: Any, right: Any) -> float:
    """Sum of |left right| over all leaves: the scale that `inner` is to be compared with."""
    return float(sum(np.sum(np.abs(a * b)) for a, b in _pairs(left, right)))


def _pairs(left: Any, right: Any) -> list[tuple[Any, Any]]:
    both = zip(leaves(left), leaves(right), strict=True)
    return [(np.asarray(a, np.complex128), np.asarray(b, np.complex128)) for a, b in both]


def changed(before: Any, after: Any) -> bool:
    both = zip(leaves(before), leaves(after), strict=True)
    return not all(np.array_equal(a, b, equal_nan=_kind(a) in "fc") for a, b in both)


def _double(tree: Any) -> Any:
    def one(leaf: Any) -> Any:
        wide = {"f": np.float64, "c": np.complex128}.get(_kind(leaf))
        return leaf if wide is None else np.asarray(leaf).astype(wide)[()]

    return map_leaves(one, tree)


def directional_difference(rule: Rule, sample: Sample, argument: str, x_dot: Any) -> Any:
    """The derivative of the primal along x_dot in one argument, in double precision."""
    args = tuple(_double(a) for a in sample.args)
    kwargs = {key: _double(value) for key, value in sample.kwargs.items()}
    wide = Sample(*args, **kwargs)
    x = _double(rule.bind(args, kwargs)[argument])
    total: Any = None
    for offset, weight in STENCIL:
        moved = map_leaves(lambda a, d, k=offset: a + k * STEP * d, x, _double(x_dot))
        new_args, new_kwargs = wide.replaced(rule, argument, moved)
        y = rule.function(*new_args, **new_kwargs)
        y = tuple(y) if isinstance(y, list) else y
        part = map_leaves(lambda v, w=weight: np.asarray(v, _wide(v)) * (w / (12 * STEP)), y)
        total = part if total is None else map_leaves(np.add, total, part)
    return total


def _wide(value: Any) -> Any:
    return np.complex128 if _kind(value) == "c" else np.float64
