"""Floor 6: views of arrays that change in place, where Numba would make a copy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from s2sgrad.analysis.effects import Effects, basic_index, root
from s2sgrad.analysis.memory import is_view
from s2sgrad.backend.jit.errors import NotCompiled
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Stmt
from s2sgrad.ir.types import Array, Number, Scalar, Tuple
from s2sgrad.transform.writing.rewrite import map_block


def true_views(block: Block, changes: Effects) -> Block:
    """The block with reshapes that look at strides, where it matters whether they copy."""
    return map_block(block, lambda e: _looking(e, changes))


def _looking(expr: Expr, changes: Effects) -> Expr:
    if not isinstance(expr, Call) or expr.kwargs or expr.text == "flatten":
        return expr
    if expr.function not in (np.reshape, np.ravel, np.ascontiguousarray):
        return expr
    if any(isinstance(a, nodes.Const) and isinstance(a.value, str) for a in expr.args[1:]):
        return expr  # in another order
    base = expr.args[0]
    if not isinstance(base.type, Number) and not _changes(base, changes):
        return expr
    from s2sgrad_runtime.numba_layouts import raveled, reshaped

    if expr.function is np.reshape:
        args = _with_shape(expr.args)
        return replace(expr, function=reshaped, text="reshaped", args=args, form="call")
    flat = replace(expr, function=raveled, text="raveled", args=(base,), form="call")
    if expr.function is np.ravel:
        return flat
    shape = Call("attribute", "shape", (base,), form="attribute")
    return replace(expr, function=reshaped, text="reshaped", args=(flat, shape), form="call")


def _with_shape(args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The lengths of `x.reshape(2, 3)` as one tuple."""
    if len(args) <= 2:
        return args
    lengths = args[1:]
    return (args[0], nodes.Sequence("tuple", lengths, type=Tuple(tuple(a.type for a in lengths))))


def _changes(expr: Expr, changes: Effects) -> bool:
    owner = root(expr)
    return owner is not None and changes.is_written(owner)


def refuse_copies(block: Block, changes: Effects, unknown: Callable[[Expr], bool]) -> None:
    """Refuse views that only Python can take, of what changes in place: a copy would come back."""
    for stmt in nodes.walk_block(block):
        for value in _held(stmt):
            if _changes(value, changes) and (_is_entry(value) or any(map(unknown, _chain(value)))):
                raise NotCompiled(
                    "Numba can't take this view of an array that changes in place", stmt.span,
                    "it has no such operation",
                )  # fmt: skip


def _is_entry(value: Expr) -> bool:
    """`a[0, ...]` of a vector, an array without axes: Numba takes the number out."""
    return isinstance(value, Index) and isinstance(value.type, Array) and value.type.shape == ()


def _held(stmt: Stmt) -> tuple[Expr, ...]:
    """Values whose memory is used after the statement, or written by it."""
    match stmt:
        case nodes.Assign(values=values):
            return values
        case nodes.Unpack(value=value) | nodes.Return(value=value):
            return value.items if isinstance(value, nodes.Sequence) else (value,)
        case nodes.For(sources=sources):
            return sources
        case nodes.Store(base=base):
            return (base,)
    return ()


def _chain(value: Expr) -> Iterator[Call]:
    """The views between a value and the variable whose memory it shares."""
    while not isinstance(value.type, Scalar):
        match value:
            case Index(base=base, index=index) if basic_index(index):
                value = base
            case Call(args=args) if is_view(value):
                yield value
                value = args[0]
            case _:
                return


__all__ = ["refuse_copies", "true_views"]
