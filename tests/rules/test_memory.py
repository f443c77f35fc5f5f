"""What NumPy hands back is known to lie in the memory of its argument, for every rule's samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from samples import SAMPLES

from s2sgrad.analysis.memory import hands_several, is_view
from s2sgrad.frontend.state import constant
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Array

OURS = "s2sgrad_runtime"  # helpers, which only generated code calls
CASES = [
    pytest.param(f, s, id=f"{getattr(f, '__name__', f)}-{i}")
    for f, given in SAMPLES.items()
    if not (getattr(f, "__module__", None) or "").startswith(OURS)
    for i, s in enumerate(given)
]


def arrays(value: Any) -> list[np.ndarray]:
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, list | tuple):
        return [a for item in value for a in arrays(item)]
    return []


def expression(value: Any) -> nodes.Expr:
    if isinstance(value, np.ndarray):
        return nodes.Var("x", type=Array(str(value.dtype), (None,) * value.ndim))
    return constant(value)


@pytest.mark.parametrize(("function", "sample"), CASES)
def test_shared_memory_is_known(function: Any, sample: Any) -> None:
    args = [np.array(a) if isinstance(a, np.ndarray) else a for a in sample.args]
    result = arrays(function(*args, **sample.kwargs))
    shared = {
        i for i, a in enumerate(args) for x in arrays(a) for y in result if np.shares_memory(x, y)
    }
    if function is np.einsum or not shared:  # the compiler writes einsum's views as views
        return
    named = tuple((k, expression(v)) for k, v in sample.kwargs.items())
    call = nodes.Call(function, function.__name__, tuple(map(expression, args)), named)
    assert hands_several(call) or (shared == {0} and is_view(call))
