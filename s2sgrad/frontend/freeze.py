"""Floor 4: the lists that collect statements while lowering become frozen blocks.

What follows a branch with a jump goes into the branches that fall through, so that a jump is
always the end of all that runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2sgrad.ir.nodes import Block, Do, Exit, For, If, Splice, Stmt, While


def freeze(stmts: Sequence[Stmt]) -> Block:
    """The block with all inner lists turned into tuples."""
    result: list[Stmt] = []
    for i, stmt in enumerate(stmts):
        frozen = _freeze(stmt)
        rest = stmts[i + 1 :]
        if isinstance(frozen, If) and rest and _jumps(frozen):
            return (*result, _followed(frozen, freeze(rest)))
        result.append(frozen)
    return tuple(result)


def _freeze(stmt: Stmt) -> Stmt:
    match stmt:
        case If(then=then, orelse=orelse):
            return replace(stmt, then=freeze(then), orelse=freeze(orelse))
        case For(body=body) | While(body=body):
            return replace(stmt, body=freeze(body))
        case Splice(body=body):
            return replace(stmt, body=freeze(body))
    return stmt


def _jumps(stmt: If) -> bool:
    """Whether a path through a branch ends in a jump."""
    return any(_ends(side) or _inner_jump(side) for side in (stmt.then, stmt.orelse))


def _ends(block: Block) -> bool:
    return bool(block) and isinstance(block[-1], Exit)


def _inner_jump(block: Block) -> bool:
    return bool(block) and isinstance(block[-1], If) and _jumps(block[-1])


def _raises(block: Block) -> bool:
    return bool(block) and isinstance(block[-1], Do) and block[-1].keyword == "raise"


def _followed(stmt: If, rest: Block) -> If:
    """The branch with `rest` at the end of every path that falls through."""
    return replace(stmt, then=_extended(stmt.then, rest), orelse=_extended(stmt.orelse, rest))


def _extended(block: Block, rest: Block) -> Block:
    if _ends(block) or _raises(block):
        return block
    if _inner_jump(block):
        last = block[-1]
        assert isinstance(last, If)
        return (*block[:-1], _followed(last, rest))
    return (*block, *_fresh(rest))


def _fresh(block: Block) -> Block:
    """The same statements as new objects: each stands in one place only."""
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case If(then=then, orelse=orelse):
                result.append(replace(stmt, then=_fresh(then), orelse=_fresh(orelse)))
            case For(body=body) | While(body=body):
                result.append(replace(stmt, body=_fresh(body)))
            case _:
                result.append(replace(stmt))
    return tuple(result)
