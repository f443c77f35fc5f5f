"""Floor 6: lists that hold each other, and arrays in lists: into compiled code they go as copies.

What is one list for Python would be two; and of an array that is no whole row of memory, what is
written into the copy would be lost.
"""

from __future__ import annotations

from itertools import permutations

import s2sgrad_runtime
from s2sgrad.analysis.changes import Changes, Objects
from s2sgrad.analysis.effects import Effects, effects
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Function, Var
from s2sgrad.ir.types import Dict, List, Maybe, Tuple, Type

_PUT_BACK = (s2sgrad_runtime.snapshot, s2sgrad_runtime.restore)


def tied_lists(function: Function) -> dict[str, tuple[str, ...]]:
    """Name -> group, for lists and dicts that change and may hold, or be, others of the group;
    twice where the lists in a list change, of which two may be one, and where a pullback changes
    lists in lists that it was given: they may be in others, too.
    """
    shared, types = effects(function.body), function.types
    changes = Changes(function.body, shared, types)
    restored = _restored(function, shared)
    found: dict[str, tuple[str, ...]] = {}
    for name in {*shared.group, *restored}:
        group, kind = shared.find(name), types.get(name)
        if not holds_lists(kind):
            continue
        if name in restored:
            found[name] = (group, group)
        elif changes.seen_through(name):
            item = kind.item if isinstance(kind, List | Dict) else None
            inner = item is not None and holds_lists(item) and changes.seen_through(name, item)
            found[name] = (group, group) if inner else (group,)
    return found


def come_apart(function: Function) -> bool:
    """Whether lists in the result are, or hold, what others are too: each would be a copy."""
    shared, types = effects(function.body), function.types
    objects = Objects(function.body, shared)
    given = {
        name: None
        for stmt in function.body
        if isinstance(stmt, nodes.Return)
        for name in nodes.names_in(stmt.value)
        if holds_lists(types.get(name))
    }
    return any(
        _is_nested(types[a]) or objects.may_be_same(Var(a, type=types[a]), Var(b, type=types[b]))
        for a, b in permutations(given, 2)
        if shared.find(a) == shared.find(b)
    )


def writes_given(function: Function) -> bool:
    """Whether arrays may be written that the function was given, or that were in a list."""
    shared = effects(function.body)
    lists = {n for n, kind in function.types.items() if holds_lists(kind)}
    names = {*function.parameters, *_taken_out(function.body, lists)}
    return any(map(shared.is_written, names))


def _restored(function: Function, shared: Effects) -> set[str]:
    """The variables that may share what is put back at the end, or were taken out of it, where
    there are lists in lists."""
    calls = [
        part
        for stmt in nodes.walk_block(function.body)
        for expr in nodes.expressions(stmt)
        for part in nodes.walk(expr)
        if isinstance(part, Call) and part.function in _PUT_BACK
    ]
    new = {n for call in calls for arg in call.args for n in nodes.names_in(arg)}
    if not any(_is_nested(function.types.get(name)) for name in new):
        return set()
    found: set[str] = set()
    while new:
        found |= {n for name in new for n in (name, *shared.members(name))}
        new = _taken_out(function.body, found) - found
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


def _is_nested(kind: Type | None) -> bool:
    return isinstance(kind, List | Dict) and holds_lists(kind.item)


def holds_lists(kind: Type | None) -> bool:
    """Whether a value of this type is a list or dict, or a tuple of such."""
    if isinstance(kind, Tuple):
        return any(map(holds_lists, kind.items))
    return isinstance(kind, List | Dict) or (isinstance(kind, Maybe) and holds_lists(kind.item))


__all__ = ["come_apart", "holds_lists", "tied_lists", "writes_given"]
