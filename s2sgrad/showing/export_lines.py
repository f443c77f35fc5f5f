"""Floor 9: the lines of an exported module, at most 88 columns wide where they can be broken."""

from __future__ import annotations

import ast
import textwrap
import tokenize

from s2sgrad.backend.wrap import WIDTH, wrapped


def narrowed(text: str) -> str:
    """The same module with its long lines broken; a line that can't be stays as it is."""
    told = _told(ast.parse(text))
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) <= WIDTH:
            lines.append(line)
        elif number in told:
            lines += _refilled(line)
        else:
            lines += _broken(line)
    made = "\n".join(lines) + "\n"
    try:
        return made if _meaning(made) == _meaning(text) else text
    except SyntaxError:  # a line is a part of a statement that stands on several
        return text


def _told(tree: ast.Module) -> set[int]:
    """The lines of docstrings."""
    shown = (
        n.value
        for n in ast.walk(tree)
        if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)
        if isinstance(n.value.value, str)
    )
    return {k for n in shown for k in range(n.lineno, (n.end_lineno or n.lineno) + 1)}


def _refilled(line: str) -> list[str]:
    indent = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(
        line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _broken(line: str) -> list[str]:
    """A line of code, broken at its brackets, or at the names that it imports; what is told at its
    end stands above."""
    indent = line[: len(line) - len(line.lstrip())]
    code, told = _without_comment(line)
    if told and code.strip():
        return [indent + told, *([code] if len(code) <= WIDTH else _broken(code))]
    head, mark, names = line.partition(" import ")
    if mark and head.startswith("from ") and "(" not in names:
        return [f"{head} import (", *(f"    {name}," for name in names.split(", ")), ")"]
    head, mark, message = line.partition("raise ValueError(")
    if mark and not head.strip() and message.endswith(")"):
        return [
            f"{indent}raise ValueError(",
            *_message(message[:-1], indent + "    "),
            indent + ")",
        ]
    return wrapped(line)


def _without_comment(line: str) -> tuple[str, str]:
    """The code of a line, and the comment at its end."""
    try:
        for token in tokenize.generate_tokens(iter([line]).__next__):
            if token.type == tokenize.COMMENT:
                return line[: token.start[1]].rstrip(), token.string
    except (tokenize.TokenError, SyntaxError):
        pass  # a part of a longer statement, with a text perhaps that goes on
    return line, ""


def _message(text: str, indent: str) -> list[str]:
    """A text in pieces that stand below each other, which Python puts together again."""
    message = ast.literal_eval(text)
    pieces = textwrap.wrap(
        message, WIDTH - len(indent) - 6, drop_whitespace=False, break_on_hyphens=False
    )
    return [indent + repr(piece) for piece in pieces]


def _meaning(text: str) -> str:
    """What Python reads in a module, but for its docstrings."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = ...
    return ast.dump(tree)


__all__ = ["narrowed"]
