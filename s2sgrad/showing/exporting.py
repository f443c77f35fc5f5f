"""Floor 9: write a gradient to a module of its own."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import types
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.backend.module import import_lines
from s2sgrad.derivatives.gradient import Derivative
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.functions.held_values import held_value
from s2sgrad.ir.types import Array, Scalar, Type
from s2sgrad.showing.export_checks import checks
from s2sgrad.showing.export_lines import narrowed
from s2sgrad.showing.literals import LITERALS, Literals, importable

WIDTH = 88


def export(
    derivative: Any,
    path: str | Path,
    *example_args: Any,
    inline_runtime: bool = False,
    **example_kwargs: Any,
) -> None:
    """Write the generated code for arguments like these as a standalone module.

    Args:
        derivative: what `grad` or `value_and_grad` gave.
        path: the file to write.
        example_args, example_kwargs: arguments of the kind that the module is for.
        inline_runtime: put the helpers that the code needs into the file, so that it imports
            NumPy only; otherwise they come from `s2sgrad_runtime`.

    The module holds one public function, named after the primal (`loss_grad`). What the primal
    read from its module or closure stands in the file as it is now. Gradients of objects come
    as dicts of their fields. Of a derivative that is compiled (`jit=True`) it holds the NumPy code:
    what Numba takes would need the compiler of this package around it.
    """
    if isinstance(derivative, Derivative):
        derivative = derivative.under(jit=False)
    if not hasattr(derivative, "product"):
        name = getattr(derivative, "__name__", type(derivative).__name__)
        raise TypeError(
            f"export writes what grad or value_and_grad made: "
            f"export(s2sgrad.grad({name}), path, ...)"
        )
    product = derivative.product(*example_args, **example_kwargs)
    compiled = product.compiled
    used, captured = _used(compiled.source), _captured(compiled.source, product.captures)
    held = {own: held_value(*place) for own, place in captured.items() if own in used}
    inside = {part.name for part in compiled.parts}  # forward and backward ones of recursions
    names = {n: v for n, v in compiled.references.items() if n not in inside}
    helpers = {n: v for n, v in names.items() if getattr(s2sgrad_runtime, n, None) is v}
    inlined: list[str] = []
    if inline_runtime:
        names = {n: v for n, v in names.items() if n not in helpers}
        inlined, needed = _inline(helpers)
        names.update(needed)
    function, literals = derivative.function, Literals(names)
    values = [f"{name} = {literals.of(name, value)}" for name, value in held.items()]
    own = _with_defaults(
        compiled.source, function, (set(captured), set(held)), literals, checks(product.lowered)
    )
    parts = [
        _heading(function, product.lowered),
        "from __future__ import annotations\n" if inlined else "",
        "\n".join(_imports(names)) + "\n",
        *values,
        *(f"\n{text}" for text in inlined),
        "\n" + own,
    ]
    Path(path).write_text(narrowed("\n".join(part for part in parts if part)))


def _heading(function: Any, lowered: Any) -> str:
    """The module's docstring: what it is, and which arguments it is for."""
    kinds = lowered.function.types
    lines = [
        f"    {name}: {_kind(kinds[name])}"
        for name in lowered.function.parameters
        if name in kinds and isinstance(kinds[name], Array | Scalar)
    ]
    name = getattr(function, "__name__", "a function")
    title = f'"""The gradient of {name}, written by s2sgrad for arguments of this kind:'
    return "\n".join([title, "", *lines, '"""', ""]) if lines else f'{title[:-28]}."""\n'


def _kind(kind: Type) -> str:
    if isinstance(kind, Array) and kind.shape is not None:
        return f"{kind.dtype}[{', '.join(map(str, kind.shape))}]"
    return str(getattr(kind, "dtype", kind))


def _imports(names: dict[str, Any]) -> list[str]:
    """Import statements; refuses what a fresh interpreter could not import."""
    for name, value in names.items():
        if not importable(name, value):
            raise UnsupportedError(
                f"can't export: {name} is called as it is, and can't be imported",
                None,
                "an exported file imports what it calls",
                "move it to a module",
            )
    return sorted(import_lines(names), key=lambda line: (line.startswith("from"), line))


def _plain(value: Any) -> bool:
    if isinstance(value, float):
        return bool(np.isfinite(value))
    if isinstance(value, list | tuple):
        return all(map(_plain, value))
    if isinstance(value, dict):
        return all(_plain(k) and _plain(v) for k, v in value.items())
    return isinstance(value, LITERALS)


def _used(source: str) -> set[str]:
    """The names that a text reads."""
    nodes = (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Name))
    return {n.id for n in nodes}


def _captured(source: str, captures: Sequence[tuple[str, Any]]) -> dict[str, tuple[str, Any]]:
    """What is read from outside, by the names that the code has for it: its last parameters."""
    tree = ast.parse(source).body[0]
    assert isinstance(tree, ast.FunctionDef)
    names = [a.arg for a in tree.args.args]
    return dict(zip(names[len(names) - len(captures) :], captures, strict=True))


def _with_defaults(
    source: str,
    function: Any,
    held: tuple[Set[str], Set[str]],
    literals: Literals,
    first_lines: Sequence[str],
) -> str:
    """The source with the primal's defaults, and the captured values as defaults of theirs."""
    tree = ast.parse(source).body[0]
    if not isinstance(tree, ast.FunctionDef):
        return source
    captured, used = held
    names = [a.arg for a in tree.args.args if a.arg in used or a.arg not in captured]
    parameters = _parameters(names, function, used, literals)
    header = f"def {tree.name}({', '.join(parameters)}):"
    if len(header) > WIDTH:
        header = f"def {tree.name}(\n    " + ",\n    ".join(parameters) + ",\n):"
    first = tree.body[0].lineno - 1
    lines = source.splitlines()
    while first > 0 and not lines[first - 1].rstrip().endswith(":"):
        first -= 1  # comments above the first statement
    return "\n".join([header, *first_lines, *lines[first:], ""])


def _parameters(names: list[str], function: Any, held: Set[str], literals: Literals) -> list[str]:
    """The parameters as the primal has them: with defaults, by keyword only, any number."""
    signature = inspect.signature(function).parameters
    found: list[str] = []
    last: list[str] = []
    optional = named = False
    for name in names:
        own = signature.get(name, inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD))
        text, default = name, own.default
        if name in held:
            text, optional = f"{name}={name}", True
        elif default is not own.empty and (given := literals.text(default)) is not None:
            text, optional = f"{name}={given}", True
        elif own.kind is own.VAR_POSITIONAL:
            text, named = f"*{name}", True
        elif own.kind is own.VAR_KEYWORD:
            last = [f"**{name}"]
            continue
        elif optional:
            text = f"{name}=None"
        if own.kind is own.KEYWORD_ONLY and not named:
            found, named = [*found, "*"], True
        found.append(text)
    return [*found, *last]


# --------------------------------------------------------------------------- the runtime, inlined


def _inline(helpers: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """Source texts of helpers and of what they use, in order, and the modules they import."""
    texts: list[str] = []
    modules: dict[str, Any] = {}
    seen: set[str] = set()

    def visit(name: str, value: Any) -> None:
        if name in seen:
            return
        seen.add(name)
        path = getattr(value, "path", None)
        if isinstance(value, types.ModuleType):
            modules[name] = value
        elif isinstance(path, str):  # a function of SciPy by its name
            package, topic, *_ = path.split(".")
            texts.append(f"import {package}.{topic}\n\n{name} = {path}\n")
        elif _ours(value):
            for inner, found in _globals_of(value):
                visit(inner, found)
            texts.append(_text(value))
            modules.update(_annotating(texts[-1], sys.modules[value.__module__]))
        elif hasattr(value, "cache_info"):
            seen.discard(name)
            visit(name, value.__wrapped__)
            modules["functools"] = functools
            texts.append(f"{name} = functools.cache({name})\n")
        elif isinstance(value, type | types.FunctionType | types.BuiltinFunctionType):
            modules[name] = value
        elif isinstance(value, dict) and not _plain(value):  # a table of functions
            text, used = _table(name, value)
            for inner, found in used.items():
                visit(inner, found)
            texts.append(text)
        else:
            texts.append(f"{name} = {Literals(modules).of(name, value)}")

    for name, value in sorted(helpers.items()):
        visit(name, value)
    return texts, modules


def _ours(value: Any) -> bool:
    place = getattr(value, "__module__", "") or ""
    return isinstance(value, types.FunctionType | type) and place.startswith("s2sgrad_runtime")


def _globals_of(value: Any) -> Iterator[tuple[str, Any]]:
    """(name, object) of each global that a function, or a class's methods, use."""
    functions = [value] if isinstance(value, types.FunctionType) else vars(value).values()
    for function in functions:
        if not isinstance(function, types.FunctionType):
            continue
        codes = [function.__code__]
        while codes:
            code = codes.pop()
            codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
            for name in code.co_names:
                if name in function.__globals__:
                    yield name, function.__globals__[name]


def _table(name: str, value: Any) -> tuple[str, dict[str, Any]]:
    """The statement of the runtime that makes a table, and the globals that it uses."""
    for module in [m for n, m in sys.modules.items() if n.startswith("s2sgrad_runtime.")]:
        if vars(module).get(name) is not value:
            continue
        for node in ast.parse(inspect.getsource(module)).body:
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name and node.value:
                used = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
                found = {n: vars(module)[n] for n in sorted(used & vars(module).keys())}
                return f"{name} = {ast.unparse(node.value)}\n", found
    raise AssertionError(f"{name} stands in no module of the runtime")


def _annotating(text: str, module: types.ModuleType) -> dict[str, Any]:
    """What is named by annotations, of Python's own modules for them."""
    read = {n.id for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Name)}
    found = {name: vars(module)[name] for name in sorted(read & vars(module).keys())}
    homes = ("typing", "collections.abc")
    return {n: v for n, v in found.items() if getattr(v, "__module__", "") in homes}


def _text(value: Any) -> str:
    """A helper's source without its decorators (marks that only the compiler reads)."""
    source = inspect.getsource(value)
    node = ast.parse(source).body[0]
    return "\n".join(source.splitlines()[node.lineno - 1 :]) + "\n"
