"""Marks that the rule slicer and the compiler read off the runtime helpers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])


def shape_only(*positions: int) -> Callable[[F], F]:
    """Mark the arguments (by position) of which a helper reads only shape and dtype."""

    def mark(function: F) -> F:
        function.shape_only = positions  # type: ignore[attr-defined]
        return function

    return mark


def entrywise(function: F) -> F:
    """Mark a helper whose text is right for numbers too: arrays get it entry by entry."""
    function.entrywise = True  # type: ignore[attr-defined]
    return function
