"""Floor 5: what loops over the unit vectors of a basis share, those of tangents and of cotangents.

What depends on the unit vector stays in the loop; what does not is computed once, before it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.analysis.effects import Effects, binds, effects, has_effect, root
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Assign, Block, Expr, Function, Stmt, Var
from s2sgrad.ir.types import INT, Array, List, Scalar, Tuple, Type, shape_of
from s2sgrad.transform.writing import build

_SUMS = (np.sum, np.mean, np.dot)  # their results share no memory with what they sum


class Parts:
    """The statements of a body in a function, by whether they depend on the unit vector `given`.

    types: of all variables; names that are made here are added.
    """

    def __init__(
        self, function: Function, body: Block, types: dict[str, Type], given: frozenset[str]
    ) -> None:
        self.types = types
        self.names = Names(names_taken(function, body) | set(types))
        self.body = body
        self.tainted = _tainted(body, given)
        self.effects = effects(body)
        self.fixed = _fixed(body, self.tainted, self.effects)

    def is_fixed(self, stmt: Stmt) -> bool:
        """Whether a statement may as well run once, before the loop."""
        targets = set(nodes.targets_of(stmt))
        return isinstance(stmt, Assign | nodes.Unpack) and bool(targets) and targets <= self.fixed

    def with_factors_named(self, stmt: Stmt, named: dict[Expr, str]) -> Stmt:
        """The statement with names for the fixed parts of what it computes."""
        if isinstance(stmt, Assign):
            values = tuple(self.factors_named(v, named) for v in stmt.values)
            return replace(stmt, values=values)
        if isinstance(stmt, nodes.Store):
            return replace(stmt, value=self.factors_named(stmt.value, named))
        return stmt

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
                named[expr] = self.fresh("slope", expr.type).name
            return Var(named[expr], type=expr.type)
        return replace(expr, args=tuple(self.factors_named(a, named, True) for a in expr.args))

    def fresh(self, base: str, kind: Type) -> Var:
        """A variable with a name that is not taken."""
        name = self.names.fresh(base)
        self.types[name] = kind
        return Var(name, type=kind)


def names_taken(function: Function, body: Block) -> set[str]:
    """Names that a function's text uses, beside those of its variables."""
    tops = [e for s in nodes.walk_block(body) for e in nodes.expressions(s)]
    found = {*function.parameters, *names_read([*function.inputs.values()])}
    for node in (node for top in tops for node in nodes.walk(top)):
        if isinstance(node, nodes.Ref | nodes.Call):
            found.add(node.text.split(".")[0])
    return found


def names_read(exprs: list[Expr]) -> set[str]:
    """The variables that expressions read."""
    return {name for expr in exprs for name in nodes.names_in(expr)}


def _tainted(body: Block, given: frozenset[str]) -> set[str]:
    """The names that depend on a unit vector."""
    found, size = set(given), 0
    while size != len(found):
        size = len(found)
        for stmt in nodes.walk_block(body):
            read = names_read([*nodes.expressions(stmt)])
            if read & found and not isinstance(stmt, nodes.If | nodes.While | nodes.Do):
                base = root(stmt.base) if isinstance(stmt, nodes.Store | nodes.Mutate) else None
                found |= {base} if base is not None else set()
                found |= set(nodes.targets_of(stmt))
    return found


def _fixed(body: Block, tainted: set[str], shared: Effects) -> set[str]:
    """Names bound once, to what no unit vector and no write changes; parameters too."""
    bound: dict[str, int] = {}
    for stmt in nodes.walk_block(body):
        for name in nodes.targets_of(stmt):
            bound[name] = bound.get(name, 0) + 1
    every = names_read([e for s in nodes.walk_block(body) for e in nodes.expressions(s)])
    calm = {n for n in every | set(bound) if not shared.changes(n)} - tainted
    fixed = {n for n in calm if n not in bound}
    for stmt in body:
        targets = set(nodes.targets_of(stmt))
        read = names_read([*nodes.expressions(stmt)])
        once = targets <= calm and all(bound[t] == 1 for t in targets)
        pure = not any(map(has_effect, nodes.expressions(stmt)))
        if isinstance(stmt, Assign | nodes.Unpack) and once and pure and read <= fixed:
            fixed |= targets
    return fixed


def changed_by(block: Block, shared: Effects) -> set[str]:
    """The names that a block binds, and those that share memory with what it binds or writes."""
    bound = {name for stmt in nodes.walk_block(block) for name in binds(stmt)}
    return {member for name in bound for member in (name, *shared.members(name))}


def is_plain(kind: Any) -> bool:
    """Whether a type is that of a float, or of an array of floats of known rank."""
    real = isinstance(kind, Array | Scalar) and str(kind.dtype).startswith("float")
    return real and shape_of(kind) is not None


def rank_of(kind: Type) -> int:
    """The number of axes; none of a number."""
    return len(shape_of(kind) or ())


def lengths(x: Var) -> tuple[Expr, ...]:
    """The sizes of all axes: `x.shape[0]` and so on."""
    rank = rank_of(x.type)
    shape = build.attribute(x, "shape", np.shape, Tuple((INT,) * rank))
    return tuple(nodes.Index(shape, (nodes.Const(i, type=INT),), type=INT) for i in range(rank))


def empty(sizes: tuple[Expr, ...], like: Any) -> Expr:
    """`np.zeros(sizes)` in the precision of a float or an array of type `like`."""
    dtype = "float64" if like.dtype == "float" else str(like.dtype)
    shape: Expr = nodes.Sequence("tuple", sizes, type=Tuple((INT,) * len(sizes)))
    shape = sizes[0] if len(sizes) == 1 else shape
    kind = Array(dtype, (None,) * len(sizes))
    named = () if dtype == "float64" else (("dtype", nodes.Ref(f"np.{dtype}", getattr(np, dtype))),)
    return nodes.Call(np.zeros, "np.zeros", (shape,), named, type=kind)


def zeros_like(x: Var) -> Expr:
    """`np.zeros_like(x)`."""
    return nodes.Call(np.zeros_like, "np.zeros_like", (x,), type=x.type)


def over_entries(counters: tuple[Var, ...], sizes: tuple[Expr, ...], block: Block) -> Block:
    """The block in a loop for each axis."""
    for counter, size in reversed(list(zip(counters, sizes, strict=True))):
        source = nodes.Call(range, "range", (size,), type=List(INT))
        block = (nodes.For((counter.name,), (source,), block),)
    return block


__all__ = [
    "Parts", "changed_by", "empty", "is_plain", "lengths", "names_read", "names_taken",
    "over_entries", "rank_of", "zeros_like",
]  # fmt: skip
