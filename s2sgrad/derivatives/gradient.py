"""Floor 8: the callable that `grad` and `value_and_grad` give back."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.backend.jit.options import Jit
from s2sgrad.bridge.reverse import eager_gradient
from s2sgrad.calls.binding import holds_no_floats
from s2sgrad.calls.recall import Memory
from s2sgrad.calls.specialised import Run, Specialised
from s2sgrad.derivatives.results import rebuilt_results
from s2sgrad.derivatives.run_again import NUMBERS_FAIL, may_run_again, quietly
from s2sgrad.errors import UnsupportedError
from s2sgrad.frontend.functions.held_values import held_value
from s2sgrad.frontend.source import unwrap
from s2sgrad.ir import nodes
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.types import (
    Array,
    Bottom,
    Known,
    Number,
    Scalar,
    Tuple,
    carries,
    is_float_dtype,
)
from s2sgrad.pipeline import Product, compile_gradient
from s2sgrad.transform.preparing.primal import leaf_names
from s2sgrad.transform.preparing.real_powers import may_be_complex
from s2sgrad.transform.reverse.gradient import Request


class Derivative(Specialised):
    """A function that computes the gradient of another; made by `grad` or `value_and_grad`.

    It has the signature of the function it was made from. Code is generated at the first call
    with arguments of a new kind (types, dtypes, ranks, pattern of sizes) and reused after that.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        argnums: Any,
        *,
        value: bool,
        aux: bool = False,
        jit: Jit | None = None,
        fallback: str = "eager",
    ) -> None:
        super().__init__(function, jit=jit, fallback=fallback)
        self.argnums = argnums
        wrt, single = self.binder.names_of(argnums)
        self.request = Request(wrt, single, value, aux, loops=jit is not None)
        functools.update_wrapper(self, unwrap(function), updated=())
        self.__dict__.pop("__wrapped__", None)
        self.__signature__ = self.binder.signature

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) != self.binder.plain:
            args = self.binder.bind(*args, **kwargs)
        guard, run = self._latest
        return (run if guard(*args) else self._find(args))(*args)

    def __get__(self, owner: Any, cls: type | None = None) -> Any:
        return self if owner is None else functools.partial(self, owner)

    def __repr__(self) -> str:
        kind = "value_and_grad" if self.request.value else "grad"
        return self._shown(kind, self.function)

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """What happens for arguments like these, as a text to print.

        It says which functions were transformed, what runs on tensors instead and why (with file
        and line), which functions are called as they are, and what the forward sweep saves for
        the reverse one: by line of the user's code, with its bytes. The forward sweep runs once
        to measure them.
        """
        from s2sgrad.showing.explaining import explain

        return explain(self, args, kwargs)

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated Python for arguments like these; the general code where none are given.

        With `jit=True` beside them (where the function itself has no such parameter) the loops
        that Numba compiles, and with `jit=False` the NumPy code, whatever `grad` was told.
        """
        if "jit" in kwargs and not self._takes("jit"):
            given = dict(kwargs)
            return self.under(given.pop("jit")).source(*args, **given)
        return super().source(*args, **kwargs)

    def _takes(self, name: str) -> bool:
        """Whether the function has a parameter of that name, or takes any."""
        found = self.binder.signature.parameters.values()
        return any(p.name == name or p.kind is p.VAR_KEYWORD for p in found)

    def under(self, jit: bool) -> Derivative:
        """The same derivative compiled, or not."""
        if bool(jit) == (self.jit is not None):
            return self
        request = self.request
        return Derivative(
            self.function, self.argnums, value=request.value, aux=request.aux,
            jit=Jit() if jit else None, fallback=self.fallback,
        )  # fmt: skip

    def __s2sgrad_enter__(self, values: tuple[Any, ...]) -> Product:
        again = copy.copy(self)
        again.request = replace(self.request, again=True)
        return super(Derivative, again).__s2sgrad_enter__(values)

    # --- making code -------------------------------------------------------------------------
    def _memory(self) -> Memory | None:
        if self.jit is None:
            return None
        made = (type(self).__name__, self.request, self.jit, self.fallback, self.binder.members)
        return Memory(repr(made), self.function, self.binder.names)

    def _make(self, values: tuple[Any, ...]) -> Product:
        for name in self.request.wrt:
            self.binder.pick(name, values)  # members must be there
        args = dict(zip(self.binder.names, values, strict=True))
        product = compile_gradient(
            self.function, args, self.request, self.binder.members, self.tools
        )
        self._check_arguments(product)
        self._check_output(product)
        if self.jit:
            from s2sgrad.backend.jit.compile import jitted

            return jitted(product, self.jit)
        return product

    asked_by = "grad"  # what the caller has written

    def _check_arguments(self, product: Product) -> None:
        lowered = product.lowered
        for name in self.request.wrt:
            leaves = leaf_names(lowered.arguments[name], lowered.initial_heap)
            if not any(carries(lowered.function.types[leaf]) for leaf in leaves):
                raise holds_no_floats(name)

    def _check_output(self, product: Product) -> None:
        kind = product.output
        if self.request.aux:
            if not isinstance(kind, Tuple) or len(kind.items) != 2:
                raise TypeError("has_aux=True: the function must return a pair (value, aux)")
            kind = kind.items[0]
        if isinstance(kind, Bottom):
            name = getattr(self.function, "__name__", "the function")
            raise UnsupportedError(
                f"can't tell while compiling what {name} returns", product.function.span,
                "it comes from a dict or list whose entries only a run knows",
                "keep it in a dict with texts or numbers as keys",
            )  # fmt: skip
        looks = any(_refuses_complex(stmt) for stmt in product.function.body)
        what = _not_a_real_scalar(kind, looks)
        if what is not None:
            name = getattr(self.function, "__name__", "the function")
            raise TypeError(
                f"{self.asked_by} needs a function that returns a real scalar, but {name} returns "
                f"{what}; {_OTHERWISE[self.asked_by].format(name)}"
            )

    # --- running it --------------------------------------------------------------------------
    def _bound(self, product: Product) -> Run:
        """The generated function with what it reads from outside, and notes on errors."""
        compiled, rebuild = product.compiled, product.rebuild
        fn, captures = compiled.fn, product.captures
        made = rebuilt_results(product) if self.request.aux else None
        otherwise = self._otherwise(product)
        if not captures and rebuild is None and isinstance(product.output, Scalar):

            def run(*values: Any) -> Any:
                try:
                    return fn(*values)
                except Exception as error:
                    compiled.note(error)
                    return otherwise(error, fn, values)

            # Machine code of an earlier process meets no complex number: it gives up before.
            asks = isinstance(product, Product) and may_be_complex(product.function.body)
            return _refusing(run) if asks else run

        def run_with(*values: Any) -> Any:
            try:
                result = fn(*values, *[held_value(name, where) for name, where in captures])
            except Exception as error:
                compiled.note(error)
                return otherwise(error, finished, values)
            return self._finished(result, rebuild, made)

        def finished(*values: Any) -> Any:
            result = fn(*values, *[held_value(name, where) for name, where in captures])
            return self._finished(result, rebuild, made)

        return run_with

    def _otherwise(self, product: Product) -> Callable[..., Any]:
        """What becomes of an error of generated code that the function itself may not have."""
        made: list[Run] = []

        def otherwise(error: Exception, run: Run, values: tuple[Any, ...]) -> Any:
            if isinstance(error, NUMBERS_FAIL):
                again = functools.partial(run, *values)
                return quietly(error, product, again, self.function, self.binder, values)
            members = self.binder.members
            if not isinstance(error, ZeroDivisionError) or members or not may_run_again(product):
                raise error
            if not made:
                from s2sgrad.derivatives.zero_divisors import NumpySeeded

                made.append(NumpySeeded(self.function, self.request))
            try:
                return made[0](*values)
            except ZeroDivisionError:
                raise error from None

        return otherwise

    def _finished(self, result: Any, rebuild: Any, made: Any) -> Any:
        if not self.request.value:
            return rebuild(result) if rebuild else result
        value, grads = result
        head = value[0] if self.request.aux else value
        if np.ndim(head) != 0:
            raise TypeError(
                "grad needs a function that returns a real scalar, not an array of shape "
                f"{np.shape(head)}; use s2sgrad.vjp"
            )
        value = made(value) if made else value
        return value, (rebuild(grads) if rebuild else grads)

    def _eager(self) -> Run:
        return eager_gradient(self.function, self.binder, self.request)


def _refusing(run: Run) -> Run:
    """The same, but a TypeError where a power of one of Python's floats turned out complex."""

    def real(*values: Any) -> Any:
        result = run(*values)
        parts = result if isinstance(result, tuple) else (result,)
        if any(map(_is_complex, parts)) and not any(map(_is_complex, values)):
            raise TypeError(
                "grad needs a function that returns a real scalar, but a power of a negative "
                "float is complex in Python; use s2sgrad.vjp or s2sgrad.jacobian for such results"
            )
        return result

    return real


def _is_complex(value: Any) -> bool:
    return isinstance(value, complex | np.ndarray) and np.iscomplexobj(value)


def _refuses_complex(stmt: nodes.Stmt) -> bool:
    call = stmt.value if isinstance(stmt, nodes.Do) else None
    return isinstance(call, nodes.Call) and call.function is s2sgrad_runtime.refuse_complex


_OTHERWISE = {  # what to write for other results
    "grad": "use s2sgrad.vjp or s2sgrad.jacobian for other results",
    "hessian": "write s2sgrad.jacobian(s2sgrad.jacobian({0})), or s2sgrad.hessian of one of its "
    "entries: lambda x: {0}(x)[0]",
    "hvp": "write s2sgrad.jvp(s2sgrad.jacobian({0}), (x,), (v,)), or s2sgrad.hvp of one of its "
    "entries: lambda x: {0}(x)[0]",
}


def _not_a_real_scalar(kind: Any, looks: bool) -> str | None:
    """What a type is, in words, if it is certainly no real scalar.

    looks: what has a complex type may be real, and the code looks when it runs.
    """
    if isinstance(kind, Array) and kind.shape is not None and kind.shape != ():
        comma = "," if len(kind.shape) == 1 else ""
        return f"an array of shape ({', '.join(map(str, kind.shape))}{comma})"
    if isinstance(kind, Scalar | Array) and is_complex_dtype(kind.dtype) and not looks:
        return "a complex number"
    if isinstance(kind, Scalar) and not is_float_dtype(kind.dtype):
        return f"{'an' if kind.dtype[0] == 'i' else 'a'} {kind.dtype}"
    if isinstance(kind, Scalar | Array | Number):
        return None
    return repr(kind.value) if isinstance(kind, Known) else f"a {type(kind).__name__.lower()}"


__all__ = ["Derivative"]
