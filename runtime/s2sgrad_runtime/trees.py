"""Lists of arrays, nested lists and the like: zeros, sums, copies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from s2sgrad_runtime._declare import shape_only
from s2sgrad_runtime.objects import array_copy

__all__ = [
    "accumulate",
    "added_in_place",
    "conj_each",
    "copy_apart",
    "copy_as_it_lies",
    "copy_tree",
    "deep_copy",
    "fold",
    "in_structure",
    "listed_views",
    "place_of_max",
    "place_of_min",
    "put_back",
    "refuse_rounding",
    "restore",
    "snapshot",
    "sort_order",
    "stack_bar",
    "stop_gradient",
    "unstack_like",
    "zero_arrays_like",
    "zeros_like",
]


@shape_only(0)
def zeros_like(tree: Any) -> Any:
    """Zeros in the structure, shapes and dtypes of `tree`; floats for integers.

    Tuples become lists, so that entries of a cotangent can be changed; see `in_structure`.
    """
    if isinstance(tree, list | tuple):
        return [zeros_like(item) for item in tree]
    if isinstance(tree, dict):
        return {key: zeros_like(item) for key, item in tree.items()}
    if isinstance(tree, np.ndarray):
        return np.zeros_like(tree, float if tree.dtype.kind in "biu" else None)
    return type(tree)(0.0) if isinstance(tree, complex | np.inexact) else 0.0


def zero_arrays_like(tree: Any, entries: tuple[int, ...] | None = None) -> Any:
    """As `zeros_like`, with an array of no axes for each number, so that it can be added to in
    place by whoever holds it. entries: only in these entries of a tuple."""
    if isinstance(tree, list | tuple):
        mutable = [
            zero_arrays_like if entries is None or i in entries else zeros_like
            for i in range(len(tree))
        ]
        return [zero(item) for zero, item in zip(mutable, tree, strict=True)]
    if isinstance(tree, dict):
        return {key: zero_arrays_like(item) for key, item in tree.items()}
    if isinstance(tree, float | complex | np.inexact):
        return np.zeros_like(tree)
    return zeros_like(tree)


def accumulate(a: Any, b: Any) -> Any:
    """The entrywise sum of two trees of the same structure, as a new tree."""
    if a is None or b is None:  # of a text, say
        return a if b is None else b
    if isinstance(a, float) and isinstance(b, list | tuple | dict):  # the zero of None
        return copy_tree(b)
    if isinstance(b, float) and isinstance(a, list | tuple | dict):
        return copy_tree(a)
    if isinstance(a, list | tuple):
        return [accumulate(x, y) for x, y in zip(a, b, strict=True)]
    if isinstance(a, dict):
        both = {key: accumulate(a[key], b[key]) if key in b else a[key] for key in a}
        return both | {key: copy_tree(b[key]) for key in b if key not in a}
    return a + b


def added_in_place(a: Any, b: Any) -> Any:
    """The same, where other names may share the lists and arrays of `a`: they are changed.

    >>> a = [np.zeros(2), 1.0]
    >>> added_in_place(a, [np.ones(2), 2.0]) is a, a
    (True, [array([1., 1.]), 3.0])
    """
    if b is None or (isinstance(b, float) and isinstance(a, list | dict)):  # the zero of None
        return a
    if isinstance(a, dict):
        parts = b.items() if isinstance(b, dict) else enumerate(b)  # a tuple's, by its places
        for key, part in parts:
            a[key] = added_in_place(a[key], part) if key in a else copy_tree(part)
        return a
    if isinstance(a, list):
        a[:] = [added_in_place(x, y) for x, y in zip(a, b, strict=True)]
        return a
    if isinstance(a, np.ndarray):
        a += b
        return a
    return accumulate(a, b)


def conj_each(tree: Any) -> Any:
    """The conjugate of every array or number in lists and tuples."""
    if isinstance(tree, list):
        return [conj_each(item) for item in tree]
    if isinstance(tree, tuple):
        return tuple(conj_each(item) for item in tree)
    return np.conj(tree)


def copy_tree(tree: Any) -> Any:
    """A deep copy of lists, tuples, dicts and arrays."""
    if isinstance(tree, list):
        return [copy_tree(item) for item in tree]
    if isinstance(tree, tuple):
        items = [copy_tree(item) for item in tree]
        return type(tree)(*items) if hasattr(tree, "_fields") else tuple(items)
    if isinstance(tree, dict):
        return {key: copy_tree(item) for key, item in tree.items()}
    return tree.copy() if isinstance(tree, np.ndarray) else tree


def copy_apart(tree: Any) -> Any:
    """A deep copy of lists, dicts and arrays for a function that changes the lists in them: each
    must be held once."""
    found = [id(part) for part in _lists_in(tree)]
    if len(set(found)) < len(found):
        raise ValueError(HELD_TWICE)
    return copy_tree(tree)


def copy_as_it_lies(tree: Any) -> Any:
    """A deep copy of lists, tuples, dicts and arrays, in which the entries of each array have the
    distances in memory that they had: what was a view of it, reshaped, is one of the copy."""
    if isinstance(tree, dict):
        return {key: copy_as_it_lies(item) for key, item in tree.items()}
    if isinstance(tree, list | tuple):
        items = [copy_as_it_lies(item) for item in tree]
        return type(tree)(*items) if hasattr(tree, "_fields") else type(tree)(items)
    return array_copy(tree) if isinstance(tree, np.ndarray) else tree


HELD_TWICE = (
    "a recursive function changes the lists in a list, which holds one of them twice: let it hold "
    "a list of its own in each place, list(items)"
)


def _lists_in(tree: Any) -> Iterator[Any]:
    """All lists and dicts within lists, tuples and dicts."""
    if isinstance(tree, list | dict):
        yield tree
    if isinstance(tree, list | tuple | dict):
        for part in tree.values() if isinstance(tree, dict) else tree:
            yield from _lists_in(part)


def listed(values: Any, depth: int) -> Any:
    """A list of the entries; with a depth of two a list of lists, and so on."""
    return list(values) if depth == 1 else [listed(value, depth - 1) for value in values]


def deep_copy(tree: Any) -> Any:
    """copy.deepcopy of a tree, in which each list, dict and array must be held once."""
    found: list[int] = []
    todo = [tree]
    while todo:
        item = todo.pop()
        if isinstance(item, list | dict | np.ndarray):
            found.append(id(item))
        if isinstance(item, list | tuple | dict):
            todo += item.values() if isinstance(item, dict) else item
    if len(set(found)) < len(found):
        raise ValueError("deepcopy of a list that holds one thing twice: copy each of its parts")
    return copy_tree(tree)


def stop_gradient(x: Any) -> Any:
    """The value of `x`, through which no derivative passes.

    Arrays are copied, and containers built anew, so that writing into the result does not change
    `x`. For a tensor: `x.detach()`.

    >>> stop_gradient(2.0)
    2.0
    """
    if isinstance(x, list | tuple):
        items = [stop_gradient(item) for item in x]
        return type(x)(*items) if hasattr(x, "_fields") else type(x)(items)
    if isinstance(x, dict):
        return {key: stop_gradient(item) for key, item in x.items()}
    if hasattr(type(x), "detach"):  # also of what stands in for an array, and says it is one
        return x.detach()
    return x.copy() if isinstance(x, np.ndarray) else x


def restore(tree: Any, kept: Any) -> None:
    """Write the contents of a copy back into the arrays of the original, in place."""
    if isinstance(tree, np.ndarray):
        if tree.flags.writeable:  # else nothing wrote into it
            tree[...] = kept
    elif isinstance(tree, list | tuple):
        for item, old in zip(tree, kept, strict=True):
            restore(item, old)
    elif isinstance(tree, dict):
        for key, item in tree.items():
            restore(item, kept[key])


def snapshot(*trees: Any) -> list[tuple[Any, Any]]:
    """Every array, list and dict in `trees` with a copy of what it holds, each once; see
    `put_back`."""
    found: dict[int, tuple[Any, Any]] = {}

    def visit(tree: Any) -> None:
        if id(tree) in found:
            return
        if isinstance(tree, np.ndarray):
            found[id(tree)] = tree, tree.copy()
        elif isinstance(tree, list | tuple | dict):
            if not isinstance(tree, tuple):
                found[id(tree)] = tree, tree.copy()
            for item in tree.values() if isinstance(tree, dict) else tree:
                visit(item)

    for tree in trees:
        visit(tree)
    return list(found.values())


def put_back(kept: list[tuple[Any, Any]]) -> None:
    """Write what a `snapshot` holds back into its arrays, lists and dicts."""
    for tree, old in kept:
        if isinstance(tree, list):
            tree[:] = old
        elif isinstance(tree, dict):
            tree.clear()
            tree.update(old)
        else:
            if tree.flags.writeable:  # else nothing wrote into it
                tree.flags.writeable = True  # those of np.broadcast_arrays warn otherwise
                tree[...] = old


@shape_only(1)
def fold(y_bar: Any, items: Any) -> Any:
    """Cotangents of `items` in `items * times`: the repetitions added up."""
    total = list(y_bar[: len(items)])
    for start in range(len(items), len(y_bar), len(items) or 1):
        total = accumulate(total, y_bar[start : start + len(items)])
    return total if len(total) == len(items) else zeros_like(items)


@shape_only(1)
def in_structure(tree_bar: Any, tree: Any) -> Any:
    """A cotangent of lists, tuples and dicts in exactly the structure of its value.

    Arrays of floats in it get the dtypes of those in the value.
    """
    if isinstance(tree, list | tuple):
        items = [in_structure(bar, item) for bar, item in zip(tree_bar, tree, strict=True)]
        return tuple(items) if isinstance(tree, tuple) else items
    if isinstance(tree, dict):
        return {key: in_structure(tree_bar[key], item) for key, item in tree.items()}
    if isinstance(tree, np.ndarray) and tree.dtype.kind in "fc":
        return np.asarray(tree_bar, tree.dtype)
    return tree_bar


def listed_views(x: Any) -> list[Any]:
    """`list(x)` of which the numbers of a vector are views of it too, arrays without axes.

    >>> x = np.zeros(2)
    >>> for entry in listed_views(x):
    ...     entry += 1.0
    >>> x
    array([1., 1.])
    """
    return [x[k, ...] for k in range(len(x))]


@shape_only(1)
def stack_bar(y_bar: Any, x: Any) -> Any:
    """Cotangent of the array `x` in `list(x)`: the entries' cotangents stacked."""
    return np.stack(y_bar) if len(y_bar) else np.zeros_like(x)


@shape_only(1)
def unstack_like(y_bar: Any, items: Any) -> Any:
    """Cotangents of (nested) `items` in `np.array(items)`: y_bar taken apart alike."""
    if isinstance(items, list | tuple):
        return [unstack_like(bar, item) for bar, item in zip(y_bar, items, strict=True)]
    return y_bar


def sort_order(keys: Any, reverse: bool = False) -> list[int]:
    """The subscripts that put items in the order of their keys; equal ones stay in order."""
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)


def refuse_rounding(values: Any) -> None:
    """ValueError for numbers whose array NumPy would round, since the first is an integer: so do
    np.vectorize and np.apply_along_axis.

    >>> refuse_rounding([0.0, 1, 2.5])
    """
    kinds = [
        (value if hasattr(value, "dtype") else np.asarray(value)).dtype.kind for value in values
    ]
    if kinds and kinds[0] in "biu" and any(kind in "fc" for kind in kinds):
        raise ValueError(
            "NumPy rounds what a function gives to integers here, as its first result is one: "
            "let it give floats everywhere (0.0 for 0)"
        )


def place_of_max(keys: Any) -> int:
    """The subscript of the first of the largest keys."""
    return max(range(len(keys)), key=keys.__getitem__)


def place_of_min(keys: Any) -> int:
    """The subscript of the first of the smallest keys."""
    return min(range(len(keys)), key=keys.__getitem__)


def column(rows: Any, key: Any, depth: int) -> list[Any]:
    """The part `key` of each row in a list; depth: of lists in lists, if it is more than 1.

    >>> column([(1.0, 2.0), (3.0, 4.0)], 1, 1)
    [2.0, 4.0]
    """
    if depth > 1:
        return [column(row, key, depth - 1) for row in rows]
    return [row[key] for row in rows]


def as_rows(lists: tuple[Any, ...], keys: tuple[Any, ...] | None, depth: int) -> list[Any]:
    """Rows whose parts stand in lists beside each other: tuples, or dicts where there are keys.

    >>> as_rows(([1.0, 3.0], [2.0, 4.0]), None, 1)
    [(1.0, 2.0), (3.0, 4.0)]
    """
    beside = zip(*lists, strict=True)
    if depth > 1:
        return [as_rows(parts, keys, depth - 1) for parts in beside]
    return list(beside) if keys is None else [dict(zip(keys, p, strict=True)) for p in beside]
