"""`ops`: operations by name, `ops.aten.mm.default`, as policies of checkpoints compare them.

>>> ops.aten.sin(x)
>>> ops.mylib.numpy_sin(x)
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

_SAME = {"mm": "matmul", "mv": "matmul", "bmm": "matmul", "dot": "matmul", "mul": "multiply"}
_SAME |= {"sub": "subtract", "div": "divide", "pow": "power", "cat": "concatenate"}
_OF_TENSORS = ("add", "sub", "mul", "div", "rsub", "remainder", "where", "maximum", "minimum")


def plain_name(function: Any) -> str:
    """One name for NumPy's function, for ours, and for an operation of `ops`."""
    if isinstance(function, Overload):
        function = function.name
    name = function if isinstance(function, str) else getattr(function, "__name__", "")
    name = name.removeprefix("torch_").strip("_")
    return _SAME.get(name, name)


class Overload:
    """One operation: equal to others of its name, and to NumPy's and our function for it."""

    def __init__(self, namespace: str, name: str, overload: str, function: Any = None) -> None:
        self.namespace, self.name, self._overloadname = namespace, name, overload
        self._function = function if function is not None else getattr(np, plain_name(name), None)

    def __repr__(self) -> str:
        return f"<OpOverload(op='{self.namespace}.{self.name}', overload='{self._overloadname}')>"

    def __str__(self) -> str:
        return f"{self.namespace}.{self.name}.{self._overloadname}"

    @property
    def __name__(self) -> str:
        return f"{self.name}.{self._overloadname}"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Overload):
            return (self.namespace, self.name) == (other.namespace, other.name)
        return other is self._function or (callable(other) and plain_name(other) == self.name)

    def __hash__(self) -> int:
        return hash(self._function if self._function is not None else self.name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return Packet(self.namespace, self.name)(*args, **kwargs)


class Packet:
    """All overloads of an operation: `ops.aten.mm`."""

    def __init__(self, namespace: str, name: str) -> None:
        self._namespace, self._name = namespace, name

    def __getattr__(self, overload: str) -> Overload:
        if overload.startswith("_"):
            raise AttributeError(overload)
        return Overload(self._namespace, self._name, overload)

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='{self}')>"

    def __str__(self) -> str:
        return f"{self._namespace}.{self._name}"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return implementation(self._namespace, self._name)(*args, **kwargs)


def implementation(namespace: str, name: str) -> Any:
    """The function behind `ops.namespace.name`; AttributeError where there is none."""
    from s2sgrad import eager
    from s2sgrad.eager.library import _REGISTERED
    from s2sgrad.eager.nn import functional

    if namespace != "aten":
        found = _REGISTERED.get(f"{namespace}::{name}")
    else:
        found = getattr(eager, name, None) or getattr(functional, name, None)
        found = found or getattr(eager.Tensor, name, None)
    if found is None:
        raise AttributeError(f"'_OpNamespace' '{namespace}' object has no attribute '{name}'")
    return found


class Namespace:
    """`ops.aten`, or that of a library of custom operations."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, name: str) -> Packet:
        if name.startswith("__"):
            raise AttributeError(name)
        implementation(self.name, name)
        return Packet(self.name, name)


def of_op(op: Any) -> Overload:
    """What a recorded function is called in `ops`."""
    base = re.sub(r"Backward\d*$", "", op.name)
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", base).lower()
    return Overload("aten", name, "Tensor" if name in _OF_TENSORS else "default", op.function)


def __getattr__(name: str) -> Namespace:
    if name.startswith("__"):
        raise AttributeError(name)
    return Namespace(name)
