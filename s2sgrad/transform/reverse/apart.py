"""Floor 5: what a runtime helper may give back as it is, is copied where it is written later.

`unbroadcast(a_bar[1:], x)` may be a view of `a_bar`: no analysis of memory follows it through.
"""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType

import numpy as np

from s2sgrad.analysis.effects import Effects, root
from s2sgrad.analysis.memory import is_view
from s2sgrad.analysis.new_arrays import shares_memory
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt
from s2sgrad.ir.types import Array
from s2sgrad.transform.writing.rewrite import map_block


def held_apart(body: Block, shared: Effects) -> Block:
    """The body with such copies."""

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        if not isinstance(stmt, nodes.Assign):
            return [stmt]
        return [replace(stmt, values=tuple(apart(v) for v in stmt.values))]

    def apart(value: Expr) -> Expr:
        if not isinstance(value, Call) or not isinstance(value.function, FunctionType):
            return value
        if not value.args or not shares_memory(value) or is_view(value):
            return value
        first, name = value.args[0], root(value.args[0])
        if name is None or not shared.is_written(name) or not isinstance(first.type, Array):
            return value
        copy = Call(np.copy, "copy", (first,), form="method", type=first.type)
        return replace(value, args=(copy, *value.args[1:]))

    return map_block(body, lambda e: e, on_stmt)
