"""Floor 5: a lowered function made ready for differentiation: results named, inputs copied."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.effects import Effects, effects, root, shares
from s2sgrad.analysis.fresh_stores import without_fresh_stores
from s2sgrad.analysis.held import deciding_layouts, names_order
from s2sgrad.analysis.liveness import without_dead_moves
from s2sgrad.analysis.object_arrays import refuse_filled_objects
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.state import State, residual
from s2sgrad.frontend.values import Dyn, Heap, Instance, Sequence, Value
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.assumptions import forget_counters
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Call, Expr, Function, Stmt, Var
from s2sgrad.ir.types import Array, Dict, List, Maybe, Number, Scalar, Type, carries
from s2sgrad.transform.preparing.asked_names import with_names_asked
from s2sgrad.transform.preparing.coalesce import coalesce, rename
from s2sgrad.transform.preparing.entries_of_rows import with_entries_of_rows
from s2sgrad.transform.preparing.filled_arrays import with_filled_arrays
from s2sgrad.transform.preparing.grown_types import with_grown_types
from s2sgrad.transform.preparing.listed_places import with_listed_places
from s2sgrad.transform.preparing.needless_copies import without_needless_copies
from s2sgrad.transform.preparing.own_places import with_own_places
from s2sgrad.transform.preparing.packed import without_packed
from s2sgrad.transform.preparing.real_powers import with_powers_asked
from s2sgrad.transform.preparing.row_loops import growing_loops
from s2sgrad.transform.preparing.rows_by_place import with_rows_by_place
from s2sgrad.transform.preparing.run_length_tuples import with_lists_for_tuples
from s2sgrad.transform.preparing.settle import settle
from s2sgrad.transform.preparing.single_entries import with_single_entries
from s2sgrad.transform.preparing.spelled_out import spelled_out
from s2sgrad.transform.preparing.stored_at_once import stored_at_once
from s2sgrad.transform.preparing.unnamed import with_names
from s2sgrad.transform.preparing.versions import versioned
from s2sgrad.transform.writing.rewrite import map_expr
from s2sgrad.transform.writing.units import names_taken


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
    origin: dict[str | sizes.Size, Expr]
    outside: frozenset[str] = frozenset()
    filled: frozenset[str] = frozenset()  # arrays of which no entry is read before it is written


def output_type(lowered: Any) -> Type:
    """The type of what the function returns."""
    kind = result_of(lowered.result, lowered.lowering.state).type
    return kind.item if isinstance(kind, Maybe) else kind


def result_of(result: Value, state: State) -> Expr:
    """What the function returns; objects as dicts of their fields, whose type tells the class."""
    return residual(result, state, records=True, outside=True)


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


@dataclass
class _Results:
    """Gives the parts of a result names, by assignments at the end of the body."""

    builder: Any
    body: list[Stmt]
    types: dict[str, Type]
    names: list[str] = field(default_factory=list)

    def named(self, expr: Expr, base: str) -> Expr:
        if isinstance(expr, Var):
            self.names.append(expr.name)
            return expr
        if isinstance(expr, nodes.Const):
            return expr
        var = self.fresh(base, expr)
        self.body.append(nodes.Assign((var.name,), (expr,), span=expr.span))
        self.names.append(var.name)
        return var

    def each_named(self, output: nodes.Sequence) -> Expr:
        """A tuple of a value and what comes with it."""
        bases = ["value", *["aux"] * len(output.items)]
        return replace(output, items=tuple(map(self.named, output.items, bases)))

    def fresh(self, base: str, expr: Expr) -> Var:
        """A new variable for the value of an expression."""
        base = self.builder.bases.get(base, base)
        name = self.builder.names.fresh(base)
        self.builder.bases[name] = base
        self.types[name] = expr.type
        return Var(name, type=expr.type)

    def taken_apart(self, expr: Expr, base: str) -> Expr:
        """The parts of nested tuples, lists and dicts, each under its own name."""
        if isinstance(expr, nodes.Sequence):
            items = tuple(self.taken_apart(e, f"{base}_{i}") for i, e in enumerate(expr.items))
            return replace(expr, items=items)
        if isinstance(expr, nodes.Mapping):
            pairs = zip(expr.keys, expr.values, strict=True)
            values = tuple(self.taken_apart(e, _label(k, base)) for k, e in pairs)
            return replace(expr, values=values)
        return self.named(expr, base)


def prepare(lowered: Any, result: Value, nested: bool = False, loops: bool = False) -> Primal:
    """Name the result (all parts of it where `nested`), and merge variables.

    loops: the code will be compiled, as loops over entries.
    """
    state = lowered.lowering.state
    function: Function = lowered.function
    builder = lowered.lowering.builder
    output = result_of(result, state)
    if isinstance(output.type, Maybe):
        output = replace(output, type=output.type.item)
    if not nested and isinstance(output.type, Number):
        output = replace(output, type=Scalar("float64"))  # else the call itself refuses it
    refuse_filled_objects(function.body)
    body = with_grown_types(function.body, builder.types)
    body = with_lists_for_tuples(body, builder.types)
    results = _Results(builder, list(body), dict(builder.types))
    if nested:
        output = results.taken_apart(output, "value")
    elif isinstance(output, nodes.Sequence) and isinstance(result, Heap):
        output = results.each_named(output)
    else:
        output = results.named(output, "value")
    live = frozenset(results.names)
    results.body[:] = with_names_asked(tuple(results.body), live, results.fresh)
    filled: frozenset[str] = frozenset()
    if loops:
        moved = without_dead_moves(tuple(results.body), live)
        listed = with_filled_arrays(moved, lowered.letters.origin, results.fresh, live)
        results.body[:], filled = listed
    asked = with_powers_asked(tuple(results.body))
    results.body = list(growing_loops(asked, builder.names, results.types))
    function = replace(function, body=_cleaned(results, live), types=results.types)
    fixed = frozenset(function.inputs)
    function, renamed = coalesce(function, live, builder.bases, fixed=fixed)
    forget_counters()
    new_bases = {renamed.get(k, k): v for k, v in builder.bases.items()}

    output = map_expr(output, lambda e: _renamed(e, renamed))
    if loops:
        held = tuple(renamed.get(n, n) for n in results.names)
        function = _for_loops(function, held, frozenset(held if nested else ()))
        output = map_expr(output, lambda e: _retyped(e, function.types))
    taken = set(function.types) | set(function.parameters)
    taken |= {n for e in function.inputs.values() for n in nodes.names_in(e)}  # names of globals
    return Primal(
        function,
        Names(taken),
        new_bases,
        output,
        tuple(renamed.get(n, n) for n in results.names),
        {},
        dict(function.inputs),
        dict(lowered.letters.origin),
        _outside(lowered, renamed, function.types),
        _bound_once({renamed.get(n, n) for n in filled}, function),
    )


def _cleaned(results: _Results, live: frozenset[str]) -> nodes.Block:
    """The body without needless copies, moves and names. live: what is read behind it."""
    body = without_needless_copies(tuple(results.body), live)
    body = with_names(without_dead_moves(body, live), results.fresh)
    body = with_own_places(body, results.fresh)
    return stored_at_once(settle(body, live), live)


def _for_loops(function: Function, results: tuple[str, ...], fixed: frozenset[str]) -> Function:
    """The function with choices in place of what masks select, and a name for each new value.

    fixed: variables whose types others rely on.
    """
    types = dict(function.types)
    taken = frozenset(names_taken(function, function.body))
    outside = frozenset((*function.parameters, *results)) | fixed | taken
    rows = with_entries_of_rows(function.body, types, outside)
    rows = with_rows_by_place(rows, types, outside)
    spelled = spelled_out(with_listed_places(rows, types, taken), types, taken)
    spelled = with_single_entries(spelled, types, fixed)
    function = replace(function, body=spelled, types=types)
    output = nodes.Sequence("tuple", tuple(Var(n, type=types[n]) for n in results))
    before = (*function.body, nodes.Return(output))  # the results are read as they are
    body = without_packed(before, types, taken)
    if body == before:
        return function
    whole = replace(function, body=body, types=types)
    whole = versioned(whole, Names(set(types) | taken))
    return replace(whole, body=whole.body[:-1])


def _outside(lowered: Any, renamed: dict[str, str], types: dict[str, Type]) -> frozenset[str]:
    """Variables that hold arrays and lists read from outside."""
    names = {renamed.get(n, n) for n in lowered.lowering.outside_variables}
    return frozenset(n for n in names if n in types and not isinstance(types[n], Scalar))


def _bound_once(names: set[str], function: Function) -> frozenset[str]:
    """Those of some variables that no other value goes by the name of."""
    bound = Counter(t for s in nodes.walk_block(function.body) for t in nodes.targets_of(s))
    return frozenset(n for n in names if bound[n] == 1 and n not in function.parameters)


def _label(key: Expr, base: str) -> str:
    text = str(key.value) if isinstance(key, nodes.Const) else ""
    return text if text.isidentifier() else f"{base}_item"


def _refuse_outside(primal: Primal, found: Effects) -> None:
    """Globals and closure variables must not change. An array that may only be reached through
    lists and objects, which hold others too, is copied like an argument."""
    arrays = effects(_between_arrays(primal))
    for stmt in nodes.walk_block(without_fresh_stores(primal.function.body)):
        if not isinstance(stmt, nodes.Store | nodes.Mutate):
            continue
        name = root(stmt.base)
        kinds = primal.function.types
        lists = isinstance(stmt.base.type, List | Dict)  # they change, not the arrays in them
        outside = (o for o in primal.outside if not (lists and isinstance(kinds[o], Array)))
        held = [o for o in outside if name is not None and found.find(o) == found.find(name)]
        if not all(isinstance(kinds[o], Array) for o in held) or any(
            arrays.find(o) == arrays.find(name or "") for o in held
        ):
            raise UnsupportedError(
                "writing into an array or list from outside",
                stmt.span,
                "a gradient call must leave globals, closure variables and defaults as they were",
                "make a copy inside the function: table = TABLE.copy(); in place of a default: "
                "table=None, and table = [] if table is None else table",
            )


def _between_arrays(primal: Primal) -> tuple[Stmt, ...]:
    """The statements that give an array, or a view of one, another name."""
    kinds = primal.function.types

    def plain(name: str) -> bool:
        return isinstance(kinds.get(name), Array | Number)

    return tuple(
        replace(stmt, body=()) if isinstance(stmt, nodes.For) else stmt
        for stmt in nodes.walk_block(primal.function.body)
        if isinstance(stmt, nodes.Assign | nodes.For)
        for pairs in (shares(stmt),)
        if all(plain(t) and all(map(plain, sources)) for t, sources in pairs if sources)
    )


def copy_written_inputs(
    primal: Primal, found: Effects, apart: frozenset[str] = frozenset()
) -> None:
    """The caller's arrays and lists stay as they are: what is written in place is copied, and so
    is what stands apart."""
    function = primal.function
    _refuse_outside(primal, found)
    leaves = [*primal.inputs, *(p for p in function.parameters if p in function.types)]
    leaves += sorted(primal.outside - set(leaves))
    copies: list[Stmt] = []
    names: dict[str, str] = {}
    elsewhere = effects(without_fresh_stores(function.body))
    in_place = names_order(function.body) or bool(deciding_layouts(function.body, found))
    for leaf in leaves:
        kind = function.types.get(leaf)
        resized = isinstance(kind, List) and found.find(leaf) in found.resized
        touched = (
            (found.is_written(leaf) and elsewhere.is_written(leaf)) or resized or leaf in apart
        )
        if kind is None or not touched or isinstance(kind, Scalar):
            continue
        name = primal.names.fresh(leaf)
        names[leaf] = name
        primal.bases[name] = primal.bases.get(leaf, leaf)
        source = Var(leaf, type=kind)
        if isinstance(kind, Array):
            value: Expr = Call(np.copy, "copy", (source,), form="method", type=kind)
            if in_place:  # the method's copies lie in C order
                keep = s2sgrad_runtime.copy_as_it_lies
                value = Call(keep, "copy_as_it_lies", (source,), type=kind)
        else:
            helper = s2sgrad_runtime.copy_tree
            if leaf not in primal.inputs and _holds_lists(kind):
                helper = s2sgrad_runtime.copy_apart
            elif in_place:
                helper = s2sgrad_runtime.copy_as_it_lies
            value = Call(helper, helper.__name__, (source,), type=kind)
        copies.append(nodes.Assign((name,), (value,)))
    if names:
        renamed = rename(replace(function, parameters=()), names)
        types = {**function.types, **renamed.types}
        primal.function = replace(function, body=(*copies, *renamed.body), types=types)
        primal.leaves = names
        primal.output = map_expr(primal.output, lambda e: _renamed(e, names))
        primal.seeds = tuple(names.get(n, n) for n in primal.seeds)


def _holds_lists(kind: Type) -> bool:
    item = kind.item if isinstance(kind, List | Dict) else None
    return isinstance(item.item if isinstance(item, Maybe) else item, List | Dict)


def _retyped(expr: Expr, types: dict[str, Type]) -> Expr:
    return replace(expr, type=types[expr.name]) if isinstance(expr, Var) else expr


def _renamed(expr: Expr, names: dict[str, str]) -> Expr:
    return replace(expr, name=names.get(expr.name, expr.name)) if isinstance(expr, Var) else expr


def wanted_leaves(primal: Primal, values: list[Value], heap: dict[int, Any]) -> set[str]:
    """The input variables in these arguments that can carry derivatives, and have entries."""
    found = (n for v in values for n in leaf_names(v, heap))
    kinds = primal.function.types
    return {n for n in found if carries(kinds[n]) and not _is_empty(kinds[n])}


def _is_empty(kind: Type) -> bool:
    shape = kind.shape or () if isinstance(kind, Array) else ()
    return any(n is not None and n.constant == 0 for n in shape)
