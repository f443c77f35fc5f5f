"""The float leaves of nested arguments and results as one vector, and blocks of a Jacobian."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from s2sgrad_runtime.objects import attributes, has_attributes, mapped


def is_leaf(node: Any) -> bool:
    """A Python float or complex, a NumPy float scalar, or a float array."""
    if isinstance(node, np.ndarray | np.generic):
        return node.dtype.kind in "fc"
    return isinstance(node, float | complex)


def dtype_of(leaf: Any) -> np.dtype:
    """The dtype of a number or an array; one that is traced stays so."""
    return leaf.dtype if hasattr(leaf, "dtype") else np.asarray(leaf).dtype  # type: ignore[no-any-return]


def map_leaves(function: Callable[[Any], Any], tree: Any) -> Any:
    """The tree with `function` of each float leaf in its place; other leaves become None."""
    return mapped(tree, lambda leaf: function(leaf) if is_leaf(leaf) else None)


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


def ravel_beside(tree: Any, like: Any) -> Any:
    """The leaves of a tangent or cotangent that stand where the float leaves of `like` are, as one
    vector, (length of like,); zeros where there is None or a number in place of what holds them."""
    if type(like) is np.ndarray and type(tree) is np.ndarray and tree.shape == like.shape:
        return tree.ravel()
    parts = list(_beside(tree, like, set()))
    return np.concatenate(parts) if parts else np.zeros(0)


def _beside(tree: Any, like: Any, known: set[int]) -> Iterator[Any]:
    if is_leaf(like):
        full = np.zeros(np.shape(like)) if tree is None else np.broadcast_to(tree, np.shape(like))
        yield np.ravel(full)
        return
    if isinstance(like, list | tuple):
        parts = tree if isinstance(tree, list | tuple) else [None] * len(like)
        pairs = list(zip(parts, like, strict=True))
    elif isinstance(like, dict) or (has_attributes(like) and id(like) not in known):
        known.add(id(like))
        named, held = _named(tree), _named(like)
        pairs = [(named.get(name), part) for name, part in held.items()]
    else:
        return
    for part, model in pairs:
        yield from _beside(part, model, known)


def _named(value: Any) -> dict[Any, Any]:
    """The entries of a dict, or the attributes of an object."""
    if isinstance(value, dict):
        return value
    return attributes(value) if has_attributes(value) else {}


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
        self.vectors.append(np.zeros(np.shape(leaf), dtype_of(leaf)))
        return _Slot(len(self.vectors) - 1, not isinstance(leaf, np.ndarray), leaf.__class__)

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

    @property
    def precision(self) -> float:
        """The distance from 1 to the next number, of the least precise leaf."""
        return max((float(np.finfo(v.dtype).eps) for v in self.vectors), default=0.0)

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
    def fill(entry: Any) -> Any:
        if not isinstance(entry, _Slot):
            return entry
        vector = vectors[entry.which]
        return entry.kind(vector[()]) if entry.scalar else vector

    return mapped(tree, fill, lambda value: not isinstance(value, _Slot) and has_attributes(value))


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
            own = block if block.shape == matrix.shape else np.copy(block, order="C")
            return own.reshape(np.shape(y) + np.shape(x))[()]

        return map_leaves(of_input, argument)

    return map_leaves(of_output, result)


__all__ = [
    "Seed", "blocks", "dtype_of", "has_complex", "is_leaf", "leaves", "length", "map_leaves",
    "ravel_beside",
]  # fmt: skip
