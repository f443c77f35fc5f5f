"""Central differences over nested arguments, and the comparisons the program tests share.

A tree is nested from dicts, lists, tuples, named tuples and dataclasses; its float leaves are
Python floats, NumPy float scalars and float arrays. Anything else is carried along untouched.

Limitations: differences can't see an error below about 1e-7 of the gradient, and say nothing at
kinks; programs keep their example arguments away from those.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

Leaf = Any
Tree = Any


def is_float_leaf(node: Any) -> bool:
    """True for a Python float, a NumPy float scalar and a float array."""
    if isinstance(node, np.ndarray | np.generic):
        return bool(np.issubdtype(node.dtype, np.floating))
    return isinstance(node, float)


def map_leaves(function: Callable[[Leaf], Any], tree: Tree) -> Tree:
    """The same tree with every float leaf replaced; containers are new."""
    if is_float_leaf(tree):
        return function(tree)
    if isinstance(tree, dict):
        return type(tree)((key, map_leaves(function, value)) for key, value in tree.items())
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(map_leaves(function, value) for value in tree))
    if isinstance(tree, list | tuple):
        return type(tree)(map_leaves(function, value) for value in tree)
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type):
        changes = {
            f.name: map_leaves(function, getattr(tree, f.name))
            for f in dataclasses.fields(tree)
            if f.init
        }
        return dataclasses.replace(tree, **changes)
    return copy.deepcopy(tree)


def leaves(tree: Tree) -> list[Leaf]:
    """Every float leaf, in the order of the containers."""
    found: list[Leaf] = []
    map_leaves(found.append, tree)
    return found


def ravel(tree: Tree) -> np.ndarray:
    """All float leaves as one float64 vector."""
    parts = [np.asarray(leaf, dtype=np.float64).ravel() for leaf in leaves(tree)]
    return np.concatenate(parts) if parts else np.zeros(0)


def unravel(tree: Tree, vector: np.ndarray) -> Tree:
    """The tree with its float leaves read from the vector (float64, fresh arrays)."""
    rest = iter(vector.tolist())

    def take(leaf: Leaf) -> Leaf:
        if isinstance(leaf, np.ndarray):
            entries = [next(rest) for _ in range(leaf.size)]
            return np.array(entries, dtype=np.float64).reshape(leaf.shape)
        return np.float64(next(rest)) if isinstance(leaf, np.generic) else next(rest)

    return map_leaves(take, tree)


def select(args: tuple[Any, ...], kwargs: dict[str, Any], which: Any, names: list[str]) -> Tree:
    """The argument(s) that `which` (position, name or tuple of them) refers to."""
    if isinstance(which, tuple):
        return tuple(select(args, kwargs, one, names) for one in which)
    if isinstance(which, str):
        return kwargs[which] if which in kwargs else args[names.index(which)]
    return args[which]


def replaced(
    args: tuple[Any, ...], kwargs: dict[str, Any], which: Any, tree: Tree, names: list[str]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Copies of the arguments with those that `which` refers to replaced by `tree`."""
    new_args, new_kwargs = list(copy.deepcopy(args)), copy.deepcopy(kwargs)
    pairs = zip(which, tree, strict=True) if isinstance(which, tuple) else [(which, tree)]
    for one, value in pairs:
        if isinstance(one, str) and one in new_kwargs:
            new_kwargs[one] = value
        else:
            new_args[names.index(one) if isinstance(one, str) else one] = value
    return tuple(new_args), new_kwargs


def differences(function: Callable[[np.ndarray], float], at: np.ndarray, step: float) -> np.ndarray:
    """Central differences of fourth order: two step sizes, extrapolated."""
    out = np.empty_like(at)
    for k in range(at.size):
        slopes = []
        for h in (step, 0.5 * step):
            ends = []
            for sign in (1.0, -1.0):
                moved = at.copy()
                moved[k] += sign * h
                ends.append(function(moved))
            slopes.append((ends[0] - ends[1]) / (2.0 * h))
        out[k] = (4.0 * slopes[1] - slopes[0]) / 3.0
    return out


def numeric_gradient(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    which: Any,
    names: list[str],
    step: float = 1e-4,
) -> np.ndarray:
    """The gradient of a scalar function as one vector, by central differences."""
    tree = select(args, kwargs, which, names)

    def value(vector: np.ndarray) -> float:
        moved = replaced(args, kwargs, which, unravel(tree, vector), names)
        return float(function(*moved[0], **moved[1]))

    return differences(value, ravel(tree), step)


def assert_close(found: np.ndarray, expected: np.ndarray, rtol: float, what: str = "") -> None:
    """Entries agree relative to the larger of 1 and the largest expected entry."""
    assert found.shape == expected.shape, f"{what}: {found.shape} against {expected.shape}"
    assert np.all(np.isfinite(found)), f"{what}: not finite: {found}"
    scale = 1.0 + np.max(np.abs(expected), initial=0.0)
    error = np.max(np.abs(found - expected), initial=0.0) / scale
    assert error <= rtol, f"{what}: error {error:.2e}\n found {found}\n expected {expected}"


def assert_structure(gradient: Tree, argument: Tree, path: str = "gradient") -> None:
    """The gradient has the argument's containers, shapes and dtypes."""
    if is_float_leaf(argument):
        assert np.shape(gradient) == np.shape(argument), f"{path}: shape {np.shape(gradient)}"
        if isinstance(argument, np.ndarray):
            assert isinstance(gradient, np.ndarray), f"{path}: {type(gradient)}"
            assert gradient.dtype == argument.dtype, f"{path}: dtype {gradient.dtype}"
        else:
            assert isinstance(gradient, float | np.floating), f"{path}: {type(gradient)}"
    elif isinstance(argument, dict):
        assert isinstance(gradient, dict) and list(gradient) == list(argument), path
        for key, value in argument.items():
            assert_structure(gradient[key], value, f"{path}[{key!r}]")
    elif isinstance(argument, list | tuple):
        assert type(gradient) is type(argument), f"{path}: {type(gradient)}"
        assert len(gradient) == len(argument), f"{path}: {len(gradient)} entries"
        for k, value in enumerate(argument):
            assert_structure(gradient[k], value, f"{path}[{k}]")
    elif dataclasses.is_dataclass(argument):
        assert type(gradient) is type(argument), f"{path}: {type(gradient)}"
        for f in dataclasses.fields(argument):
            assert_structure(
                getattr(gradient, f.name), getattr(argument, f.name), f"{path}.{f.name}"
            )


def assert_own(gradient: Tree, *given: Tree) -> None:
    """No array of a gradient is on the memory of another one, or of what was given, and whoever
    takes a step with it can write into it."""
    own = [a for a in leaves(gradient) if isinstance(a, np.ndarray)]
    others = [a for tree in given for a in leaves(tree) if isinstance(a, np.ndarray)]
    for k, one in enumerate(own):
        assert not any(np.may_share_memory(one, a) for a in (*own[:k], *others)), "shared memory"
        assert one.flags.writeable or not one.size, "read-only"


def gradient_vector(gradient: Tree, argument: Tree) -> np.ndarray:
    """The gradient's entries in the order of the argument's float leaves."""
    found: list[np.ndarray] = []

    def walk(node: Tree, like: Tree) -> None:
        if is_float_leaf(like):
            found.append(np.asarray(node, dtype=np.float64).ravel())
        elif isinstance(like, dict):
            for key in like:
                walk(node[key], like[key])
        elif isinstance(like, list | tuple):
            for part, part_like in zip(node, like, strict=True):
                walk(part, part_like)
        elif dataclasses.is_dataclass(like):
            for f in dataclasses.fields(like):
                walk(getattr(node, f.name), getattr(like, f.name))

    walk(gradient, argument)
    return np.concatenate(found) if found else np.zeros(0)


def same(a: Any, b: Any) -> bool:
    """Deep equality with types, dtypes and the attributes of plain objects."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        gaps = a.dtype.kind in "fc"
        equal = np.array_equal(a, b, equal_nan=gaps)
        return a.dtype == b.dtype and a.shape == b.shape and bool(equal)
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if callable(a):
        return True
    if hasattr(a, "__dict__"):
        return same(vars(a), vars(b))
    return bool(a == b)


def each_with_some(
    items: Iterable[Any], names: Iterable[str], every: int = 2, slow: Iterable[str] = ()
) -> list[Any]:
    """All pairs; for each item one name in so many is tested always, the others with slow tests.

    slow: names of items of which nothing is tested always.
    """
    names, slow = tuple(names), frozenset(slow)
    return [
        pytest.param(
            item,
            name,
            id=f"{item.name}-{name}",
            marks=[pytest.mark.slow] * ((i + k) % every > 0 or item.name in slow),
        )
        for i, item in enumerate(items)
        for k, name in enumerate(names)
    ]


def some(items: Iterable[Any], every: int = 2) -> list[Any]:
    """Parameters of which one in so many is tested always, the others with slow tests."""
    return [
        pytest.param(
            item,
            id=getattr(item, "__name__", str(item)),
            marks=[pytest.mark.slow] * bool(k % every),
        )
        for k, item in enumerate(items)
    ]
