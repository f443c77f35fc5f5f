"""Floor 4: the parameters of a function that is lowered."""

from __future__ import annotations

import ast
import functools
import inspect
import types
from typing import Any


def reserved_parameters(
    lowering: Any, node: ast.FunctionDef | ast.Lambda
) -> tuple[list[str], list[str]]:
    """Take the parameters' names: the named ones, and `*args` and `**kwargs`."""
    spec = node.args
    names = [a.arg for a in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]
    extra = [a.arg for a in (spec.vararg, spec.kwarg) if a is not None]
    for name in [*names, *extra]:
        lowering.builder.names.reserve(name)
    return names, extra


def in_order(node: ast.FunctionDef | ast.Lambda, names: list[str]) -> tuple[str, ...]:
    """Parameters as the signature has them: `*args` stands before what is keyword-only."""
    spec = node.args
    found = (*spec.posonlyargs, *spec.args, spec.vararg, *spec.kwonlyargs, spec.kwarg)
    places = {a.arg: i for i, a in enumerate(found) if a is not None}
    return tuple(sorted(names, key=lambda name: places.get(name, len(found))))


def plain_function(function: Any) -> tuple[types.FunctionType, Any]:
    """The function behind a method or a callable object, and the object (None if none)."""
    if isinstance(function, types.MethodType):
        return function.__func__, function.__self__  # type: ignore[return-value]
    if isinstance(function, types.FunctionType):
        return function, None
    return type(function).__call__, function  # type: ignore[return-value]


def opened_partial(function: Any) -> tuple[Any, dict[str, Any]]:
    """What is inside `functools.partial`, and the arguments that it holds."""
    given: dict[str, Any] = {}
    while isinstance(function, functools.partial):
        try:
            signature = inspect.signature(function.func)
        except ValueError:  # code in C that does not say what it takes
            break
        given |= signature.bind_partial(*function.args, **function.keywords).arguments
        function = function.func
    return function, given
