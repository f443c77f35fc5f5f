"""Floor 4: values that have been described but not computed, when something they read changes.

`for v in [z, 2 * z]: v[0] = 1.0` computes `2 * z` before the first turn of the loop writes into
`z`; so does `[2 * z, f(z)]` where `f` changes its argument.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from s2sgrad.frontend.state import Builder, Contents, State
from s2sgrad.frontend.values import (
    Bound,
    Chosen,
    Dyn,
    Func,
    Instance,
    Iterator,
    Mapping,
    Method,
    Partial,
    Sequence,
    Value,
)
from s2sgrad.ir import nodes

Change = Callable[[Value], Value]


def compute_waiting(state: State, builder: Builder) -> None:
    """Name all values that names and containers hold as expressions of other variables."""
    compute = _computing(builder)
    for key, value in state.vars.items():
        if (new := _changed(value, compute)) is not value:
            state.vars[key] = new
    for identity, contents in state.heap.items():
        if (made := _contents(contents, compute)) is not contents:
            state.heap[identity] = made


def is_computed(value: Value) -> bool:
    """Whether a value stays what it is, whatever happens to other variables."""
    if not isinstance(value, Dyn) or isinstance(value.expr, nodes.Var | nodes.Const | nodes.Slice):
        return True
    return not nodes.names_in(value.expr)


def _computing(builder: Builder) -> Change:
    def compute(value: Value) -> Value:
        assert isinstance(value, Dyn)
        return value if is_computed(value) else Dyn(builder.bind("part", value.expr))

    return compute


def _changed(value: Value, change: Change) -> Value:
    """A value with what it was made with changed; the same where nothing is."""

    def each(values: tuple[Value, ...]) -> tuple[Value, ...]:
        new = tuple(_changed(v, change) for v in values)
        return values if all(a is b for a, b in zip(new, values, strict=True)) else new

    match value:
        case Dyn():
            return change(value)
        case Func(defaults=defaults) if (new := each(defaults)) is not defaults:
            return replace(value, defaults=new)
        case Bound(owner=owner) | Method(owner=owner) if (one := _changed(owner, change)) != owner:
            return replace(value, owner=one)
        case Partial(args=args) if (new := each(args)) is not args:
            return replace(value, args=new)
        case Chosen(options=options) if (new := each(options)) is not options:
            return replace(value, options=new)
        case Iterator(parts=parts) if (new := each(parts)) is not parts:
            return replace(value, parts=new)
    return value


def _contents(contents: Contents, change: Change) -> Contents:
    if isinstance(contents, Sequence):
        items = tuple(_changed(v, change) for v in contents.items)
        same = all(a is b for a, b in zip(items, contents.items, strict=True))
        return contents if same else replace(contents, items=items)
    rows = contents.fields if isinstance(contents, Instance) else contents.items
    table = tuple((key, _changed(v, change)) for key, v in rows)
    if all(a[1] is b[1] for a, b in zip(table, rows, strict=True)):
        return contents
    if isinstance(contents, Mapping):
        return replace(contents, items=table)
    return replace(contents, fields=table)
