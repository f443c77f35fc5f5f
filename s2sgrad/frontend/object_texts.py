"""Floor 4: how generated code names objects that are known while compiling."""

from __future__ import annotations

import re
from enum import Enum
from typing import Any

import numpy as np


def object_text(value: Any) -> str:
    """How generated code names a known object."""
    if isinstance(value, type) and issubclass(value, np.generic):
        return f"np.{value.__name__}"
    if isinstance(value, np.dtype):
        return f"np.dtype({str(value)!r})"
    if isinstance(value, Enum) and value.name and value.name.isidentifier():
        return f"{type(value).__name__}.{value.name}"
    if type(value) is frozenset and value:  # in one order, whatever the hashes of texts are
        return f"frozenset({{{', '.join(sorted(map(object_text, value)))}}})"
    text = getattr(value, "__name__", repr(value))
    if text.startswith("<"):  # no code that makes it again
        return "the_" + re.sub(r"\W+", "_", re.sub(r" at 0x\w+", "", text)).strip("_")
    return text
