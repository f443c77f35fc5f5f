"""Floor 3: result types of calls for which no samples are made.

They fail on samples, since their sizes do not fit each other; or they are so frequent, and take
arrays of so many axes, that making the samples takes longer than all the rest.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

import s2sgrad_runtime
from s2sgrad.analysis.numpy_scalars import numpy_scalar
from s2sgrad.analysis.samples import Samples, runs
from s2sgrad.ir import sizes
from s2sgrad.ir.assumptions import not_negative
from s2sgrad.ir.types import (
    UNKNOWN,
    Array,
    Known,
    List,
    Maybe,
    Number,
    Scalar,
    Tuple,
    Type,
    shape_of,
)
from s2sgrad.rules.declare import lookup

# Complex for real arguments too.
COMPLEX_ALWAYS = {
    "fft", "fft2", "fft_pullback", "fftn", "fftn_pullback", "hankel1", "hankel1e", "hankel2",
    "hankel2e", "hilbert", "ifft", "ifft2", "ifftn", "ihfft", "ihfft2", "ihfftn", "irfft_pullback",
    "irfftn_pullback", "hfft_pullback", "rfft", "rfft2", "rfftn", "sph_harm_y",
}  # fmt: skip


def product_type(function: Any, args: tuple[Type, ...], kwargs: dict[str, Type]) -> Type | None:
    """The type of a product of vectors and matrices, their inner lengths known equal or not."""
    if function not in (np.dot, np.matmul) or len(args) != 2 or kwargs:
        return None
    left, right = args
    if not isinstance(left, Array) or not isinstance(right, Array):
        return None
    if left.shape is None or right.shape is None or None in (left.dtype, right.dtype):
        return None
    if not (0 < len(left.shape) <= 2 and 0 < len(right.shape) <= 2):
        return None
    dtype = str(np.result_type(str(left.dtype), str(right.dtype)))
    shape = (*left.shape[:-1], *right.shape[1:])
    return Array(dtype, shape) if shape else numpy_scalar(dtype)


def spread_type(function: Any, args: tuple[Type, ...]) -> Type | None:
    """The type of what works entry by entry (not a ufunc) on arrays of lengths not known equal.

    `np.where(mask, 0.0, x)` has entries as for arrays of one entry, and the shape of a sum.
    """
    rule = lookup(function) if args and callable(function) else None
    if rule is None or rule.kind != "elementwise" or not all(map(_is_spread, args)):
        return None
    arrays = [a for a in args if isinstance(a, Array)]
    if not arrays or any(a.dtype is None for a in arrays):
        return None
    single = tuple(replace(a, shape=(sizes.ONE,)) if isinstance(a, Array) else a for a in args)
    both = runs(function, single, {}, Samples())
    if both is None or not isinstance(both[0], np.ndarray) or both[0].shape != (1,):
        return None
    shape: sizes.Shape | None = ()
    for kind in arrays:
        known = shape is not None and kind.shape is not None
        shape = sizes.broadcast(shape, kind.shape) if known else None  # type: ignore[arg-type]
    return Array(str(both[0].dtype), shape)


def _is_spread(kind: Type) -> bool:
    return isinstance(kind, Array) or (isinstance(kind, Scalar) and kind.dtype is not None)


def squared(args: tuple[Type, ...]) -> tuple[Type, ...]:
    """The arguments of what takes square matrices only: a length that is known is both of them."""
    first = args[0] if args else None
    if not isinstance(first, Array) or len(first.shape or ()) < 2:
        return args
    *stack, rows, columns = first.shape  # type: ignore[misc]
    known = [s for s in (rows, columns) if s is not None and not _changes(s)]
    size = next(iter(known), rows)
    return (Array(first.dtype, (*stack, size, size)), *args[1:])


def _changes(size: sizes.Size) -> bool:
    return any(name.startswith(sizes.SOME) for name in size.letters())


def reshaped_type(function: Any, args: tuple[Type, ...]) -> Type | None:
    """The type of an array in a shape of which only the rank is known."""
    if function is not np.reshape or len(args) != 2 or not isinstance(args[0], Array):
        return None
    items = args[1].items if isinstance(args[1], Tuple) else (args[1],)
    if not items or not all(isinstance(i, Scalar) and i.dtype.startswith("int") for i in items):
        return None
    return Array(args[0].dtype, tuple(_wanted_length(i) for i in items))  # type: ignore[arg-type]


def strided_type(function: Any, args: tuple[Type, ...], kwargs: dict[str, Type]) -> Type | None:
    """The type of `as_strided` and its transposes, which samples are not given: the distances
    that the caller names are not those of theirs."""
    if function is s2sgrad_runtime.unstrided:
        dtype = getattr(args[0], "dtype", None)
        return Array(dtype, shape_of(args[1]))
    if function is s2sgrad_runtime.restrided:
        args = (args[0], *args[2:])
    elif function is not np.lib.stride_tricks.as_strided:
        return None
    dtype = getattr(args[0], "dtype", None)
    wanted = args[1] if len(args) > 1 else kwargs.get("shape", Known(None))
    if isinstance(wanted, Known) and wanted.value is None:
        return Array(dtype, shape_of(args[0]))
    items = wanted.items if isinstance(wanted, Tuple) else (wanted,)
    if not all(isinstance(i, Scalar) and i.dtype.startswith("int") for i in items):
        return Array(dtype, None)
    return Array(dtype, tuple(_wanted_length(i) for i in items))  # type: ignore[arg-type]


def rank_type(function: Any, args: tuple[Type, ...], kwargs: dict[str, Type]) -> Type | None:
    """The type of the rank or size of what may be None, which has one too."""
    maybe = function in (np.ndim, np.size) and any(isinstance(a, Maybe) for a in args)
    return Scalar("int") if maybe else None


def orthants_type(function: Any, args: tuple[Type, ...], kwargs: dict[str, Type]) -> Type | None:
    """The type of `orthant_slopes`: of samples SciPy would have to integrate, which takes long, and
    does not where they are no covariances."""
    if function is not s2sgrad_runtime.orthant_slopes:
        return None
    shape, order = shape_of(args[0]), _constant(args[2])
    if shape is None or len(shape) != 2 or shape[1] is None or type(order) is not int:
        return Array("float64", None)
    width = sizes.ONE
    for _ in range(order):
        width = width * shape[1]
    return Array("float64", (shape[0], width))


def _wanted_length(kind: Scalar) -> sizes.Size | None:
    """A length that is asked for; -1 stands for what is left."""
    if kind.value is not UNKNOWN:
        return sizes.of(kind.value) if kind.value >= 0 else None
    letters = kind.size.letters() if kind.size is not None else ()
    return kind.size if all(map(sizes.at_least_two, letters)) else None


_REDUCTIONS = frozenset(
    {np.sum, np.mean, np.prod, np.max, np.min, np.any, np.all, np.std, np.var}
)  # what they give has no place for an axis that is reduced, or one entry where it is kept


def reduced_type(function: Any, args: tuple[Type, ...], kwargs: dict[str, Type]) -> Type | None:
    """The type of a sum, mean and the like over axes that are known."""
    if function not in _REDUCTIONS or not kwargs.keys() <= {"axis", "keepdims"} or len(args) != 1:
        return None
    given = args[0]
    if not isinstance(given, Array) or given.shape is None or given.dtype is None:
        return None
    axes = _axes(kwargs.get("axis"), len(given.shape))
    kept = _constant(kwargs["keepdims"]) if "keepdims" in kwargs else False
    if axes is None or not isinstance(kept, bool):
        return None
    whole = enumerate(given.shape)
    shape = tuple(sizes.of(1) if k in axes else n for k, n in whole if kept or k not in axes)
    dtype = _reduced_dtype(function, given.dtype)
    return Array(dtype, shape) if shape else numpy_scalar(dtype)


@lru_cache(maxsize=1024)
def _reduced_dtype(function: Any, dtype: str) -> str:
    return str(function(np.ones(1, dtype)).dtype)


def _axes(kind: Type | None, rank: int) -> set[int] | None:
    """The axes that are named, counted from the first; all where none is, None if not known."""
    if kind is None or (isinstance(kind, Known) and kind.value is None):
        return set(range(rank))
    named = [_constant(i) for i in (kind.items if isinstance(kind, Tuple) else (kind,))]
    if not all(type(n) is int and -rank <= n < rank for n in named):
        return None
    axes = {n % rank for n in named}
    return axes if len(axes) == len(named) else None


def joined_type(function: Any, args: tuple[Type, ...], kwargs: dict[str, Type]) -> Type | None:
    """The type of arrays joined along an axis that is known: its length is the sum of theirs."""
    if function not in _JOINING or not args or not isinstance(args[0], Tuple):
        return None
    given = (*args[1:], *(kwargs[k] for k in kwargs if k == "axis"))
    axis = _constant(given[0]) if given else 0
    arrays = [
        a for a in map(_as_row, args[0].items) if isinstance(a, Array) and a.shape and a.dtype
    ]
    if len(args) + len(kwargs) - len(given) != 1 or len(given) > 1 or type(axis) is not int:
        return None
    ranks = {len(a.shape or ()) for a in arrays}
    if len(arrays) < len(args[0].items) or not arrays:
        return None
    if function not in (np.concatenate, np.stack):
        shapes, axis = _rows_or_columns(function, [a.shape or () for a in arrays])
    elif len(ranks) != 1 or not -min(ranks) <= axis < min(ranks) + (function is np.stack):
        return None
    else:
        shapes = [a.shape or () for a in arrays]
    if function is np.stack:
        axis = axis if axis >= 0 else axis + min(ranks) + 1
        shapes = [(*shape[:axis], sizes.ONE, *shape[axis:]) for shape in shapes]
    if len(set(map(len, shapes))) != 1 or axis >= len(shapes[0]):
        return None
    along = list(zip(*shapes, strict=True))
    shape = [next((n for n in lengths if n is not None), None) for lengths in along]
    shape[axis] = None if None in along[axis] else sum(along[axis], sizes.of(0))  # type: ignore[arg-type]
    return Array(str(np.result_type(*(str(a.dtype) for a in arrays))), tuple(shape))


def stacked_type(function: Any, args: tuple[Type, ...], kwargs: dict[str, Type]) -> Type | None:
    """The type of the array that is made of a list of equal arrays, or of numbers, whose length is
    known."""
    rows = args[0] if args else None
    if not isinstance(rows, List) or rows.count is None or len(args) > 1:
        return None
    item: Type | None = rows.item
    if isinstance(item, List):
        item = stacked_type(np.array, (item,), {})
    shape, dtype = shape_of(item) if item else None, getattr(item, "dtype", None)
    if shape is None or dtype is None or (function is np.stack and isinstance(item, Scalar)):
        return None
    axis = _constant(kwargs["axis"]) if "axis" in kwargs else 0
    if function in (np.vstack, np.column_stack):  # of rows, or columns
        axis = 0 if function is np.vstack else 1
        if kwargs or len(shape) != 1:
            return None
    elif kwargs.keys() - {"axis"} or function not in (np.stack, np.array, np.asarray):
        return None
    if type(axis) is not int or not -len(shape) <= axis + 1 <= len(shape) + 1:
        return None
    place = axis % (len(shape) + 1)
    if shape and function in (np.array, np.asarray) and not not_negative(rows.count - sizes.ONE):
        return Array(dtype, None)  # of no arrays NumPy makes one of a single axis
    made = str(np.result_type(np.dtype(dtype)))
    return Array(made, (*shape[:place], rows.count, *shape[place:]))


_JOINING = (np.concatenate, np.stack, np.vstack, np.hstack, np.column_stack)


def _rows_or_columns(function: Any, shapes: list[sizes.Shape]) -> tuple[list[sizes.Shape], int]:
    """Shapes with the axes that np.vstack and its kin add, and the axis that they join along."""
    if function is np.hstack:
        return shapes, min(1, max(map(len, shapes)) - 1)
    if function is np.vstack:
        return [(sizes.ONE, *s) if len(s) == 1 else s for s in shapes], 0
    return [(*s, sizes.ONE) if len(s) == 1 else s for s in shapes], 1


def _as_row(kind: Type) -> Type:
    """What a list of numbers is as an array."""
    items = kind.items if isinstance(kind, Tuple) else ()
    dtypes = [i.dtype for i in items if isinstance(i, Scalar) and i.dtype]
    if not items or len(dtypes) < len(items):
        return kind
    return Array(str(np.result_type(*map(np.dtype, dtypes))), (sizes.of(len(items)),))


def _constant(kind: Type) -> Any:
    return kind.value if isinstance(kind, Scalar | Known) else UNKNOWN


def residuals_unknown(kind: Tuple) -> Tuple:
    """What lstsq gives: residuals are a number, an array or empty, by which size is larger."""
    dtype = getattr(kind.items[1], "dtype", None)
    return Tuple((kind.items[0], Number(dtype), *kind.items[2:]), kind.made_by)


__all__ = [
    "joined_type",
    "orthants_type",
    "product_type",
    "rank_type",
    "reduced_type",
    "reshaped_type",
    "residuals_unknown",
    "squared",
    "stacked_type",
    "strided_type",
]
