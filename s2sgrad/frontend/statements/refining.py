"""Floor 4: what a test tells about the values of its branches."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.options import chosen_of, numbered
from s2sgrad.frontend.state import State
from s2sgrad.frontend.values import Chosen, Dyn, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import NONE, Array, Known, Maybe, Number, Pick, Scalar


class Refining(Base):
    """The part of the lowering that narrows types by tests."""

    def refine(self, test: nodes.Expr, outcome: bool) -> None:
        """What a test tells about a value that may be None, or an array."""
        if self.refine_row(test, outcome):
            return
        match test:
            case nodes.Call(function="not", args=(inner,)):
                self.refine(inner, not outcome)
            case nodes.Call(function="and", args=args) if outcome:
                for arg in args:
                    self.refine(arg, True)
            case nodes.Call(function="or", args=args) if not outcome:
                for arg in args:
                    self.refine(arg, False)
            case nodes.Call(function="or", args=args) if (asked := _numbers(args)) is not None:
                self._narrow_choice(*asked, True)
            case nodes.Call(
                function="is" | "is not" as sign, args=(nodes.Var() as var, nodes.Const(value=None))
            ):
                if isinstance(var.type, Maybe):
                    is_none = (sign == "is") == outcome
                    self._narrow(var, NONE if is_none else var.type.item)
            case nodes.Call(
                function="==", args=(nodes.Var() as var, nodes.Const(value=int(number)))
            ):
                self._narrow_choice(var, {number}, outcome)
            case nodes.Var() as var if outcome and isinstance(var.type, Maybe):
                self._narrow(var, var.type.item)
            case nodes.Call(
                function=function,
                args=(
                    nodes.Var(type=Number(dtype=dtype)) as var,
                    nodes.Expr(type=Known(value=np.ndarray)),
                ),
            ) if function is isinstance and (outcome or dtype):
                self._narrow(var, Array(dtype, None) if outcome or not dtype else Scalar(dtype))

    def _narrow(self, var: nodes.Var, kind: Any) -> None:
        new: Value = Static(None) if kind == NONE else Dyn(dataclasses.replace(var, type=kind))
        for key, value in self.state.vars.items():
            if isinstance(value, Dyn) and value.expr == var:
                self.state.vars[key] = new

    def _narrow_choice(self, which: nodes.Var, numbers: set[int], outcome: bool) -> None:
        """Names of one of several things, where it is known which one, or which ones."""
        for key, value in self.state.vars.items():
            if isinstance(value, Chosen) and value.which == which:
                left = {n: v for n, v in numbered(value).items() if (n in numbers) == outcome}
                self.state.vars[key] = chosen_of(which, left) if left else value
            kind = value.type if isinstance(value, Dyn) else None
            if isinstance(kind, Pick) and _is_name(value, which.name):
                picks = frozenset(n for n in kind.classes if (n in numbers) == outcome)
                if picks:
                    self.state.vars[key] = Dyn(nodes.Var(which.name, type=Pick(classes=picks)))


def forget_told(entry: State, paths: list[State], told: list[dict[Any, Value]]) -> None:
    """Where several paths go on, what their tests told of one of several things is no longer
    known, unless a path has given its name another value.

    told: for each path, what its test said of the variables at its beginning.
    """
    if len(paths) < 2:
        return
    chosen = {k for found in told for k in found if isinstance(entry.vars[k], Chosen)}
    for key in chosen:
        began = [found.get(key, entry.vars[key]) for found in told]
        if all(p.vars.get(key) is value for p, value in zip(paths, began, strict=True)):
            for path in paths:
                path.vars[key] = entry.vars[key]


def _numbers(tests: tuple[nodes.Expr, ...]) -> tuple[nodes.Var, set[int]] | None:
    """(which, numbers) of `which == 0 or which == 2`; None for other tests."""
    asked, numbers = set(), set()
    for test in tests:
        match test:
            case nodes.Call(
                function="==", args=(nodes.Var() as var, nodes.Const(value=int(number)))
            ):
                asked.add(var)
                numbers.add(number)
            case _:
                return None
    return (asked.pop(), numbers) if len(asked) == 1 else None


def _is_name(value: Value, name: str) -> bool:
    return isinstance(value, Dyn) and isinstance(value.expr, nodes.Var) and value.expr.name == name
