"""Floor 5: pullbacks that may be called again: what is saved is the same after a call."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.effects import Effects, effects, holds_arrays, root, shares
from s2sgrad.analysis.held import names_order
from s2sgrad.analysis.new_arrays import shares_memory
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Stmt, Var
from s2sgrad.ir.types import (
    BOOL,
    NONE,
    Array,
    Dict,
    Known,
    List,
    Opaque,
    Scalar,
    Type,
)
from s2sgrad.transform.writing.rewrite import map_stmt_exprs

_NOTHING = nodes.Const(None, type=NONE)


def copied(var: Var, deep: bool = True) -> Expr:
    """A copy of an array or container; not deep: the arrays in a list stay the same ones."""
    if isinstance(var.type, Array) or not deep:
        return Call(np.copy, "copy", (var,), form="method", type=var.type)
    return Call(s2sgrad_runtime.copy_tree, "copy_tree", (var,), type=var.type)


def _tree(expr: Expr) -> Expr:
    """A deep copy of what may be None."""
    return Call(s2sgrad_runtime.copy_tree, "copy_tree", (expr,), type=expr.type)


def _copied_or_none(var: Var, deep: bool) -> Expr:
    """A copy of what may be None. Not deep: the arrays in a list may be views of others."""
    if deep or not isinstance(var.type, List | Dict):
        return _tree(var)
    test = Call("is", "is", (var, _NOTHING), form="operator", type=BOOL)
    return nodes.Choice(test, _NOTHING, copied(var, deep=False), type=var.type)


def bound_names(block: Block) -> list[str]:
    """The variables that a block binds, also within loops and branches."""
    return [t for s in nodes.walk_block(block) for t in nodes.targets_of(s)]


def repeatable(block: Block, saved: tuple[str, ...], whole: Function, maybe: list[str]) -> Block:
    """The reverse code, changed so that what is saved is the same after it.

    maybe: names that hold None on some paths.
    """
    shared = effects(whole.body)
    new = _repeated(block, saved, whole, maybe, shared)
    if not names_order(whole.body):
        return new
    own = set(map(id, block))
    return tuple(s if id(s) in own else _in_order_of_memory(s) for s in new)


def _in_order_of_memory(stmt: Stmt) -> Stmt:
    """`a = a.copy()` as one that lies in memory as the array does: `.copy()` lies in C order."""

    def on_expr(expr: Expr) -> Expr:
        if not isinstance(expr, Call) or expr.function is not np.copy or expr.form != "method":
            return expr
        if not isinstance(expr.args[0].type, Array):  # lists have the method too
            return expr
        keep = s2sgrad_runtime.copy_as_it_lies
        return replace(expr, function=keep, text="copy_as_it_lies", form="call")

    return map_stmt_exprs(stmt, on_expr)


def _repeated(
    block: Block, saved: tuple[str, ...], whole: Function, maybe: list[str], shared: Effects
) -> Block:
    """See `repeatable`."""
    written = {shared.find(n) for n in _written(block)}
    emptied, touched = _emptied(block), _touched(block)
    lists = Counter(shared.find(n) for n in saved if isinstance(whole.types.get(n), List | Dict))
    written |= {shared.find(n) for n in emptied if lists[shared.find(n)] > 1}  # one, or in another
    groups: dict[str, list[Var]] = {}
    before: list[Stmt] = []
    kinds = _first_read(block)
    for name in saved:
        var = Var(name, type=kinds.get(name) or whole.types.get(name, Known(None)))
        if shared.find(name) in written:
            groups.setdefault(shared.find(name), []).append(var)
        elif name in emptied:
            deep = not _only_emptied(var, touched, shared)
            value = _copied_or_none(var, deep) if name in maybe else copied(var, deep)
            before.append(nodes.Assign((name,), (value,)))
    together: list[Var] = []
    for held in groups.values():
        if len(held) == 1 and not _items_shared(held[0], whole.body, shared):
            deep = not _only_emptied(held[0], touched, shared)
            value = copied(held[0], deep)
            if held[0].name in maybe:
                value = _copied_or_none(held[0], deep)
            before.append(nodes.Assign((held[0].name,), (value,)))
        else:  # views of each other: copies would no longer be
            together += held
    return (*before, *_restoring(block, together, whole, shared, set(maybe)))


def _first_read(block: Block) -> dict[str, Type]:
    """The types that variables have where they are read first: later ones may be of another."""
    found: dict[str, Type] = {}
    for stmt in nodes.walk_block(block):
        for expr in nodes.expressions(stmt):
            for part in nodes.walk(expr):
                if isinstance(part, Var):
                    found.setdefault(part.name, part.type)
    return found


def _items_shared(var: Var, body: Block, shared: Effects) -> bool:
    """Whether the arrays in a list may share memory with each other."""
    if not isinstance(var.type, List) or isinstance(var.type.item, Scalar):
        return False
    group = shared.find(var.name)
    handed_on = (pair for stmt in nodes.walk_block(body) for pair in shares(stmt))
    return any(
        shared.find(target) == group and any(shared.find(s) == group for s in sources)
        for target, sources in handed_on
    )


def _written(block: Block) -> set[str]:
    """Variables whose array memory (not their binding) statements change."""
    stores = (s for s in nodes.walk_block(block) if isinstance(s, nodes.Store))
    return {root(s.base) or "" for s in stores if not _is_number(s.base)}


def _emptied(block: Block) -> set[str]:
    """Lists whose length changes."""
    found: set[str] = set()
    for stmt in nodes.walk_block(block):
        if isinstance(stmt, nodes.Mutate):
            found.add(root(stmt.base) or "")
        for expr in nodes.expressions(stmt):
            for part in nodes.walk(expr):
                if isinstance(part, Call) and part.function == "pop":
                    found.add(root(part.args[0]) or "")
    return found


def _is_number(base: Expr) -> bool:
    return isinstance(base, Var) and isinstance(base.type, Scalar)


@dataclass(frozen=True)
class _Touched:
    """What statements change, and what they pop from which list."""

    mutated: set[str]
    stored: set[str]
    popped: dict[str, set[str]]


def _touched(block: Block) -> _Touched:
    found = _Touched(set(), set(), {})
    for stmt in nodes.walk_block(block):
        if isinstance(stmt, nodes.Mutate):
            found.mutated.add(root(stmt.base) or "")
        if isinstance(stmt, nodes.Store):
            found.stored.add(root(stmt.base) or "")
        for source, targets in _popped(stmt):
            found.popped.setdefault(source, set()).update(targets)
    return found


def _popped(stmt: Stmt) -> list[tuple[str, tuple[str, ...]]]:
    """Which lists a statement pops from, and what may then hold the item."""
    if isinstance(stmt, nodes.Mutate) and stmt.target:
        return [(root(stmt.base) or "", (stmt.target,))]
    if not isinstance(stmt, nodes.Assign | nodes.Unpack):
        return []
    parts = (part for expr in nodes.expressions(stmt) for part in nodes.walk(expr))
    pops = (part for part in parts if isinstance(part, Call) and part.function == "pop")
    return [(root(pop.args[0]) or "", stmt.targets) for pop in pops]


def _only_emptied(var: Var, touched: _Touched, shared: Effects) -> bool:
    """Whether a saved list is popped from, and its items stay as they are."""
    kind: Type = var.type
    if not isinstance(kind, List):
        return False
    if isinstance(kind.item, Scalar):
        return True
    stored = (touched.mutated - {var.name}) | touched.stored
    popped = touched.popped.get(var.name, set())
    return not any(n in popped or shared.find(n) == shared.find(var.name) for n in stored)


def _new(name: str, kind: Type, whole: Function) -> Var:
    while name in whole.types:
        name += "_"
    whole.types[name] = kind
    return Var(name, type=kind)


def _restoring(
    block: Block, held: list[Var], whole: Function, shared: Effects, maybe: set[str]
) -> Block:
    """The block between keeping copies of arrays and writing them back. maybe: may be None."""
    if not held:
        return block
    before: list[Stmt] = []
    after: list[Stmt] = []
    groups = {shared.find(v.name) for v in held}
    lists = [v for v in held if isinstance(v.type, List | Dict)]
    nested = any(v.name in maybe or (isinstance(v.type, List) and not _flat(v.type)) for v in held)
    if nested or len(lists) > 1:
        kept = _new("kept", Opaque("saved"), whole)
        snapshot = Call(s2sgrad_runtime.snapshot, "snapshot", tuple(held), type=kept.type)
        before.append(nodes.Assign((kept.name,), (snapshot,)))
        after.append(nodes.Do(Call(s2sgrad_runtime.put_back, "put_back", (kept,), type=NONE)))
        held = []
    bound = set(bound_names(block))
    for var in held:
        kept = _new(f"{var.name}_kept", var.type, whole)
        before.append(nodes.Assign((kept.name,), (copied(var),)))
        if isinstance(var.type, Array) and var.name not in bound:
            after.append(nodes.Store(var, (), kept))
            continue
        whole_one = _new(f"{var.name}_whole", var.type, whole)
        if not isinstance(var.type, List | Dict):  # a copy would be no view any more
            before.append(nodes.Assign((whole_one.name,), (var,)))
        else:
            before.append(nodes.Assign((whole_one.name, var.name), (var, copied(var, deep=False))))
        after.append(
            nodes.Do(Call(s2sgrad_runtime.restore, "restore", (whole_one, kept), type=NONE))
        )
    last = block[-1]
    assert isinstance(last, nodes.Return)
    held_back = _new("cotangents", last.value.type, whole)
    groups = _handed_on(block, groups, shared)
    result = nodes.Assign((held_back.name,), (_apart(last.value, groups, shared),))
    back = nodes.Return(held_back)
    return (*before, *block[:-1], result, *reversed(after), back)


def _flat(kind: List) -> bool:
    return isinstance(kind.item, Array | Scalar)


def _handed_on(block: Block, groups: set[str], shared: Effects) -> set[str]:
    """These groups, and those of names that may hold their memory: helpers such as `unbroadcast`
    give back what they are given where there is nothing to do."""
    found, size = set(groups), -1
    while len(found) != size:
        size = len(found)
        for stmt in nodes.walk_block(block):
            values = (
                zip(stmt.targets, stmt.values, strict=True)
                if isinstance(stmt, nodes.Assign)
                else ()
            )
            for target, value in values:
                held = any(shared.find(n) in found for n in nodes.names_in(value))
                if held and holds_arrays(value.type) and shares_memory(value):
                    found.add(shared.find(target))
    return found


def _apart(expr: Expr, groups: set[str], shared: Effects) -> Expr:
    """A result, copied where it shares memory with what is about to be put back."""
    match expr:
        case nodes.Sequence(items=items):
            return replace(expr, items=tuple(_apart(i, groups, shared) for i in items))
        case nodes.Mapping(values=values):
            return replace(expr, values=tuple(_apart(v, groups, shared) for v in values))
    held = any(shared.find(name) in groups for name in nodes.names_in(expr))
    if held and holds_arrays(expr.type) and shares_memory(expr):
        return _tree(expr)
    return expr


__all__ = ["bound_names", "copied", "repeatable"]
