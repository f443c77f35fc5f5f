"""Floor 4: values that have been described but not computed, when something they read changes.

`for v in [z, 2 * z]: v[0] = 1.0` computes `2 * z` before the first turn of the loop writes into
`z`; so does `[2 * z, f(z)]` where `f` changes its argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from s2sgrad.frontend.state import Builder, Contents, State
from s2sgrad.frontend.values import Dyn, Mapping, Method, Sequence, Value, parts_of
from s2sgrad.ir import nodes


def compute_waiting(state: State, builder: Builder) -> None:
    """Name all values that names and containers hold as expressions of other variables.

    Functions and iterators that were made with such values keep them as they are.
    """
    for key, value in state.vars.items():
        if not is_computed(value):
            state.vars[key] = _computed(value, builder)
    for identity, contents in state.heap.items():
        if not all(map(is_computed, parts_of(contents))):
            state.heap[identity] = _all_computed(contents, builder)


def is_computed(value: Value) -> bool:
    """Whether a value stays what it is, whatever happens to other variables."""
    if not isinstance(value, Dyn) or isinstance(value.expr, nodes.Var | nodes.Const | nodes.Slice):
        return True
    return not nodes.names_in(value.expr)


def _computed(value: Value, builder: Builder) -> Value:
    if not isinstance(value, Dyn) or is_computed(value):
        return value
    return Dyn(builder.bind("part", value.expr))


def in_turn(makers: Iterable[Callable[[], list[Value]]], builder: Builder) -> list[list[Value]]:
    """What several makers give, one after the other; where one of them changes something in
    place, what those before it gave is computed ahead of it."""
    block = builder.block
    groups: list[list[Value]] = []
    marks: list[int] = []
    for make in makers:
        marks.append(len(block))
        groups.append(make())
        if any(map(_changes, block[marks[-1] :])):
            _compute_before(groups, marks, block, builder)
    return groups


def _compute_before(
    groups: list[list[Value]], marks: list[int], block: list[nodes.Stmt], builder: Builder
) -> None:
    for i, values in enumerate(groups[:-1]):
        for k, value in enumerate(values):
            held = value.owner if isinstance(value, Method) else value
            if not isinstance(held, Dyn) or is_computed(held):
                continue
            var = builder.fresh("part", held.type)
            made = nodes.Assign((var.name,), (held.expr,), span=held.expr.span)
            block.insert(marks[i + 1], made)
            marks[i + 1 :] = [m + 1 for m in marks[i + 1 :]]
            new = Dyn(var)
            values[k] = replace(value, owner=new) if isinstance(value, Method) else new


def _changes(stmt: nodes.Stmt) -> bool:
    """Whether a statement changes an array or list in place."""
    return any(isinstance(s, nodes.Store | nodes.Mutate) for s in nodes.walk_block((stmt,)))


def _all_computed(contents: Contents, builder: Builder) -> Contents:
    if isinstance(contents, Sequence):
        return replace(contents, items=tuple(_computed(v, builder) for v in contents.items))
    if isinstance(contents, Mapping):
        return replace(contents, items=tuple((k, _computed(v, builder)) for k, v in contents.items))
    fields = tuple((name, _computed(v, builder)) for name, v in contents.fields)
    return replace(contents, fields=fields)


__all__ = ["compute_waiting", "in_turn", "is_computed"]
