"""Hessians times vectors: forward mode over generated gradients."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from typing import Any

from s2sgrad.backend.jit.options import Jit, jit_options
from s2sgrad.calls.remade import Remade
from s2sgrad.derivatives.forward import fits
from s2sgrad.derivatives.holomorphic import calling
from s2sgrad.derivatives.inside import hessian_product_called
from s2sgrad.derivatives.jacobians import plain
from s2sgrad.derivatives.second_order import GradientForward

Function = Callable[..., Any]


class HessianProduct(Remade):
    """`H(args) v` without H; made by `hvp`."""

    def __init__(self, function: Function, argnums: Any, jit: Jit | None, fallback: str) -> None:
        self.single = not isinstance(argnums, tuple | list)
        self.forward = GradientForward(plain(function), argnums, jit, fallback, only_dot=True)
        self.place = self.forward.place_of_only_one
        functools.update_wrapper(self, function, updated=())
        self.__dict__.pop("__wrapped__", None)
        self.__signature__ = _with_direction(self.forward.binder.signature)
        self.__s2sgrad_primal__ = calling(self, "{}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        forward, values = self.forward, args[:-1]
        if kwargs or len(values) != forward.binder.plain:
            values = self._bound(args, kwargs)
        v = args[-1]
        if self.place is not None and fits(values[self.place], v):
            guard, run = forward._latest
            return run(*values, v) if guard(*values) else forward.push(values, (v,))
        return forward.push(values, forward.conform(values, (v,) if self.single else tuple(v)))

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The arguments of the function, without the vector behind them."""
        bind = self.forward.binder.bind
        try:
            if args:
                return bind(*args[:-1], **kwargs)
        except TypeError:
            with contextlib.suppress(TypeError):
                bind(*args, **kwargs)
                args = ()
            if args:
                raise
        name = getattr(self.forward.primal, "__name__", "f")
        raise TypeError(
            "hvp takes the vector that the Hessian is multiplied by last, behind the arguments: "
            f"s2sgrad.hvp({name})(x, v)"
        ) from None

    def __repr__(self) -> str:
        return self._shown("hvp", self.forward.primal)

    def __s2sgrad_called__(self, *called: Any) -> Any:
        return hessian_product_called(self, *called)

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated Python, for arguments and v as in a call."""
        return self.forward.source(*args[:-1], **kwargs)


def _with_direction(signature: inspect.Signature) -> inspect.Signature:
    """The parameters without default that go by position, and v behind them."""
    first = inspect.Parameter.POSITIONAL_ONLY
    kinds = (first, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    found = [p for p in signature.parameters.values() if p.kind in kinds and p.default is p.empty]
    name = "v" if "v" not in signature.parameters else "v_of_hvp"
    return inspect.Signature([
        *(p.replace(kind=first) for p in found), inspect.Parameter(name, first)
    ])  # fmt: skip


def hvp(
    function: Function,
    argnums: Any = 0,
    *,
    jit: bool = False,
    parallel: bool = False,
    fastmath: bool = False,
    fallback: str = "eager",
) -> HessianProduct:
    """Hessian times vector: `hvp(f)(*args, v)`, forward mode over the generated gradient.

    v comes last and has the gradient's structure; so has the result.

    >>> import numpy as np
    >>> hvp(lambda x: np.sum(x**3))(np.array([1.0, 2.0]), np.array([1.0, 0.5]))
    array([6., 6.])
    """
    return HessianProduct(function, argnums, jit_options(jit, parallel, fastmath), fallback)


vars(hvp)["__s2sgrad_transform__"] = True

__all__ = ["HessianProduct", "hvp"]
