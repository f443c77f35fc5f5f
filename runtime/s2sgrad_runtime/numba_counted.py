"""What is known of a subscript in compiled code by how it is computed."""

from __future__ import annotations

import operator
from collections.abc import Callable, Set
from dataclasses import dataclass
from typing import Any

from numba.core import ir, types
from numba.core.ir_utils import get_definition, guard

__all__ = ["Subscript"]

_SUMS = (operator.add, operator.sub)


@dataclass(frozen=True)
class Subscript:
    """A variable that is a subscript. typeof: the type of a variable."""

    func_ir: Any
    typeof: Callable[[str], Any]
    name: str

    def plainly_counted(self, counters: Set[str]) -> bool:
        """Whether it is a counter, perhaps with a constant added: LLVM knows its sign.

        Without the question it would take the sums of neighbouring subscripts apart before it looks
        for vector instructions, and compare many more addresses.
        """
        return self.name in counters or self._beside_constant((operator.add,)) in counters

    def fits(self, inside: Set[str]) -> bool:
        """Whether it is a number known to fit, perhaps with a constant."""
        return self.name in inside or self._beside_constant(_SUMS) in inside

    def counted_up(self, counters: Set[str]) -> bool:
        """Whether it is a counter, or a sum or difference with one."""
        if self.name in counters:
            return True
        made = guard(get_definition, self.func_ir, self.name)
        if not isinstance(made, ir.Expr) or made.op != "binop" or made.fn not in _SUMS:
            return False
        both = (Subscript(self.func_ir, self.typeof, v.name) for v in (made.lhs, made.rhs))
        return any(part.counted_up(counters) for part in both)

    def _beside_constant(self, signs: tuple[Any, ...]) -> str | None:
        """The variable in a sum or difference with a constant."""
        made = guard(get_definition, self.func_ir, self.name)
        if not isinstance(made, ir.Expr) or made.op != "binop" or made.fn not in signs:
            return None
        constant = isinstance(self.typeof(made.rhs.name), types.IntegerLiteral)
        return made.lhs.name if constant else None
