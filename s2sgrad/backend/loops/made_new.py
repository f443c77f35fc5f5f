"""Floor 6: which names may hold an array that was made just before, of a function in loop nests."""

from __future__ import annotations

from collections.abc import Mapping

from s2sgrad.analysis.holders import Holders
from s2sgrad.backend.loops.aliases import Groups, is_new, shared_names
from s2sgrad.backend.loops.nests import Nest
from s2sgrad.ir.nodes import Expr, Stmt


class NewArrays(Holders):
    """Follows blocks in their order; `Groups` knows no order."""

    def __init__(self, groups: Groups) -> None:
        super().__init__()
        self.groups = groups

    def shared(self, value: Expr) -> frozenset[str]:
        """The names whose memory a value may share."""
        return shared_names(value)

    def is_new(self, value: Expr) -> bool:
        """Whether a value is surely an array of its own."""
        return is_new(value)

    def binds_none(self, stmt: Stmt) -> bool:
        """Whether a statement surely gives no name an array: nests fill those that are there."""
        return isinstance(stmt, Nest)

    def share(self, one: str, other: str) -> bool:
        """Whether two names may share memory here."""
        if self.groups.of(one) != self.groups.of(other):
            return False
        known = [(b, self.holders[a]) for a, b in ((one, other), (other, one)) if a in self.holders]
        return not known or any(name in held for name, held in known)

    def here(self) -> Groups:
        """The groups of names here."""
        return AtOnePlace(self.groups, self.own())


class AtOnePlace(Groups):
    """Groups at one place of a block. own: names that alone hold their arrays there, and these."""

    def __init__(self, groups: Groups, own: Mapping[str, str]) -> None:
        self._outside, self._own = groups, own

    def _find(self, name: str) -> str:
        return self._own.get(name) or self._outside.of(name)
