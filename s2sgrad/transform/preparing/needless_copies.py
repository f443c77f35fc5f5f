"""Floor 5: copies that were made lest something is written later, where nothing is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from s2sgrad.analysis.effects import effects
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt, Var
from s2sgrad.transform.writing.rewrite import map_block
from s2sgrad_runtime import copy_tree


def without_needless_copies(block: Block, live: frozenset[str]) -> Block:
    """The block with `v` in place of `kept = copy_tree(v)`, where neither ever changes.

    live: names that are read after the block; they stay.
    """
    copies = dict(_copies(block))
    if not copies:
        return block
    shared = effects(block)
    unchanged = {
        kept: source
        for kept, source in copies.items()
        if not shared.changes(kept) and not shared.changes(source.name)
    }
    staying = _moving(block) | live
    gone = {k: v for k, v in unchanged.items() if v.name not in staying and k not in staying}
    gone = {k: _followed(v, gone) for k, v in gone.items()}

    def without(stmt: Stmt) -> list[Stmt]:
        if not isinstance(stmt, nodes.Assign) or not any(t in unchanged for t in stmt.targets):
            return [stmt]
        pairs = zip(stmt.targets, stmt.values, strict=True)
        left = [(t, unchanged.get(t, v)) for t, v in pairs if t not in gone]
        targets, values = tuple(t for t, _ in left), tuple(v for _, v in left)
        return [replace(stmt, targets=targets, values=values)] if left else []

    def source(expr: Expr) -> Expr:
        return gone.get(expr.name, expr) if isinstance(expr, Var) else expr

    return map_block(block, source, without)


def _copies(block: Block) -> Iterator[tuple[str, Var]]:
    for stmt in nodes.walk_block(block):
        if isinstance(stmt, nodes.Assign):
            for target, value in zip(stmt.targets, stmt.values, strict=True):
                if isinstance(value, Call) and value.function is copy_tree:
                    source = value.args[0]
                    if isinstance(source, Var):
                        yield target, source


def _moving(block: Block) -> set[str]:
    """Names that are bound several times, or in a loop: they may hold another value later."""
    found = Counter(t for stmt in nodes.walk_block(block) for t in nodes.targets_of(stmt))
    loops = [s for s in nodes.walk_block(block) if isinstance(s, nodes.For | nodes.While)]
    for loop in loops:
        for stmt in nodes.walk_block((loop,)):
            found.update(2 * nodes.targets_of(stmt))
    return {name for name, times in found.items() if times > 1}


def _followed(source: Var, gone: dict[str, Var]) -> Var:
    while source.name in gone:
        source = gone[source.name]
    return source
