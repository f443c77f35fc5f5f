"""`a.flat` of a traced array: a part of it is a copy, as in NumPy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np


class Entries:
    """The entries of an array in their order: read from a copy, written where they are."""

    __slots__ = ("owner",)

    def __init__(self, owner: Any) -> None:
        self.owner = owner

    def __len__(self) -> int:
        return int(self.owner.size)

    def __iter__(self) -> Iterator[Any]:
        return iter(np.ravel(self.owner))

    def __getitem__(self, index: Any) -> Any:
        found = np.ravel(self.owner)[index]
        return np.copy(found) if np.ndim(found) else found  # a part of it is no view

    def __setitem__(self, index: Any, value: Any) -> None:
        places = np.arange(len(self))[index]
        self.owner[np.unravel_index(places, self.owner.shape)] = value

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        return getattr(ufunc, method)(*map(_read, args), **kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return function(*map(_read, args), **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(np.ravel(self.owner), name)


def _read(value: Any) -> Any:
    return np.ravel(value.owner) if type(value) is Entries else value


__all__ = ["Entries"]
