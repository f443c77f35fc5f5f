"""Floor 6: which calls compiled code hands to Python as it runs, read off its text."""

from __future__ import annotations

import re

from s2sgrad.errors import Span

_HELPER = re.compile(
    r"^def (\w+)\([^)]*\):\n    with objmode\([^\n]*\):\n((?:        .*\n)+)", re.M
)
_FORM = re.compile(r"^\w+ = (?:compiled_form|complex_form|int|bool|complex|float)\((.*)\)$", re.S)


def calls_outside(text: str, lines: dict[int, int], filename: str) -> list[tuple[Span | None, str]]:
    """The user's line, and what Python runs of it. lines: generated line -> the user's."""
    works = {name: _work(block) for name, block in _HELPER.findall(text)}
    if not works:
        return []
    found: dict[tuple[Span | None, str], None] = {}
    calls = re.compile(rf"(?<!def )\b({'|'.join(works)})\(")
    for number, line in enumerate(text.splitlines(), 1):
        for name in calls.findall(line):
            own = lines.get(number)
            span = None if own is None or not filename else Span(filename, own)
            found[span, works[name]] = None
    return list(found)


def _work(block: str) -> str:
    """The statement of a helper in one line, without what its result is turned into."""
    line = " ".join(part.strip() for part in block.splitlines())
    line = re.sub(r"(?<=[(\[]) | (?=[)\]])", "", line)
    named = _FORM.match(line)
    plain = re.match(r"^(\w+)_plain\(", line)
    if plain:
        return plain[1]
    return named[1] if named else line


__all__ = ["calls_outside"]
