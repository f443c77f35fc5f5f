"""Floor 4: derivatives of functions, called where a function is lowered: their generated code is
entered as a user's function is.

An object that stands for generated code has a method `__s2sgrad_enter__(values)` that gives its
product for example arguments: the compiled function, what it reads from outside, guards.
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.base import Base
from s2sgrad.frontend.functions.held_values import held_value
from s2sgrad.frontend.parameters import opened_partial
from s2sgrad.frontend.state import constant
from s2sgrad.frontend.values import Dyn, Heap, Instance, Mapping, Sequence, Static, Value
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.types import Array, Scalar, Type, forget
from s2sgrad_runtime.objects import blank


@dataclass(frozen=True, eq=False)
class Stand:
    """An example argument of which only the type is known."""

    type: Type


def is_generated(function: Any) -> bool:
    """Whether calls of an object run generated code that can be entered."""
    return hasattr(type(function), "__s2sgrad_enter__")


def is_transform(function: Any) -> bool:
    """Whether a function makes derivatives of functions (`grad`, `jvp`)."""
    return getattr(function, "__s2sgrad_transform__", False)


class Entering(Base):
    """Calls of derivatives inside lowered functions. entered: products made so far."""

    entered: dict[Any, Any]
    scattered: bool

    def enter(
        self,
        target: Any,
        args: list[Value],
        kwargs: dict[str, Value],
        node: ast.AST,
        further: tuple[Value, ...] = (),
    ) -> Value:
        """Generate the code for arguments of these types, and run it in place of the call.

        further: what the generated code takes after the function's own arguments (tangents).
        """
        values = self._bound_values(target, args, kwargs, node)
        examples = tuple(self.example(v, node) for v in values)
        key = (id(target), repr(examples))  # one product, however often the lowering starts again
        if key not in self.entered:
            self.entered[key] = target, target.__s2sgrad_enter__(examples)  # it keeps its id
        product = self.entered[key][1]
        self.guards.update(product.lowered.guards)
        outside = [
            self.outside(name, held_value(name, where), where) for name, where in product.captures
        ]
        function = self.function_value(product.compiled.fn)
        result = self.inline(function, [*values, *further, *outside], {}, node)
        if product.rebuild is None:
            return result
        return self._rebuilt_result(
            target.request, dict(zip(target.binder.names, values, strict=True)), result
        )

    def _bound_values(
        self, target: Any, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> list[Value]:
        """The values of all parameters, defaults filled in."""
        signature = target.binder.signature
        try:
            bound = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise self.refuse(
                str(error),
                node,
                "Python raises an error here as well",
                "call the derivative as its function is called",
            ) from error
        values: list[Value] = []
        for name, parameter in signature.parameters.items():
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                values.append(self.sequence(bound.get(name, ())))
            elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
                values.append(self.new(Mapping(tuple(bound.get(name, {}).items()))))
            elif name in bound:
                values.append(bound[name])
            else:
                values.append(self.object_value(parameter.default))
        return values

    def example(self, value: Value, node: ast.AST) -> Any:
        """A stand-in for an argument: the real object where it is known."""
        match value:
            case Static(value=known):
                return known
            case Dyn(expr=expr):
                return Stand(forget(expr.type))
            case Heap():
                return self._example_contents(self.contents(value), node)
        raise self.refuse(
            "can't tell what is passed to this derivative",
            node,
            "the derivative is made for the kinds of its arguments",
            "pass numbers, arrays, or containers of them",
        )

    def _example_contents(self, contents: Any, node: ast.AST) -> Any:
        if isinstance(contents, Sequence):
            items = [self.example(v, node) for v in contents.items]
            if contents.made_by is not None:
                return contents.made_by(*items)
            return tuple(items) if contents.kind == "tuple" else items
        if isinstance(contents, Mapping):
            return {k: self.example(v, node) for k, v in contents.items}
        made = blank(contents.cls)
        for name, part in contents.fields:
            object.__setattr__(made, name, self.example(part, node))
        return made

    def stand_in(self, stand: Stand, path: Any, name: str) -> Value:
        """The input for a stand-in: symbolic sizes get letters of this function's own."""
        kind = stand.type
        if isinstance(kind, Array) and kind.shape is not None:
            entries = [self._letter(s, path, i) for i, s in enumerate(kind.shape)]
            kind = Array(kind.dtype, tuple(entries))
        if isinstance(kind, Scalar) and kind.dtype == "int":
            kind = Scalar("int", self.letters.integer(path))
        self.scattered |= not isinstance(kind, Scalar)  # nothing is known of its layout
        return Dyn(self._leaf(name, kind, path))

    def _letter(self, size: sizes.Size | None, path: Any, axis: int) -> sizes.Size | None:
        if size is None or size.constant is not None:
            return size
        shape = nodes.Call(np.shape, "shape", (path,), form="attribute")
        entry = nodes.Index(shape, (constant(axis),), type=Scalar("int"))
        return self.letters.named(size, entry)

    # --- gradients of objects ----------------------------------------------------------------
    def _rebuilt_result(self, request: Any, arguments: dict[str, Value], result: Value) -> Value:
        """Dicts that stand for objects become objects."""
        grads = result
        if request.value:
            value, grads = self.static_items(result) or (result, result)
        wanted = [arguments[n] for n in request.wrt if n in arguments]
        if request.single:
            new = self._rebuilt(wanted[0], grads)
        else:
            parts = self.static_items(grads) or []
            new = self.sequence([self._rebuilt(a, g) for a, g in zip(wanted, parts, strict=True)])
        return self.sequence([value, new]) if request.value else new

    def _rebuilt(self, argument: Value, grad: Value) -> Value:
        like, found = self.contents(argument), self.contents(grad)
        if isinstance(like, Instance) and isinstance(found, Mapping):
            parts = dict(found.items)
            fields = tuple((k, self._rebuilt(v, parts[k])) for k, v in like.fields)
            return self.new(Instance(like.cls, fields))
        if isinstance(like, Mapping) and isinstance(found, Mapping):
            parts = dict(found.items)
            return self.new(Mapping(tuple((k, self._rebuilt(v, parts[k])) for k, v in like.items)))
        if isinstance(like, Sequence) and isinstance(found, Sequence):
            items = tuple(self._rebuilt(a, g) for a, g in zip(like.items, found.items, strict=True))
            return self.new(Sequence(like.kind, items, like.made_by))
        return grad


def generated_product(function: Any, args: dict[str, Any]) -> Any:
    """The product of a derivative that is lowered itself, for real arguments."""
    try:
        return function.__s2sgrad_enter__(tuple(args.values()))
    except RecursionError as error:
        raise UnsupportedError(
            "the code is nested too deeply",
            None,
            "Python's own limit for recursion was reached",
            "take it apart into functions or statements of their own",
        ) from error


def derivative_inside(function: Any, args: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The derivative that a partial holds, with what it holds of the arguments: generated code is
    entered by its own parameters."""
    inner, given = opened_partial(function)
    if inner is function or not is_generated(inner):
        return function, args
    held = {**given, **args}
    return inner, {name: held[name] for name in inspect.signature(inner).parameters if name in held}
