"""The float leaves of nested arguments and results as one vector, and blocks of a Jacobian."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np


def is_leaf(node: Any) -> bool:
    """A Python float or complex, a NumPy float scalar, or a float array."""
    if isinstance(node, np.ndarray | np.generic):
        return node.dtype.kind in "fc"
    return isinstance(node, float | complex)


def is_function(value: Any) -> bool:
    """Whether a value is a function or a class; objects that can be called are not."""
    return inspect.isroutine(value) or isinstance(value, type | functools.partial | np.ufunc)


def has_fields(value: Any) -> bool:
    """Whether a value is an object whose attributes may hold numbers; members of enumerations
    are constants, and the same for all."""
    return hasattr(value, "__dict__") and not is_function(value) and not isinstance(value, Enum)


def map_leaves(
    function: Callable[[Any], Any], tree: Any, known: dict[int, Any] | None = None
) -> Any:
    """The tree with `function` of each float leaf in its place; other leaves become None.

    known: what was made so far of objects, by their ids: one held in several places is one.
    """
    if is_leaf(tree):
        return function(tree)
    known = {} if known is None else known
    if isinstance(tree, dict):
        return {key: map_leaves(function, part, known) for key, part in tree.items()}
    if isinstance(tree, list | tuple):
        parts = [map_leaves(function, part, known) for part in tree]
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    if id(tree) in known:
        return known[id(tree)]
    if has_fields(tree):
        made = known[id(tree)] = _like(tree)
        for name, part in vars(tree).items():
            object.__setattr__(made, name, map_leaves(function, part, known))
        return made
    return None


def _like(tree: Any) -> Any:
    made = copy.copy(tree)
    return object.__new__(type(tree)) if made is tree else made  # it is its own copy


def leaves(tree: Any) -> list[Any]:
    """The float leaves, in the order of the containers."""
    if type(tree) is np.ndarray:
        return [tree] if tree.dtype.kind in "fc" else []
    found: list[Any] = []
    map_leaves(found.append, tree)
    return found


def length(tree: Any) -> int:
    """How many numbers the float leaves hold."""
    return sum(np.size(leaf) for leaf in leaves(tree))


def has_complex(tree: Any) -> bool:
    """Whether any leaf is complex."""
    return any(np.iscomplexobj(leaf) for leaf in leaves(tree))


def ravel(tree: Any) -> Any:
    """All float leaves as one vector, (length,)."""
    parts = [np.ravel(leaf) for leaf in leaves(tree)]
    return parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else np.zeros(0)


class Seed:
    """Unit vectors in the structure of a tree: `seed.unit(k)` has a one at entry k.

    The arrays are the same at every call; what was set before is taken back.
    """

    def __init__(self, tree: Any) -> None:
        self.vectors: list[Any] = []
        self.tree = map_leaves(self._zeros, tree)
        ends = np.cumsum([v.size for v in self.vectors])
        self.starts = [0, *ends.tolist()]

    def _zeros(self, leaf: Any) -> _Slot:
        self.vectors.append(np.zeros(np.shape(leaf), np.asarray(leaf).dtype))
        return _Slot(len(self.vectors) - 1, not isinstance(leaf, np.ndarray), type(leaf))

    @property
    def size(self) -> int:
        """The number of entries of all leaves together."""
        return self.starts[-1]

    def unit(self, k: int) -> Any:
        """The k-th unit vector."""
        return self.vector([k])

    def is_complex(self, k: int) -> bool:
        """Whether the k-th entry belongs to a complex leaf."""
        which = int(np.searchsorted(self.starts, k, side="right")) - 1
        return np.iscomplexobj(self.vectors[which])

    def vector(self, entries: Any, value: Any = 1.0) -> Any:
        """`value` at the given entries, zero elsewhere. value: a number, or one per entry."""
        flat = np.zeros(self.size, np.asarray(value).dtype)
        flat[entries] = value
        for vector, start in zip(self.vectors, self.starts, strict=False):
            vector.reshape(-1)[:] = flat[start : start + vector.size]
        return _filled(self.tree, self.vectors)


class _Slot:
    """Where a leaf stood."""

    def __init__(self, which: int, scalar: bool, kind: type) -> None:
        self.which, self.scalar, self.kind = which, scalar, kind


def _filled(tree: Any, vectors: list[Any]) -> Any:
    if isinstance(tree, _Slot):
        vector = vectors[tree.which]
        return tree.kind(vector[()]) if tree.scalar else vector
    if isinstance(tree, dict):
        return {key: _filled(part, vectors) for key, part in tree.items()}
    if isinstance(tree, list | tuple):
        parts = [_filled(part, vectors) for part in tree]
        return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)
    if has_fields(tree):
        made = _like(tree)
        for name, part in vars(tree).items():
            object.__setattr__(made, name, _filled(part, vectors))
        return made
    return tree


def blocks(matrix: Any, result: Any, argument: Any) -> Any:
    """The Jacobian matrix (outputs, inputs) in the result's structure, and in that the
    argument's: a block of shape `y.shape + x.shape` for each pair of leaves."""
    if type(result) is type(argument) is np.ndarray:
        return matrix.reshape(result.shape + argument.shape)
    row = 0

    def of_output(y: Any) -> Any:
        nonlocal row
        rows = matrix[row : row + np.size(y)]
        row += np.size(y)
        column = 0

        def of_input(x: Any) -> Any:
            nonlocal column
            block = rows[:, column : column + np.size(x)]
            column += np.size(x)
            own = block if block.shape == matrix.shape else np.ascontiguousarray(block)
            return own.reshape(np.shape(y) + np.shape(x))[()]

        return map_leaves(of_input, argument)

    return map_leaves(of_output, result)


__all__ = ["Seed", "blocks", "has_complex", "is_leaf", "leaves", "length", "map_leaves", "ravel"]
