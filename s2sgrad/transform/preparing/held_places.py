"""Floor 5: where a view lies, in numbers that stay: `row = a[n[0] : n[1]]` and then `n[0] += 1`.

A view of an array that is written is followed by the expression that it is, which has to mean the
same wherever the view is used. Numbers that its subscripts read from arrays, lists or dicts that
change get names: `start = n[0]`, `stop = n[1]`, `row = a[start:stop]`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from s2sgrad.analysis.effects import Effects, effects, gives_view, holds_arrays, root
from s2sgrad.analysis.memory import is_view
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Expr, Index, Sequence, Slice, Stmt, Var
from s2sgrad.ir.types import Array, Scalar
from s2sgrad.transform.writing.rewrite import map_block

_SHAPE = ("shape", "size", "ndim")


def with_held_places(block: Block, fresh: Callable[[str, Expr], Var]) -> Block:
    """The block with names for such numbers, ahead of each view. fresh: makes a variable."""
    shared = effects(block)

    def on_stmt(stmt: Stmt) -> list[Stmt]:
        held = _Held(shared, fresh)
        match stmt:
            case nodes.Assign(values=values):
                stmt = replace(stmt, values=tuple(map(held.value, values)))
            case nodes.Unpack(value=value):
                stmt = replace(stmt, value=held.value(value))
            case nodes.For(sources=sources):
                stmt = replace(stmt, sources=tuple(map(held.value, sources)))
            case nodes.Mutate(args=args):
                stmt = replace(stmt, args=tuple(map(held.value, args)))
        before = (nodes.Assign((v.name,), (e,), span=stmt.span) for v, e in held.numbers)
        return [*before, stmt]

    return map_block(block, lambda e: e, on_stmt)


class _Held:
    """The numbers of one statement, with their names."""

    def __init__(self, shared: Effects, fresh: Callable[[str, Expr], Var]) -> None:
        self.shared, self.fresh = shared, fresh
        self.numbers: list[tuple[Var, Expr]] = []

    def value(self, value: Expr) -> Expr:
        """What a name gets, with such numbers named in the views that it is or holds."""
        match value:
            case Sequence(items=items):
                return replace(value, items=tuple(map(self.value, items)))
            case Index() | Call() if self.shared.is_written(root(value) or ""):
                return self.view(value)
        return value

    def view(self, value: Expr) -> Expr:
        match value:
            case Index(base=base, index=index) if gives_view(value):
                parts = index
                if isinstance(base.type, Array) and holds_arrays(value.type):
                    parts = tuple(map(self.part, index))
                return replace(value, base=self.view(base), index=parts)
            case Call(args=args) if is_view(value):
                return replace(value, args=(self.view(args[0]), *args[1:]))
        return value

    def part(self, part: Expr) -> Expr:
        """A number of a subscript, or the bounds of a slice."""
        match part:
            case Slice(lower=lower, upper=upper):
                low = self.number(lower, "start")
                return replace(part, lower=low, upper=self.number(upper, "stop"))
        return self.number(part, "at") or part

    def number(self, expr: Expr | None, base: str) -> Expr | None:
        if expr is None or not isinstance(expr.type, Scalar) or not self.changes(expr):
            return expr
        for var, known in self.numbers:
            if known == expr:
                return var
        var = self.fresh(base, expr)
        self.numbers.append((var, expr))
        return var

    def changes(self, expr: Expr) -> bool:
        """Whether a number is read from memory that is written anywhere."""
        match expr:
            case Var(name=name):
                return not isinstance(expr.type, Scalar) and self.shared.changes(name)
            case Call(text=text, args=(Var(type=Array()),)) if text in _SHAPE:
                return False
        return any(map(self.changes, nodes.children(expr)))
