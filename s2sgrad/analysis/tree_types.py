"""Floor 3: types of what the runtime's helpers make of lists, tuples, dicts and nodes."""

from __future__ import annotations

from typing import Any

import s2sgrad_runtime
from s2sgrad.ir.types import Dict, List, Maybe, Tuple, Type, join

_LIKE_FIRST = (
    s2sgrad_runtime.zeros_like,
    s2sgrad_runtime.zero_arrays_like,
    s2sgrad_runtime.copy_tree,
    s2sgrad_runtime.conj_each,
)


def tree_type(function: Any, args: tuple[Type, ...]) -> Type | None:
    """The type of a result that is built as an argument is; None for other functions."""
    if function is s2sgrad_runtime.block_bars:
        return args[1]
    if not args or not isinstance(args[0], List | Tuple | Dict | Maybe):
        return None
    if function is s2sgrad_runtime.accumulate:
        return join(args[0], args[1])
    return args[0] if any(function is like for like in _LIKE_FIRST) else None
