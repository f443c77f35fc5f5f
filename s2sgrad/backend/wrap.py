"""Floor 6: break a long line inside its brackets, as a formatter would."""

from __future__ import annotations

from collections.abc import Iterator

WIDTH = 88
_OPEN, _CLOSE = "([{", ")]}"
_OPERATORS = ((" or ", " and "), (" + ", " - "), (" * ", " / ", " @ ", " // ", " % "))


def wrapped(line: str) -> list[str]:
    """The line, or its pieces where it is too long and has a place to break at."""
    if len(line) <= WIDTH or line.lstrip().startswith(("#", "def ", '"""')):
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    at = _assignment(line)
    if at is not None and (pieces := _at_operators(line[at:])):
        inner = indent + "    "
        if len(inner) + len(line) - at <= WIDTH:
            return [line[:at] + "(", inner + line[at:], indent + ")"]
        broken = [out for p in pieces for out in wrapped(inner + p)]
        return [line[:at] + "(", *broken, indent + ")"]
    return _in_brackets(line, indent)


def _in_brackets(line: str, indent: str) -> list[str]:
    """Break inside the widest outermost bracket."""
    spans = _brackets(line)
    if spans is None:
        return [line]
    start, end = spans
    head, inner, tail = line[: start + 1], line[start + 1 : end].strip(), line[end:]
    single = f"{indent}    {inner}"
    parts = _split(inner)
    if len(single) <= WIDTH and "\n" not in single:
        body = [single]
    elif len(parts) > 1 or inner.endswith(","):
        body = [out for p in parts for out in wrapped(f"{indent}    {p.strip()},")]
    elif pieces := _at_operators(inner):
        body = [out for p in pieces for out in wrapped(f"{indent}    {p}")]
    else:
        body = wrapped(single)
    return [head, *body, *wrapped(indent + tail)]


def _characters(text: str) -> Iterator[tuple[int, str, int]]:
    """(position, character, bracket depth) outside of strings."""
    depth, quote = 0, ""
    for i, char in enumerate(text):
        if quote:
            quote = "" if char == quote and text[i - 1] != "\\" else quote
            continue
        if char in "\"'":
            quote = char
            continue
        if char in _CLOSE:
            depth -= 1
        yield i, char, depth
        if char in _OPEN:
            depth += 1


def _assignment(line: str) -> int | None:
    """Where the right-hand side of an assignment begins."""
    for i, char, depth in _characters(line):
        if char == "=" and depth == 0 and line[i + 1 : i + 2] == " " and line[i - 1] in " +-*/@":
            return i + 2
    return None


def _at_operators(text: str) -> list[str]:
    """The operands of the loosest operators outside of brackets, each with its operator."""
    for signs in _OPERATORS:
        cuts = [
            i + 1
            for i, char, depth in _characters(text)
            if char == " " and depth == 0 and text.startswith(signs, i)
        ]
        if cuts:
            ends = [*cuts, len(text)]
            return [text[a:b].strip() for a, b in zip([0, *cuts], ends, strict=True)]
    return []


def _brackets(line: str) -> tuple[int, int] | None:
    """The outermost bracket pair that holds most of the line."""
    start, best = -1, None
    for i, char, depth in _characters(line):
        if depth == 0 and char in _OPEN:
            start = i
        elif depth == 0 and char in _CLOSE and (best is None or i - start > best[1] - best[0]):
            best = (start, i)
    return best if best is not None and best[1] - best[0] > 20 else None


def _split(text: str) -> list[str]:
    """Split at commas outside of brackets and strings."""
    cuts = [i for i, char, depth in _characters(text) if char == "," and depth == 0]
    starts = [0, *(c + 1 for c in cuts)]
    parts = [text[a:b] for a, b in zip(starts, [*cuts, len(text)], strict=True)]
    return [p for p in parts if p.strip()]
