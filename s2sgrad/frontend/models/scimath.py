"""Floor 4: np.emath, whose results are complex where those of real numbers are none."""

from __future__ import annotations

from typing import Any

import numpy as np


def _where_negative(x: Any) -> Any:
    """Complex numbers where one of them is negative."""
    x = np.asarray(x)
    if np.iscomplexobj(x):
        return x
    return x + 0j if np.any(x < 0) else x


def _where_beyond_one(x: Any) -> Any:
    """Complex numbers where one of them is outside [-1, 1]."""
    x = np.asarray(x)
    if np.iscomplexobj(x):
        return x
    return x + 0j if np.any(np.abs(x) > 1) else x


def sqrt(x: Any) -> Any:
    """np.emath.sqrt."""
    return np.sqrt(_where_negative(x))


def log(x: Any) -> Any:
    """np.emath.log."""
    return np.log(_where_negative(x))


def log10(x: Any) -> Any:
    """np.emath.log10."""
    return np.log10(_where_negative(x))


def log2(x: Any) -> Any:
    """np.emath.log2."""
    return np.log2(_where_negative(x))


def logn(n: Any, x: Any) -> Any:
    """np.emath.logn."""
    return np.log(_where_negative(x)) / np.log(_where_negative(n))


def power(x: Any, p: Any) -> Any:
    """np.emath.power."""
    return np.power(_where_negative(x), p * 1.0)


def arccos(x: Any) -> Any:
    """np.emath.arccos."""
    return np.arccos(_where_beyond_one(x))


def arcsin(x: Any) -> Any:
    """np.emath.arcsin."""
    return np.arcsin(_where_beyond_one(x))


def arctanh(x: Any) -> Any:
    """np.emath.arctanh."""
    return np.arctanh(_where_beyond_one(x))


STANDINS = {
    np.emath.sqrt: sqrt,
    np.emath.log: log,
    np.emath.log10: log10,
    np.emath.log2: log2,
    np.emath.logn: logn,
    np.emath.power: power,
    np.emath.arccos: arccos,
    np.emath.arcsin: arcsin,
    np.emath.arctanh: arctanh,
}
