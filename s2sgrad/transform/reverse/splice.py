"""Floor 5: the user's own code in the reverse sweep (`with s2sgrad.cotangent(x) as x_bar:`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from s2sgrad.analysis.effects import shared_with
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Expr, Stmt, Var
from s2sgrad.ir.types import Scalar
from s2sgrad.transform.preparing.coalesce import base_name
from s2sgrad.transform.reverse.bars import OWNED, SET
from s2sgrad.transform.writing.rewrite import map_block, map_expr

Pair = tuple[list[Stmt], list[Stmt]]


class SpliceReversal:
    """The part of the reversal that deals with `with s2sgrad.cotangent(...)`."""

    facts: Any
    bars: Any

    def splice(self, stmt: nodes.Splice) -> Pair:
        """The body, with the cotangent under its own name; nothing where there is none."""
        assert isinstance(stmt.value, Var)
        name = self.bars.owner(stmt.value)
        if name not in self.facts.activity.variables:
            return [], []
        before = self.bars.own(name)
        place = self.bars.place(stmt.value)
        whole = isinstance(place, Var)
        bar = place if whole else self._fresh("part_bar", stmt.value.type)
        body, result = self._renamed(stmt, bar)
        if not whole:
            before.append(nodes.Assign((bar.name,), (place,)))
        if result == bar and not (isinstance(bar.type, Scalar) and not whole):
            return [], [*before, *body]
        if whole and name in self.facts.shadows:
            return [], [*before, *body, nodes.Store(bar, (), result)]
        if whole:
            fresh = not shared_with(result) or isinstance(bar.type, Scalar)
            self.bars.state[name] = OWNED if fresh else SET
            return [], [*before, *body, nodes.Assign((bar.name,), (result,))]
        return [], [*before, *body, nodes.Store(place.base, place.index, result)]

    def _fresh(self, base: str, kind: Any) -> Var:
        name = self.facts.names.fresh(base)
        self.facts.types[name] = kind
        return Var(name, type=kind)

    def _renamed(self, stmt: nodes.Splice, bar: Var) -> tuple[nodes.Block, Expr]:
        """The body with names of this sweep for what it binds."""
        bound = dict.fromkeys(t for s in nodes.walk_block(stmt.body) for t in nodes.targets_of(s))
        names = {stmt.bar: bar.name}
        for name in bound:
            if name != stmt.bar:
                names[name] = self._fresh(base_name(name), _kind(stmt.body, name)).name

        def on_expr(expr: Expr) -> Expr:
            if isinstance(expr, Var) and expr.name in names:
                return replace(expr, name=names[expr.name])
            return expr

        def on_stmt(inner: Stmt) -> list[Stmt]:
            match inner:
                case (
                    nodes.Assign(targets=targets)
                    | nodes.Unpack(targets=targets)
                    | nodes.For(targets=targets)
                ):
                    return [replace(inner, targets=tuple(names.get(t, t) for t in targets))]
                case nodes.Mutate(target=str(target)):
                    return [replace(inner, target=names.get(target, target))]
            return [inner]

        return map_block(stmt.body, on_expr, on_stmt), map_expr(stmt.result, on_expr)


def _kind(block: nodes.Block, name: str) -> Any:
    """The type of a variable, from where it is bound or read."""
    for stmt in nodes.walk_block(block):
        if isinstance(stmt, nodes.Assign) and name in stmt.targets:
            return stmt.values[stmt.targets.index(name)].type
        for expr in nodes.expressions(stmt):
            for part in nodes.walk(expr):
                if isinstance(part, Var) and part.name == name:
                    return part.type
    return Scalar("int")
