"""Floor 6: lists of tuples and records as lists of their parts, beside each other.

    for W, b in params: ...                        for W, b in zip(params_0, params_1): ...
    params_bar[k] = [W_bar, b_bar]                 params_bar_0[k] = W_bar
                                                   params_bar_1[k] = b_bar

Numba's lists have items of one type, and what belongs to a tuple in a list could not be changed.
Done for lists that are given or have cotangents, where all that is done to them can be done to each
part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import s2sgrad_runtime
from s2sgrad.backend.jit.column_types import NotApart, gives_columns, of_table, rows_in
from s2sgrad.backend.jit.columns import Columns
from s2sgrad.backend.jit.pieces import with_leaves
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Expr, Function, Stmt, Var
from s2sgrad.ir.types import Dict, Type

_TIMES = 4  # tuples in tuples in lists, as deep as they are taken apart


def with_lists_of_parts(function: Function) -> Function:
    """The function with a list for each part of the items of its lists of tuples and records."""
    for _ in range(_TIMES):
        new = _once(function)
        if new is function:
            break
        function = new
    return function


def _once(whole: Function) -> Function:
    function = _with_lists_named(whole)
    for group in _groups(function):
        given = group & {*function.parameters, *function.inputs}
        if not given and not _has_cotangents(function.body, group):
            continue
        names = Names({*function.types, *function.parameters})
        try:
            if not _shared_records(function, group):
                return Columns(function, group, names).apart()
        except NotApart:
            continue
    return whole


def _with_lists_named(function: Function) -> Function:
    """The function with variables for what it is given in other arguments: `model["layers"]`."""
    lists = {n: p for n, p in function.inputs.items() if of_table(function.types[n])}
    return replace(function, body=with_leaves(function.body, replace(function, inputs=lists)))


def _groups(function: Function) -> list[frozenset[str]]:
    """The variables that hold lists of tuples: together those that meet in a statement."""
    tables = {n for n, kind in function.types.items() if of_table(kind)}
    groups: list[set[str]] = []
    for stmt in nodes.walk_block(function.body):
        met = set(nodes.targets_of(stmt)) & tables
        for expr in nodes.expressions(stmt):
            met |= nodes.names_in(expr) & tables
        if met and not isinstance(stmt, nodes.Return) and not gives_columns(stmt):
            near = [g for g in groups if g & met]
            groups = [g for g in groups if not g & met] + [met.union(*near)]
    return [frozenset(g) for g in groups]


def _has_cotangents(block: Block, group: frozenset[str]) -> bool:
    return any(
        isinstance(part, Call)
        and part.function is s2sgrad_runtime.zeros_like
        and of_table(part.type)
        and nodes.names_in(part) & group
        for stmt in nodes.walk_block(block)
        for expr in nodes.expressions(stmt)
        for part in nodes.walk(expr)
    )


def _shared_records(function: Function, group: frozenset[str]) -> bool:
    """Whether a record is changed that may be in two lists, or has a name of its own by then."""
    if not any(isinstance(rows_in(function.types[n]), Dict) for n in group):
        return False
    inside = [tuple(nodes.walk_block((stmt,))) for stmt in function.body]
    changed = {n for stmts in inside for s in stmts for n in _fields_set(s)}
    bound = [t for stmts in inside for s in stmts for t in nodes.targets_of(s)]
    if not changed <= group or any(bound.count(n) != 1 for n in changed):
        return bool(changed)
    last = max((k for k, stmts in enumerate(inside) if any(map(_sets_fields, stmts))), default=-1)
    return any(
        name in changed
        for stmts in inside[: last + 1]
        for s in stmts
        for name in _handed_on(s, function.types)
    )


def _sets_fields(stmt: Stmt) -> bool:
    return any(True for _ in _fields_set(stmt))


def _fields_set(stmt: Stmt) -> Iterator[str]:
    """The variable through which a field of a record is set, or changed in place."""
    if isinstance(stmt, nodes.Store):
        base, record = stmt.base, False
        while isinstance(base, nodes.Index):
            record = record or isinstance(base.base.type, Dict)
            base = base.base
        if isinstance(base, Var) and (record or isinstance(stmt.base.type, Dict)):
            yield base.name


def _handed_on(stmt: Stmt, types: dict[str, Type]) -> Iterator[str]:
    """The lists of which a statement gives all, some or one of the items to something else."""
    match stmt:
        case nodes.Return():
            return
        case nodes.Mutate(args=args):
            parts = args
        case nodes.Store(index=index, value=value):
            parts = (*index, value)
        case _:
            parts = nodes.expressions(stmt)
    for part in parts:
        yield from _given_away(part, types)


def _given_away(expr: Expr, types: dict[str, Type]) -> Iterator[str]:
    """The lists that an expression holds, or has a record of: it may read a part of one."""
    match expr:
        case Var(name=name):
            if of_table(types.get(name)):
                yield name
        case Call(function=function) if function in _READERS:
            return
        case nodes.Index(base=base, index=index):
            record = isinstance(expr.type, Dict) or of_table(expr.type)
            for part in index:
                yield from _given_away(part, types)
            while not record and isinstance(base, nodes.Index):
                for part in base.index:
                    yield from _given_away(part, types)
                base = base.base
            if record or not isinstance(base, Var):
                yield from _given_away(base, types)
        case _:
            for child in nodes.children(expr):
                yield from _given_away(child, types)


# What only asks of a list, or makes new records.
_READERS = (
    len, bool, s2sgrad_runtime.zeros_like, s2sgrad_runtime.accumulate, s2sgrad_runtime.copy_tree,
)  # fmt: skip


__all__ = ["with_lists_of_parts"]
