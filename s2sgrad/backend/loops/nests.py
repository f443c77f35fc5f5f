"""Floor 6: array statements as loop nests, whose bodies handle one element."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from s2sgrad.backend.loops.elements import (
    Axes,
    CannotLower,
    Context,
    Extent,
    Space,
    element,
    integer,
    is_array,
    space_of,
)
from s2sgrad.backend.loops.extents import total
from s2sgrad.backend.loops.leaves import Leaf, leaf
from s2sgrad.backend.loops.ranges import Moment
from s2sgrad.backend.loops.reductions import (
    START,
    Reduction,
    at_least_none,
    counted,
    divided,
    entries,
    is_ones,
    reduction,
    refused_if_empty,
    stepped,
)
from s2sgrad.ir import nodes
from s2sgrad.ir.names import Names
from s2sgrad.ir.nodes import Block, Call, Const, Expr, Index, Sequence, Stmt, Var
from s2sgrad.ir.sizes import ONE
from s2sgrad.ir.types import FLOAT, INT, Array, Scalar, Type
from s2sgrad.transform.writing.rewrite import map_block

DTYPE_TEXTS = {
    "float32": np.float32,
    "int64": np.int64,
    "bool": np.bool_,
    "complex128": np.complex128,
}


@dataclass(frozen=True, slots=True)
class Nest(nodes.Stmt):
    """Loops over a space, one for each extent; the body runs once for each point.

    The points are independent of each other, but for what is added up: any order will do.
    """

    indices: tuple[str, ...]
    extents: tuple[Extent, ...]
    body: Block = field(default=())

    def loops(self) -> Block:
        """The nest as ordinary loops."""
        block = expanded(self.body)
        for name, extent in reversed(tuple(zip(self.indices, self.extents, strict=True))):
            args: tuple[Expr, ...] = (extent.count,)
            first = _first_place(name, block)
            if first is not None:
                shifted = Call(np.add, "+", (Var(name), first), form="operator")
                block = map_block(block, lambda e, old=shifted, n=name: Var(n) if e == old else e)  # type: ignore[misc]
                args = (first, total(extent.count, first))
            trips = Call(range, "range", args, type=INT)
            block = (nodes.For((name,), (trips,), block, span=self.span),)
        return block


def _first_place(name: str, block: Block) -> Expr | None:
    """The e in a block that uses a counter as `counter + e` only, the same each time."""
    found: list[Expr] = []
    moving: set[str] = set()
    plain = 0
    for stmt in nodes.walk_block(block):
        moving |= set(nodes.targets_of(stmt))
        for expr in nodes.expressions(stmt):
            for node in nodes.walk(expr):
                match node:
                    case Call(text="+", form="operator", args=(Var(name=own), more)) if own == name:
                        found.append(more)
                    case Var(name=own) if own == name:
                        plain += 1
    if not found or plain != len(found) or any(more != found[0] for more in found):
        return None
    first = found[0]
    if isinstance(first, Const) or nodes.names_in(first) & (moving | {name}):
        return None
    return None if _is_taken(first) else first


def expanded(block: Block) -> Block:
    """The block with its nests as ordinary loops."""
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Nest():
                result += stmt.loops()
                continue
            case nodes.If(then=then, orelse=orelse):
                stmt = replace(stmt, then=expanded(then), orelse=expanded(orelse))
            case nodes.For(body=body) | nodes.While(body=body):
                stmt = replace(stmt, body=expanded(body))
        result.append(stmt)
    return tuple(result)


class Lowering:
    """Turns array statements of one function into nests.

    views: variable -> the part of an array that it stands for at this place.
    """

    def __init__(self, names: Names, types: dict[str, Type], checks: bool = False) -> None:
        self.names, self.types, self.checks = names, types, checks
        self.indices: list[str] = []
        self.views: dict[str, Leaf] = {}
        self.moment = Moment()

    def context(self) -> Context:
        return Context(self.names, self.types, self.views, self.checks, self.moment)

    def axes(self, extents: tuple[Extent, ...]) -> Axes:
        while len(self.indices) < len(extents):
            base = "ijkl"[min(len(self.indices), 3)]
            self.indices.append(self.names.fresh(base))
            self.types[self.indices[-1]] = INT
        pairs = zip(self.indices, extents, strict=False)
        return tuple((integer(0) if e.one else Var(n, type=INT), e) for n, e in pairs)

    def nest(self, axes: Axes, body: Block, span: Any) -> Nest:
        """The loops over the axes; one of length 1 needs none."""
        loops = [(v.name, e) for v, e in axes if isinstance(v, Var)]
        return Nest(tuple(n for n, _ in loops), tuple(e for _, e in loops), body, span=span)

    # --- statements --------------------------------------------------------------------------
    def assigned(self, target: str, value: Expr, span: Any) -> list[Stmt]:
        """`target = value` for an elementwise value: a new array, filled in loops."""
        kind = value.type
        if not isinstance(kind, Array):
            raise CannotLower("an array or a number")
        context = self.context()
        axes = self.axes(space_of(value, context))
        entry = element(value, axes, context)
        read = nodes.names_in(value) | nodes.names_in(entry)  # through other names for it, too
        read = read.union(*(nodes.names_in(e.count) for _, e in axes))  # its old lengths
        fresh = target if target not in read else self.names.fresh(target)
        self.types[fresh] = kind
        self.views.pop(target, None)  # its old lengths
        made = nodes.Assign((fresh,), (self.allocated(axes, kind),), span=span)
        self.known(fresh, kind, axes)
        place = tuple(v for v, _ in axes)
        store = nodes.Store(Var(fresh, type=kind), place, entry, span=span)
        after = (
            []
            if fresh == target
            else [nodes.Assign((target,), (Var(fresh, type=kind),), span=span)]
        )
        return [*context.before, made, self.nest(axes, (store,), span), *after]

    def known(self, name: str, kind: Array, axes: Axes) -> None:
        """Note the lengths of a new array."""
        extents = tuple(e for _, e in axes)
        if not any(name in nodes.names_in(e.count) for e in extents):
            self.views[name] = Leaf(Var(name, type=kind), extents, lambda ix: ix, str(kind.dtype))

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
        op = stmt.op.removesuffix("at")
        if op not in ("", "+", "-", "*", "/"):
            raise CannotLower("op")
        context = self.context()
        whole = Index(stmt.base, stmt.index, type=_part_type(stmt)) if stmt.index else stmt.base
        part = leaf(whole, context)
        if not part.extents or part.dtype not in ("float64", "complex128", "float32"):
            raise CannotLower("element")
        axes = self.axes(_best_known(part.extents, space_of(stmt.value, context), context))
        value = element(stmt.value, axes, context)
        place = part.at(tuple(v for v, _ in axes))
        store = nodes.Store(part.base, place, value, op, span=stmt.span)
        return [*context.before, self.nest(axes, (store,), stmt.span)]

    def added(self, stmt: nodes.Store) -> list[Stmt]:
        """`a[...] += np.sum(value, axis)`: entries are added where they belong, one by one."""
        assert isinstance(stmt.value, Call)
        found = reduction(stmt.value)
        kind = stmt.value.type
        if found.kind != "sum" or not isinstance(kind, Array) or stmt.op not in ("+", "-"):
            raise CannotLower("no sum")
        context = self.context()
        whole = Index(stmt.base, stmt.index, type=_part_type(stmt)) if stmt.index else stmt.base
        part = leaf(whole, context)
        axes = self.axes(space_of(found.value, context))
        over = tuple(a % len(axes) for a in found.over or range(len(axes)))
        _as_long_as(found, axes, context)
        single = (integer(0), Extent(ONE, None, integer(1)))
        kept = tuple(a for k, a in enumerate(axes) if k not in over)
        result = tuple(a if k not in over else single for k, a in enumerate(axes))
        result = result if found.keep else kept
        if len(result) != len(part.extents) or part.dtype != "float64" or not _loops(kept):
            raise CannotLower("rank")
        for (_, extent), own in zip(result, part.extents, strict=True):
            context.require(own, extent)
        entry = element(found.value, axes, context)
        place = part.at(tuple(v for v, _ in result))
        if not _trailing(over, axes):
            store = nodes.Store(part.base, place, entry, stmt.op, span=stmt.span)
            return [*context.before, self.nest(axes, (store,), stmt.span)]
        name = self.names.fresh("total")
        self.types[name] = FLOAT
        total = Var(name, type=FLOAT)
        step = nodes.Assign((name,), (stepped("sum", total, entry),), span=stmt.span)
        inner = tuple(a for k, a in enumerate(axes) if k in over)
        block = (
            nodes.Assign((name,), (Const(0.0, type=FLOAT),), span=stmt.span),
            self.nest(inner, (step,), stmt.span),
            nodes.Store(part.base, place, total, stmt.op, span=stmt.span),
        )
        return [*context.before, self.nest(kept, block, stmt.span)]

    # --- reductions --------------------------------------------------------------------------
    def reduced(self, expr: Call, target: str) -> list[Stmt]:
        """`target = np.sum(value, axis, keepdims)` and the like, with accumulators."""
        found = reduction(expr)
        value = found.value
        if is_ones(value) and isinstance(expr.type, Scalar):
            return [nodes.Assign((target,), (entries(value),), span=expr.span)]
        if is_ones(value) and isinstance(expr.type, Array):
            return self.assigned(target, counted(expr, found), expr.span)
        context = self.context()
        axes = self.axes(space_of(value, context))
        entry = element(value, axes, context)
        read = nodes.names_in(entry).union(*(nodes.names_in(e.count) for _, e in axes))
        if target in read:  # through another name for it, or for its old length
            fresh = self.names.fresh(target)
            moved = nodes.Assign((target,), (Var(fresh, type=expr.type),), span=expr.span)
            made = self.reduced(expr, fresh)
            self.views.pop(target, None)  # its old lengths
            return [*made, moved]
        _as_long_as(found, axes, context)
        over = found.over
        over = tuple(range(len(axes))) if over is None else tuple(a % len(axes) for a in over)
        if found.kind in ("max", "min"):
            context.before += refused_if_empty(found.kind, [e for _, e in axes], over)
        self.types[target] = expr.type
        dtype = str(value.type.dtype)  # type: ignore[attr-defined]
        first = Const(START[found.kind], type=FLOAT) if dtype == "float64" else Const(0, type=INT)
        if isinstance(expr.type, Scalar):
            body = self._whole(found, target, entry, axes, first, expr.span)
        else:
            body = self._partly(found, expr, target, entry, axes, over, first)
        return [*context.before, *body]

    def _whole(
        self, found: Reduction, target: str, entry: Expr, axes: Axes, first: Const, span: Any
    ) -> list[Stmt]:
        now = Var(target, type=Scalar(str(found.value.type.dtype)))  # type: ignore[attr-defined]
        step = nodes.Assign((target,), (stepped(found.kind, now, entry),), span=span)
        init = nodes.Assign((target,), (first,), span=span)
        after: list[Stmt] = []
        if found.kind == "mean":
            count = tuple(at_least_none(e) for _, e in axes)
            after = [nodes.Assign((target,), (divided(now, count),), span=span)]
        return [init, self.nest(axes, (step,), span), *after]

    def _partly(
        self, found: Reduction, expr: Call, target: str, entry: Expr, axes: Axes,
        over: tuple[int, ...], first: Const,
    ) -> list[Stmt]:  # fmt: skip
        """A reduction over some axes: one accumulator for each entry of the result."""
        kind, span = found.kind, expr.span
        kept = tuple(a for k, a in enumerate(axes) if k not in over)
        single = (integer(0), Extent(ONE, None, integer(1)))
        whole = tuple(a if k not in over else single for k, a in enumerate(axes))
        result = whole if found.keep else kept
        count = tuple(at_least_none(axes[k][1]) for k in over)
        array = Var(target, type=expr.type)
        assert isinstance(expr.type, Array)
        made = nodes.Assign((target,), (self.allocated(result, expr.type),), span=span)
        self.known(target, expr.type, result)
        place = tuple(v for v, _ in result)
        if _trailing(over, axes):
            name = self.names.fresh("total")
            self.types[name] = first.type
            total = Var(name, type=first.type)
            final = divided(total, count) if kind == "mean" else total
            inner_axes = tuple(a for k, a in enumerate(axes) if k in over)
            step = nodes.Assign((name,), (stepped(kind, total, entry),), span=span)
            init = nodes.Assign((name,), (first,), span=span)
            last = nodes.Store(array, place, final, span=span)
            block = (init, self.nest(inner_axes, (step,), span), last)
            return [made, self.nest(kept, block, span)] if _loops(kept) else [made, *block]
        cell = Index(array, place, type=Scalar(str(expr.type.dtype)))
        start = self.nest(kept, (nodes.Store(array, place, first, span=span),), span)
        if kind in ("sum", "mean"):
            adding = nodes.Store(array, place, entry, "+", span=span)
        else:
            adding = nodes.Store(array, place, stepped(kind, cell, entry), span=span)
        steps: list[Stmt] = [made, start, self.nest(axes, (adding,), span)]
        if kind == "mean":
            last = nodes.Store(array, place, divided(cell, count), span=span)
            steps.append(self.nest(kept, (last,), span))
        return steps


def _as_long_as(found: Reduction, axes: Axes, context: Context) -> None:
    """Make sure that what is left has the lengths that are wanted."""
    if found.like is None or found.over is None:
        return
    wanted = space_of(found.like, context)
    left = [e for k, (_, e) in enumerate(axes) if k not in found.over or found.keep]
    for k, (own, like) in enumerate(zip(left, wanted, strict=True)):
        if not (found.keep and k in found.over):
            context.require(own, like)


def _is_taken(part: Expr) -> bool:
    """Whether a subscript is read from an array of places."""
    return any(isinstance(n, Index) and is_array(n.base) for n in nodes.walk(part))


def _trailing(over: tuple[int, ...], axes: Axes) -> bool:
    """Whether the axes that are summed over are the last ones."""
    first = min(over, default=len(axes))
    return first > max((k for k in range(len(axes)) if k not in over), default=-1)


def _loops(axes: Axes) -> bool:
    return any(isinstance(v, Var) for v, _ in axes)


def _best_known(own: Space, value: Space, context: Context) -> Space:
    """The extents of what is written; where the value's are known better, those, once compared."""
    found = list(own)
    for k, extent in enumerate(value, len(own) - len(value)):
        if k >= 0 and own[k].size is None and extent.size is not None and not extent.one:
            context.require(own[k], extent)
            found[k] = extent
    return tuple(found)


def _part_type(stmt: nodes.Store) -> Type:
    from s2sgrad.analysis.indexing import infer_index

    return infer_index(stmt.base.type, stmt.index)


__all__ = ["CannotLower", "Lowering", "Nest", "expanded"]
