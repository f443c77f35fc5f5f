"""Floor 8: one generated function that runs the forward mode over all unit vectors."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from s2sgrad.backend.jit.options import Jit
from s2sgrad.backend.module import build
from s2sgrad.calls.recall import Memory
from s2sgrad.calls.specialised import Found, Run
from s2sgrad.derivatives.forward import Forward, compile_forward
from s2sgrad.derivatives.gradient import Derivative
from s2sgrad.errors import S2sgradError, UnsupportedError
from s2sgrad.pipeline import Product
from s2sgrad.transform.forward.columns import over_unit_vectors
from s2sgrad.transform.forward.function import push_recursive


class Columns(Forward):
    """`table(values)` gives the value and its Jacobian as a matrix, or None.

    None where the argument is no array of floats of known rank, the value no such array or number,
    or a part of the function runs on tensors: then unit vectors are pushed one by one.
    """

    def __init__(self, function: Any, wrt: tuple[Any, ...], jit: Jit | None, zeros: bool) -> None:
        super().__init__(function, wrt, jit=jit, fallback="eager", zeros=zeros)
        self.tools = None

    @functools.cached_property
    def for_units(self) -> Columns:
        """The same for tangents that are unit vectors, at infinite slopes."""
        return Columns(self.function, self.wrt, self.jit, True)

    def table(self, values: tuple[Any, ...]) -> tuple[Any, Any] | None:
        """(value, (numbers in the value, numbers in the argument)); values: of all parameters."""
        guard, run = self._latest
        found = (run if guard(*values) else self._find(values))(*values)
        if found is None:
            return None
        y, columns = found
        rank = columns.ndim - np.ndim(y)
        return y, columns.reshape(math.prod(columns.shape[:rank]), np.size(y)).T

    def _memory(self) -> Memory | None:
        """What is kept of the columns of a gradient is found by the function behind it."""
        if self.jit is None:
            return None
        behind, key = self.function, [type(self).__name__, *self._options()]
        if isinstance(behind, Derivative):
            key += [behind.request, behind.jit, behind.fallback, behind.binder.members]
            behind = behind.function
        return Memory(repr(key), behind, self.binder.names)

    def _make(self, values: tuple[Any, ...]) -> Product:
        args = dict(zip(self.binder.names, values, strict=True))
        pushed = compile_forward(
            self.function, args, self.wrt, self.binder.members, zeros=self.zeros
        )
        name = self.wrt[0]
        count = len(pushed.function.parameters) - len(pushed.captures) - 1
        looped = None
        if name in pushed.function.types and name in pushed.function.parameters[:count]:
            looped = over_unit_vectors(pushed.function, pushed.function.parameters[count], name)
        if looped is None:
            raise UnsupportedError("no loop over unit vectors", None, "", "")
        pairs = dict.fromkeys(pushed.lowered.lowering.pairs.values())
        inner = [push_recursive(pair) for pair in pairs if pair.lowered is not None]
        product = Product(
            build([looped, *inner]), pushed.captures, None, pushed.lowered, pushed.output, looped
        )
        if self.jit:
            from s2sgrad.backend.jit.compile import jitted

            return jitted(product, self.jit)
        return product

    def _started(self, product: Found) -> Run:
        if isinstance(product, S2sgradError):
            return lambda *values: None
        return super()._started(product)

    def _eager(self) -> Run:
        return lambda *values: None


__all__ = ["Columns"]
