"""Floor 6: compile generated text under a linecache name, so that tracebacks and pdb show it."""

from __future__ import annotations

import builtins
import importlib
import linecache
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from itertools import count
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.backend.outside_names import parameters_apart, told_apart
from s2sgrad.backend.statements import Printer
from s2sgrad.backend.unbound_errors import unbound_error
from s2sgrad.errors import Span, UnsupportedError
from s2sgrad.ir import nodes
from s2sgrad.ir.names import GENERATED
from s2sgrad.ir.nodes import Function

_NUMBERS = count(1)


@dataclass(frozen=True)
class Compiled:
    """A generated function, its text, and what it refers to by name.

    origin: generated line -> (file, line) of the user's source. near: the same of what the lines of
    reverse sweeps compute with.
    functions: all functions of the text; fn is the first. parts: what they were printed from.
    """

    fn: Callable[..., Any]
    source: str
    filename: str
    references: dict[str, Any]
    origin: dict[int, tuple[str, int]] = field(repr=False)
    functions: tuple[Callable[..., Any], ...] = ()
    parts: tuple[Function, ...] = field(default=(), repr=False)
    near: dict[int, tuple[str, int]] = field(default_factory=dict, repr=False)

    def note(self, error: BaseException) -> None:
        """Add the user's own line to an error raised inside the generated code. What it says of a
        name without a value is raised as Python says it."""
        trace = error.__traceback__
        told = None
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.filename:
                place = self.origin.get(trace.tb_lineno)
                lines = self.origin.values() if place is None else (place,)
                told = unbound_error(error, trace, lines, self.parts) or told
                place = place or self.near.get(trace.tb_lineno)
                if place is not None:
                    text = linecache.getline(*place).strip()
                    error.add_note(
                        f'  in code generated from "{place[0]}", line {place[1]}\n    {text}'
                    )
            trace = trace.tb_next
        if told is not None:
            told.__notes__ = getattr(error, "__notes__", [])
            raise told from None


def references(functions: list[Function]) -> dict[str, Any]:
    """Names other than variables that the text uses: roots of paths, and runtime helpers."""
    found: dict[str, Any] = {"np": np}
    for function in functions:
        for stmt in nodes.walk_block(function.body):
            for expr in nodes.expressions(stmt):
                for node in nodes.walk(expr):
                    refer(node, found)
        for expr in function.inputs.values():
            for node in nodes.walk(expr):
                refer(node, found)
    return found


def refer(node: nodes.Expr, found: dict[str, Any]) -> None:
    """Add what the text of an expression refers to, by name."""
    if isinstance(node, nodes.Call) and node.form == "call" and not isinstance(node.function, str):
        text, value = node.text, node.function
    elif isinstance(node, nodes.Ref):
        text, value = node.text, node.value
    else:
        return
    root = text.split(".")[0].split("(")[0]
    if isinstance(value, Enum) and text == f"{type(value).__name__}.{value.name}":
        text, value = root, type(value)
    if isinstance(node, nodes.Ref) and "." not in text and found.get(root, value) is not value:
        raise UnsupportedError(
            f"two things that are called '{root}' in generated code", node.span,
            "it refers to what it takes from outside by name",
            "give one of them another name",
        )  # fmt: skip
    if root in found or not root.isidentifier():
        return
    if isinstance(node, nodes.Ref) and "(" in text and type(value) is getattr(builtins, root, None):
        return  # `frozenset({1, 2})`: Python's own class makes it
    if "." not in text:
        if getattr(builtins, root, None) is not value and not (
            hasattr(builtins, root) and root in ("abs", "round", "len", "max", "min")
        ):
            found[root] = value
        return
    home = text.rpartition(".")[0]
    while home:  # `scipy.stats.norm.pdf`: the module is scipy.stats
        try:
            importlib.import_module(home)
        except ImportError:
            home = home.rpartition(".")[0]
        else:
            found[root] = importlib.import_module(root)
            return
    found[root] = value


def import_lines(names: dict[str, Any]) -> list[str]:
    """The import statements that a standalone module needs for these names."""
    lines = ["import numpy as np"]
    helpers = sorted(
        n for n, v in names.items() if getattr(s2sgrad_runtime, n, None) is v and n != "np"
    )
    for name, value in sorted(names.items()):
        if name in helpers or name == "np":
            continue
        if type(value).__name__ == "module":
            lines.append(f"import {value.__name__}")
        else:
            home, outer = home_of(name, value)
            lines.append(f"from {home} import {outer}" + (f" as {name}" if name != outer else ""))
    if helpers:
        lines.append(f"from s2sgrad_runtime import {', '.join(helpers)}")
    return lines


def home_of(name: str, value: Any) -> tuple[str, str]:
    """The module of a function or class, and its name there, or that of the class around it."""
    outer = getattr(value, "__qualname__", name).split(".")[0]
    return getattr(value, "__module__", None) or "?", outer


def build(
    functions: list[Function], extra: dict[str, Any] | None = None, quiet: bool = False
) -> Compiled:
    """Print functions and execute the text; the first one is the entry.

    quiet: they are gradients, which warn of no quotient that a mask leaves out.
    """
    functions = told_apart(functions)
    functions = [parameters_apart(f, references([f]).keys()) for f in functions]
    texts, line = [], 1
    origin: dict[int, tuple[str, int]] = {}
    near: dict[int, tuple[str, int]] = {}
    for function in functions:
        printer = Printer()
        texts.append(printer.function(function, quiet))
        for places, found in ((printer.origin, origin), (printer.near, near)):
            shown = ((k, place) for k, place in enumerate(places) if place is not None)
            found |= {line + k: place for k, place in shown if not Span(*place).ours}
        line += len(printer.lines) + 2
    source = "\n\n".join(texts)
    names = references(functions)
    scope, filename = executed(source, functions[0].name, {**names, **(extra or {})})
    loaded = tuple(scope[f.name] for f in functions)
    return Compiled(loaded[0], source, filename, names, origin, loaded, tuple(functions), near)


def executed(source: str, name: str, names: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """What a text binds, beside the given names, and the name that tracebacks have for it."""
    filename = f"{GENERATED}{name} {next(_NUMBERS)}>"
    scope = {**names, "__name__": "s2sgrad.generated"}
    exec(compile(source, filename, "exec"), scope)
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    return scope, filename


def identifier(text: str) -> str:
    """A text with an underscore for everything but letters and digits."""
    return re.sub(r"\W", "_", text)
