"""Floor 3: types of what the runtime's helpers make of lists, tuples, dicts and nodes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import s2sgrad_runtime
from s2sgrad.analysis.lists import as_array
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.types import (
    NONE,
    STR,
    Array,
    Dict,
    Known,
    List,
    Maybe,
    Nested,
    Number,
    Scalar,
    Tuple,
    Type,
    join,
    type_parts,
)

_ZEROS = (s2sgrad_runtime.zeros_like, s2sgrad_runtime.zero_arrays_like)
_LIKE_FIRST = (
    s2sgrad_runtime.copy_tree,
    s2sgrad_runtime.copy_apart,
    s2sgrad_runtime.copy_as_it_lies,
    s2sgrad_runtime.conj_each,
)
_PARTS = (
    s2sgrad_runtime.split_like,
    s2sgrad_runtime.vstack_bars,
    s2sgrad_runtime.hstack_bars,
    s2sgrad_runtime.dstack_bars,
    s2sgrad_runtime.column_stack_bars,
)  # a sample whose length is not the sum of the parts' would be cut short


def tree_type(function: Any, args: tuple[Type, ...]) -> Type | None:
    """The type of a result that is built as an argument is; None for other functions."""
    if function is s2sgrad_runtime.block_bars:
        return _blocks(getattr(args[0], "dtype", None), args[1])
    if any(function is parts for parts in _PARTS):
        return _parts(getattr(args[0], "dtype", None), args[1])
    if any(function is zeros for zeros in _ZEROS):
        return zeros_type(args[0])
    if not args or not isinstance(args[0], List | Tuple | Dict | Maybe):
        return None
    if function is s2sgrad_runtime.accumulate:
        return join(args[0], args[1])
    if function is s2sgrad_runtime.fold and isinstance(args[0], List):
        return List(args[0].item)
    if function is s2sgrad_runtime.real_like:
        return _real_where(args[0], args[1])
    return args[0] if any(function is like for like in _LIKE_FIRST) else None


def zeros_type(kind: Type) -> Type:
    """The type of zeros in the structure of a value: texts, too, have a zero."""
    match kind:
        case Tuple(items=items):
            return replace(kind, items=tuple(map(zeros_type, items)))
        case List(item=item) | Maybe(item=item):
            return replace(kind, item=zeros_type(item))
        case Dict(item=item, fields=fields):
            zeros = fields and tuple((k, zeros_type(v)) for k, v in fields)
            return replace(kind, item=zeros_type(item), fields=zeros)
    text = isinstance(kind, Known) and isinstance(kind.value, str)
    return Scalar("float") if text or kind in (STR, NONE) else kind


def _real_where(kind: Type, like: Type) -> Type | None:
    """The type of a tuple's parts, real where those of another are; None if it can't be told."""
    if isinstance(kind, Tuple) and isinstance(like, Tuple) and len(kind.items) == len(like.items):
        parts = [_real_where(a, b) for a, b in zip(kind.items, like.items, strict=True)]
        return Tuple(tuple(parts), list) if None not in parts else None  # type: ignore[arg-type]
    if isinstance(kind, List) and isinstance(like, List):
        item = _real_where(kind.item, like.item)
        return item and List(item)
    if isinstance(kind, Tuple) and isinstance(like, List) and kind.items:
        wide: Type = kind.items[0]
        for part in kind.items[1:]:
            wide = join(wide, part)
        return _real_where(List(wide), like)
    if not isinstance(kind, Array | Number | Scalar):
        return None
    known = [getattr(k, "dtype", None) for k in (kind, like)]
    both = None not in known and is_complex_dtype(known[0]) == is_complex_dtype(known[1])
    plain = known[0] is not None and not is_complex_dtype(known[0])
    if both or plain:
        return kind
    return replace(kind, dtype=None) if isinstance(kind, Array) else Number()


def _parts(dtype: str | None, arrays: Type) -> Type | None:
    """The type of the parts of a joined array: each has the shape of the array it came from."""
    if isinstance(arrays, Tuple):
        return Tuple(tuple(_part(dtype, item) for item in arrays.items), list)
    return List(_part(dtype, arrays.item)) if isinstance(arrays, List) else None


def _part(dtype: str | None, kind: Type) -> Type:
    """A number is the part of an array without axes."""
    array = as_array(kind) if isinstance(kind, List | Tuple) else kind
    if isinstance(array, Array) and array.shape != ():
        return replace(array, dtype=dtype)
    array = Scalar(dtype) if isinstance(array, Array) and dtype else array
    return Scalar(dtype) if isinstance(array, Scalar) and dtype else Number(dtype)


def _blocks(dtype: str | None, arrays: Type) -> Type:
    """The type of the blocks of an array, in the structure that they came in."""
    if isinstance(arrays, Tuple):
        return replace(arrays, items=tuple(_blocks(dtype, item) for item in arrays.items))
    if isinstance(arrays, List):
        return replace(arrays, item=_blocks(dtype, arrays.item))
    return _part(dtype, arrays)


def is_linked(kind: Type) -> bool:
    """Whether there are nodes of a linked structure in a value."""
    return isinstance(kind, Nested) or any(map(is_linked, type_parts(kind)))
