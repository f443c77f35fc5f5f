"""Floor 6: `np.roll` by one place, as two parts that are written.

    before = np.roll(u, 1, axis=0)      before = np.empty(u.shape)
                                        before[1:] = u[:-1]
                                        before[:1] = u[-1:]

That holds for every length, 0 and 1 too; by more places it would not.
"""

from __future__ import annotations

import numpy as np

from s2sgrad.analysis.indexing import infer_index
from s2sgrad.backend.loops.extents import integer, length
from s2sgrad.backend.loops.leaves import constant
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Call, Expr, Index, Slice, Stmt, Var
from s2sgrad.ir.types import Array, Type
from s2sgrad.transform.writing.rewrite import map_stmt_exprs
from s2sgrad_runtime import negated

_FULL = Slice(None, None, None)


def is_turn(expr: Expr) -> bool:
    """Whether an expression turns a float64 array by one place along a known axis."""
    return _turn(expr) is not None


def without_turns(stmt: Stmt, names: Names, types: dict[str, Type]) -> list[Stmt]:
    """The statement with arrays in place of the turns in it, which are written before."""
    if not isinstance(stmt, nodes.Assign | nodes.Store):
        return [stmt]
    before: list[Stmt] = []

    def written(expr: Expr) -> Expr:
        return _written(expr, before, names, types) if is_turn(expr) else expr  # type: ignore[arg-type]

    stmt = map_stmt_exprs(stmt, written)
    return [*before, stmt]


def _written(call: Call, before: list[Stmt], names: Names, types: dict[str, Type]) -> Var:
    """The array that holds what a turn gives."""
    found = _turn(call)
    assert found is not None
    shift, axis = found
    base = call.args[0]
    if not isinstance(base, Var):
        part = names.fresh("part")
        types[part] = base.type
        before.append(nodes.Assign((part,), (base,), span=call.span))
        base = Var(part, type=base.type)
    kind = call.type
    assert isinstance(kind, Array) and kind.shape is not None
    name = names.fresh("turned")
    types[name] = kind
    lengths = tuple(length(base, k) for k in range(len(kind.shape)))
    shape = nodes.Sequence("tuple", lengths) if len(lengths) > 1 else lengths[0]
    made = Call(np.empty, "np.empty", (shape,), type=kind)
    first, rest = integer(1), integer(-1)
    to = [Slice(first, None, None), Slice(None, first, None)]
    from_ = [Slice(None, rest, None), Slice(rest, None, None)]
    if shift < 0:
        to, from_ = from_, to
    array = Var(name, type=kind)
    ahead = (_FULL,) * axis
    before.append(nodes.Assign((name,), (made,), span=call.span))
    for there, here in zip(to, from_, strict=True):
        value = _taken(base, (*ahead, here))
        before.append(nodes.Store(array, (*ahead, there), value, span=call.span))
    return array


def _taken(base: Expr, index: tuple[Expr, ...]) -> Index:
    return Index(base, index, type=infer_index(base.type, index))


def _turn(expr: Expr) -> tuple[int, int] | None:
    """By how much, and along which axis."""
    if not isinstance(expr, Call) or expr.function is not np.roll or len(expr.args) > 3:
        return None
    options = dict(expr.kwargs)
    base, *given = expr.args
    if not given or set(options) - {"axis"} or not isinstance(base.type, Array):
        return None
    kind = base.type
    if kind.dtype != "float64" or not kind.shape or expr.type != kind:
        return None
    along = given[1] if len(given) > 1 else options.get("axis")
    named = along is not None and along != nodes.Const(None)
    axis = constant(along if named else None, 0)
    shift = _shift(given[0])
    if axis is None or not -len(kind.shape) <= axis < len(kind.shape) or shift not in (1, -1):
        return None
    return (shift, axis % len(kind.shape)) if named or len(kind.shape) == 1 else None


def _shift(expr: Expr) -> int | None:
    if isinstance(expr, Call) and expr.function in (negated, "negated"):
        inner = _shift(expr.args[0])
        return None if inner is None else -inner
    return constant(expr, 0)


__all__ = ["is_turn", "without_turns"]
