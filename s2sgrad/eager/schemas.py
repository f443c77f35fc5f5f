"""What the annotations of a custom operation say: its declaration, and checks of arguments."""

from __future__ import annotations

import collections.abc
import inspect
import numbers
import types
import typing
from collections.abc import Callable
from typing import Any

from s2sgrad.eager.tensors.dtypes import dtype
from s2sgrad.eager.tensors.tensor import Tensor

_CAST = (
    "Unable to cast Python instance of type {} to C++ type '?' (#define "
    "PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)"
)
_LISTS = (list, collections.abc.Sequence)
_KINDS: dict[Any, tuple[str, str, Any]] = {  # declared, shown in errors, what fits
    Tensor: ("Tensor", "Tensor", (Tensor, type(None))),
    int: ("SymInt", "int", numbers.Integral),
    float: ("float", "float", numbers.Real),
    bool: ("bool", "bool", numbers.Integral),
    str: ("str", "str", str),
    dtype: ("ScalarType", "ScalarType", object),
}
_NUMBER = ("Scalar", "number", numbers.Number)


class Kind:
    """The type of one argument or result."""

    def __init__(self, annotation: Any) -> None:
        members = typing.get_args(annotation)
        self.optional = type(None) in members
        self.several = typing.get_origin(annotation) in _LISTS
        kept: list[Any] = [m for m in members if m is not type(None)]
        self.annotation: Any
        if self.several:
            annotation = kept[0]
        elif self.optional and len(kept) == 1:
            inner = Kind(kept[0])
            self.several, annotation = inner.several, inner.annotation
        self.annotation = annotation
        self.declared, self.shown, self.fits = _KINDS.get(annotation, ("Any", "Any", object))
        if typing.get_origin(annotation) in (typing.Union, types.UnionType):
            self.declared, self.shown, self.fits = _NUMBER

    def text(self, shown: bool = False) -> str:
        """`Tensor?` in a declaration, `Optional[Tensor]` in an error."""
        if not shown:
            return self.declared + "[]" * self.several + "?" * self.optional
        inner = f"List[{self.shown}]" if self.several else self.shown
        return f"Optional[{inner}]" if self.optional else inner

    def complaint(self, value: Any) -> str | None:
        """Why a value does not fit; None where it does."""
        if value is None and self.optional:
            return None
        if not self.several:
            return self._of_one(value)
        if not isinstance(value, collections.abc.Iterable) or isinstance(value, Tensor):
            if self.shown == "Tensor":
                return f"Cast error details: {_CAST.format(type(value))}"
            name = type(value).__name__
            return f" Python error details: TypeError: '{name}' object is not iterable"
        return next((found for v in value if (found := self._of_one(v))), None)

    def _of_one(self, value: Any) -> str | None:
        if isinstance(value, self.fits):
            return None
        if isinstance(value, Tensor) and value.numel() == 1:
            return None  # a number after all
        if self.shown == "Tensor":
            return f"Cast error details: Unable to cast {value} to Tensor"
        if self.shown == "number":
            return f"Cast error details: Cannot cast {value} to number"
        return f"Cast error details: {_CAST.format(type(value))}"


class Schema:
    """The declaration of a custom operation."""

    def __init__(self, name: str, function: Callable[..., Any], mutated: Any) -> None:
        self.name, self.mutated = name, mutated
        self.signature = inspect.signature(function)
        try:
            hints = typing.get_type_hints(function)
        except Exception:  # a name that is known nowhere: its arguments are not checked
            hints = {}
        self.kinds = {n: Kind(hints.get(n)) for n in self.signature.parameters}
        self.returned = hints.get("return")
        parameters = self.signature.parameters.values()
        self.by_name = [p.name for p in parameters if p.kind == p.KEYWORD_ONLY]

    def __str__(self) -> str:
        arguments = []
        for position, (name, parameter) in enumerate(self.signature.parameters.items()):
            if name in self.by_name[:1]:
                arguments.append("*")
            kind = self.kinds[name].text()
            if name in self.mutated:
                kind = f"{kind[:6]}(a{position}!){kind[6:]}"
            default = (
                "" if parameter.default is parameter.empty else f"={literal(parameter.default)}"
            )
            arguments.append(f"{kind} {name}{default}")
        return f"{self.name}({', '.join(arguments)}) -> {self._results()}"

    def _results(self) -> str:
        if self.returned in (None, type(None)):
            return "()"
        if typing.get_origin(self.returned) is tuple:
            return f"({', '.join(Kind(m).text() for m in typing.get_args(self.returned))})"
        return Kind(self.returned).text()

    def bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Name -> value with defaults; RuntimeError where they don't fit the declaration."""
        parameters = self.signature.parameters
        for name in kwargs:
            if name not in parameters:
                raise RuntimeError(
                    f"Unknown keyword argument '{name}' for operator '{self.name}'. Schema: {self}"
                )
        most = len(parameters) - len(self.by_name)
        if len(args) > most:
            raise RuntimeError(
                f"{self.name}() expected at most {most} argument(s) but received {len(args)} "
                f"argument(s). Declaration: {self}"
            )
        found = self.signature.bind_partial(*args, **kwargs)
        for name, parameter in parameters.items():
            if name not in found.arguments and parameter.default is parameter.empty:
                raise RuntimeError(
                    f"{self.name}() is missing value for argument '{name}'. Declaration: {self}"
                )
        for position, name in enumerate(parameters):
            if name in found.arguments:
                self._check(position, name, found.arguments[name])
        found.apply_defaults()
        return found.arguments

    def _check(self, position: int, name: str, value: Any) -> None:
        complaint = self.kinds[name].complaint(value)
        if complaint is not None:
            raise RuntimeError(
                f"{self.name}() Expected a value of type '{self.kinds[name].text(True)}' for "
                f"argument '{name}' but instead found type '{type(value).__name__}'.\n"
                f"Position: {position}\nValue: {value!r}\nDeclaration: {self}\n{complaint}"
            )


def literal(value: Any) -> str:
    """A default value as declarations have it."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float) and value == int(value):
        return f"{int(value)}."
    return str(value)
