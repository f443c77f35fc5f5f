"""Floor 3: which arrays lie in memory in C order, as far as the code itself shows it.

NumPy decides at run time whether `reshape`, `ravel` and their kin give a view or a copy: a view of
an array in C order. Arrays that the caller gives are taken to be in C order; who relies on it
checks the call's arguments.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import numpy as np

from s2sgrad.analysis.effects import basic_index
from s2sgrad.analysis.memory import is_view
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Slice, Var
from s2sgrad.ir.types import Array, Scalar, shape_of

CREATING = frozenset(
    {
        np.zeros, np.ones, np.empty, np.full, np.arange, np.linspace, np.eye, np.identity, np.diag,
        np.ravel, np.ascontiguousarray, np.matmul, np.dot, np.outer,
    }
)  # fmt: skip
KEEPING = frozenset(
    {
        np.reshape, np.squeeze, np.expand_dims, np.atleast_1d, np.atleast_2d, np.atleast_3d,
        np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.array, np.asarray,
        np.asanyarray, np.copy, np.astype, np.concatenate, np.vstack, np.hstack, np.stack,
    }
)  # fmt: skip
TURNING = frozenset(
    {np.transpose, np.swapaxes, np.moveaxis, np.rollaxis, np.matrix_transpose, np.rot90}
)


def doubtful_names(block: Block) -> frozenset[str]:
    """The variables that may hold an array which is not in C order."""
    definitions = [pair for stmt in nodes.walk_block(block) for pair in _definitions(stmt)]
    doubtful: set[str] = set()
    grown = True
    while grown:
        grown = False
        for name, value in definitions:
            if name not in doubtful and not (value is not None and in_c_order(value, doubtful)):
                doubtful.add(name)
                grown = True
    return frozenset(doubtful)


def _definitions(stmt: nodes.Stmt) -> list[tuple[str, Expr | None]]:
    match stmt:
        case nodes.Assign(targets=targets, values=values):
            return list(zip(targets, values, strict=True))
        case nodes.For(targets=targets, sources=sources):
            return list(zip(targets, sources, strict=True))  # rows of it lie as it lies
    return [(target, None) for target in nodes.targets_of(stmt)]


def in_c_order(expr: Expr, doubtful: AbstractSet[str]) -> bool:
    """Whether an array lies in C order, given the variables that may not."""
    if isinstance(expr.type, Scalar):
        return True
    match expr:
        case Var(name=name):
            return name not in doubtful
        case Index(base=base, index=index):
            if not basic_index(index):
                return _flat(expr)
            return in_c_order(base, doubtful) and _whole_rows(base, index)
        case nodes.Sequence(items=items):
            return all(in_c_order(i, doubtful) for i in items)
        case nodes.Choice(then=then, orelse=orelse):
            return in_c_order(then, doubtful) and in_c_order(orelse, doubtful)
        case Call():
            return _call_in_c_order(expr, doubtful)
        case nodes.Const():
            return True
    return False


def _call_in_c_order(call: Call, doubtful: AbstractSet[str]) -> bool:
    if call.form == "method" and call.text in ("copy", "flatten"):
        return True
    function = call.function if call.function.__hash__ else None
    if function in CREATING:
        return True
    if is_view(call) and function not in KEEPING:
        return function in TURNING and _flat(call) and in_c_order(call.args[0], doubtful)
    if not is_view(call) and _flat(call):
        return True  # new, with one axis
    if call.form == "operator" or function in KEEPING or isinstance(function, np.ufunc):
        return all(in_c_order(a, doubtful) for a in call.args)
    return False


def _flat(expr: Expr) -> bool:
    shape = shape_of(expr.type)
    return shape is not None and len(shape) <= 1


def _whole_rows(base: Expr, index: tuple[Expr, ...]) -> bool:
    """Numbers, then at most one range of step one, then whole axes."""
    rank = shape_of(base.type)
    if rank is None or not isinstance(base.type, Array):
        return False
    parts = list(index)
    while parts and isinstance(parts[0].type, Scalar) and not isinstance(parts[0], Slice):
        parts.pop(0)
    if parts and isinstance(parts[0], Slice) and parts[0].step is None:
        parts.pop(0)
    return all(isinstance(p, Slice) and p == Slice(None, None, None) for p in parts)


def surely_scattered(expr: Expr) -> bool:
    """Whether the entries of a view of an array in C order are surely not in C order.

    So it is for a transposed matrix, and for inner columns: where no axis has one entry or none.
    """
    shape = shape_of(expr.type)
    if shape is None or len(shape) < 2:
        return False
    lengths = [size.constant if size is not None else None for size in shape]
    if not all(n is not None and n > 1 for n in lengths):
        return False
    match expr:
        case Call(function=function) if function in (np.transpose, np.matrix_transpose):
            return isinstance(expr.args[0], Var) and len(expr.args) == 1 and not expr.kwargs
        case Index(base=Var(type=kind), index=index):
            inside = shape_of(kind)
            last = len(index) == len(inside or ()) and isinstance(index[-1], Slice)
            return last and inside is not None and inside[-1] != shape[-1]
    return False
