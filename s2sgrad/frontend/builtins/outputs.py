"""Floor 4: `np.f(x, out=a, where=mask)`, as a store into a."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import numpy as np

from s2sgrad.analysis.activity import rule_of
from s2sgrad.analysis.effects import basic_index, root
from s2sgrad.analysis.memory import hashable
from s2sgrad.analysis.positive import AT_ZERO
from s2sgrad.errors import Span
from s2sgrad.frontend.expressions.object_arrays import ObjectArrays
from s2sgrad.frontend.values import Dyn, Static, Value
from s2sgrad.ir import nodes
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.types import Array, Number, shape_of
from s2sgrad.rules.methods import place_of_out, place_of_output


class Outputs(ObjectArrays):
    """Lowering of the arguments that say where a result goes."""

    apply: Any
    emit_store: Any
    call: Any

    def taken_out(self, function: Any, args: list[Value], kwargs: dict[str, Value]) -> Value | None:
        """The array for the result, taken out of the arguments; None for a new one."""
        out: Value | None = kwargs.pop("out", None)
        place = place_of_out(function) if hashable(function) else None
        if place is not None and len(args) > place:
            given = args[place:] if isinstance(function, np.ufunc) else [args[place]]
            if isinstance(function, np.ufunc) and len(given) < function.nout:
                given = [*given, *[Static(None)] * (function.nout - len(given))]
            out = self.sequence(given) if len(given) > 1 else given[0]
            rest = [] if isinstance(function, np.ufunc) else args[place + 1 :]
            args[place:] = [Static(None), *rest] if rest else []
        if isinstance(out, Static) and out.value is None:
            return None
        items = self.static_items(out) if out is not None else None
        return items[0] if items is not None and len(items) == 1 else out

    def written_into(
        self, function: Static, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """A call of scipy.ndimage with an array for its result; None without one."""
        place = place_of_output(function.value) if hashable(function.value) else None
        given = args[place] if place is not None and place < len(args) else kwargs.get("output")
        if place is None or not isinstance(given, Dyn):
            return None
        if not isinstance(given.type, Array | Number):
            return None  # a dtype
        args = [Static(None) if i == place else a for i, a in enumerate(args)]
        kwargs = {k: v for k, v in kwargs.items() if k != "output"}
        return self.store_out(given, self.call(function, args, kwargs, node), None, node)

    def in_complex(
        self, function: Any, args: list[Value], dtype: Value | None, node: ast.AST | None
    ) -> list[Value]:
        """The arguments of a ufunc that is told to compute in complex numbers, as such: the slope
        of `np.sqrt(x, dtype=complex)` at a negative x is a number."""
        told = isinstance(function, np.ufunc) and isinstance(dtype, Static)
        if not told or dtype.value is None or np.dtype(dtype.value).kind != "c":  # type: ignore[union-attr]
            return args
        real = [
            isinstance(a, Dyn) and not is_complex_dtype(getattr(a.type, "dtype", None))
            for a in args
        ]
        return [
            self.apply(np.asarray, "np.asarray", [a, dtype], node=node) if is_real else a
            for a, is_real in zip(args, real, strict=True)
        ]

    def keep_inputs(self, function: Any, args: list[Value], kwargs: dict[str, Value]) -> None:
        """Leave out `overwrite_a=True` and its kin: the reverse sweep reads what they destroy; and
        what is said anyway, as `where=True`, where the rule does not know it."""
        rule = rule_of(function)
        for name in list(kwargs):
            unknown = rule is not None and name not in rule.parameters
            if name.startswith("overwrite_") or (unknown and _usual(function, name, kwargs[name])):
                del kwargs[name]
        for i, name in enumerate(rule.parameters[: len(args)] if rule is not None else ()):
            if name.startswith("overwrite_"):
                args[i] = Static(False)

    def left_out(
        self, function: Any, args: list[Value], mask: Value | None, node: ast.AST | None
    ) -> Value | None:
        """The mask of a ufunc under a name. What it leaves out is one where zero is no argument to
        compute with: `np.where(mask, a / np.where(mask, b, 1), out)` warns of no division."""
        place = AT_ZERO.get(function)
        if mask is None or place is None or place >= len(args) or not isinstance(args[place], Dyn):
            return mask
        expr = self.residual(mask, node)
        if not isinstance(expr, nodes.Var | nodes.Const):
            mask = Dyn(self.builder.bind("mask", expr, self.span(node)))
        args[place] = self.apply(np.where, "np.where", [mask, args[place], Static(1)], node=node)
        return mask

    def store_out(
        self, out: Value, value: Value, mask: Value | None, node: ast.AST | None
    ) -> Value:
        """Write a result into an array, where a mask (of a ufunc) is true."""
        outs = self.static_items(out)
        if outs is not None and len(outs) > 1:  # which may be what the results are made of
            expr = self.residual(value, node)
            name = expr.function.__name__ if isinstance(expr, nodes.Call) else "results"
            value = Dyn(self.named(value, name, node))
            parts = self.iterate(value, node or ast.Pass()) or []
            held = [o for o in outs if o != Static(None)]
            pairs = zip(outs, parts, strict=True)
            return self.sequence(
                [
                    self._as_large(p, held[0], node) if o == Static(None) else
                    self.store_out(o, p, mask, node)
                    for o, p in pairs
                ]
            )  # fmt: skip
        base = self.residual(out, node)
        if root(base) is None:  # made in the call: `out=np.zeros(3)`
            base = self.builder.bind("out", base, self.span(node))
        if mask is not None:
            value = self.apply(np.where, "np.where", [mask, value, Dyn(base)], node=node)
        self.emit_store(stored_whole(base, self.residual(value, node), self.span(node)))
        return Dyn(base)

    def _as_large(self, part: Value, out: Value, node: ast.AST | None) -> Value:
        """A result without an array to go to: of the shape that the other's array has."""
        part_type, type_ = (getattr(v, "type", None) for v in (part, out))
        if part_type is not None and type_ is not None and shape_of(part_type) == shape_of(type_):
            return part
        shape = self.apply(np.shape, "np.shape", [out], node=node)
        return self.apply(np.broadcast_to, "np.broadcast_to", [part, shape], node=node)


def stored_whole(base: nodes.Expr, value: nodes.Expr, span: Span | None) -> nodes.Store:
    """A write of a whole array: `a[1:-1] = value` for the view `a[1:-1]`."""
    if not (isinstance(base, nodes.Index) and basic_index(base.index)):
        return nodes.Store(base, (), value, span=span)
    arrays = isinstance(base.type, Array) and isinstance(base.base.type, Array)
    place = (base.base, base.index) if arrays else (base, ())
    return nodes.Store(*place, value, span=span)


def _usual(function: Any, name: str, value: Value) -> bool:
    """Whether an argument is given as what it is without being given."""
    if not isinstance(value, Static):
        return False
    if isinstance(function, np.ufunc):
        return name == "where" and value.value is True
    try:
        default = inspect.signature(function).parameters[name].default
    except (KeyError, TypeError, ValueError):
        return False
    return value.value is default
