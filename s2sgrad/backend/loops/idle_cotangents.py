"""Floor 6: where entries choose among each other, most cotangents are zero: they are not passed on.

    D_part_bar = D_bar[i, j]                      D_part_bar = D_bar[i, j]
    D_bar[i, j] = 0.0                             if D_part_bar != 0.0:
    D_bar[i - 1, j] += (D_part_bar if ...)  ->        D_bar[i, j] = 0.0
    ...                                               D_bar[i - 1, j] += (D_part_bar if ...)

`D[i, j] = min(D[i - 1, j], D[i, j - 1]) + ...` in a loop is a table of which one path matters, and
so is one whose entries branches decide about:

    if branch_saved[i, j]:                        if branch_saved[i, j]:
        t_bar = D_bar[i, j]                           t_bar = D_bar[i, j]
        D_bar[i, j] = 0.0                             D_bar[i, j] = 0.0
    else:                                             D_bar[i - 1, j] += t_bar
        t_bar = 0.0                       ->
    D_bar[i - 1, j] += t_bar
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.analysis.effects import has_effect
from s2sgrad.analysis.liveness import Live, read_after
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import (
    Assign,
    Block,
    Call,
    Choice,
    Const,
    Expr,
    Function,
    Index,
    Stmt,
    Store,
    Var,
)
from s2sgrad.ir.types import BOOL, Array, Scalar
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import with_blocks

LEAST = 3  # statements that are left out


def without_idle_cotangents(function: Function) -> Function:
    """The function, which asks before it passes on the cotangent of such an entry."""
    after = read_after(function.body)

    def inside(block: Block) -> Block:
        result: list[Stmt] = []
        stmts = list(block)
        while stmts:
            stmt = stmts.pop(0)
            if isinstance(stmt, nodes.If) and (run := _idle_beside(stmt, stmts, after)):
                then = (*inside(stmt.then), *stmts[:run])
                result.append(replace(stmt, then=then, orelse=()))
                del stmts[:run]
                continue
            run = _idle(stmt, stmts, after)
            result.append(stmt if run else with_blocks(stmt, inside))
            if run:
                result.append(_guarded(stmt, tuple(stmts[:run])))
                del stmts[:run]
        return tuple(result)

    def loops(block: Block) -> Block:
        return tuple(
            replace(s, body=inside(s.body)) if isinstance(s, nodes.For) else with_blocks(s, loops)
            for s in block
        )

    return replace(function, body=loops(function.body))


def _guarded(stmt: Stmt, run: Block) -> Stmt:
    assert isinstance(stmt, Assign)
    bar = Var(stmt.targets[0], type=Scalar("float64"))
    test = Call(np.not_equal, "!=", (bar, build.number(0.0)), form="operator", type=BOOL)
    return nodes.If(test, run, ())


def _idle(stmt: Stmt, rest: list[Stmt], after: dict[int, Live]) -> int:
    """How many statements do nothing where what a statement reads from an array is zero; 0 where
    that array is no table whose entries choose among each other."""
    match stmt:
        case Assign(
            targets=(name,), values=(Index(base=Var(type=Array(dtype="float64"))) as entry,)
        ):
            if not isinstance(entry.type, Scalar) or name in nodes.names_in(entry):
                return 0
        case _:
            return 0
    length = _length(rest, entry, {name}, after, frozenset((name,)))
    chosen = any(map(_chooses, rest[:length]))
    return length if length >= LEAST and chosen and _is_table(entry, rest[:length]) else 0


def _idle_beside(stmt: nodes.If, rest: list[Stmt], after: dict[int, Live]) -> int:
    """How many statements behind a branch do nothing where it is not taken."""
    zeros: set[str] = set()
    for other in stmt.orelse:
        match other:
            case Assign(targets=(name,), values=(Const(value=0.0),)):
                zeros.add(name)
            case _:
                return 0
    if not zeros or not zeros <= nodes.bound_in(stmt.then):
        return 0
    length = _length(rest, None, set(zeros), after, frozenset(), frozenset(zeros))
    for made in stmt.then:
        match made:
            case Assign(targets=(name,), values=(Index(type=Scalar()) as entry,)):
                if name in zeros and _is_table(entry, rest[:length]):
                    return length
    return 0


def _length(
    rest: list[Stmt],
    entry: Index | None,
    zeros: set[str],
    after: dict[int, Live],
    known: Live,
    lost: Live = frozenset(),
) -> int:
    """How many statements do nothing where some numbers, and an entry, are zero.

    known: those of the numbers that may be read behind them; lost: those that may not.
    """
    length = 0
    for k, other in enumerate(rest):
        if not _does_nothing(other, entry, zeros):
            break
        bound = (nodes.bound_in(tuple(rest[: k + 1])) | lost) - known
        if not bound & after.get(id(other), frozenset()):
            length = k + 1  # nothing that the rest binds is read behind it
    return length


def _is_table(entry: Index, run: list[Stmt]) -> bool:
    """Whether statements hand the cotangent of an entry on to other ones of the same array."""
    stores = (s for s in run if isinstance(s, Store) and s.base == entry.base and s.op)
    return any(s.index != entry.index for s in stores)


def _chooses(stmt: Stmt) -> bool:
    parts = (e for v in nodes.expressions(stmt) for e in nodes.walk(v))
    return isinstance(stmt, nodes.If) or any(isinstance(e, Choice) for e in parts)


def _does_nothing(stmt: Stmt, entry: Index | None, zeros: set[str]) -> bool:
    """Whether a statement changes nothing if some numbers, and an entry, are zero; adds to these
    what it binds to zero."""
    if any(map(has_effect, nodes.expressions(stmt))):  # what was saved is taken from a list
        return False
    match stmt:
        case Assign(targets=(name,), values=(value,)):
            counts = entry is not None and name in nodes.names_in(entry)
            if counts or not _is_zero(value, zeros):
                return False
            zeros.add(name)
            return True
        case nodes.If(then=then, orelse=orelse):
            first, second = set(zeros), set(zeros)
            idle = all(_does_nothing(s, entry, first) for s in then)
            idle = idle and all(_does_nothing(s, entry, second) for s in orelse)
            zeros |= first & second
            return idle
        case Store(base=Var(), op="+" | "-", value=value):
            return _is_zero(value, zeros)
        case Store(base=base, index=index, op="", value=Const(value=0.0)):
            return entry is not None and base == entry.base and index == entry.index
        case nodes.Comment():
            return True
    return False


def _is_zero(expr: Expr, zeros: set[str]) -> bool:
    """Whether a number is zero where some others are."""
    match expr:
        case Var(name=name):
            return name in zeros
        case Const(value=value):
            return isinstance(value, int | float) and value == 0
        case Choice(then=then, orelse=orelse):
            return _is_zero(then, zeros) and _is_zero(orelse, zeros)
        case Call(form="operator", text="*", args=args):
            return any(_is_zero(a, zeros) for a in args)
        case Call(form="operator", text="/", args=(first, _)):
            return _is_zero(first, zeros)
        case Call(form="operator", text="+" | "-", args=args):
            return all(_is_zero(a, zeros) for a in args)
    return False


__all__ = ["without_idle_cotangents"]
