"""Floor 9: Python text for the values that an exported module holds."""

from __future__ import annotations

import math
import re
import sys
import types
from collections.abc import Iterable
from enum import Enum
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.backend.expressions import quoted
from s2sgrad.backend.module import home_of
from s2sgrad.errors import UnsupportedError

LITERALS = (bool, int, float, complex, str, bytes, type(None))
MANY = 10_000  # entries of an array that are still written out


class Literals:
    """Writes values as text. names: what the text refers to, which the module imports."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

    def of(self, name: str, value: Any) -> str:
        """Source text for what is called `name`."""
        text = self.text(value)
        if text is not None:
            return text
        raise UnsupportedError(
            f"can't export: {name} holds {type(value).__name__}, which has no literal form",
            None,
            "an exported file holds what it needs as text",
            "pass it as an argument",
        )

    def text(self, value: Any) -> str | None:
        """Source text for a value, or None where it has none."""
        kind = type(value)
        if kind in (float, complex):
            return repr(value) if np.isfinite(value) else _not_finite(value)
        if kind is str:
            return quoted(value)
        if kind in LITERALS:
            return repr(value)
        if isinstance(value, np.ndarray | np.generic | np.dtype):
            return _of_numpy(value)
        if isinstance(value, Enum):
            return self._of_parts(f"{{}}.{value.name}", [kind])
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return self._of_parts(f"{{}}({', '.join(['{}'] * len(value))})", [kind, *value])
        if kind is tuple:
            ending = "," if len(value) == 1 else ""
            return self._of_parts(f"({', '.join(['{}'] * len(value))}{ending})", value)
        if kind is list:
            return self._of_parts(f"[{', '.join(['{}'] * len(value))}]", value)
        if kind in (set, frozenset):
            form = f"{kind.__name__}([{', '.join(['{}'] * len(value))}])"
            return self._of_parts(form, sorted(value, key=repr))
        if kind is dict:
            form = "{{" + ", ".join(["{}: {}"] * len(value)) + "}}"
            return self._of_parts(form, [part for item in value.items() for part in item])
        return self._imported(value) if callable(value) else None

    def _of_parts(self, form: str, parts: Iterable[Any]) -> str | None:
        texts = [self.text(part) for part in parts]
        return None if None in texts else form.format(*texts)

    def _imported(self, value: Any) -> str | None:
        """The name by which a function or class is imported, where a fresh interpreter can."""
        name = getattr(value, "__name__", "")
        if getattr(np, name, None) is value:
            return f"np.{name}"
        plain = getattr(value, "__qualname__", name) == name and name.isidentifier()
        if not plain or not importable(name, value):
            return None
        home = sys.modules.get(home_of(name, value)[0])
        if getattr(home, name, None) is not value:
            return None
        given = next((n for n, held in self.names.items() if held is value), name)
        while self.names.get(given, value) is not value:
            given += "_"
        self.names[given] = value
        return given


def importable(name: str, value: Any) -> bool:
    """Whether a fresh interpreter finds it in the module that it names itself."""
    if isinstance(value, types.ModuleType):
        return True
    home, outer = home_of(name, value)
    helper = getattr(s2sgrad_runtime, name, None) is value
    return helper or (home != "__main__" and hasattr(sys.modules.get(home), outer))


def _of_numpy(value: Any) -> str | None:
    if isinstance(value, np.dtype):
        return f"np.dtype({value.str!r})" if value.names is None else None
    if value.dtype.kind not in "fciub" or value.size > MANY:
        return None
    if value.dtype.kind == "c" and not np.all(np.isfinite(value)):
        return None
    if isinstance(value, np.generic):
        number = value.item()
        text = _not_finite(number) if isinstance(number, float) else repr(number)
        return f"np.{value.dtype}({text})"
    if not value.size:
        return f"np.zeros({value.shape}, np.{value.dtype})"
    with np.printoptions(threshold=MANY + 1, floatmode="unique"):
        text = re.sub("nan|inf", r"np.\g<0>", np.array2string(value, separator=", "))
    return f"np.array({text}, dtype=np.{value.dtype})"


def _not_finite(value: float | complex) -> str | None:
    if isinstance(value, complex):
        return None
    if math.isfinite(value):
        return repr(value)
    return "np.nan" if math.isnan(value) else "np.inf" if value > 0 else "-np.inf"
