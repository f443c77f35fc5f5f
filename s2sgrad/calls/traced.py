"""Floor 8: whether a derivative inside of a function that runs on tensors is asked for."""

from __future__ import annotations

import sys
from typing import Any


def holds_traced(*values: Any) -> bool:
    """Whether a traced value is in these, which then stand for arrays and numbers, or is read by
    a function among them."""
    tracing = sys.modules.get("s2sgrad.eager.numpy_code.tracing")
    return tracing is not None and bool(tracing.brings_traced(values))


def reads_traced(function: Any) -> bool:
    """Whether a function reads a traced value from outside."""
    tracing = sys.modules.get("s2sgrad.eager.numpy_code.tracing")
    return tracing is not None and bool(tracing.reads_traced(function))


def memory_of(array: Any) -> int:
    """The identity of the memory that an array, or a traced one, is on."""
    tensor = getattr(array, "tensor", None)
    if tensor is not None:
        return id(tensor._vc)
    return id(array if array.base is None else array.base)
