"""Floor 4: values that have been described but not computed, when something they read changes.

`for v in [z, 2 * z]: v[0] = 1.0` computes `2 * z` before the first turn of the loop writes into
`z`; so does `[2 * z, f(z)]` where `f` changes its argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from s2sgrad.frontend.state import WAITING, Builder, Contents, State
from s2sgrad.frontend.values import (
    Dyn,
    Heap,
    Mapping,
    Sequence,
    Value,
    bound_to,
    parts_of,
    with_bound,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Dict, List

Bind = Callable[[nodes.Expr], nodes.Expr]
Maker = Callable[[], list[Value]]


def compute_waiting(state: State, builder: Builder) -> None:
    """Name all values that names and containers hold as expressions of other variables."""

    def bind(expr: nodes.Expr) -> nodes.Expr:
        return builder.bind("part", expr)

    for key, value in state.vars.items():
        if not is_computed(value):
            state.vars[key] = _computed(value, bind)
    for identity, contents in state.heap.items():
        if not all(map(is_computed, parts_of(contents))):
            state.heap[identity] = _all_computed(contents, bind)


def holds_waiting(state: State) -> bool:
    """Whether a name or container holds what waits for other variables."""
    held = [*state.vars.values(), *(v for c in state.heap.values() for v in parts_of(c))]
    return not all(map(is_computed, held))


def is_computed(value: Value) -> bool:
    """Whether a value stays what it is, whatever happens to other variables."""
    if isinstance(value, Dyn):
        return _is_settled(value.expr)
    return all(map(is_computed, bound_to(value)))


def _is_settled(expr: nodes.Expr) -> bool:
    if isinstance(expr, nodes.Slice):
        return all(map(_is_settled, nodes.children(expr)))
    return isinstance(expr, nodes.Var | nodes.Const) or not nodes.names_in(expr)


def _computed(value: Value, bind: Bind) -> Value:
    """A value with everything that it waits for bound to names; of a slice the bounds."""
    if is_computed(value):
        return value
    if not isinstance(value, Dyn):
        return with_bound(value, lambda part: _computed(part, bind))
    if isinstance(value.expr, nodes.Slice):
        bounds = (value.expr.lower, value.expr.upper, value.expr.step)
        lower, upper, step = (e if e is None or _is_settled(e) else bind(e) for e in bounds)
        return Dyn(replace(value.expr, lower=lower, upper=upper, step=step))
    return Dyn(bind(value.expr))


def _all_computed(contents: Contents, bind: Bind) -> Contents:
    if isinstance(contents, Sequence):
        return replace(contents, items=tuple(_computed(v, bind) for v in contents.items))
    if isinstance(contents, Mapping):
        return replace(contents, items=tuple((k, _computed(v, bind)) for k, v in contents.items))
    fields = tuple((k, _computed(v, bind)) for k, v in contents.fields)
    return replace(contents, fields=fields)


def in_turn(makers: Iterable[Maker], low: Any) -> list[list[Value]]:
    """What several makers give, one after the other; where one of them changes something in
    place, what those before it gave is computed ahead of it.

    low: the lowering."""
    builder: Builder = low.builder
    block = builder.block
    groups: list[list[Value]] = []
    marks: list[int] = []
    for make in makers:
        marks.append(len(block))
        groups.append(_made_beside(groups, make, low))
        if any(map(changes, block[marks[-1] :])):
            _compute_before(groups, marks, block, builder)
    return groups


def _made_beside(groups: list[list[Value]], make: Maker, low: Any) -> list[Value]:
    """What a maker gives. Generated code may build containers from there on, or put into them what
    it had not; also ones that are among what there is already, as `items` in
    `items.append(f(items))`."""
    held = dict.fromkeys(h for group in groups for value in group for h in _containers(value))
    if not held:
        return make()
    keys = {h: (WAITING, f"({next(low.builder.ids)})") for h in held}
    low.state.vars |= {key: h for h, key in keys.items()}
    made = make()
    now = {h: low.state.vars.pop(key, h) for h, key in keys.items()}
    if any(now[h] is not h for h in held):
        groups[:] = [[_renamed(value, now) for value in group] for group in groups]
    return made


def _containers(value: Value) -> list[Value]:
    return [v for v in (value, *bound_to(value)) if _is_container(v)]


def _is_container(value: Value) -> bool:
    if isinstance(value, Dyn):
        return isinstance(value.expr, nodes.Var) and isinstance(value.type, List | Dict)
    return isinstance(value, Heap)


def _renamed(value: Value, now: dict[Value, Value]) -> Value:
    if _is_container(value):
        return now.get(value, value)
    return with_bound(value, lambda v: now.get(v, v) if _is_container(v) else v)


def _compute_before(
    groups: list[list[Value]], marks: list[int], block: list[nodes.Stmt], builder: Builder
) -> None:
    """Compute all groups but the last, each where the one after it begins."""
    for i, values in enumerate(groups[:-1]):
        made: list[nodes.Stmt] = []

        def bind(expr: nodes.Expr, made: list[nodes.Stmt] = made) -> nodes.Expr:
            var = builder.fresh("part", expr.type)
            made.append(nodes.Assign((var.name,), (expr,), span=expr.span))
            builder.note(made[-1])
            return var

        values[:] = [_computed(value, bind) for value in values]
        block[marks[i + 1] : marks[i + 1]] = made
        marks[i + 1 :] = [m + len(made) for m in marks[i + 1 :]]


def changes(stmt: nodes.Stmt) -> bool:
    """Whether a statement changes an array or list in place."""
    return any(isinstance(s, nodes.Store | nodes.Mutate) for s in nodes.walk_block((stmt,)))


__all__ = ["changes", "compute_waiting", "holds_waiting", "in_turn", "is_computed"]
