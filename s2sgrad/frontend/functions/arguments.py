"""Floor 4: the arguments of a call become the parameters of the function it runs."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

from s2sgrad.frontend.base import Base
from s2sgrad.frontend.expressions.spreading import Rest
from s2sgrad.frontend.state import Frame
from s2sgrad.frontend.values import Dyn, Func, Heap, Mapping, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.types import List


class Arguments(Base):
    """Binding of parameters."""

    def bind_arguments(
        self,
        function: Func,
        frame: Frame,
        args: list[Value],
        kwargs: dict[str, Value],
        node: ast.AST,
    ) -> None:
        """Bind parameters as Python does; unused keywords and missing arguments are errors."""
        spec = function.args
        positional = [a.arg for a in (*spec.posonlyargs, *spec.args)]
        values: dict[str, Value] = dict(zip(positional, args, strict=False))
        rest = args[len(positional) :]
        if rest and spec.vararg is None:
            raise self.refuse(
                f"{function.name}() takes {len(positional)} arguments, got {len(args)}",
                node,
                "Python raises an error here as well",
                "pass as many arguments as the function has parameters",
            )
        if spec.vararg is not None:
            open_end = any(isinstance(r, Rest) for r in rest)
            found = self.joined(rest, node) if open_end else self.sequence(rest)
            values[spec.vararg.arg] = _as_tuple(found)
        extra = self._named(function, values, kwargs, node)
        if spec.kwarg is not None:
            values[spec.kwarg.arg] = self.new(Mapping(tuple(extra.items())))
        first = len(positional) - len(function.defaults)
        defaults = dict(zip(positional[first:], function.defaults, strict=True)) | dict(
            function.kw_defaults
        )
        for name in [*positional, *(a.arg for a in spec.kwonlyargs)]:
            if name not in values:
                if name not in defaults:
                    raise self.refuse(
                        f"{function.name}() is missing the argument '{name}'",
                        node,
                        "Python raises an error here as well",
                        "pass it, or give it a default",
                    )
                values[name] = self._default(function, name, defaults[name], node)
        for name, value in values.items():
            self.set(frame, name, self._argument(name, value, node))
        if positional:
            frame.owner = values[positional[0]]

    def _named(
        self, function: Func, values: dict[str, Value], kwargs: dict[str, Value], node: ast.AST
    ) -> dict[str, Value]:
        """Keywords that name parameters join the values; the others."""
        spec = function.args
        names = {a.arg for a in (*spec.args, *spec.kwonlyargs)}  # others have their places only
        extra: dict[str, Value] = {}
        for name, value in kwargs.items():
            if name in names and name in values:
                raise self.refuse(
                    f"{function.name}() got multiple values for the argument '{name}'",
                    node,
                    "Python raises an error here as well",
                    "pass it once, by its place or by its name",
                )
            (values if name in names else extra)[name] = value
        if extra and spec.kwarg is None:
            raise self.refuse(
                f"{function.name}() got an unexpected argument '{next(iter(extra))}'",
                node,
                "Python raises an error here as well",
                "name one of its parameters, or give the function a **parameter",
            )
        return extra

    def given_rest(
        self, frame: Frame, spec: ast.arguments, extra: list[str], args: dict[str, Any]
    ) -> list[str]:
        """`*args` and `**kwargs` that are given; a partial's keywords leave no room for the
        others, which are empty."""
        for name in [n for n in extra if n not in args]:
            rest = name == getattr(spec.vararg, "arg", None)
            self.set(frame, name, self.sequence(()) if rest else self.new(Mapping(())))
        return [n for n in extra if n in args]

    def _default(self, function: Func, name: str, value: Value, node: ast.AST) -> Value:
        if isinstance(value, Heap) and value.id not in self.state.heap:
            raise self.refuse(
                f"the default of '{name}' in {function.name}(), a list or dict",
                node,
                "the calls of a loop or recursion share it, so that one may change what others see",
                "pass it as an argument",
            )
        return value

    def _argument(self, name: str, value: Value, node: ast.AST) -> Value:
        """Compound expressions are computed once, under the parameter's name."""
        if isinstance(value, Dyn) and not isinstance(value.expr, nodes.Slice):
            return Dyn(self.named(value, name, node))
        if isinstance(value, Heap):
            self.settle(value, name, node)
        return value


def _as_tuple(value: Value) -> Value:
    """What a parameter `*items` holds: to the user's code it is a tuple, of some length perhaps."""
    if not isinstance(value, Dyn) or not isinstance(value.type, List):
        return value
    return Dyn(replace(value.expr, type=replace(value.type, fixed=True)))
