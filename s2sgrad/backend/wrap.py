"""Floor 6: break a long line inside its brackets, as a formatter would."""

from __future__ import annotations

from collections.abc import Iterator

WIDTH = 88
_HEADERS = ("if ", "elif ", "while ")
_OPEN, _CLOSE = "([{", ")]}"
_OPERATORS = (
    (" for ",),
    (" if ", " else "),
    (" or ", " and "),
    (" + ", " - "),
    (" * ", " / ", " @ ", " // ", " % "),
)


def wrapped(line: str) -> list[str]:
    """The line, or its pieces where it is too long and has a place to break at."""
    if len(line) <= WIDTH or line.lstrip().startswith(("#", '"""')):
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    at = _right_side(line)
    if at is not None:
        colon = ":" if line[len(indent) :].startswith(_HEADERS) and line.endswith(":") else ""
        value = line[at : len(line) - len(colon)]
        pieces = _items(value) or _at_operators(value)
        if pieces and not _ends_in_display(line, at):
            inner = indent + "    "
            if len(inner) + len(value) <= WIDTH and not pieces[0].endswith(","):
                return [line[:at] + "(", inner + value, indent + ")" + colon]
            broken = [out for p in pieces for out in wrapped(inner + p)]
            return [line[:at] + "(", *broken, indent + ")" + colon]
    return _assertion(line, indent) or _in_brackets(line, indent)


def _assertion(line: str, indent: str) -> list[str]:
    """The parts of what is asserted, in brackets of their own; nothing where it is one part."""
    given = _split(line.strip().removeprefix("assert "))
    pieces = _at_operators(given[0].strip()) if line.startswith("assert ", len(indent)) else []
    if not pieces:
        return []
    whole = f"{indent}    {given[0].strip()}"
    fits = len(whole) <= WIDTH
    broken = [whole] if fits else [out for p in pieces for out in wrapped(f"{indent}    {p}")]
    return [f"{indent}assert (", *broken, ",".join([indent + ")", *given[1:]])]


def _ends_in_display(line: str, at: int) -> bool:
    """Whether plain names, and a display behind them, are what stands on the right: it may stay
    where it is, with its items on lines of their own."""
    start, end = _brackets(line) or (0, 0)
    shown = end == len(line) - 1 and line[start - 2 : start] == ", "
    return shown and all(p.strip().isidentifier() for p in _split(line[at : start - 2]))


def _in_brackets(line: str, indent: str) -> list[str]:
    """Break inside the widest outermost bracket; targets that are too many stand one by one."""
    spans = _brackets(line)
    at = _right_side(line)
    if (
        at is not None
        and line[at - 2 : at] == "= "
        and (at > WIDTH or (spans or (at,))[0] >= WIDTH)
    ):
        targets = _items(line[len(indent) : at - 3])
        if targets:
            lines = [f"{indent}    {t}" for t in targets]
            return [indent + "(", *lines, *wrapped(indent + ") " + line[at - 2 :])]
    if spans is None or spans[0] >= WIDTH:
        return _operands(line, indent)
    start, end = spans
    head, inner, tail = line[: start + 1], line[start + 1 : end].strip(), line[end:]
    single = f"{indent}    {inner}"
    parts = _split(inner)
    if len(single) <= WIDTH and "\n" not in single:
        body = [single]
    elif len(parts) > 1 or inner.endswith(","):
        body = [out for p in parts for out in _argument(f"{indent}    {p.strip()},")]
    elif pieces := _at_operators(inner):
        body = [out for p in pieces for out in wrapped(f"{indent}    {p}")]
    else:
        body = wrapped(single)
    return [head, *body, *wrapped(indent + tail)]


def _argument(line: str) -> list[str]:
    """An argument or item on a line of its own, or its operands."""
    operands = _operands(line, line[: len(line) - len(line.lstrip())])
    return wrapped(line) if len(line) <= WIDTH or len(operands) == 1 else operands


def _operands(line: str, indent: str) -> list[str]:
    """A part of an expression, one operand a line; the line itself where it has one alone."""
    text = line.strip().removesuffix(",")
    pieces = _at_operators(text) if line[:-1].strip() and _right_side(line) is None else []
    if not pieces:
        return [line]
    pieces[-1] += line.strip()[len(text) :]
    return [out for p in pieces for out in wrapped(indent + p)]


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


def _right_side(line: str) -> int | None:
    """Where the right-hand side of an assignment, what is returned or a test begins."""
    start = len(line) - len(line.lstrip())
    for word in ("return ", *_HEADERS):
        if line.startswith(word, start):
            return start + len(word)
    for i, char, depth in _characters(line):
        if char == "=" and depth == 0 and line[i + 1 : i + 2] == " " and line[i - 1] in " +-*/@":
            return i + 2
    return None


def _items(text: str) -> list[str]:
    """The items of a tuple without brackets, each with its comma."""
    parts = _split(text)
    return [f"{p.strip()}," for p in parts] if len(parts) > 1 else []


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
    return best if best is not None and best[1] - best[0] > 1 else None


def _split(text: str) -> list[str]:
    """Split at commas outside of brackets and strings; what they do not separate stays whole."""
    words = ("lambda ", " for ")
    if any(not depth and text.startswith(words, i) for i, _, depth in _characters(text)):
        return [text]
    cuts = [i for i, char, depth in _characters(text) if char == "," and depth == 0]
    starts = [0, *(c + 1 for c in cuts)]
    parts = [text[a:b] for a, b in zip(starts, [*cuts, len(text)], strict=True)]
    return [p for p in parts if p.strip()]
