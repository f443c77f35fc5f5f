"""Floor 4: `with` blocks. Plain ones only matter forward; `cotangent` reaches the reverse sweep."""

from __future__ import annotations

import ast

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.values import Dyn, Instance, Value


class Contexts(Base):
    def stmt_With(self, stmt: ast.With) -> str:
        """Enter, run the body, leave: exceptions inside are not handled by the context."""
        entered: list[Value] = []
        for item in stmt.items:
            manager = self.expr(item.context_expr)
            value = self._enter(manager, stmt)
            entered.append(manager)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, value, stmt)
        status = self.run_block(stmt.body)
        from s2sgrad.frontend.values import Static

        for manager in reversed(entered):
            if isinstance(self.contents(manager), Instance):
                leave = self.attribute(manager, "__exit__", stmt)
                self.call(leave, [Static(None)] * 3, {}, stmt)
        return status  # type: ignore[return-value]

    def _enter(self, manager: Value, node: ast.With) -> Value:
        if isinstance(self.contents(manager), Instance):
            return self.call(self.attribute(manager, "__enter__", node), [], {}, node)
        if isinstance(manager, Dyn):
            return manager
        raise self.refuse(
            "this context manager can't be transformed", node, "it is not an object of a class with source"
        )
