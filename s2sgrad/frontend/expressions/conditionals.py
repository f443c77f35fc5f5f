"""Floor 4: lower conditional expressions, and what stands for them."""

from __future__ import annotations

import ast

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.exits import NOT_REACHED
from s2sgrad.frontend.expressions.comparable import met
from s2sgrad.frontend.options import asks_which
from s2sgrad.frontend.records import classes_of
from s2sgrad.frontend.side_effects import changed
from s2sgrad.frontend.values import Dyn, Heap, Iterator, Method, Value, is_function
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Known, Opaque, Row, Type, join


class Conditionals(Base):
    """Lowering of `a if test else b`."""

    def expr_IfExp(self, node: ast.IfExp) -> Value:
        test = self.test(node.test)
        if (known := self.truth(test)) is not None:
            return self.expr(node.body if known else node.orelse)
        test_expr = self.residual(test, node)
        if (simple := self._simple_choice(test_expr, node)) is not None:
            return simple
        telling = isinstance(test_expr, nodes.Var) or asks_which(test_expr)
        held = test_expr if telling else self.builder.bind("test", test_expr)
        target = ast.copy_location(ast.Name("<choice>", ast.Store()), node)
        then = ast.copy_location(ast.Assign([target], node.body), node)
        orelse = ast.copy_location(ast.Assign([target], node.orelse), node)
        self.branch(held, [then], [orelse], node)
        result = self.get(self.frame, "<choice>")
        self.state.vars.pop((self.frame.id, "<choice>"), None)
        return self.unreached() if result is None else result  # None: both sides always raise

    def _simple_choice(self, test: nodes.Expr, node: ast.IfExp) -> Value | None:
        """A conditional expression whose sides need no statements of their own."""
        sides = []
        before, depth = self.state, len(self.builder.blocks)
        for outcome, side in ((True, node.body), (False, node.orelse)):
            self.state, names = before.copy(), self.builder.names
            self.builder.blocks.append([])
            self.refine(test, outcome)
            start = self.state.copy()
            try:
                with self.may_end():
                    value = self.expr(side)
            except NOT_REACHED:
                del self.builder.blocks[depth:]
                self.state, self.builder.names = before, names
                return None
            compound = isinstance(value, Heap | Iterator | Method) or is_function(value)
            if self.builder.blocks.pop() or compound or changed(start, self.state):
                self.state, self.builder.names = before, names
                return None
            sides.append(self.residual(value, node))
        self.state = before
        if _object_or_else(sides[0].type, sides[1].type):
            return None
        made = met(test, sides[0], sides[1], self.span(node))
        return None if made is None else Dyn(made)

    def object_or_else(self, left: nodes.Expr, right: Value, node: ast.AST) -> bool:
        """Whether one of two values is an object, and the other is something else."""
        return _object_or_else(left.type, self.residual(right, node).type)


def _object_or_else(left: Type, right: Type) -> bool:
    """Whether one of two values is an object, as generated code holds it, and the other is not: a
    variable that may be both does not tell which, and is not asked as the class says."""
    kinds = (left, right)
    if any(isinstance(k, Known) and k.value is NotImplemented for k in kinds):
        return False  # which goes to whoever asked the method
    held = any(isinstance(k, Row) or classes_of(k) for k in kinds)
    return held and join(left, right) == Opaque("mixed")


def as_conditional(node: ast.BoolOp) -> ast.IfExp | None:
    """`test and a or b` as `(a or b) if test else b`, which it is; None for other expressions, and
    where a is a truth value by its looks."""
    first = node.values[0]
    if not isinstance(node.op, ast.Or) or not isinstance(first, ast.BoolOp):
        return None
    *tests, then = first.values
    if isinstance(first.op, ast.Or) or isinstance(then, ast.Compare | ast.BoolOp | ast.UnaryOp):
        return None
    others = node.values[1:]
    body = ast.copy_location(ast.BoolOp(ast.Or(), [then, *others]), node)
    test, orelse = _combined(ast.And(), tests, node), _combined(ast.Or(), others, node)
    return ast.copy_location(ast.IfExp(test, body, orelse), node)


def _combined(op: ast.boolop, values: list[ast.expr], node: ast.BoolOp) -> ast.expr:
    return values[0] if len(values) == 1 else ast.copy_location(ast.BoolOp(op, values), node)
