"""Floor 5: from a lowered function to the function that computes value and cotangents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.effects import effects, holds_arrays, root
from s2sgrad.analysis.maybe_real import may_be_real
from s2sgrad.frontend.state import constant
from s2sgrad.frontend.values import Dyn, Heap, Instance, Sequence, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.decisions import Decision
from s2sgrad.ir.dtypes import is_complex_dtype, is_long_dtype
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Stmt, Var
from s2sgrad.ir.types import (
    NONE,
    Array,
    Known,
    List,
    Number,
    Scalar,
    Tuple,
    Type,
    carries,
)
from s2sgrad.transform.preparing.coalesce import base_name, coalesce
from s2sgrad.transform.preparing.primal import Primal, prepare, wanted_leaves
from s2sgrad.transform.reverse.own_results import own_results
from s2sgrad.transform.reverse.sweeps import Sweeps, sweeps
from s2sgrad.transform.reverse.writable_results import with_writable_results
from s2sgrad.transform.saving.repeats import without_repeats
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.counted import with_counts
from s2sgrad.transform.writing.displays import with_displays, with_short_arrays
from s2sgrad.transform.writing.filled_lists import with_filled_lists
from s2sgrad.transform.writing.first_terms import with_number_zeros
from s2sgrad.transform.writing.idle_branches import without_idle_branches
from s2sgrad.transform.writing.idle_copies import without_idle_copies
from s2sgrad.transform.writing.idle_writes import (
    with_joined_writes,
    with_updates,
    without_idle_writes,
)
from s2sgrad.transform.writing.joined_steps import joined_copies, joined_steps
from s2sgrad.transform.writing.joined_sums import joined_sums
from s2sgrad.transform.writing.literal_bars import with_literal_bars
from s2sgrad.transform.writing.measured import with_lengths_of_inputs
from s2sgrad.transform.writing.own_entries import with_own_entries
from s2sgrad.transform.writing.plain_lists import with_items_taken, with_plain_lists
from s2sgrad.transform.writing.restored_names import without_restored_names
from s2sgrad.transform.writing.self_fed import without_unread
from s2sgrad.transform.writing.shared_calls import with_shared_calls
from s2sgrad.transform.writing.taken_apart import taken_apart
from s2sgrad.transform.writing.tidy import (
    inline_temporaries,
    without_unused,
)


@dataclass(frozen=True)
class Request:
    """What to differentiate. wrt: argument names; value: return the value too; aux: the
    function returns (value, aux). loops: the code will be compiled, as loops over entries.
    again: the code will be differentiated again."""

    wrt: tuple[str, ...]
    single: bool
    value: bool
    aux: bool = False
    loops: bool = False
    again: bool = False


def differentiate(
    lowered: Any, request: Request, arguments: dict[str, Value], heap: dict[int, Any]
) -> Function:
    """The function that returns the gradient (and the value)."""
    primal = prepare(lowered, lowered.result, loops=request.loops)
    primal.function = _with_real_result(primal)
    wanted = wanted_leaves(primal, [arguments[a] for a in request.wrt], heap)
    seeds = dict.fromkeys(primal.seeds[:1] if request.aux else primal.seeds)
    made = sweeps(primal, wanted, seeds, taped=not request.again)
    grads: list[Expr] = []
    extra: list[Stmt] = []
    for name in request.wrt:
        grads.append(gradient_of(arguments[name], heap, made, extra))
    output = grads[0] if request.single else tuple_of(grads)
    if request.value:
        output = tuple_of([_captured(primal, made.forward, made.reverse, made.types), output])
    given = (*primal.function.parameters, *lowered.captures)
    body = (*made.forward, nodes.Comment(""), *made.reverse, *extra)
    own = own_results(grads, body, frozenset(given) | {*primal.inputs}, request.again)
    body = (*body, *own, nodes.Return(output))
    last = not (request.loops or request.again)
    function = finished(made, body, f"{primal.function.name}_grad", given, last)
    written = with_writable_results(function.body, request.value, request.again)
    return replace(function, body=written)


def _with_real_result(primal: Primal) -> Function:
    """The function; a result that may be complex, by its type, must be real when the code runs."""
    function = primal.function
    kind = function.types.get(primal.seeds[0]) if primal.seeds else None
    if not isinstance(kind, Scalar | Array | Number) or not is_complex_dtype(kind.dtype):
        return function
    if kind.dtype is not None and not may_be_real(function.body, function.types):
        return function
    name = nodes.Const(function.name, type=Known(function.name))
    args = (Var(primal.seeds[0], type=kind), name)
    call = Call(s2sgrad_runtime.refuse_complex, "refuse_complex", args, type=NONE)
    return replace(function, body=(*function.body, nodes.Do(call)))


def _captured(
    primal: Primal, forward: list[Stmt], reverse: list[Stmt], types: dict[str, Type]
) -> Expr:
    """The result; what the reverse sweep brings back to an older state is kept aside first."""
    bound: set[str] = set()
    written: set[str] = set()
    shared = effects((*forward, *reverse))
    for stmt in nodes.walk_block(tuple(reverse)):
        bound |= set(nodes.targets_of(stmt))
        if isinstance(stmt, nodes.Store | nodes.Mutate):
            written |= {shared.find(root(stmt.base) or "")}

    def kept(expr: Expr) -> Expr:
        if not isinstance(expr, Var):
            return expr
        inside = holds_arrays(expr.type) and shared.find(expr.name) in written
        if expr.name not in bound and not inside:
            return expr
        name = primal.names.fresh("value")
        types[name] = expr.type
        held = Call(s2sgrad_runtime.copy_tree, "copy_tree", (expr,), type=expr.type)
        forward.append(nodes.Assign((name,), (expr if isinstance(expr.type, Scalar) else held,)))
        return Var(name, type=expr.type)

    if isinstance(primal.output, nodes.Sequence):
        return replace(primal.output, items=tuple(map(kept, primal.output.items)))
    return kept(primal.output)


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
                given = value.expr.type
                if isinstance(given, List) and _differs_from_bar(given):
                    leaf = value.expr
                    return Call(
                        s2sgrad_runtime.in_structure, "in_structure", (bar, leaf), type=given
                    )
                return _of_kind(bar, given, made)
            zero = sweep.bars.zero(name)
            if isinstance(kind, Scalar) and kind.dtype in build.NARROW:
                return Call(*_numpy_scalar(kind.dtype), (zero,), type=kind)
            return zero
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
            keys = tuple(constant(k) for k, _ in table)
            values = tuple(gradient_of(v, heap, made, extra) for _, v in table)
            return nodes.Mapping(keys, values)
    return nodes.Const(None, type=NONE)


def _of_kind(bar: Var, kind: Type, made: Sweeps) -> Expr:
    """The cotangent as the argument is: in its own dtype, which it may have left on the way, and
    an array where that has no axes: sums of such arrays are numbers.

    Inferred types don't tell: a partial that is a mask times the cotangent 1.0 is float64.
    """
    if not isinstance(kind, Array | Scalar):
        return bar
    facts = made.reversal.facts
    whole = isinstance(kind, Array) and facts.activity.may_be_whole
    dtypes = [getattr(k, "dtype", None) for k in facts.types.values()]
    mixed = whole or any(map(is_long_dtype, dtypes))
    if isinstance(kind, Scalar) and any(d in build.NARROW for d in dtypes):
        mixed |= any(map(_unknown, facts.types.values()))  # narrow ones met the number, perhaps
    if kind.dtype is None or (kind.dtype not in build.NARROW and not mixed):
        if isinstance(kind, Array) and kind.shape == () and _may_be_number(bar, made.reverse):
            return Call(np.asarray, "np.asarray", (bar,), type=kind)
        if isinstance(kind, Scalar) and _may_be_array(bar, made.reverse):
            return Call(*_numpy_scalar(np.result_type(kind.dtype).name), (bar,), type=kind)
        return bar
    scalar, text = _numpy_scalar(np.result_type(kind.dtype).name)
    if isinstance(kind, Array):
        dtype = nodes.Ref(text, scalar, type=Known(scalar))
        return Call(np.asarray, "np.asarray", (bar, dtype), type=kind)
    return Call(scalar, text, (bar,), type=kind)


def _unknown(kind: Type) -> bool:
    return isinstance(kind, Number) and getattr(kind, "dtype", None) is None


def _numpy_scalar(dtype: str) -> tuple[Any, str]:
    """NumPy's class of numbers of a dtype, and its name."""
    return np.dtype(dtype).type, f"np.{dtype}"


_FILLED = (s2sgrad_runtime.zeros_like, np.full_like, np.zeros_like, np.ones_like)


def _may_be_number(bar: Var, reverse: list[Stmt]) -> bool:
    """Whether a cotangent is ever set to something else than an array filled like another."""
    return any(
        not (isinstance(v, Call) and v.function in _FILLED) for v in _values_of(bar, reverse)
    )


def _may_be_array(bar: Var, reverse: list[Stmt]) -> bool:
    """Whether the cotangent of a number is ever set to an array without axes."""
    return any(
        isinstance(v, Call) and (v.function in _FILLED or v.function is np.where)
        for v in _values_of(bar, reverse)
    )


def _values_of(bar: Var, reverse: list[Stmt]) -> Iterator[Expr]:
    """What a cotangent is set to."""
    for stmt in nodes.walk_block(tuple(reverse)):
        if isinstance(stmt, nodes.Assign):
            yield from (v for t, v in zip(stmt.targets, stmt.values, strict=True) if t == bar.name)


def _differs_from_bar(kind: Type) -> bool:
    """Whether there are tuples in lists, or arrays whose cotangents may have become wider."""
    if isinstance(kind, List):
        return _differs_from_bar(kind.item)
    narrow = isinstance(kind, Array) and (kind.dtype is None or kind.dtype in build.NARROW)
    return narrow or isinstance(kind, Tuple)


def tuple_of(parts: list[Expr]) -> Expr:
    """A tuple display."""
    return nodes.Sequence("tuple", tuple(parts), type=Tuple(tuple(p.type for p in parts)))


def finished(
    made: Sweeps, body: Block, name: str, parameters: tuple[str, ...], last: bool = False
) -> Function:
    """Tidy up and name variables. last: the code is neither compiled nor differentiated again."""
    primal, sweep = made.primal, made.reversal
    bar_names = set(sweep.bars.variables.values())
    primals = set(primal.inputs) | sweep.primals
    shadows = sweep.facts.shadows.values()
    held = frozenset(n for n in shadows if not isinstance(made.types[n], Array))
    body = without_unread(body, held, raising=True)
    body = without_repeats(_without_measured(body, sweep, held))
    body = with_counts(body, sweep.facts.names.fresh, sweep.facts.types)
    ours = ({n for n in sweep.facts.types if n not in primals} | bar_names) - set(parameters)
    body = without_idle_branches(without_idle_copies(with_literal_bars(body, ours)))
    body = joined_sums(body)
    if last:
        body = with_short_arrays(body, sweep.bars.may_be_real)
    body = inline_temporaries(with_displays(body, sweep.bars.may_be_real), ours)
    if last:
        body = with_filled_lists(_with_number_zeros(body, sweep, held))
    body = with_own_entries(body, sweep.bars.may_be_real, last)
    body = with_shared_calls(body, sweep.facts)
    body = with_joined_writes(_without_idle_writes(joined_copies(body), held))
    body = with_updates(inline_temporaries(without_idle_copies(body), ours))
    bars = frozenset(bar_names | {n for n in sweep.facts.types if "_bar" in n})
    body = taken_apart(without_restored_names(joined_steps(body), bars, ours - bar_names))
    if last:
        body = without_unused(with_plain_lists(body), frozenset(), held, raising=True)
        body = with_items_taken(body)
    function = replace(
        primal.function,
        name=name,
        parameters=parameters,
        body=body,
        types=dict(sweep.facts.types),
        inputs=primal.inputs,
    )
    variables = sweep.bars.variables
    owners = {bar: variable for variable, bar in reversed(variables.items())}
    bases = {n: _base(n, primal, owners) for n in sweep.facts.types}
    function, renamed = coalesce(
        function, frozenset(), bases, same_base=True, fixed=frozenset(primal.inputs)
    )
    function = replace(function, body=without_repeats(function.body))
    return replace(function, decisions=tuple(_taken(function, made.decisions, renamed)))


def _without_measured(body: Block, sweep: Any, held: frozenset[str]) -> Block:
    """The body without arrays of which only the length is asked."""
    new = with_lengths_of_inputs(body, sweep.facts.sizes.origin)
    return body if new is body else without_unused(new, frozenset(), held, raising=True)


def _with_number_zeros(body: Block, sweep: Any, held: frozenset[str]) -> Block:
    """The body with numbers for zeros of arrays, and without what was saved for their shapes."""
    new = with_number_zeros(body, sweep.bars.may_be_real)
    return body if new is body else without_unused(new, frozenset(), held, raising=True)


def _without_idle_writes(body: Block, held: frozenset[str]) -> Block:
    """The body without what is restored for nobody, and what was saved for that."""
    new = without_idle_writes(body)
    return body if new is body else without_unused(new, frozenset(), held, raising=True)


def _taken(
    function: Function, decisions: tuple[Decision, ...], renamed: dict[str, str]
) -> Iterator[Decision]:
    """The decisions under the variables' last names, without those for what fell away."""
    left = {n for s in nodes.walk_block(function.body) for n in nodes.targets_of(s)}
    for decision in dict.fromkeys(decisions):
        keeper = renamed.get(decision.keeper, decision.keeper)
        if not keeper or keeper in left:
            yield replace(decision, keeper=keeper)


def _base(name: str, primal: Primal, owners: dict[str, str]) -> str:
    """The name that a variable should print as. owners: cotangent -> variable."""
    if name in primal.bases:
        return primal.bases[name]
    variable = owners.get(name)
    if variable is None:
        return base_name(name)
    return f"{primal.bases.get(variable, base_name(variable))}_bar"
