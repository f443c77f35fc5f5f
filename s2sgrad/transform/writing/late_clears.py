"""Floor 5: cotangents are set to zero after they were used, not before.

    v_bar = s_bar[i] / n        becomes      x_bar[mask] += s_bar[i] / n
    s_bar[i] = 0.0                           s_bar[i] = 0.0
    x_bar[mask] += v_bar

The statement that sets zero goes below the one that reads the temporary, which can then hold the
expression itself (see `tidy.inline_temporaries`).
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.effects import root
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Const, Stmt, Store

Held = dict[str, frozenset[str]]


def with_clears_late(block: Block, once: set[str], held: Held) -> Block:
    """The block with zeros set as late as the one use of a temporary asks for.

    once: temporaries that are bound and read once. held: name -> the names whose memory it may be.
    """
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case nodes.If(then=then, orelse=orelse):
                sides = (with_clears_late(b, once, held) for b in (then, orelse))
                stmt = replace(stmt, then=next(sides), orelse=next(sides))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=with_clears_late(body, once, held))
        result.append(stmt)
    for i, stmt in enumerate(result):
        if not (isinstance(stmt, Assign) and len(stmt.targets) == 1 and stmt.targets[0] in once):
            continue
        clear = result[i + 1] if i + 1 < len(result) else None
        if isinstance(clear, Store) and _is_clear(clear):
            after = _user(result, i, clear, held)
            if after is not None:
                result[i + 1 : after + 1] = [*result[i + 2 : after + 1], clear]
    return tuple(result)


def _is_clear(stmt: Store) -> bool:
    zero = isinstance(stmt.value, Const) and stmt.value.value == 0 and not stmt.op
    return zero and stmt.span is None and bool(stmt.index) and isinstance(stmt.base, nodes.Var)


def _user(block: list[Stmt], i: int, clear: Store, held: Held) -> int | None:
    """Where the temporary bound at i is read, if nothing up to there meets what is cleared."""
    bound = block[i]
    assert isinstance(bound, Assign)
    name, own = bound.targets[0], str(root(clear.base))
    memory = {own, *held.get(own, ())}
    memory |= {other for other, names in held.items() if names & memory}
    if not memory & nodes.names_in(bound.values[0]):
        return None  # it does not stand in the way
    memory.discard(name)
    needed = _read(clear)
    for at in range(i + 2, len(block)):
        here = block[at]
        if not isinstance(here, Assign | Store):
            return None
        read = _read(here)
        if memory & read or (needed | memory) & set(nodes.targets_of(here)):
            return None
        if isinstance(here, Store) and root(here.base) in needed:
            return None
        if name in read:
            return at
    return None


def _read(stmt: Stmt) -> frozenset[str]:
    return frozenset[str]().union(*(nodes.names_in(e) for e in nodes.expressions(stmt)))


__all__ = ["with_clears_late"]
