"""Floor 8: the callable that `grad` and `value_and_grad` give back."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.bridge import eager_gradient
from s2sgrad.calling import Binder, pattern, read, token, unwrap
from s2sgrad.errors import S2sgradError, UnsupportedError
from s2sgrad.guards import Guard, guard_of, never
from s2sgrad.ir.types import Array, Known, Number, Scalar, Tuple, is_float_dtype
from s2sgrad.pipeline import Product, compile_gradient
from s2sgrad.transform.gradient import Request


class Derivative:
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
        jit: bool = False,
        fallback: str = "eager",
    ) -> None:
        if fallback not in ("eager", "error"):
            raise ValueError(f"fallback must be 'eager' or 'error', not {fallback!r}")
        if not callable(function):
            raise TypeError(f"grad takes a function, not {type(function).__name__}")
        self.function, self.argnums = function, argnums
        self.binder = Binder(function)
        wrt, single = self.binder.names_of(argnums)
        self.request = Request(wrt, single, value, aux)
        self.jit, self.fallback = jit, fallback
        self._captures: dict[tuple[Any, ...], tuple[str, tuple[str, Any]]] = {}
        self._guards: dict[tuple[Any, ...], tuple[str, tuple[str, Any]]] = {}
        self._exact: dict[Any, Callable[..., Any]] = {}
        self._quick: dict[Any, Guard] = {}
        self._latest: tuple[Guard, Callable[..., Any]] = (never, never)
        self._patterns: dict[Any, Product | S2sgradError] = {}
        self._warned = False
        functools.update_wrapper(self, unwrap(function) if hasattr(function, "__name__") else function)
        self.__dict__.pop("__wrapped__", None)
        self.__signature__ = self.binder.signature

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        values = self.binder.bind(args, kwargs)
        guard, run = self._latest
        return (run if guard(*values) else self._find(values))(*values)

    def _find(self, values: tuple[Any, ...]) -> Callable[..., Any]:
        """The running code for these arguments; the next call with such takes a short cut."""
        try:
            key = (*map(token, values), *self._outside())
            run = self._exact.get(key)
        except TypeError:
            key = run = None
        if run is None:
            run = self._runner(values)
        if key is not None and not self._captures and not self._guards:
            if key not in self._quick:
                self._quick[key] = guard_of(values) or never
            self._latest = self._quick[key], run
        else:
            self._latest = never, run
        return run

    def __get__(self, owner: Any, cls: type | None = None) -> Any:
        return self if owner is None else functools.partial(self, owner)

    def __repr__(self) -> str:
        kind = "value_and_grad" if self.request.value else "grad"
        return f"<s2sgrad.{kind} of {getattr(self.function, '__qualname__', self.function)}>"

    # --- specialisations ---------------------------------------------------------------------
    def _outside(self) -> tuple[Any, ...]:
        if not self._captures and not self._guards:
            return ()
        held = [token(read(name, where)) for name, where in self._captures.values()]
        return (*held, *(_identity(name, where) for name, where in self._guards.values()))

    def _runner(self, values: tuple[Any, ...]) -> Callable[..., Any]:
        product = self._product(values)
        run = self._eager(product) if isinstance(product, S2sgradError) else self._bound(product)
        self._exact[(*map(token, values), *self._outside())] = run
        return run

    def _product(self, values: tuple[Any, ...]) -> Product | S2sgradError:
        """The specialisation for these arguments, made if it is not there yet."""
        key = pattern((*map(token, values), *self._outside()))
        found = self._patterns.get(key)
        if found is None:
            found = self._make(values)
            if not isinstance(found, S2sgradError):
                self._watch(found)
            self._patterns[pattern((*map(token, values), *self._outside()))] = found
        return found

    def _make(self, values: tuple[Any, ...]) -> Product | S2sgradError:
        try:
            product = compile_gradient(self.function, dict(zip(self.binder.names, values, strict=True)), self.request)
        except S2sgradError as error:
            if self.fallback == "error":
                raise
            return error
        self._check_output(product)
        if self.jit:
            from s2sgrad.backend.numba import jitted

            return jitted(product)
        return product

    def _watch(self, product: Product) -> None:
        """Remember what is read from outside, so that a change of it is noticed."""
        before = len(self._captures) + len(self._guards)
        for name, where in product.captures:
            self._captures[name, where[0], id(where[1])] = (name, where)
        for (kind, place, name), (holder, _) in product.lowered.guards.items():
            self._guards[name, kind, place] = (name, (kind, holder))
        if len(self._captures) + len(self._guards) != before:
            self._exact.clear()

    def _check_output(self, product: Product) -> None:
        kind = product.output
        if self.request.aux:
            if not isinstance(kind, Tuple) or len(kind.items) != 2:
                raise TypeError("has_aux=True: the function must return a pair (value, aux)")
            kind = kind.items[0]
        name = getattr(self.function, "__name__", "the function")
        what = None
        if isinstance(kind, Array) and kind.shape is not None and kind.shape != ():
            what = f"an array of shape ({', '.join(map(str, kind.shape))}{',' if len(kind.shape) == 1 else ''})"
        elif isinstance(kind, Scalar | Array) and kind.dtype is not None and kind.dtype.startswith("complex"):
            what = "a complex number"
        elif isinstance(kind, Scalar) and not is_float_dtype(kind.dtype):
            what = f"{'an' if kind.dtype[0] == 'i' else 'a'} {kind.dtype}"
        elif not isinstance(kind, Scalar | Array | Number):
            what = repr(kind.value) if isinstance(kind, Known) else f"a {type(kind).__name__.lower()}"
        if what is not None:
            raise TypeError(
                f"grad needs a function that returns a real scalar, but {name} returns {what}; "
                "use s2sgrad.vjp or s2sgrad.jacobian for other results"
            )

    def _bound(self, product: Product) -> Callable[..., Any]:
        """The generated function with what it reads from outside, and notes on errors."""
        compiled, rebuild = product.compiled, product.rebuild
        fn = compiled.fn
        captures = product.captures
        unsure = not isinstance(product.output, Scalar)
        if not captures and rebuild is None and not unsure:

            def run(*values: Any) -> Any:
                try:
                    return fn(*values)
                except Exception as error:
                    compiled.note(error)
                    raise

            return run

        def run_with(*values: Any) -> Any:
            try:
                result = fn(*values, *[read(name, where) for name, where in captures])
            except Exception as error:
                compiled.note(error)
                raise
            return self._finished(result, rebuild)

        return run_with

    def _finished(self, result: Any, rebuild: Any) -> Any:
        if self.request.value:
            value, grads = result
            head = value[0] if self.request.aux else value
            if np.ndim(head) != 0:
                raise TypeError(f"grad needs a function that returns a real scalar, not an array of shape {np.shape(head)}; use s2sgrad.vjp")
            return value, (rebuild(grads) if rebuild else grads)
        return rebuild(result) if rebuild else result

    def _eager(self, reason: S2sgradError) -> Callable[..., Any]:
        return eager_gradient(self, reason)

    # --- reading -----------------------------------------------------------------------------
    def product(self, *args: Any, **kwargs: Any) -> Product:
        """The specialisation for example arguments; raises where there is none."""
        found = self._product(self.binder.bind(args, kwargs))
        if isinstance(found, S2sgradError):
            raise found
        return found

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated Python for arguments like these."""
        return self.product(*args, **kwargs).compiled.source

    def forward_source(self) -> str:
        raise UnsupportedError("give example arguments")


def _identity(name: str, where: tuple[str, Any]) -> Any:
    try:
        found = read(name, where)
    except (KeyError, ValueError):
        return None
    return found if isinstance(found, str | bool | int) or found is None else id(found)
