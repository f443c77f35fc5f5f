"""Floor 5: recursive functions in a gradient that is differentiated again: without a tape.

What a recursive function saves for its reverse sweep is nested as deep as the calls are: no type
covers it, so a gradient made with it can't be lowered. Here each recursive `f` gives two plain
recursive functions instead, `f_value(x)` and `f_vjp(y_bar, x) -> x_bar`, which runs forward again
on its own: a factor of the depth in time, and nothing is kept from call to call.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.definite import surely_bound
from s2sgrad.analysis.effects import effects
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Var
from s2sgrad.ir.types import NONE
from s2sgrad.transform.preparing.primal import prepare
from s2sgrad.transform.reverse.gradient import finished, tuple_of
from s2sgrad.transform.reverse.pullback import cotangents_of
from s2sgrad.transform.reverse.sweeps import sweeps
from s2sgrad.transform.writing.rewrite import map_block


def value_and_vjp(pair: Any) -> tuple[Function, Function]:
    """The two functions of one recursive function."""
    return _value(pair), _vjp(pair)


def _value(pair: Any) -> Function:
    primal = prepare(pair.lowered, pair.lowered.result, nested=True)
    made = sweeps(primal, set(), {}, taped=False)
    body = (*made.forward, nodes.Return(primal.output))
    return finished(made, body, f"{pair.name}_value", primal.function.parameters)


def _vjp(pair: Any) -> Function:
    lowered = pair.lowered
    made, given, grads, extra = cotangents_of(
        lowered, lowered.function.parameters, lowered.arguments, {}, taped=False
    )
    body = (*made.forward, nodes.Comment(""), *made.reverse, *extra, nodes.Return(tuple_of(grads)))
    parameters = (given, *made.primal.function.parameters)
    function = finished(made, body, f"{pair.name}_vjp", parameters)
    return replace(function, body=_begun(_own(function.body, given, function), function))


def _begun(body: Block, function: Function) -> Block:
    """What is bound on some paths only begins as None, for the zeros of a path without it."""
    bound = surely_bound(body, frozenset((*function.parameters, *function.inputs)))
    missing = {
        name
        for stmt in nodes.walk_block(body)
        for top in nodes.expressions(stmt)
        for node in nodes.walk(top)
        for name in _zeros_of(node)
        if name not in bound.get(id(stmt), (name,))
    }

    def on_expr(expr: Expr) -> Expr:
        if missing.isdisjoint(_zeros_of(expr)) or not isinstance(expr, Call):
            return expr
        return replace(expr, function=s2sgrad_runtime.zeros_like, text="zeros_like")

    start = [nodes.Assign((n,), (nodes.Const(None, type=NONE),)) for n in sorted(missing)]
    return (*start, *map_block(body, on_expr)) if missing else body


def _zeros_of(expr: Expr) -> tuple[str, ...]:
    """The variable that `np.zeros_like` is called with."""
    if isinstance(expr, Call) and expr.function is np.zeros_like and isinstance(expr.args[0], Var):
        return (expr.args[0].name,)
    return ()


def _own(body: Block, given: str, function: Function) -> Block:
    """The caller's cotangent stays as it is."""
    shared = effects(body)
    if not shared.changes(given):
        return body
    var = Var(given, type=function.types[given])
    copied = Call(s2sgrad_runtime.copy_tree, "copy_tree", (var,), type=var.type)
    return (nodes.Assign((given,), (copied,)), *body)


__all__ = ["value_and_vjp"]
