"""Floor 4: a function made inside another, in a function with plain parameters around it.

An island is a real function of what it reads. One that takes `*args`, calls itself or writes to
names around it stays a def inside of that function:

    def total(*parts): ...               def total(parts_0, parts_1, seen):
        nonlocal seen          ->            def total(*parts): ...
    total(a, b)                              result = total(parts_0, parts_1)
                                             return result, seen
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator

from s2sgrad.frontend.functions.lifted_texts import statement_at
from s2sgrad.frontend.functions.rebuilding import fresh
from s2sgrad.frontend.values import Func, Value
from s2sgrad.ir.types import NONE, Tuple, Type


@dataclasses.dataclass
class Plain:
    """A function with plain parameters, and the values of all of them."""

    function: Func
    values: dict[str, Value]


def own_parts(node: ast.AST) -> Iterator[ast.AST]:
    """Everything in a function but not in functions nested in it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            yield from own_parts(child)


def written_around(function: Func) -> tuple[str, ...]:
    """The names around a function that it writes to."""
    declared = [n for n in own_parts(function.source.node) if isinstance(n, ast.Nonlocal)]
    return tuple(dict.fromkeys(name for d in declared for name in d.names))


def needs_plain(function: Func) -> bool:
    """Whether a function cannot be one of its own as it is written."""
    node = function.source.node
    starred = node.args.vararg is not None or node.args.kwarg is not None
    itself = isinstance(node, ast.FunctionDef) and any(
        isinstance(n, ast.Name) and n.id == node.name for n in ast.walk(node)
    )
    return starred or itself or bool(written_around(function))


def with_plain_parameters(
    function: Func,
    args: list[Value],
    kwargs: dict[str, Value],
    written: dict[str, Value],
    result: Type,
) -> Plain:
    """The function around `function` for a call with these arguments.

    written: the names around it that it writes to, and what they hold now. result: what the
    function gives back.
    """
    node = function.source.node
    name = node.name if isinstance(node, ast.FunctionDef) else "function"
    parameters = _Parameters(node, dict(written))
    places = [parameters.add(f"{name}_{i}", v) for i, v in enumerate(args)]
    named = [f"{k}={parameters.add(f'{name}_{k}', v)}" for k, v in kwargs.items()]
    inner = _with_defaults(function, name, parameters)
    call = f"{name}({', '.join([*places, *named])})"
    parts = [fresh(f"result_{i}", parameters.used) for i in range(parts_of(result))]
    lines = [f"{', '.join(parts)} = {call}" if parts else call]
    lines.append(f"return {', '.join([*parts, *written])}" if parts or written else "pass")
    text = f"def {name}({', '.join(parameters.values)}):\n" + "".join(f" {x}\n" for x in lines)
    made = statement_at(text, node)
    assert isinstance(made, ast.FunctionDef)
    made.body.insert(0, inner)
    source = dataclasses.replace(function.source, node=ast.fix_missing_locations(made), name=name)
    return Plain(Func(source, name, function.scope), parameters.values)


def parts_of(result: Type) -> int:
    """How many values stand for a result in what is handed back."""
    return 0 if result == NONE else len(result.items) if isinstance(result, Tuple) else 1


class _Parameters:
    """The parameters of the function around; none has a name that the function reads."""

    def __init__(self, node: ast.AST, values: dict[str, Value]) -> None:
        self.values = values
        names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
        names += [n.arg for n in ast.walk(node) if isinstance(n, ast.arg)]
        names += [n.name for n in ast.walk(node) if isinstance(n, ast.FunctionDef | ast.ClassDef)]
        self.used = dict.fromkeys([*names, *values])

    def add(self, name: str, value: Value) -> str:
        """A new parameter that holds a value; its name."""
        name = fresh(name, self.used)
        self.values[name], self.used[name] = value, None
        return name


def _with_defaults(function: Func, name: str, parameters: _Parameters) -> ast.stmt:
    """The function as it is written; its defaults, computed before, are parameters around it."""
    node, spec = function.source.node, function.source.node.args
    defaults = [_name(parameters.add(f"{name}_default", v)) for v in function.defaults]
    alone = dict(function.kw_defaults)
    kw_defaults = [
        _name(parameters.add(f"{name}_default", alone[a.arg])) if a.arg in alone else None
        for a in spec.kwonlyargs
    ]
    made = ast.arguments(
        spec.posonlyargs, spec.args, spec.vararg, spec.kwonlyargs, kw_defaults, spec.kwarg, defaults
    )
    if isinstance(node, ast.Lambda):
        value = ast.copy_location(ast.Lambda(made, node.body), node)
        return ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), node)
    return ast.copy_location(ast.FunctionDef(name, made, node.body, []), node)


def _name(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())
