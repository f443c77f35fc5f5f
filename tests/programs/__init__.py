"""The corpus: small primal programs, grouped by corner of the language, with example arguments.

`load()` imports every file of the folder and returns all programs in a fixed order.
"""

from __future__ import annotations

import importlib
import pkgutil

from programs.registry import PROGRAMS, Program


def load() -> list[Program]:
    """Every registered program, sorted by name."""
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        importlib.import_module(module.name)
    return [PROGRAMS[name] for name in sorted(PROGRAMS)]
