"""Floor 4: `np.f(x, out=a, where=mask)`, as a store into a."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from s2sgrad.analysis.effects import root
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.values import Dyn, Static, Value
from s2sgrad.ir import nodes


class Outputs(Base):
    """Lowering of the arguments that say where a result goes."""

    apply: Any
    emit_store: Any

    def taken_out(self, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
        """The array for the result, taken out of the arguments; None for a new one."""
        out: Value | None = kwargs.pop("out", None)
        if isinstance(function, np.ufunc) and len(args) > function.nin:
            out = args.pop()
        if isinstance(out, Static) and out.value is None:
            return None
        items = self.static_items(out) if out is not None else None
        return items[0] if items is not None and len(items) == 1 else out

    def store_out(
        self, out: Value, value: Value, mask: Value | None, node: ast.AST | None
    ) -> Value:
        """Write a result into an array, where a mask (of a ufunc) is true."""
        base = self.residual(out, node)
        if root(base) is None:  # made in the call: `out=np.zeros(3)`
            base = self.builder.bind("out", base, self.span(node))
        if mask is not None:
            value = self.apply(np.where, "np.where", [mask, value, Dyn(base)], node=node)
        self.emit_store(nodes.Store(base, (), self.residual(value, node), span=self.span(node)))
        return Dyn(base)
