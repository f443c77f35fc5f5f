"""Floor 5: a view through which nothing is seen to change is as good as a copy.

`x = d[-1]`, then `x = d[k] - c[k] * x` in a loop: on some paths x is a part of d, on others it is
not, and its cotangent would have to follow it at run time (see shadows.py). Where d is not written
any more while x is used, nor through x, a copy has the same entries, and a cotangent of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from s2sgrad.analysis.contiguity import doubtful_names, in_c_order
from s2sgrad.analysis.effects import Effects, basic_index, holds_arrays, root, shared_with
from s2sgrad.errors import UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt, Var
from s2sgrad.ir.types import Array, List, Type, shape_of
from s2sgrad.transform.preparing.settle import changes_seen
from s2sgrad.transform.preparing.unsettled import asking_calls
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block


def detached(
    block: Block,
    found: Effects,
    tangled: dict[str, UnsupportedError],
    live: frozenset[str],
    fresh: Callable[[str, Type], str],
) -> Block:
    """The block with copies in place of such views, of arrays that can't be followed (`tangled`).

    So with lists and arrays that a recursive function may give back as they are.
    live: what is read after the block. fresh: makes a variable.
    """

    def handed(call: Call, stmt: nodes.Unpack) -> list[Stmt]:
        """The call with copies of such arguments."""
        args, before = list(call.args), []
        for i in getattr(call.function, "shared", ()):
            arg = args[i]
            if not isinstance(arg, Var) or found.find(arg.name) not in tangled:
                continue
            copy = _copy_of(arg)
            if copy is None or changes_seen(stmt.targets[0], arg.name, block, found, live):
                continue
            args[i] = Var(fresh(arg.name, arg.type), type=arg.type)
            before.append(nodes.Assign((args[i].name,), (copy,), span=stmt.span))  # type: ignore[attr-defined]
        return [*before, replace(stmt, value=replace(call, args=tuple(args)))]

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        if isinstance(stmt, nodes.Unpack) and isinstance(stmt.value, Call):
            return handed(stmt.value, stmt)
        if not isinstance(stmt, nodes.Assign) or len(stmt.targets) != 1:
            return [stmt]
        (name,), (value,) = stmt.targets, stmt.values
        if not _is_array_view(value) or found.find(name) not in tangled or name in asked:
            return [stmt]
        if changes_seen(name, root(value) or "", block, found, live):
            return [stmt]
        return [replace(stmt, values=(_in_its_order(value, doubtful),))]

    asked = _asked(block) if tangled else frozenset()
    doubtful = doubtful_names(block) if tangled else frozenset()
    return map_block(block, lambda e: e, on_stmt) if tangled else block


def _in_its_order(value: Expr, doubtful: frozenset[str]) -> Expr:
    """A copy of an array that lies in memory in the order of the array's axes."""
    if in_c_order(_whole(value), doubtful) or len(shape_of(value.type) or ((), ())) < 2:
        return build.copied(value)
    return Call(np.copy, "np.copy", (value,), type=value.type, span=value.span)


def _whole(value: Expr) -> Expr:
    """The array that a part was taken of by slices and numbers: the axes that are left lie as they
    did there. An item of a list lies in an order of its own."""
    while isinstance(value, nodes.Index) and isinstance(value.base.type, Array):
        new = any(isinstance(p, nodes.Const) and p.value is None for p in value.index)
        if new or not basic_index(value.index):
            break
        value = value.base
    return value


def _asked(block: Block) -> frozenset[str]:
    """The names of which the code asks whether they share memory, or are one array: a copy would
    answer else."""
    calls = asking_calls(block)
    return frozenset(a.name for call in calls for a in call.args if isinstance(a, Var))


def _copy_of(arg: Var) -> Expr | None:
    """A copy of an array, or of a list of numbers."""
    plain = isinstance(arg.type, List) and not holds_arrays(arg.type.item)
    return build.copied(arg) if plain or isinstance(arg.type, Array) else None


def _is_array_view(value: Expr) -> bool:
    """Whether a value is (a part of) an array that a variable holds."""
    return isinstance(value.type, Array) and bool(shared_with(value)) and root(value) is not None


__all__ = ["detached"]
