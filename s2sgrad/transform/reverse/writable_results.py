"""Floor 5: gradients that would be read-only views are arrays of their own:
`x_bar = np.broadcast_to(y_bar, x.shape).copy()`.

The gradient of `np.sum(x, axis=0)` is one row that stands in all places; whoever takes a step
with `x_bar *= rate` must find an array that can be written.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.effects import gives_view, holds_arrays, root
from s2sgrad.analysis.memory import is_view
from s2sgrad.analysis.new_arrays import parted, shares_memory
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Stmt, Var
from s2sgrad.ir.types import Array, Scalar, shape_of
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_block

_SPREADING = (s2sgrad_runtime.unreduce, s2sgrad_runtime.broadcast_like)
_LOCKED = (np.broadcast_to, np.diagonal, np.linalg.diagonal, *_SPREADING)


def with_writable_results(body: Block, second: bool, again: bool) -> Block:
    """The body of a gradient, with copies of what it returns and nobody could write into.

    second: it returns the value, then the gradients. again: the code will be differentiated, and
    copies must be known for the compiler's."""
    return _Results(body, again).written(second)


class _Results:
    """What the variables of a body may hold, and which of them are copied where they are set."""

    def __init__(self, body: Block, again: bool) -> None:
        self.body, self.again = body, again
        self.values: dict[str, list[Expr]] = {}
        for stmt in nodes.walk_block(body):
            if isinstance(stmt, nodes.Assign):
                for target, value in zip(stmt.targets, stmt.values, strict=True):
                    self.values.setdefault(target, []).append(value)
        self.set_once = {t for t, n in _bound(body).items() if n == 1 and t in self.values}
        self.kept: dict[str, Expr] = {}  # what is assigned to a variable -> in place of it
        self.filled: set[str] = set()  # lists and dicts that are returned

    def written(self, second: bool) -> Block:
        *start, end = self.body
        if not isinstance(end, nodes.Return) or end.value is None:
            return self.body
        match end.value:
            case nodes.Sequence(items=(value, output)) if second:
                result: Expr = replace(end.value, items=(value, self.own(output)))
            case output:
                result = output if second else self.own(output)
        block = (*start, replace(end, value=result))
        return map_block(block, lambda e: e, self._stmt) if self.kept or self.filled else block

    def _stmt(self, stmt: Stmt) -> list[Stmt]:
        match stmt:
            case nodes.Assign(targets=targets, values=values):
                pairs = zip(targets, values, strict=True)
                return [replace(stmt, values=tuple(self.kept.get(t, v) for t, v in pairs))]
            case nodes.Store(base=base, value=value) if root(base) in self.filled:
                if not isinstance(base.type, Array):
                    return [replace(stmt, value=self.own(value))]
        return [stmt]

    def own(self, expr: Expr) -> Expr:
        """A result that can be written, down to the arrays in lists and dicts."""
        match expr:
            case nodes.Sequence(items=items):
                return replace(expr, items=tuple(map(self.own, items)))
            case nodes.Mapping(values=items):
                return replace(expr, values=tuple(map(self.own, items)))
            case Var(name=name) if not isinstance(expr.type, Array):
                self.filled.add(name)
        if not holds_arrays(expr.type) or not self.locked(expr, set()):
            return expr
        if isinstance(expr, Var) and expr.name in self.set_once:
            if expr.name not in self.kept:
                self.kept[expr.name] = self.own(self.values[expr.name][0])
            return expr
        if isinstance(expr, Call) and _of_parts(expr):
            return replace(expr, args=(self.own(expr.args[0]), *expr.args[1:]))
        if self.again:
            return Call(s2sgrad_runtime.copy_tree, "copy_tree", (expr,), type=expr.type)
        return build.copied(expr)

    def locked(self, expr: Expr, seen: set[str]) -> bool:
        """Whether a value may be, or hold, a read-only view."""
        if isinstance(expr.type, Scalar):
            return False
        match expr:
            case Var(name=name):
                new = name not in seen
                seen.add(name)
                return new and any(self.locked(v, seen) for v in self.values.get(name, ()))
            case nodes.Index(base=base):
                return gives_view(expr) and self.locked(base, seen)
            case nodes.Choice(then=then, orelse=orelse):
                return self.locked(then, seen) or self.locked(orelse, seen)
            case nodes.Sequence(items=items) | nodes.Mapping(values=items):
                return any(self.locked(i, seen) for i in items)
            case Call(function=function, args=args):
                if any(function is f for f in _LOCKED):
                    return not _is_masked(expr)
                if function is np.diag:
                    return len(shape_of(args[0].type) or ()) != 1
                if _of_parts(expr) or is_view(expr):
                    return self.locked(args[0], seen)
                ours = getattr(s2sgrad_runtime, expr.text, None) is function
                return ours and shares_memory(expr) and any(self.locked(a, seen) for a in args)
        return False


def _bound(body: Block) -> dict[str, int]:
    """How often each name is bound."""
    count: dict[str, int] = {}
    for stmt in nodes.walk_block(body):
        for target in nodes.targets_of(stmt):
            count[target] = count.get(target, 0) + 1
    return count


def _of_parts(call: Call) -> bool:
    """Whether a list or tuple is made of the parts of an array, or of another list."""
    return call.function in (list, tuple) or parted(call) is not call


def _is_masked(call: Call) -> bool:
    """Whether what is spread goes through a mask, which makes a new array."""
    if call.function is not s2sgrad_runtime.unreduce:
        return False
    mask = call.args[4] if len(call.args) > 4 else dict(call.kwargs).get("where")
    return mask is not None and mask != nodes.Const(True)


__all__ = ["with_writable_results"]
