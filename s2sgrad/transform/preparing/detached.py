"""Floor 5: a view through which nothing is seen to change is as good as a copy.

`x = d[-1]`, then `x = d[k] - c[k] * x` in a loop: on some paths x is a part of d, on others it is
not, and its cotangent would have to follow it at run time (see shadows.py). Where d is not written
any more while x is used, nor through x, a copy has the same entries, and a cotangent of its own.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.analysis.effects import Effects, root, shared_with
from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt
from s2sgrad.ir.types import Array
from s2sgrad.transform.preparing.settle import changes_seen
from s2sgrad.transform.writing.rewrite import map_block


def detached(
    block: Block, found: Effects, tangled: dict[str, UnsupportedError], live: frozenset[str]
) -> Block:
    """The block with copies in place of such views, of arrays that can't be followed (`tangled`).

    live: what is read after the block.
    """

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        if not isinstance(stmt, nodes.Assign) or len(stmt.targets) != 1:
            return [stmt]
        (name,), (value,) = stmt.targets, stmt.values
        if not _is_array_view(value) or found.find(name) not in tangled:
            return [stmt]
        if changes_seen(name, root(value) or "", block, found, live):
            return [stmt]
        copy = Call(np.copy, "copy", (value,), form="method", type=value.type, span=value.span)
        return [replace(stmt, values=(copy,))]

    return map_block(block, lambda e: e, on_stmt) if tangled else block


def _is_array_view(value: Expr) -> bool:
    """Whether a value is (a part of) an array that a variable holds."""
    return isinstance(value.type, Array) and bool(shared_with(value)) and root(value) is not None


__all__ = ["detached"]
