"""Floor 5: from a lowered function to a pair: a forward function that returns the value and what
it saved, and a backward function from the value's cotangent to those of the arguments.

Both come from the statement lists of a gradient. They are tidied up as one function whose halves
are set apart by a mark, then cut there; what the reverse half reads of the forward one is saved.
The backward function may run again: it works on copies of what it changes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.definite import surely_read
from s2sgrad.analysis.effects import effects, holds_arrays
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.frontend.values import Value
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Stmt, Var
from s2sgrad.ir.types import (
    NONE,
    Dict,
    Known,
    List,
    Tuple,
    carries,
)
from s2sgrad.transform.preparing.primal import Primal, leaf_names, prepare, wanted_leaves
from s2sgrad.transform.reverse.gradient import finished, gradient_of, tuple_of
from s2sgrad.transform.reverse.own_results import own_results
from s2sgrad.transform.reverse.repeatable import bound_names, copied, repeatable
from s2sgrad.transform.reverse.sweeps import Sweeps, sweeps

_MARK = "reverse sweep"
_NOTHING = nodes.Const(None, type=NONE)


@dataclass(frozen=True)
class Pair:
    """forward(*arguments) -> (value, saved); backward(value_bar, *saved) -> cotangents.

    saved: the names of what is saved, in order.
    """

    forward: Function
    backward: Function
    saved: tuple[str, ...]


def pullback(
    lowered: Any,
    wrt: tuple[str, ...],
    arguments: dict[str, Value],
    heap: dict[int, Any],
    aux: bool = False,
    loops: bool = False,
    own: bool = False,
) -> Pair:
    """The pair for the cotangents of the arguments `wrt`: one each, None without floats.

    aux: the function returns (value, aux), and aux has no cotangent. loops: it will be compiled.
    own: the cotangents share no memory with what is given or saved.
    """
    made, given, grads, extra = cotangents_of(lowered, wrt, arguments, heap, aux, loops)
    primal = made.primal
    mark = nodes.Do(_kept_apart(made, extra), _MARK)
    body = (*made.forward, mark, *made.reverse, *extra)
    name = primal.function.name
    parameters = (*primal.function.parameters, *lowered.captures, given)
    if own:
        others = frozenset((*parameters, *primal.inputs, *bound_names(tuple(made.forward))))
        body = (*body, *own_results(grads, body, others, False))
    body = (*body, nodes.Return(tuple_of(grads)))
    return _cut(finished(made, body, name, parameters), given)


def cotangents_of(
    lowered: Any,
    wrt: tuple[str, ...],
    arguments: dict[str, Value],
    heap: dict[int, Any],
    aux: bool = False,
    loops: bool = False,
    taped: bool = True,
) -> tuple[Sweeps, str, list[Expr], list[Stmt]]:
    """Both sweeps, the name of the value's cotangent, those of the arguments, and what has to
    run before these are read. taped: see tapeless.py."""
    primal = prepare(lowered, lowered.result, nested=True, loops=loops)
    wanted = wanted_leaves(primal, [arguments[a] for a in wrt], heap)
    given, seeds = _seeds(primal, aux)
    made = sweeps(primal, wanted, seeds, taped)
    extra: list[Stmt] = []
    grads: list[Expr] = []
    for name in wrt:
        holds = any(carries(primal.function.types[n]) for n in leaf_names(arguments[name], heap))
        grads.append(gradient_of(arguments[name], heap, made, extra) if holds else _NOTHING)
    return made, given, grads, extra


def _seeds(primal: Primal, aux: bool) -> tuple[str, dict[str, Expr | None]]:
    """The parameter for the value's cotangent, and where in it each result finds its own."""
    output = primal.output
    if aux and isinstance(output, nodes.Sequence):
        output = output.items[0]
    if isinstance(output, Var):
        given = primal.names.fresh(f"{primal.bases.get(output.name, output.name)}_bar")
        return given, {output.name: Var(given, type=output.type)}
    given = primal.names.fresh("value_bar")
    found: dict[str, Expr | None] = {}
    _places(output, Var(given), found)
    return given, found


def _places(expr: Expr, place: Expr, found: dict[str, Expr | None]) -> None:
    match expr:
        case Var(name=name) if carries(expr.type):
            here = replace(place, type=expr.type)
            before = found.get(name)
            found[name] = here if before is None else _plus(before, here)
        case nodes.Sequence(items=items):
            for i, item in enumerate(items):
                _places(item, nodes.Index(place, (nodes.Const(i),)), found)
        case nodes.Mapping(keys=keys, values=values):
            for key, item in zip(keys, values, strict=True):
                _places(item, nodes.Index(place, (key,)), found)


def _plus(left: Expr, right: Expr) -> Expr:
    if isinstance(left.type, List | Tuple | Dict):
        return Call(s2sgrad_runtime.accumulate, "accumulate", (left, right), type=left.type)
    return Call(np.add, "+", (left, right), form="operator", type=left.type)


def _kept_apart(made: Sweeps, extra: list[Stmt]) -> Expr:
    """The value; what the reverse sweep reads of it is copied, since the caller may change it."""
    reverse = (*made.reverse, *extra)
    shared = effects((*made.forward, *reverse))
    read = Liveness().block(reverse, frozenset())[1]
    groups = {shared.find(n) for n in read}

    def go(expr: Expr) -> Expr:
        match expr:
            case Var(name=name) if holds_arrays(expr.type) and shared.find(name) in groups:
                return copied(expr)
            case nodes.Sequence(items=items):
                return replace(expr, items=tuple(map(go, items)))
            case nodes.Mapping(values=values):
                return replace(expr, values=tuple(map(go, values)))
        return expr

    return go(made.primal.output)


# --- cutting -------------------------------------------------------------------------------------
def _cut(whole: Function, given: str) -> Pair:
    """The finished function as two."""
    at = next(i for i, s in enumerate(whole.body) if isinstance(s, nodes.Do) and s.keyword == _MARK)
    mark = whole.body[at]
    assert isinstance(mark, nodes.Do)
    first, second = whole.body[:at], whole.body[at + 1 :]
    read = Liveness().block(second, frozenset())[1] - {given}
    order = [*whole.inputs, *whole.parameters, *bound_names(first)]
    saved = tuple(dict.fromkeys(n for n in order if n in read))
    kept = [Var(n, type=whole.types.get(n, Known(None))) for n in saved]
    result = tuple_of([mark.value, tuple_of(list(kept))])
    forward = replace(
        whole,
        name=f"{whole.name}_forward",
        parameters=tuple(p for p in whole.parameters if p != given),
        body=(*_unbound(first, saved, whole), *first, nodes.Return(result)),
    )
    backward = replace(
        whole,
        name=f"{whole.name}_backward",
        parameters=(given, *saved),
        body=repeatable(second, saved, whole, _maybe(first, saved, whole)),
        inputs={},
        docstring="",
    )
    return Pair(forward, backward, saved)


def _unbound(block: Block, saved: tuple[str, ...], whole: Function) -> Block:
    """What is saved but bound on some paths only is None on the others."""
    return tuple(nodes.Assign((n,), (_NOTHING,)) for n in _maybe(block, saved, whole))


def _maybe(block: Block, saved: tuple[str, ...], whole: Function) -> list[str]:
    """The names that hold None where no statement of the block itself binds them."""
    bound = (
        t for s in block if not nodes.blocks(s) and not _is_nothing(s) for t in nodes.targets_of(s)
    )
    read = (surely_read(e) for s in block for e in nodes.expressions(s))  # or it was an error
    sure = {*whole.inputs, *whole.parameters, *bound}.union(*read)
    return [n for n in saved if n not in sure]


def _is_nothing(stmt: Stmt) -> bool:
    """`x = None`: what the code binds to something on some paths only."""
    values = stmt.values if isinstance(stmt, nodes.Assign) else ()
    return bool(values) and all(isinstance(v, nodes.Const) and v.value is None for v in values)


__all__ = ["Pair", "cotangents_of", "pullback"]
