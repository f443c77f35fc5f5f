"""Classes of numbers that stand for Python's own in code that is traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Function = Callable[..., Any]


class Kind:
    """`float` or `complex` in code that calls it on traced values; else it is the class's equal.

    It serves isinstance, as a dtype, and beside the class; only `is` and `match` tell them apart.
    """

    def __init__(self, kind: type, call: Function) -> None:
        self.kind, self.call, self.dtype = kind, call, np.dtype(kind)

    def __call__(self, *args: Any) -> Any:
        return self.call(*args)

    def __instancecheck__(self, value: Any) -> bool:
        return isinstance(value, self.kind)

    def __subclasscheck__(self, cls: Any) -> bool:
        return issubclass(cls, self.kind)

    def __eq__(self, other: Any) -> bool:
        return other is self.kind or other is self

    def __hash__(self) -> int:
        return hash(self.kind)

    def __or__(self, other: Any) -> Any:
        return self.kind | other

    def __ror__(self, other: Any) -> Any:
        return other | self.kind

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kind, name)
