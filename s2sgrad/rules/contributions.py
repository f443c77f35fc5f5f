"""Floor 2: cut the one sum that a declared tangent may return into a part for each argument."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from s2sgrad.errors import RuleError, Span

Parts = dict[str, ast.expr]


def contributions(
    total: ast.expr, setup: Sequence[ast.Assign], arguments: Sequence[str], span: Span
) -> list[ast.expr]:
    """One part of `2.0 * u * u_dot + u**2 * w_dot` for each of the arguments u and w.

    None, as a constant, for an argument whose tangent is not read. Raises RuleError where the
    terms can't be told apart.
    """
    held = [(s.targets[0].id, s.value) for s in setup if isinstance(s.targets[0], ast.Name)]
    parts = _Split(held, {f"{a}_dot" for a in arguments}, span).parts(total)
    none = ast.copy_location(ast.Constant(None), total)
    return [parts.get(f"{a}_dot", none) for a in arguments]


class _Split:
    """held: the assignments, in order. dots: the names of the tangents."""

    def __init__(self, held: list[tuple[str, ast.expr]], dots: set[str], span: Span) -> None:
        self.held, self.dots, self.span = held, dots, span
        names = [name for name, _ in held]
        self.values = {name: value for name, value in held if names.count(name) == 1}

    def read(self, expr: ast.expr) -> set[str]:
        """The tangents that an expression reads, by itself or by what is assigned before."""
        names = _names(expr)
        for name, value in reversed(self.held):
            names |= _names(value) if name in names else set()
        return names & self.dots

    def parts(self, expr: ast.expr) -> Parts:
        """The terms of an expression, by the tangent that each reads."""
        dots = self.read(expr)
        if len(dots) == 1:
            return {dots.pop(): expr}
        match expr:
            case ast.Name(id=name) if name in self.values:
                return self.parts(self.values[name])
            case ast.UnaryOp(op=op, operand=operand):
                return {d: ast.UnaryOp(op, e) for d, e in self.parts(operand).items()}
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                return self._sum(expr)
            case ast.BinOp(left, ast.Mult() | ast.MatMult() | ast.Div() as op, right):
                if not self.read(right):
                    return {d: ast.BinOp(e, op, right) for d, e in self.parts(left).items()}
                if not self.read(left) and not isinstance(op, ast.Div):
                    return {d: ast.BinOp(left, op, e) for d, e in self.parts(right).items()}
        raise RuleError(
            "the tangent can't be cut into a part for each argument",
            self.span,
            f"each term of the sum must read one of {', '.join(sorted(self.dots))}",
            "return a tuple: for each array argument what its tangent contributes",
        )

    def _sum(self, expr: ast.BinOp) -> Parts:
        found = self.parts(expr.left)
        for dot, part in self.parts(expr.right).items():
            if dot in found:
                found[dot] = ast.BinOp(found[dot], expr.op, part)
            else:
                minus = isinstance(expr.op, ast.Sub)
                found[dot] = ast.UnaryOp(ast.USub(), part) if minus else part
        return found


def _names(expr: ast.expr) -> set[str]:
    return {n.id for n in ast.walk(expr) if isinstance(n, ast.Name)}
