"""Floor 3: which variables hold memory that is still changed in place later on.

A backward walk like liveness: a store makes the variable at its root one of them, a new value
for a variable ends it, and what a variable takes its memory from is one if the variable is.
"""

from __future__ import annotations

from s2sgrad.analysis.changes import reaches
from s2sgrad.analysis.effects import root, shares
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Block, Stmt
from s2sgrad.ir.types import Type

Names = frozenset[str]


class WrittenLater:
    """`after[id(stmt)]`: the variables changed in place after a Mutate or Unpack, before they
    are bound anew.

    kind: only changes of what a value of this type is or holds count.
    """

    def __init__(self, block: Block, kind: Type) -> None:
        self.kind = kind
        self.after: dict[int, Names] = {}
        self._jumps: list[tuple[Names, Names]] = []  # at break, at continue
        self._block(block, frozenset())

    def _block(self, block: Block, names: Names) -> Names:
        for stmt in reversed(block):
            names = self._stmt(stmt, names)
        return names

    def _stmt(self, stmt: Stmt, names: Names) -> Names:
        match stmt:
            case nodes.Exit(kind=kind):
                return self._jumps[-1][0 if kind == "break" else 1] if self._jumps else names
            case nodes.If(then=then, orelse=orelse):
                return self._block(then, names) | self._block(orelse, names)
            case nodes.For() | nodes.While():
                return self._loop(stmt, names)
            case nodes.Mutate() | nodes.Unpack():
                self.after[id(stmt)] = self.after.get(id(stmt), frozenset()) | names
        return self._before(stmt, names)

    def _before(self, stmt: Stmt, names: Names) -> Names:
        taken = {s for target, sources in shares(stmt) if target in names for s in sources}
        written: set[str] = set()
        if isinstance(stmt, nodes.Store | nodes.Mutate) and reaches(self.kind, stmt.base.type):
            written = {root(stmt.base) or ""}
        return (names - set(nodes.targets_of(stmt))) | taken | written | _given_away(stmt)

    def _loop(self, stmt: nodes.For | nodes.While, names: Names) -> Names:
        head = names
        while True:
            self._jumps.append((names, head))
            inside = self._block(stmt.body, head)
            self._jumps.pop()
            grown = head | self._before(stmt, inside)
            if grown == head:
                return head
            head = grown


def _given_away(stmt: Stmt) -> Names:
    """Arguments of functions that are not looked into here and may write."""
    found: Names = frozenset()
    for expr in nodes.expressions(stmt):
        for node in nodes.walk(expr):
            if isinstance(node, nodes.Call) and hasattr(node.function, "lowered"):
                found |= nodes.names_in(node)
    return found


__all__ = ["WrittenLater"]
