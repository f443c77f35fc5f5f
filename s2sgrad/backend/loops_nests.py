"""Floor 6: array statements as loop nests, whose bodies handle one element."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from s2sgrad.backend.loops_elements import (
    DTYPES,
    Axes,
    CannotLower,
    Context,
    Extent,
    add,
    array_shape,
    constant,
    element,
    is_array,
    is_flip,
    is_outer,
    is_same_shape,
    leaf,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Sequence, Stmt, Var
from s2sgrad.ir.sizes import ONE
from s2sgrad.ir.types import FLOAT, INT, Array, Scalar, Type

DTYPE_TEXTS = {
    "float32": np.float32,
    "int64": np.int64,
    "bool": np.bool_,
    "complex128": np.complex128,
}


@dataclass(frozen=True, slots=True)
class Nest(nodes.Stmt):
    """Loops over a space, one for each extent; the body runs once for each point."""

    indices: tuple[str, ...]
    extents: tuple[Extent, ...]
    body: Block = field(default=())

    def loops(self) -> Stmt:
        """The nest as ordinary loops."""
        block = self.body
        for name, extent in reversed(tuple(zip(self.indices, self.extents, strict=True))):
            trips = Call(range, "range", (extent.count,), type=INT)
            block = (nodes.For((name,), (trips,), block, span=self.span),)
        return block[0]


class Lowering:
    """Turns array statements of one function into nests."""

    def __init__(self, names: Names, types: dict[str, Type]) -> None:
        self.names, self.types = names, types
        self.indices: list[str] = []

    # --- spaces ------------------------------------------------------------------------------
    def axes(self, extents: tuple[Extent, ...]) -> Axes:
        while len(self.indices) < len(extents):
            base = "ijkl"[min(len(self.indices), 3)]
            self.indices.append(self.names.fresh(base))
            self.types[self.indices[-1]] = INT
        return tuple((Var(n, type=INT), e) for n, e in zip(self.indices, extents, strict=False))

    def nest(self, axes: Axes, body: Block, span: Any) -> Nest:
        return Nest(tuple(v.name for v, _ in axes), tuple(e for _, e in axes), body, span=span)  # type: ignore[attr-defined]

    def space(self, expr: Expr, context: Context) -> tuple[Extent, ...]:
        """The extents of an elementwise result, from its leaves."""
        if is_outer(expr):
            rows, columns = (self.space(a, context) for a in expr.args)  # type: ignore[attr-defined]
            return (*rows, *columns)
        found: list[Extent | None] = [None] * len(array_shape(expr) or ())
        for part in operands(expr):
            try:
                extents = leaf(part, Context(Names(), {})).extents
            except CannotLower:
                continue
            if len(extents) > len(found):
                raise CannotLower("rank")
            for k, extent in enumerate(extents, len(found) - len(extents)):
                now = found[k]
                if now is None or now.one:
                    found[k] = extent
        if any(e is None for e in found):
            raise CannotLower("no operand has the result's shape")
        return tuple(leaf_extents(expr, found, context))

    # --- statements --------------------------------------------------------------------------
    def assigned(self, target: str, value: Expr, span: Any) -> list[Stmt]:
        """`target = value` for an elementwise value: a new array, filled in loops."""
        kind = value.type
        assert isinstance(kind, Array)
        context = Context(self.names, self.types)
        axes = self.axes(self.space(value, context))
        entry = element(value, axes, context)
        fresh = target if target not in nodes.names_in(value) else self.names.fresh(target)
        self.types[fresh] = kind
        made = nodes.Assign((fresh,), (self.allocated(axes, kind),), span=span)
        place = tuple(v for v, _ in axes)
        store = nodes.Store(Var(fresh, type=kind), place, entry, span=span)
        after = (
            []
            if fresh == target
            else [nodes.Assign((target,), (Var(fresh, type=kind),), span=span)]
        )
        return [*context.before, made, self.nest(axes, (store,), span), *after]

    def allocated(self, axes: Axes, kind: Array) -> Expr:
        counts = tuple(e.count for _, e in axes)
        shape: Expr = Sequence("tuple", counts) if len(counts) > 1 else counts[0]
        args: tuple[Expr, ...] = (shape,)
        if kind.dtype in DTYPE_TEXTS:
            dtype = DTYPE_TEXTS[kind.dtype]
            args += (
                nodes.Ref(f"np.{dtype.__name__}" if kind.dtype != "bool" else "np.bool_", dtype),
            )
        return Call(np.empty, "np.empty", args, type=kind)

    def stored(self, stmt: nodes.Store) -> list[Stmt]:
        """A write into a part of an array, element by element."""
        if stmt.op not in ("", "+", "-", "*", "/"):
            raise CannotLower("op")
        context = Context(self.names, self.types)
        whole = Index(stmt.base, stmt.index, type=_part_type(stmt)) if stmt.index else stmt.base
        part = leaf(whole, context)
        if not part.extents or part.dtype not in ("float64", "complex128", "float32"):
            raise CannotLower("element")
        axes = self.axes(part.extents)
        value = element(stmt.value, axes, context)
        place = part.at(tuple(v for v, _ in axes))
        store = nodes.Store(part.base, place, value, stmt.op, span=stmt.span)
        return [*context.before, self.nest(axes, (store,), stmt.span)]

    # --- reductions --------------------------------------------------------------------------
    def reduced(self, expr: Call, target: str) -> list[Stmt]:
        """`target = np.sum(value, axis, keepdims)` and the like, with accumulators."""
        kind, value, over, keep = reduction(expr)
        if is_ones(value) and isinstance(expr.type, Scalar):
            return [nodes.Assign((target,), (entries(value),), span=expr.span)]
        context = Context(self.names, self.types)
        space = self.space(value, context)
        axes = self.axes(space)
        entry = element(value, axes, context)
        over = tuple(range(len(axes))) if over is None else tuple(a % len(axes) for a in over)
        self.types[target] = expr.type
        count = tuple(axes[k][1].count for k in over)
        first = {"sum": 0.0, "mean": 0.0, "max": -np.inf, "min": np.inf}[kind]
        start = Const(first, type=FLOAT) if value.type.dtype == "float64" else Const(0, type=INT)  # type: ignore[attr-defined]
        dtype = Scalar(str(value.type.dtype))  # type: ignore[attr-defined]
        if isinstance(expr.type, Scalar):
            now: Expr = Var(target, type=dtype)
            body: Stmt = nodes.Assign((target,), (combined(kind, now, entry),), span=expr.span)
            init: Stmt = nodes.Assign((target,), (start,), span=expr.span)
            after: list[Stmt] = []
            if kind == "mean":
                after = [nodes.Assign((target,), (divided(now, count),), span=expr.span)]
            return [*context.before, init, self.nest(axes, (body,), expr.span), *after]
        return [
            *context.before,
            *self._partly(expr, kind, target, entry, axes, over, keep, start, count),
        ]

    def _partly(
        self, expr: Call, kind: str, target: str, entry: Expr, axes: Axes, over: tuple[int, ...],
        keep: bool, start: Const, count: tuple[Expr, ...],
    ) -> list[Stmt]:  # fmt: skip
        """A reduction over some axes: one accumulator for each entry of the result."""
        kept = [a for k, a in enumerate(axes) if k not in over]
        whole = [
            a if k not in over else (Const(0, type=INT), Extent(ONE, None, Const(1, type=INT)))
            for k, a in enumerate(axes)
        ]
        result = tuple(whole) if keep else tuple(kept)
        array = Var(target, type=expr.type)
        assert isinstance(expr.type, Array)
        made = nodes.Assign((target,), (self.allocated(result, expr.type),), span=expr.span)
        place = tuple(v for v, _ in result)
        sum_name = self.names.fresh("total")
        self.types[sum_name] = FLOAT
        total = Var(sum_name, type=FLOAT)
        final: Expr = divided(total, count) if kind == "mean" else total
        trailing = min(over) > max((k for k in range(len(axes)) if k not in over), default=-1)
        if trailing:
            inner_axes = tuple(a for k, a in enumerate(axes) if k in over)
            adding = nodes.Assign((sum_name,), (combined(kind, total, entry),), span=expr.span)
            inner = self.nest(inner_axes, (adding,), expr.span)
            body: Block = (
                nodes.Assign((sum_name,), (start,), span=expr.span),
                inner.loops(),
                nodes.Store(array, place, final, span=expr.span),
            )
            if not kept:
                return [made, body[0], inner, body[2]]
            return [made, self.nest(tuple(kept), body, expr.span)]
        cell = Index(array, place, type=Scalar(str(expr.type.dtype)))
        first = self.nest(
            tuple(kept), (nodes.Store(array, place, start, span=expr.span),), expr.span
        )
        if kind in ("sum", "mean"):
            step: Stmt = nodes.Store(array, place, entry, "+", span=expr.span)
        else:
            step = nodes.Store(array, place, combined(kind, cell, entry), span=expr.span)
        steps: list[Stmt] = [made, first, self.nest(axes, (step,), expr.span)]
        if kind == "mean":
            last = nodes.Store(array, place, divided(cell, count), span=expr.span)
            steps.append(self.nest(tuple(kept), (last,), expr.span))
        return steps


def combined(kind: str, now: Expr, entry: Expr) -> Expr:
    if kind in ("max", "min"):
        function: Any = np.maximum if kind == "max" else np.minimum
        return Call(function, f"np.{function.__name__}", (now, entry), type=now.type)
    sign, function = ("*", np.multiply) if kind == "prod" else ("+", np.add)
    return Call(function, sign, (now, entry), form="operator", type=now.type)


def divided(total: Expr, counts: tuple[Expr, ...]) -> Expr:
    count = counts[0]
    for more in counts[1:]:
        count = Call(np.multiply, "*", (count, more), form="operator", type=INT)
    return Call(np.divide, "/", (total, count), form="operator", type=total.type)


def operands(expr: Expr) -> list[Expr]:
    """The array operands below elementwise operations."""
    if is_same_shape(expr):
        return operands(expr.args[0])  # type: ignore[attr-defined]
    if is_outer(expr):
        return []
    if isinstance(expr, Call) and is_elementwise(expr):
        return [p for a in expr.args if not isinstance(a, Const) for p in operands(a)]
    return [expr] if is_array(expr) else []


def leaf_extents(expr: Expr, found: list[Extent | None], context: Context) -> list[Extent]:
    """The extents once more, with their helper variables in the real context."""
    result: list[Extent | None] = [None] * len(found)
    for part in operands(expr):
        try:
            plain = leaf(part, Context(Names(), {})).extents
        except CannotLower:
            continue
        offset = len(found) - len(plain)
        wanted = [
            k
            for k, e in enumerate(plain)
            if result[k + offset] is None
            and (other := found[k + offset]) is not None
            and (e.same(other) or (e.one and other.one))
        ]
        if wanted:
            real = leaf(part, context).extents
            for k in wanted:
                result[k + offset] = real[k]
    if any(e is None for e in result):
        raise CannotLower("space")
    return [e for e in result if e is not None]


def is_elementwise(expr: Expr) -> bool:
    """Whether an array-valued call works entry by entry."""
    if not isinstance(expr, Call) or expr.kwargs or not is_array(expr):
        return False
    if expr.form == "method":
        return expr.text == "copy" and not isinstance(expr.args[0], Var)
    if expr.form == "operator":
        return expr.text != "@"
    if is_flip(expr) or is_same_shape(expr) or is_outer(expr):
        return True
    return expr.form == "call" and (
        (isinstance(expr.function, np.ufunc) and expr.function.nout == 1)
        or (expr.text == "np.where" and len(expr.args) == 3)
    )


def is_ones(value: Expr) -> bool:
    """Whether a value is an array of ones of a shape given by a tuple."""
    return (
        isinstance(value, Call)
        and value.text == "np.ones"
        and len(value.args) == 1
        and isinstance(value.args[0], Sequence)
    )


def entries(value: Expr) -> Expr:
    """How many entries an array of ones has: its sum, as a float."""
    assert isinstance(value, Call) and isinstance(value.args[0], Sequence)
    count: Expr = Const(1.0, type=FLOAT)
    for size in value.args[0].items:
        count = Call(np.multiply, "*", (count, size), form="operator", type=FLOAT)
    return count


def _dot_as_sum(expr: Call) -> Expr | None:
    """The product whose sum a dot product of parts of arrays is; BLAS is for whole arrays."""
    if expr.text not in ("np.dot", "@") or len(expr.args) != 2 or expr.kwargs:
        return None
    if not any(isinstance(a, Index) and len(a.index) > 1 for a in expr.args):
        return None
    kinds = [a.type for a in expr.args]
    if not all(
        isinstance(k, Array) and k.dtype == "float64" and k.shape is not None and len(k.shape) == 1
        for k in kinds
    ):
        return None
    if not isinstance(expr.type, Scalar):
        return None
    return Call(np.multiply, "*", expr.args, form="operator", type=kinds[0])


_REDUCTIONS = {
    "sum": "sum",
    "mean": "mean",
    "max": "max",
    "min": "min",
    "amax": "max",
    "amin": "min",
}


def reduction(expr: Expr) -> tuple[str, Expr, tuple[int, ...] | None, bool]:
    """(kind, value, axes, keepdims) of a reduction with constant options."""
    if isinstance(expr, Call):
        product = _dot_as_sum(expr)
        if product is not None:
            return "sum", product, None, False
    if not isinstance(expr, Call) or expr.form not in ("call", "method") or not expr.args:
        raise CannotLower("no reduction")
    name = expr.text.removeprefix("np.")
    value = expr.args[0]
    if (
        name not in _REDUCTIONS
        or not is_array(value)
        or (expr.form == "call" and not expr.text.startswith("np."))
    ):
        raise CannotLower("no reduction")
    dtype = value.type.dtype  # type: ignore[attr-defined]
    counts = dtype in ("bool", "int64") and name == "sum"
    if (dtype != "float64" and not counts) or len(expr.args) > 2:
        raise CannotLower("dtype")
    options = dict(expr.kwargs)
    if len(expr.args) == 2:
        options["axis"] = expr.args[1]
    if set(options) - {"axis", "keepdims"}:
        raise CannotLower("options")
    keep = options.get("keepdims", Const(False))
    axis = options.get("axis", Const(None))
    if not isinstance(keep, Const):
        raise CannotLower("keepdims")
    if not isinstance(expr.type, Scalar | Array) or (
        isinstance(expr.type, Array)
        and (expr.type.shape in (None, ()) or expr.type.dtype not in DTYPES)
    ):
        raise CannotLower("type")
    return _REDUCTIONS[name], value, _axes(axis), bool(keep.value)


def _axes(axis: Expr) -> tuple[int, ...] | None:
    if isinstance(axis, Const) and axis.value is None:
        return None
    if isinstance(axis, Const) and isinstance(axis.value, tuple):
        return axis.value
    parts = axis.items if isinstance(axis, Sequence) else (axis,)
    found = []
    for part in parts:
        value = constant(part, 0)
        if value is None:
            raise CannotLower("axis")
        found.append(value)
    return tuple(found)


def _part_type(stmt: nodes.Store) -> Type:
    kind = stmt.base.type
    assert isinstance(kind, Array)
    return kind


__all__ = ["Lowering", "Nest", "add", "is_elementwise", "operands", "reduction", "replace"]
