"""Floor 3: which names are bound, or read, before a statement whichever way led there."""

from __future__ import annotations

from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Expr, Stmt
from s2sgrad.ir.types import Scalar

Names = frozenset[str]
Ways = list[Names]  # what is bound on each way out of a loop


def surely_bound(block: Block, given: Names) -> dict[int, Names]:
    """id of every statement -> the names that are bound right before it on all paths."""
    found: dict[int, Names] = {}
    _block(block, given, found, [], [])
    return found


def bound_after(block: Block, given: Names = frozenset()) -> Names:
    """The names that are bound after a block whichever way led there."""
    return _block(block, given, {}, [], []) or given


def surely_read(expr: Expr) -> Names:
    """The names in an expression, but for those in parts that it may leave out."""
    match expr:
        case nodes.Var(name=name):
            return frozenset((name,))
        case nodes.Choice(test=test):
            return surely_read(test)
        case nodes.Call(text="and" | "or", args=(first, *_)):
            return surely_read(first)
    return frozenset[str]().union(*map(surely_read, nodes.children(expr)))


def _block(
    block: Block, bound: Names, found: dict[int, Names], breaks: Ways, again: Ways
) -> Names | None:
    """What is bound after a block; None where its end is not reached."""
    for stmt in block:
        found[id(stmt)] = bound
        after = _after(stmt, bound, found, breaks, again)
        if after is None:
            return None
        bound = after
    return bound


def _after(
    stmt: Stmt, bound: Names, found: dict[int, Names], breaks: Ways, again: Ways
) -> Names | None:
    match stmt:
        case nodes.Exit(kind=kind):
            (breaks if kind == "break" else again).append(bound)
            return None
        case nodes.If(then=then, orelse=orelse):
            sides = [_block(side, bound, found, breaks, again) for side in (then, orelse)]
            return _on_all([side for side in sides if side is not None])
        case nodes.For() | nodes.While():
            return _loop(stmt, bound, found)
    return bound.union(nodes.targets_of(stmt))


def _loop(stmt: nodes.For | nodes.While, bound: Names, found: dict[int, Names]) -> Names:
    inside = bound.union(nodes.targets_of(stmt))
    breaks: Ways = []
    rounds: Ways = []
    end = _block(stmt.body, inside, found, breaks, rounds)
    ways = [*breaks, *rounds, *([end] if end is not None else [])]
    if not (isinstance(stmt, nodes.For) and _runs(stmt)):
        ways.append(bound)
    return _on_all(ways) or bound


def _runs(stmt: nodes.For) -> bool:
    """Whether a loop counts to a number above zero, so that its body runs at least once."""
    match stmt.sources[0]:
        case nodes.Call(function=function, args=(only,)) if function is range:
            kind = only.type
            return isinstance(kind, Scalar) and isinstance(kind.value, int) and kind.value > 0
    return False


def _on_all(ways: Ways) -> Names | None:
    return frozenset.intersection(*ways) if ways else None


__all__ = ["bound_after", "surely_bound", "surely_read"]
