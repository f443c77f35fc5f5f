"""Floor 4: `"{0.name!r:>8}".format(o)` read as the f-string that says the same."""

from __future__ import annotations

import ast
import string

from s2sgrad.frontend.base import MISSING, Base
from s2sgrad.frontend.values import Value


class FormatTexts(Base):
    """Lowering of templates that ask more of their arguments than a text."""

    def formatted_text(
        self, owner: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """The text of a known template with `!r`, `{0.name}` or formats in formats; None for
        others."""
        template = self.constant_value(owner)
        if template is MISSING or not isinstance(template, str) or is_plain_template(template):
            return None
        given = {str(i): value for i, value in enumerate(args)} | kwargs
        names = {name: f"<{name} of a format>" for name in given}
        try:
            text = _Reader(names).text(template)
        except (KeyError, ValueError, IndexError):
            return None  # for Python to say what is wrong
        for part in ast.walk(text):
            ast.copy_location(part, node)
        for name, value in given.items():
            self.set(self.frame, names[name], value)
        try:
            return self.expr(text)
        finally:
            for name in names.values():
                self.state.vars.pop((self.frame.id, name), None)


class _Path:
    """What a field asks of an argument, as `string.Formatter` asks for it."""

    def __init__(self, expression: ast.expr) -> None:
        self.expression_ = expression

    def __getattr__(self, name: str) -> _Path:
        return _Path(ast.Attribute(self.expression_, name, ast.Load()))

    def __getitem__(self, key: str | int) -> _Path:
        return _Path(ast.Subscript(self.expression_, ast.Constant(key), ast.Load()))


class _Reader:
    """Reads a template. names: what the arguments are called."""

    def __init__(self, names: dict[str, str]) -> None:
        self.paths = {k: _Path(ast.Name(name, ast.Load())) for k, name in names.items()}
        self.next = 0

    def text(self, template: str) -> ast.JoinedStr:
        """The f-string."""
        pieces: list[ast.expr] = []
        for literal, name, spec, how in string.Formatter().parse(template):
            if literal:
                pieces.append(ast.Constant(literal))
            if name is None:
                continue
            value = self._value(name)
            inner = self.text(spec) if spec else None
            pieces.append(ast.FormattedValue(value, ord(how) if how else -1, inner))
        return ast.JoinedStr(pieces)

    def _value(self, name: str) -> ast.expr:
        """`0.rows[1]`: an argument, and what is asked of it."""
        if name[:1] in ("", ".", "["):
            name, self.next = f"{self.next}{name}", self.next + 1
        numbered = [self.paths[k] for k in self.paths if k.isdigit()]
        path, _ = string.Formatter().get_field(name, numbered, self.paths)
        expression: ast.expr = path.expression_
        return expression


def fields_of(template: str) -> list[tuple[str, str, str]]:
    """(name, format, conversion) of the fields of a template."""
    try:
        parts = list(string.Formatter().parse(template))
    except ValueError:
        return [("!", "", "")]
    return [(name, spec or "", how or "") for _, name, spec, how in parts if name is not None]


def is_plain_template(template: str) -> bool:
    """Whether all fields ask for a text by themselves: none is `{0.name}`, `{!r}` or `{:ab}`."""
    return all(_is_plain(*field) for field in fields_of(template))


def _is_plain(name: str, spec: str, how: str) -> bool:
    whole = not name or name.isidentifier() or name.isdigit()
    return not how and whole and not spec


__all__ = ["FormatTexts", "fields_of", "is_plain_template"]
