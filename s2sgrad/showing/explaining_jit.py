"""Floor 8: what Numba made of generated code: what stayed in Python, which loops are parallel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from s2sgrad.errors import Span


def compiled_text(report: Any, parallel: bool) -> str:
    """The part of `explain` about a jitted function that has been called."""
    python = _python(report.python, list(report.calls))
    return python + (_loops(report.loops) if parallel else "")


def _python(lines: dict[Span | None, str], calls: list[tuple[Span | None, str]]) -> str:
    """Which lines stay in Python, and which calls compiled code hands to Python as it runs."""
    if not lines and not calls:
        return "compiled by Numba: all of it\n"
    rows: list[str] = []
    if lines:
        rows.append(
            "compiled by Numba: all but these lines, which run in Python between compiled pieces"
        )
    for span, why in lines.items():
        rows.append(f"  {place(span)}  {_code(span)}".rstrip())
        rows.append(f"    {why.removeprefix('Numba says: ')}")
    told = "and these calls" if lines else "compiled by Numba: all but these calls"
    if calls:
        rows.append(f"{told}, which compiled code hands to Python one by one")
    for span, work in calls:
        rows.append(f"  {place(span)}  {_code(span)}".rstrip())
        rows.append(f"    {work}")
    return "\n".join(rows) + "\n"


def _loops(verdicts: list[Any]) -> str:
    if not verdicts:
        return "loops on all cores: there is no loop\n"
    rows = ["loops on all cores:"]
    for verdict in verdicts:
        state = "yes" if not verdict.why else f"no: {verdict.why}"
        rows.append(f"  {place(verdict.span)}  {_code(verdict.span)}".rstrip())
        rows.append(f"    for {verdict.target}: {state}")
    return "\n".join(rows) + "\n"


def place(span: Span | None) -> str:
    """`file.py:12`."""
    return f"{Path(span.filename).name}:{span.line}" if span else "(generated)"


def amount(size: int) -> str:
    """Bytes in words: `96 bytes`, `1.5 KiB`."""
    number, unit = float(size), "bytes"
    for larger in ("KiB", "MiB", "GiB"):
        if number < 1024:
            break
        number, unit = number / 1024, larger
    return f"{size} bytes" if unit == "bytes" else f"{number:.1f} {unit}"


def _code(span: Span | None) -> str:
    text = span.text().strip() if span else ""
    return f"| {text}" if text else ""


__all__ = ["amount", "compiled_text", "place"]
