"""Floor 5: from a lowered function to the one that computes its value and its tangent."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from s2sgrad.analysis.activity import Activity
from s2sgrad.analysis.effects import effects, root
from s2sgrad.analysis.held import deciding_layouts
from s2sgrad.analysis.masking import Masking
from s2sgrad.analysis.unclear import refuse_unclear, refuse_unfollowed
from s2sgrad.frontend.values import Value
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Function, Stmt, Var
from s2sgrad.ir.types import Tuple, Type, carries
from s2sgrad.transform.forward.forward import ForwardSweep, pushed_parameters
from s2sgrad.transform.forward.tangent import Tangents
from s2sgrad.transform.preparing.coalesce import base_name, coalesce
from s2sgrad.transform.preparing.normalize import Splitter
from s2sgrad.transform.preparing.primal import Primal, copy_written_inputs, leaf_names, prepare
from s2sgrad.transform.reverse.adjoint import Facts
from s2sgrad.transform.reverse.bar_values import bar_type
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.expand import Sizes
from s2sgrad.transform.writing.rewrite import map_block, map_expr, map_stmt_exprs
from s2sgrad.transform.writing.self_fed import without_unread
from s2sgrad.transform.writing.shared_calls import with_shared_calls
from s2sgrad.transform.writing.tidy import inline_temporaries
from s2sgrad.transform.writing.unbound import with_moved_bound


class ForwardSplitter(Splitter):
    """Names what the tangents read; loops are no reason to compute anything twice."""

    @property
    def depth(self) -> int:
        """Always 0: loops are no reason to compute anything twice."""
        return 0

    @depth.setter
    def depth(self, value: int) -> None:
        """Always 0: loops are no reason to compute anything twice."""
        pass


def push_forward(
    lowered: Any,
    wrt: tuple[str, ...],
    arguments: dict[str, Value],
    heap: dict[int, Any],
    zeros: bool = False,
    only_dot: bool = False,
) -> Function:
    """The function `(arguments, tangents of wrt) -> (y, y_dot)`, or -> y_dot for only_dot.

    A tangent has the structure of its argument; the parameter of `x` is called `x_dot`. zeros:
    the tangents hold zeros, which shall stay so where they meet an infinite slope.
    """
    primal = prepare(lowered, lowered.result, nested=True)
    copy_written_inputs(primal, effects(primal.function.body))
    body, types = primal.function.body, dict(primal.function.types)
    given = {*primal.inputs, *primal.function.parameters, *lowered.captures}
    body = with_moved_bound(body, {n: t for n, t in types.items() if n not in given})
    wanted = [n for a in wrt for n in leaf_names(arguments[a], heap) if carries(types[n])]
    activity = Activity(body, types, effects(body), set(wanted), set(primal.seeds))
    refuse_unfollowed(activity)
    refuse_unclear(activity, set(primal.seeds))
    before = set(types)
    body = ForwardSplitter(activity, primal.names, types).block(body)
    temporaries = set(types) - before
    own = before - set(primal.seeds)  # the user's names: their tangents stand beside them
    shared = effects(body)
    sizes, masking = (
        Sizes(primal.origin),
        Masking(body, frozenset(wanted) if zeros else frozenset()),
    )
    layouts = deciding_layouts(body, shared)
    facts = Facts(activity, {}, types, sizes, primal.names, masking=masking, layouts=layouts)
    dots: dict[str, str] = {}
    parameters, inputs = _tangent_inputs(primal, wrt, arguments, heap, wanted, dots, facts)
    named = set(types)
    sweep = ForwardSweep(facts, shared, dots)
    start = _constants(primal, activity, wanted, facts, dots)
    statements = [*start, *sweep.block(body)]
    return _finished(
        primal,
        lowered,
        statements,
        facts,
        dots,
        parameters,
        inputs,
        temporaries | (set(types) - named - {dots[name] for name in own if name in dots}),
        only_dot,
    )


def push_recursive(pair: Any) -> Function:
    """The forward mode of a recursive function, by all of its arguments that carry floats."""
    lowered = pair.lowered
    function = push_forward(lowered, pushed_parameters(pair), lowered.arguments, {})
    return replace(function, name=f"{pair.name}_jvp")


def _tangent_inputs(
    primal: Primal,
    wrt: tuple[str, ...],
    arguments: dict[str, Value],
    heap: dict[int, Any],
    wanted: list[str],
    dots: dict[str, str],
    facts: Facts,
) -> tuple[dict[str, str], dict[str, Expr]]:
    """Argument -> parameter of its tangent, and the places where the leaves' tangents are."""
    parameters: dict[str, str] = {}
    inputs: dict[str, Expr] = {}
    for name in wrt:
        parameters[name] = primal.names.fresh(f"{_plain(name)}_dot")
        for leaf in leaf_names(arguments[name], heap):
            if leaf not in wanted:
                continue
            if leaf == name and leaf not in primal.inputs:
                dots[leaf] = parameters[name]
            else:
                dots[leaf] = primal.names.fresh(f"{leaf}_dot")
                inputs[dots[leaf]] = _moved(primal.inputs[leaf], name, parameters[name], arguments)
            facts.types[dots[leaf]] = bar_type(facts.types[leaf])
    return parameters, inputs


def _plain(name: str) -> str:
    """A name for `args[0]` and the like."""
    return re.sub(r"\W+", "_", name).strip("_")


def _moved(path: Expr, parameter: str, tangent: str, arguments: dict[str, Value]) -> Expr:
    """The same place in the tangent's structure. A member of `*args` has a tangent of its own."""
    member = parameter not in arguments or "[" in parameter

    def on_expr(expr: Expr) -> Expr:
        if member and isinstance(expr, nodes.Index) and _is_member(expr, parameter):
            return Var(tangent, type=expr.type)
        return (
            replace(expr, name=tangent)
            if isinstance(expr, Var) and expr.name == parameter
            else expr
        )

    return map_expr(path, on_expr)


def _is_member(expr: nodes.Index, name: str) -> bool:
    base, (key,) = expr.base, expr.index
    return (
        isinstance(base, Var)
        and isinstance(key, nodes.Const)
        and name == f"{base.name}[{key.value!r}]"
    )


def _constants(
    primal: Primal, activity: Activity, wanted: list[str], facts: Facts, dots: dict[str, str]
) -> list[Stmt]:
    """Zero tangents of inputs that share memory with something active."""
    found: list[Stmt] = []
    tangents = Tangents(facts, dots)
    for leaf in [*primal.inputs, *(p for p in primal.function.parameters if p in facts.types)]:
        if leaf in activity.variables and leaf not in wanted:
            zero = tangents.zero(Var(leaf, type=facts.types[leaf]))
            found.append(nodes.Assign((tangents.variable(leaf).name,), (zero,)))
    return found


def _finished(
    primal: Primal, lowered: Any, statements: list[Stmt], facts: Facts, dots: dict[str, str],
    parameters: dict[str, str], inputs: dict[str, Expr], temporaries: set[str], only_dot: bool,
) -> Function:  # fmt: skip
    """The result, tidied up, with final names."""
    tangents = Tangents(facts, dots)
    dot = tangents.dot(primal.output)
    dot = tangents.zero(primal.output) if dot is None else dot
    pair = (primal.output, dot)
    output: Expr = nodes.Sequence("tuple", pair, type=Tuple(tuple(p.type for p in pair)))
    output = dot if only_dot else output
    body = without_unread((*statements, nodes.Return(output)))
    body = inline_temporaries(body, temporaries)
    body = _signs_outwards(body, set(dots.values()))
    body = with_shared_calls(body, facts)
    all_inputs = {**primal.inputs, **inputs}
    function = replace(
        primal.function,
        name=f"{primal.function.name}_jvp",
        parameters=(*primal.function.parameters, *parameters.values(), *lowered.captures),
        body=body,
        types=dict(facts.types),
        inputs=all_inputs,
    )
    function, _ = coalesce(
        function,
        frozenset(),
        _bases(primal, dots, facts.types),
        same_base=True,
        fixed=frozenset(all_inputs),
    )
    return function


def _signs_outwards(body: Block, tangents: set[str]) -> Block:
    """`a + -b * c` as `a - b * c`, in the statements that set tangents."""

    def on_expr(expr: Expr) -> Expr:
        plain = isinstance(expr, nodes.Call) and expr.form == "operator" and len(expr.args) == 2
        if plain and expr.text in ("+", "-", "*", "/") and any(map(build.is_negative, expr.args)):  # type: ignore[attr-defined]
            return build.binary(expr.text, *expr.args)  # type: ignore[attr-defined]
        return expr

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        name = root(stmt.base) if isinstance(stmt, nodes.Store) else None
        set_here = {name} if name is not None else set(nodes.targets_of(stmt))
        ours = isinstance(stmt, nodes.Assign | nodes.Store) and set_here and set_here <= tangents
        return [map_stmt_exprs(stmt, on_expr) if ours else stmt]

    return map_block(body, lambda expr: expr, on_stmt)


def _bases(primal: Primal, dots: dict[str, str], types: dict[str, Type]) -> dict[str, str]:
    """Name -> the name it should print as, if it is free."""
    found = {n: primal.bases.get(n, base_name(n)) for n in types}
    for name, dot in dots.items():
        found[dot] = f"{primal.bases.get(name, base_name(name))}_dot"
    return found


__all__ = ["push_forward", "push_recursive"]
