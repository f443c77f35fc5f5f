"""Floor 5: branches in reverse: the side that ran is undone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from s2sgrad.analysis.definite import bound_after
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Expr, Stmt, Var
from s2sgrad.ir.types import Scalar
from s2sgrad.transform.reverse.bars import OWNED
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.unbound import copied_in, without_value

Pair = tuple[list[Stmt], list[Stmt]]


class BranchReversal:
    """The part of the reversal that deals with `if`."""

    facts: Any
    bars: Any
    plan: Any
    depth: int
    barren: set[int]
    block: Any
    saved: Any
    keep_shape: Any
    first: list[Stmt]

    def _if(self, stmt: nodes.If) -> Pair:
        entry = dict(self.bars.state)
        straight, self.bars.straight = self.bars.straight, False
        then_forward, then_back = self.block(stmt.then)
        then_state, self.bars.state = self.bars.state, dict(entry)
        else_forward, else_back = self.block(stmt.orelse)
        else_state = self.bars.state
        self.bars.straight = straight
        if id(stmt) in self.barren:  # a side that leaves the loop is not undone
            left = bool(stmt.then) and isinstance(stmt.then[-1], nodes.Exit)
            self.bars.state = else_state if left else then_state
            return [replace(stmt, then=tuple(then_forward), orelse=tuple(else_forward))], (
                else_back if left else then_back
            )
        self.bars.state = {}
        for name in list(dict.fromkeys([*then_state, *else_state])):
            for state, back, side in (
                (then_state, then_back, stmt.then),
                (else_state, else_back, stmt.orelse),
            ):
                if name not in state:
                    bar = self.bars.variable(name)
                    self.keep_shape(side, name)
                    zero = self._zero_beside(name, stmt, side)
                    if name in nodes.names_in(zero):
                        self.plan.asks_shape(stmt, name)
                    back.append(nodes.Assign((bar.name,), (zero,)))
                    state[name] = OWNED
            both = {then_state[name], else_state[name]}
            self.bars.state[name] = OWNED if both == {OWNED} else "set"
        if not then_back and not else_back:
            return [replace(stmt, then=tuple(then_forward), orelse=tuple(else_forward))], []
        before, test, back_test = self.recorded_test(stmt)
        forward = [
            *before,
            replace(stmt, test=test, then=tuple(then_forward), orelse=tuple(else_forward)),
        ]
        if not then_back:
            return forward, [guarded(negated(back_test), else_back)]
        if not else_back:
            return forward, [guarded(back_test, then_back)]
        return forward, [nodes.If(back_test, tuple(then_back), tuple(else_back))]

    def _zero_beside(self, name: str, stmt: nodes.If, side: nodes.Block) -> Expr:
        """The zero cotangent of a variable that a side of a branch does not read."""
        if self.plan.bound_before(stmt, name) or name in bound_after(side):
            return self.bars.zero(name)
        if not self._may_be_bound(name, stmt, side):
            return build.number(0.0)  # nobody looks at it
        zero = self.bars.zero(name)
        if name not in nodes.names_in(zero) and not self._is_moved(name):
            return zero
        if not any(name in nodes.targets_of(s) for s in self.first):
            self.first.append(without_value(name))
        return zero

    def _is_moved(self, name: str) -> bool:
        """Whether a join hands a variable on, perhaps before it has a value: the copy would fail,
        though nobody reads what it holds."""
        return any(
            isinstance(s, nodes.Assign)
            and s.move
            and name not in self.plan.bound.get(id(s), ())
            and any(name in copied_in(value) for value in s.values)
            for s in self.plan.stmts.values()
        )

    def _may_be_bound(self, name: str, stmt: nodes.If, side: nodes.Block) -> bool:
        """Whether a variable has a value on some way through a side of a branch."""
        around = [loop.body for loop in self.plan.loops_around(stmt)]
        inside = (s for block in (side, *around) for s in nodes.walk_block(block))
        return any(name in nodes.targets_of(s) for s in (*self.plan.before(stmt), *inside))

    def recorded_test(self, stmt: nodes.If) -> tuple[list[Stmt], Expr, Expr]:
        """(statements before, test to use forward, test to use in reverse)."""
        if self.plan.told_inside(stmt):
            return [], stmt.test, stmt.test
        base = "branch"
        if self.depth and isinstance(stmt.test, Var) and isinstance(stmt.test.type, Scalar):
            push, old = self.saved(stmt.span, stmt.test, stmt.test.name, "which way it went")
            return push, stmt.test, old
        kind = Scalar("bool")
        name = self.facts.names.fresh(base)
        self.facts.types[name] = kind
        var = Var(name, type=kind)
        taken = stmt.test
        if not isinstance(taken.type, Scalar):  # a list may be empty now, and not later
            taken = Call(bool, "bool", (taken,), type=kind)
        before: list[Stmt] = [nodes.Assign((name,), (taken,), span=stmt.span)]
        if not self.depth:
            return before, var, var
        push, old = self.saved(stmt.span, var, base, "which way it went")
        return [*before, *push], var, old


def negated(test: Expr) -> Expr:
    """`not test`."""
    if isinstance(test, Call) and test.function == "not":
        return test.args[0]
    return Call("not", "not", (test,), form="operator", type=Scalar("bool"))


def guarded(test: Expr, body: list[Stmt]) -> Stmt:
    """`if test: body`; a branch that holds nothing but another one joins it with `and`."""
    if len(body) == 1 and isinstance(body[0], nodes.If) and not body[0].orelse:
        inner = body[0]
        both = Call("and", "and", (test, inner.test), form="operator", type=Scalar("bool"))
        return nodes.If(both, inner.then, ())
    return nodes.If(test, tuple(body), ())
