"""Expressions of a rule as text that computes them in memory which is there already."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

_FUNCTIONS = {
    ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply", ast.Div: "divide",
}  # fmt: skip


def names_of(node: ast.AST) -> set[str]:
    """The names in an expression."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def is_cotangent(node: ast.expr) -> bool:
    """Whether an expression is `y_bar`."""
    return isinstance(node, ast.Name) and node.id == "y_bar"


def written_over(expression: Any) -> str | None:
    """The statement that computes `y_bar * ...` over y_bar; None where it has no such form."""
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub):
        return "y_bar *= -1.0" if is_cotangent(expression.operand) else None
    if not isinstance(expression, ast.BinOp) or not is_cotangent(expression.left):
        return None
    sign = {ast.Mult: "*=", ast.Div: "/="}.get(type(expression.op))
    if sign is None or "y_bar" in names_of(expression.right):
        return None
    return f"y_bar {sign} {ast.unparse(expression.right)}"


def computed_in(expression: ast.expr, name: str) -> str | None:
    """Text that computes an elementwise expression in the memory of one of its operands.

    What reads the operand is computed first, everything after it is written over it. None where
    that can't be told of the expression.
    """
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub):
        inner = operand_in(expression.operand, name)
        return inner and f"_np.negative({inner}, {name})"
    if not isinstance(expression, ast.BinOp) or type(expression.op) not in _FUNCTIONS:
        return None
    sides = [expression.left, expression.right]
    reading = [name in names_of(side) for side in sides]
    if all(reading):
        texts: Any = list(map(ast.unparse, sides))
    else:
        texts = [operand_in(s, name) if r else ast.unparse(s)
                 for s, r in zip(sides, reading, strict=True)]  # fmt: skip
    if None in texts or not any(reading):
        return None
    return f"_np.{_FUNCTIONS[type(expression.op)]}({texts[0]}, {texts[1]}, {name})"


def operand_in(node: ast.expr, name: str) -> str | None:
    """The operand itself, or text that computes an expression in its memory."""
    if isinstance(node, ast.Name):
        return name if node.id == name else None
    if isinstance(node, ast.Call) and is_function_of_one(node):
        return ast.unparse(node)  # in memory of its own: NumPy is slow in place, as with np.sign
    return computed_in(node, name)


def is_function_of_one(node: ast.Call) -> bool:
    """Whether a call is that of a NumPy ufunc with one argument."""
    function = node.func
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return False
    found = getattr(np, function.attr, None) if function.value.id == "np" else None
    return isinstance(found, np.ufunc) and found.nin == 1 == len(node.args) and not node.keywords


# --- what is summed down to a smaller argument ------------------------------------------------


def factored(expression: ast.expr, argument: str) -> tuple[ast.expr, str | None]:
    """(what must be summed, what is done to the sum `_sum`) of a product.

    Signs, numbers and factors that hold nothing but the argument itself, which has the shape of
    the sum, come afterwards.
    """
    full: list[tuple[bool, ast.expr]] = []
    own: list[tuple[bool, ast.expr]] = []
    negative = collect(expression, argument, False, full, own)
    if not own and not negative:
        return expression, None
    inner = ast.parse(joined("", full), mode="eval").body
    outer = joined("-_sum" if negative else "_sum", own)
    return inner, outer


def joined(text: str, factors: list[tuple[bool, ast.expr]]) -> str:
    """The product of the factors, each (is it below the line, expression)."""
    for below, factor in factors:
        written = f"({ast.unparse(factor)})"
        if text:
            text += f" {'/' if below else '*'} {written}"
        else:
            text = f"1.0 / {written}" if below else written
    return text


def collect(node: ast.expr, argument: str, below: bool, full: list[Any], own: list[Any]) -> bool:
    """Sort the factors of a product into `full` and `own`; whether their sign is negative."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return not collect(node.operand, argument, below, full, own)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
        first = collect(node.left, argument, below, full, own)
        flipped = below ^ isinstance(node.op, ast.Div)
        return first ^ collect(node.right, argument, flipped, full, own)
    (own if names_of(node) <= {argument} else full).append((below, node))
    return False
