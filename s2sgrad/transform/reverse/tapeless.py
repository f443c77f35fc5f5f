"""Floor 5: recursive functions in a gradient that is differentiated again: without a tape.

What a recursive function saves for its reverse sweep is nested as deep as the calls are: no type
covers it, so a gradient made with it can't be lowered. Here each recursive `f` gives two plain
recursive functions instead, `f_value(x)` and `f_vjp(y_bar, x) -> x_bar`, which runs forward again
on its own: a factor of the depth in time, and nothing is kept from call to call.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import s2sgrad_runtime
from s2sgrad.analysis.effects import effects
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Function, Var
from s2sgrad.transform.preparing.primal import prepare
from s2sgrad.transform.reverse.gradient import finished, tuple_of
from s2sgrad.transform.reverse.pullback import cotangents_of
from s2sgrad.transform.reverse.sweeps import sweeps


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
    return replace(function, body=_own(function.body, given, function))


def _own(body: Block, given: str, function: Function) -> Block:
    """The caller's cotangent stays as it is."""
    shared = effects(body)
    if not shared.changes(given):
        return body
    var = Var(given, type=function.types[given])
    copied = Call(s2sgrad_runtime.copy_tree, "copy_tree", (var,), type=var.type)
    return (nodes.Assign((given,), (copied,)), *body)


__all__ = ["value_and_vjp"]
