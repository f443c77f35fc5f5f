"""Floor 4: arrays that get another shape in place: `y.shape = (2, 3)`, `y.resize(8)`.

A name of an array has one shape in generated code. It gets a new array, which no other name may
be waiting for.
"""

from __future__ import annotations

import ast

import numpy as np

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.models import functions as model_numpy
from s2sgrad.frontend.values import Dyn, Value, parts_of
from s2sgrad.ir import nodes


class Reshaping(Base):
    """Lowering of shapes that are set."""

    def set_shape(self, target: ast.expr, owner: Dyn, shape: Value, node: ast.AST) -> None:
        """`y.shape = shape`: from here on y is a view of that shape."""
        self._only_name(target, owner, node, "assigning to .shape", "use reshape")
        made = self.apply(np.reshape, "reshape", [owner, shape], form="method", node=node)
        self.assign(target, made, node)  # type: ignore[arg-type]

    def resized(self, owner: Dyn, args: list[Value], node: ast.AST) -> None:
        """`y.resize(shape)`: what is new is zero."""
        target = node.func.value if isinstance(node, ast.Call) and isinstance(
            node.func, ast.Attribute
        ) else None  # fmt: skip
        self._only_name(target, owner, node, "'resize' in place", "use np.pad or a slice")
        shape = args[0] if len(args) == 1 else self.sequence(args)
        made = self.model(model_numpy.resized, [owner, shape], node)
        self.assign(target, made, node)  # type: ignore[arg-type]

    def _only_name(
        self, target: ast.expr | None, owner: Dyn, node: ast.AST, what: str, fix: str
    ) -> None:
        """Refuse where anything else may hold the array: it would have to change its shape too."""
        var = owner.expr
        held = [v for c in self.state.heap.values() for v in parts_of(c)]
        holders = sum(v == owner for v in (*self.state.vars.values(), *held))
        alone = isinstance(var, nodes.Var) and holders == 1 and not self.loops
        if not isinstance(target, ast.Name) or not alone or self._second_name(var):
            why = "another name may hold the same array, which changes its shape too"
            raise self.refuse(what, node, why, fix)

    def _second_name(self, var: nodes.Expr) -> bool:
        """Whether an array got its name from another name, or another name from this one."""
        for block in self.builder.blocks:
            for stmt in nodes.walk_block(tuple(block)):
                if isinstance(stmt, nodes.Mutate) and any(var in nodes.walk(a) for a in stmt.args):
                    return True  # it is in a list
                if not isinstance(stmt, nodes.Assign):
                    continue
                for name, value in zip(stmt.targets, stmt.values, strict=True):
                    inner = [e for e in nodes.walk(value) if isinstance(e, nodes.Var)]
                    plain = isinstance(value, nodes.Var | nodes.Choice | nodes.Sequence)
                    mine = isinstance(var, nodes.Var) and var.name == name
                    if plain and inner and (mine or var in inner):
                        return True
        return False
