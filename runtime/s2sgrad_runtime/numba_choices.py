"""Choices between two numbers as one instruction, in place of two ways through the code.

Numba writes `a = s if c else 0.0` as a branch. LLVM makes a selection of it most times, but where
`c` was read from an array it may read within the branch instead, and such a loop takes one
iteration at a time.
"""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass
from typing import Any

from numba.core import ir, types

__all__ = ["CHOICE", "with_choices"]

CHOICE = "s2sgrad_choice"  # an expression that is lowered to a selection
_LONGEST = 12  # statements of a way that may be gone for nothing
_QUICK = {operator.add, operator.sub, operator.mul, operator.neg, operator.pos}
_QUICK |= {operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne}
_MEETING = "$phi"  # what both ways of a choice bind
_CHOSEN = "$chosen"


def with_choices(blocks: Any, kinds: Any) -> None:
    """Make such branches selections, within `blocks`. kinds: the types of the variables."""
    sources = _sources(blocks)
    for label in sorted(blocks, reverse=True):  # inner choices first
        while label in blocks and _is_joined(blocks, label, kinds, sources):
            sources = _sources(blocks)


def _sources(blocks: Any) -> Counter[int]:
    """From how many places each block is come to."""
    return Counter(to for b in blocks.values() for to in b.terminator.get_targets())


def _is_joined(blocks: Any, label: int, kinds: Any, sources: Counter[int]) -> bool:
    """Whether a block ended in a choice, which now is part of it."""
    block = blocks[label]
    branch = block.terminator
    if not isinstance(branch, ir.Branch) or branch.truebr == branch.falsebr:
        return False
    ways = [branch.truebr, branch.falsebr]
    if any(sources[way] != 1 or way == label for way in ways):
        return False
    then, orelse = (_way(blocks[way], kinds) for way in ways)
    if then is None or orelse is None or (then.name, then.to) != (orelse.name, orelse.to):
        return False
    loc, after = branch.loc, then.to
    chosen = ir.Expr(CHOICE, loc, cond=branch.cond, then=then.value, orelse=orelse.value)
    found = ir.Var(block.scope, f"{_CHOSEN}{len(kinds)}", loc)
    kinds[found.name] = kinds[then.name]
    made = ir.Assign(chosen, found, loc)
    bound = ir.Assign(found, ir.Var(block.scope, then.name, loc), loc)
    gone = [ir.Del(n, loc) for n in dict.fromkeys((*then.gone, *orelse.gone, found.name))]
    body = [*block.body[:-1], *then.body, *orelse.body, made, bound, *gone]
    for way in ways:
        del blocks[way]
    alone = sources[after] == len(ways) and after != label
    block.body = [*body, *(blocks.pop(after).body if alone else [ir.Jump(after, loc)])]
    return True


@dataclass(frozen=True)
class _Way:
    """What one way does. value: what it binds `name` to; to: where it leads; gone: what is not
    used after it."""

    name: str
    value: Any
    to: int
    body: list[Any]
    gone: list[str]


def _way(block: Any, kinds: Any) -> _Way | None:
    """The way of a block; None where it does more than compute a number."""
    *body, last = block.body
    if not isinstance(last, ir.Jump):
        return None
    gone = [s.value for s in body if isinstance(s, ir.Del)]
    body = [s for s in body if not isinstance(s, ir.Del)]
    if not 0 < len(body) <= _LONGEST or not all(isinstance(s, ir.Assign) for s in body):
        return None
    *before, bound = body
    name = bound.target.name
    if not name.startswith(_MEETING) or not _is_number(kinds[name]):
        return None
    if not isinstance(bound.value, ir.Var) or any(s.target.name == name for s in before):
        return None
    if not all(s.target.name.startswith("$") and _is_quick(s, before, kinds) for s in before):
        return None
    return _Way(name, bound.value, last.target, before, gone)


def _is_number(kind: Any) -> bool:
    return isinstance(kind, types.Number | types.Boolean)


def _is_quick(stmt: Any, body: list[Any], kinds: Any) -> bool:
    """Whether a statement computes a number at once, and can't fail."""
    value = stmt.value
    if isinstance(value, ir.Global) and value.value is bool:
        return True
    if not _is_number(kinds[stmt.target.name]):
        return False
    if isinstance(value, ir.Const | ir.Var):
        return True
    if not isinstance(value, ir.Expr):
        return False
    if value.op == CHOICE:
        return True
    if value.op == "call":
        return _is_truth(value, body, kinds)
    if value.op not in ("binop", "unary") or value.fn not in _QUICK:
        return False
    return all(_is_number(kinds[v.name]) for v in value.list_vars())


def _is_truth(call: Any, body: list[Any], kinds: Any) -> bool:
    """Whether a call asks for the truth of what is one, as Numba does before each branch."""
    asks = any(
        s.target.name == call.func.name and isinstance(s.value, ir.Global) and s.value.value is bool
        for s in body
    )
    return asks and len(call.args) == 1 and isinstance(kinds[call.args[0].name], types.Boolean)
