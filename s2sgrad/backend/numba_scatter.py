"""Floor 6: writes at arrays of indices, as loops over them."""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.backend.numba_outside import OutsideStore
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Expr, Stmt, Var
from s2sgrad.ir.types import INT, Array, Scalar, Type, is_float_dtype


def scattered(stmt: Stmt, names: Names, types: dict[str, Type]) -> list[Stmt]:
    """The statements for a write that Numba has no single form for."""
    if not isinstance(stmt, nodes.Store) or isinstance(stmt, OutsideStore):
        return [stmt]
    arrays = [p for p in stmt.index if _is_array(p)]
    if not arrays and not stmt.op.endswith("at"):
        return [stmt]
    if not stmt.op.endswith("at") and not _hard(stmt.index):
        return [stmt]
    if _loopable(stmt):
        return _loop(stmt, names, types)
    return [OutsideStore(stmt.base, stmt.index, stmt.value, stmt.op, span=stmt.span)]


def _is_array(part: Expr) -> bool:
    return isinstance(part, nodes.Sequence) or (
        isinstance(part.type, Array) and part.type.shape != ()
    )


def _hard(index: tuple[Expr, ...]) -> bool:
    arrays = [p for p in index if _is_array(p)]
    ranks = [
        len(p.type.shape) if isinstance(p.type, Array) and p.type.shape is not None else 9
        for p in arrays
    ]
    return len(arrays) > 1 or any(r > 1 for r in ranks)


def _loopable(stmt: nodes.Store) -> bool:
    """One-dimensional integer arrays for the first axes, and a value that goes along them."""
    kind = stmt.base.type
    if not isinstance(kind, Array) or kind.shape is None:
        return False
    plain = all(
        isinstance(p.type, Array)
        and p.type.shape is not None
        and len(p.type.shape) == 1
        and p.type.dtype is not None
        and p.type.dtype != "bool"
        and not is_float_dtype(p.type.dtype)
        for p in stmt.index
    )
    if not plain:
        return False
    value = stmt.value.type
    rank = len(kind.shape) - len(stmt.index) + 1
    return isinstance(value, Scalar) or (
        isinstance(value, Array)
        and value.shape is not None
        and len(value.shape) == rank
        and value.shape[0] == stmt.index[0].type.shape[0]  # type: ignore[attr-defined]
    )


def _loop(stmt: nodes.Store, names: Names, types: dict[str, Type]) -> list[Stmt]:
    before: list[Stmt] = []

    def named(expr: Expr, base: str) -> Expr:
        if isinstance(expr, Var | nodes.Const):
            return expr
        name = names.fresh(base)
        types[name] = expr.type
        before.append(nodes.Assign((name,), (expr,), span=stmt.span))
        return Var(name, type=expr.type)

    index = tuple(named(p, "index") for p in stmt.index)
    value = named(stmt.value, "value")
    counter = names.fresh("k")
    types[counter] = INT
    k = Var(counter, type=INT)
    parts = tuple(nodes.Index(p, (k,), type=INT) for p in index)
    kind = value.type
    entry = value if isinstance(kind, Scalar) else nodes.Index(value, (k,), type=_entry(kind))
    store = replace(stmt, index=parts, value=entry, op=stmt.op.removesuffix("at"))
    count = nodes.Call(len, "len", (index[0],), type=INT)
    trips = nodes.Call(range, "range", (count,), type=INT)
    return [*before, nodes.For((counter,), (trips,), (store,), span=stmt.span)]


def _entry(kind: Type) -> Type:
    assert isinstance(kind, Array) and kind.shape is not None and kind.dtype is not None
    return Array(kind.dtype, kind.shape[1:]) if len(kind.shape) > 1 else Scalar(kind.dtype)
