"""Floor 4: lower f-strings: folded where all in them is known, else made where they stand."""

from __future__ import annotations

import ast
from typing import Any

from s2sgrad.frontend.base import MISSING, Base
from s2sgrad.frontend.expressions.plain_texts import has_fixed_text, opens_a_brace
from s2sgrad.frontend.values import Dyn, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import STR

_SHOWN: dict[int, Any] = {-1: lambda value: value, 115: str, 114: repr, 97: ascii}  # !s !r !a


class Texts(Base):
    """Lowering of formatted texts."""

    def expr_JoinedStr(self, node: ast.JoinedStr) -> Value:
        pieces = _formatted_parts(node)
        values = {id(p): v for p, v in zip(pieces, self.in_order(pieces), strict=True)}
        node = self._with_own_texts(node, values)
        known = self._folded_text(node, values)
        if known is not None:
            return Static(known)
        template, parts = [""], []
        for piece in _flat(node, ""):
            if isinstance(piece, str):
                template[-1] += piece
            else:
                self.text_as_value(values[id(piece)], node)
                parts.append(self._formatted(values[id(piece)], node))
                template.append("")
        template[0], template[-1] = 'f"' + template[0], template[-1] + '"'
        return Dyn(nodes.Text(tuple(template), tuple(parts), type=STR, span=self.span(node)))

    def _with_own_texts(self, node: ast.JoinedStr, values: dict[int, Value]) -> ast.JoinedStr:
        """The f-string with the texts that classes of the user's make in the objects' places."""
        pieces: list[ast.expr] = []
        for piece in node.values:
            if isinstance(piece, ast.FormattedValue):
                piece = self._with_own_text(piece, values, node)
            pieces.append(piece)
        return ast.copy_location(ast.JoinedStr(pieces), node)

    def _with_own_text(
        self, piece: ast.FormattedValue, values: dict[int, Value], node: ast.AST
    ) -> ast.FormattedValue:
        spec, value = None, values[id(piece.value)]
        if piece.format_spec is not None:
            assert isinstance(piece.format_spec, ast.JoinedStr)
            known = self._folded_text(piece.format_spec, values)
            spec = None if known is None else Static(known)
        name = {-1: "__format__", 115: "__str__"}.get(piece.conversion, "__repr__")
        made = self.own_text(value, name, spec, node)
        if made is None:
            return piece
        values[id(piece.value)] = made
        written = name == "__format__" and spec is not None  # the class heard of the spec
        kept = None if written else piece.format_spec
        return ast.FormattedValue(piece.value, -1, kept)

    def _folded_text(self, node: ast.JoinedStr, values: dict[int, Value]) -> str | None:
        """The text, where all that stands in it is known while compiling and no class of the
        user's decides how it looks."""
        result = ""
        for piece in node.values:
            if isinstance(piece, ast.Constant):
                result += str(piece.value)
                continue
            assert isinstance(piece, ast.FormattedValue)
            value = self.constant_value(values[id(piece.value)])
            spec: str | None = ""
            if isinstance(piece.format_spec, ast.JoinedStr):
                spec = self._folded_text(piece.format_spec, values)
            if value is MISSING or spec is None or not has_fixed_text(value):
                return None
            result += format(_SHOWN[piece.conversion](value), spec)
        return result

    def _formatted(self, value: Value, node: ast.AST) -> nodes.Expr:
        try:
            expr = self.text_part(value, node)
        except Exception:
            if self.contents(value) is None or self.class_of(value) or self.is_only_shown():
                return nodes.Const(self.address_text(value), type=STR)
            raise  # what a list or dict holds has a text that may count
        walked = list(nodes.walk(expr))
        apart = any(map(_has_quotes, walked)) or any(map(_nested, walked)) or opens_a_brace(expr)
        return self.builder.bind("part", expr) if apart else expr


def _has_quotes(expr: nodes.Expr) -> bool:
    """Whether a text stands in an expression that can't stand between quotes itself."""
    value = expr.value if isinstance(expr, nodes.Const) else None
    return isinstance(value, str) and repr(value) != f"'{value}'"


def _nested(expr: nodes.Expr) -> bool:
    """Whether a text has quotes of its own, and so can't stand in another one's."""
    if not isinstance(expr, nodes.Text):
        return False
    held = (e for part in expr.parts for e in nodes.walk(part))
    if any(isinstance(e, nodes.Text) or isinstance(getattr(e, "value", 0), str) for e in held):
        return True
    return any(quote in "".join(expr.template)[2:-1] for quote in "'\"")


def _formatted_parts(node: ast.JoinedStr) -> list[ast.expr]:
    """The expressions in a text, those of formats behind what they format."""
    return [piece for piece in _flat(node, "") if isinstance(piece, ast.expr)]


def _flat(node: ast.JoinedStr, inside: str) -> list[str | ast.expr]:
    """Texts as they are written between quotes, and expressions. inside: of a format."""
    result: list[str | ast.expr] = []
    for piece in node.values:
        if isinstance(piece, ast.Constant):
            text = str(piece.value).replace("\\", "\\\\").replace('"', '\\"')
            text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
            result.append(text if inside else text.replace("{", "{{").replace("}", "}}"))
            continue
        assert isinstance(piece, ast.FormattedValue)
        suffix = f"!{chr(piece.conversion)}" if piece.conversion >= 0 else ""
        result += ["{", piece.value, suffix]
        if isinstance(piece.format_spec, ast.JoinedStr):
            result += [":", *_flat(piece.format_spec, "format")]
        result.append("}")
    return result
