"""Floor 3: the type of an operation's result.

Elementwise results follow NumPy's broadcasting on symbolic sizes. Any other NumPy function is
run on two small samples whose sizes are different primes, and its result's sizes are read back
as polynomials of the letters. What does not fit stays unknown: typing only removes noise.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from s2sgrad.analysis.any_rank import array_of_any_rank
from s2sgrad.analysis.confirming import confirmed, without_sizes
from s2sgrad.analysis.contracted import cotangent_type, with_equal_sums
from s2sgrad.analysis.folding import folded
from s2sgrad.analysis.known_results import (
    joined_type,
    orthants_type,
    product_type,
    rank_type,
    reduced_type,
    reshaped_type,
    residuals_unknown,
    spread_type,
    squared,
    stacked_type,
    strided_type,
)
from s2sgrad.analysis.lists import as_array
from s2sgrad.analysis.numpy_scalars import numpy_scalar
from s2sgrad.analysis.samples import Samples, holds_integers, run, runs
from s2sgrad.analysis.texts import texts_type, type_of_others
from s2sgrad.analysis.tree_types import tree_type
from s2sgrad.analysis.whole_results import whole_result
from s2sgrad.ir import sizes
from s2sgrad.ir.dtypes import is_complex_dtype
from s2sgrad.ir.types import (
    BOTTOM,
    Array,
    Bottom,
    Dict,
    Known,
    List,
    Maybe,
    Number,
    Opaque,
    Scalar,
    Truth,
    Tuple,
    Type,
    is_float_dtype,
    is_number,
    join,
    shape_of,
    spelled_out,
    unfolded,
)
from s2sgrad.rules.declare import lookup

WEAK = {"bool": True, "int": 1, "float": 1.0, "complex": 1j}


@lru_cache(maxsize=4096)
def _ufunc_dtype(function: Any, dtypes: tuple[str, ...]) -> str | None:
    """The result dtype for operand dtypes; Python's own numbers are weak, as in NumPy."""
    weak = WEAK.keys() - {"bool"}  # arrays of them are called the same, and widen nothing either
    samples = [WEAK[d] if d in weak else np.ones(1, d) for d in dtypes]
    if all(d in weak for d in dtypes):
        return None
    try:
        with np.errstate(all="ignore"):
            return str(function(*samples).dtype)
    except TypeError:
        return None


def _python_result(function: Any, args: tuple[Scalar, ...], operator: bool) -> Type:
    """The type of an operator on Python's own numbers."""
    dtypes = [a.dtype for a in args]
    if not operator:
        try:
            return numpy_scalar(str(function(*(WEAK[d] for d in dtypes)).dtype))
        except (TypeError, AttributeError):
            return Opaque()
    widest = max(dtypes, key=list(WEAK).index)
    name = function.__name__
    if widest == "bool" and any(isinstance(a, Truth) for a in args):
        return _result_of_truths(function, args)
    if any(isinstance(a, Truth) and a.sure for a in args) and name not in _COMPARISONS:
        return Scalar(_ufunc_dtype(function, tuple(dtypes)) or widest)
    if name in _COMPARISONS and any(isinstance(a, Truth) for a in args):
        return Truth(sure=any(isinstance(a, Truth) and a.sure for a in args))
    if name in _COMPARISONS:
        return Scalar("bool", None, folded(function, args, "bool"))
    if name == "logical_not":
        return Scalar("bool")
    if name in ("divide", "true_divide") and widest != "complex":
        return Scalar("float")
    if widest == "bool" and not name.startswith("bitwise"):
        widest = "int"
    if name == "power" and widest == "int" and not _positive(args[1]):
        return Scalar("float")
    size = _integer_size(name, args) if widest == "int" else None
    return Scalar(widest, size, folded(function, args, widest))


def _result_of_truths(function: Any, args: tuple[Scalar, ...]) -> Type:
    """The type of an operator on truth values, of which NumPy made one at least."""
    dtype = _ufunc_dtype(function, tuple(a.dtype for a in args))
    sure = any(isinstance(a, Truth) and a.sure for a in args)
    return Truth(sure=sure) if dtype == "bool" else Scalar(dtype or "int")


def _positive(exponent: Scalar) -> bool:
    return not isinstance(exponent.value, int) or exponent.value >= 0


_KNOWN_TYPES = (
    reduced_type, joined_type, stacked_type, strided_type, product_type, orthants_type, texts_type,
    rank_type,
)  # fmt: skip
_COMPARISONS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}


def _integer_size(name: str, args: tuple[Scalar, ...]) -> sizes.Size | None:
    parts = [a.size if a.size is not None else _constant_size(a) for a in args]
    if any(p is None for p in parts):
        return None
    match name, parts:
        case "add", (a, b):
            return a + b  # type: ignore[operator]
        case "subtract", (a, b):
            return a - b  # type: ignore[operator]
        case "multiply", (a, b):
            return a * b  # type: ignore[operator]
        case "negative", (a,):
            return sizes.of(0) - a  # type: ignore[operator]
        case "floor_divide", (a, b) if b is not None and b.constant:
            return sizes.quotient(a, b.constant)  # type: ignore[arg-type]
    return None


def _constant_size(kind: Scalar) -> sizes.Size | None:
    return sizes.of(kind.value) if type(kind.value) is int else None


def infer_elementwise(function: Any, args: tuple[Type, ...], operator: bool = False) -> Type:
    """The result type of a ufunc (or an operator) on numbers."""
    if any(isinstance(a, Bottom) for a in args):
        return BOTTOM  # the result of a recursive call that is not known yet
    if any(isinstance(a, Maybe) for a in args):
        args = tuple(a.item if isinstance(a, Maybe) else a for a in args)
    args = tuple(as_array(a) if isinstance(a, List | Tuple) else a for a in args)
    if not all(is_number(a) for a in args):
        return type_of_others(function, args)
    if all(isinstance(a, Scalar) and a.dtype in WEAK for a in args):
        return _python_result(function, args, operator)  # type: ignore[arg-type]
    dtypes = tuple(a.dtype for a in args)  # type: ignore[attr-defined]
    dtype = None if None in dtypes else _ufunc_dtype(function, dtypes)
    dtype = "bool" if dtype is None and function.__name__ in _COMPARISONS else dtype
    if any(isinstance(a, Number) for a in args):
        return Array(dtype, None) if any(isinstance(a, Array) for a in args) else Number(dtype)
    shape: sizes.Shape = ()
    for kind in args:
        found = shape_of(kind)
        if found is None:
            return Array(dtype, None)
        shape = sizes.broadcast(shape, found)
    if shape == ():
        return numpy_scalar(dtype) if dtype else Number()
    return Array(dtype, shape)


SOLVED = 250_000  # entries of a matrix that is solved or decomposed in no time
_DATA_DEPENDENT = {
    "nonzero", "unique", "compress", "extract", "flatnonzero", "argwhere", "trim_zeros",
    "setdiff1d", "union1d", "intersect1d", "setxor1d", "bincount", "repeat", "delete",
    "integration_nodes", "time_mesh", "first_places", "group_places", "group_means",
    "estimated_edges", "histogram_bin_edges", "rotated_sizes", "matching_entries",
    "event_times", "schur_blocks",
}  # fmt: skip


# Real or complex by the values they meet: complex covers both.
COMPLEX_BY_VALUE = {
    "eig", "eig_pushforward", "eigvals", "eigvals_pushforward", "fractional_matrix_power", "funm",
    "logm", "real_if_close", "roots", "signm", "sqrtm",
}  # fmt: skip


def may_turn_complex(function: Any, args: tuple[Type, ...]) -> bool:
    """Whether a function gives complex numbers for some values of such arguments only."""
    if getattr(function, "__name__", "") not in COMPLEX_BY_VALUE:
        return False
    given = getattr(args[0], "dtype", None) if args else None
    if function is np.real_if_close:
        return is_complex_dtype(given)
    return given is None or not is_complex_dtype(given)


def infer_call(function: Any, args: tuple[Type, ...], kwargs: dict[str, Type]) -> Type:
    """The result type of any pure function, by running it (not the user's own) on samples."""
    if _foreign(function):
        rule = lookup(function)
        if rule is not None and rule.kind == "elementwise" and not kwargs:
            return infer_elementwise(np.add, args) if args else Number()
        return Number()
    if function is np.shape and shape_of(args[0]) is None and not isinstance(args[0], Tuple):
        return List(Scalar("int"), fixed=True)  # a tuple of some length
    if (tree := tree_type(function, args)) is not None:
        return tree
    for known_type in _KNOWN_TYPES:
        if known := known_type(function, args, kwargs):
            return known
    linear_algebra = "linalg" in (getattr(function, "__module__", "") or "")
    samples = Samples(largest=SOLVED if linear_algebra else math.inf)
    both = runs(function, args, kwargs, samples)
    if both is None and samples.replaced():  # 80 entries go into 4 parts, 5 or 7 do not
        samples = Samples(largest=SOLVED, constant=SOLVED)
        both = runs(function, args, kwargs, samples)
    if both is None:
        if function is np.full_like and not kwargs and len(args) == 2:
            return args[0]  # whatever fills it
        if linear_algebra and (square := squared(args)) != args:
            return infer_call(function, square, kwargs)
        if (fitting := with_equal_sums(function, args, kwargs)) != args:
            return infer_call(function, fitting, kwargs)
        known = reshaped_type(function, args)
        known = known or (None if kwargs else spread_type(function, args))
        known = known or whole_result(function, args, kwargs) or cotangent_type(function, args)
        known = known or array_of_any_rank(function, args, kwargs)
        return known or _unknown_result(function, args)
    first, second = both
    result = _read(first, second, samples)
    if not linear_algebra and _sized_by_integers(function, args, kwargs, first):
        return without_sizes(result)
    result = confirmed(result, function, args, kwargs, samples)
    name = getattr(function, "__name__", "")
    if function is np.argwhere and isinstance(result, Array) and result.shape is not None:
        return replace(result, shape=(None, result.shape[1]))  # a row for each, of its places
    if name in _DATA_DEPENDENT or getattr(function, "__module__", "") == "math":
        return without_sizes(result)  # math.gcd of two primes is 1, of others it is not
    if _counts_by_values(function, args):
        return without_sizes(result)
    if name == "lstsq" and isinstance(result, Tuple):
        return residuals_unknown(result)
    real = function is np.real_if_close and not is_complex_dtype(getattr(args[0], "dtype", None))
    return _maybe_complex(result) if name in COMPLEX_BY_VALUE and not real else result


def _sized_by_integers(function: Any, args: Any, kwargs: Any, first: Any) -> bool:
    """Whether integers in arrays are lengths, places to cut at, or counted.

    Not asked of linear algebra, where they are pivots, which LAPACK uses unchecked.
    """
    return any(map(holds_integers, (*args, *kwargs.values()))) and not all(
        _same_shapes(first, _with_integers(function, args, kwargs, wholes))
        for wholes in ((1,), (1, 0))
    )


def _counts_by_values(function: Any, args: tuple[Type, ...]) -> bool:
    """Whether numbers that are not known here decide how many entries there are."""
    if function is np.arange:  # of floats: the count is a quotient
        return any(isinstance(a, Scalar) and is_float_dtype(a.dtype) for a in args)
    return function is np.where and len(args) == 1


def _maybe_complex(kind: Type) -> Type:
    """The type with a complex dtype for a float one."""
    if isinstance(kind, Tuple):
        return Tuple(tuple(_maybe_complex(item) for item in kind.items), kind.made_by)
    if isinstance(kind, Array | Scalar) and kind.dtype in ("float32", "float64"):
        return replace(kind, dtype=str(np.result_type(kind.dtype, np.complex64)))
    return kind


def _with_integers(function: Any, args: Any, kwargs: Any, wholes: tuple[int, ...]) -> Any:
    """The result of the first run where arrays of integers hold these; None if it fails."""
    try:
        return run(function, args, kwargs, Samples(wholes), 0)
    except Exception:
        return None


def _same_shapes(first: Any, other: Any) -> bool:
    """Whether two results have equal shapes; a run that failed says nothing."""
    if isinstance(first, tuple | list) and isinstance(other, tuple | list):
        return len(first) == len(other) and all(map(_same_shapes, first, other))
    return other is None or np.shape(first) == np.shape(other)


def _foreign(function: Any) -> bool:
    home = getattr(function, "__module__", None) or type(function).__module__
    return home.split(".")[0] not in _PURE


_PURE = frozenset(
    {"numpy", "scipy", "math", "cmath", "builtins", "operator", "s2sgrad_runtime", "s2sgrad"}
)


def _unknown_result(function: Any, args: tuple[Type, ...]) -> Type:
    """Any number; a list for those of the runtime's helpers that give one."""
    if any(isinstance(a, Bottom) for a in args):
        return BOTTOM
    if function in (np.ndim, np.size):
        return Scalar("int")
    if getattr(function, "__module__", "") == "math" and all(isinstance(a, Scalar) for a in args):
        return Scalar("float")  # the sample was outside of its domain
    ours = (getattr(function, "__module__", None) or "").startswith("s2sgrad_runtime")
    like = _shaped_like(function, args) if ours else None
    if like is not None:
        return like
    rule = lookup(function) if callable(function) else None
    return List(Number(), fixed=True) if rule is not None and rule.tuple_output else Number()


def _shaped_like(function: Any, args: tuple[Type, ...]) -> Type | None:
    """The type of a cotangent that a helper brings into the shape of one of its arguments."""
    places: tuple[int, ...] = getattr(function, "shape_only", ())
    name = function.__name__
    if len(places) != 1 or places[0] >= len(args) or not name.startswith("un"):
        return None
    like = args[places[0]]
    if not isinstance(like, Array) or like.shape is None:
        return None
    return like if is_float_dtype(like.dtype) else Array(None, like.shape)


def _read(first: Any, second: Any, samples: Samples) -> Type:
    """The common type of the two results."""
    if isinstance(first, np.ndarray):
        if first.dtype.names is not None:
            return Opaque("records")
        if np.ndim(first) != np.ndim(second) or str(first.dtype) == "object":
            return Array(None, None)
        dims = zip(first.shape, second.shape, strict=True)
        shape = tuple(samples.size(a, b) for a, b in dims)
        return Array(str(first.dtype), shape)
    if isinstance(first, np.generic):
        return numpy_scalar(str(first.dtype))
    if isinstance(first, bool | int | float | complex):
        size = samples.size(first, second) if type(first) is int else None
        return Scalar(type(first).__name__, size)
    if isinstance(first, list) and not first and not second:
        return Number()  # of these samples nothing was left; others may leave numbers
    if isinstance(first, tuple | list) and type(first) is type(second):
        if len(first) != len(second):
            item: Type = BOTTOM
            for a, b in zip(first, second, strict=False):
                item = join(item, _read(a, b, samples))
            return List(item, fixed=isinstance(first, tuple))
        parts = tuple(_read(a, b, samples) for a, b in zip(first, second, strict=True))
        return Tuple(parts, listed=isinstance(first, list))
    if first is None or isinstance(first, np.dtype | type):
        return Known(first)
    if isinstance(first, str):  # it may show the samples
        return Opaque("str")
    home = type(first).__module__  # an object of another library may hold the numbers
    plain = home == "builtins" or home.startswith(("numpy.random", "scipy.sparse"))
    return Opaque(type(first).__name__) if plain else Opaque()


def element_type(kind: Type) -> Type:
    """What iterating over a value (or indexing it with an integer) gives."""
    if isinstance(kind, Array):
        if kind.shape is None:
            return Number(kind.dtype)
        if len(kind.shape) == 1:
            return numpy_scalar(kind.dtype) if kind.dtype else Number()
        return Array(kind.dtype, kind.shape[1:])
    if isinstance(kind, Number):
        return Number(kind.dtype)
    if isinstance(kind, List | Dict):
        return unfolded(kind.item) if isinstance(kind, List) else kind.key
    kind = spelled_out(kind)
    if isinstance(kind, Tuple):
        result: Type = BOTTOM
        for item in kind.items:
            result = join(result, unfolded(item))
        return result
    if isinstance(kind, Maybe):
        return element_type(kind.item)
    return kind if isinstance(kind, Bottom) else Opaque()


def carries_dtype(kind: Type) -> bool:
    """Whether a type is a number with a float dtype."""
    return is_number(kind) and is_float_dtype(kind.dtype)  # type: ignore[attr-defined]
