"""Floor 6: parts of arrays that loops read and write entry by entry, without making them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from s2sgrad.analysis.indexing import constant_of
from s2sgrad.backend.loops.extents import (
    CannotLower,
    Context,
    Extent,
    add,
    count_of,
    divided,
    integer,
    subtract,
    times,
)
from s2sgrad.backend.loops.places import Taken, from_start, is_integer
from s2sgrad.ir import nodes
from s2sgrad.ir.nodes import Call, Const, Expr, Index, Slice, Var
from s2sgrad.ir.sizes import ONE, Size, changes, of
from s2sgrad.ir.types import INT, Array, Scalar, Type

DTYPES = frozenset({"float64", "float32", "complex128", "int64", "bool"})


@dataclass(frozen=True)
class Leaf:
    """Part of an array: for each axis of the part, its extent and how its index is made.

    at: result indices -> index of the base, one entry per base axis. moved: the axes along which
    entry k is not entry k of a whole axis of the base: a k that counts from the end means another.
    """

    base: Var
    extents: tuple[Extent, ...]
    at: Callable[[tuple[Expr, ...]], tuple[Expr, ...]] = field(compare=False)
    dtype: str = "float64"
    moved: frozenset[int] = frozenset()

    def element(self, indices: tuple[Expr, ...]) -> Expr:
        return Index(self.base, self.at(indices), type=Scalar(self.dtype))

    def names(self) -> frozenset[str]:
        """The variables that say where the part is."""
        found = {self.base.name}
        parts = self.at(tuple(integer(0) for _ in self.extents))
        for expr in (*parts, *(e.count for e in self.extents)):
            found |= nodes.names_in(expr)
        return frozenset(found)


def leaf(expr: Expr, context: Context) -> Leaf:
    """An array variable, or a part of one made by slices, integers, new axes and index arrays."""
    kind = expr.type
    if not isinstance(kind, Array) or kind.shape is None or kind.dtype not in DTYPES:
        raise CannotLower("leaf")
    if isinstance(expr, Var):
        held = context.views.get(expr.name)
        if held is not None:
            return held  # type: ignore[no-any-return]
        extents = tuple(
            Extent(s, ("axis", context.moment.told(expr), k), count_of(expr, k, s))
            for k, s in enumerate(kind.shape)
        )
        return Leaf(expr, extents, lambda ix: ix, kind.dtype)
    if isinstance(expr, Call) and expr.form == "attribute" and expr.text == "T":
        inner = leaf(expr.args[0], context)
        last = len(inner.extents) - 1
        moved = frozenset(last - axis for axis in inner.moved)
        at = lambda ix: inner.at(ix[::-1])  # noqa: E731
        return replace(inner, extents=inner.extents[::-1], at=at, moved=moved)
    if isinstance(expr, Index) and _is_array(expr.base.type):
        return _part(expr, context)
    raise CannotLower("leaf")


def _is_array(kind: Type) -> bool:
    return isinstance(kind, Array) and kind.shape != ()


def _part(expr: Index, context: Context) -> Leaf:
    inner = leaf(expr.base, context)
    makers: list[Callable[[list[Expr]], Expr]] = []
    extents: list[Extent] = []
    moved: set[int] = set()
    sizes = expr.type.shape if isinstance(expr.type, Array) else None
    index = _full(expr.index, len(inner.extents))
    taken = Taken(index, context, leaf)
    axis = 0
    for k, part in enumerate(index):
        if k == taken.first:
            moved |= set(range(len(extents), len(extents) + len(taken.space)))
            extents += taken.space
        known = sizes[len(extents)] if sizes is not None and len(extents) < len(sizes) else None
        if isinstance(part, Const) and part.value is None:
            extents.append(Extent(ONE, None, integer(1)))
            continue
        own, elsewhere = inner.extents[axis], axis in inner.moved
        axis += 1
        if isinstance(part, Slice):
            start, step, extent = _slice(part, own, known, context)
            if elsewhere or not _is_full(part):
                moved.add(len(extents))
            makers.append(_stepping(len(extents), start, step))
            extents.append(extent)
        elif is_integer(part.type):
            place = _from_start(part, own, context)
            if elsewhere and not context.moment.counts_up(place):
                place = context.named(from_start(place, own), "at")
            makers.append(_fixed(place))
        elif k in taken.places:
            makers.append(taken.maker(k, own if elsewhere else None))
        else:
            raise CannotLower("index")
    if axis != len(inner.extents):
        raise CannotLower("axes")

    def at(indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        return inner.at(tuple(make(list(indices)) for make in makers))

    return Leaf(inner.base, tuple(extents), at, inner.dtype, frozenset(moved))


def _is_full(part: Slice) -> bool:
    """Whether a slice is all of an axis."""
    return part == Slice(None, None, None)


def _full(index: tuple[Expr, ...], ndim: int) -> list[Expr]:
    """The index with `...` and trailing axes written out."""
    used = sum(not (isinstance(p, Const) and (p.value is None or p.value is ...)) for p in index)
    rest: list[Expr] = [Slice(None, None, None)] * (ndim - used)
    places = [k for k, p in enumerate(index) if isinstance(p, Const) and p.value is ...]
    if not places:
        return [*index, *rest]
    return [*index[: places[0]], *rest, *index[places[0] + 1 :]]


def _stepping(axis: int, start: Expr, step: int) -> Callable[[list[Expr]], Expr]:
    if step == 1:
        return lambda ix: add(ix[axis], start)
    if step > 1:
        return lambda ix: add(times(step, ix[axis]), start)
    return lambda ix: subtract(start, ix[axis])


def _fixed(value: Expr) -> Callable[[list[Expr]], Expr]:
    return lambda ix: value


def _from_start(part: Expr, own: Extent, context: Context) -> Expr:
    """An integer index; counted from the end only where its number is known, and negative."""
    value = constant(part, 0)
    told = constant_of(part)
    if value is None and type(told) is int and told < 0:
        match part:
            case Call(form="operator", text="-", args=(Var() as below,)):
                return subtract(own.count, below)
        value = told
    if value is not None:
        return integer(value) if value >= 0 else subtract(own.count, integer(-value))
    if _is_plain(part):
        return part
    return context.named(part, "at")


def _is_plain(part: Expr) -> bool:
    """A variable, or a sum or product of them: nothing to compute once and keep."""
    if isinstance(part, Var | Const):
        return True
    return (
        isinstance(part, Call)
        and part.form == "operator"
        and all(isinstance(a, Var | Const) for a in part.args)
    )


def constant(expr: Expr | None, default: int) -> int | None:
    """The number that a bound is, if it is known."""
    if expr is None:
        return default
    if isinstance(expr, Const) and type(expr.value) is int:
        return expr.value
    if (
        isinstance(expr, Call)
        and expr.form == "operator"
        and expr.text == "-"
        and len(expr.args) == 1
        and isinstance(expr.args[0], Const)
    ):
        return -int(expr.args[0].value)
    return None


def _slice(
    part: Slice, own: Extent, size: Size | None, context: Context
) -> tuple[Expr, int, Extent]:
    """(start, step, extent) of a slice of an axis. size: its length, where that is known."""
    step = constant(part.step, 1)
    lower, upper = constant(part.lower, 0), constant(part.upper, -1)
    if size is not None and size.constant == 0 and step is not None and step > 0:
        return integer(0), step, Extent(size, None, integer(0))  # `[2:]` of one entry
    if step is not None and step > 1:
        return _every(step, lower, 0 if part.upper is None else upper, own, size)
    if step not in (1, -1):
        raise CannotLower("step")
    if step == -1:
        if part.lower is not None or part.upper is not None:
            raise CannotLower("step")
        return subtract(own.count, integer(1)), -1, own
    if part.lower is None and part.upper is None:
        return integer(0), 1, own
    whose, told = own.size or own.key, context.moment.told_now
    if (
        lower is not None
        and lower >= 0
        and (part.upper is None or (upper is not None and upper < 0))
    ):
        cut = lower - (0 if part.upper is None else upper or 0)
        less = None if own.size is None else own.size - of(cut)
        count = subtract(own.count, integer(cut))
        return integer(lower), 1, Extent(less, ("cut", whose, cut), count)
    if size is not None and not any(map(changes, size.letters())):
        return _inside(part, own, size, context)  # such a length follows from bounds that fit
    inside = context.moment.within(part.lower, part.upper, own.size)
    if inside is not None and inside.constant not in (0, 1):
        return _inside(part, own, inside, context)
    if lower is not None and upper is not None and upper - lower <= 1:
        raise CannotLower("short")  # maybe of length 1, which would broadcast
    start: Expr = (
        integer(lower) if lower is not None and lower >= 0 else _bound(part.lower, own, context)
    )
    stop = own.count if part.upper is None else _bound(part.upper, own, context)
    key = ("slice", whose, told(part.lower), told(part.upper))
    count = stop
    if not isinstance(start, Const) or start.value != 0:
        length = Call(max, "max", (subtract(stop, start), integer(0)), type=INT)
        count = context.once(key, length, "count")
    return start, 1, Extent(size, key, count)


def _every(
    step: int, lower: int | None, upper: int | None, own: Extent, size: Size | None
) -> tuple[Expr, int, Extent]:
    """The same for every second entry, or third..., between numbers: `[1::2]`, `[:-2:2]`."""
    if lower is None or upper is None or lower < 0 or upper > 0:
        raise CannotLower("step")
    count = divided(add(own.count, integer(upper - lower + step - 1)), step)
    return (
        integer(lower),
        step,
        Extent(size, ("every", own.size or own.key, lower, upper, step), count),
    )


def _inside(part: Slice, own: Extent, size: Size, context: Context) -> tuple[Expr, int, Extent]:
    start = _edge(part.lower, integer(0), own, context)
    stop = _edge(part.upper, own.count, own, context)
    count = subtract(stop, start) if size.constant is None else integer(size.constant)
    return start, 1, Extent(size, None, count)


def _edge(part: Expr | None, default: Expr, own: Extent, context: Context) -> Expr:
    if part is None:
        return default
    return _from_start(part, own, context)


def _bound(part: Expr | None, own: Extent, context: Context) -> Expr:
    """A bound as slices read it: counted from the end if negative, at most the length."""
    from s2sgrad_runtime.numba_slices import slice_bound

    if part is None:
        return integer(0)
    number = Call(int, "int", (part,), type=INT) if isinstance(part.type, Array) else part
    made = Call(slice_bound, "slice_bound", (number, own.count), type=INT)
    return context.once(("bound", own.size or own.key, context.moment.told_now(part)), made, "stop")
