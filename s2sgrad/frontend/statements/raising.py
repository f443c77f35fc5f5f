"""Floor 4: statements that raise: raise and assert."""

from __future__ import annotations

import ast

from s2sgrad.errors import MissingRuleError, UnsupportedError
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.exits import FALL, JUMP, RETURN, Run, Unreachable
from s2sgrad.frontend.values import Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import NONE, Opaque


class Raising(Base):
    """Lowering of errors: what they say matters to nobody but the reader."""

    flag_depth: int

    def reaching(self, run: Run, stmt: ast.stmt) -> str:
        """Run a statement; how it ended: as `raise` does, where it calls what always raises."""
        try:
            with self.within(stmt):
                return run()
        except Unreachable:
            return JUMP

    def result_of(self, ended: str) -> Value:
        """What the innermost function returns, whose body ended so."""
        found = self.get(self.frame, RETURN)
        if found is None and ended == JUMP:
            return self.unreached()
        return Static(None) if found is None else found

    def unreached(self) -> Value:
        """The value of what always raises: none, and nobody reads it."""
        if len(self.builder.blocks) in self.open_blocks[-1:]:
            raise Unreachable
        return Static(None)

    def stmt_Raise(self, stmt: ast.Raise) -> str:
        value: nodes.Expr = nodes.Const(None, type=NONE)
        if isinstance(stmt.exc, ast.Call):
            plain = ast.Call(stmt.exc.func, list(map(_as_text, stmt.exc.args)), [])
            value = self._told(stmt.exc, ast.copy_location(plain, stmt.exc))
        elif stmt.exc is not None:
            value = self.residual(self.expr(stmt.exc))
        if isinstance(value, nodes.Ref):
            value = nodes.Call(value.value, value.text, (), type=Opaque("exception"))
        self.builder.emit(nodes.Do(value, "raise", span=self.span(stmt)))
        return JUMP

    def stmt_Assert(self, stmt: ast.Assert) -> str:
        test = self.test(stmt.test)
        if self.truth(test) is True:
            return FALL
        message = None if stmt.msg is None else self._told(stmt.msg, _as_text(stmt.msg))
        self.builder.emit(nodes.Do(self.residual(test), "assert", message, span=self.span(stmt)))
        return FALL

    def _told(self, node: ast.expr, plain: ast.expr) -> nodes.Expr:
        """What an error says; where that can't be transformed, the expression it is made by."""
        before, names, depth = self.state, self.builder.names, len(self.builder.blocks)
        frames, loops, flags = len(self.frames), len(self.loops), self.flag_depth
        self.state = before.copy()
        self.builder.blocks.append([])
        try:
            with self.only_shown(True):
                value = self.residual(self.expr(node))
        except (UnsupportedError, MissingRuleError):
            del self.builder.blocks[depth:]
            del self.frames[frames:], self.loops[loops:]
            self.state, self.builder.names, self.flag_depth = before, names, flags
            return self.residual(self.expr(plain))
        made = self.builder.blocks.pop()
        self.builder.block.extend(made)
        return value


def _as_text(node: ast.expr) -> ast.expr:
    """A literal, or the text of another expression."""
    if isinstance(node, ast.Constant):
        return node
    return ast.copy_location(ast.Constant(ast.unparse(node)), node)
