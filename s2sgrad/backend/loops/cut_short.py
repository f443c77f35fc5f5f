"""Floor 6: loops that may end early, and the loops that walk them backwards.

    for k in range(50):                  for k in reversed(range(trips)):
        x_saved.append(x)                    x = x_saved.pop()
        ...
        if ...:
            break

Each trip appends one value and each trip back takes one, and nothing is left of what the reversal
keeps: the list says itself that both count alike. (Of a list of the user's something may be left.)
"""

from __future__ import annotations

from s2sgrad.backend.loops.leaves import constant
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Call, Var

_LONGEST = 10_000  # what is made for all trips must not be large where few are taken


def is_cut_short(name: str, forward: tuple[nodes.For, ...], back: tuple[nodes.For, ...]) -> bool:
    """Whether the second loop takes what the first one has appended, at the same counter, though
    it may have ended early."""
    if len(forward) != 1 or len(back) != 1:
        return False
    one, two = forward[0], back[0]
    if not (_from_zero(one) and _from_zero(two)) or one.targets != two.targets:
        return False
    if one.backwards or not two.backwards or set(one.targets) & nodes.bound_in(one.body + two.body):
        return False
    trips = constant(one.sources[0].args[0], -1)  # type: ignore[attr-defined]
    known = trips is not None and 0 <= trips <= _LONGEST
    ends = any(isinstance(s, nodes.Exit) for s in nodes.walk_block(one.body))
    return known and ends and _fills(one.body, name) and _empties(two.body, name)


def _from_zero(loop: nodes.For) -> bool:
    source = loop.sources[0] if len(loop.sources) == 1 and len(loop.targets) == 1 else None
    return (
        isinstance(source, Call) and source.function in (range, "range") and len(source.args) == 1
    )


def _fills(body: Block, name: str) -> bool:
    """Whether each trip appends what the reversal keeps, before it can end in any way."""
    for stmt in body:
        match stmt:
            case nodes.Mutate(base=Var(name=own), method="append", span=span) if own == name:
                return span is None
            case _ if any(isinstance(s, nodes.Exit) for s in nodes.walk_block((stmt,))):
                return False
    return False


def _empties(body: Block, name: str) -> bool:
    return any(
        isinstance(e, Call) and e.text == "pop" and e.args == (Var(name, type=e.args[0].type),)
        for stmt in body
        if not nodes.blocks(stmt)
        for expr in nodes.expressions(stmt)
        for e in nodes.walk(expr)
    )


__all__ = ["is_cut_short"]
