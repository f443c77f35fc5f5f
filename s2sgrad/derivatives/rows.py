"""Floor 8: one generated function that runs the reverse sweep over all unit cotangents."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.backend.jit.options import Jit
from s2sgrad.backend.module import build
from s2sgrad.calls.recall import Memory
from s2sgrad.calls.specialised import Found, Run, Specialised
from s2sgrad.derivatives.basis import leaves, length
from s2sgrad.derivatives.results import holds_classes
from s2sgrad.errors import S2sgradError, UnsupportedError
from s2sgrad.frontend.functions.held_values import held_value
from s2sgrad.ir.assumptions import relying_on
from s2sgrad.ir.types import carries
from s2sgrad.pipeline import (
    Product,
    _captures,
    _name_members,
    _refuse_objects,
    output_type,
    recursive_functions,
    with_islands,
)
from s2sgrad.transform.preparing.primal import leaf_names
from s2sgrad.transform.reverse.pullback import pullback
from s2sgrad.transform.reverse.rows import over_unit_cotangents


class Rows(Specialised):
    """`table(values)` gives the value and its Jacobian as a matrix, or None.

    None where a result or an argument is no float or array of floats of known rank, or a part of
    the function runs on tensors: then unit cotangents are pulled back one by one.
    """

    def __init__(self, function: Any, wrt: tuple[Any, ...], jit: Jit | None) -> None:
        super().__init__(function, jit=jit, fallback="eager")
        self.wrt = self.binder.names_of(tuple(wrt))[0]
        self.tools = None

    def table(self, values: tuple[Any, ...]) -> tuple[Any, Any] | None:
        """(value, (numbers in the value, numbers in the arguments)); values: of all parameters."""
        guard, run = self._latest
        found = (run if guard(*values) else self._find(values))(*values)
        if found is None:
            return None
        y, rows = found
        several = rows if isinstance(rows, tuple) else (rows,)
        inputs = [
            np.size(leaf) for name in self.wrt for leaf in leaves(self.binder.pick(name, values))
        ]
        if len(inputs) != len(several):
            return None
        parts = [np.reshape(r, (length(y), n)) for r, n in zip(several, inputs, strict=True)]
        return y, (parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1))

    def _memory(self) -> Memory | None:
        if self.jit is None:
            return None
        key = (type(self).__name__, self.wrt, self.jit, self.binder.members)
        return Memory(repr(key), self.function, self.binder.names)

    def _make(self, values: tuple[Any, ...]) -> Product:
        for name in self.wrt:
            self.binder.pick(name, values)  # members must be there
        args = dict(zip(self.binder.names, values, strict=True))
        product = with_islands(self.function, args, None, self._looped)
        if self.jit:
            from s2sgrad.backend.jit.compile import jitted

            return jitted(product, self.jit)
        return product

    def _looped(self, lowered: Any) -> Product:
        _refuse_objects(lowered)
        if holds_classes(output_type(lowered)):
            raise UnsupportedError("no loop over unit cotangents", None, "", "")
        _name_members(lowered, self.binder.members, self.wrt)
        heap, arguments = lowered.initial_heap, lowered.arguments
        with relying_on(lowered.assumptions):
            pair = pullback(lowered, self.wrt, arguments, heap, False, self.jit is not None)
        types = lowered.function.types
        names = [leaf for name in self.wrt for leaf in leaf_names(arguments[name], heap)]
        leaves = {leaf: types[leaf] for leaf in names if carries(types[leaf])}
        made = over_unit_cotangents(pair, leaves)
        if made is None:
            raise UnsupportedError("no loop over unit cotangents", None, "", "")
        functions = [made, *recursive_functions(lowered)]
        compiled = build(functions, quiet=self.jit is None)
        return Product(compiled, _captures(lowered), None, lowered, output_type(lowered), made)

    def _started(self, product: Found) -> Run:
        if isinstance(product, S2sgradError):
            return lambda *values: None
        return super()._started(product)

    def _bound(self, product: Product) -> Run:
        compiled, captures, fn = product.compiled, product.captures, product.compiled.fn

        def run(*values: Any) -> Any:
            try:
                return fn(*values, *[held_value(name, where) for name, where in captures])
            except Exception as error:
                compiled.note(error)
                raise

        return run

    def _eager(self) -> Run:
        return lambda *values: None


__all__ = ["Rows"]
