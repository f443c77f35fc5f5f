"""Floor 6: rewrite generated code into forms that Numba compiles."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from s2sgrad.backend.numba_outside import Hoister
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Call, Const, Expr, Function, Stmt, Var
from s2sgrad.ir.types import INT, Array, Known, Scalar
from s2sgrad.transform.rewrite import map_block


def numba_forms(function: Function) -> Function:
    """The function with every form that Numba lacks replaced by one it has."""
    types = dict(function.types)
    names = Names(set(types) | set(function.parameters) | {"objmode"})
    body = map_block(function.body, _expression, _statement)
    body = Hoister(names, types, unknown).block(body)
    return replace(function, body=body, types=types)


# --- statements ----------------------------------------------------------------------------
def _statement(stmt: Stmt) -> list[Stmt]:
    match stmt:
        case nodes.For(backwards=True):
            return [_forwards(stmt)]
        case nodes.Store(index=(), op=""):
            whole = Const(..., type=Known(...))
            return [replace(stmt, index=(whole,))]
    return [stmt]


def _forwards(stmt: nodes.For) -> nodes.For:
    """A backward loop as a loop over the sequence turned round: Numba has no `reversed`."""
    if len(stmt.sources) != 1:
        return stmt
    source = stmt.sources[0]
    if isinstance(source, Call) and source.function in (range, "range"):
        turned: Expr = turned_range(source)
    else:
        step = nodes.Slice(None, None, _int(-1))
        turned = nodes.Index(source, (step,), type=source.type)
    return replace(stmt, sources=(turned,), backwards=False)


def turned_range(source: Call) -> Call:
    """The same numbers from the last to the first."""
    args = source.args
    if len(args) == 1:
        return replace(source, args=(_minus(args[0], 1), _int(-1), _int(-1)))
    step = args[2] if len(args) == 3 else _int(1)
    value = step.value if isinstance(step, Const) else getattr(step.type, "value", None)
    start, stop = args[0], args[1]
    if value == 1:
        return replace(source, args=(_minus(stop, 1), _minus(start, 1), _int(-1)))
    if value == -1:
        return replace(source, args=(_minus(stop, -1), _minus(start, -1)))
    count = Call(len, "len", (source,), type=INT)
    last = _op("+", np.add, start, _op("*", np.multiply, _minus(count, 1), step))
    return replace(source, args=(last, _op("-", np.subtract, start, step), _negative(step)))


def _int(value: int) -> Const:
    return Const(value, type=Scalar("int", None, value))


def _op(sign: str, function: Any, left: Expr, right: Expr) -> Call:
    return Call(function, sign, (left, right), form="operator", type=INT)


def _minus(expr: Expr, amount: int) -> Expr:
    if isinstance(expr, Const):
        return _int(expr.value - amount)
    if amount < 0:
        return _op("+", np.add, expr, _int(-amount))
    return _op("-", np.subtract, expr, _int(amount))


def _negative(expr: Expr) -> Expr:
    if isinstance(expr, Const):
        return _int(-expr.value)
    return Call(np.negative, "-", (expr,), form="operator", type=INT)


# --- expressions ---------------------------------------------------------------------------
def _expression(expr: Expr) -> Expr:
    return expr


def unknown(expr: Expr) -> bool:
    """Whether Numba has no version of a call."""
    if not isinstance(expr, Call):
        return False
    if expr.form == "operator":
        return expr.text == "@" and not _small_product(expr)
    if expr.form != "call" or isinstance(expr.function, str):
        return False
    return not known_function(expr.function)


def _small_product(expr: Call) -> bool:
    """Numba multiplies vectors and matrices."""
    ranks = [len(a.type.shape) for a in expr.args if isinstance(a.type, Array) and a.type.shape is not None]
    return all(r <= 2 for r in ranks)


def known_function(function: Any) -> bool:
    """Whether Numba's registry has the function."""
    try:
        return _known(function)
    except TypeError:
        return True


@cache
def _known(function: Any) -> bool:
    from numba.core.registry import cpu_target

    context = cpu_target.typing_context
    context.refresh()
    return context._lookup_global(function) is not None or isinstance(function, type)


__all__ = ["Var", "known_function", "numba_forms", "turned_range", "unknown"]
