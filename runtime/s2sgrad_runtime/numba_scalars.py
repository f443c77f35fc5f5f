"""NumPy, for code that compiled functions run on numbers: there `where` gives a number."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import register_jitable


@register_jitable  # type: ignore[untyped-decorator]
def where(test: Any, then: Any, orelse: Any) -> Any:
    """One of two numbers."""
    return then if test else orelse


def __getattr__(name: str) -> Any:
    return getattr(np, name)
