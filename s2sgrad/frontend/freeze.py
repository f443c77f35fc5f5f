"""Floor 4: the lists that collect statements while lowering become frozen blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from s2sgrad.ir.nodes import Block, For, If, Splice, Stmt, While


def freeze(stmts: Sequence[Stmt]) -> Block:
    """The block with all inner lists turned into tuples."""
    return tuple(_freeze(s) for s in stmts)


def _freeze(stmt: Stmt) -> Stmt:
    match stmt:
        case If(then=then, orelse=orelse):
            return replace(stmt, then=freeze(then), orelse=freeze(orelse))
        case For(body=body) | While(body=body):
            return replace(stmt, body=freeze(body))
        case Splice(body=body):
            return replace(stmt, body=freeze(body))
    return stmt
