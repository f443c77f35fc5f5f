"""Floor 6: loops that do no more than fill a new array with zeros, as one call.

Numba takes about 20 ms to compile a loop, whatever it does.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.backend.loops.contraction import allocated
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import every, read_by
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Sequence, Stmt, Var
from s2sgrad.ir.types import Array


def with_zeros(block: Block) -> Block:
    """The block with such arrays made by `np.zeros`."""
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Nest():
                place = _made_at(stmt, result)
                if place is not None:
                    result[place] = _cleared(result[place])
                    continue
                stmt = replace(stmt, body=with_zeros(stmt.body))
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=with_zeros(then), orelse=with_zeros(orelse))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=with_zeros(body))
        result.append(stmt)
    return tuple(result)


def _made_at(nest: Nest, before: list[Stmt]) -> int | None:
    """Where the array was made that a nest fills with zeros, if nothing has used it since."""
    if len(nest.body) != 1 or not isinstance(nest.body[0], nodes.Store):
        return None
    store = nest.body[0]
    if store.op or not isinstance(store.base, Var) or not _is_zero(store.value):
        return None
    name = store.base.name
    for place in range(len(before) - 1, -1, -1):
        stmt = before[place]
        if allocated(stmt) == name:
            return place if _is_whole(nest, store, stmt) else None
        if any(name in nodes.names_in(e) for s in every((stmt,)) for e in read_by(s)):
            return None
    return None


def _is_zero(value: Expr) -> bool:
    return isinstance(value, Const) and type(value.value) in (int, float) and value.value == 0


def _is_whole(nest: Nest, store: nodes.Store, made: Stmt) -> bool:
    """Whether the loops run over all of the array."""
    value = made.values[0]  # type: ignore[attr-defined]
    kind = value.type
    if not isinstance(kind, Array) or kind.dtype not in ("float64", "int64"):
        return False
    shape = value.args[0]
    lengths = shape.items if isinstance(shape, Sequence) else (shape,)
    counts = dict(zip(nest.indices, nest.extents, strict=True))
    if len(lengths) != len(store.index):
        return False
    used: list[str] = []
    for part, length in zip(store.index, lengths, strict=True):
        match part:
            case Var(name=name) if name in counts:
                if counts[name].count != length:
                    return False
                used.append(name)
            case Const(value=0):
                if not (isinstance(length, Const) and length.value == 1):
                    return False
            case _:
                return False
    return sorted(used) == sorted(nest.indices)


def _cleared(made: Stmt) -> Stmt:
    assert isinstance(made, nodes.Assign)
    value = made.values[0]
    assert isinstance(value, Call)
    return replace(made, values=(replace(value, function=np.zeros, text="np.zeros"),))
