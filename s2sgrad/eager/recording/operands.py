"""Where the operands of an operator come from, read off the bytecode of the code it stands in.

A reference count alone can't tell a temporary from an entry of an object array: NumPy calls the
operators of the entries while the instruction that runs is the array's own operator.
"""

from __future__ import annotations

import dis
import functools
from typing import Any

OPERATORS = {dis.opmap[name] for name in ("BINARY_OP", "UNARY_NEGATIVE") if name in dis.opmap}
_NOTHING = ("NOP", "CACHE", "EXTENDED_ARG")


@functools.lru_cache(2048)
def are_computed(code: Any, offset: int) -> tuple[bool, bool]:
    """Whether the (left, right) operand of the operator at `offset` is an operator's result.

    The operand of a unary operator counts as both.
    """
    before = []
    for instruction in dis.get_instructions(code):
        before.append(instruction)
        if instruction.offset == offset:
            break
    right = len(before) - 2
    if before[-1].opname.startswith("UNARY"):
        return is_result(before, right), is_result(before, right)
    return is_result(before, start_of(before, right) - 1), is_result(before, right)


def is_result(instructions: list[Any], place: int) -> bool:
    """Whether an operator at `place` pushed what is used by the last instruction, on every path."""
    while place >= 0 and instructions[place].opname in _NOTHING:
        place -= 1
    if place < 0 or instructions[place].opcode not in OPERATORS:
        return False
    return not any(i.is_jump_target for i in instructions[place + 1 :])


def start_of(instructions: list[Any], last: int) -> int:
    """Index of the first instruction of the expression whose value the one at `last` pushes."""
    wanted, place = 1, last
    while place >= 0:
        found = instructions[place]
        wanted -= dis.stack_effect(found.opcode, found.arg, jump=False)
        if wanted <= 0:
            break
        place -= 1
    return place
