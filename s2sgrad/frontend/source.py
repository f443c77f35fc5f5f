"""Floor 4: find a function's source, parse it, and keep its comments."""

from __future__ import annotations

import ast
import inspect
import io
import linecache
import sys
import tokenize
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any

from s2sgrad.errors import Span, UnsupportedError
from s2sgrad.frontend.private_names import mangled
from s2sgrad.frontend.refusals import STATEMENTS
from s2sgrad.frontend.same_text import as_it_stands
from s2sgrad.ir.names import GENERATED
from s2sgrad.rules.renewal import note_read

FunctionNode = ast.FunctionDef | ast.Lambda


@dataclass(frozen=True)
class Source:
    """A parsed function. Line numbers in `node` are those of the file.

    comments: line -> comment standing on a line of its own; behind: line -> comment after code.
    """

    node: FunctionNode
    filename: str
    name: str
    comments: dict[int, str]
    behind: dict[int, str]
    columns: int  # how far the text was indented in the file

    def span(self, node: ast.AST) -> Span:
        """Where a node stands."""
        line = getattr(node, "lineno", self.node.lineno)
        column = getattr(node, "col_offset", 0) + self.columns
        end_line = getattr(node, "end_lineno", None) or line
        end_column = (getattr(node, "end_col_offset", None) or 0) + self.columns
        return Span(self.filename, line, column, end_line, end_column)


def unwrap(function: Any) -> Any:
    """The plain function below functools.wraps, our own wrappers and those of Numba."""
    while hasattr(function, "__s2sgrad_primal__"):
        function = function.__s2sgrad_primal__
    return function.py_func if is_of_numba(function) else function


def is_of_numba(function: Any) -> bool:
    """Whether this is made by `numba.njit` and its kin, of a function with source."""
    made_by = type(function).__module__
    return made_by.startswith("numba.") and hasattr(function, "py_func")


def find_source(function: Callable[..., Any]) -> Source:
    """Parse the source of a plain Python function or lambda.

    Raises UnsupportedError where there is none (built-in, exec'd text).
    """
    code = getattr(function, "__code__", None)
    if code is None:
        raise UnsupportedError(
            f"the source of '{getattr(function, '__name__', function)}' is not available",
            why="it is not written in Python, and has no rule",
            fix="give it a rule with s2sgrad.rule, or a function that calls it",
        )
    note_read(code)
    ours = code.co_filename.startswith(GENERATED)  # the same text, made again, is the same code
    filename = "" if ours else _file_of(code.co_filename)
    return _MADE.get(code) or _find(code, function.__name__, filename)


def _file_of(filename: str) -> str:
    """The file of a module; those that Python is built with know it by another name."""
    if not filename.startswith("<frozen "):
        return filename
    module = sys.modules.get(filename.removeprefix("<frozen ").removesuffix(">"))
    return getattr(module, "__file__", None) or filename


_MADE: dict[CodeType, Source] = {}  # functions that were made from nodes


def remember_source(code: CodeType, source: Source) -> None:
    """Say where the code of a function comes from that was made here."""
    _MADE[code] = source


@lru_cache(maxsize=1024)
def _find(code: CodeType, name: str, filename: str) -> Source:
    """filename: equal code may stand in several files; "" for generated code."""
    filename = filename or code.co_filename
    linecache.checkcache(filename)
    try:
        code = as_it_stands(code)
        lines, first = _lines(code, filename)
    except (OSError, TypeError, SyntaxError) as error:
        raise UnsupportedError(
            f"the source of '{name}' is not available",
            None if filename == "<string>" else Span(filename, code.co_firstlineno),
            "a source-to-source compiler reads the file (or notebook cell) a function stands in",
            "define the function in a file, or run it on tensors with fallback='eager'",
        ) from error
    if name == "<lambda>":
        return _find_lambda(code, filename)
    text = "".join(lines)
    dedented, columns = _dedented(text), _indent(text)
    tree = ast.parse(dedented)
    ast.increment_lineno(tree, first - 1)
    node = next((n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)), None)
    if node is None:
        found = tree.body[0] if tree.body else None
        span = Span(filename, first)
        if isinstance(found, ast.AsyncFunctionDef):
            raise UnsupportedError(*_located(STATEMENTS[ast.AsyncFunctionDef], span))
        raise UnsupportedError(
            "this code can't be transformed", span, "it is not a plain def", "write it as a def"
        )
    alone, behind = _comments(dedented, first)
    return Source(mangled(node, code), filename, name, alone, behind, columns)


def _lines(code: CodeType, filename: str) -> tuple[list[str], int]:
    """`inspect.getsourcelines`, which takes long where many modules are loaded."""
    lines = linecache.getlines(filename)
    first = code.co_firstlineno
    if not 0 < first <= len(lines):
        return inspect.getsourcelines(code)
    return inspect.getblock(lines[first - 1 :]), first


def _located(text: tuple[str, str, str], span: Span) -> tuple[str, Span, str, str]:
    what, why, fix = text
    return what, span, why, fix


def _dedented(text: str) -> str:
    """The text with its first line at the margin; comments and texts may stand left of that one."""
    margin = text[: _indent(text)]
    return "".join(line.removeprefix(margin) for line in text.splitlines(keepends=True))


def _indent(text: str) -> int:
    first = text.splitlines()[0]
    return len(first) - len(first.lstrip())


_FOR_TOOLS = ("# noqa", "# type:", "# pragma", "# fmt:", "# pylint", "# pyright", "# ruff")


def _comments(text: str, first: int) -> tuple[dict[int, str], dict[int, str]]:
    """Comments on lines of their own, and those behind code, by line; not those for tools."""
    alone: dict[int, str] = {}
    behind: dict[int, str] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and not token.string.startswith(_FOR_TOOLS):
                found = alone if token.line.lstrip().startswith("#") else behind
                found[token.start[0] + first - 1] = token.string
    except (tokenize.TokenError, IndentationError):
        pass
    return alone, behind


def _find_lambda(code: CodeType, filename: str) -> Source:
    """The lambda with this code object: the one on its line whose bytecode agrees."""
    lines = linecache.getlines(filename)
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError:
        tree = ast.Module([], [])
    found = [
        n
        for n in ast.walk(tree)
        if isinstance(n, ast.Lambda)
        and n.lineno <= code.co_firstlineno
        and (n.end_lineno or n.lineno) >= code.co_firstlineno
    ]
    matching = [n for n in found if _same_code(n, code)]
    chosen = [n for n in matching if _same_extent(n, code)] or matching or found
    if len({ast.dump(n) for n in chosen}) != 1:
        raise UnsupportedError(
            "can't tell which lambda this is",
            Span(filename, code.co_firstlineno),
            "several different lambdas stand on this line",
            "put each lambda on a line of its own, or use def",
        )
    return Source(mangled(chosen[0], code), filename, "<lambda>", {}, {}, 0)


def _same_code(node: ast.Lambda, code: CodeType) -> bool:
    positions = {p[2] for p in code.co_positions() if p[2] is not None}
    start, end = node.body.col_offset, node.body.end_col_offset or 0
    count = code.co_argcount + code.co_kwonlyargcount
    named = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    same_names = code.co_varnames[:count] == tuple(a.arg for a in named)
    return same_names and all(start <= p < end for p in positions if p)


def _same_extent(node: ast.Lambda, code: CodeType) -> bool:
    """Whether the code is that of all of the lambda, and not of one that stands in it."""
    body = node.body
    found = [p for p in code.co_positions() if None not in p and p[2:] != (0, 0)]
    first = min(((p[0], p[2]) for p in found), default=None)
    last = max(((p[1], p[3]) for p in found), default=None)
    return first == (body.lineno, body.col_offset) and last == (
        body.end_lineno,
        body.end_col_offset,
    )
