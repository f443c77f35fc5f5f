"""A NumPy function with a rule of its own, recorded as one node when it is given tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from s2sgrad.eager._core import STATE, Op, Tensor, apply
from s2sgrad.eager.recording.kernel_node import ByHand, recorder
from s2sgrad.eager.settings.floating import quiet
from s2sgrad.errors import Span
from s2sgrad.rules import Rule

Function = Callable[..., Any]
_add: Any = np.add.reduce


class Only(NamedTuple):
    """The kinds of dtype that a function takes in torch, and what its error calls the function."""

    name: str | Function
    kinds: str = "fV"

    def check(self, *args: Any) -> None:
        """NotImplementedError for other kinds."""
        x = args[0]
        if isinstance(x, Tensor) and x._array.dtype.kind not in self.kinds:
            name = self.name if isinstance(self.name, str) else self.name(*args)
            raise NotImplementedError(f"\"{name}\" not implemented for '{x.dtype.type_name}'")


class Kernel:
    """Callable on arrays (plain NumPy) and on tensors (one node named after it).

    cast: None, or what autocast does to the operands of this function.
    """

    def __init__(self, function: Function, rule: Rule, node: str, cast: Any = None) -> None:
        self.function, self.op, self.cast = function, Op(function, rule, node), cast
        self.__name__, self.__doc__ = function.__name__, function.__doc__
        self._recorded: Any = None
        self.by_hand: ByHand | None = None
        self.only: Only | None = None

    def __call__(self, *args: Any) -> Any:
        if STATE.fast and isinstance(args[0], Tensor):
            recorded = self._recorded
            if recorded is None:
                recorded = self._recorded = recorder(self.op, self.by_hand)
            y = recorded(*args)
            if y is not None:
                return y
        for value in args:
            if isinstance(value, Tensor):
                if STATE.autocast is not None and self.cast is not None:
                    args = self.cast(*args)
                if self.only is not None:
                    self.only.check(*args)
                return apply(self.op, args, {})
        return self.function(*args)

    def __repr__(self) -> str:
        return f"<kernel {self.__name__}>"


def kernel(
    function: Function,
    node: str,
    kind: str = "structural",
    cast: Any = None,
    turned: tuple[str, ...] = (),
    only: Only | None = None,
    **facts: Any,
) -> Callable[[Function], Kernel]:
    """Declare the rule of `function`, in the language of `s2sgrad.rules`.

    `@kernel(_silu, "Silu", "elementwise") def silu(y_bar, y, x): ...` makes `silu` callable, with
    nodes called `SiluBackward0`. The rule may call other kernels and NumPy. `turned`: arguments of
    which torch's node keeps a transposed view, as its errors say. `only`: the dtypes it takes.
    """

    def decorate(declaration: Function) -> Kernel:
        code = declaration.__code__
        span = Span(code.co_filename, code.co_firstlineno)
        name = f"{function.__module__}.{function.__name__}"
        rule = Rule(function, name, kind, declaration, span=span, **facts)
        made = Kernel(in_own_precision(function), rule, f"{node}Backward0", cast)
        made.op.turned, made.only = turned, only
        return made

    return decorate


def in_own_precision(function: Function) -> Function:
    """`function`, whose result keeps a two-byte dtype that NumPy would widen."""

    def computed(*args: Any) -> Any:
        y = function(*args)
        kind = getattr(args[0], "dtype", None)
        if kind is not None and kind.itemsize == 2 and kind != y.dtype and kind.kind in "Vf":
            return y.astype(kind)
        return y

    silent = quiet(computed)
    silent.__name__, silent.__doc__ = function.__name__.lstrip("_"), function.__doc__
    return silent


def summed(x: Any, axis: Any, keepdims: bool = True) -> Any:
    """`np.sum` of an array or a tensor, without NumPy's own detours for arrays."""
    if isinstance(x, Tensor):
        return np.sum(x, axis=axis, keepdims=keepdims)
    return _add(x, axis, None, None, keepdims)


def constant(value: Any) -> Any:
    """The array of a tensor: for what a rule reads without differentiating it."""
    return value._array if isinstance(value, Tensor) else value
