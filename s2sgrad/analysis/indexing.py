"""Floor 3: the type of `base[index]`, with exact symbolic sizes for slices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.analysis.numpy_scalars import numpy_scalar
from s2sgrad.ir import sizes
from s2sgrad.ir.assumptions import not_negative, values_of_counter
from s2sgrad.ir.item_sizes import cut_out
from s2sgrad.ir.nodes import Call, Const, Expr, Index, Sequence, Slice, Var, is_slice
from s2sgrad.ir.sizes import Shape, Size
from s2sgrad.ir.types import (
    BOTTOM,
    INT,
    STR,
    UNKNOWN,
    Array,
    Bottom,
    Dict,
    Known,
    List,
    Maybe,
    Number,
    Opaque,
    Scalar,
    Tuple,
    Type,
    join,
    spelled_out,
    unfolded,
)

_CHOOSING = (np.flatnonzero, np.nonzero, np.argwhere, np.compress, np.extract)


def constant_of(expr: Expr | None) -> object:
    """The known value of an expression, or UNKNOWN."""
    if expr is None:
        return None
    if isinstance(expr, Const):
        return expr.value
    if isinstance(expr.type, Known):
        return expr.type.value
    return expr.type.value if isinstance(expr.type, Scalar) else UNKNOWN


def size_of(expr: Expr | None) -> Size | None:
    """The symbolic value of an integer expression."""
    value = constant_of(expr)
    if type(value) is int:
        return sizes.of(value)
    return expr.type.size if expr is not None and isinstance(expr.type, Scalar) else None


def slice_size(part: Slice, size: Size | None) -> Size | None:
    """How many entries a slice of an axis takes. Bounds are assumed to lie inside only where
    that can't matter: constants against a letter are exact for `[:-k]`, `[k:]` of axes that
    are long enough; a shorter axis gives 0 at run time and no wrong sum."""
    step = 1 if part.step is None else constant_of(part.step)
    if size is None or type(step) is not int:
        return None
    if part.lower is None and part.upper is None:
        if abs(step) == 1:
            return size
        number = size.constant
        return None if number is None else sizes.of(-(-number // abs(step)))
    if step != 1:
        return None if size.constant is None else _constant_slice(part, size.constant)
    moving = _moving(part, size)
    if moving is not None:
        return moving
    lower = sizes.of(0) if part.lower is None else _bound(part.lower, size)
    upper = size if part.upper is None else _bound(part.upper, size)
    if lower is None or upper is None:
        return None
    if size.constant is not None:
        return _constant_slice(part, size.constant)
    return _inside(lower, upper, size)


def _moving(part: Slice, size: Size) -> Size | None:
    """The length of `x[i + a : i + b]` for the counter i of a loop, where it lies inside."""
    if part.lower is None or part.upper is None:
        return None
    (first, lower), (second, upper) = from_counter(part.lower), from_counter(part.upper)
    values = values_of_counter(first) if first and first == second else None
    if values is None or lower is None or upper is None:
        return None
    lowest, stop = values
    inside = (lowest + lower, size - (stop - sizes.ONE + upper), upper - lower)
    return upper - lower if not_negative(*inside) else None


def from_counter(expr: Expr) -> tuple[str, Size | None]:
    """(counter, offset) of `i`, `i + a`, `a + i`, `i - a` or `i + a - b`."""
    match expr:
        case Var(name=name):
            return name, sizes.of(0)
        case Call(form="operator", text="+" | "-" as sign, args=(first, second)):
            if sign == "+" and size_of(first) is not None:
                first, second = second, first
            name, offset = from_counter(first)
            moved = size_of(second)
            if offset is None or moved is None:
                return name, None
            return name, offset + moved if sign == "+" else offset - moved
    return "", None


def _constant_slice(part: Slice, length: int) -> Size | None:
    parts = (part.lower, part.upper, part.step)
    bounds = [None if b is None else constant_of(b) for b in parts]
    if all(b is None or type(b) is int for b in bounds):
        return sizes.of(len(range(*slice(*bounds).indices(length))))
    return None


def _bound(part: Expr, size: Size) -> Size | None:
    """A slice bound counted from the front; None if its sign is not known."""
    bound = size_of(part)
    if bound is None:
        return None
    if bound.constant is not None:
        return bound if bound.constant >= 0 else size + bound
    return bound


def _inside(lower: Size, upper: Size, size: Size) -> Size | None:
    """upper - lower where both are known to lie within 0..size, or clip alike everywhere."""
    back = size - upper  # entries left out at the end
    if all(cut.constant is not None and cut.constant >= 0 for cut in (lower, back)):
        return sizes.shortened(size, (lower + back).constant or 0)
    return upper - lower if not_negative(lower, back, upper - lower) else None


def is_chosen(expr: Expr) -> bool:
    """Whether values decide how many entries an array has: those where a mask is true."""
    if isinstance(expr, Index):
        return any(isinstance(p.type, Array) and p.type.dtype == "bool" for p in expr.index)
    return isinstance(expr, Call) and expr.function in _CHOOSING


def new_size(expr: Expr, number: int) -> Size:
    """A letter for a length of an array, of which nothing is known but what gives it."""
    return sizes.of(f"{sizes.CHOSEN if is_chosen(expr) else sizes.SOME}{number}")


def not_none(expr: Expr) -> Expr:
    """What an entry is taken of, or written into: None would fail there."""
    return replace(expr, type=expr.type.item) if isinstance(expr.type, Maybe) else expr


def infer_index(base: Type, index: tuple[Expr, ...]) -> Type:
    """The type of `base[index]`."""
    return unfolded(_item(base.item if isinstance(base, Maybe) else base, index))


def _item(base: Type, index: tuple[Expr, ...]) -> Type:
    if isinstance(base, Bottom):
        return base
    if isinstance(base, Maybe):
        return infer_index(base.item, index)
    base = spelled_out(base)
    if isinstance(base, Tuple):
        return _tuple_item(base, index[0]) if len(index) == 1 else Opaque()
    if isinstance(base, List):
        return cut_out(base, _bounds(index[0])) if is_slice(index[0]) else base.item
    if isinstance(base, Dict):
        return _entry(base, constant_of(index[0]))
    if isinstance(base, Number):
        return Number(base.dtype)
    if base == STR or (isinstance(base, Known) and isinstance(base.value, str)):
        return STR
    if not isinstance(base, Array):
        return base if base == Opaque("ndarray") and any(map(_gives_part, index)) else Opaque()
    # A place out of a list in which nothing is so far: a number, for all that speaks against it.
    index = tuple(replace(p, type=INT) if isinstance(p.type, Bottom) else p for p in index)
    if base.shape is None or is_some_tuple(index):
        return Number(base.dtype)
    return _array_item(base, index)


def _gives_part(part: Expr) -> bool:
    """Whether a part of a subscript leaves an array of texts or objects one: no single entry."""
    new = isinstance(part, Const) and (part.value is None or part.value is ...)
    return is_slice(part) or new or isinstance(part.type, Array | List)


def _bounds(part: Expr) -> str | None:
    """The text of a slice whose ends are known."""
    if not isinstance(part, Slice):
        return None
    ends = [constant_of(e) for e in (part.lower, part.upper, part.step)]
    return None if UNKNOWN in ends else ":".join(map(repr, ends))


def is_some_tuple(index: tuple[Expr, ...]) -> bool:
    """Whether a subscript is a tuple of some length: `x[tuple(where)]`."""
    return len(index) == 1 and isinstance(index[0].type, List) and index[0].type.fixed


def _entry(base: Dict, key: object) -> Type:
    """The value under a key: a record's field where the key is known."""
    for name, kind in base.fields or ():
        if key is not UNKNOWN and type(name) is type(key) and name == key:
            return kind
    if base.fields and isinstance(key, str | int):  # one that the record is still to get
        return BOTTOM
    return base.item


def _tuple_item(base: Tuple, part: Expr) -> Type:
    value = constant_of(part)
    if isinstance(part, Slice):
        bounds: list[Any] = [constant_of(b) for b in (part.lower, part.upper, part.step)]
        if all(b is None or type(b) is int for b in bounds):
            return Tuple(base.items[slice(*bounds)])
        return Opaque()
    if type(value) is int and -len(base.items) <= value < len(base.items):
        return base.items[value]
    result: Type = BOTTOM
    for item in base.items:
        result = join(result, item)
    return result


def _array_item(base: Array, index: tuple[Expr, ...]) -> Type:
    """NumPy's rules: slices and integers in place; index arrays broadcast together, and move
    to the front when something stands between them."""
    assert base.shape is not None
    used = [_axes_used(part) for part in index]
    if min(used, default=0) < 0 or sum(used) > len(base.shape):
        return Number(base.dtype)
    whole = any(_is_ellipsis(p) for p in index)  # then even a single entry comes as a view
    if not whole:
        index = (*index, Const(...))
    rest = list(base.shape)
    spare = len(base.shape) - sum(used)
    result: list[Size | None] = []
    advanced: Shape = ()
    place, has_array = -1, False
    for part in index:
        if _is_ellipsis(part):
            result += rest[:spare]
            del rest[:spare]
        elif _is_newaxis(part):
            result.append(sizes.ONE)
        elif is_slice(part):
            size = rest.pop(0)
            result.append(slice_size(part, size) if isinstance(part, Slice) else None)
        else:
            place = len(result) if place < 0 else place
            del rest[: _axes_used(part)]
            if not isinstance(part.type, Scalar):
                has_array = True
                advanced = sizes.broadcast(advanced, _index_shape(part))
    if has_array:
        place = 0 if _separated(index) else place
        result[place:place] = advanced
    elif not result and not whole and spare == 0:
        return numpy_scalar(base.dtype) if base.dtype else Number()
    return Array(base.dtype, tuple(result))


def _separated(index: tuple[Expr, ...]) -> bool:
    """Whether a slice, newaxis or ellipsis stands between the advanced indices."""
    where = [
        i for i, p in enumerate(index) if not (_is_ellipsis(p) or _is_newaxis(p) or is_slice(p))
    ]
    return where[-1] - where[0] != len(where) - 1


def _is_newaxis(part: Expr) -> bool:
    return not is_slice(part) and constant_of(part) is None


def _index_shape(part: Expr) -> Shape:
    shape = listed_shape(part)
    if _is_bool(part):
        return (None,)
    return (None,) if shape is None else shape


def listed_shape(part: Expr | Type) -> Shape | None:
    """The shape of the array that an index is, also where it is written as lists of numbers."""
    kind = part.type if isinstance(part, Expr) else part
    if isinstance(kind, Scalar):
        return ()
    if isinstance(kind, Array):
        return kind.shape
    items: tuple[Expr | Type, ...] = ()
    if isinstance(part, Sequence):
        items = part.items
    elif isinstance(kind, Tuple):
        items = kind.items
    elif isinstance(kind, List):
        inner = listed_shape(kind.item)
        return None if inner is None else (None, *inner)
    shapes = {listed_shape(item) for item in items}
    inner = shapes.pop() if len(shapes) == 1 else None
    return None if inner is None else (sizes.of(len(items)), *inner)


def _is_bool(part: Expr) -> bool:
    """Whether an index is a mask, perhaps written as a list."""
    kind = part.type
    if isinstance(part, Sequence) and part.items:
        return any(_is_bool(item) for item in part.items)
    while isinstance(kind, List):
        kind = kind.item
    return isinstance(kind, Array | Scalar) and kind.dtype == "bool"


def _axes_used(part: Expr) -> int:
    """How many axes of the base an index part takes; -1 if that is not known."""
    if is_slice(part):
        return 1
    if _is_ellipsis(part) or _is_newaxis(part):
        return 0
    kind = part.type
    if isinstance(kind, Scalar):
        return -1 if kind.dtype == "bool" else 1
    shape = listed_shape(part)
    if isinstance(part, Sequence) and not part.items:
        return 1
    if shape is None:
        return -1
    return len(shape) if _is_bool(part) else 1


def _is_ellipsis(part: Expr) -> bool:
    return constant_of(part) is ...
