"""Rules of users on tensors: their text is NumPy code that knows nothing of tensors.

What differentiates a cotangent again, or pushes a tangent, runs it as any code of a user's: on
traced values, with other functions that have rules served by them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2sgrad.eager.numpy_code.arrays import Traced, bare
from s2sgrad.eager.numpy_code.losses import watched
from s2sgrad.eager.numpy_code.relocated import relocated
from s2sgrad.eager.settings.state import STATE
from s2sgrad.eager.tensors.tensor import Tensor


def on_tensors(function: Callable[..., Any]) -> Callable[..., Any]:
    """A slice of a user's rule, for tensors."""

    def run(*values: Any) -> Any:
        with watched(), relocated(function) as seen:
            return bare(seen(*map(entered, values)))

    return run


def entered(value: Any) -> Any:
    """Tensors as the code sees them; plain arrays where no derivative hangs on them."""
    if isinstance(value, Tensor):
        if value.requires_grad or STATE.duals is not None:
            return Traced(value)
        return value._array if value._array.ndim else value._array[()]
    if type(value) in (list, tuple):
        return type(value)(map(entered, value))
    if type(value) is dict:
        return {key: entered(entry) for key, entry in value.items()}
    return value
