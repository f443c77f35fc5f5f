"""Floor 5: loops after which nobody reads an array that one name alone holds.

    for i in reversed(range(n)):
        h = h_saved.pop()             an array of its own: copies are all that the list holds
        for j in reversed(range(m)):
            h[j] = entry_saved.pop()  after this loop h is read no more: it is another array then

Without order `h` is found among the names whose contents are read after that loop.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from s2sgrad.analysis.holders import Holders
from s2sgrad.analysis.liveness import Live, Liveness
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Assign, Block, Call, Expr, Mutate, Stmt, Var
from s2sgrad.ir.types import Array


def read_no_more(block: Block) -> dict[int, frozenset[str]]:
    """Loop (by its id) -> the names which alone hold their arrays after it, and are not used."""
    used = _UsedAfterLoops()
    used.block(block, frozenset())
    found: dict[int, frozenset[str]] = {}
    _follow(block, _Holders(_lists_of_copies(block)), used.after, found)
    return found


class _UsedAfterLoops(Liveness):
    """after: loop (by its id) -> the names that are used when it has ended, wherever it stands."""

    def __init__(self) -> None:
        super().__init__()
        self.after: dict[int, Live] = {}

    def _loop(self, stmt: nodes.For | nodes.While, live: Live) -> tuple[Stmt | None, Live]:
        self.after[id(stmt)] = self.after.get(id(stmt), frozenset()) | live
        return super()._loop(stmt, live)


class _Holders(Holders):
    """copies: lists that hold nothing but copies that were made for them."""

    def __init__(self, copies: frozenset[str]) -> None:
        super().__init__()
        self.copies = copies

    def is_new(self, value: Expr) -> bool:
        return _list_taken_from(value) in self.copies or super().is_new(value)


def _follow(
    block: Block, holders: Holders, used: dict[int, Live], found: dict[int, frozenset[str]]
) -> None:
    for stmt in block:
        for inner in nodes.blocks(stmt):
            _follow(inner, holders.entering(inner), used, found)
        holders.after(stmt)
        if isinstance(stmt, nodes.For | nodes.While):
            alone = frozenset(holders.own()) - used[id(stmt)]
            found[id(stmt)] = alone & found.get(id(stmt), alone)


def _lists_of_copies(block: Block) -> frozenset[str]:
    """The lists of which nothing is known but that they begin empty, that a copy is appended, and
    that the last item is taken."""
    named: Counter[str] = Counter()
    known: Counter[str] = Counter()
    for stmt in nodes.walk_block(block):
        for expr in nodes.expressions(stmt):
            named.update(e.name for e in nodes.walk(expr) if isinstance(e, Var))
            known.update(filter(None, map(_list_taken_from, nodes.walk(expr))))
        named.update(nodes.targets_of(stmt))
        match stmt:
            case Assign(targets=(name,), values=(nodes.Sequence(items=()),)):
                known[name] += 1
            case Mutate(base=Var(name=name), method="append", args=(item,)) if _is_copy(item):
                known[name] += 1
    return frozenset(name for name, count in known.items() if named[name] == count)


def _list_taken_from(value: Expr) -> str:
    """The list whose last item a value is."""
    match value:
        case Call(function="pop", args=(Var(name=name),), kwargs=(), type=Array()):
            return name
    return ""


def _is_copy(value: Expr) -> bool:
    copies = isinstance(value, Call) and value.function is np.copy and len(value.args) == 1
    return copies and not value.kwargs  # type: ignore[attr-defined]


__all__ = ["read_no_more"]
