"""Floor 5: from a lowered function to the function that computes value and cotangents."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.activity import Activity
from s2sgrad.analysis.effects import Effects, effects, root
from s2sgrad.analysis.liveness import without_dead_moves
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.state import residual
from s2sgrad.frontend.values import Dyn, Heap, Instance, Sequence, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Stmt, Var
from s2sgrad.ir.types import NONE, Array, Known, List, Number, Scalar, Tuple, Type, carries
from s2sgrad.transform.adjoint import Facts
from s2sgrad.transform.aliases import find_aliases
from s2sgrad.transform.bars import OWNED, SET, bar_type
from s2sgrad.transform.coalesce import coalesce, rename
from s2sgrad.transform.expand import Sizes
from s2sgrad.transform.normalize import Splitter, index_loops
from s2sgrad.transform.reverse import Reversal
from s2sgrad.transform.saving import Plan
from s2sgrad.transform.tidy import inline_temporaries, without_unused


@dataclass(frozen=True)
class Request:
    """What to differentiate. wrt: argument names; value: return the value too; aux: the
    function returns (value, aux)."""

    wrt: tuple[str, ...]
    single: bool
    value: bool
    aux: bool = False


@dataclass
class Primal:
    """A lowered function made ready: named result, merged variables, copies of inputs."""

    function: Function
    names: Names
    bases: dict[str, str]
    output: Expr
    seeds: tuple[str, ...]
    leaves: dict[str, str]  # input leaf -> variable that holds it now
    inputs: dict[str, Expr]
    origin: dict[str, Expr]
    outside: frozenset[str] = frozenset()


def output_type(lowered: Any) -> Type:
    """The type of what the function returns."""
    return residual(lowered.result, lowered.lowering.state).type


def leaf_names(value: Value, heap: dict[int, Any]) -> list[str]:
    """The input variables in an argument, in order."""
    if isinstance(value, Dyn) and isinstance(value.expr, Var):
        return [value.expr.name]
    if isinstance(value, Heap):
        contents = heap[value.id]
        if isinstance(contents, Sequence):
            parts: Any = contents.items
        else:
            table = contents.fields if isinstance(contents, Instance) else contents.items
            parts = [v for _, v in table]
        return [name for part in parts for name in leaf_names(part, heap)]
    return []


def prepare(lowered: Any, result: Value, nested: bool = False) -> Primal:
    """Name the result (all parts of it where `nested`), and merge variables."""
    state = lowered.lowering.state
    function: Function = lowered.function
    builder = lowered.lowering.builder
    output = residual(result, state)
    body = list(function.body)
    types = dict(builder.types)
    outputs: list[str] = []

    def named(expr: Expr, base: str) -> Expr:
        if isinstance(expr, Var):
            outputs.append(expr.name)
            return expr
        if isinstance(expr, nodes.Const):
            return expr
        name = builder.names.fresh(base)
        builder.bases[name] = base
        types[name] = expr.type
        body.append(nodes.Assign((name,), (expr,), span=expr.span))
        outputs.append(name)
        return Var(name, type=expr.type)

    def taken_apart(expr: Expr, base: str) -> Expr:
        if isinstance(expr, nodes.Sequence):
            items = tuple(taken_apart(e, f"{base}_{i}") for i, e in enumerate(expr.items))
            return replace(expr, items=items)
        if isinstance(expr, nodes.Mapping):
            pairs = zip(expr.keys, expr.values, strict=True)
            return replace(expr, values=tuple(taken_apart(e, _label(k, base)) for k, e in pairs))
        return named(expr, base)

    if nested:
        output = taken_apart(output, "value")
    elif isinstance(output, nodes.Sequence) and isinstance(result, Heap):
        items = tuple(named(i, "value" if n == 0 else "aux") for n, i in enumerate(output.items))
        output = replace(output, items=items)
    else:
        output = named(output, "value")
    live = frozenset(outputs)
    cleaned = without_dead_moves(tuple(body), live)
    function = replace(function, body=cleaned, types=types)
    fixed = frozenset(function.inputs)
    function, renamed = coalesce(function, live, builder.bases, fixed=fixed)
    new_bases = {renamed.get(k, k): v for k, v in builder.bases.items()}

    def renew(expr: Expr) -> Expr:
        return (
            replace(expr, name=renamed.get(expr.name, expr.name)) if isinstance(expr, Var) else expr
        )

    from s2sgrad.transform.rewrite import map_expr

    output = map_expr(output, renew)
    taken = set(function.types) | set(function.parameters)
    return Primal(
        function,
        Names(taken),
        new_bases,
        output,
        tuple(renamed.get(n, n) for n in outputs),
        {},
        dict(function.inputs),
        dict(lowered.letters.origin),
        _outside(lowered, renamed, function.types),
    )


def _outside(lowered: Any, renamed: dict[str, str], types: dict[str, Type]) -> frozenset[str]:
    """Variables that hold arrays and lists read from outside."""
    names = {renamed.get(n, n) for n in lowered.lowering.outside_variables}
    return frozenset(n for n in names if not isinstance(types.get(n), Scalar))


def _label(key: Expr, base: str) -> str:
    text = str(key.value) if isinstance(key, nodes.Const) else ""
    return text if text.isidentifier() else f"{base}_item"


def _refuse_outside(primal: Primal, found: Effects) -> None:
    """Globals and closure variables must not change."""
    for stmt in nodes.walk_block(primal.function.body):
        if not isinstance(stmt, nodes.Store | nodes.Mutate):
            continue
        name = root(stmt.base)
        if name is not None and any(found.find(o) == found.find(name) for o in primal.outside):
            raise UnsupportedError(
                "writing into an array or list from outside",
                stmt.span,
                "a gradient call must leave globals and closure variables as they were",
                "make a copy inside the function: table = TABLE.copy()",
            )


def copy_written_inputs(primal: Primal, found: Effects) -> None:
    """The caller's arrays and lists stay as they are: what is written in place is copied."""
    function = primal.function
    _refuse_outside(primal, found)
    leaves = [*primal.inputs, *(p for p in function.parameters if p in function.types)]
    copies: list[Stmt] = []
    names: dict[str, str] = {}
    for leaf in leaves:
        kind = function.types.get(leaf)
        resized = isinstance(kind, List) and found.find(leaf) in found.resized
        touched = found.is_written(leaf) or resized
        if kind is None or not touched or isinstance(kind, Scalar):
            continue
        name = primal.names.fresh(leaf)
        names[leaf] = name
        primal.bases[name] = primal.bases.get(leaf, leaf)
        source = Var(leaf, type=kind)
        if isinstance(kind, Array):
            value: Expr = Call(np.copy, "copy", (source,), form="method", type=kind)
        else:
            value = Call(s2sgrad_runtime.copy_tree, "copy_tree", (source,), type=kind)
        copies.append(nodes.Assign((name,), (value,)))
    if names:
        renamed = rename(replace(function, parameters=()), names)
        types = {**function.types, **renamed.types}
        primal.function = replace(function, body=(*copies, *renamed.body), types=types)
        primal.leaves = names


@dataclass
class Sweeps:
    """The two halves of a gradient, before they are put together."""

    primal: Primal
    forward: list[Stmt]
    reverse: list[Stmt]
    reversal: Reversal
    wanted: set[str]

    @property
    def types(self) -> dict[str, Type]:
        return self.reversal.facts.types


def sweeps(primal: Primal, wanted: set[str], seeds: dict[str, Expr | None]) -> Sweeps:
    """Reverse a function. wanted: the input variables to differentiate by.

    seeds: result variable -> its cotangent; None for the literal 1.
    """
    copy_written_inputs(primal, effects(primal.function.body))
    body = index_loops(
        primal.function.body, effects(primal.function.body), primal.names, primal.function.types
    )
    types = dict(primal.function.types)
    shared = effects(body)
    activity = Activity(body, types, shared, wanted, set(seeds))
    body = Splitter(activity, primal.names, types).block(body)
    shared = effects(body)
    live = frozenset(primal.seeds)
    aliases = find_aliases(body, shared, live)
    sizes = Sizes(primal.origin)
    plan = Plan(body, shared, aliases, live)
    _run(
        body,
        Facts(activity, aliases, dict(types), sizes, copy.deepcopy(primal.names)),
        shared,
        plan,
        seeds,
    )
    plan.decide()
    facts = Facts(activity, aliases, types, sizes, primal.names)
    forward, reverse, reversal = _run(body, facts, shared, plan, seeds)
    return Sweeps(primal, forward, reverse, reversal, wanted)


def differentiate(
    lowered: Any, request: Request, arguments: dict[str, Value], heap: dict[int, Any]
) -> Function:
    """The function that returns the gradient (and the value)."""
    primal = prepare(lowered, lowered.result)
    wanted = wanted_leaves(primal, [arguments[a] for a in request.wrt], heap)
    made = sweeps(primal, wanted, dict.fromkeys(primal.seeds[:1] if request.aux else primal.seeds))
    grads: list[Expr] = []
    extra: list[Stmt] = []
    for name in request.wrt:
        grads.append(gradient_of(arguments[name], heap, made, extra))
    output = grads[0] if request.single else tuple_of(grads)
    if request.value:
        output = tuple_of([_captured(primal, made.forward, made.reverse, made.types), output])
    body = (*made.forward, nodes.Comment(""), *made.reverse, *extra, nodes.Return(output))
    return finished(
        made, body, f"{primal.function.name}_grad", (*primal.function.parameters, *lowered.captures)
    )


def wanted_leaves(primal: Primal, values: list[Value], heap: dict[int, Any]) -> set[str]:
    """The input variables in these arguments that can carry derivatives."""
    found = (n for v in values for n in leaf_names(v, heap))
    return {n for n in found if carries(primal.function.types[n])}


def _captured(
    primal: Primal, forward: list[Stmt], reverse: list[Stmt], types: dict[str, Type]
) -> Expr:
    """The result; what the reverse sweep brings back to an older state is kept aside first."""
    changed: set[str] = set()
    for stmt in nodes.walk_block(tuple(reverse)):
        changed |= set(nodes.targets_of(stmt))
        if isinstance(stmt, nodes.Store | nodes.Mutate):
            changed |= {root(stmt.base) or ""}

    def kept(expr: Expr) -> Expr:
        if not isinstance(expr, Var) or expr.name not in changed:
            return expr
        name = primal.names.fresh("value")
        types[name] = expr.type
        held = Call(s2sgrad_runtime.copy_tree, "copy_tree", (expr,), type=expr.type)
        forward.append(nodes.Assign((name,), (expr if isinstance(expr.type, Scalar) else held,)))
        return Var(name, type=expr.type)

    if isinstance(primal.output, nodes.Sequence):
        return replace(primal.output, items=tuple(map(kept, primal.output.items)))
    return kept(primal.output)


def _run(
    body: Block, facts: Facts, shared: Effects, plan: Plan, seeds: dict[str, Expr | None]
) -> tuple[list[Stmt], list[Stmt], Reversal]:
    sweep = Reversal(facts, shared, plan)
    changed = [n for n in facts.types if shared.is_written(n) or shared.find(n) in shared.resized]
    bars = [sweep.bars.variable(n).name for n in changed if n in facts.activity.variables]
    sweep.bars.buffers = frozenset([*changed, *bars])
    start = [stmt for name, bar in seeds.items() for stmt in _seed(sweep, name, bar)]
    forward, reverse = sweep.block(body)
    start = [s for s in start if not set(nodes.targets_of(s)) & sweep.spent]
    return forward, [*start, *reverse], sweep


def _seed(sweep: Reversal, name: str, value: Expr | None) -> list[Stmt]:
    """Set the cotangent of a result; 1 where none is given."""
    facts = sweep.facts
    if name not in facts.activity.variables:
        return []
    if value is not None and (name in facts.aliases or sweep.bars.is_set(name)):
        return sweep.bars.add(Var(name, type=facts.types[name]), value)
    if isinstance(value, Var):  # a parameter of the reverse code takes the cotangent's place
        sweep.bars.variables[name] = value.name
        facts.types[value.name] = bar_type(facts.types[name])
        sweep.bars.state[name] = SET
        return []
    bar = sweep.bars.variable(name)
    if value is None:
        value = nodes.Const(1.0, type=Scalar("float", None, 1.0))
        facts.types[bar.name] = facts.types[name]
        sweep.bars.constants[name] = value
    sweep.bars.state[name] = OWNED if isinstance(value, nodes.Const) else SET
    return [nodes.Assign((bar.name,), (value,))]


def gradient_of(value: Value, heap: dict[int, Any], made: Sweeps, extra: list[Stmt]) -> Expr:
    """The cotangent of an argument in the argument's own structure."""
    sweep, primal = made.reversal, made.primal
    match value:
        case Dyn(expr=Var(name=name)):
            kind = sweep.facts.types[name]
            if not carries(kind):
                return nodes.Const(None, type=NONE)
            if (
                name in primal.leaves
                and name not in sweep.bars.state
                and primal.leaves[name] in sweep.bars.state
            ):
                name = primal.leaves[name]
            if sweep.bars.is_set(name):
                extra += sweep.bars.flush([name])
                bar = sweep.bars.variable(name)
                if isinstance(kind, List) and _holds_tuples(kind):
                    leaf = value.expr
                    return Call(
                        s2sgrad_runtime.in_structure, "in_structure", (bar, leaf), type=kind
                    )
                return _kept_narrow(bar, kind, sweep.facts.types)
            return sweep.bars.zero(name)
        case Static():
            return nodes.Const(None, type=NONE)
        case Heap(id=identity):
            contents = heap[identity]
            if isinstance(contents, Sequence):
                parts = tuple(gradient_of(v, heap, made, extra) for v in contents.items)
                return nodes.Sequence(
                    contents.kind, parts, type=Tuple(tuple(p.type for p in parts))
                )
            table = contents.fields if isinstance(contents, Instance) else contents.items
            keys = tuple(nodes.Const(k, type=Known(k)) for k, _ in table)
            values = tuple(gradient_of(v, heap, made, extra) for _, v in table)
            return nodes.Mapping(keys, values)
    return nodes.Const(None, type=NONE)


_NARROW = ("float16", "float32", "complex64")


def _kept_narrow(bar: Var, kind: Type, types: dict[str, Type]) -> Expr:
    """The cotangent in the argument's own dtype, where wider numbers may have got into it."""
    if not isinstance(kind, Array | Scalar) or kind.dtype not in _NARROW:
        return bar
    found = {k.dtype for k in types.values() if isinstance(k, Array | Number | Scalar)}
    if found <= {kind.dtype, "bool", "int", "float"}:  # Python's own numbers don't widen
        return bar
    dtype = nodes.Ref(
        f"np.{kind.dtype}", np.dtype(kind.dtype).type, type=Known(np.dtype(kind.dtype).type)
    )
    if isinstance(kind, Scalar):
        return Call(dtype.value, dtype.text, (bar,), type=kind)
    return Call(np.astype, "astype", (bar, dtype), form="method", type=kind)


def _holds_tuples(kind: Type) -> bool:
    if isinstance(kind, List):
        return _holds_tuples(kind.item)
    return isinstance(kind, Tuple)


def tuple_of(parts: list[Expr]) -> Expr:
    """A tuple display."""
    return nodes.Sequence("tuple", tuple(parts), type=Tuple(tuple(p.type for p in parts)))


def finished(made: Sweeps, body: Block, name: str, parameters: tuple[str, ...]) -> Function:
    """Tidy up and name variables."""
    primal, sweep = made.primal, made.reversal
    bar_names = set(sweep.bars.variables.values())
    primals = set(primal.inputs) | sweep.primals
    temporaries = {n for n in sweep.facts.types if n not in primals}
    body = without_unused(body, frozenset())
    body = inline_temporaries(body, (temporaries | bar_names) - set(parameters))
    function = replace(
        primal.function,
        name=name,
        parameters=parameters,
        body=body,
        types=dict(sweep.facts.types),
        inputs=primal.inputs,
    )
    bases = {n: _base(n, primal, sweep) for n in sweep.facts.types}
    function, _ = coalesce(
        function, frozenset(), bases, same_base=True, fixed=frozenset(primal.inputs)
    )
    return function


def _base(name: str, primal: Primal, sweep: Reversal) -> str:
    from s2sgrad.transform.coalesce import base_name

    if name in primal.bases:
        return primal.bases[name]
    for variable, bar in sweep.bars.variables.items():
        if bar == name:
            return f"{primal.bases.get(variable, base_name(variable))}_bar"
    return base_name(name)


__all__ = ["List", "Request", "differentiate"]
