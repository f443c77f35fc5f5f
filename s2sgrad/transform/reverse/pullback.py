"""Floor 5: from a lowered function to a pair: a forward function that returns the value and what
it saved, and a backward function from the value's cotangent to those of the arguments.

Both come from the statement lists of a gradient. They are tidied up as one function whose halves
are set apart by a mark, then cut there; what the reverse half reads of the forward one is saved.
The backward function may run again: it works on copies of what it changes.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.effects import Effects, effects, holds_arrays, root, shares
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.frontend.values import Value
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
    Tuple,
    Type,
    carries,
)
from s2sgrad.transform.preparing.primal import Primal, leaf_names, prepare, wanted_leaves
from s2sgrad.transform.reverse.bars import shares_memory
from s2sgrad.transform.reverse.gradient import finished, gradient_of, tuple_of
from s2sgrad.transform.reverse.sweeps import Sweeps, sweeps

_MARK = "reverse sweep"
_NOTHING = nodes.Const(None, type=NONE)


@dataclass(frozen=True)
class Pair:
    """forward(*arguments) -> (value, saved); backward(value_bar, *saved) -> cotangents.

    saved: the names of what is saved, in order.
    """

    forward: Function
    backward: Function
    saved: tuple[str, ...]


def pullback(
    lowered: Any,
    wrt: tuple[str, ...],
    arguments: dict[str, Value],
    heap: dict[int, Any],
    aux: bool = False,
    loops: bool = False,
) -> Pair:
    """The pair for the cotangents of the arguments `wrt`: one each, None without floats.

    aux: the function returns (value, aux), and aux has no cotangent. loops: it will be compiled.
    """
    made, given, grads, extra = cotangents_of(lowered, wrt, arguments, heap, aux, loops)
    primal = made.primal
    mark = nodes.Do(_kept_apart(made, extra), _MARK)
    body = (*made.forward, mark, *made.reverse, *extra, nodes.Return(tuple_of(grads)))
    name = primal.function.name
    parameters = (*primal.function.parameters, *lowered.captures, given)
    return _cut(finished(made, body, name, parameters), given)


def cotangents_of(
    lowered: Any,
    wrt: tuple[str, ...],
    arguments: dict[str, Value],
    heap: dict[int, Any],
    aux: bool = False,
    loops: bool = False,
    taped: bool = True,
) -> tuple[Sweeps, str, list[Expr], list[Stmt]]:
    """Both sweeps, the name of the value's cotangent, those of the arguments, and what has to
    run before these are read. taped: see tapeless.py."""
    primal = prepare(lowered, lowered.result, nested=True, loops=loops)
    wanted = wanted_leaves(primal, [arguments[a] for a in wrt], heap)
    given, seeds = _seeds(primal, aux)
    made = sweeps(primal, wanted, seeds, taped)
    extra: list[Stmt] = []
    grads: list[Expr] = []
    for name in wrt:
        holds = any(carries(primal.function.types[n]) for n in leaf_names(arguments[name], heap))
        grads.append(gradient_of(arguments[name], heap, made, extra) if holds else _NOTHING)
    return made, given, grads, extra


def _seeds(primal: Primal, aux: bool) -> tuple[str, dict[str, Expr | None]]:
    """The parameter for the value's cotangent, and where in it each result finds its own."""
    output = primal.output
    if aux and isinstance(output, nodes.Sequence):
        output = output.items[0]
    if isinstance(output, Var):
        given = primal.names.fresh(f"{primal.bases.get(output.name, output.name)}_bar")
        return given, {output.name: Var(given, type=output.type)}
    given = primal.names.fresh("value_bar")
    found: dict[str, Expr | None] = {}
    _places(output, Var(given), found)
    return given, found


def _places(expr: Expr, place: Expr, found: dict[str, Expr | None]) -> None:
    match expr:
        case Var(name=name) if carries(expr.type):
            here = replace(place, type=expr.type)
            before = found.get(name)
            found[name] = here if before is None else _plus(before, here)
        case nodes.Sequence(items=items):
            for i, item in enumerate(items):
                _places(item, nodes.Index(place, (nodes.Const(i),)), found)
        case nodes.Mapping(keys=keys, values=values):
            for key, item in zip(keys, values, strict=True):
                _places(item, nodes.Index(place, (key,)), found)


def _plus(left: Expr, right: Expr) -> Expr:
    if isinstance(left.type, List | Tuple | Dict):
        return Call(s2sgrad_runtime.accumulate, "accumulate", (left, right), type=left.type)
    return Call(np.add, "+", (left, right), form="operator", type=left.type)


def _kept_apart(made: Sweeps, extra: list[Stmt]) -> Expr:
    """The value; what the reverse sweep reads of it is copied, since the caller may change it."""
    reverse = (*made.reverse, *extra)
    shared = effects((*made.forward, *reverse))
    read = Liveness().block(reverse, frozenset())[1]
    groups = {shared.find(n) for n in read}

    def go(expr: Expr) -> Expr:
        match expr:
            case Var(name=name) if holds_arrays(expr.type) and shared.find(name) in groups:
                return _copied(expr)
            case nodes.Sequence(items=items):
                return replace(expr, items=tuple(map(go, items)))
            case nodes.Mapping(values=values):
                return replace(expr, values=tuple(map(go, values)))
        return expr

    return go(made.primal.output)


def _copied(var: Var, deep: bool = True) -> Expr:
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
    return nodes.Choice(test, _NOTHING, _copied(var, deep=False), type=var.type)


# --- cutting -------------------------------------------------------------------------------------
def _cut(whole: Function, given: str) -> Pair:
    """The finished function as two."""
    at = next(i for i, s in enumerate(whole.body) if isinstance(s, nodes.Do) and s.keyword == _MARK)
    mark = whole.body[at]
    assert isinstance(mark, nodes.Do)
    first, second = whole.body[:at], whole.body[at + 1 :]
    read = Liveness().block(second, frozenset())[1] - {given}
    order = [*whole.inputs, *whole.parameters, *_bound(first)]
    saved = tuple(dict.fromkeys(n for n in order if n in read))
    kept = [Var(n, type=whole.types.get(n, Known(None))) for n in saved]
    result = tuple_of([mark.value, tuple_of(list(kept))])
    forward = replace(
        whole,
        name=f"{whole.name}_forward",
        parameters=tuple(p for p in whole.parameters if p != given),
        body=(*_unbound(first, saved, whole), *first, nodes.Return(result)),
    )
    backward = replace(
        whole,
        name=f"{whole.name}_backward",
        parameters=(given, *saved),
        body=_repeatable(second, saved, whole, _maybe(first, saved, whole)),
        inputs={},
        docstring="",
    )
    return Pair(forward, backward, saved)


def _unbound(block: Block, saved: tuple[str, ...], whole: Function) -> Block:
    """What is saved but bound on some paths only is None on the others."""
    return tuple(nodes.Assign((n,), (_NOTHING,)) for n in _maybe(block, saved, whole))


def _maybe(block: Block, saved: tuple[str, ...], whole: Function) -> list[str]:
    """The names that hold None where no statement of the block itself binds them."""
    bound = (
        t for s in block if not nodes.blocks(s) and not _is_nothing(s) for t in nodes.targets_of(s)
    )
    sure = {*whole.inputs, *whole.parameters, *bound}
    return [n for n in saved if n not in sure]


def _is_nothing(stmt: Stmt) -> bool:
    """`x = None`: what the code binds to something on some paths only."""
    values = stmt.values if isinstance(stmt, nodes.Assign) else ()
    return bool(values) and all(isinstance(v, nodes.Const) and v.value is None for v in values)


def _bound(block: Block) -> list[str]:
    return [t for s in nodes.walk_block(block) for t in nodes.targets_of(s)]


def _repeatable(block: Block, saved: tuple[str, ...], whole: Function, maybe: list[str]) -> Block:
    """The reverse code, changed so that what is saved is the same after it.

    maybe: names that hold None on some paths.
    """
    shared = effects(whole.body)
    written = {shared.find(n) for n in _written(block)}
    emptied = _emptied(block)
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
            deep = not _only_emptied(var, block, shared)
            value = _copied_or_none(var, deep) if name in maybe else _copied(var, deep)
            before.append(nodes.Assign((name,), (value,)))
    together: list[Var] = []
    for held in groups.values():
        if len(held) == 1 and not _items_shared(held[0], whole.body, shared):
            deep = not _only_emptied(held[0], block, shared)
            value = _copied(held[0], deep)
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


def _only_emptied(var: Var, block: Block, shared: Effects) -> bool:
    """Whether a saved list is popped from, and its items stay as they are."""
    kind: Type = var.type
    if not isinstance(kind, List):
        return False
    if isinstance(kind.item, Scalar):
        return True
    inside = list(nodes.walk_block(block))
    stored = {root(s.base) for s in inside if isinstance(s, nodes.Mutate)} - {var.name}
    stored |= {root(s.base) for s in inside if isinstance(s, nodes.Store)}
    popped = {t for s in inside for t in _popped_into(s, var.name)}
    return not any(n in popped or shared.find(n or "") == shared.find(var.name) for n in stored)


def _popped_into(stmt: Stmt, name: str) -> tuple[str, ...]:
    if isinstance(stmt, nodes.Mutate) and root(stmt.base) == name and stmt.target:
        return (stmt.target,)
    if isinstance(stmt, nodes.Assign | nodes.Unpack):
        parts = [p for e in nodes.expressions(stmt) for p in nodes.walk(e)]
        if any(
            isinstance(p, Call) and p.function == "pop" and root(p.args[0]) == name for p in parts
        ):
            return stmt.targets
    return ()


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
    bound = set(_bound(block))
    for var in held:
        kept = _new(f"{var.name}_kept", var.type, whole)
        before.append(nodes.Assign((kept.name,), (_copied(var),)))
        if isinstance(var.type, Array) and var.name not in bound:
            after.append(nodes.Store(var, (), kept))
            continue
        whole_one = _new(f"{var.name}_whole", var.type, whole)
        if not isinstance(var.type, List | Dict):  # a copy would be no view any more
            before.append(nodes.Assign((whole_one.name,), (var,)))
        else:
            before.append(nodes.Assign((whole_one.name, var.name), (var, _copied(var, deep=False))))
        after.append(
            nodes.Do(Call(s2sgrad_runtime.restore, "restore", (whole_one, kept), type=NONE))
        )
    last = block[-1]
    assert isinstance(last, nodes.Return)
    held_back = _new("cotangents", last.value.type, whole)
    result = nodes.Assign((held_back.name,), (_apart(last.value, groups, shared),))
    back = nodes.Return(held_back)
    return (*before, *block[:-1], result, *reversed(after), back)


def _flat(kind: List) -> bool:
    return isinstance(kind.item, Array | Scalar)


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


__all__ = ["Pair", "cotangents_of", "pullback"]
