"""Floor 6: products of matrices computed where they are wanted, or added to what is there."""

from __future__ import annotations

from s2sgrad.analysis.effects import basic_index
from s2sgrad.analysis.indexing import infer_index
from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, Known

_DTYPES = ("float64", "float32", "complex128", "complex64")


def in_place(stmt: Stmt, groups: Groups) -> list[Stmt]:
    """`out[i] = a @ b` without an array for the product; for `+=` and `-=` too.

    Only where nothing is broadcast, and out surely has memory of its own.
    """
    match stmt:
        case nodes.Store(
            base=Var(name=name, type=Array()),  # in a list, another array takes the place
            op="" | "+" | "-",
            value=Call(text="@", form="operator", args=(a, b)),
        ):
            target: Expr = stmt.base
            if stmt.index and basic_index(stmt.index):
                target = Index(stmt.base, stmt.index, type=infer_index(stmt.base.type, stmt.index))
            elif stmt.index:
                return [stmt]
            if _fits(target, a, b) and _apart(name, (a, b), groups):
                return [nodes.Do(_call(stmt.op, target, a, b), span=stmt.span)]
    return [stmt]


def _call(op: str, target: Expr, a: Expr, b: Expr) -> Call:
    from s2sgrad_runtime import numba_products

    name = {"": "product", "+": "add_product", "-": "subtract_product"}[op] + "_in_place"
    return Call(getattr(numba_products, name), name, (target, a, b), type=Known(None))


def _fits(target: Expr, a: Expr, b: Expr) -> bool:
    """Whether they are matrices of one dtype whose lengths are known to be equal."""
    kinds = [e.type for e in (target, a, b)]
    if not all(isinstance(k, Array) and k.shape is not None and len(k.shape) == 2 for k in kinds):
        return False
    dtypes = {k.dtype for k in kinds}  # type: ignore[attr-defined]
    out, left, right = (k.shape for k in kinds)  # type: ignore[attr-defined]
    return (
        len(dtypes) == 1
        and dtypes <= set(_DTYPES)
        and None not in out
        and out == (left[0], right[1])
    )


def _apart(target: str, read: tuple[Expr, ...], groups: Groups) -> bool:
    """Whether no array that is read may lie where the target does."""
    return groups.of(target) not in {groups.of(n) for e in read for n in nodes.names_in(e)}


__all__ = ["in_place"]
