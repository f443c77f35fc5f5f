"""Floor 9: write a gradient to a module of its own."""

from __future__ import annotations

import ast
import functools
import inspect
import re
import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.backend.module import home_of, import_lines
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.functions.held_values import held_value
from s2sgrad.frontend.values import Static
from s2sgrad.ir.types import Array, Scalar, Type

WIDTH = 88
LITERALS = (bool, int, float, complex, str, bytes, type(None))
MANY = 10_000  # entries of an array that are still written out


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
    as dicts of their fields.
    """
    product = derivative.product(*example_args, **example_kwargs)
    compiled = product.compiled
    held = {name: held_value(name, where) for name, where in product.captures}
    inside = {part.name for part in compiled.parts}  # forward and backward ones of recursions
    names = {n: v for n, v in compiled.references.items() if n not in inside}
    helpers = {n: v for n, v in names.items() if getattr(s2sgrad_runtime, n, None) is v}
    inlined: list[str] = []
    if inline_runtime:
        names = {n: v for n, v in names.items() if n not in helpers}
        inlined, needed = _inline(helpers)
        names.update(needed)
    function = derivative.function
    parts = [
        _heading(function, product.lowered),
        "from __future__ import annotations\n" if inlined else "",
        "\n".join(_imports(names)) + "\n",
        *(f"{name} = {_literal(name, value)}" for name, value in held.items()),
        *(f"\n{text}" for text in inlined),
        "\n" + _with_defaults(compiled.source, function, tuple(held), _checks(product.lowered)),
    ]
    Path(path).write_text("\n".join(part for part in parts if part))


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
        if not isinstance(value, types.ModuleType) and not _importable(name, value):
            raise UnsupportedError(
                f"can't export: {name} is called as it is, and can't be imported",
                None,
                "an exported file imports what it calls",
                "move it to a module",
            )
    return sorted(import_lines(names), key=lambda line: (line.startswith("from"), line))


def _importable(name: str, value: Any) -> bool:
    """Whether a fresh interpreter finds it in the module that it names itself."""
    home, outer = home_of(name, value)
    helper = getattr(s2sgrad_runtime, name, None) is value
    return helper or (home != "__main__" and hasattr(sys.modules.get(home), outer))


def _literal(name: str, value: Any) -> str:
    """Source text for a captured value."""
    if isinstance(value, np.ndarray) and value.size <= MANY and value.dtype.kind in "fciub":
        with np.printoptions(threshold=MANY + 1, floatmode="unique"):
            text = np.array2string(value, separator=", ")
        if not value.size:
            return f"np.zeros({value.shape}, np.{value.dtype})"
        text = re.sub("nan|inf", r"np.\g<0>", text)
        return f"np.array({text}, dtype=np.{value.dtype})"
    if isinstance(value, np.generic) and value.dtype.kind in "fciub":
        return f"np.{value.dtype}({value.item()!r})"
    if isinstance(value, np.dtype) and value.names is None:
        return f"np.dtype({value.str!r})"
    if _plain(value):
        return repr(value)
    raise UnsupportedError(
        f"can't export: {name} holds {type(value).__name__}, which has no literal form",
        None,
        "an exported file holds what it needs as text",
        "pass it as an argument",
    )


def _plain(value: Any) -> bool:
    if isinstance(value, float):
        return bool(np.isfinite(value))
    if isinstance(value, list | tuple):
        return all(map(_plain, value))
    if isinstance(value, dict):
        return all(_plain(k) and _plain(v) for k, v in value.items())
    return isinstance(value, LITERALS)


def _checks(lowered: Any) -> list[str]:
    """Statements that refuse other arguments than those the code was specialised to: flags, and
    sizes that are numbers."""
    found: list[str] = []
    for name, value in lowered.arguments.items():
        kind = lowered.function.types.get(name)
        if isinstance(value, Static) and type(value.value) in (str, bool, type(None)):
            sign = "!=" if isinstance(value.value, str) else "is not"
            found += _check(f"{name} {sign} {value.value!r}", f"{name}={value.value!r}")
        elif isinstance(kind, Array) and kind.shape:
            sizes = [None if size is None else size.constant for size in kind.shape]
            for axis, size in enumerate(sizes):
                if size is not None:
                    text = f"{name}.shape[{axis}]"
                    found += _check(f"{text} != {size}", f"{text} == {size}")
    return found


def _check(test: str, kept: str) -> list[str]:
    message = f"this code is for {kept}"
    return [f"    if {test}:", f"        raise ValueError({message!r})"]


def _with_defaults(
    source: str, function: Any, held: tuple[str, ...], checks: Sequence[str] = ()
) -> str:
    """The source with the primal's defaults, and the captured values as defaults of theirs."""
    tree = ast.parse(source).body[0]
    if not isinstance(tree, ast.FunctionDef):
        return source
    parameters = _parameters([a.arg for a in tree.args.args], function, held)
    header = f"def {tree.name}({', '.join(parameters)}):"
    if len(header) > WIDTH:
        header = f"def {tree.name}(\n    " + ",\n    ".join(parameters) + ",\n):"
    first = tree.body[0].lineno - 1
    lines = source.splitlines()
    while first > 0 and not lines[first - 1].rstrip().endswith(":"):
        first -= 1  # comments above the first statement
    return "\n".join([header, *checks, *lines[first:], ""])


def _parameters(names: list[str], function: Any, held: tuple[str, ...]) -> list[str]:
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
        elif default is not own.empty and _plain(default):
            text, optional = f"{name}={default!r}", True
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
            texts.append(f"{name} = {_literal(name, value)}")

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


def _text(value: Any) -> str:
    """A helper's source without its decorators (marks that only the compiler reads)."""
    source = inspect.getsource(value)
    node = ast.parse(source).body[0]
    return "\n".join(source.splitlines()[node.lineno - 1 :]) + "\n"
