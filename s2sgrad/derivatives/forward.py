"""Floor 8: forward mode of one function: generated code that pushes tangents through it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import Any

import numpy as np

from s2sgrad.analysis.islands import IslandTools
from s2sgrad.backend.jit.options import Jit
from s2sgrad.backend.module import build
from s2sgrad.calls.recall import Memory
from s2sgrad.calls.specialised import Run, Specialised
from s2sgrad.calls.traced import holds_traced
from s2sgrad.derivatives.basis import dtype_of
from s2sgrad.derivatives.belonging import own, pair_kept
from s2sgrad.derivatives.results import rebuilt_results
from s2sgrad.derivatives.run_again import quietly
from s2sgrad.errors import ShapeError
from s2sgrad.frontend.functions.held_values import held_value
from s2sgrad.frontend.lower import Lowered
from s2sgrad.ir.assumptions import relying_on
from s2sgrad.pipeline import Product, _captures, _name_members, with_islands
from s2sgrad.transform.forward.function import push_forward, push_recursive
from s2sgrad.transform.preparing.primal import output_type
from s2sgrad_runtime.objects import attributes, blank, has_attributes, is_function

FLOATS = "fc"


class Forward(Specialised):
    """`push(values, tangents)` gives `(y, y_dot)`; code is generated once per kind of arguments.

    wrt: the arguments that have tangents, by position or name. zeros: the tangents are mostly
    zero, and a zero that meets an infinite slope stays zero. only_dot: `push` gives y_dot alone,
    and what only the value needs is not computed. plainly: the function itself gives the value,
    beside None, where there is no generated code.
    """

    def __init__(
        self,
        function: Any,
        wrt: tuple[Any, ...],
        *,
        jit: Jit | None = None,
        fallback: str = "eager",
        zeros: bool = False,
        only_dot: bool = False,
        plainly: bool = False,
    ) -> None:
        super().__init__(function, jit=jit, fallback=fallback)
        self.wrt = self.binder.names_of(tuple(wrt))[0]
        self.zeros, self.only_dot, self.plainly = zeros, only_dot, plainly

    @functools.cached_property
    def for_units(self) -> Forward:
        """The same for tangents that are unit vectors, at infinite slopes."""
        wrt, jit, fallback = self.wrt, self.jit, self.fallback
        return Forward(self.function, wrt, jit=jit, fallback=fallback, zeros=True)

    def push(self, values: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        """The value and the directional derivative. values: of all parameters, in order."""
        guard, run = self._latest
        return (run if guard(*values) else self._find(values))(*values, *tangents)

    def conform(self, values: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, ...]:
        """Tangents in the structure, shapes and dtypes of their arguments; ShapeError otherwise."""
        pairs = zip(self.wrt, tangents, strict=True)
        return tuple(conform(self.binder.pick(n, values), t, n) for n, t in pairs)

    def _memory(self) -> Memory | None:
        """Only of functions as the user wrote them: others have a code of their own."""
        if self.jit is None or type(self) is not Forward:
            return None
        return Memory(repr(("Forward", *self._options())), self.function, self.binder.names)

    def _options(self) -> tuple[Any, ...]:
        return (self.wrt, self.zeros, self.only_dot, self.jit, self.fallback, self.binder.members)

    def _make(self, values: tuple[Any, ...]) -> Product:
        for name in self.wrt:
            self.binder.pick(name, values)  # members must be there
        args = dict(zip(self.binder.names, values, strict=True))
        product = compile_forward(
            self.function,
            args,
            self.wrt,
            self.binder.members,
            self.only_dot,
            self.tools,
            self.zeros,
        )
        if self.jit:
            from s2sgrad.backend.jit.compile import jitted

            return jitted(product, self.jit)
        return product

    def _otherwise(
        self, error: Exception, product: Product, again: Callable[[], Any], values: tuple[Any, ...]
    ) -> Any:
        """What becomes of an error of numbers that the function itself may not have."""
        given = self._of_call(values)
        return quietly(error, product, again, self.function, self.binder, given)

    def _bound(self, product: Product) -> Run:
        compiled, captures, only_dot = product.compiled, product.captures, self.only_dot
        rebuild = rebuilt_results(product)
        fn = compiled.fn
        if not captures and rebuild is None:

            def run_alone(*values: Any) -> Any:
                try:
                    found = fn(*values)
                except Exception as error:
                    compiled.note(error)
                    found = self._otherwise(error, product, functools.partial(fn, *values), values)
                return own(found, values) if only_dot else pair_kept(found, values)

            return run_alone

        def run(*values: Any) -> Any:
            outside = [held_value(name, where) for name, where in captures]
            try:
                found = fn(*values, *outside)
            except Exception as error:
                compiled.note(error)
                again = functools.partial(fn, *values, *outside)
                found = self._otherwise(error, product, again, values)
            given = (*values, *outside)
            found = own(found, given) if only_dot else pair_kept(found, given)
            if rebuild is None:
                return found
            return rebuild(found) if only_dot else (rebuild(found[0]), rebuild(found[1]))

        return run

    def _eager(self) -> Run:
        if self.plainly:
            return lambda *values: (self.binder.called(self.function, values), None)
        from s2sgrad.bridge.forward import eager_forward

        run = eager_forward(self.function, self.binder, self.wrt)
        if self.only_dot:
            return lambda *values: own(run(*values)[1], values)
        return lambda *values: pair_kept(run(*values), values)


def compile_forward(
    function: Any,
    args: dict[str, Any],
    wrt: tuple[str, ...],
    members: dict[str, tuple[str, Any]],
    only_dot: bool = False,
    tools: IslandTools | None = None,
    zeros: bool = False,
) -> Product:
    """The function `(arguments, tangents of wrt) -> (y, y_dot)`, for one kind of arguments.

    only_dot: it returns y_dot alone. zeros: see Forward.
    """

    def make(lowered: Lowered) -> Product:
        return _pushed(lowered, wrt, members, only_dot, zeros)

    return with_islands(function, args, tools, make)


def _pushed(
    lowered: Lowered,
    wrt: tuple[str, ...],
    members: dict[str, tuple[str, Any]],
    only_dot: bool,
    zeros: bool,
) -> Product:
    _name_members(lowered, members, wrt)
    with relying_on(lowered.assumptions):
        given = lowered.arguments, lowered.initial_heap
        made = push_forward(lowered, wrt, *given, zeros, only_dot)
    pairs = [p for p in dict.fromkeys(lowered.lowering.pairs.values()) if p.lowered is not None]
    inner = [push_recursive(pair) for pair in pairs]
    if made.name in {f.name for f in inner}:  # the function itself is recursive
        made = replace(made, name=f"{made.name}_start")
    compiled = build([made, *inner])
    return Product(compiled, _captures(lowered), None, lowered, output_type(lowered), made)


def fits(value: Any, dot: Any) -> bool:
    """Whether a number or an array has this tangent as it is; no says nothing."""
    if type(value) is not type(dot):
        return False
    if type(value) is np.ndarray:
        return value.dtype is dot.dtype and value.shape == dot.shape
    return type(value) is float


def conform(value: Any, dot: Any, path: str, known: dict[int, Any] | None = None) -> Any:
    """A tangent in the structure of its value; None stands for zeros.

    known: what was made so far of objects, by their ids: one held in several places is one.
    """
    if fits(value, dot):
        return dot
    if isinstance(value, np.ndarray | np.generic | float | complex) and not isinstance(value, bool):
        return _leaf(value, dot, path)
    known = {} if known is None else known
    if isinstance(value, dict):
        _same(path, "keys", list(value), list(value if dot is None else dot))
        return {
            k: conform(v, None if dot is None else dot[k], f"{path}[{k!r}]", known)
            for k, v in value.items()
        }
    if isinstance(value, list | tuple):
        _same(path, "length", len(value), len(value if dot is None else dot))
        items = [
            conform(v, None if dot is None else dot[i], f"{path}[{i}]", known)
            for i, v in enumerate(value)
        ]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if id(value) in known:
        return known[id(value)]
    if has_attributes(value):
        made = known[id(value)] = blank(type(value))
        for k, v in attributes(value).items():
            object.__setattr__(made, k, conform(v, getattr(dot, k, None), f"{path}.{k}", known))
        return made
    if not (dot is None or isinstance(value, int) or np.isscalar(dot)):
        kind = type(value).__name__
        raise TypeError(
            f"a tangent is given for {path}, a {kind}, which holds no floats here; give None, or "
            "pass its contents in a list or a dict"
        )
    _must_be_zero(dot, path)
    constant = isinstance(value, str | Enum) or value is None or is_function(value)
    return None if constant else 0.0


def _leaf(value: Any, dot: Any, path: str) -> Any:
    if dtype_of(value).kind not in FLOATS:
        _must_be_zero(dot, path)
        return np.zeros(np.shape(value)) if dot is None else dot
    if isinstance(value, np.ndarray):
        if dot is None:
            return np.zeros_like(value)
        dot = dot if holds_traced(dot) else np.asarray(dot)
        _same(path, "shape", value.shape, dot.shape)
        return (
            dot.astype(value.dtype, copy=False)
            if dot.dtype.kind != "c" or value.dtype.kind == "c"
            else _real(path)
        )
    if np.ndim(0.0 if dot is None else dot) != 0:
        raise ShapeError(
            f"the tangent of {path} must be a number, not an array of shape {np.shape(dot)}"
        )
    return dot if holds_traced(dot) else value.__class__(0.0 if dot is None else dot)


def _must_be_zero(dot: Any, path: str) -> None:
    """An integer has no direction to go in; integers beside it, as in a copy, say nothing."""
    floats = isinstance(dot, float) or (type(dot) is np.ndarray and dot.dtype.kind in FLOATS)
    if floats and np.any(dot):
        raise TypeError(
            f"a tangent that is not zero is given for {path}, which holds no floats: "
            f"give None, or pass {path} as floats"
        )


def _real(path: str) -> Any:
    raise TypeError(f"the tangent of {path} must be real, as {path} is")


def _same(path: str, what: str, of_value: Any, of_dot: Any) -> None:
    if of_value != of_dot:
        raise ShapeError(f"the tangent of {path} has {what} {of_dot}, but {path} has {of_value}")


__all__ = ["Forward", "conform", "fits"]
