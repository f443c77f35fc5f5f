"""Floor 5: from the forward mode of a function to all columns of its Jacobian.

The tangent's statements go into a loop over the unit vectors; what does not depend on a tangent
stays before it, named, so that it is computed once. Where statements of both kinds share a loop or
a branch, that is run again for each unit vector.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.effects import Effects, binds, has_effect, root
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Expr, Function, Stmt, Var
from s2sgrad.ir.types import INT, Array, Tuple
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.tidy import without_unused
from s2sgrad.transform.writing.units import (
    Parts,
    changed_by,
    empty,
    is_plain,
    lengths,
    over_entries,
    rank_of,
    zeros_like,
)

COUNTER = "column"


def over_unit_vectors(function: Function, dot: str, like: str) -> Function | None:
    """`(arguments) -> (y, columns)` out of `(arguments, dot) -> (y, y_dot)`.

    dot: the parameter of the one tangent, of the array parameter `like`; both are float arrays of
    known rank, or there is no such function. columns[k] is y_dot for the unit vector k; for an
    array of rank 2, columns[i, j] is.
    """
    last = function.body[-1]
    if not isinstance(last, nodes.Return) or not isinstance(last.value, nodes.Sequence):
        return None
    y, y_dot = last.value.items
    kind = function.types.get(dot)
    if not (is_plain(kind) and is_plain(y.type) and isinstance(kind, Array)):
        return None
    parts = _Pushed(function, function.body[:-1], dict(function.types), frozenset({dot}))
    if parts.mixed_headers or parts.draws or nodes.names_in(y) & parts.tainted:
        return None
    return _assembled(function, parts, Var(like, type=kind), Var(dot, type=kind), y, y_dot)


class _Pushed(Parts):
    """The statements of a forward mode, by whether they depend on its tangent."""

    @property
    def mixed_headers(self) -> bool:
        """Whether a loop goes over what depends on a tangent."""
        return any(
            isinstance(s, nodes.For) and set(s.targets) & self.tainted
            for s in nodes.walk_block(self.body)
        )

    @property
    def draws(self) -> bool:
        """Whether there are random numbers, or what else should happen once."""
        return any(
            not isinstance(s, nodes.Do) and any(map(has_effect, nodes.expressions(s)))
            for s in nodes.walk_block(self.body)
        )

    def primal(self) -> Block:
        """All statements without those of the tangents."""
        return _without(self.body, self.tainted)

    def looped(self, y_dot: Expr) -> tuple[list[Stmt], list[Stmt]]:
        """What is named before the loop, and the statements in it that y_dot depends on."""
        needed = set(nodes.names_in(y_dot))
        named: dict[Expr, str] = {}
        inside: list[Stmt] = []
        for stmt in self.body:
            if isinstance(stmt, nodes.Do | nodes.Comment) or self.is_fixed(stmt):
                continue
            inside.append(self.with_factors_named(stmt, named))
        inside = list(_read_by(tuple(inside), needed, self.effects))
        before = [Assign((name,), (expr,)) for expr, name in named.items()]
        return list(before), inside

    def restored(self, parameters: tuple[str, ...]) -> tuple[dict[str, Var], list[Stmt]]:
        """Parameters that are bound anew, with names for what was given, and how each iteration
        starts from that."""
        bound = nodes.bound_in(self.body)
        given = {}
        for name in parameters:
            if name in bound or self.effects.is_written(name):
                kind = self.types[name]
                base = "unit" if name in self.tainted else f"{name}_given"
                given[name] = self.fresh(base, kind)
        back: list[Stmt] = [Assign((name,), (var,)) for name, var in given.items()]
        return given, back


def _without(body: Block, tainted: set[str]) -> Block:
    """The statements that bind or write nothing that depends on a tangent."""
    found: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, nodes.If):
            stmt = replace(
                stmt, then=_without(stmt.then, tainted), orelse=_without(stmt.orelse, tainted)
            )
        elif isinstance(stmt, nodes.For | nodes.While):
            stmt = replace(stmt, body=_without(stmt.body, tainted))
        base = root(stmt.base) if isinstance(stmt, nodes.Store | nodes.Mutate) else None
        if base not in tainted and not set(nodes.targets_of(stmt)) & tainted:
            found.append(stmt)
    return tuple(found)


def _read_by(body: Block, needed: set[str], shared: Effects) -> Block:
    """The statements that the values of the needed names depend on."""
    size = -1
    while size != len(needed):
        size = len(needed)
        needed |= {m for n in list(needed) for m in shared.members(n)}
        for stmt in nodes.walk_block(body):
            if nodes.blocks(stmt) or binds(stmt) & needed:
                needed |= {n for e in nodes.expressions(stmt) for n in nodes.names_in(e)}
    return _kept(body, needed)


def _kept(body: Block, needed: set[str]) -> Block:
    found: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, nodes.If):
            stmt = replace(stmt, then=_kept(stmt.then, needed), orelse=_kept(stmt.orelse, needed))
        elif isinstance(stmt, nodes.For | nodes.While):
            stmt = replace(stmt, body=_kept(stmt.body, needed))
        if nodes.blocks(stmt) or not binds(stmt) or binds(stmt) & needed:
            found.append(stmt)
    return tuple(found)


def _assembled(
    function: Function, parts: _Pushed, x: Var, x_dot: Var, y: Expr, y_dot: Expr
) -> Function:
    named, inside = parts.looped(y_dot)
    factors: dict[Expr, str] = {}
    y_dot = parts.factors_named(y_dot, factors)
    named += [Assign((name,), (expr,)) for expr, name in factors.items()]
    changed = changed_by(tuple(inside), parts.effects)
    stays = isinstance(y, Var) and y.name not in changed
    value = y if stays and isinstance(y, Var) else parts.fresh("value", y.type)
    first = [] if stays else [Assign((value.name,), (y,))]
    rank = rank_of(x.type)
    letters = (COUNTER,) if rank == 1 else tuple("ijklmn"[:rank])
    counters = tuple(parts.fresh(c, INT) for c in letters)
    given, restored = parts.restored(function.parameters)
    unit = given.get(x_dot.name, x_dot)
    zeros = empty((*lengths(unit), *lengths(value)), y.type)
    columns = parts.fresh("columns", zeros.type)
    block: Block = (
        nodes.Store(unit, counters, build.number(1.0)),
        *restored,
        *inside,
        nodes.Store(columns, counters, y_dot),
        nodes.Store(unit, counters, build.number(0.0)),
    )
    start = Assign((unit.name,), (zeros_like(x),))
    rebound = {x.name, x_dot.name} & given.keys()
    kept = [Assign((v.name,), (Var(n, type=v.type),)) for n, v in given.items() if n != x_dot.name]
    pair = nodes.Sequence("tuple", (value, columns), type=Tuple((y.type, columns.type)))
    body = (
        *([start] if rebound else []),
        *kept,
        *parts.primal(),
        *first,
        *named,
        *([] if rebound else [start]),
        Assign((columns.name,), (zeros,)),
        *over_entries(counters, lengths(unit), block),
        nodes.Return(pair),
    )
    return replace(
        function,
        name=function.name.removesuffix("_jvp") + "_columns",
        parameters=tuple(p for p in function.parameters if p != x_dot.name),
        body=without_unused(body, frozenset()),
        types=parts.types,
    )


__all__ = ["over_unit_vectors"]
