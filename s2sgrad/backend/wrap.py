"""Floor 6: break a long line inside its brackets, as a formatter would."""

from __future__ import annotations

WIDTH = 88
_OPEN, _CLOSE = "([{", ")]}"


def wrapped(line: str) -> list[str]:
    """The line, or its pieces where it is too long and has a bracket to break at."""
    if len(line) <= WIDTH or line.lstrip().startswith(("#", "def ", '"""')):
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    spans = _brackets(line)
    if not spans:
        return _parenthesized(line, indent)
    start, end = spans
    head, inner, tail = line[: start + 1], line[start + 1 : end], line[end:]
    pieces = _split(inner, ",")
    if len(pieces) == 1:
        return [head, *wrapped(f"{indent}    {inner.strip()}"), indent + tail]
    single = f"{indent}    {inner.strip()}"
    if len(single) <= WIDTH:
        return [head, single, indent + tail]
    body = [out for p in pieces for out in wrapped(f"{indent}    {p.strip()},")]
    return [head, *body, *wrapped(indent + tail)]


def _brackets(line: str) -> tuple[int, int] | None:
    """The outermost bracket pair that holds most of the line, outside of strings."""
    depth, start, best = 0, -1, None
    quote = ""
    for i, char in enumerate(line):
        if quote:
            quote = "" if char == quote and line[i - 1] != "\\" else quote
        elif char in "\"'":
            quote = char
        elif char in _OPEN:
            start = i if depth == 0 else start
            depth += 1
        elif char in _CLOSE:
            depth -= 1
            if depth == 0 and (best is None or i - start > best[1] - best[0]):
                best = (start, i)
    return best if best is not None and best[1] - best[0] > 20 else None


def _parenthesized(line: str, indent: str) -> list[str]:
    """`x = a + b` broken as `x = (` ... `)`."""
    at = line.find(" = ")
    if at < 0 or line[at + 3 :].startswith("("):
        return [line]
    return [line[: at + 3] + "(", f"{indent}    {line[at + 3 :]}", indent + ")"]


def _split(text: str, separator: str) -> list[str]:
    """Split at separators outside of brackets and strings."""
    parts, depth, quote, last = [], 0, "", 0
    for i, char in enumerate(text):
        if quote:
            quote = "" if char == quote and text[i - 1] != "\\" else quote
        elif char in "\"'":
            quote = char
        elif char in _OPEN:
            depth += 1
        elif char in _CLOSE:
            depth -= 1
        elif char == separator and depth == 0:
            parts.append(text[last:i])
            last = i + 1
    rest = text[last:]
    return [*parts, rest] if rest.strip() else parts
