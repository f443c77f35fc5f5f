"""Floor 4: `try` around what is decided while compiling: an attribute, an entry of a known dict."""

from __future__ import annotations

import ast
from typing import Any

from s2sgrad.errors import MissingRuleError, UnsupportedError
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.exits import FALL, NEVER, exit_kind
from s2sgrad.frontend.refusals import STATEMENTS
from s2sgrad.frontend.state import State
from s2sgrad.frontend.values import parts_of
from s2sgrad.frontend.waiting import is_computed
from s2sgrad.ir import nodes


class Trying(Base):
    """Lowering of `try` where nothing is left to a run that could raise."""

    def stmt_Try(self, stmt: ast.Try) -> str:
        """The body alone, if it makes no code; refused otherwise."""
        what, why, fix = STATEMENTS[ast.Try]
        refusal = self.refuse(what, stmt, why, fix)
        if stmt.finalbody or exit_kind(stmt.orelse) != NEVER:
            raise refusal
        before, mark = self.state.copy(), len(self.builder.block)
        try:
            status: Any = self.run_block(stmt.body)
        except (UnsupportedError, MissingRuleError):
            raise refusal from None
        made = any(not isinstance(s, nodes.Comment) for s in self.builder.block[mark:])
        if made or not _is_settled(before, self.state):
            raise refusal
        return self.run_block(stmt.orelse) if status == FALL else status


def _is_settled(before: State, now: State) -> bool:
    """Whether all that has changed is there already: nothing of it waits to be computed."""
    values = [v for k, v in now.vars.items() if before.vars.get(k) is not v]
    changed = [c for i, c in now.heap.items() if before.heap.get(i) is not c]
    return all(map(is_computed, values)) and all(
        is_computed(v) for contents in changed for v in parts_of(contents)
    )


__all__ = ["Trying"]
