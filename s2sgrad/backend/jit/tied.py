"""Floor 6: lists that must not go into compiled code apart from others: they go as copies."""

from __future__ import annotations

import s2sgrad_runtime
from s2sgrad.analysis.changes import Changes
from s2sgrad.analysis.effects import Effects, effects
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Function, Var
from s2sgrad.ir.types import Dict, List, Maybe, Tuple, Type

_PUT_BACK = (s2sgrad_runtime.snapshot, s2sgrad_runtime.restore)


def tied_lists(function: Function) -> dict[str, tuple[str, ...]]:
    """Name -> group, for lists and dicts that change and may hold, or be, others of the group;
    twice where the lists in a list change, of which two may be one, and where a pullback changes
    what it was given: that may be in several lists.
    """
    shared, types = effects(function.body), function.types
    changes = Changes(function.body, shared, types)
    restored = _restored(function.body, shared)
    found: dict[str, tuple[str, ...]] = {}
    for name in {*shared.group, *restored}:
        group, kind = shared.find(name), types.get(name)
        if not _holds_lists(kind):
            continue
        if name in restored:
            found[name] = (group, group)
        elif changes.seen_through(name):
            item = kind.item if isinstance(kind, List | Dict) else None
            inner = item is not None and _holds_lists(item) and changes.seen_through(name, item)
            found[name] = (group, group) if inner else (group,)
    return found


def _restored(body: Block, shared: Effects) -> set[str]:
    """The variables that may share what is put back at the end, or were taken out of it."""
    calls = [
        part
        for stmt in nodes.walk_block(body)
        for expr in nodes.expressions(stmt)
        for part in nodes.walk(expr)
        if isinstance(part, Call) and part.function in _PUT_BACK
    ]
    new = {n for call in calls for arg in call.args for n in nodes.names_in(arg)}
    found: set[str] = set()
    while new:
        found |= {n for name in new for n in (name, *shared.members(name))}
        new = _taken_out(body, found) - found
    return found


def _taken_out(body: Block, lists: set[str]) -> set[str]:
    """What is bound to an entry that one of these lists gives away."""
    return {
        target
        for stmt in nodes.walk_block(body)
        if isinstance(stmt, nodes.Assign)
        for target, value in zip(stmt.targets, stmt.values, strict=True)
        if isinstance(value, Call) and value.text == "pop" and value.form == "method"
        if isinstance(value.args[0], Var) and value.args[0].name in lists
    }


def _holds_lists(kind: Type | None) -> bool:
    if isinstance(kind, Tuple):
        return any(map(_holds_lists, kind.items))
    return isinstance(kind, List | Dict) or (isinstance(kind, Maybe) and _holds_lists(kind.item))


__all__ = ["tied_lists"]
