"""Floor 5: cotangents that are a literal and stay it are written as the literal.

The cotangent of a sum that a loop adds to is 1.0 in every trip: `3.0 * w`, not
`3.0 * total_bar * w` below `total_bar = 1.0`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from s2sgrad.analysis.effects import root
from s2sgrad.analysis.new_arrays import shares_memory
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Stmt, Var
from s2sgrad.ir.types import Scalar
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block


def with_literal_bars(block: Block, names: set[str]) -> Block:
    """The block without those of `names` (of numbers) that are bound once, to a literal.

    A product with it is simplified: `1.0 * x` is x where that has the same type. Nothing is bound
    by `x_bar = x_bar`, what a loop that only adds to x leaves of it.
    """
    block = map_block(block, lambda expr: expr, _without_itself)
    while values := _steady(block, names):  # what it goes into may be a literal then
        block = _with(values, block)
    return block


def _with(values: dict[str, Const], block: Block) -> Block:
    """The block with literals in the place of names."""
    made: list[Expr] = list(values.values())  # what a literal has gone into

    def put(expr: Expr) -> Expr:
        if isinstance(expr, Var):
            return values.get(expr.name, expr)
        if not isinstance(expr, Call) or not any(a is m for a in expr.args for m in made):
            return expr
        reads = expr.form == "operator" or isinstance(expr.function, np.ufunc)
        if reads:
            expr = replace(expr, args=tuple(_uncopied(a, made) for a in expr.args))
        made.append(_new(_simpler(expr)) if reads else expr)
        return made[-1]

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        if isinstance(stmt, nodes.Assign) and stmt.targets[0] in values:
            return []
        if isinstance(stmt, nodes.Store) and stmt.op:
            stmt = replace(stmt, value=_uncopied(stmt.value, made))
        return [_signs_apart(stmt)]

    return map_block(block, put, on_stmt)


def _new(expr: Expr) -> Expr:
    """A copy of what is no product any more: it may be written into, as the product was."""
    if isinstance(expr.type, Scalar) or not shares_memory(expr):
        return expr
    return Call(np.copy, "copy", (expr,), form="method", type=expr.type)


def _uncopied(expr: Expr, made: list[Expr]) -> Expr:
    """What such a copy is of, where it is only read."""
    ours = isinstance(expr, Call) and expr.function is np.copy and any(expr is m for m in made)
    return expr.args[0] if ours else expr  # type: ignore[attr-defined]


def _without_itself(stmt: Stmt) -> list[Stmt]:
    """The statement without `x = x`."""
    if not isinstance(stmt, nodes.Assign):
        return [stmt]
    pairs = list(zip(stmt.targets, stmt.values, strict=True))
    left = [(t, v) for t, v in pairs if not (isinstance(v, Var) and v.name == t)]
    if len(left) == len(pairs):
        return [stmt]
    targets, values = tuple(t for t, _ in left), tuple(v for _, v in left)
    return [replace(stmt, targets=targets, values=values)] if left else []


def _steady(block: Block, names: set[str]) -> dict[str, Const]:
    """The names in question, and their literals."""
    bound: Counter[str] = Counter()
    found: dict[str, Const] = {}
    for stmt in nodes.walk_block(block):
        bound.update(_bound_in(stmt))
        match stmt:
            case nodes.Assign(targets=(name,), values=(Const(value=value, type=Scalar()) as one,)):
                if name in names and type(value) is float and value != 0.0:
                    found[name] = one
    return {name: value for name, value in found.items() if bound[name] == 1}


def _bound_in(stmt: Stmt) -> Iterator[str]:
    """The names that a statement binds, or changes."""
    yield from nodes.targets_of(stmt)
    if isinstance(stmt, nodes.Store | nodes.Mutate):
        yield root(stmt.base) or ""


def _simpler(expr: Call) -> Expr:
    """A product or quotient, one of whose factors has become a literal."""
    if expr.form != "operator" or expr.text not in ("*", "/", "-"):
        return expr
    if len(expr.args) == 1:
        return build.negate(expr.args[0])
    one, other = expr.args
    if expr.text == "*" and _is_reciprocal(one) and isinstance(other.type, Scalar):
        return build.binary("/", other, one.args[1])  # type: ignore[attr-defined]
    return build.binary(expr.text, one, other) if expr.text != "-" else expr


def _is_reciprocal(expr: Expr) -> bool:
    """Whether it is `1.0 / w` of a number: `1.0 / w * y` is `y / w`."""
    quotient = isinstance(expr, Call) and expr.form == "operator" and expr.text == "/"
    return quotient and build.is_number(expr.args[0], 1) and isinstance(expr.type, Scalar)  # type: ignore[attr-defined]


def _signs_apart(stmt: Stmt) -> Stmt:
    """`x_bar -= y` for `x_bar += -y`."""
    if isinstance(stmt, nodes.Store) and stmt.op in ("+", "-") and stmt.span is None:
        sign, value = build.signed(stmt.value)
        if sign == "-":
            return replace(stmt, value=value, op="-" if stmt.op == "+" else "+")
    return stmt
