"""Floor 6: bounds of slices that are the same as others in their block are not computed again.

    stop = slice_bound(row[i], col.shape[0])
    stop_2 = slice_bound(row[i], val.shape[0])      where col and val are equally long

Each statement that reads a part of an array asks for the part's bounds by itself. In a loop with
few rounds inside, such as over the rows of a sparse matrix, they are most of the work. The same
holds for questions whether two lengths are equal.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from s2sgrad.analysis.effects import Effects, effects
from s2sgrad.backend.loops.dead import is_edge
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, Index, Stmt, Var
from s2sgrad.ir.types import Array, Scalar
from s2sgrad.transform.writing.rewrite import map_block, map_expr

Known = dict[Expr, str]  # a bound, in one form for equal lengths -> the name that has it


def with_bounds_once(body: Block) -> Block:
    """The body, in which a bound has one name as long as it is sure to stay the same."""
    walk = _Walk(body)
    body = walk.block(body, {})
    return map_block(body, walk.first) if walk.second else body


class _Walk:
    """Walks blocks. once: names that one statement binds; second: further names of bounds."""

    def __init__(self, body: Block) -> None:
        bound = Counter(t for stmt in nodes.walk_block(body) for t in nodes.targets_of(stmt))
        self.once = {name for name, times in bound.items() if times == 1}
        self.shared: Effects = effects(body)
        self.second: dict[str, str] = {}

    def block(self, block: Block, known: Known) -> Block:
        """The block without bounds that are known already."""
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case Assign(targets=(name,), values=(value,)) if self._may_go(name, value):
                    key = map_expr(map_expr(value, self.first), _by_size)
                    if key in known:
                        self.second[name] = known[key]
                        continue
                    known[key] = name
                case nodes.If(test=test) if is_question(stmt):
                    key = map_expr(test, self.first)
                    if key in known:
                        continue
                    known[key] = ""
                case _:
                    _forget(known, stmt)
            match stmt:
                case nodes.If(then=then, orelse=orelse):
                    sides = self.block(then, dict(known)), self.block(orelse, dict(known))
                    stmt = replace(stmt, then=sides[0], orelse=sides[1])
                case nodes.For(body=body) | nodes.While(body=body):
                    stmt = replace(stmt, body=self.block(body, dict(known)))
            result.append(stmt)
        return tuple(result)

    def first(self, expr: Expr) -> Expr:
        """The first name of a bound for a further one."""
        if isinstance(expr, Var) and expr.name in self.second:
            return replace(expr, name=self.second[expr.name])
        return expr

    def _may_go(self, name: str, value: Expr) -> bool:
        """Whether it is a bound of one name, and of arrays that nothing is written into."""
        parts = [part for part in nodes.walk(value) if isinstance(part, Var)]
        return (
            name in self.once
            and isinstance(value, Call)
            and is_edge(value)
            and all(
                isinstance(p.type, Scalar)
                or (isinstance(p.type, Array) and not self.shared.changes(p.name))
                for p in parts
            )
        )


def is_question(stmt: nodes.If) -> bool:
    """Whether nothing but two lengths is compared, as `Context.require` writes it."""
    match stmt.then:
        case (nodes.Do(value=Call(text="UnequalLengths")),):
            return not stmt.orelse
    return False


def _forget(known: Known, stmt: Stmt) -> None:
    """Leave out what depends on names that a statement binds, with those inside it."""
    bound = nodes.bound_in((stmt,))
    for key in [k for k, name in known.items() if name in bound or nodes.names_in(k) & bound]:
        del known[key]


def _by_size(expr: Expr) -> Expr:
    """The length of an axis by its size, where that is known: equal sizes are equal lengths."""
    match expr:
        case Index(
            base=Call(text="shape", form="attribute", args=(Var(type=Array(shape=shape)),)),
            index=(Const(value=int(axis)),),
        ) if shape is not None and shape[axis] is not None:
            return Const(shape[axis], type=expr.type)
    return expr


__all__ = ["is_question", "with_bounds_once"]
