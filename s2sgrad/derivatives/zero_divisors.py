"""Floor 8: gradients that divide by a zero of Python's, where the function divides NumPy's numbers.

`x[0] / n` is NumPy's quotient: for n = 0 it is inf, with a warning. Its slope is written `1.0 / n`,
as people write it, and that is an error in Python. Such a call runs again, with a cotangent that
is one of NumPy's numbers in the place of the literal. Where the function divides Python's numbers
itself, its own error comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.derivatives.pullbacks import Pullback, Pullbacks
from s2sgrad.transform.reverse.gradient import Request


class NumpySeeded:
    """The derivative of a function by the same arguments, of NumPy's numbers all the way."""

    def __init__(self, function: Callable[..., Any], request: Request) -> None:
        self.pairs = Pullbacks(
            function, request.wrt, aux=request.aux, jit=None, fallback="error", keeps=False
        )
        self.request = request

    def __call__(self, *values: Any) -> Any:
        value, backward, aux = self.pairs.at(values)  # an error of the function itself comes out
        seed = np.float64(1.0)
        try:
            parts = Pullback(backward, value)(seed)
        except ZeroDivisionError:  # powers of arguments, say: those are NumPy's numbers then too
            _, backward, _ = self.pairs.at(_of_numpy(values))
            parts = Pullback(backward, value)(seed)
        grads = parts[0] if self.request.single else parts
        if not self.request.value:
            return grads
        return ((value, aux) if self.request.aux else value), grads


def _of_numpy(value: Any) -> Any:
    """The same with NumPy's numbers in the place of Python's floats."""
    if type(value) is float:
        return np.float64(value)
    if type(value) in (list, tuple):
        return type(value)(map(_of_numpy, value))
    return {k: _of_numpy(v) for k, v in value.items()} if type(value) is dict else value


__all__ = ["NumpySeeded"]
