"""Floor 1: what became of a value that the reverse sweep needs: kept, or computed again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from s2sgrad.errors import Span


@dataclass(frozen=True)
class Decision:
    """value: the expression, or the name of a variable. keeper: the variable that keeps it ("" if
    it is computed again). why: in words, with the prices where those decided."""

    value: Any
    span: Span | None
    why: str
    keeper: str = ""


__all__ = ["Decision"]
