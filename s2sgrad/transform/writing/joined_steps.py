"""Floor 5: two statements of the compiler's that are steps to one value become one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from s2sgrad.analysis.effects import has_effect, shares
from s2sgrad.analysis.liveness import Liveness
from s2sgrad.analysis.new_arrays import memory_of
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Stmt, Var
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.idle_copies import is_own_copy
from s2sgrad.transform.writing.rewrite import with_blocks
from s2sgrad.transform.writing.tidy import substituted


def joined_steps(block: Block) -> Block:
    """`x = a; x = f(x)` is `x = f(a)`, where x is read once; `x = a; x -= b` is `x = a - b`, if
    nobody asks for a new array `a` any more."""
    after: dict[int, frozenset[str]] = {}
    Liveness(visit=lambda stmt, live: after.update({id(stmt): live})).block(block, frozenset())
    return _joined_steps(block, after, _held_once(block))


def joined_copies(block: Block) -> Block:
    """`x = a; x = x.copy()` is `x = a.copy()`: x has memory of its own from the start."""
    result: list[Stmt] = []
    for stmt in block:
        stmt = with_blocks(stmt, joined_copies)
        place = _begun_at(result, stmt) if is_own_copy(stmt) else None
        if place is not None:
            first = result.pop(place)
            assert isinstance(first, nodes.Assign)
            stmt = substituted(stmt, first.targets[0], first.values[0])
        result.append(stmt)
    return tuple(result)


def _begun_at(before: list[Stmt], copy: Stmt) -> int | None:
    """Which of the statements before is the `x = a` to a copy `x = x.copy()`: others may stand
    between them that only bind other names, as `y = b` of another gradient."""
    bound: set[str] = set()
    for place in range(len(before) - 1, -1, -1):
        stmt = before[place]
        if not isinstance(stmt, nodes.Assign) or any(map(has_effect, stmt.values)):
            return None
        if _rebinds(stmt, copy):
            source = stmt.values[0]
            return place if isinstance(source, Var) and source.name not in bound else None
        assert isinstance(copy, nodes.Assign)
        if copy.targets[0] in {*stmt.targets, *(n for v in stmt.values for n in nodes.names_in(v))}:
            return None
        bound.update(stmt.targets)
    return None


def _held_once(block: Block) -> set[str]:
    """Variables that are only ever new arrays, and whose memory one other variable takes."""
    taken: Counter[str] = Counter()
    others: set[str] = set()
    for stmt in nodes.walk_block(block):
        if isinstance(stmt, nodes.Assign):
            for target, value in zip(stmt.targets, stmt.values, strict=True):
                taken.update(memory_of(value))
                others |= {target} if memory_of(value) else set()
        else:
            pairs = shares(stmt)
            others |= {name for target, found in pairs for name in (target, *found)}
    return {name for name, times in taken.items() if times == 1} - others


def _joined_steps(block: Block, after: dict[int, frozenset[str]], once: set[str]) -> Block:
    result: list[Stmt] = []
    for stmt in block:
        live = after.get(id(stmt), frozenset(once))
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                sides = _joined_steps(then, after, once), _joined_steps(orelse, after, once)
                stmt = replace(stmt, then=sides[0], orelse=sides[1])
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=_joined_steps(body, after, once))
        previous = result[-1] if result else None
        if previous is not None and _rebinds(previous, stmt):
            assert isinstance(previous, nodes.Assign)
            result[-1] = substituted(stmt, previous.targets[0], previous.values[0])
            continue
        begun = _begun_with(previous, stmt, once - live) if previous is not None else None
        if begun is not None:
            result[-1] = begun
            continue
        result.append(stmt)
    return tuple(result)


def _begun_with(first: Stmt, second: Stmt, spent: set[str]) -> Stmt | None:
    """`x = a - b` for `x = a; x -= b` of ours, where `a` is spent."""
    match first, second:
        case (
            nodes.Assign(targets=(name,), values=(Var(name=start),), span=None),
            nodes.Store(base=Var(name=own), index=(), op="+" | "-" as sign, span=None),
        ) if name == own and start in spent and name not in nodes.names_in(second.value):
            return replace(first, values=(build.binary(sign, first.values[0], second.value),))
    return None


def _rebinds(first: Stmt, second: Stmt) -> bool:
    if not isinstance(first, nodes.Assign) or not isinstance(second, nodes.Assign):
        return False
    if len(first.targets) != 1 or first.targets != second.targets or has_effect(first.values[0]):
        return False
    reads = [e for e in nodes.walk(second.values[0]) if isinstance(e, Var)]
    return sum(e.name == first.targets[0] for e in reads) == 1 and first.span is None


__all__ = ["joined_copies", "joined_steps"]
