"""Floor 8: which values are kept for the reverse sweep, which are computed again, and why."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from s2sgrad.backend.expressions import ExpressionPrinter
from s2sgrad.errors import Span
from s2sgrad.ir.decisions import Decision
from s2sgrad.ir.nodes import Function
from s2sgrad.showing.explaining_jit import amount, place
from s2sgrad_runtime.checkpoints import block_length

_MAKERS = ("empty", "zeros", "ones", "full", "empty_like", "zeros_like", "copy")
_COUNTING = (
    ast.Name, ast.Load, ast.Constant, ast.Attribute, ast.Subscript, ast.BinOp, ast.Add, ast.Sub,
    ast.Mult, ast.FloorDiv, ast.Mod, ast.UnaryOp, ast.USub, ast.Tuple, ast.Call,
)  # fmt: skip
_COUNTERS = {"len": len, "max": max, "min": min, "block_length": block_length}


def decided(function: Function) -> str:
    """The part of `explain` about values that the reverse sweep reads."""
    printer = ExpressionPrinter(function.inputs)
    rows = list(_joined(function.decisions, printer))
    if not rows:
        return ""
    widths = [max(len(row[k]) for row in rows) for k in range(2)]
    lines = ["kept for the reverse sweep, or computed again there:"]
    lines += [f"  {at:{widths[0]}}  {what:{widths[1]}}  {why}" for at, what, why in rows]
    return "\n".join(lines) + "\n"


def _joined(
    decisions: Iterable[Decision], printer: ExpressionPrinter
) -> Iterator[tuple[str, str, str]]:
    ordered = sorted(dict.fromkeys(decisions), key=lambda d: d.span.line if d.span else 0)
    for own in ordered:
        what = own.value if isinstance(own.value, str) else printer.text(own.value)
        verdict = f"kept in {own.keeper}" if own.keeper else "computed again"
        yield place(own.span), what, f"{verdict}: {own.why}"


def arrays_made(built: Iterable[Any], decisions: Iterable[Decision], values: dict[str, Any]) -> str:
    """The part of `explain` about memory that compiled code asks for.

    built: the texts that were loaded. values: the arguments of the call, by name.
    """
    keepers = {d.keeper: place(d.span) for d in decisions if d.keeper}
    rows = [row for compiled in built for row in _arrays(compiled, keepers, values)]
    if not rows:
        return "arrays that the compiled code makes: none\n"
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    lines = ["arrays that the compiled code makes:"]
    for *cells, use in rows:
        shown = "  ".join(f"{c:{w}}" for c, w in zip(cells, widths, strict=True))
        lines.append(f"  {shown}  {use}".rstrip())
    return "\n".join(lines) + "\n"


def _arrays(
    compiled: Any, keepers: dict[str, str], values: dict[str, Any]
) -> Iterator[tuple[str, ...]]:
    """(user's line, name, shape, bytes, what for) of each array in one text."""
    for function in ast.parse(compiled.source).body:
        if not isinstance(function, ast.FunctionDef):
            continue
        known = dict(values)
        for stmt in ast.walk(function):
            if not isinstance(stmt, ast.Assign) or not isinstance(stmt.targets[0], ast.Name):
                continue
            name, shape = stmt.targets[0].id, _shape(stmt.value)
            if shape is None:
                known.setdefault(name, _number(stmt.value, known))
                continue
            found = _number(shape, known)
            if hasattr(found, "nbytes"):
                known.setdefault(name, found)  # another array of that shape
            use = "kept for the reverse sweep" if name in keepers else ""
            at = keepers.get(name) or _line(compiled.origin.get(stmt.lineno))
            yield at, name, ast.unparse(shape), _bytes(found, _itemsize(stmt.value)), use


def _line(origin: tuple[str, int] | None) -> str:
    return place(Span(*origin)) if origin else "(generated)"


def _shape(value: ast.expr) -> ast.expr | None:
    """What a call that makes an array takes as its shape, or the array that it is like."""
    if not isinstance(value, ast.Call):
        return None
    function = value.func
    if not isinstance(function, ast.Attribute) or function.attr not in _MAKERS:
        return None
    return value.args[0] if value.args else function.value


def _itemsize(value: ast.expr) -> int:
    """Bytes of one entry, by the dtype in a call that makes an array."""
    for node in ast.walk(value):
        kind = getattr(np, node.attr, None) if isinstance(node, ast.Attribute) else None
        if isinstance(kind, type) and issubclass(kind, np.generic):
            return np.dtype(kind).itemsize
    return np.dtype(float).itemsize


def _bytes(shape: Any, itemsize: int) -> str:
    """How much an array takes; shape: what the call gives as its shape, or the array it is like."""
    if hasattr(shape, "nbytes"):
        return amount(shape.nbytes)
    sizes = shape if isinstance(shape, tuple) else (shape,)
    if not all(isinstance(size, int) for size in sizes):
        return "?"
    return amount(math.prod(sizes) * itemsize)


def _number(value: ast.expr, known: dict[str, Any]) -> Any:
    """A length, a tuple of them, or an argument; None for what is not known beforehand."""
    if not all(isinstance(n, _COUNTING) for n in ast.walk(value)):
        return None
    calls = [n for n in ast.walk(value) if isinstance(n, ast.Call)]
    if any(not isinstance(c.func, ast.Name) or c.func.id not in _COUNTERS for c in calls):
        return None
    try:
        return eval(compile(ast.Expression(value), "", "eval"), {**known, **_COUNTERS})
    except (NameError, TypeError, AttributeError, IndexError, KeyError, ValueError):
        return None


__all__ = ["arrays_made", "decided"]
