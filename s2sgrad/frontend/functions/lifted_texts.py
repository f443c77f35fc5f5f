"""Floor 4: the texts of functions that become functions of their own (see lifting.py)."""

from __future__ import annotations

import ast
import dataclasses
import dis
import types
from typing import Any

from s2sgrad.frontend.source import Source, remember_source


def compiled(
    node: ast.FunctionDef, known: dict[str, Any], table: dict[str, Any], source: Source
) -> Any:
    """The function of a definition, with the globals `table`; `known` is its closure."""
    parameters = ast.arguments([], [ast.arg(n) for n in known], None, [], [], None, [])
    give = ast.Return(ast.Name(node.name, ast.Load()))
    maker = ast.FunctionDef("make", parameters, [node, give], [])
    tree = ast.fix_missing_locations(ast.Module([maker], []))
    module = compile(tree, source.filename, "exec")
    code = next(c for c in module.co_consts if isinstance(c, types.CodeType))
    function = types.FunctionType(code, table)(**known)
    remember_source(function.__code__, dataclasses.replace(source, node=node, name=node.name))
    return function


def statement_at(text: str, node: ast.AST) -> ast.stmt:
    """A statement of ours that stands where `node` stands."""
    made = ast.parse(text).body[0]
    for part in ast.walk(made):
        ast.copy_location(part, node)
    return made


def definition(
    node: ast.FunctionDef | ast.Lambda,
    name: str,
    names: list[str],
    further: tuple[str, ...],
    prelude: list[ast.stmt],
) -> ast.FunctionDef:
    """The function with parameters for all that it reads."""
    if isinstance(node, ast.Lambda):
        body: list[ast.stmt] = [ast.copy_location(ast.Return(node.body), node.body)]
    else:
        body, name = list(node.body), node.name
    arguments = [ast.arg(n) for n in (*names, *further)]
    parameters = ast.arguments([], arguments, None, [], [], None, [])
    made = ast.FunctionDef(name, parameters, [*prelude, *body], [])
    return ast.fix_missing_locations(ast.copy_location(made, node))


def free_names(node: ast.FunctionDef | ast.Lambda) -> list[str]:
    """The names that a function, or one inside of it, finds outside, in order."""
    alone = definition(node, "alone", [a.arg for a in _all_parameters(node)], (), [])
    module = compile(ast.Module([alone], []), "<names>", "exec")
    found: dict[str, None] = {}
    todo = [c for c in module.co_consts if isinstance(c, types.CodeType)]
    while todo:
        code = todo.pop()
        todo += [c for c in code.co_consts if isinstance(c, types.CodeType)]
        for step in dis.get_instructions(code):
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                found[step.argval] = None
    return [name for name in found if name not in ("__class__",)]


def _all_parameters(node: ast.FunctionDef | ast.Lambda) -> list[ast.arg]:
    spec = node.args
    return [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]


def with_parameters(
    function: Any, count: int, skipped: int, passed: list[str], names: tuple[str, ...], label: str
) -> Any:
    """The function with these parameters after the first ones, whether it reads them or not.

    count: how many first ones it gets; skipped: how many come after that are not for it.
    """
    if not skipped and tuple(passed) == names:
        return function
    places = [f"place_{i}" for i in range(count)]
    parameters = ", ".join([*places, *(f"skipped_{i}" for i in range(skipped)), *names])
    text = f"def {label}({parameters}):\n return function({', '.join([*places, *passed])})"
    inner = ast.parse(text).body[0]
    assert isinstance(inner, ast.FunctionDef)
    source = Source(inner, "<function of a solver>", label, {}, {}, 0)
    return compiled(inner, {"function": function}, {"__name__": __name__}, source)


__all__ = ["compiled", "definition", "free_names", "statement_at", "with_parameters"]
