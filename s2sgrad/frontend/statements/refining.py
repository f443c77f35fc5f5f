"""Floor 4: what a test tells about the values of its branches."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.values import Chosen, Dyn, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import NONE, Array, Known, Maybe, Number, Scalar


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
            case nodes.Call(
                function="is" | "is not" as sign, args=(nodes.Var() as var, nodes.Const(value=None))
            ):
                if isinstance(var.type, Maybe):
                    is_none = (sign == "is") == outcome
                    self._narrow(var, NONE if is_none else var.type.item)
            case nodes.Call(
                function="==", args=(nodes.Var() as var, nodes.Const(value=int(number)))
            ):
                self._narrow_choice(var, number, outcome)
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

    def _narrow_choice(self, which: nodes.Var, number: int, outcome: bool) -> None:
        """Names of one of several things, where it is known which one."""
        for key, value in self.state.vars.items():
            if isinstance(value, Chosen) and value.which == which:
                if outcome and number < len(value.options):
                    self.state.vars[key] = value.options[number]
                elif not outcome and len(value.options) == 2 and number < 2:
                    self.state.vars[key] = value.options[1 - number]
