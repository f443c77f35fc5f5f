"""Floor 5: powers of Python's floats that may be complex are asked before that is hidden.

`(x - 2.0) ** 0.5` of a float below 2 is a complex number in Python, though the code of a gradient
takes it for a real one. A result that is complex is refused in the end, and so is one that is
written into an array of floats; `abs(y)` is real again, and its slope would be wrong without a
word. `abs(float(y))` says it: Python's float takes no complex number. Lists and arrays that are
made of such numbers ask too, since what comes of them may be hidden anywhere.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Stmt
from s2sgrad.ir.types import Array, Dict, List, Scalar
from s2sgrad.transform.writing.rewrite import map_block

_HIDING = (
    abs, np.abs, np.absolute, np.real, np.imag, np.angle, np.hypot, np.linalg.norm, np.var, np.std,
)  # fmt: skip


def with_powers_asked(body: Block) -> Block:
    """The body with `float(y)` where y comes from such a power and may be hidden."""
    names = _depending(body)
    if names is None:
        return body

    def asked(expr: Expr) -> Expr:
        match expr:
            case nodes.Sequence(kind="list", items=items):
                return replace(expr, items=tuple(_real(e, names) for e in items))
            case Call(function=function, args=args, type=kind) if function in _HIDING or (
                isinstance(kind, Array | List) and expr.form != "operator"
            ):
                return replace(expr, args=tuple(_real(a, names) for a in args))
        return expr

    def held(stmt: Stmt) -> list[Stmt]:
        match stmt:
            case nodes.Mutate(args=args):
                stmt = replace(stmt, args=tuple(_real(a, names) for a in args))
            case nodes.Store(base=base, value=value) if isinstance(base.type, Dict | List):
                stmt = replace(stmt, value=_real(value, names))
        return [stmt]

    return map_block(body, asked, held)


def may_be_complex(body: Block) -> bool:
    """Whether there are powers of Python's floats that may be complex."""
    return any(
        _is_risky(part)
        for stmt in nodes.walk_block(body)
        for expr in nodes.expressions(stmt)
        for part in nodes.walk(expr)
    )


def _real(expr: Expr, names: set[str]) -> Expr:
    """A float of Python's that may be complex, asked; others as they are."""
    if isinstance(expr.type, Scalar) and expr.type.dtype == "float" and _comes(expr, names):
        return Call(float, "float", (expr,), type=expr.type, span=expr.span)
    return expr


def _depending(body: Block) -> set[str] | None:
    """The names whose values come from such powers; None if there are no such powers."""
    if not may_be_complex(body):
        return None
    names: set[str] = set()
    while True:
        found = {
            target
            for stmt in nodes.walk_block(body)
            if any(_comes(e, names) for e in nodes.expressions(stmt))
            for target in nodes.targets_of(stmt)
        }
        if found <= names:
            return names
        names |= found


def _comes(expr: Expr, names: set[str]) -> bool:
    return any(
        _is_risky(part) or (isinstance(part, nodes.Var) and part.name in names)
        for part in nodes.walk(expr)
    )


def _is_risky(expr: Expr) -> bool:
    """A float of Python's to a power that is no whole number, as far as the code tells."""
    if not (isinstance(expr, Call) and expr.text == "**" and isinstance(expr.type, Scalar)):
        return False
    base, power = expr.args
    kinds = base.type, power.type
    if expr.type.dtype != "float" or not all(isinstance(k, Scalar) for k in kinds):
        return False
    if not any(isinstance(part, nodes.Var) for part in nodes.walk(base)):
        return False  # a number that is written there, and passes nothing on
    if isinstance(power, Const):
        return float(power.value) != int(power.value)
    return power.type.dtype == "float"  # type: ignore[attr-defined]


__all__ = ["may_be_complex", "with_powers_asked"]
