"""Floor 2: how users write the name of a function."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def spelled(function: Any) -> str:
    """`np.linalg.solve`, `np.add.reduce`, `scipy.stats.norm.pdf`, `module.function`."""
    name = getattr(function, "__name__", repr(function))
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):
        return f"{spelled(owner)}.{name}"
    if owner is not None and type(owner).__module__.startswith("scipy.stats."):
        kind = type(owner).__name__.removesuffix("_gen")
        return f"scipy.stats.{getattr(owner, 'name', kind)}.{name}"
    if isinstance(function, np.ufunc):
        return f"np.{name}" if hasattr(np, name) else name
    module = getattr(function, "__module__", None) or ""
    if module.startswith("numpy"):
        if getattr(np, name, None) is function:
            return f"np.{name}"
        for part in (np.linalg, np.fft, np.random, np.lib.stride_tricks):
            if getattr(part, name, None) is function:
                return f"np.{part.__name__.removeprefix('numpy.')}.{name}"
    if module.startswith("scipy."):
        module = _public(function, module, name)
    way = getattr(function, "__qualname__", name)
    if owner is None and "<" not in way and way.endswith(f".{name}"):
        name = way  # a function of a class
    return f"{module}.{name}" if module and module != "builtins" else name


def _public(function: Any, module: str, name: str) -> str:
    """The part of SciPy in which users find a function, for the private module that it is in."""
    parts = module.split(".")
    for count in range(2, len(parts)):
        home = ".".join(parts[:count])
        if getattr(sys.modules.get(home), name, None) is function:
            return home
    return module


def told(rule: Any, argument: str) -> str:
    """An argument of a rule under the name that its author gave it."""
    given = {new: old for old, new in rule._canonical.items()}
    return given.get(argument, argument)


__all__ = ["spelled", "told"]
