"""Floor 6: types once more, for the whole generated function at once.

The compiler types each statement as it writes it, without a second look at loops. Here every
variable whose type was left open starts as "no value yet" and grows to what its assignments give.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from s2sgrad.analysis.infer import infer_elementwise
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr, Function, Var
from s2sgrad.ir.types import BOTTOM, Array, Bottom, List, Number, Scalar, Type, join
from s2sgrad.transform.writing.rewrite import map_block, map_expr

ROUNDS = 6
_SHAPES = ("np.shape", "shape")


def retyped(function: Function) -> Function:
    """The function with types filled in where they follow from the others."""
    unknown = {n for n, kind in function.types.items() if is_open(kind)}
    found = _settled(function, unknown)
    types = {**function.types, **found}
    body = map_block(function.body, lambda e: _retype(e, types.get))
    return replace(function, body=body, types=types)


def is_open(kind: Type) -> bool:
    """Whether a type leaves open what a value is."""
    if isinstance(kind, List):
        return isinstance(kind.item, Bottom) or is_open(kind.item)
    return isinstance(kind, Number) or (
        isinstance(kind, Array) and (kind.shape is None or kind.dtype is None)
    )


def _settled(function: Function, unknown: set[str]) -> dict[str, Type]:
    """Types of the open variables; those that stay open are left out."""
    now: dict[str, Type] = dict.fromkeys(unknown, BOTTOM)
    bound = set(function.parameters) & unknown
    for _ in range(ROUNDS):
        new: dict[str, Type] = {n: function.types[n] if n in bound else BOTTOM for n in unknown}

        def known(name: str, now: dict[str, Type] = now) -> Type | None:
            return now.get(name, function.types.get(name))

        for stmt in nodes.walk_block(function.body):
            _grow(stmt, new, function.types, known)
        if new == now:
            return {n: k for n, k in now.items() if not isinstance(k, Bottom) and not is_open(k)}
        now = new
    return {}


def _grow(
    stmt: nodes.Stmt,
    new: dict[str, Type],
    own: dict[str, Type],
    known: Callable[[str], Type | None],
) -> None:
    match stmt:
        case nodes.Assign(targets=targets, values=values):
            for target, value in zip(targets, values, strict=True):
                if target in new:
                    new[target] = join(
                        new[target], map_expr(value, lambda e: _retype(e, known)).type
                    )
        case nodes.Mutate(base=Var(name=name), method="append", args=(arg,)) if name in new:
            new[name] = join(new[name], List(map_expr(arg, lambda e: _retype(e, known)).type))
        case nodes.Mutate(base=Var(name=name)) if name in new and stmt.method != "pop":
            new[name] = own[name]
    if not isinstance(stmt, nodes.Assign):
        for target in nodes.targets_of(stmt):
            if target in new:
                new[target] = own[target]


def _retype(expr: Expr, known: Callable[[str], Type | None]) -> Expr:
    """The expression with its type from those of its parts."""
    match expr:
        case Var(name=name):
            kind = known(name)
            return (
                expr
                if kind is None
                or not (is_open(expr.type) or is_open(kind) or isinstance(kind, Bottom))
                else replace(expr, type=kind)
            )
        case Call() if is_open(expr.type):
            kind = _call_type(expr)
            if kind is None:
                return expr
            if _needless(expr, kind):
                return expr.args[0]
            return replace(expr, type=kind)
    return expr


def _needless(expr: Call, kind: Type) -> bool:
    """A number summed down to a number."""
    return (
        expr.text == "unbroadcast"
        and isinstance(kind, Scalar)
        and isinstance(expr.args[0].type, Scalar)
    )


def _call_type(expr: Call) -> Type | None:
    kinds = tuple(a.type for a in expr.args)
    if expr.form == "method" and expr.text == "pop" and isinstance(kinds[0], List):
        return kinds[0].item
    if any(isinstance(k, Bottom) for k in kinds):
        return BOTTOM
    if expr.text in ("np.dot", "@") and all(_rank(k) == 1 for k in kinds):
        return Scalar(str(np.result_type(*(k.dtype for k in kinds))))  # type: ignore[attr-defined]
    if expr.text == "unbroadcast" and isinstance(kinds[1], Scalar | Array):
        if isinstance(kinds[1], Scalar):
            return kinds[1] if kinds[1].dtype not in ("int", "bool") else Scalar("float")
        dtype = getattr(kinds[0], "dtype", None)
        return (
            None
            if dtype is None
            else Array(dtype if dtype != "float" else "float64", kinds[1].shape)
        )
    if expr.text == "np.broadcast_to" and isinstance(expr.args[1], Call):
        dtype, like = getattr(kinds[0], "dtype", None), expr.args[1].args[0].type
        if dtype is None or not isinstance(like, Array) or expr.args[1].text not in _SHAPES:
            return None
        return Array(dtype if dtype != "float" else "float64", like.shape)
    if expr.text in ("zeros_like", "np.zeros_like", "np.flip", "copy", "np.copy") and kinds:
        return kinds[0]
    if (
        isinstance(expr.function, np.ufunc)
        and expr.form in ("operator", "call")
        and expr.text != "@"
        and not expr.kwargs
    ):
        return infer_elementwise(expr.function, kinds, expr.form == "operator")
    return None


def _rank(kind: Type) -> int:
    return (
        len(kind.shape)
        if isinstance(kind, Array) and kind.shape is not None and kind.dtype is not None
        else -1
    )
