"""Floor 4: the parameters of a function that is lowered."""

from __future__ import annotations

import ast
import functools
import inspect
import types
from typing import Any

from s2sgrad.frontend.source import unwrap


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


def takes_owner(node: ast.FunctionDef | ast.Lambda) -> bool:
    """Whether a method has a parameter for its object; else that is the first of its `*args`."""
    return bool(node.args.posonlyargs or node.args.args)


def owners_name(lowering: Any, node: ast.FunctionDef | ast.Lambda, names: list[str]) -> str:
    """The name for a method's object: that of the first parameter, which is taken out of names."""
    return names.pop(0) if takes_owner(node) else lowering.builder.names.fresh("self")


def give_owner(lowering: Any, frame: Any, rest: ast.arg | None) -> None:
    """Put a method's object before its `*args`."""
    assert rest is not None
    given = lowering.static_items(lowering.get(frame, rest.arg)) or []
    lowering.set(frame, rest.arg, lowering.sequence((frame.owner, *given)))


def own_signature(function: Any) -> inspect.Signature:
    """The signature that a function's code has, whatever its decorators say that it has."""
    inner = function.__func__ if isinstance(function, types.MethodType) else function
    if isinstance(inner, types.FunctionType) and "__signature__" in vars(inner):
        code, name, defaults = inner.__code__, inner.__name__, inner.__defaults__
        bare: Any = types.FunctionType(code, {}, name, defaults, inner.__closure__)
        bare.__kwdefaults__ = inner.__kwdefaults__
        function = bare if inner is function else types.MethodType(bare, function.__self__)
    return inspect.signature(function, follow_wrapped=False)


def opened_partial(function: Any) -> tuple[Any, dict[str, Any]]:
    """What is inside `functools.partial`, and the arguments that it holds."""
    given: dict[str, Any] = {}
    while isinstance(function, functools.partial):
        try:
            signature = inspect.signature(function.func)
        except ValueError:  # code in C that does not say what it takes
            break
        given |= signature.bind_partial(*function.args, **function.keywords).arguments
        function = unwrap(function.func)
    return function, given
