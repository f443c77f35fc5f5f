"""Files stay under 400 lines and functions under 60; what may be longer is named here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("s2sgrad", "runtime", "examples")
FILE_LIMIT = 400
FUNCTION_LIMIT = 60

# path -> why it may be longer
LONG_FILES: dict[str, str] = {}
# "path:function" -> why it may be longer
LONG_FUNCTIONS: dict[str, str] = {}


def sources() -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def long_files() -> Iterator[str]:
    for path in sources():
        if len(path.read_text().splitlines()) > FILE_LIMIT:
            yield str(path.relative_to(ROOT))


def long_functions() -> Iterator[str]:
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(), str(path))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.end_lineno is not None
                if node.end_lineno - node.lineno + 1 > FUNCTION_LIMIT:
                    yield f"{path.relative_to(ROOT)}:{node.name}"


def test_files_are_short() -> None:
    assert sorted(long_files()) == sorted(LONG_FILES), "longer than 400 lines, or listed in vain"


def test_functions_are_short() -> None:
    assert sorted(long_functions()) == sorted(LONG_FUNCTIONS), "longer than 60 lines, or in vain"
