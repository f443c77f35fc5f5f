"""Floor 6: tuples that are taken apart where they are bound: `for p, q in pairs:`.

Each tuple has a name in the representation, and its items are read by subscripts. In the text the
name goes where nothing else reads it.
"""

from __future__ import annotations

from dataclasses import replace

from s2sgrad.analysis.liveness import Liveness
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Const, Index, Stmt, Var
from s2sgrad.ir.types import Tuple


class Live:
    """Which names are read after a statement."""

    def __init__(self, body: Block) -> None:
        self._after: dict[int, frozenset[str]] = {}
        self._body = body  # ids stay its statements' own
        Liveness(visit=self._visit).block(body, frozenset())

    def _visit(self, stmt: Stmt, live: frozenset[str]) -> None:
        self._after[id(stmt)] = self._after.get(id(stmt), frozenset()) | live

    def after(self, stmt: Stmt, name: str) -> bool:
        """Whether a name is (or may be) read after a statement."""
        return name in self._after.get(id(stmt), {name})


def unpacked_target(target: str, body: Block, live: Live) -> tuple[str, Block]:
    """What a loop writes in the place of a target, and what is left of its body."""
    found: dict[int, str] = {}
    count = 0
    for stmt in body:
        item = _item_of(target, stmt)
        if item is None or item[1] in found or item[0] in found.values():
            break
        name, place, count = item
        found[place] = name
    if not found or live.after(body[len(found) - 1], target):
        return target, body
    names = [found.get(place, "_") for place in range(count)]
    return ", ".join(names) + ("," if count == 1 else ""), body[len(found) :]


def _item_of(target: str, stmt: Stmt) -> tuple[str, int, int] | None:
    """(name, place, length) for `name = target[place]` of a tuple."""
    match stmt:
        case nodes.Assign(targets=(name,), values=(Index(base=Var() as base, index=(part,)),)):
            kind = base.type
            if base.name != target or not isinstance(kind, Tuple) or not isinstance(part, Const):
                return None
            if type(part.value) is int and 0 <= part.value < len(kind.items):
                return name, part.value, len(kind.items)
    return None


def joined_pops(block: Block, live: Live) -> Block:
    """`item = stack.pop(); i, j = item` as one statement, where item is read there only."""
    result: list[Stmt] = []
    for stmt in block:
        last = result[-1] if result else None
        if isinstance(stmt, nodes.Unpack) and isinstance(stmt.value, Var):
            name = stmt.value.name
            took = isinstance(last, nodes.Mutate) and last.target == name
            if took and not live.after(stmt, name) and name not in stmt.targets:
                assert isinstance(last, nodes.Mutate)
                result[-1] = replace(last, target=", ".join(stmt.targets))
                continue
        result.append(stmt)
    return tuple(result)
