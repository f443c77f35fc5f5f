"""Floor 5: products, means and rearrangements, as arithmetic, sums and subscripts.

`np.average(a, weights=w)` becomes `np.sum(a * w) / np.sum(w)`, `np.tile(a, 3)` an array of three
rows into which `a` is written: what their gradients add up is then known, and becomes loops.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.nodes import Call, Const, Expr, Sequence, Slice, Store, Var
from s2sgrad.ir.types import INT, Array, Known, List, Scalar, Tuple, Type
from s2sgrad.transform.preparing.spelling import (
    WHOLE,
    Writer,
    axes_of,
    axis_of,
    is_float,
    is_mask,
    is_real,
    is_vector,
    longer,
    number_of,
    options,
    tuple_of,
)
from s2sgrad.transform.writing import build

MOST = 16  # terms that are written out
_BACK = Slice(None, None, Const(-1, type=INT))
_NONE: dict[str, Expr] = {}


def _rank(expr: Expr) -> int:
    return len(expr.type.shape or ()) if is_real(expr.type) else 0  # type: ignore[attr-defined]


def _fits(call: Call, found: Expr) -> Expr | None:
    """What was found, if it is of the call's type as far as that is known."""
    kind = call.type
    if isinstance(kind, Array) and kind.shape is not None:
        same = isinstance(found.type, Array) and len(found.type.shape or ()) == len(kind.shape)
        return found if same else None
    return found if isinstance(kind, Scalar) and isinstance(found.type, Scalar) else None


# --- products ------------------------------------------------------------------------------
def _inner(writer: Writer, call: Call) -> Expr | None:
    given = options(call, ("b",))
    if given is None or "b" not in given:
        return None
    left, right = call.args[0], given["b"]
    match _rank(left), _rank(right):
        case (1, 1) | (2, 1):
            return build.binary("@", left, right)
        case (1, 2):
            return build.binary("@", right, left)
        case (2, 2):
            return build.binary("@", left, build.transpose(right))
    return None


def _power(writer: Writer, call: Call) -> Expr | None:
    """As NumPy does it: squares, and the products of those that the exponent names."""
    given = options(call, ("n",))
    times = number_of((given or {}).get("n"), 0)
    if times is None or not 2 <= times <= MOST or _rank(call.args[0]) != 2:
        return None
    square = base = writer.named(call.args[0])
    if times == 3:
        return build.binary("@", writer.named(build.binary("@", base, base)), base)
    result: Var | None = None
    while times:
        if times % 2:
            more = square if result is None else build.binary("@", result, square)
            result = writer.named(more, "power")
        times //= 2
        if times:
            square = writer.named(build.binary("@", square, square), "square")
    return result


def _kronecker(writer: Writer, call: Call) -> Expr | None:
    given = options(call, ("b",))
    if given is None or "b" not in given:
        return None
    rank = _rank(call.args[0])
    if rank not in (1, 2) or _rank(given["b"]) != rank:
        return None
    left, right = writer.named(call.args[0]), writer.named(given["b"])
    one = build.index(left, *(WHOLE, build.NEWAXIS) * rank)
    two = build.index(right, *(build.NEWAXIS, WHOLE) * rank)
    lengths = [build.binary("*", longer(left, k, 0), longer(right, k, 0)) for k in range(rank)]
    return _reshaped(writer, build.binary("*", one, two), lengths, call.type)


def _polynomial(writer: Writer, call: Call) -> Expr | None:
    """By Horner, where the code tells how many coefficients there are."""
    given = options(call, ("x",))
    if given is None or "x" not in given or _rank(call.args[0]) != 1:
        return None
    size = call.args[0].type.shape[0]  # type: ignore[attr-defined]
    count = size.constant if isinstance(size, sizes.Size) else None
    where = given["x"]
    number = isinstance(where.type, Scalar) and where.type.dtype in ("float", "float64")
    if count is None or not 1 <= count <= MOST or not (number or is_real(where.type)):
        return None
    factors, x = writer.named(call.args[0]), writer.named(where)
    total: Expr = build.number(0.0)
    for k in range(count):
        total = build.binary("*", total, x) if k else build.binary("*", x, total)
        total = build.binary("+", total, build.index(factors, Const(k, type=INT)))
    return _fits(call, total)


# --- means ---------------------------------------------------------------------------------
def _average(writer: Writer, call: Call) -> Expr | None:
    given = options(call, ("axis", "weights"))
    if given is None:
        return None
    rank, options_ = _rank(call.args[0]), {k: v for k, v in given.items() if k == "axis"}
    axis = axis_of(call.args[0].type, options_["axis"]) if options_ else None
    if options_ and axis is None:
        return None
    if "weights" not in given:
        return build.call(np.mean, "np.mean", call.args[0], kind=call.type, **options_)
    weights = writer.named(given["weights"])
    if _rank(weights) not in (1, rank) or (_rank(weights) != rank and axis is None):
        return None
    if build.same_shape(weights.type, call.args[0].type):
        total = build.call(np.sum, "np.sum", weights, kind=call.type, **options_)
        spread: Expr = weights
    elif _rank(weights) == 1 and axis is not None:
        total = build.call(np.sum, "np.sum", weights, kind=Scalar("float64"))
        behind = (build.NEWAXIS,) * (rank - axis - 1)
        spread = build.index(weights, WHOLE, *behind) if behind else weights
    else:
        return None
    product = build.binary("*", call.args[0], spread)
    found = build.call(np.sum, "np.sum", product, kind=call.type, **options_)
    return build.binary("/", found, total)


def _without_nan(writer: Writer, call: Call) -> Expr | None:
    """The sum, or the mean, of the entries that are not NaN."""
    given = options(call, ("axis",))
    if given is None or (given and axis_of(call.args[0].type, given["axis"]) is None):
        return None
    base = writer.named(call.args[0])
    missing = build.call(np.isnan, "np.isnan", base)
    zero, one = build.number(0.0), build.number(1.0)
    kept = build.call(np.where, "np.where", missing, zero, base, kind=base.type)
    total = build.call(np.sum, "np.sum", kept, kind=call.type, **given)
    if call.function is np.nansum:
        return total
    counted = build.call(np.where, "np.where", missing, zero, one, kind=base.type)
    return build.binary("/", total, build.call(np.sum, "np.sum", counted, kind=call.type, **given))


# --- choices -------------------------------------------------------------------------------
def _chosen(writer: Writer, call: Call) -> Expr | None:
    tests, given = call.args[0], options(call, ("choicelist", "default")) or _NONE
    values = given.get("choicelist")
    if not isinstance(tests, Sequence) or not isinstance(values, Sequence):
        return None
    if len(tests.items) != len(values.items) or not is_real(call.type):
        return None
    if not all(is_mask(t.type) for t in tests.items):
        return None
    found = given.get("default", build.number(0.0))
    if not all(is_float(v.type) for v in (found, *values.items)):
        return None
    for test, value in reversed(list(zip(tests.items, values.items, strict=True))):
        found = build.call(np.where, "np.where", test, value, found)
    return _fits(call, found)


# --- places --------------------------------------------------------------------------------
def _squeezed(writer: Writer, call: Call) -> Expr | None:
    given = options(call, ("axis",))
    shape = getattr(call.args[0].type, "shape", None)
    if given is None or shape is None:
        return None
    gone: set[int | None] = {k for k, size in enumerate(shape) if size == sizes.ONE}
    if "axis" in given:
        axes = axes_of(call.args[0].type, given["axis"])
        if not axes <= gone:
            return None
        gone = axes
    elif not all(k in gone or sizes.surely_not_one(size) for k, size in enumerate(shape)):
        return None
    if not gone:
        return None
    base = writer.named(call.args[0])
    place = Const(0, type=INT)
    index: list[Expr] = [place if k in gone else WHOLE for k in range(len(shape))]
    if len(gone) == len(shape):  # an array without axes, no number
        index.append(Const(..., type=Known(...)))
    return _fits(call, build.index(base, *index))


def _flipped(writer: Writer, call: Call) -> Expr | None:
    rank = _rank(call.args[0])
    fixed = {np.flipud: 0, np.fliplr: 1}.get(call.function)  # type: ignore[call-overload]
    given = options(call, () if fixed is not None else ("axis",))
    if given is None or (rank < 2 and fixed is None and not given):
        return None
    axes = set(range(rank))
    if fixed is not None:
        axes = {fixed}
    elif given:
        axis = axis_of(call.args[0].type, given["axis"])
        if axis is None:
            return None
        axes = {axis}
    return _backwards(writer, call.args[0], axes)


def _backwards(writer: Writer, expr: Expr, axes: set[int]) -> Expr:
    base = writer.named(expr)
    return build.index(base, *(_BACK if k in axes else WHOLE for k in range(_rank(base))))


def _quarter_turns(writer: Writer, call: Call) -> Expr | None:
    given = options(call, ("k",))
    turns = number_of((given or {}).get("k"), 1)
    if given is None or turns is None or _rank(call.args[0]) != 2:
        return None
    match turns % 4:
        case 1:
            return build.transpose(_backwards(writer, call.args[0], {1}))
        case 2:
            return _backwards(writer, call.args[0], {0, 1})
        case 3:
            return build.transpose(_backwards(writer, call.args[0], {0}))
    return None


def _taken(writer: Writer, call: Call) -> Expr | None:
    given = options(call, ("indices", "axis"))
    if given is None or "indices" not in given:
        return None
    places = given["indices"].type
    if not isinstance(places, Array) or places.dtype not in ("int", "int64"):
        return None
    axis = axis_of(call.args[0].type, given["axis"]) if "axis" in given else 0
    if axis is None or ("axis" not in given and _rank(call.args[0]) != 1):
        return None
    base = writer.named(call.args[0])
    return _fits(call, build.index(base, *(WHOLE,) * axis, given["indices"]))


# --- copies side by side ---------------------------------------------------------------------
def _tiled(writer: Writer, call: Call) -> Expr | None:
    given = options(call, ("reps",)) or _NONE
    reps, rank = given.get("reps"), _rank(call.args[0])
    if reps is None:
        return None
    items = list(reps.items) if isinstance(reps, Sequence) else [reps]
    if len(items) > rank or not all(map(_is_count, items)):
        return None
    base = writer.named(call.args[0])
    times: list[Expr] = [*[Const(1, type=INT)] * (rank - len(items)), *items]
    inner = [e for k, t in enumerate(times) for e in (t, longer(base, k, 0))]
    index = (build.NEWAXIS, WHOLE) * rank
    made = _written(writer, inner, build.index(base, *index))
    lengths = [build.binary("*", t, longer(base, k, 0)) for k, t in enumerate(times)]
    return _reshaped(writer, made, lengths, call.type)


def _repeated(writer: Writer, call: Call) -> Expr | None:
    given = options(call, ("repeats", "axis")) or _NONE
    times, rank = given.get("repeats"), _rank(call.args[0])
    if times is None or not _is_count(times) or ("axis" not in given and rank != 1):
        return None
    axis = axis_of(call.args[0].type, given["axis"]) if "axis" in given else 0
    if axis is None:
        return None
    base = writer.named(call.args[0])
    lengths = [longer(base, k, 0) for k in range(rank)]
    index = [WHOLE] * rank
    made = _written(
        writer,
        [*lengths[: axis + 1], times, *lengths[axis + 1 :]],
        build.index(base, *index[: axis + 1], build.NEWAXIS, *index[axis + 1 :]),
    )
    lengths[axis] = build.binary("*", lengths[axis], times)
    return _reshaped(writer, made, lengths, call.type)


def _appended(writer: Writer, call: Call) -> Expr | None:
    """A vector, or a number, behind a vector."""
    given = options(call, ("values", "axis")) or _NONE
    more = given.get("values")
    if more is None or _rank(call.args[0]) != 1 or axis_of(call.args[0].type, given.get("axis")):
        return None
    if isinstance(more, Const) and type(more.value) is int:
        more = Const(float(more.value), type=Scalar("float"), span=more.span)
    if isinstance(more.type, Scalar) and more.type.dtype in ("float", "float64"):
        row = Sequence("list", (more,), type=List(more.type))
        more = build.call(np.array, "np.array", row, kind=Array("float64", (sizes.ONE,)))
    if _rank(more) != 1:
        return None
    both = Sequence("tuple", (call.args[0], more), type=Tuple((call.args[0].type, more.type)))
    return build.call(np.concatenate, "np.concatenate", both, kind=call.type)


def meshes(writer: Writer, call: Call) -> list[Expr] | None:
    """The arrays of `np.meshgrid` of two vectors, of numbers or of whole numbers."""
    given = dict(call.kwargs)
    order = given.pop("indexing", Const("xy"))
    if given or len(call.args) != 2 or not all(is_vector(a.type) for a in call.args):
        return None
    if not isinstance(order, Const) or order.value not in ("xy", "ij"):
        return None
    vectors = [writer.named(a) for a in call.args]
    lengths = [longer(v, 0, 0) for v in vectors]
    down, along = build.NEWAXIS, WHOLE
    if order.value == "xy":
        lengths.reverse()
        places = [(down, along), (along, down)]
    else:
        places = [(along, down), (down, along)]
    pairs = zip(vectors, places, strict=True)
    return [_written(writer, lengths, build.index(v, *p)) for v, p in pairs]


def crossed(writer: Writer, call: Call) -> list[Expr] | None:
    """The arrays of `np.ix_` of vectors: each along an axis of its own."""
    if call.kwargs or not all(is_vector(a.type) for a in call.args):
        return None
    vectors = [writer.named(a) for a in call.args]
    beside = [build.NEWAXIS] * (len(vectors) - 1)
    return [build.index(v, *beside[:k], WHOLE, *beside[k:]) for k, v in enumerate(vectors)]


def _is_count(expr: Expr) -> bool:
    times = number_of(expr, 0)
    return times is not None and times > 0


def _written(writer: Writer, lengths: list[Expr], value: Expr) -> Var:
    """A new array of this shape that holds the value, which spreads over it."""
    kind = _kind(lengths, str(getattr(value.type, "dtype", "float64")))
    dtype = {}
    if kind.dtype == "int64":
        dtype = {"dtype": nodes.Ref("np.int64", np.int64, type=Known(np.int64))}
    made = build.call(np.empty, "np.empty", tuple_of(lengths), kind=kind, **dtype)
    array = writer.named(made, "copies")
    writer.before.append(Store(array, (WHOLE,) * len(lengths), value, span=value.span))
    return array


def _kind(lengths: list[Expr], dtype: str) -> Array:
    """The type of an array with these lengths."""
    return Array(dtype, tuple(_size(e) for e in lengths))


def _size(length: Expr) -> sizes.Size | None:
    match length:
        case Const(value=int(value)):
            return sizes.of(value)
        case nodes.Index(base=Call(args=(Var(type=Array(shape=shape)),)), index=(Const(value=k),)):
            return shape[k] if shape is not None else None
    return None


def _reshaped(writer: Writer, value: Expr, lengths: list[Expr], kind: Type) -> Expr:
    base = writer.named(value, "copies")
    return build.call(np.reshape, "np.reshape", base, tuple_of(lengths), kind=kind)


FORMS: dict[object, Callable[[Writer, Call], Expr | None]] = {
    np.inner: _inner,
    np.linalg.matrix_power: _power,
    np.kron: _kronecker,
    np.polyval: _polynomial,
    np.average: _average,
    np.nansum: _without_nan,
    np.nanmean: _without_nan,
    np.select: _chosen,
    np.squeeze: _squeezed,
    np.flip: _flipped,
    np.flipud: _flipped,
    np.fliplr: _flipped,
    np.rot90: _quarter_turns,
    np.take: _taken,
    np.tile: _tiled,
    np.repeat: _repeated,
    np.append: _appended,
}

__all__ = ["FORMS", "crossed", "meshes"]
