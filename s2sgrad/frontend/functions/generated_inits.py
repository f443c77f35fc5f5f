"""Floor 4: the `__init__` that a dataclass was given by its decorator, where it is called by name:
`super().__init__(...)`, `Base.__init__(self, ...)`."""

from __future__ import annotations

import ast
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.functions.classes import dataclass_of_init
from s2sgrad.frontend.values import Static, Value


class GeneratedInits(Base):
    """The part of the lowering that knows what such a function does: it has no source."""

    def call_function(
        self, target: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """A call of a real function."""
        cls = dataclass_of_init(target, self.class_of(args[0])) if args else None
        if cls is None:
            return super().call_function(target, args, kwargs, node)  # type: ignore[misc,no-any-return]
        self.dataclass_init(args[0], cls, args[1:], kwargs, node)
        return Static(None)
