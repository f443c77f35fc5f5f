"""Floor 2: rules of NumPy's arithmetic ufuncs (operators lower to these)."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.rules.declare import elementwise


@elementwise(np.add, linear=("x1", "x2"))
def add(y_bar: Any, y: Any, x1: Any, x2: Any) -> Any:
    """y = x1 + x2."""
    return y_bar, y_bar


@elementwise(np.subtract, linear=("x1", "x2"))
def subtract(y_bar: Any, y: Any, x1: Any, x2: Any) -> Any:
    """y = x1 - x2."""
    return y_bar, -y_bar


@elementwise(np.multiply, linear=("x1", "x2"))
def multiply(y_bar: Any, y: Any, x1: Any, x2: Any) -> Any:
    """y = x1 * x2."""
    return y_bar * x2, y_bar * x1


@elementwise(np.divide, linear=("x1",))
def divide(y_bar: Any, y: Any, x1: Any, x2: Any) -> Any:
    """y = x1 / x2, dy/dx2 = -y / x2."""
    return y_bar / x2, -y_bar * y / x2


@elementwise(np.tanh)
def tanh(y_bar: Any, y: Any, x: Any) -> Any:
    """y = tanh(x), dy/dx = 1 - y**2. Written with y, so that x need not be saved."""
    return y_bar * (1.0 - y * y)
