"""Floor 6: run a generated function under Numba.

Numba sees a plain function of numbers, arrays and lists: the leaves of the caller's arguments. A
small Python function around it takes the arguments apart and puts the gradient together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from s2sgrad.backend.module import Compiled, import_lines, references
from s2sgrad.backend.numba_boundary import Boundary, cut
from s2sgrad.backend.numba_cache import Module, load
from s2sgrad.backend.numba_errors import watch
from s2sgrad.backend.numba_forms import numba_forms
from s2sgrad.backend.numba_outside import NumbaPrinter
from s2sgrad.ir.nodes import Function

OPTIONS = {"error_model": "numpy"}


def jitted(product: Any) -> Any:
    """The same product with its function compiled by Numba at the first call.

    Raises:
        UnsupportedError: at the first call, where Numba lacks something the code needs.
    """
    _teach_numba()
    boundary = cut(product.function)
    function = numba_forms(boundary.inner)
    module, origin = _module(function)
    dispatcher = watch(load(module, OPTIONS), function.name, module.filename, origin)
    compiled = Compiled(
        boundary.outer(dispatcher), module.text, module.filename, module.names, origin
    )
    return replace(product, compiled=compiled)


def _teach_numba() -> None:
    """Load Numba, and its versions of our runtime helpers."""
    try:
        import numba  # noqa: F401
    except ImportError as error:
        raise ImportError("jit=True needs Numba: pip install 's2sgrad[numba]'") from error
    import s2sgrad_runtime.numba_helpers
    import s2sgrad_runtime.numba_numpy
    import s2sgrad_runtime.numba_trees  # noqa: F401


def _module(function: Function) -> tuple[Module, dict[int, tuple[str, int]]]:
    """The text of the module, and generated line -> the user's (file, line)."""
    printer = NumbaPrinter()
    body = printer.function(function)
    names = references([function])
    lines = import_lines(names)
    if printer.helpers:
        from numba import njit, objmode

        names |= {"njit": njit, "objmode": objmode}
        lines.append("from numba import njit, objmode")
    head = "\n".join(lines) + "\n\n\n"
    helpers = "".join(printer.helpers)
    first = (head + helpers).count("\n") + 1
    where = function.span.filename if function.span else ""
    origin = {first + n: (where, line) for n, line in enumerate(printer.origin) if line}
    return Module(function.name, head + helpers + body, head, names), origin


__all__ = ["Boundary", "jitted"]
