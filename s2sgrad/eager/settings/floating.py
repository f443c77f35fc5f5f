"""Floating-point errors: tensors give inf and nan in silence, as torch does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

try:
    from numpy._core.umath import _extobj_contextvar, _make_extobj

    SILENT: Any = _make_extobj(all="ignore")
    silence: Any = _extobj_contextvar.set
    speak: Any = _extobj_contextvar.reset
except (
    ImportError
):  # a NumPy that keeps its error state elsewhere: np.errstate, at four times the cost
    SILENT = silence = speak = None

RISKY = frozenset(
    getattr(np, name)
    for name in (
        "add", "subtract", "multiply", "divide", "reciprocal", "power", "sqrt", "exp", "exp2",
        "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin",
        "arccos", "arccosh", "arctanh", "sinh", "cosh", "square",
    )
)  # fmt: skip


def quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` without floating-point warnings."""
    if SILENT is None:

        def slow(*args: Any) -> Any:
            with np.errstate(all="ignore"):
                return function(*args)

        return slow

    def silent(*args: Any) -> Any:
        token = silence(SILENT)
        try:
            return function(*args)
        finally:
            speak(token)

    return silent


def calm(function: Any) -> Any:
    """A function that may divide by zero or overflow, without warnings."""
    return quiet(function) if function in RISKY or function not in _UFUNCS else function


_UFUNCS = frozenset(f for f in vars(np).values() if isinstance(f, np.ufunc))


class Silence:
    """Block without floating-point warnings: a cheap np.errstate(all="ignore")."""

    __slots__ = ("token",)

    def __enter__(self) -> None:
        if SILENT is None:
            self.token: Any = np.errstate(all="ignore")
            self.token.__enter__()
        else:
            self.token = silence(SILENT)

    def __exit__(self, *exc: object) -> None:
        if SILENT is None:
            self.token.__exit__(None, None, None)
        else:
            speak(self.token)
