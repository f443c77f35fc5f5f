"""Floor 3: which arrays lie in memory in C order, as far as the code itself shows it.

NumPy decides at run time whether `reshape`, `ravel` and their kin give a view or a copy: a view of
an array in C order. What the caller gives lies as it does in the call that code is made for, if
that is known (ir/assumptions.py); the code is then used for calls alike (calls/suiting.py).
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import numpy as np

from s2sgrad.analysis.effects import basic_index, root
from s2sgrad.analysis.indexing import constant_of
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.analysis.memory import CONVERTING, hashable, is_view, required
from s2sgrad.ir import nodes
from s2sgrad.ir.assumptions import arrays_in_order, never_negative
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Slice, Var
from s2sgrad.ir.sizes import of
from s2sgrad.ir.types import Array, Dict, List, Scalar, shape_of
from s2sgrad_runtime import copy_as_it_lies

CREATING: frozenset[object] = frozenset(
    {
        np.zeros, np.ones, np.empty, np.full, np.arange, np.eye, np.identity, np.diag,
        np.ravel, np.ascontiguousarray, np.dot, np.outer,
    }
)  # fmt: skip
KEEPING = frozenset(
    {
        np.reshape, np.squeeze, np.expand_dims, np.atleast_1d, np.atleast_2d, np.atleast_3d,
        np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.array, np.asarray,
        np.asanyarray, np.copy, np.astype, np.concatenate, np.vstack, np.hstack, np.stack,
        np.matmul,
    }
)  # fmt: skip
SPREADING = frozenset({np.linspace, np.logspace, np.geomspace})
TURNING = frozenset(
    {np.transpose, np.swapaxes, np.moveaxis, np.rollaxis, np.matrix_transpose, np.rot90}
)
ORDERS = ("C", "F", "A", "K")


def doubtful_names(block: Block, given_in_order: bool | None = None) -> frozenset[str]:
    """The variables that may hold an array which is not in C order.

    given_in_order: whether those do that the block is given; None: as the present call has them.
    """
    definitions = [pair for stmt in nodes.walk_block(block) for pair in _definitions(stmt)]
    doubtful: set[str] = set()
    if not (arrays_in_order() if given_in_order is None else given_in_order):
        doubtful.update(Liveness().block(block, frozenset())[1])
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
        case nodes.Mutate(base=base, args=args):
            held = [(root(base) or "", a) for a in args if not isinstance(a.type, Scalar)]
            return [*held, *((target, None) for target in nodes.targets_of(stmt))]
        case nodes.Store(base=base, value=value) if isinstance(base.type, List | Dict):
            return [(root(base) or "", value)]
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
    function = call.function if hashable(call.function) else None
    if function is copy_as_it_lies:
        return in_c_order(call.args[0], doubtful)
    if asked := order_asked(call):
        keeps = constant_of(asked[0]) in ("A", "K")
        keeps = keeps and all(in_c_order(a, doubtful) for a in call.args)
        return keeps or (_flat(call) and (function is np.ravel or not is_view(call)))
    if call.form == "method" and call.text in ("copy", "flatten"):
        return True
    if function in CREATING or (function is np.matmul and _is_matrix(call)):
        return True  # of products in a stack, the stack lies as it lay
    if function in SPREADING:
        return _along_first(call) and all(in_c_order(a, doubtful) for a in call.args)
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


def _along_first(call: Call) -> bool:
    """Whether the numbers between two ends stand along the first axis, not moved to another."""
    place = 6 if call.function is np.linspace else 7 if call.function is np.logspace else 5
    moved = call.args[place] if len(call.args) > place else dict(call.kwargs).get("axis")
    return moved is None or constant_of(moved) == 0


def _is_matrix(expr: Expr) -> bool:
    shape = shape_of(expr.type)
    return shape is not None and len(shape) < 3


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


def order_asked(call: Call) -> tuple[Expr, ...]:
    """The argument for the order in which entries are taken, or shall lie; none for C order."""
    if call.function is np.asfortranarray:
        return (Const("F"),)
    if call.function is np.require:
        given, wanted = required(call)
        if wanted is None:
            return () if given is None else (given,)
        return (Const("F"),) if "F" in wanted else ()
    named = dict(call.kwargs).get("order")
    if named is None:
        named = next((a for a in call.args if constant_of(a) in ORDERS), None)
    return () if named is None or constant_of(named) == "C" else (named,)


def surely_view(call: Call, doubtful: AbstractSet[str]) -> bool:
    """Whether an operation that may copy surely gives a view, as the code itself shows."""
    plain = not order_asked(call) or _flat(call.args[0])
    if call.function is np.require and "O" in (required(call)[1] or "O"):
        return False  # memory of its own is asked for, which a view has not
    converts = call.function in CONVERTING and not _known_dtypes(call)
    return plain and not converts and in_c_order(call.args[0], doubtful)


def surely_copy(call: Call, doubtful: AbstractSet[str]) -> bool:
    """Whether an operation that may give a view surely copies."""
    if call.function is np.reshape and not _flat(call):
        return False  # of the same shape, or of one axis more, it is a view of whatever lies how
    asked, inner = order_asked(call), call.args[0]
    if not asked:
        return _scattered(inner, doubtful, merges=call.function is np.reshape)
    fortran = constant_of(asked[0]) == "F"
    return fortran and _several_entries(inner) and in_c_order(inner, doubtful)


def _known_dtypes(call: Call) -> bool:
    """Whether a conversion finds the dtype that it makes: else it may copy."""
    wanted = call.args[1] if len(call.args) > 1 else dict(call.kwargs).get("dtype")
    return constant_of(wanted) is None or getattr(call.args[0].type, "dtype", None) is not None


def _several_entries(expr: Expr) -> bool:
    """Whether an array has two axes or more, and surely two entries or more along each."""
    shape = shape_of(expr.type)
    return (
        shape is not None
        and len(shape) > 1
        and all(size is not None and never_negative(size - of(2)) for size in shape)
    )


def _scattered(expr: Expr, doubtful: AbstractSet[str], merges: bool) -> bool:
    """Whether the entries of a view are surely not in C order: those of a transposed matrix, and
    of inner columns.

    merges: whether entries at equal distances count as in order, as those of every other column
    are where their number is even."""
    if not _several_entries(expr):
        return False
    match expr:
        case Call(function=function) if function in (np.transpose, np.matrix_transpose):
            inner = expr.args[0]
            return in_c_order(inner, doubtful) and len(expr.args) == 1 and not expr.kwargs
        case Index(base=Var(type=kind) as base, index=index):
            inside, last = shape_of(kind) or (None,), (shape_of(expr.type) or (None,))[-1]
            whole = inside[-1]
            if len(index) != len(inside) or not isinstance(index[-1], Slice):
                return False
            if merges and index[-1].step is not None:
                return False
            if whole is None or last is None or not never_negative(whole - last - of(1)):
                return False
            return in_c_order(base, doubtful)
    return False
