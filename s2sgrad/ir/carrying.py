"""Floor 1: which containers matter to a derivative."""

from __future__ import annotations

from s2sgrad.ir.types import Dict, List, Type, carries


def holds_constants(kind: Type) -> bool:
    """Whether a list or dict holds no number that may vary: nothing reads its cotangent."""
    return isinstance(kind, List | Dict) and not carries(kind)


__all__ = ["holds_constants"]
