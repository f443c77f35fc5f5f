"""Floor 9: the decorator that keeps a function callable and puts its gradient beside it."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
import types
from collections.abc import Callable
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from s2sgrad.backend.jit.options import jit_options
from s2sgrad.calls.remade import Remade
from s2sgrad.derivatives.gradient import Derivative
from s2sgrad.derivatives.pullbacks import vjp


class Differentiable(Remade):
    """A function with its derivatives as attributes; made by `differentiable`.

    Called with arrays it is the function. Called with tensors of `s2sgrad.eager` it becomes one
    node of their graph, with generated code for both sweeps. A method gives a bound
    Differentiable, whose `argnums` do not count `self`.
    """

    def __init__(self, function: Callable[..., Any], argnums: Any, **options: Any) -> None:
        functools.update_wrapper(self, function)
        self.__s2sgrad_primal__ = function
        self.__signature__ = inspect.signature(function, follow_wrapped=False)
        self._options: dict[str, Any] = options
        self._argnums = argnums
        chosen = dict(options)
        flags = [chosen.pop(name, False) for name in ("jit", "parallel", "fastmath")]
        self._derivative: dict[str, Any] = {**chosen, "jit": jit_options(*flags)}
        self._bound: WeakKeyDictionary[Any, Differentiable] = WeakKeyDictionary()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        eager = sys.modules.get("s2sgrad.eager")
        if eager is not None and any(isinstance(a, eager.Tensor) for a in args):
            return self._node(*args, **kwargs)
        return self.__s2sgrad_primal__(*args, **kwargs)

    @cached_property
    def grad(self) -> Derivative:
        """The gradient, as `s2sgrad.grad` gives it."""
        return Derivative(self.__s2sgrad_primal__, self._argnums, value=False, **self._derivative)

    @cached_property
    def value_and_grad(self) -> Derivative:
        """Value and gradient, as `s2sgrad.value_and_grad` gives them."""
        return Derivative(self.__s2sgrad_primal__, self._argnums, value=True, **self._derivative)

    @cached_property
    def vjp(self) -> Callable[..., Any]:
        """`f.vjp(*args)` gives `(value, pullback)`, as `s2sgrad.vjp(f, *args)` does."""
        return functools.partial(vjp, self.__s2sgrad_primal__, **self._options)

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated gradient code for arguments like these; without any, the general code."""
        return self.grad.source(*args, **kwargs)

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """What was transformed, what fell back, what is saved: see `Derivative.explain`."""
        return self.grad.explain(*args, **kwargs)

    @cached_property
    def _node(self) -> Callable[..., Any]:
        bridge = importlib.import_module("s2sgrad.eager")
        return bridge.compile(self.__s2sgrad_primal__, **self._options)

    def __get__(self, owner: Any, cls: type | None = None) -> Any:
        if owner is None:
            return self
        try:
            return self._bound[owner]
        except (KeyError, TypeError):
            method = types.MethodType(self.__s2sgrad_primal__, owner)
            bound = Differentiable(method, self._argnums, **self._options)
        own_hash: Any = type(owner).__hash__
        if own_hash is object.__hash__:  # found by identity, not by equality
            self._bound[owner] = bound
        return bound

    def __repr__(self) -> str:
        name = getattr(self.__s2sgrad_primal__, "__qualname__", self.__s2sgrad_primal__)
        return f"<s2sgrad.differentiable {name}>"


def differentiable(
    function: Callable[..., Any] | None = None,
    argnums: Any = 0,
    *,
    jit: bool = False,
    parallel: bool = False,
    fastmath: bool = False,
    fallback: str = "eager",
) -> Any:
    """A decorator: the function stays callable, and has `.grad` and `.value_and_grad`.

    Takes the arguments of `grad`.

    >>> import numpy as np
    >>> @differentiable
    ... def loss(x):
    ...     return np.sum(x**2)
    >>> loss(np.ones(2)), loss.grad(np.ones(2))
    (np.float64(2.0), array([2., 2.]))
    """
    if function is None:
        return lambda f: differentiable(
            f, argnums, jit=jit, parallel=parallel, fastmath=fastmath, fallback=fallback
        )
    return Differentiable(
        function, argnums, jit=jit, parallel=parallel, fastmath=fastmath, fallback=fallback
    )
