"""Hessian times vector: forward mode over the generated gradient, or the other way round."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from typing import Any

from s2sgrad.backend.jit.options import Jit
from s2sgrad.calls.recall import Memory
from s2sgrad.calls.traced import holds_traced, reads_traced
from s2sgrad.derivatives.forward import Forward, compile_forward
from s2sgrad.derivatives.gradient import Derivative
from s2sgrad.errors import S2sgradError
from s2sgrad.pipeline import Product

Function = Callable[..., Any]
_CANNOT = (S2sgradError, TypeError, ValueError)


class Slope(Forward):
    """The directional derivative alone, as a function of the arguments and the tangents.

    All parameters are positional; a function with `*args` or `**kwargs` has none.
    """

    def __init__(self, function: Function, wrt: tuple[Any, ...]) -> None:
        super().__init__(function, wrt, fallback="error")
        variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        found = self.binder.signature.parameters.values()
        if any(p.kind in variadic for p in found):
            raise TypeError("a function with *args or **kwargs has no slope function")
        names = [*self.binder.names, *(f"{n}_dot_of_argument" for n in self.wrt)]
        self.__name__ = getattr(function, "__name__", "f")
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature([inspect.Parameter(n, kind) for n in names])

    def __call__(self, *args: Any) -> Any:
        count = len(self.binder.names)
        return self.push(args[:count], args[count:])[1]

    def __s2sgrad_enter__(self, values: tuple[Any, ...]) -> Product:
        count = len(self.binder.names)
        args = dict(zip(self.binder.names, values[:count], strict=True))
        return compile_forward(self.function, args, self.wrt, self.binder.members, only_dot=True)


class GradientForward(Forward):
    """Pushes tangents through the gradient of a function: `push` gives (gradient, H v), or
    with only_dot the Hessian times the tangents alone.

    Where the generated gradient can't be differentiated again (that by an object), or costs more
    then (that of a recursive function, see transform/reverse/tapeless.py), the forward mode is, in
    reverse: the Hessian is symmetric.
    """

    def __init__(
        self,
        function: Function,
        argnums: Any,
        jit: Jit | None,
        fallback: str,
        zeros: bool = False,
        only_dot: bool = False,
    ) -> None:
        self.gradient = Derivative(function, argnums, value=False, jit=jit, fallback=fallback)
        self.gradient.asked_by = "hvp" if only_dot else "hessian"
        self.single = not isinstance(argnums, tuple | list)
        wrt = (argnums,) if self.single else tuple(argnums)
        super().__init__(
            self.gradient, wrt, jit=jit, fallback="error", zeros=zeros, only_dot=only_dot
        )
        self.binder.bind = self.gradient.binder.bind  # with the defaults that the primal has then
        self.primal, self.argnums, self.after = function, argnums, fallback
        self._instead: Callable[..., Any] | None = None
        self._asked = False

    @property
    def place_of_only_one(self) -> int | None:
        """Where the one argument stands that it is by; None for several, or a member."""
        name = self.wrt[0]
        return self.binder.names.index(name) if self.single and name in self.binder.names else None

    @functools.cached_property
    def for_units(self) -> Forward:
        """The same for tangents that are unit vectors, at infinite slopes."""
        return GradientForward(self.primal, self.argnums, self.jit, self.after, zeros=True)

    def push(self, values: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        """The gradient, and the Hessian times the tangents."""
        if holds_traced(*values, *tangents) or reads_traced(self.primal):
            return self._on_tensors().push(values, tangents)
        if not self._asked:
            self._asked = True
            if self._calls_itself(values):
                with contextlib.suppress(*_CANNOT):
                    self._instead = self._reverse_over_forward(values, tangents)
        if self._instead is None:
            try:
                return super().push(values, tangents)
            except S2sgradError as error:
                self._instead = self._other_way(values, tangents, error)
        return self._instead(values, tangents)

    def _memory(self) -> Memory | None:
        """The gradient is as much a function of the primal's code as of its own."""
        if self.jit is None:
            return None
        key = ("GradientForward", *self._options(), self.argnums, self.after)
        return Memory(repr(key), self.primal, self.binder.names)

    def _calls_itself(self, values: tuple[Any, ...]) -> bool:
        """Whether there are recursive functions in the code for these arguments."""
        product = self.gradient.specialisation(values) if not self.jit else None
        return isinstance(product, Product) and bool(product.lowered.lowering.pairs)

    def _other_way(
        self, values: tuple[Any, ...], tangents: tuple[Any, ...], error: S2sgradError
    ) -> Any:
        try:
            return self._reverse_over_forward(values, tangents)
        except _CANNOT:
            if self.after == "error":
                raise error from None
            return self._on_tensors().push

    def _on_tensors(self) -> Forward:
        return Forward(
            self.gradient, self.wrt, jit=self.jit, fallback="eager", only_dot=self.only_dot
        )

    def _reverse_over_forward(self, values: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        slope = Slope(self.primal, self.wrt)
        places: Any = tuple(self.binder.names.index(n) for n in self.wrt)
        second = Derivative(
            slope,
            places[0] if self.single else places,
            value=False,
            jit=self.jit,
            fallback="error",
        )
        second(*values, *tangents)
        if self.only_dot:
            return lambda values, tangents: second(*values, *tangents)
        return lambda values, tangents: (
            self.gradient(
                *_positional(self.binder, values)[0], **_positional(self.binder, values)[1]
            ),
            second(*values, *tangents),
        )


def _positional(binder: Any, values: tuple[Any, ...]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    bound = binder.signature.bind_partial()
    bound.arguments.update(zip(binder.names, values, strict=True))
    return bound.args, bound.kwargs


__all__ = ["GradientForward", "Slope"]
