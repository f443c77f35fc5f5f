"""What compiled loops raise where lengths are not as they were taken to be."""

from __future__ import annotations

__all__ = ["UnequalLengths"]


class UnequalLengths(Exception):
    """Lengths differ that loops were made for as equal: other code has to take the call."""
