"""Floor 5: saved copies in one array, allocated before the loops, where the trips are known.

    u_saved = np.empty((steps, len(u) - 2))
    for k in range(steps):
        u_saved[k] = u[1:-1]

Only where a copy is made anyway: a value that is merely bound anew is kept in a list, which takes
the reference, and a number in a list is a third of the cost of one in an array.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.decisions import Decision
from s2sgrad.ir.nodes import Call, Const, Expr, Stmt, Var
from s2sgrad.ir.types import INT, Array, Scalar
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.allocated import empty

FIRST = 4  # rows that may stay unused, where a range starts later


class RowReversal:
    """The part of the reversal that saves copies of arrays."""

    facts: Any
    plan: Any
    depth: int
    pending: list[Stmt]
    own_counter: Any
    named_counter: Any

    def saved_row(self, stmt: Stmt, base: str, place: Expr) -> tuple[Stmt, Expr] | None:
        """Keep a copy of a place: (the forward statement, what gives it back), or None."""
        kind, loops = place.type, self.plan.loops_around(stmt)
        if not isinstance(kind, Array) or not kind.dtype or len(loops) != self.depth or not loops:
            return None
        trips = [self._trips(loop, loops) for loop in loops]
        axes = [self._length_of_axis(s) for s in kind.shape or (None,)]
        if None in trips or None in axes:
            return None
        lengths = tuple(e for e in (*trips, *axes) if e is not None)
        name = self.facts.names.fresh(f"{base}_saved")
        made = Array(kind.dtype, tuple(getattr(e.type, "size", None) for e in lengths))
        self.facts.types[name] = made
        self.pending.append(nodes.Assign((name,), (empty(lengths, made),)))
        at = tuple(Var(self.named_counter(loop), type=INT) for loop in loops)
        why = "its old value is overwritten here"
        self.plan.decisions.append(Decision(base, stmt.span, why, name))
        keeper = Var(name, type=made)
        return nodes.Store(keeper, at, place), nodes.Index(keeper, at, type=kind)

    def _trips(self, loop: Stmt, loops: list[Stmt]) -> Expr | None:
        """How many rows a loop needs, where that is known before the outermost loop."""
        if not isinstance(loop, nodes.For) or loop.backwards or len(loop.sources) != 1:
            return None
        source = loop.sources[0]
        if not isinstance(source, Call) or source.function is not range or len(source.args) > 2:
            return None
        start = source.args[0] if len(source.args) == 2 else build.number(0)
        first = isinstance(start, Const) and type(start.value) is int and 0 <= start.value <= FIRST
        inside = {t for outer in loops for t in nodes.targets_of(outer)}
        last = source.args[-1]
        count: Expr | None = last
        size = getattr(last.type, "size", None)
        if not nodes.names_in(last) <= self.plan.bound.get(id(loops[0]), frozenset()):
            count = self._length_of_axis(size)  # by what is there before the loops
        if count is None or not first or nodes.names_in(count) & inside:
            return None
        if not self.plan.stable_header(loop):
            return None
        least = None if size is None else sizes.least(size)
        if isinstance(count, Const) or _is_length(count) or (least is not None and least >= 0):
            return count
        return Call(max, "max", (count, build.number(0)), type=Scalar("int", size))

    def _length_of_axis(self, size: sizes.Size | None) -> Expr | None:
        least = None if size is None else sizes.least(size)
        if size is None or least is None or least < 0:
            return None
        found = build.size_expr(size, self.facts.sizes.origin)
        return found if found is None else _sized(found, size)


def _is_length(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.function is len


def _sized(expr: Expr, size: sizes.Size) -> Expr:
    return replace(expr, type=Scalar("int", size))
