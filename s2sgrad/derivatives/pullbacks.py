"""Floor 8: `vjp`: the value, and a function from its cotangent to those of the arguments."""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np

from s2sgrad.backend.jit.options import Jit, jit_options
from s2sgrad.bridge.reverse import eager_pullback
from s2sgrad.calls.binding import token
from s2sgrad.calls.recall import AGAIN, Memory, Recalled
from s2sgrad.calls.specialised import Run, Specialised
from s2sgrad.calls.tables import Tables
from s2sgrad.derivatives.belonging import kept
from s2sgrad.derivatives.cotangents import as_dicts, fitted, kinds
from s2sgrad.derivatives.inside import vjp_inside
from s2sgrad.derivatives.results import rebuilt_results
from s2sgrad.derivatives.run_again import quietly, unwarned
from s2sgrad.errors import S2sgradError
from s2sgrad.frontend.functions.held_values import held_value
from s2sgrad.frontend.functions.ruled import written
from s2sgrad.frontend.source import unwrap
from s2sgrad.ir.types import Tuple
from s2sgrad.pipeline import Product, compile_pullback
from s2sgrad.transform.reverse.gradient import Request


class Pullbacks(Specialised):
    """The generated pairs of one function, for cotangents of the arguments `wrt`.

    Called with the function's arguments: (value, backward, aux), where backward takes the
    value's cotangent, and aux is None unless asked for.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        wrt: tuple[str, ...],
        *,
        aux: bool,
        jit: Jit | None,
        fallback: str,
        keeps: bool,
    ) -> None:
        super().__init__(function, jit=jit, fallback=fallback)
        names, _ = self.binder.names_of(wrt)
        self.request = Request(names, single=False, value=True, aux=aux, loops=jit is not None)
        self.keeps = keeps

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) != self.binder.plain:
            args = self.binder.bind(*args, **kwargs)
        return self.at(args)

    def at(self, values: tuple[Any, ...]) -> Any:
        """The same for the values of all parameters, in order."""
        guard, run = self._latest
        return (run if guard(*values) else self._find(values))(*values)

    def _memory(self) -> Memory | None:
        if self.jit is None:
            return None
        key = (self.request, self.jit, self.fallback, self.keeps, self.binder.members)
        return Memory(repr(("Pullbacks", *key)), self.function, self.binder.names)

    def _note(self, keep: Callable[[], None], result: Any) -> None:
        """Once the pullback has been called, too: before, there is no code of it."""
        result[1].after = keep

    def _make(self, values: tuple[Any, ...]) -> Product:
        args = dict(zip(self.binder.names, values, strict=True))
        product = compile_pullback(
            self.function, args, self.request, self.binder.members, self.tools
        )
        if self.request.aux and not (
            isinstance(product.output, Tuple) and len(product.output.items) == 2
        ):
            raise TypeError("has_aux=True: the function must return a pair (value, aux)")
        if self.jit:
            from s2sgrad.backend.jit.compile import jitted

            return jitted(product, self.jit)
        return product

    def _bound(self, product: Product) -> Run:
        compiled, rebuild, captures = product.compiled, product.rebuild, product.captures
        forward, backward = compiled.functions[:2]
        aux = self.request.aux
        made = rebuilt_results(product)

        def run(*values: Any) -> Any:
            outside = [held_value(name, where) for name, where in captures]
            try:
                value, saved = forward(*values, *outside)
            except Exception as error:
                compiled.note(error)
                once_more = partial(forward, *values, *outside)
                value, saved = quietly(
                    error, product, once_more, self.function, self.binder, values, itemgetter(0)
                )

            if self.keeps:
                saved = kept(saved, (*values, *outside))
                (value,) = kept((value,), (*values, *outside))  # it belongs to the caller

            again = self._again(product, values) if isinstance(product, Recalled) else None

            def back(value_bar: Any) -> tuple[Any, ...]:
                value_bar = as_dicts(value_bar) if made else value_bar
                try:
                    found = backward(value_bar, *saved)
                except Exception as error:
                    if again is not None and isinstance(error, AGAIN):
                        return again(error)(value_bar, *saved)  # type: ignore[no-any-return]
                    compiled.note(error)
                    found = unwarned(error, partial(backward, value_bar, *saved))
                return tuple(rebuild(found)) if rebuild else found

            sweep = _Sweep(back)
            value = made(value) if made else value
            return (value[0], sweep, value[1]) if aux else (value, sweep, None)

        return run

    def _again(self, recalled: Recalled, values: tuple[Any, ...]) -> Callable[[Exception], Any]:
        """What makes the reverse sweep anew, where that of an earlier process does not run."""
        kind = tuple(map(token, values))

        def made(error: Exception) -> Any:
            if tuple(map(token, values)) != kind:
                raise error  # code for what the arguments are now would be another
            with self._lock:
                found = self._made_anew(recalled, values)
            if isinstance(found, S2sgradError):
                raise found
            return found.compiled.functions[1]

        return made

    def _eager(self) -> Run:
        return eager_pullback(self.function, self.binder, self.request)


class _Sweep:
    """The reverse sweep of one call. after: what is to be done once it has run."""

    __slots__ = ("_run", "after")

    def __init__(self, run: Callable[[Any], tuple[Any, ...]]) -> None:
        self._run = run
        self.after: Callable[[], None] | None = None

    def __call__(self, value_bar: Any) -> tuple[Any, ...]:
        found = self._run(value_bar)
        after, self.after = self.after, None
        if after is not None:
            after()
        return found


class Pullback:
    """Takes the cotangent of a value to those of the arguments: a tuple, one for each.

    An argument that holds no floats has None. It may be called any number of times.
    """

    __slots__ = ("_backward", "_like")

    def __init__(self, backward: Callable[[Any], tuple[Any, ...]], value: Any) -> None:
        self._backward, self._like = backward, kinds(value)

    def __call__(self, value_bar: Any) -> tuple[Any, ...]:
        """The cotangents of the arguments. value_bar: as the value is built; None is zero.

        Raises ShapeError where value_bar does not have the value's structure and shapes.
        """
        bar = fitted(value_bar, self._like)
        return tuple(_own(part, bar, []) for part in _apart(self._backward(bar)))


def vjp(
    function: Callable[..., Any],
    *args: Any,
    has_aux: bool = False,
    jit: bool = False,
    parallel: bool = False,
    fastmath: bool = False,
    fallback: str = "eager",
    **kwargs: Any,
) -> Any:
    """The value of `function(*args, **kwargs)`, and its pullback.

    Args:
        function: any NumPy function; its result may be an array, a number, or a tuple, list or
            dict of those.
        has_aux: the function returns `(value, aux)`; the result is `(value, pullback, aux)`.
        jit, parallel, fastmath, fallback: as in `grad`.

    Returns: `(value, pullback)`. `pullback(value_bar)` gives a tuple with the cotangent of each
        of `args` (None where one holds no floats); keyword arguments have none. It may be called
        again, and `args` (and what the function reads from outside) may be changed in place
        before: what it needs of them is copied.

    Raises: ShapeError (by the pullback) if value_bar does not fit the value; UnsupportedError or
        MissingRuleError with `fallback="error"`.

    >>> import numpy as np
    >>> y, pullback = vjp(lambda a, x: a @ x, np.array([[1.0, 2.0], [3.0, 4.0]]), np.ones(2))
    >>> y
    array([3., 7.])
    >>> pullback(np.array([1.0, 0.0]))[1]
    array([1., 2.])
    """
    options = jit_options(jit, parallel, fastmath)
    made, given = pullbacks(function, args, kwargs, has_aux, options, fallback, True)
    value, backward, aux = made(*given, **kwargs)
    pullback = Pullback(backward, value)
    return (value, pullback, aux) if has_aux else (value, pullback)


_MADE = Tables()


def pullbacks(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    aux: bool,
    jit: Jit | None,
    fallback: str,
    keeps: bool = False,
) -> tuple[Pullbacks, tuple[Any, ...]]:
    """The pairs of a function, made at its first call, and all positional arguments to give.

    keeps: the caller may change the arguments before it calls the pullback. The object of a
    bound method becomes the first argument, so that it is not kept alive.
    """
    function = written(unwrap(function))
    first = 0
    if isinstance(function, types.MethodType):
        args, function, first = (function.__self__, *args), function.__func__, 1
    key = (first, len(args), aux, jit, fallback, keeps)
    table = _MADE.of(function)
    made: Pullbacks | None = table.get(key)
    if made is None:
        wrt: Any = tuple(range(first, len(args)))
        made = table[key] = Pullbacks(
            function, wrt, aux=aux, jit=jit, fallback=fallback, keeps=keeps
        )
    return made, args


# --- cotangents ----------------------------------------------------------------------------------


def _apart(parts: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arrays that stand at several places, or can't be written, become arrays of their own."""
    seen: list[Any] = []
    return tuple(_own(part, None, seen) for part in parts)


def _own(part: Any, bar: Any, seen: list[Any]) -> Any:
    if isinstance(part, np.ndarray):
        memory = part if part.base is None else part.base
        if (
            not part.flags.writeable
            or part is bar
            or memory is bar
            or any(memory is s for s in seen)
        ):
            return part.copy()
        seen.append(memory)
        return part
    if isinstance(part, dict):
        return {key: _own(value, bar, seen) for key, value in part.items()}
    if type(part) in (list, tuple):
        return type(part)([_own(value, bar, seen) for value in part])
    return part


vars(vjp).update(__s2sgrad_transform__=True, __s2sgrad_inside__=vjp_inside)

__all__ = ["Pullback", "Pullbacks", "fitted", "kinds", "pullbacks", "vjp"]
