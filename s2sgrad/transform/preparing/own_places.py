"""Floor 5: subscripts that are what they write to, `a[a] = b`, in arrays of their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from s2sgrad.analysis.effects import effects, root
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt, Var
from s2sgrad.ir.types import Array
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block


def with_own_places(block: Block, fresh: Callable[[str, Expr], Var]) -> Block:
    """The block with copies of subscripts that share memory with what they write to: what is
    written there says other places, and undoing it needs the old ones. fresh: makes a variable."""
    stores = [s for s in nodes.walk_block(block) if isinstance(s, nodes.Store)]
    if not any(_held(part) for s in stores for part in s.index):
        return block
    shared = effects(block)

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        if not isinstance(stmt, nodes.Store):
            return [stmt]
        own, before, parts = root(stmt.base), [], []
        for part in stmt.index:
            held = _held(part)
            if held is not None and own is not None and shared.find(held) == shared.find(own):
                copy = build.copied(part)
                part = fresh("mask" if part.type.dtype == "bool" else "places", copy)  # type: ignore[attr-defined]
                before.append(nodes.Assign((part.name,), (copy,), span=stmt.span))
            parts.append(part)
        return [*before, replace(stmt, index=tuple(parts))]

    return map_block(block, lambda e: e, on_stmt)


def _held(part: Expr) -> str | None:
    """The variable whose memory a subscript by an array may share."""
    array = isinstance(part.type, Array) and part.type.shape != ()
    return root(part) if array else None
