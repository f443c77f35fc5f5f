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
from s2sgrad_runtime.objects import copied

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
        said = real_result(self._function)
        made = calling(self._function, "np.real({})", f"raise TypeError({said!r})")
        self.slope = Derivative(made, **self._options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if any(map(operator.is_not, _defaults_of(self._function), self._defaults)):
            self._slope_now()  # they were replaced
        try:
            found = self.slope(*args, **kwargs)
        except TypeError:  # where the result is known to be real, that it has nothing to return
            if not any(map(np.iscomplexobj, _leaves((args, kwargs)))):
                raise TypeError("holomorphic=True: the arguments must be complex") from None
            if not np.iscomplexobj(self._function(*copied(args), **copied(kwargs))):
                raise TypeError(real_result(self._function)) from None
            raise
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


def real_result(function: Any) -> str:
    """What is said of a function that gives real numbers, whose derivative is no complex one."""
    code = getattr(function, "__code__", None)
    name = getattr(function, "__name__", "the function")
    place = "" if code is None else f" ({code.co_filename}:{code.co_firstlineno})"
    return (
        f"holomorphic=True: {name}{place} must give complex numbers, and gave real ones; leave "
        "holomorphic out for the gradient of a real function"
    )


def calling(function: Any, form: str, if_real: str = "") -> Any:
    """A plain function with the same parameters that returns `form` of the other's result.

    if_real: a statement in its place where that has no imaginary part.
    """
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
    call = f"primal({_passed(shown)})"
    body = [f"return {form.format(call)}"]
    if if_real:
        found = unused("result", signature.parameters)
        body = [
            f"{found} = {call}", f"if not np.iscomplexobj({found}):", f"    {if_real}",
            f"return {form.format(found)}",
        ]  # fmt: skip
    text = "\n    ".join([f"def {name}{parameters}:", *body])
    names = {"np": np, "primal": function, "__name__": __name__, **defaults}
    tree = ast.parse(text)
    exec(compile(tree, "<a derivative>", "exec"), names)
    made: Any = names[name]
    node = tree.body[0]
    assert isinstance(node, ast.FunctionDef)
    remember_source(made.__code__, Source(node, "<a derivative>", name, {}, {}, 0))
    return made


def unused(name: str, others: Any) -> str:
    """A name that is none of the others."""
    while name in others:
        name += "_"
    return name


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
