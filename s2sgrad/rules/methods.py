"""Floor 2: which NumPy function stands behind a method, attribute, operator or builtin.

The compiler and the eager tensors look names up here, so that `x.sum(0)`, `np.sum(x, 0)` and
`x.__add__` share one rule.
"""

from __future__ import annotations

import builtins
import inspect
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import s2sgrad_runtime

Function = Callable[..., Any]
Call = tuple[tuple[Any, ...], dict[str, Any]]
Adapt = Callable[[tuple[Any, ...], dict[str, Any]], Call]


class Method(NamedTuple):
    """The NumPy function behind an ndarray method.

    `adapt(args, kwargs)` turns the method's arguments (`args[0]` is the array itself) into the
    function's. It looks only at how many there are and at keyword names, so the entries may be
    values or syntax alike; several sizes or axes come back packed in one Python tuple.
    `copies`: the method returns fresh memory even where the function returns a view.
    `by_name`: the call is written with the function's name, whose arguments are others.
    """

    function: Function
    adapt: Adapt
    copies: bool = False
    by_name: bool = False


def as_is(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """The method's arguments are the function's."""
    return args, kwargs


def pack_rest(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """`x.reshape(2, 3)` -> `np.reshape(x, (2, 3))`; one argument stays as it is."""
    if len(args) > 2:
        args = (args[0], args[1:])
    return args, kwargs


def swap_first(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """`x.compress(condition, axis)` -> `np.compress(condition, x, axis)`."""
    if "condition" in kwargs:
        kwargs = dict(kwargs)
        return (kwargs.pop("condition"), *args), kwargs
    return (args[1], args[0], *args[2:]), kwargs


def clip_bounds(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """`x.clip(max=1)` -> `np.clip(x, None, 1)`; other keywords stay."""
    kwargs = dict(kwargs)
    low = args[1] if len(args) > 1 else kwargs.pop("min", None)
    high = args[2] if len(args) > 2 else kwargs.pop("max", None)
    return (args[0], low, high, *args[3:]), kwargs


def only_dtype(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """`x.astype(t, order, casting, subok, copy)` -> `np.astype(x, t, copy=copy)`."""
    dtype = args[1] if len(args) > 1 else kwargs["dtype"]
    given = {"copy": args[5]} if len(args) > 5 else {k: v for k, v in kwargs.items() if k == "copy"}
    return (args[0], dtype), given


def dtype_and_order(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
    """`x.astype(t, order)` -> `np.array(x, dtype=t, order=order)`."""
    named = dict(zip(("dtype", "order"), args[1:3], strict=False)) | dict(kwargs)
    return args[:1], {k: v for k, v in named.items() if k in ("dtype", "order")}


SAME_NAME = (
    "all any argmax argmin argpartition argsort choose conj conjugate copy cumprod cumsum diagonal "
    "dot max mean min nonzero prod ravel repeat round searchsorted squeeze std sum swapaxes take "
    "trace var"
)

METHODS: dict[str, Method] = {
    **{name: Method(getattr(np, name), as_is) for name in SAME_NAME.split()},
    "astype": Method(np.astype, only_dtype),
    "clip": Method(np.clip, clip_bounds),
    "compress": Method(np.compress, swap_first),
    "flatten": Method(np.ravel, as_is, copies=True),
    "item": Method(s2sgrad_runtime.item, pack_rest),
    "reshape": Method(np.reshape, pack_rest),
    "transpose": Method(np.transpose, pack_rest),
}


def method_of(
    name: str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    known: Callable[[Any], Any] = lambda value: value,
) -> Method | None:
    """The method of a name for these arguments, the array's own left out.

    known: what is known of an argument. `np.astype` knows no order in memory, and its cotangents
    stay as they are where objects are made of numbers: `np.array` is the function then.
    """
    if name != "astype":
        return METHODS.get(name)
    dtype = args[0] if args else kwargs.get("dtype")
    order = args[1] if len(args) > 1 else kwargs.get("order")
    if (order is None or known(order) == "K") and not _is_object(known(dtype)):
        return METHODS[name]
    copy = args[4] if len(args) > 4 else kwargs.get("copy")
    as_it_is = copy is not None and known(copy) is False
    return Method(np.asarray if as_it_is else np.array, dtype_and_order, by_name=True)


def _is_object(dtype: Any) -> bool:
    return dtype is object or (isinstance(dtype, str) and dtype in ("O", "object"))


# Methods that write into their array and return None.
IN_PLACE_METHODS = frozenset({"fill", "itemset", "partition", "put", "resize", "sort"})

ATTRIBUTES: dict[str, Function] = {
    "T": np.transpose,
    "mT": np.matrix_transpose,
    "real": np.real,
    "imag": np.imag,
    "flat": np.ravel,
}

# Attributes that hold no floats.
CONSTANT_ATTRIBUTES = frozenset(
    {"shape", "ndim", "size", "dtype", "itemsize", "nbytes", "strides", "flags"}
)

OPERATORS: dict[str, Function] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "//": np.floor_divide,
    "%": np.remainder,
    "**": np.power,
    "@": np.matmul,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
    "&": np.bitwise_and,
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
    "<<": np.left_shift,
    ">>": np.right_shift,
}

UNARY_OPERATORS: dict[str, Function] = {
    "-": np.negative,
    "+": np.positive,
    "~": np.invert,
    "not": np.logical_not,
}

# Special method of each operator, for classes that overload them: "__add__" -> np.add.
SPECIAL_METHODS: dict[str, Function] = {
    **{
        f"__{name}__": OPERATORS[symbol]
        for name, symbol in (
            ("add", "+"),
            ("sub", "-"),
            ("mul", "*"),
            ("truediv", "/"),
            ("floordiv", "//"),
            ("mod", "%"),
            ("pow", "**"),
            ("matmul", "@"),
            ("lt", "<"),
            ("le", "<="),
            ("gt", ">"),
            ("ge", ">="),
            ("eq", "=="),
            ("ne", "!="),
            ("and", "&"),
            ("or", "|"),
            ("xor", "^"),
            ("lshift", "<<"),
            ("rshift", ">>"),
        )
    },
    "__neg__": np.negative,
    "__pos__": np.positive,
    "__abs__": np.absolute,
    "__invert__": np.invert,
    "__divmod__": np.divmod,
}

_MATH_NAMES = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh degrees exp exp2 expm1 "
    "fabs floor fmod frexp gcd isfinite isinf isnan lcm ldexp log10 log1p log2 modf nextafter pow "
    "radians sin sinh sqrt tan tanh trunc"
)

_RENAMED = {
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "atan2": "arctan2",
    "asinh": "arcsinh",
    "acosh": "arccosh",
    "atanh": "arctanh",
    "pow": "float_power",
}

# math.remainder rounds to even where np.remainder floors, and math.log may take a base: those
# two have rules of their own, as have the functions that NumPy lacks (math.erf, math.gamma).
EQUIVALENTS: dict[Function, Function] = {
    **{getattr(math, name): getattr(np, _RENAMED.get(name, name)) for name in _MATH_NAMES.split()},
    builtins.abs: np.absolute,
    builtins.pow: np.power,
    builtins.divmod: np.divmod,
    operator.add: np.add,
    operator.sub: np.subtract,
    operator.mul: np.multiply,
    operator.truediv: np.divide,
    operator.floordiv: np.floor_divide,
    operator.mod: np.remainder,
    operator.pow: np.power,
    operator.matmul: np.matmul,
    operator.neg: np.negative,
    operator.pos: np.positive,
    operator.abs: np.absolute,
    operator.lt: np.less,
    operator.le: np.less_equal,
    operator.gt: np.greater,
    operator.ge: np.greater_equal,
    operator.eq: np.equal,
    operator.ne: np.not_equal,
    operator.not_: np.logical_not,
    operator.and_: np.bitwise_and,
    operator.or_: np.bitwise_or,
    operator.xor: np.bitwise_xor,
    operator.invert: np.invert,
}

_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@cache
def place_of_out(function: Function) -> int | None:
    """Where `out` stands among a function's arguments; None where it is given by name only."""
    if isinstance(function, np.ufunc):
        return function.nin
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        return None
    places = (i for i, p in enumerate(parameters) if p.name == "out" and p.kind in _BY_PLACE)
    return next(places, None)


@cache
def place_of_output(function: Function) -> int | None:
    """Where `output`, an array or a dtype, stands among the arguments of a filter of SciPy's;
    None for other functions."""
    if not str(getattr(function, "__module__", "")).startswith("scipy.ndimage"):
        return None
    names = list(inspect.signature(function).parameters)
    return names.index("output") if "output" in names else None


# Names of what functions with several results give (np.linalg.svd(a).S) -> the place of each.
RESULT_FIELDS: dict[str, int] = {
    "eigenvalues": 0, "eigenvectors": 1, "U": 0, "S": 1, "Vh": 2, "Q": 0, "R": 1,
    "sign": 0, "logabsdet": 1,
}  # fmt: skip
