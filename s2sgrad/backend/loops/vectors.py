"""Floor 6: exp, log and the like on whole rows, by NumPy's vector loops.

`for l: t[l] = np.exp(a[l]); ...` becomes `for l: t[l] = a[l]`, one call for the row t, and a loop
for the rest.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from s2sgrad.backend.loops.aliases import Groups
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.backend.loops.touches import apart, touches
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Slice, Stmt, Var
from s2sgrad.ir.types import Array


def on_rows(block: Block, groups: Groups) -> Block:
    """The block with such calls taken out of innermost loops."""
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Nest():
                result += _split(replace(stmt, body=on_rows(stmt.body, groups)), groups)
                continue
            case nodes.If(then=then, orelse=orelse):
                then, orelse = on_rows(then, groups), on_rows(orelse, groups)
                stmt = replace(stmt, then=then, orelse=orelse)
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=on_rows(body, groups))
        result.append(stmt)
    return tuple(result)


def _split(nest: Nest, groups: Groups) -> list[Stmt]:
    if not all(isinstance(s, nodes.Store | nodes.Assign | Nest) for s in nest.body):
        return [nest]
    if not nest.indices:
        return [nest]
    *outer, last = nest.indices
    found = _divided(nest.body, last, nest, groups)
    if len(found) == 1:
        return [nest]
    if not outer:
        return found
    inside = tuple(found)
    return [replace(nest, indices=tuple(outer), extents=nest.extents[:-1], body=inside)]


def _divided(body: Block, last: str, nest: Nest, groups: Groups) -> list[Stmt]:
    """The loops over the last counter, with calls on rows between them."""

    def loop(block: Block) -> Nest:
        return replace(nest, indices=(last,), extents=nest.extents[-1:], body=block)

    for k, stmt in enumerate(body):
        function = _row_function(stmt, last)
        if function is None:
            continue
        assert isinstance(stmt, nodes.Store) and isinstance(stmt.value, Call)
        before, after = body[:k], body[k + 1 :]
        held, later = touches(before), touches(after)
        if (held.writes - held.summed) & later.reads:
            continue
        if not apart(held.arrays, later.arrays, (last,), groups):
            continue  # an entry that each iteration fills for itself, and uses again
        filling = replace(stmt, value=stmt.value.args[0])
        row = Index(stmt.base, (*stmt.index[:-1], Slice(None, nest.extents[-1].count, None)))
        name = f"{stmt.value.text.removeprefix('np.')}_in_place"
        call = nodes.Do(Call(function, name, (row,)), span=stmt.span)
        rest = _divided(after, last, nest, groups) if after else []
        return [loop((*before, filling)), call, *rest]
    return [loop(body)]


def _row_function(stmt: Stmt, last: str) -> Any:
    """What computes a whole row of the entries that a statement stores; None for others."""
    from s2sgrad_runtime.numba_vectors import IN_PLACE

    match stmt:
        case nodes.Store(base=Var(), index=(*lead, Var(name=name)), value=Call(), op=""):
            fits = name == last and not any(last in nodes.names_in(p) for p in lead)
            single = stmt.value.form == "call" and len(stmt.value.args) == 1  # type: ignore[attr-defined]
            if fits and single and _is_float(stmt.base):
                return IN_PLACE.get(stmt.value.function)  # type: ignore[attr-defined]
    return None


def _is_float(base: Expr) -> bool:
    return isinstance(base.type, Array) and base.type.dtype == "float64"
