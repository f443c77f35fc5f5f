"""Jacobians: generated code run over unit vectors, of the arguments or of the value."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad.backend.jit.options import Jit
from s2sgrad.calls.binding import holds_no_floats
from s2sgrad.calls.draws import Draws
from s2sgrad.calls.remade import Remade
from s2sgrad.derivatives.basis import Seed, blocks, has_complex, leaves, length, ravel_beside
from s2sgrad.derivatives.columns import Columns
from s2sgrad.derivatives.forward import Forward
from s2sgrad.derivatives.holomorphic import calling, real_result
from s2sgrad.derivatives.inside_jacobians import jacobian_called
from s2sgrad.derivatives.pullbacks import Pullback, Pullbacks
from s2sgrad.derivatives.rows import Rows
from s2sgrad.derivatives.second_order import GradientForward
from s2sgrad.errors import S2sgradError
from s2sgrad.frontend.functions.ruled import written
from s2sgrad.frontend.source import unwrap
from s2sgrad_runtime.objects import copied

Function = Callable[..., Any]


class Jacobian(Remade):
    """All derivatives of a function's outputs by some arguments; made by `jacobian` and its kin.

    mode: "forward" pushes a unit vector per input, "reverse" pulls one per output back, "auto"
    takes what needs fewer sweeps. The generated code is made once.
    """

    def __init__(
        self,
        function: Function,
        argnums: Any,
        mode: str,
        jit: Jit | None,
        fallback: str,
        forward: Forward | None = None,
        holomorphic: bool = False,
    ) -> None:
        self.holomorphic = holomorphic
        self.function, self.mode, self.jit, self.fallback = plain(function), mode, jit, fallback
        self.single = not isinstance(argnums, tuple | list)
        self.wrt = (argnums,) if self.single else tuple(argnums)
        made = Forward(self.function, self.wrt, jit=jit, fallback=fallback)
        self.forward = made if forward is None else forward
        pushed = self.function if forward is None else forward.function
        self.columns = tuple(Columns(pushed, (which,), jit, False) for which in self.wrt)
        self.rows = Rows(self.function, self.wrt, jit) if mode != "forward" else None
        self._counts: dict[Any, int] = {}
        functools.update_wrapper(self, function, updated=())  # no fields of another Jacobian
        self.__dict__.pop("__wrapped__", None)
        self.__signature__ = self.forward.binder.signature
        self.__s2sgrad_primal__ = calling(self, "{}")

    def __repr__(self) -> str:
        kinds = {"auto": "jacobian", "forward": "jacfwd", "reverse": "jacrev"}
        if isinstance(self.forward, GradientForward):
            return self._shown("hessian", self.forward.primal)
        return self._shown(kinds[self.mode], self.function)

    def __s2sgrad_called__(self, *called: Any) -> Any:
        return jacobian_called(self, *called)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        values = self.forward.binder.bind(*args, **kwargs)
        chosen = tuple(self.forward.binder.pick(n, values) for n in self.forward.wrt)
        for name, argument in zip(self.forward.wrt, chosen, strict=True):
            if not leaves(argument):
                raise holds_no_floats(name)
        result, matrix = self.matrix(values)
        if self.holomorphic and not all(np.iscomplexobj(leaf) for leaf in leaves(result)):
            raise TypeError(real_result(self.function))
        return blocks(matrix, result, chosen[0] if self.single else chosen)

    def matrix(self, values: tuple[Any, ...]) -> tuple[Any, Any]:
        """The value, and the Jacobian as one matrix (numbers in the value, in the arguments)."""
        mode, draws = self.mode, Draws(self.function, values)
        chosen = tuple(self.forward.binder.pick(n, values) for n in self.forward.wrt)
        if mode == "auto":
            mode = "reverse" if self._count(values, draws) < length(chosen) else "forward"
        if mode == "reverse":
            draws.again()
            found = self._pulled(values)
        else:
            found = self._pushed(self.forward, values, chosen, draws)
        if np.any(np.isnan(found[1])):  # zeros of a unit vector times an infinite slope, perhaps
            return self._pushed(self.forward.for_units, values, chosen, draws)
        return found

    def _count(self, values: tuple[Any, ...], draws: Draws) -> int:
        """How many numbers the value holds: as many as at arguments of these shapes before. Where
        that is wrong, the other mode had been faster."""
        shapes = tuple(np.shape(leaf) for leaf in leaves(values))
        key = shapes, tuple(v for v in values if isinstance(v, int | str))
        if key not in self._counts:
            draws.again()
            self._counts[key] = length(self._value(values))
        return self._counts[key]

    def _value(self, values: tuple[Any, ...]) -> Any:
        """What the function gives. The arguments, and the objects that generated code reaches,
        stay as they are."""
        return self._plain_run.push(copied(values), ())[0]

    def _pushed(
        self, forward: Forward, values: tuple[Any, ...], chosen: tuple[Any, ...], draws: Draws
    ) -> tuple[Any, Any]:
        """One column per input: all of an argument by one function, where there is one."""
        draws.again()
        tables = [c if forward is self.forward else c.for_units for c in self.columns]
        found = [table.table(values) for table in tables]
        if len(found) == 1 and found[0] is not None:
            return found[0]
        seed, start, result = Seed(chosen), 0, next((f[0] for f in found if f is not None), None)
        parts = []

        def push(dots: Any) -> tuple[Any, Any]:
            draws.again()
            return forward.push(values, dots)

        for argument, pair in zip(chosen, found, strict=True):
            stop = start + length(argument)
            if pair is None:
                result, columns = self._by_units(push, chosen, seed, range(start, stop))
                parts += [np.stack(columns, axis=-1)] if columns else []
            else:
                parts.append(pair[1])
            start = stop
        if not parts:
            result = self._value(values)
            return result, np.zeros((length(result), 0))
        return result, parts[0] if len(parts) == 1 else np.concatenate(parts, axis=-1)

    def _by_units(
        self, push: Function, chosen: Any, seed: Seed, entries: range
    ) -> tuple[Any, list[Any]]:
        """The value and some of the columns, each by a sweep of its own."""
        columns, result = [], None
        for k in entries:
            result, dot = push(seed.unit(k))
            column = np.copy(ravel_beside(dot, result))
            if self._apart(chosen, result) and seed.is_complex(k):  # a real result: as `grad` gives
                column = column + 1j * ravel_beside(push(seed.vector([k], 1j))[1], result)
            columns.append(column)
        return result, columns

    @functools.cached_property
    def _plain_run(self) -> Forward:
        """The function as generated code, without tangents; else itself."""
        return Forward(self.function, (), jit=self.jit, fallback=self.fallback, plainly=True)

    @functools.cached_property
    def _pullbacks(self) -> Pullbacks:
        jit, fallback = self.jit, self.fallback
        return Pullbacks(
            self.function, self.wrt, aux=False, jit=jit, fallback=fallback, keeps=False
        )

    def _pulled(self, values: tuple[Any, ...]) -> tuple[Any, Any]:
        """One row per output."""
        found = self.rows.table(values) if self.rows is not None else None
        if found is not None:
            return found
        result, backward, _ = self._pullbacks.at(values)
        pull, seed, rows = Pullback(backward, result), Seed(result), []
        chosen = tuple(self.forward.binder.pick(n, values) for n in self.forward.wrt)
        apart = self._apart(chosen, result)

        def row(unit: Any) -> Any:
            bars = pull(unit)
            pairs = zip(bars, chosen, strict=True)
            return np.concatenate([ravel_beside(bar, c) for bar, c in pairs])

        for k in range(seed.size):
            found = row(seed.unit(k))
            if self.holomorphic:
                found = np.conjugate(found)
            elif seed.is_complex(k) and not apart:  # real arguments: both parts of the result
                found = found + 1j * row(seed.vector([k], 1j))
            rows.append(found)
        return result, np.stack(rows) if rows else np.zeros((0, length(chosen)))

    def _apart(self, chosen: Any, result: Any) -> bool:
        """Whether real and imaginary parts of the arguments count apart: where they are complex
        and the result is not."""
        if self.holomorphic or not has_complex(chosen):
            return False
        if has_complex(result):
            raise TypeError(
                "a complex function of complex arguments has no Jacobian of complex numbers, "
                "unless it is holomorphic: pass holomorphic=True, or differentiate by the real and "
                "imaginary parts as arguments of their own"
            )
        return True

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The generated Python that is run for each direction."""
        if self.mode == "reverse":
            with contextlib.suppress(S2sgradError):
                if self.rows is not None and (args or kwargs):
                    return self.rows.source(*args, **kwargs)
            return self._pullbacks.source(*args, **kwargs)
        with contextlib.suppress(S2sgradError):
            if self.single and (args or kwargs):
                return self.columns[0].source(*args, **kwargs)
        return self.forward.source(*args, **kwargs)


def plain(function: Function) -> Function:
    """A function without what only wraps it; raises TypeError for anything else."""
    if not callable(function):
        raise TypeError(f"a function is needed, not {type(function).__name__}")
    return written(unwrap(function))
