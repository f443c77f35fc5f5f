"""Numba's versions of the helpers for lists, tuples and nested ones.

Importing this module teaches Numba the helpers; nothing here is meant to be called. Numba's lists
hold entries of one type: a tuple of different things has no cotangent that could be changed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from s2sgrad_runtime import joining, numba_layouts, reductions, trees
from s2sgrad_runtime.numba_optional import helper_overload as _overload

_LISTS = (types.List, types.ListType)
permuted: Any = numba_layouts.permuted


def _display(text: str, count: int) -> str:
    return ", ".join(text.format(i) for i in range(count))


def _made(text: str, **names: Any) -> Any:
    """A function from its text: tuples are taken apart entry by entry."""
    scope: dict[str, Any] = {"np": np, **names}
    exec(f"def made{text}", scope)
    return scope["made"]


@_overload(trees.zeros_like)
def zeros_like(tree: Any) -> Any:
    if isinstance(tree, types.Array):
        dtype = _dtype_of_zeros(tree)
        return lambda tree: np.zeros(tree.shape, dtype)
    if isinstance(tree, _LISTS):
        return lambda tree: [trees.zeros_like(item) for item in tree]
    if isinstance(tree, types.BaseTuple):
        items = _display("zeros_like(tree[{}])", len(tree))
        return _made(f"(tree): return [{items}]", zeros_like=trees.zeros_like)
    if isinstance(tree, types.Complex):
        return lambda tree: 0j
    if isinstance(tree, types.Number | types.Boolean | types.NoneType):
        return lambda tree: 0.0
    return None


def _dtype_of_zeros(kind: Any) -> Any:
    whole = isinstance(kind.dtype, types.Integer | types.Boolean)
    return types.float64 if whole else kind.dtype


@_overload(trees.conj_each)
def conj_each(tree: Any) -> Any:
    if isinstance(tree, _LISTS):
        return lambda tree: [trees.conj_each(item) for item in tree]
    if isinstance(tree, types.BaseTuple):
        items = _display("conj_each(tree[{}])", len(tree))
        return _made(f"(tree): return ({items},)", conj_each=trees.conj_each)
    return lambda tree: np.conj(tree)


@_overload(trees.accumulate)
def accumulate(a: Any, b: Any) -> Any:
    if isinstance(a, _LISTS) and isinstance(b, _LISTS):
        return lambda a, b: [trees.accumulate(a[i], b[i]) for i in range(len(a))]
    if isinstance(a, types.BaseTuple) or isinstance(b, types.BaseTuple):
        count = len(a) if isinstance(a, types.BaseTuple) else len(b)
        items = _display("accumulate(a[{0}], b[{0}])", count)
        return _made(f"(a, b): return [{items}]", accumulate=trees.accumulate)
    return lambda a, b: a + b


@_overload(trees.copy_tree)
def copy_tree(tree: Any) -> Any:
    if isinstance(tree, _LISTS):
        return lambda tree: [trees.copy_tree(item) for item in tree]
    if isinstance(tree, types.BaseTuple):
        items = _display("copy_tree(tree[{}])", len(tree))
        return _made(f"(tree): return ({items},)", copy_tree=trees.copy_tree)
    if isinstance(tree, types.Array):
        return lambda tree: tree.copy()
    return lambda tree: tree


@overload(trees.listed, strict=False, prefer_literal=True)  # type: ignore[untyped-decorator]
def listed(values: Any, depth: Any) -> Any:
    """A function of its own: where a comprehension stands beside other code, Numba drops writes
    through views that it does not know (`for row in a: row[0] = 1.0`) as dead."""
    below = depth.literal_value - 1
    if below == 0:
        return lambda values, depth: [value for value in values]  # noqa: C416
    return lambda values, depth: [trees.listed(value, below) for value in values]


@_overload(trees.in_structure)
def in_structure(tree_bar: Any, tree: Any) -> Any:
    if isinstance(tree, _LISTS):
        return lambda tree_bar, tree: [
            trees.in_structure(tree_bar[i], tree[i]) for i in range(len(tree))
        ]
    if isinstance(tree, types.BaseTuple):
        items = _display("in_structure(tree_bar[{0}], tree[{0}])", len(tree))
        return _made(f"(tree_bar, tree): return ({items},)", in_structure=trees.in_structure)
    arrays = isinstance(tree, types.Array) and isinstance(tree_bar, types.Array)
    if arrays and isinstance(tree.dtype, types.Float) and tree_bar.dtype != tree.dtype:
        return lambda tree_bar, tree: tree_bar.astype(tree.dtype)
    return lambda tree_bar, tree: tree_bar


@_overload(trees.stack_bar)
def stack_bar(y_bar: Any, x: Any) -> Any:
    if isinstance(y_bar.dtype, types.Array):

        def stack(y_bar: Any, x: Any) -> Any:
            x_bar = np.zeros(x.shape, x.dtype)
            for i in range(len(y_bar)):
                x_bar[i] = y_bar[i]
            return x_bar

        return stack

    def stack_numbers(y_bar: Any, x: Any) -> Any:
        x_bar = np.zeros(x.shape, x.dtype)
        for i in range(len(y_bar)):
            x_bar[i] = y_bar[i]
        return x_bar

    return stack_numbers


@_overload(trees.unstack_like)
def unstack_like(y_bar: Any, items: Any) -> Any:
    if isinstance(items, _LISTS):
        return lambda y_bar, items: [
            trees.unstack_like(y_bar[i], items[i]) for i in range(len(items))
        ]
    if isinstance(items, types.BaseTuple):
        parts = _display("unstack_like(y_bar[{0}], items[{0}])", len(items))
        return _made(f"(y_bar, items): return [{parts}]", unstack_like=trees.unstack_like)
    return lambda y_bar, items: y_bar


@_overload(reductions.entry_bars)
def entry_bars(y_bar: Any, numbers: Any) -> Any:
    if isinstance(numbers, types.Array):
        return lambda y_bar, numbers: np.full(numbers.shape, y_bar)
    return lambda y_bar, numbers: [y_bar for _ in range(len(numbers))]


@_overload(joining.unstack)
def unstack(y_bar: Any, axis: Any = 0) -> Any:
    """Along an axis that the text names; the parts have their entries in a row."""
    place = getattr(axis, "literal_value", getattr(axis, "value", axis))
    if not isinstance(place, int) or not -y_bar.ndim <= place < y_bar.ndim:
        return None
    place %= y_bar.ndim
    if place == 0:
        return lambda y_bar, axis=0: [y_bar[i] for i in range(len(y_bar))]
    axes = (place, *range(place), *range(place + 1, y_bar.ndim))
    order = "".join(map(str, axes))

    def unstacked(y_bar: Any, axis: Any = 0) -> Any:
        turned = np.ascontiguousarray(permuted(y_bar, order))
        return [turned[i] for i in range(len(turned))]

    return unstacked


def _side_by_side(y_bar: Any, arrays: Any, axis: int = 0) -> str:
    """The body that cuts y_bar along an axis into parts as long as the arrays.

    What lies behind each other along a later axis is copied: all have their entries in a row.
    """
    place, copied = ":, " * axis, ".copy()" if axis else ""
    if not isinstance(arrays, types.BaseTuple):
        return (
            f"    parts, start = [y_bar[{place}:0]{copied} for _ in range(0)], 0\n"
            "    for array in arrays:\n"
            f"        stop = start + array.shape[{axis}]\n"
            f"        parts.append(y_bar[{place}start:stop]{copied})\n"
            "        start = stop\n"
            "    return parts"
        )
    steps = "".join(
        f"    s{k + 1} = s{k} + arrays[{k}].shape[{axis}]\n" for k in range(len(arrays))
    )
    parts = ", ".join(f"y_bar[{place}s{k}:s{k + 1}]{copied}" for k in range(len(arrays)))
    return f"    s0 = 0\n{steps}    return [{parts}]"


def _arrays_of(kind: Any, ndim: int) -> bool:
    """Whether a type is a list or tuple of arrays of this rank."""
    items = getattr(kind, "types", None) or [getattr(kind, "dtype", None)]
    return all(isinstance(i, types.Array) and i.ndim == ndim for i in items)


@overload(joining.split_like, strict=False, prefer_literal=True)
def split_like(y_bar: Any, arrays: Any, axis: Any = 0) -> Any:
    """Along an axis that the text names; None is that of vectors."""
    place = getattr(axis, "literal_value", getattr(axis, "value", axis))
    place = 0 if y_bar.ndim == 1 else place
    if not _arrays_of(arrays, y_bar.ndim) or not isinstance(place, int):
        return None
    return _made(f"(y_bar, arrays, axis=0):\n{_side_by_side(y_bar, arrays, place % y_bar.ndim)}")


@_overload(joining.hstack_bars)
def hstack_bars(y_bar: Any, arrays: Any) -> Any:
    """Along the second axis; of vectors along their only one."""
    if not _arrays_of(arrays, y_bar.ndim):
        return None
    return _made(f"(y_bar, arrays):\n{_side_by_side(y_bar, arrays, min(y_bar.ndim - 1, 1))}")


@overload(joining.unsplit, strict=False, prefer_literal=True)
def unsplit(y_bar: Any, ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
    """Along the first axis, of a list of parts."""
    first = getattr(axis, "literal_value", getattr(axis, "value", axis)) == 0
    if not first or not isinstance(y_bar, _LISTS) or isinstance(indices_or_sections, types.Integer):
        return None

    def add_parts(y_bar: Any, ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
        ary_bar = np.zeros(ary.shape, y_bar[0].dtype)
        start = 0
        for k in range(len(y_bar)):
            stop = len(ary) if k == len(indices_or_sections) else indices_or_sections[k]
            ary_bar[start:stop] += y_bar[k]
            start = stop
        return ary_bar

    return add_parts
