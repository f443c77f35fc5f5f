"""Floor 3: which names an expression reads by value, and which only for their shape."""

from __future__ import annotations

import numpy as np

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr
from s2sgrad.ir.types import Array, List, Scalar

Names = frozenset[str]
_LIKE = (np.zeros_like, np.ones_like, np.empty_like, np.full_like)


def by_value_and_shape(*exprs: Expr) -> tuple[Names, Names]:
    """The names that expressions read, and those of arrays and lists of which they read the
    shape or length only."""
    pairs = [_of_one(expr) for expr in exprs]
    none: Names = frozenset()
    return none.union(*(own for own, _ in pairs)), none.union(*(shaped for _, shaped in pairs))


def _of_one(expr: Expr) -> tuple[Names, Names]:
    match expr:
        case Call(form="attribute", text="shape" | "size" | "ndim", args=(nodes.Var(name=name),)):
            if isinstance(expr.args[0].type, Array):
                return frozenset(), frozenset({name})
        case Call(function=function, args=(nodes.Var(name=name),)) if function is len:
            if isinstance(expr.args[0].type, Array | List):
                return frozenset(), frozenset({name})
        case nodes.Var(name=name):
            return frozenset({name}), frozenset()
    return by_value_and_shape(*nodes.children(expr))


def contents_read(*exprs: Expr) -> Names:
    """The names whose values expressions read; writing into the others changes nothing."""
    return frozenset[str]().union(*map(_contents, exprs))


def _contents(expr: Expr) -> Names:
    match expr:
        case nodes.Var(name=name):
            return frozenset({name})
        case Call(form="attribute", text="shape" | "size" | "ndim", args=(only,)):
            return _for_shape(only)
        case Call(text="np.shape", args=(only,)):
            return _for_shape(only)
        case Call(function=function, args=(like, *rest)) if function in _LIKE:
            return _for_shape(like) | contents_read(*rest, *(v for _, v in expr.kwargs))
        case Call(form="call", function=function, args=args) if not expr.kwargs:
            shaped = getattr(function, "shape_only", ())
            parts = [_for_shape(a) if k in shaped else contents_read(a) for k, a in enumerate(args)]
            return frozenset[str]().union(*parts)
    return contents_read(*nodes.children(expr))


def _for_shape(expr: Expr) -> Names:
    """The names whose values the shape of an array depends on."""
    match expr:
        case nodes.Var(type=Array() | Scalar()):
            return frozenset()
        case nodes.Index(base=base, index=index) if isinstance(base.type, Array):
            return _for_shape(base).union(*map(contents_read, index))
        case Call(args=args) if not expr.kwargs and (
            expr.form == "operator" or (expr.form == "attribute" and expr.text == "T")
        ):
            return frozenset[str]().union(*map(_for_shape, args))
        case Call(form="call", function=np.ufunc(), args=args) if not expr.kwargs:
            return frozenset[str]().union(*map(_for_shape, args))
    return contents_read(expr)
