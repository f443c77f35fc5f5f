"""Arguments like given ones: of other sizes, dtypes, layouts, values, kinds, flags and lengths.

`CHANGES` holds functions of (arguments, random generator) that return changed copies, or the
arguments as they are where there is nothing to change. What comes out need not suit the program.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

Tree = Any
Rng = np.random.Generator


def mapped(function: Callable[[Any], Any], tree: Tree) -> Tree:
    """The same containers with every leaf replaced: floats, arrays, flags, integers, strings..."""
    if type(tree) is dict:
        return {key: mapped(function, value) for key, value in tree.items()}
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(mapped(function, value) for value in tree))
    if type(tree) in (list, tuple):
        return type(tree)(mapped(function, value) for value in tree)
    if dataclasses.is_dataclass(tree) and not isinstance(tree, type):
        names = [f.name for f in dataclasses.fields(tree) if f.init]
        return dataclasses.replace(tree, **{n: mapped(function, getattr(tree, n)) for n in names})
    return function(tree)


def _resized(array: np.ndarray, shape: tuple[int, ...], rng: Rng) -> np.ndarray:
    found = np.resize(array, shape).astype(array.dtype) if array.size else np.ones(shape)
    return found + 0.01 * rng.normal(size=shape) if array.dtype.kind == "f" else found


def all_sizes(args: Tree, rng: Rng) -> Tree:
    """Every length n becomes another, the same for all arrays; often integers that equal n too."""
    kind = rng.choice(["longer", "longer", "much longer", "one", "none", "some"])
    new: dict[int, int] = {}

    def size(n: int) -> int:
        some = n if rng.random() < 0.5 else n + 1
        lengths = {"longer": n + 1, "much longer": 3 * n, "one": 1, "none": 0, "some": some}
        return new.setdefault(n, lengths[kind])

    def change(leaf: Any) -> Any:
        if isinstance(leaf, np.ndarray) and leaf.dtype.kind in "fib":
            return _resized(leaf, tuple(map(size, leaf.shape)), rng)
        return new[leaf] if type(leaf) is int and leaf in new and rng.random() < 0.7 else leaf

    return mapped(change, args)


def one_size(args: Tree, rng: Rng) -> Tree:
    """One array with one axis longer, shorter or of length one."""
    arrays: list[np.ndarray] = []
    mapped(lambda a: arrays.append(a) if isinstance(a, np.ndarray) and a.ndim else None, args)
    arrays = [a for a in arrays if a.dtype.kind in "fib"]
    if not arrays:
        return args
    chosen = arrays[rng.integers(len(arrays))]
    shape, axis = list(chosen.shape), int(rng.integers(chosen.ndim))
    shape[axis] = int(rng.choice([1, 2, shape[axis] + 1, max(shape[axis] - 1, 0)]))
    return mapped(lambda a: _resized(a, tuple(shape), rng) if a is chosen else a, args)


def narrow(args: Tree, rng: Rng) -> Tree:
    """The arrays of float64 in some arguments become float32."""

    def change(leaf: Any) -> Any:
        wide = isinstance(leaf, np.ndarray) and leaf.dtype == np.float64
        return leaf.astype(np.float32) if wide else leaf

    return tuple(mapped(change, arg) if rng.random() < 0.7 else arg for arg in args)


def layouts(args: Tree, rng: Rng) -> Tree:
    """The same arrays, lying otherwise in memory."""

    def change(leaf: Any) -> Any:
        if not isinstance(leaf, np.ndarray) or leaf.ndim == 0:
            return leaf
        spread = np.zeros([2 * n for n in leaf.shape], leaf.dtype)[
            (slice(None, None, 2),) * leaf.ndim
        ]
        spread[...] = leaf
        ways = [leaf, np.asfortranarray(leaf), np.flip(np.flip(leaf).copy()), spread]
        return ways[rng.integers(len(ways))]

    return mapped(change, args)


def values(args: Tree, rng: Rng) -> Tree:
    """Other numbers: other branches are taken, other trips counted."""
    kind = rng.choice(["negative", "shuffled", "new", "positive", "larger", "near"])

    def array(a: np.ndarray) -> np.ndarray:
        shuffled = rng.permutation(a.ravel()).reshape(a.shape)
        if a.dtype.kind != "f":
            return shuffled if kind in ("shuffled", "new") else a
        new, near = rng.normal(size=a.shape), a + 0.3 * rng.normal(size=a.shape)
        found = {"negative": -a, "shuffled": shuffled, "new": new, "near": near, "larger": 1.7 * a}
        return found.get(str(kind), abs(a) + 0.1).astype(a.dtype)

    def change(leaf: Any) -> Any:
        if isinstance(leaf, np.ndarray):
            return array(leaf)
        is_float = isinstance(leaf, float | np.floating)
        return type(leaf)(array(np.array([float(leaf)]))[0]) if is_float else leaf

    return mapped(change, args)


def kinds(args: Tree, rng: Rng) -> Tree:
    """Numbers of Python, of NumPy and arrays without axes for each other."""

    def change(leaf: Any) -> Any:
        float_kinds: list[Any] = [float, np.float64, np.array]
        if isinstance(leaf, float) or (isinstance(leaf, np.ndarray) and leaf.shape == ()):
            return float_kinds[rng.integers(3)](float(leaf)) if np.isreal(leaf) else leaf
        if type(leaf) is int:
            return [int, np.int64, np.int32][rng.integers(3)](leaf)
        return np.bool_(leaf) if type(leaf) is bool and rng.random() < 0.5 else leaf

    return mapped(change, args)


def flags(args: Tree, rng: Rng) -> Tree:
    """Some flags turned, some integers a little larger or smaller."""

    def change(leaf: Any) -> Any:
        if type(leaf) not in (bool, int) or rng.random() < 0.4:
            return leaf
        return not leaf if type(leaf) is bool else leaf + int(rng.choice([-2, -1, 1, 2]))

    return mapped(change, args)


def lengths(args: Tree, rng: Rng) -> Tree:
    """Lists and tuples longer, shorter, reversed, or one for the other; dicts in another order."""

    def change(tree: Tree) -> Tree:
        if type(tree) is dict:
            items = [(key, change(value)) for key, value in tree.items()]
            return dict(items[::-1] if rng.random() < 0.5 else items)
        if type(tree) not in (list, tuple):
            return tree
        parts = [change(part) for part in tree]
        way = rng.choice(["longer", "shorter", "reversed", "other", "same"])
        if way == "longer" and parts:
            parts.append(copy.deepcopy(parts[rng.integers(len(parts))]))
        if way == "shorter" and len(parts) > 1:
            parts.pop(int(rng.integers(len(parts))))
        made = type(tree) if way != "other" else {list: tuple, tuple: list}[type(tree)]
        return made(parts[::-1] if way == "reversed" else parts)

    return tuple(map(change, args))


CHANGES = {
    f.__name__: f
    for f in (all_sizes, one_size, narrow, layouts, values, kinds, flags, lengths)
}  # fmt: skip
