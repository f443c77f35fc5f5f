"""Floor 4: `try` around what is decided while compiling: an attribute, an entry of a known dict.

`try` with `finally` alone is its body, and what stands in `finally` at each way out of it.
"""

from __future__ import annotations

import ast
import copy
import functools
from typing import Any

from s2sgrad.errors import MissingRuleError, UnsupportedError
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.exits import ALWAYS, FALL, NEVER, exit_kind
from s2sgrad.frontend.refusals import STATEMENTS, instead_of_trying
from s2sgrad.frontend.state import State
from s2sgrad.frontend.values import parts_of
from s2sgrad.frontend.waiting import is_computed
from s2sgrad.ir import nodes


class Trying(Base):
    """Lowering of `try` where nothing is left to a run that could raise."""

    def stmt_Try(self, stmt: ast.Try) -> str:
        """The body alone, if it makes no code; refused otherwise."""
        what, why, _ = STATEMENTS[ast.Try]
        refusal = self.refuse(what, stmt, why, instead_of_trying(stmt))
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


def without_finally(stmts: list[ast.stmt]) -> list[ast.stmt]:
    """A block in which nothing stands in a `finally`, but where there are handlers too."""
    if not any(map(_only_finally, stmts)):
        return stmts
    return [s for stmt in stmts for s in (_spelled(stmt) if _only_finally(stmt) else (stmt,))]


def _only_finally(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.Try) and not stmt.handlers and bool(stmt.finalbody)


@functools.lru_cache(maxsize=1024)
def _spelled(stmt: ast.Try) -> tuple[ast.stmt, ...]:
    """The same statements at each attempt: what was learnt is known by them."""
    made = _Leaving(copy.deepcopy(stmt.finalbody)).statements(copy.deepcopy(stmt.body))
    return (*made, *stmt.finalbody) if exit_kind(stmt.body) != ALWAYS else tuple(made)


class _Leaving(ast.NodeTransformer):
    """What stands in `finally`, before each statement that leaves the body.

    The value of a `return` is computed before that.
    """

    def __init__(self, final: list[ast.stmt]) -> None:
        self.final, self.inside = final, 0

    def statements(self, stmts: list[ast.stmt]) -> list[ast.stmt]:
        """A block with these put in."""
        return [s for stmt in stmts for s in self._listed(self.visit(stmt))]

    def _listed(self, made: Any) -> list[ast.stmt]:
        return made if isinstance(made, list) else [made]

    def visit_Try(self, node: ast.Try) -> Any:
        """One inside: its own `finally` comes first."""
        return self.statements(list(_spelled(node))) if _only_finally(node) else node

    def visit_Return(self, node: ast.Return) -> Any:
        """A way out."""
        final = copy.deepcopy(self.final)
        if node.value is None or isinstance(node.value, ast.Constant):
            return [*final, node]
        stored, kept = ast.Name("<value>", ast.Store()), ast.Name("<value>", ast.Load())
        made = [ast.Assign([stored], node.value), ast.Return(kept)]
        for part in (stored, kept, *made):
            ast.copy_location(part, node)
        return [made[0], *final, made[1]]

    def visit_Break(self, node: ast.Break) -> Any:
        """A way out, unless it leaves a loop inside."""
        return node if self.inside else [*copy.deepcopy(self.final), node]

    def visit_Continue(self, node: ast.Continue) -> Any:
        """As `break`."""
        return node if self.inside else [*copy.deepcopy(self.final), node]

    def visit_For(self, node: ast.For) -> Any:
        """A loop inside."""
        return self._loop(node)

    def visit_While(self, node: ast.While) -> Any:
        """A loop inside."""
        return self._loop(node)

    def _loop(self, node: ast.For | ast.While) -> ast.stmt:
        self.inside += 1
        node.body = self.statements(node.body)
        self.inside -= 1
        node.orelse = self.statements(node.orelse)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """Functions inside have ways out of their own."""
        return node

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        """As functions inside."""
        return node


def _is_settled(before: State, now: State) -> bool:
    """Whether all that has changed is there already: nothing of it waits to be computed."""
    values = [v for k, v in now.vars.items() if before.vars.get(k) is not v]
    changed = [c for i, c in now.heap.items() if before.heap.get(i) is not c]
    return all(map(is_computed, values)) and all(
        is_computed(v) for contents in changed for v in parts_of(contents)
    )


__all__ = ["Trying", "without_finally"]
