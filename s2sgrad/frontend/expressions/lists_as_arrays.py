"""Floor 4: lists and tuples of numbers that NumPy functions get where they mean arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.analysis.activity import rule_of, works_by_entries
from s2sgrad.analysis.infer import infer_call
from s2sgrad.analysis.lists import as_array
from s2sgrad.frontend.expressions.counted_lists import counted_lists
from s2sgrad.frontend.relations import display_type
from s2sgrad.frontend.state import joined
from s2sgrad.ir import nodes
from s2sgrad.ir.types import List, Maybe, Number, Opaque, Tuple, carries
from s2sgrad.rules.declare import Rule


def arrays_for_lists(
    function: Any,
    exprs: tuple[nodes.Expr, ...],
    form: str = "call",
    block: Sequence[nodes.Stmt] = (),
) -> tuple[nodes.Expr, ...]:
    """Lists of numbers passed where a rule expects an array become arrays. block: the statements
    before the call, which tell how long a list is."""
    return counted_lists(function, _arrays_for_lists(function, exprs, form), block)


def _arrays_for_lists(
    function: Any, exprs: tuple[nodes.Expr, ...], form: str
) -> tuple[nodes.Expr, ...]:
    if form == "operator" and _may_join(exprs):
        return exprs
    module = getattr(function, "__module__", None) or ""
    rule = rule_of(function)
    if isinstance(function, np.ufunc) or works_by_entries(function):
        return tuple(map(_array_of, exprs))  # as NumPy does, but once
    ours = module.startswith("s2sgrad_runtime")  # they mean what they are given
    if ours or not any(isinstance(e.type, List | Tuple) for e in exprs):
        return exprs
    exprs = exprs if function in (np.array, np.block) else tuple(map(_inner_arrays, exprs))
    if rule is None or rule.kind in ("zero", "none") or function is np.array:
        return exprs
    return tuple(_operand(rule, i, expr) for i, expr in enumerate(exprs))


def _may_join(exprs: tuple[nodes.Expr, ...]) -> bool:
    """Whether `+` joins a display to what a library returned, or adds, as a run decides."""
    outside = [_from_outside(e) for e in exprs]
    return any(outside) and all(o or not _varies(e) for o, e in zip(outside, exprs, strict=True))


def _from_outside(expr: nodes.Expr) -> bool:
    """Whether a value may be an array, a number, a list or a tuple, for all that is known."""
    return isinstance(expr.type, Opaque) or expr.type == Number()


def _varies(expr: nodes.Expr) -> bool:
    """Whether what a display holds is not written in the code."""
    return any(isinstance(e, nodes.Var | nodes.Index | nodes.Call) for e in nodes.walk(expr))


def _operand(rule: Rule, i: int, expr: nodes.Expr) -> nodes.Expr:
    """The i-th argument of a function with a rule: an array where that means one, and holds what
    may vary or what the partials of others compute with."""
    leading = rule.parameters.index(rule.variadic) if rule.variadic else len(rule.parameters)
    name = rule.parameters[i] if i < leading else rule.variadic
    if name is None or name not in rule.arguments:
        return expr
    if name == rule.variadic:
        return _made_array(expr) if _is_list(expr) and carries(expr.type) else expr
    read = name in rule.partials and any(name in p.reads for p in rule.partials.values())
    if name in rule.sequences:
        return _inner_arrays(expr, integers=True) if read else expr
    if isinstance(expr.type, List | Tuple) and carries(expr.type):
        return _made_array(expr)
    return _array_of(expr) if read else expr


def arrays_by_name(
    function: Any, named: dict[str, nodes.Expr]
) -> tuple[tuple[str, nodes.Expr], ...]:
    """The same for arguments that are given by name, where they are those of the rule."""
    rule = rule_of(function)
    match named.get("axis"):
        case nodes.Sequence(kind="list", items=items) as axes:  # few functions take lists of axes
            kind = Tuple(tuple(i.type for i in items))
            named = named | {"axis": replace(axes, kind="tuple", type=kind)}
    if isinstance(function, np.ufunc) or rule is None or rule.kind in ("zero", "none"):
        return tuple(named.items())
    if rule.kind == "elementwise":
        return tuple((k, _array_of(e) if k in rule.parameters else e) for k, e in named.items())
    places = {k: rule.parameters.index(k) for k in named if k in rule.arguments}
    return tuple((k, _operand(rule, places[k], e) if k in places else e) for k, e in named.items())


def _array_of(expr: nodes.Expr) -> nodes.Expr:
    """A list or tuple of numbers, or of arrays, as an array."""
    kind = display_type(expr)
    made = as_array(kind) if isinstance(kind, List | Tuple) else kind
    if made is not kind:
        return nodes.Call(np.array, "np.array", (expr,), type=made, span=expr.span)
    return _made_array(expr) if isinstance(kind, List | Tuple) and carries(kind) else expr


def _made_array(expr: nodes.Expr) -> nodes.Expr:
    kind = infer_call(np.array, (display_type(expr),), {})
    return nodes.Call(np.array, "np.array", (expr,), type=kind, span=expr.span)


def _without_none(expr: nodes.Expr) -> nodes.Expr:
    """A list that may be None as the list that it is where the call does not fail."""
    kind = expr.type.item if isinstance(expr.type, Maybe) else None
    return replace(expr, type=kind) if isinstance(kind, List | Tuple) else expr


def _is_list(expr: nodes.Expr) -> bool:
    return isinstance(expr.type, List | Tuple)


def _inner_arrays(expr: nodes.Expr, integers: bool = False) -> nodes.Expr:
    """Lists inside a sequence of arrays become arrays: `np.concatenate([x, [s]])`.

    integers: displays of integers too.
    """
    given = tuple(map(_without_none, expr.items)) if isinstance(expr, nodes.Sequence) else ()
    if not isinstance(expr, nodes.Sequence) or not any(map(_is_list, given)):
        return expr
    items = []
    for item in given:
        is_display = isinstance(item, nodes.Sequence)
        if _is_list(item) and (carries(item.type) or (integers and is_display)):
            item = _made_array(item)
        items.append(item)
    kinds = tuple(i.type for i in items)
    kind = Tuple(kinds) if expr.kind == "tuple" else List(joined(kinds))
    return nodes.Sequence(expr.kind, tuple(items), type=kind, span=expr.span)


__all__ = ["arrays_by_name", "arrays_for_lists"]
