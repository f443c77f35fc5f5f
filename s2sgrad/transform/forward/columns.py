"""Floor 5: from the forward mode of a function to all columns of its Jacobian.

The tangent's statements go into a loop over the unit vectors; what does not depend on a tangent
stays before it, named, so that it is computed once. Where statements of both kinds share a loop or
a branch, that is run again for each unit vector.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.analysis.effects import Effects, effects, has_effect, root
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Expr, Function, Stmt, Var
from s2sgrad.ir.types import INT, Array, List, Scalar, Tuple, Type, shape_of
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.tidy import without_unused

COUNTER = "column"
_SUMS = (np.sum, np.mean, np.dot)  # their results share no memory with what they sum


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
    if not (_is_plain(kind) and _is_plain(y.type) and isinstance(kind, Array)):
        return None
    parts = _Parts(function, dot)
    if parts.mixed_headers or parts.draws or nodes.names_in(y) & parts.tainted:
        return None
    return _assembled(function, parts, Var(like, type=kind), Var(dot, type=kind), y, y_dot)


def _is_plain(kind: Any) -> bool:
    """Whether a type is that of a float, or of an array of floats of known rank."""
    real = isinstance(kind, Array | Scalar) and str(kind.dtype).startswith("float")
    return real and shape_of(kind) is not None


class _Parts:
    """The statements of a function, by whether they depend on its tangent."""

    def __init__(self, function: Function, dot: str) -> None:
        self.types = dict(function.types)
        self.body = function.body[:-1]
        self.tainted = _tainted(self.body, dot)
        self.effects = effects(self.body)
        self.mixed_headers = any(
            isinstance(s, nodes.For) and set(s.targets) & self.tainted
            for s in nodes.walk_block(self.body)
        )
        self.draws = any(  # random numbers, or what else should happen once
            not isinstance(s, nodes.Do) and any(map(has_effect, nodes.expressions(s)))
            for s in nodes.walk_block(self.body)
        )
        self.fixed = _fixed(self.body, self.tainted, self.effects)

    def primal(self) -> Block:
        """All statements without those of the tangents."""
        return _without(self.body, self.tainted)

    def looped(self, y_dot: Expr) -> tuple[list[Stmt], list[Stmt]]:
        """What is named before the loop, and the statements in it that y_dot depends on."""
        needed = set(nodes.names_in(y_dot))
        named: dict[Expr, str] = {}
        inside: list[Stmt] = []
        for stmt in self.body:
            if isinstance(stmt, nodes.Do | nodes.Comment) or self._is_fixed(stmt):
                continue
            inside.append(self._with_factors_named(stmt, named))
        inside = list(_read_by(tuple(inside), needed, self.effects))
        before = [Assign((name,), (expr,)) for expr, name in named.items()]
        return list(before), inside

    def factors_named(self, expr: Expr, named: dict[Expr, str], inner: bool = False) -> Expr:
        """The expression with the largest fixed parts of its products and sums as names.

        inner: it is an operand itself. What is bound or written as a whole gets no other name.
        """
        entrywise = isinstance(expr, nodes.Call) and isinstance(expr.function, np.ufunc)
        if not isinstance(expr, nodes.Call) or not (entrywise or expr.function in _SUMS):
            return expr
        fixed = entrywise and nodes.names_in(expr) <= self.fixed and isinstance(expr.type, Array)
        if inner and fixed:
            if expr not in named:
                named[expr] = self.fresh("slope", expr.type)
            return Var(named[expr], type=expr.type)
        return replace(expr, args=tuple(self.factors_named(a, named, True) for a in expr.args))

    def restored(self, parameters: tuple[str, ...]) -> tuple[dict[str, Var], list[Stmt]]:
        """Parameters that are bound anew, with names for what was given, and how each iteration
        starts from that."""
        bound = {t for s in nodes.walk_block(self.body) for t in nodes.targets_of(s)}
        given = {}
        for name in parameters:
            if name in bound or self.effects.is_written(name):
                kind = self.types[name]
                base = "unit" if name in self.tainted else f"{name}_given"
                given[name] = Var(self.fresh(base, kind), type=kind)
        back: list[Stmt] = [Assign((name,), (var,)) for name, var in given.items()]
        return given, back

    def fresh(self, base: str, kind: Type) -> str:
        """A name that is not taken."""
        name, count = base, 2
        while name in self.types:
            name, count = f"{base}_{count}", count + 1
        self.types[name] = kind
        return name

    def _is_fixed(self, stmt: Stmt) -> bool:
        targets = set(nodes.targets_of(stmt))
        return isinstance(stmt, Assign | nodes.Unpack) and bool(targets) and targets <= self.fixed

    def _with_factors_named(self, stmt: Stmt, named: dict[Expr, str]) -> Stmt:
        if not isinstance(stmt, Assign | nodes.Store):
            return stmt
        return _with_values(stmt, lambda e: self.factors_named(e, named))


def _with_values(stmt: Assign | nodes.Store, change: Any) -> Stmt:
    """The statement with changed values; what it writes into stays."""
    if isinstance(stmt, Assign):
        return replace(stmt, values=tuple(map(change, stmt.values)))
    return replace(stmt, value=change(stmt.value))


def _tainted(body: Block, dot: str) -> set[str]:
    """The names that depend on a tangent."""
    found, size = {dot}, 0
    while size != len(found):
        size = len(found)
        for stmt in nodes.walk_block(body):
            read = {n for e in nodes.expressions(stmt) for n in nodes.names_in(e)}
            if read & found and not isinstance(stmt, nodes.If | nodes.While | nodes.Do):
                base = root(stmt.base) if isinstance(stmt, nodes.Store | nodes.Mutate) else None
                found |= {base} if base is not None else set()
                found |= set(nodes.targets_of(stmt))
    return found


def _fixed(body: Block, tainted: set[str], shared: Effects) -> set[str]:
    """Names bound once, to what no tangent and no write changes; parameters too."""
    bound: dict[str, int] = {}
    for stmt in nodes.walk_block(body):
        for name in nodes.targets_of(stmt):
            bound[name] = bound.get(name, 0) + 1
    every = {
        n for s in nodes.walk_block(body) for e in nodes.expressions(s) for n in nodes.names_in(e)
    }
    calm = {n for n in every | set(bound) if not shared.changes(n)} - tainted
    fixed = {n for n in calm if n not in bound}
    for stmt in body:
        targets = set(nodes.targets_of(stmt))
        read = {n for e in nodes.expressions(stmt) for n in nodes.names_in(e)}
        once = targets <= calm and all(bound[t] == 1 for t in targets)
        pure = not any(map(has_effect, nodes.expressions(stmt)))
        if isinstance(stmt, Assign | nodes.Unpack) and once and pure and read <= fixed:
            fixed |= targets
    return fixed


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
            if nodes.blocks(stmt) or _binds(stmt) & needed:
                needed |= {n for e in nodes.expressions(stmt) for n in nodes.names_in(e)}
    return _kept(body, needed)


def _kept(body: Block, needed: set[str]) -> Block:
    found: list[Stmt] = []
    for stmt in body:
        if isinstance(stmt, nodes.If):
            stmt = replace(stmt, then=_kept(stmt.then, needed), orelse=_kept(stmt.orelse, needed))
        elif isinstance(stmt, nodes.For | nodes.While):
            stmt = replace(stmt, body=_kept(stmt.body, needed))
        if nodes.blocks(stmt) or not _binds(stmt) or _binds(stmt) & needed:
            found.append(stmt)
    return tuple(found)


def _binds(stmt: Stmt) -> set[str]:
    """The names that a statement binds, or whose memory it writes."""
    base = root(stmt.base) if isinstance(stmt, nodes.Store | nodes.Mutate) else None
    return {*nodes.targets_of(stmt), *([base] if base else [])}


def _assembled(
    function: Function, parts: _Parts, x: Var, x_dot: Var, y: Expr, y_dot: Expr
) -> Function:
    named, inside = parts.looped(y_dot)
    factors: dict[Expr, str] = {}
    y_dot = parts.factors_named(y_dot, factors)
    named += [Assign((name,), (expr,)) for expr, name in factors.items()]
    changed = {
        member
        for stmt in nodes.walk_block(tuple(inside))
        for name in _binds(stmt)
        for member in (name, *parts.effects.members(name))
    }
    stays = isinstance(y, Var) and y.name not in changed
    value = y if stays and isinstance(y, Var) else Var(parts.fresh("value", y.type), type=y.type)
    first = [] if stays else [Assign((value.name,), (y,))]
    rank_x, rank_y = len(shape_of(x.type) or ()), len(shape_of(y.type) or ())
    kind = Array(_float(y.type), (None,) * (rank_x + rank_y))
    columns = Var(parts.fresh("columns", kind), type=kind)
    letters = (COUNTER,) if rank_x == 1 else tuple("ijklmn"[:rank_x])
    counters = tuple(Var(parts.fresh(c, INT), type=INT) for c in letters)
    given, restored = parts.restored(function.parameters)
    unit = given.get(x_dot.name, x_dot)
    block: Block = (
        nodes.Store(unit, counters, build.number(1.0)),
        *restored,
        *inside,
        nodes.Store(columns, counters, y_dot),
        nodes.Store(unit, counters, build.number(0.0)),
    )
    for axis, counter in reversed(list(enumerate(counters))):
        source = nodes.Call(range, "range", (_length(unit, axis),), type=List(INT))
        block = (nodes.For((counter.name,), (source,), block),)
    axes = [*((unit, i) for i in range(rank_x)), *((value, i) for i in range(rank_y))]
    sizes = tuple(_length(array, i) for array, i in axes)
    shape = nodes.Sequence("tuple", sizes, type=Tuple((INT,) * len(sizes)))
    empty = nodes.Call(np.zeros, "np.zeros", (shape,), _dtype(kind), type=kind)
    start = Assign((unit.name,), (nodes.Call(np.zeros_like, "np.zeros_like", (x,), type=x.type),))
    rebound = {x.name, x_dot.name} & given.keys()
    kept = [Assign((v.name,), (Var(n, type=v.type),)) for n, v in given.items() if n != x_dot.name]
    pair = nodes.Sequence("tuple", (value, columns), type=Tuple((y.type, kind)))
    body = (
        *([start] if rebound else []),
        *kept,
        *parts.primal(),
        *first,
        *named,
        *([] if rebound else [start]),
        Assign((columns.name,), (empty,)),
        *block,
        nodes.Return(pair),
    )
    return replace(
        function,
        name=function.name.removesuffix("_jvp") + "_columns",
        parameters=tuple(p for p in function.parameters if p != x_dot.name),
        body=without_unused(body, frozenset()),
        types=parts.types,
    )


def _float(kind: Any) -> str:
    """The dtype of an array of such numbers."""
    return "float64" if kind.dtype == "float" else str(kind.dtype)


def _length(x: Var, axis: int) -> Expr:
    shape = build.attribute(x, "shape", np.shape, Tuple((INT,) * len(shape_of(x.type) or ())))
    return nodes.Index(shape, (nodes.Const(axis, type=INT),), type=INT)


def _dtype(kind: Array) -> tuple[tuple[str, Expr], ...]:
    if kind.dtype == "float64":
        return ()
    dtype = getattr(np, str(kind.dtype))
    return (("dtype", nodes.Ref(f"np.{kind.dtype}", dtype)),)


__all__ = ["over_unit_vectors"]
