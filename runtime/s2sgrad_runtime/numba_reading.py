"""Numba's reading of Python's bytecode, without a fault of it.

Numba gives a variable a new name where a block of the function's own level binds it, and reads
what follows in the file under that name. A block that leaves a loop by `break` is of that level,
and the rest of the loop's body follows it in the file, but does not come after it:

    while True:
        if abs(x - before) < 1e-9:
            before = x  # `before.1` from here on, so that no round changes `before`
            break
        before = x

Only blocks that come before all that follows them in the file may name a variable anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numba.core import interpreter, untyped_passes
from numba.core.compiler_machinery import register_pass

__all__ = ["Reading"]


@register_pass(mutates_CFG=True, analysis_only=False)
class Reading(untyped_passes.TranslateByteCode):  # type: ignore[misc]
    """The pass that reads the bytecode."""

    _name = "s2sgrad_reading"

    def run_pass(self, state: Any) -> bool:
        """Called by Numba; whether anything is different now."""
        state["func_ir"] = _Interpreter(state["func_id"]).interpret(state["bc"])
        return True


class _Interpreter(interpreter.Interpreter):  # type: ignore[misc]
    def _iter_inst(self) -> Iterator[Any]:
        """Called by Numba once, before it reads the first instruction."""
        self.cfa._backbone = _straight(self.cfa)
        return iter(super()._iter_inst())


def _straight(flow: Any) -> set[int]:
    """The function's own blocks that come before everything that follows them in the file."""
    before = flow.graph.dominators()
    found: set[int] = set()
    common: set[int] | None = None  # what comes before all that follows
    for block in sorted(before, reverse=True):
        if block in flow.backbone and (common is None or block in common):
            found.add(block)
        common = set(before[block]) if common is None else common & before[block]
    return found
