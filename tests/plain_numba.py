"""The functions that are written for Numba, run as the Python that they are.

Compiling takes seconds a program, running takes none: whether the loops that array statements
became compute the right numbers can be asked of every program.
"""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np
import pytest

from s2sgrad.backend.jit import attempt
from s2sgrad.backend.jit.cache import Module, _function

_NUMBERS = count(1)


def _turned(a: Any, turned: bool) -> Any:
    return np.asarray(a).T if turned else np.asarray(a)


def _solved(a: Any, b: Any, turned: bool) -> Any:
    return np.linalg.solve(_turned(a, turned), b)


# What of our runtime only Numba can run, in NumPy's words.
_IN_PYTHON = {
    "identity": np.eye,
    "inverted": np.linalg.inv,
    "determinant": np.linalg.det,
    "outer_product": np.outer,
    "crossed": np.cross,
    "solved": _solved,
    "solved_columns": _solved,
    "add_to": lambda total, value: total + value,
    "add_product": lambda total, left, right: total + left * right,
    "listed_rows": list,
    "larger_of": np.maximum,
    "smaller_of": np.minimum,
}

# What else is not Python's: an intrinsic, a list of numbers that holds a single one, threads, and a
# name without a value that is kept in an array.
NOT_PYTHON = (NotImplementedError, AttributeError, TypeError, UnboundLocalError)


def _loaded(module: Module, options: dict[str, Any]) -> Any:
    function = _function(module, f"<s2sgrad {module.name} as Python {next(_NUMBERS)}>")
    scope = function.__globals__
    for name in _IN_PYTHON.keys() & scope.keys():
        if "numba" in type(scope[name]).__module__:
            scope[name] = _IN_PYTHON[name]
    return function


def as_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on, nothing is compiled."""
    monkeypatch.setattr(attempt, "load", _loaded)
    monkeypatch.setattr(attempt, "watch", lambda dispatcher, *what: dispatcher)
