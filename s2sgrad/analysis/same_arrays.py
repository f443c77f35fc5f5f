"""Floor 4: which new arrays variables may hold, or be views of, behind a block.

y_bar = np.cos(s)           an array
x_bar = y_bar               the same
y_bar = y_bar * 2.0         another, and x_bar still has the first
"""

from __future__ import annotations

from collections.abc import Iterable

from s2sgrad.analysis.effects import shares
from s2sgrad.analysis.new_arrays import memory_of, shares_memory
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt

Made = dict[
    str, frozenset[int | str]
]  # name -> what may have made its arrays: expressions, by id; or itself


def arrays_behind(block: Block, before: Made | None = None) -> Made:
    """Name -> what stands for the arrays that it may hold behind the block, in any of its items.

    before: the same before the block.
    """
    made = dict(before or {})
    for stmt in block:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                made = _either(arrays_behind(then, made), arrays_behind(orelse, made))
            case nodes.For(body=body) | nodes.While(body=body):
                made = _in_rounds(stmt, body, made)
            case nodes.Assign(targets=targets, values=values):
                found = [_held(value, made) for value in values]
                made |= dict(zip(targets, found, strict=True))
            case _:
                _bind(stmt, made)
    return made


def _in_rounds(stmt: Stmt, body: Block, made: Made) -> Made:
    """The same behind a loop, after any number of rounds."""
    while True:
        inside = dict(made)
        _bind(stmt, inside)
        after = _either(made, arrays_behind(body, inside))
        if after == made:
            return after
        made = after


def _bind(stmt: Stmt, made: Made) -> None:
    """Note what a statement binds, or puts into a list, which may still have what it had."""
    bound = nodes.targets_of(stmt)
    for target, sources in shares(stmt):
        found = _of(sources, made)
        if target in bound:
            made[target] = found if found else frozenset({id(stmt)})
        else:
            made[target] = _of((target,), made) | found


def _held(value: Expr, made: Made) -> frozenset[int | str]:
    if not shares_memory(value):
        return frozenset({id(value)})
    if isinstance(value, nodes.Sequence | nodes.Mapping):
        items = value.items if isinstance(value, nodes.Sequence) else value.values
        return frozenset().union(*(_held(item, made) for item in items))
    return _of(memory_of(value), made)


def _of(names: Iterable[str], made: Made) -> frozenset[int | str]:
    return frozenset().union(*(made.get(name, frozenset({name})) for name in names))


def _either(one: Made, other: Made) -> Made:
    return {name: _of((name,), one) | _of((name,), other) for name in one | other}


__all__ = ["arrays_behind"]
