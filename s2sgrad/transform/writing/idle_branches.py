"""Floor 5: branches of the reverse sweep in which nothing is left, and what was saved to find them.

branch = y > 5                                      if y > 5:
branch_saved.append(branch)                             cost += 100
if branch:
    cost += 100
...
if branch_saved.pop():
    pass
"""

from __future__ import annotations

from collections.abc import Iterator

from s2sgrad.analysis.effects import has_effect
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Const, Expr, If, Mutate, Sequence, Stmt, Var
from s2sgrad.ir.types import Scalar
from s2sgrad.transform.writing.rewrite import map_expr, with_blocks

_SOME = Const(True, type=Scalar("bool", None, True))


def without_idle_branches(block: Block) -> Block:
    """The block without branches that only take from lists which nobody else reads."""
    found = list(_idle(block))
    lists = {name for names in found for name in names}
    if not lists:
        return block
    lists &= {name for stmt in nodes.walk_block(block) if (name := _begun(stmt)) is not None}
    lists -= _read(block)
    kept = [names for names in found if not names <= lists]
    while kept and any(names & lists for names in kept):  # these stay, with all that they take
        lists -= {name for names in kept for name in names}
        kept = [names for names in found if not names <= lists]
    return _without(block, lists) if lists else block


def _idle(block: Block) -> Iterator[frozenset[str]]:
    """The lists from which each branch takes in which nothing else happens."""
    for stmt in block:
        taken = _taken(stmt)
        if taken:
            yield taken
        else:
            for inner in nodes.blocks(stmt):
                yield from _idle(inner)


def _taken(stmt: Stmt) -> frozenset[str] | None:
    """The lists from which the tests of an empty branch take; None where more happens."""
    if not isinstance(stmt, If):
        return None
    pops = {e.args[0].name for e in nodes.walk(stmt.test) if _pops(e)}  # type: ignore[attr-defined]
    if has_effect(map_expr(stmt.test, lambda e: _SOME if _pops(e) else e)):
        return None
    inside = [_taken(inner) for inner in (*stmt.then, *stmt.orelse)]
    return None if None in inside else frozenset(pops).union(*(t for t in inside if t))


def _pops(expr: Expr) -> bool:
    match expr:
        case Call(function="pop", args=(Var(),), kwargs=()):
            return True
    return False


def _begun(stmt: Stmt) -> str | None:
    """The name of an empty list that the compiler makes."""
    match stmt:
        case Assign(targets=(name,), values=(Sequence(kind="list", items=()),), span=None):
            return name
    return None


def _grown(stmt: Stmt) -> str | None:
    """The list to which a statement of the compiler's appends."""
    match stmt:
        case Mutate(base=Var(name=name), method="append", args=(value,), target=None, span=None):
            return None if has_effect(value) else name
    return None


def _read(block: Block) -> set[str]:
    """The names that are met elsewhere than in idle branches and where a list is made or filled."""
    found: set[str] = set()
    for stmt in block:
        if _taken(stmt) or _begun(stmt) is not None:
            continue
        grown = _grown(stmt)
        for expr in nodes.expressions(stmt):
            if not (grown is not None and isinstance(expr, Var) and expr.name == grown):
                found |= nodes.names_in(expr)
        found.update(nodes.targets_of(stmt))
        for inner in nodes.blocks(stmt):
            found |= _read(inner)
    return found


def _without(block: Block, lists: set[str]) -> Block:
    left: list[Stmt] = []
    for stmt in block:
        taken = _taken(stmt)
        if (taken and taken <= lists) or {_begun(stmt), _grown(stmt)} & lists:
            continue
        left.append(with_blocks(stmt, lambda inner: _without(inner, lists)))
    return tuple(left)


__all__ = ["without_idle_branches"]
