"""Floor 6: rows of arrays, taken by their places.

`for row in x` gives rows that may lie anywhere, says Numba, `x[k]` rows in C order where `x` is:
then a list of them is of the type that a list of new arrays has, and loops over them are fast.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Call, Expr, Index, Stmt, Var
from s2sgrad.ir.types import INT, Array, List, Type
from s2sgrad.transform.writing.rewrite import map_stmt_exprs


def by_places(stmt: Stmt, names: Names, types: dict[str, Type]) -> list[Stmt]:
    """The statement; a loop over the rows of arrays with counters in their place."""
    if not isinstance(stmt, nodes.For):
        return [map_stmt_exprs(stmt, _listed)]
    before: list[Stmt] = []
    bind: list[Stmt] = []
    targets, sources = list(stmt.targets), list(stmt.sources)
    written = {n for s in nodes.walk_block(stmt.body) for n in nodes.targets_of(s)}
    for k, (target, source) in enumerate(zip(stmt.targets, stmt.sources, strict=True)):
        if not _has_rows(source.type):
            continue
        if not isinstance(source, Var) or source.name in written | set(stmt.targets):
            source = _named(source, before, names, types)
        place = Var(names.fresh("k"), type=INT)
        types[place.name] = INT
        row = Index(source, (place,), type=types[target])
        bind.append(nodes.Assign((target,), (row,), span=stmt.span))
        count = Call(len, "len", (source,), type=INT)
        targets[k], sources[k] = place.name, Call(range, "range", (count,), type=List(INT))
    body = (*bind, *stmt.body)
    return [*before, replace(stmt, targets=tuple(targets), sources=tuple(sources), body=body)]


def _has_rows(kind: Type) -> bool:
    return isinstance(kind, Array) and kind.shape is not None and len(kind.shape) > 1


def _named(expr: Expr, before: list[Stmt], names: Names, types: dict[str, Type]) -> Var:
    name = names.fresh("rows")
    types[name] = expr.type
    before.append(nodes.Assign((name,), (expr,), span=expr.span))
    return Var(name, type=expr.type)


def _listed(expr: Expr) -> Expr:
    """`list(x)` of an array with rows."""
    match expr:
        case Call(function=function, args=(source,)) if function is list and _has_rows(source.type):
            from s2sgrad_runtime.numba_layouts import listed_rows

            return replace(expr, function=listed_rows, text="listed_rows", form="call")
    return expr


__all__ = ["by_places"]
