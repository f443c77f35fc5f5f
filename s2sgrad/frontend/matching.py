"""Floor 4: lower match statements, as if and elif on constants."""

from __future__ import annotations

import ast

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.values import (
    Dyn,
    Value,
)


class Matching(Base):
    """Lowering of match statements."""

    def stmt_Match(self, stmt: ast.Match) -> str:
        """Rewritten as if / elif on constants."""
        subject = ast.copy_location(ast.Name("<subject>", ast.Load()), stmt)
        self.set(self.frame, "<subject>", self._held(self.expr(stmt.subject), stmt))
        chain: list[ast.stmt] = []
        for case in reversed(stmt.cases):
            test = self._pattern_test(case.pattern, subject, stmt)
            body = list(case.body)
            if isinstance(case.pattern, ast.MatchAs) and case.pattern.name:
                name = ast.copy_location(ast.Name(case.pattern.name, ast.Store()), stmt)
                body.insert(0, ast.copy_location(ast.Assign([name], subject), stmt))
            if case.guard is not None:
                test = (
                    case.guard
                    if test is None
                    else ast.copy_location(ast.BoolOp(ast.And(), [test, case.guard]), stmt)
                )
            chain = body if test is None else [ast.copy_location(ast.If(test, body, chain), stmt)]
        return self.run_block(chain)

    def _held(self, value: Value, node: ast.AST) -> Value:
        return Dyn(self.named(value, "subject", node)) if isinstance(value, Dyn) else value

    def _pattern_test(
        self, pattern: ast.pattern, subject: ast.expr, node: ast.AST
    ) -> ast.expr | None:
        match pattern:
            case ast.MatchValue(value=value):
                return ast.copy_location(ast.Compare(subject, [ast.Eq()], [value]), node)
            case ast.MatchSingleton(value=value):
                constant = ast.copy_location(ast.Constant(value), node)
                return ast.copy_location(ast.Compare(subject, [ast.Is()], [constant]), node)
            case ast.MatchOr(patterns=patterns):
                tests = [self._pattern_test(p, subject, node) for p in patterns]
                if None in tests:
                    return None
                return ast.copy_location(ast.BoolOp(ast.Or(), tests), node)  # type: ignore[arg-type]
            case ast.MatchAs(pattern=None):
                return None
            case ast.MatchAs(pattern=inner) if inner is not None:
                return self._pattern_test(inner, subject, node)
        raise self.refuse("only constants can be matched", node, "", "use if / elif")
