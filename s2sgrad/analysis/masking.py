"""Floor 3: where a branch not taken may meet an infinite slope.

`np.where(x > 0, np.log(x), 0.0)` sends an exact zero to the entries of `np.log(x)` that were not
chosen, and zero times an infinite slope is NaN. Two questions are answered here: into which
variables do such zeros flow (`masked`), and which values may be infinite or NaN where they are
not chosen (`risky`). Code is guarded only where both meet.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from s2sgrad.analysis.activity import differentiable_parts, flows, rule_of
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Var
from s2sgrad.ir.types import Array
from s2sgrad.rules.declare import Rule
from s2sgrad.rules.slicing import Partial


class Masking:
    """masked: variables whose cotangent may hold zeros of a branch not taken."""

    def __init__(self, block: Block) -> None:
        stmts = tuple(nodes.walk_block(block))
        self.masked: set[str] = set()
        self.risky: set[str] = set()
        if any(selects(e) for s in stmts for top in nodes.expressions(s) for e in nodes.walk(top)):
            self._spread(self.masked, self._backward, tuple(reversed(stmts)))
            self._spread(self.risky, self._forward, stmts)

    def _spread(self, names: set[str], step: Any, stmts: Iterable[nodes.Stmt]) -> None:
        size = -1
        while len(names) != size:
            size = len(names)
            for stmt in stmts:
                for target, value in flows(stmt):
                    step(target, value, names)

    def _backward(self, target: str, value: Expr, names: set[str]) -> None:
        self._mark(value, target in names)

    def _mark(self, expr: Expr, masked: bool) -> None:
        if isinstance(expr, Var):
            if masked:
                self.masked.add(expr.name)
            return
        for part in differentiable_parts(expr):
            self._mark(part, masked or selects(expr))

    def _forward(self, target: str, value: Expr, names: set[str]) -> None:
        if self.may_be_infinite(value):
            names.add(target)

    def may_be_infinite(self, expr: Expr) -> bool:
        """Whether a value may be infinite or NaN, as far as its own computation tells."""
        if isinstance(expr, Var):
            return expr.name in self.risky
        if selects(expr):
            return False
        return singular(expr) or any(map(self.may_be_infinite, differentiable_parts(expr)))

    def steep(self, rule: Rule, partial: Partial, values: dict[str, Expr]) -> bool:
        """Whether a partial may be infinite or NaN, given what stands for its parameters."""
        if not self.masked or not partial.reads - {"y_bar"}:
            return False
        call = values["y"]
        return singular(call) or any(
            self.may_be_infinite(values[name]) for name in partial.reads if name in values
        )


def selects(expr: Expr) -> bool:
    """Whether an operation passes some entries on and leaves others out, by their values."""
    if isinstance(expr, nodes.Index):
        return any(
            isinstance(p.type, Array) and p.type.dtype == "bool"
            for p in expr.index
            if isinstance(p, Expr)
        )
    if not isinstance(expr, Call) or isinstance(expr.function, str):
        return False
    rule = rule_of(expr.function)
    return rule is not None and (rule.selects or any(k == "where" for k, _ in expr.kwargs))


def singular(expr: Expr) -> bool:
    """Whether an operation has an infinite slope (or value) somewhere."""
    if not isinstance(expr, Call) or isinstance(expr.function, str):
        return False
    rule = rule_of(expr.function)
    if rule is None or not rule.infinite_slope:
        return False
    last = expr.args[-1] if len(expr.args) == 2 else None
    if rule.harmless is not None and isinstance(last, Const):
        return not rule.harmless(last.value)
    return True
