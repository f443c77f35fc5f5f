"""Floor 8: what became of a function: what was transformed, what was not and why, what is saved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from s2sgrad.calls.telling import place
from s2sgrad.errors import S2sgradError, Span
from s2sgrad.frontend.functions.held_values import held_value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import Array, Known, List, Scalar, Type
from s2sgrad.pipeline import Product, compile_pullback
from s2sgrad.rules.declare import is_opaque
from s2sgrad.showing.explaining_costs import arrays_made, decided
from s2sgrad.showing.explaining_jit import amount, compiled_text
from s2sgrad_runtime.objects import attributes, has_attributes


@dataclass(frozen=True)
class Saved:
    """One value that is kept from the forward sweep for the reverse sweep.

    line: the user's line that it belongs to (0: an argument). size: its bytes in this call;
    memory that is the caller's, or counted before, is not counted.
    """

    name: str
    kind: str
    filename: str
    line: int
    size: int


def explain(derivative: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The text of `Derivative.explain`. Runs the forward sweep once, to measure what is saved."""
    values = derivative.binder.bind(*args, **kwargs)
    head = f"{_title(derivative)}\n"
    found = derivative.specialisation(values)
    if isinstance(found, S2sgradError):
        return head + _fallen_back(derivative, found)
    parts = [head + _arguments(found), _transformed(found), _called(found)]
    if derivative.jit:
        derivative(*args, **kwargs)  # Numba compiles at the first call
        report = found.compiled.report
        parts.append(compiled_text(report, derivative.jit.parallel))
        named = dict(zip(derivative.binder.names, values, strict=True))
        parts.append(arrays_made(report.built, found.function.decisions, named))
    else:
        parts.append(_kept(saved_values(derivative, values)))
    parts.append(decided(found.function))
    return "\n".join(part for part in parts if part)


def _title(derivative: Any) -> str:
    request = derivative.request
    what = "value and gradient" if request.value else "gradient"
    name = getattr(derivative.function, "__qualname__", repr(derivative.function))
    return f"{what} of {name} by {', '.join(request.wrt)}"


def _arguments(product: Product) -> str:
    types = product.lowered.function.types
    inputs = [
        n
        for n in (*product.lowered.function.parameters, *product.lowered.function.inputs)
        if n in types
    ]
    shown = [f"{n}: {shown_type(types[n])}" for n in dict.fromkeys(inputs)]
    return f"for arguments of this kind: {', '.join(shown)}\n" if shown else ""


def _fallen_back(derivative: Any, reason: S2sgradError) -> str:
    where = place(reason)
    name = getattr(derivative.function, "__name__", "it")
    what = f"fell back: the whole of {name} runs on dynamic-graph tensors{where}, because"
    return f"{what}\n{_indented(str(reason))}\n"


def _transformed(product: Product) -> str:
    lines = ["transformed into NumPy code:"]
    for name, span in product.lowered.lowering.transformed.items():
        if span[2] not in product.islands:
            lines.append(f"  {span[0]}  ({name[0]}:{name[1]})")
    return "\n".join(lines) + "\n" + _islands(product)


def _islands(product: Product) -> str:
    """The callees that run on tensors, where they are called, and why."""
    if not product.islands:
        return "fell back: nothing\n"
    lines = []
    for callee, reason in product.islands.items():
        called = product.lowered.lowering.called[callee]
        at = f", called at {called}" if called is not None else ""
        name = getattr(callee, "__name__", "it")
        lines.append(
            f"fell back: {name} runs on dynamic-graph tensors{place(reason)}{at}, because\n"
            f"{_indented(str(reason))}"
        )
    return "\n".join(lines) + "\n"


def _called(product: Product) -> str:
    rows = []
    for name, function in product.lowered.lowering.outside_names.items():
        if function in product.islands or name in product.lowered.lowering.passed:
            continue
        why = (
            "opaque: no derivative passes through it"
            if is_opaque(function)
            else "has a rule of its own"
        )
        rows.append(f"  {name}: {why}")
    return "called as they are:\n" + "\n".join(rows) + "\n" if rows else ""


def _kept(rows: list[Saved]) -> str:
    if not rows:
        return "saved: nothing\n"
    total = sum(r.size for r in rows)
    cells = [
        (
            f"{Path(r.filename).name}:{r.line}" if r.line else "argument",
            r.name,
            r.kind,
            amount(r.size),
        )
        for r in rows
    ]
    widths = [max(len(row[i]) for row in cells) for i in range(4)]
    lines = [f"saved for the reverse sweep: {amount(total)} beside the arguments"]
    for at, name, kind, size in cells:
        lines.append(
            f"  {at:{widths[0]}}  {name:{widths[1]}}  {kind:{widths[2]}}  {size:>{widths[3]}}"
        )
        line = next((r for r in rows if r.name == name), None)
        text = Span(line.filename, line.line).text().strip() if line and line.line else ""
        if text:
            lines[-1] += f"  | {text}"
    return "\n".join(line.rstrip() for line in lines) + "\n"


def saved_values(derivative: Any, values: tuple[Any, ...]) -> list[Saved]:
    """What one call keeps for the reverse sweep, in the order of the user's lines."""
    args = dict(zip(derivative.binder.names, values, strict=True))
    product = compile_pullback(
        derivative.function, args, derivative.request, derivative.binder.members, derivative.tools
    )
    assert product.pair is not None
    outside = [held_value(name, where) for name, where in product.captures]
    _, saved = product.compiled.functions[0](*values, *outside)
    seen = {id(_memory(a)) for a in _arrays((values, outside))}
    places = _places(product.pair.forward)
    rows = []
    for name, value in zip(product.pair.saved, saved, strict=True):
        span = places.get(name)
        kind = product.pair.forward.types.get(name, Known(None))
        size = _size(value, seen)
        rows.append(
            Saved(
                name,
                shown_type(kind),
                span.filename if span else "",
                span.line if span else 0,
                size,
            )
        )
    return sorted(rows, key=lambda row: row.line)


def _places(function: nodes.Function) -> dict[str, Span]:
    """Variable -> the user's line that binds it, or that made saving it necessary."""
    found: dict[str, Span] = {}
    inputs = {*function.parameters, *function.inputs}

    def visit(block: nodes.Block) -> None:
        waiting: list[str] = []
        for stmt in block:
            if (
                isinstance(stmt, nodes.Mutate)
                and isinstance(stmt.base, nodes.Var)
                and stmt.span is None
            ):
                waiting.append(stmt.base.name)
            names = [] if isinstance(stmt, nodes.Mutate) else list(nodes.targets_of(stmt))
            if stmt.span is None:
                waiting += [n for n in names if not isinstance(stmt, nodes.For)]
            else:
                for name in (*waiting, *names):
                    if name not in inputs:
                        found[name] = stmt.span
                waiting = []
            for inner in nodes.blocks(stmt):
                visit(inner)

    visit(function.body)
    return found


def _arrays(value: Any) -> Iterator[np.ndarray]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _arrays(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _arrays(part)
    elif has_attributes(value):
        yield from _arrays(list(attributes(value).values()))


def _memory(array: np.ndarray) -> Any:
    return array if array.base is None else array.base


def _size(value: Any, seen: set[int]) -> int:
    """Bytes of arrays that have not been counted, and of numbers in lists."""
    if isinstance(value, np.ndarray):
        memory = _memory(value)
        if id(memory) in seen:
            return 0
        seen.add(id(memory))
        return int(getattr(memory, "nbytes", value.nbytes))
    if isinstance(value, dict):
        return sum(_size(part, seen) for part in value.values())
    if isinstance(value, list | tuple):
        return sum(_size(part, seen) for part in value)
    return 8 if isinstance(value, int | float | complex | np.generic) else 0


def shown_type(kind: Type) -> str:
    """A type in a few words: `float64[n, 3]`, `list of float`."""
    if isinstance(kind, Array):
        sizes = (
            "..."
            if kind.shape is None
            else ", ".join("?" if n is None else str(n) for n in kind.shape)
        )
        return f"{kind.dtype or 'array'}[{sizes}]"
    if isinstance(kind, Scalar):
        return kind.dtype
    if isinstance(kind, List):
        return f"list of {shown_type(kind.item)}"
    return type(kind).__name__.lower()


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


__all__ = ["Saved", "explain", "saved_values"]
