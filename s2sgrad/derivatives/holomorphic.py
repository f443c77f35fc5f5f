"""Derivatives of holomorphic functions: f'(z) = lim (f(z + h) - f(z)) / h for complex h.

The gradient of Re f(z) in the convention of cotangents is the conjugate of f'(z); so it is
generated for Re f, and conjugated.
"""

from __future__ import annotations

import ast
import functools
import inspect
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.calls.remade import Remade
from s2sgrad.derivatives.basis import map_leaves
from s2sgrad.derivatives.gradient import Derivative
from s2sgrad.frontend.functions.ruled import written
from s2sgrad.frontend.source import Source, remember_source, unwrap

Function = Callable[..., Any]


class Holomorphic(Remade):
    """The complex derivative of a function; made by `grad(f, holomorphic=True)`."""

    def __init__(self, function: Function, argnums: Any, **options: Any) -> None:
        self._options = dict(options, argnums=argnums, value=False)
        self._function = function = written(unwrap(function))
        self._slope_now()
        self.__s2sgrad_primal__ = calling(self.slope, "np.conjugate({})")
        functools.update_wrapper(self, function, updated=())
        self.__dict__.pop("__wrapped__", None)

    def _slope_now(self) -> None:
        """The derivative of the real part, with the function's present defaults."""
        self._defaults = _defaults_of(self._function)
        self.slope = Derivative(calling(self._function, "np.real({})"), **self._options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if any(map(operator.is_not, _defaults_of(self._function), self._defaults)):
            self._slope_now()  # they were replaced
        found = self.slope(*args, **kwargs)
        for leaf in _leaves(found):
            if not np.iscomplexobj(leaf):
                raise TypeError("holomorphic=True: the arguments must be complex")
        return map_leaves(np.conjugate, found)

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated code, for the conjugate of the derivative."""
        return self.slope.source(*args, **kwargs)

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """As `grad`'s, for the conjugate of the derivative."""
        return self.slope.explain(*args, **kwargs)


def _defaults_of(function: Any) -> tuple[Any, Any]:
    return getattr(function, "__defaults__", None), getattr(function, "__kwdefaults__", None)


def _leaves(tree: Any) -> list[Any]:
    found: list[Any] = []
    map_leaves(found.append, tree)
    return found


def calling(function: Any, form: str) -> Any:
    """A plain function with the same parameters that returns `form` of the other's result."""
    signature = inspect.signature(function)
    defaults = {}
    shown = []
    for p in signature.parameters.values():
        if p.default is not p.empty:
            defaults[f"default_of_{p.name}"] = p.default
            p = p.replace(default=_Named(f"default_of_{p.name}"))
        shown.append(p.replace(annotation=inspect.Parameter.empty))
    parameters = str(inspect.Signature(shown))
    name = getattr(function, "__name__", "function")
    name = name if name.isidentifier() else "function"
    text = f"def {name}{parameters}:\n    return {form.format(f'primal({_passed(shown)})')}"
    names = {"np": np, "primal": function, "__name__": __name__, **defaults}
    tree = ast.parse(text)
    exec(compile(tree, "<a derivative>", "exec"), names)
    made: Any = names[name]
    node = tree.body[0]
    assert isinstance(node, ast.FunctionDef)
    remember_source(made.__code__, Source(node, "<a derivative>", name, {}, {}, 0))
    return made


class _Named:
    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


def _passed(parameters: list[inspect.Parameter]) -> str:
    forms: dict[Any, str] = {
        inspect.Parameter.KEYWORD_ONLY: "{0}={0}",
        inspect.Parameter.VAR_POSITIONAL: "*{0}",
        inspect.Parameter.VAR_KEYWORD: "**{0}",
    }
    return ", ".join(forms.get(p.kind, "{0}").format(p.name) for p in parameters)


__all__ = ["Holomorphic"]
