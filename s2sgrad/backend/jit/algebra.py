"""Floor 6: linear algebra by functions of our own, which compile in a fraction of Numba's time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.analysis.indexing import constant_of
from s2sgrad.ir import sizes
from s2sgrad.ir.nodes import Call, Const, Expr, Sequence
from s2sgrad.ir.types import BOOL, Array, Known, Scalar
from s2sgrad.transform.writing import build


def own_algebra(expr: Expr) -> Expr | None:
    """The operation by such a function; None where there is none for it."""
    match expr:
        case Call(function=np.linalg.solve, args=(a, b), kwargs=()) if _is_system(a, b):
            return _solved(expr, a, b)
        case Call(function=np.linalg.inv | np.linalg.det as function, args=(a,), kwargs=()) if (
            _is_matrix(a)
        ):
            from s2sgrad_runtime.numba_lapack import determinant, inverted

            if function is np.linalg.inv:
                return replace(expr, function=inverted, text="inverted")
            return replace(expr, function=determinant, text="determinant")
        case Call(function=np.linalg.norm, args=(x, *rest)) if _is_vector(x):
            whole = Call(np.ascontiguousarray, "np.ascontiguousarray", (x,), type=x.type)
            return replace(expr, args=(whole, *rest))  # Numba's reads on past vectors turned round
        case Call(function=np.eye | np.identity, args=(n,), kwargs=()) if _is_count(n):
            from s2sgrad_runtime.numba_lapack import identity

            return replace(expr, function=identity, text="identity")
        case Call(function=np.cross, args=(a, b), kwargs=kwargs) if _are_in_space(a, b):
            if all(constant_of(value) in (-1, 0, None) for _, value in kwargs):
                from s2sgrad_runtime.numba_lapack import crossed

                return replace(expr, function=crossed, text="crossed", kwargs=())
        case Call(function=np.outer, args=(a, b), kwargs=()) if _are_vectors(a, b):
            from s2sgrad_runtime.numba_lapack import outer_product

            return replace(expr, function=outer_product, text="outer_product")
        case Call(function=np.kron, args=(a, b)) if _is_narrower(a, expr):
            wide = build.copied_as(a, expr.type.dtype)  # type: ignore[attr-defined]
            return replace(expr, args=(wide, b))  # Numba's has the precision of the first
        case Call(function=np.transpose, args=(a, *axes), kwargs=()) if _order(a, axes):
            from s2sgrad_runtime.numba_layouts import permuted

            args = (a, Const(_order(a, axes), type=Known(_order(a, axes))))
            return replace(expr, function=permuted, text="permuted", args=args, form="call")
    return None


def _is_narrower(a: Expr, result: Expr) -> bool:
    """Whether an array is of another dtype than what is made of it."""
    kinds = a.type, result.type
    own, dtype = (k.dtype if isinstance(k, Array) else None for k in kinds)
    return None not in (own, dtype) and own != dtype


def _solved(expr: Call, a: Expr, b: Expr) -> Expr:
    from s2sgrad_runtime.numba_lapack import solved, solved_columns

    vector = len(b.type.shape) == 1  # type: ignore[attr-defined]
    own, text = (solved, "solved") if vector else (solved_columns, "solved_columns")
    turned = isinstance(a, Call) and a.form == "attribute" and a.text == "T"
    whole = a.args[0] if isinstance(a, Call) and turned else a
    args = (whole, b, Const(turned, type=BOOL))
    return replace(expr, function=own, text=text, args=args)


def _is_count(expr: Expr) -> bool:
    return isinstance(expr.type, Scalar) and expr.type.dtype in ("int", "int64")


def _is_matrix(a: Expr) -> bool:
    """Whether it is one matrix of floats."""
    kind = a.type
    held = isinstance(kind, Array) and kind.dtype == "float64" and kind.shape is not None
    return held and len(kind.shape) == 2  # type: ignore[attr-defined,union-attr,arg-type]


def _are_vectors(*parts: Expr) -> bool:
    kinds = [p.type for p in parts]
    return all(
        isinstance(k, Array) and k.dtype == "float64" and len(k.shape or ()) == 1 for k in kinds
    )


def _is_vector(x: Expr) -> bool:
    """Whether it may be a vector, not known to lie in one piece."""
    known = isinstance(x.type, Array) and x.type.shape is not None and len(x.type.shape) != 1
    return not known and getattr(x, "function", None) is not np.ascontiguousarray


def _is_system(a: Expr, b: Expr) -> bool:
    """Whether it is one matrix of floats, and a right-hand side or several of them."""
    ranks = [
        len(k.shape)
        for k in (a.type, b.type)
        if isinstance(k, Array) and k.dtype == "float64" and k.shape is not None
    ]
    return ranks in ([2, 1], [2, 2])


def _order(a: Expr, axes: list[Expr]) -> str:
    """The axes of a transposition in a text, "102"; "" where they are not known."""
    given = axes[0].items if len(axes) == 1 and isinstance(axes[0], Sequence) else tuple(axes)
    found = [constant_of(axis) for axis in given]
    rank = len(a.type.shape) if isinstance(a.type, Array) and a.type.shape is not None else 0
    if not rank or not all(type(k) is int and -rank <= k < rank for k in found):
        return ""
    order = [k % rank for k in found]  # type: ignore[operator]
    return "".join(map(str, order)) if sorted(order) == list(range(rank)) and rank < 10 else ""


def _are_in_space(*vectors: Expr) -> bool:
    """Whether these are vectors of three floats."""
    wanted = Array("float64", (sizes.of(3),))
    return all(v.type == wanted for v in vectors)


__all__ = ["own_algebra"]
