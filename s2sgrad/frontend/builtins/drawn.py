"""Floor 4: the types of random numbers that generators of NumPy and Python draw."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from s2sgrad.analysis.indexing import size_of
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.nodes import Expr
from s2sgrad.ir.sizes import Shape
from s2sgrad.ir.types import (
    NONE,
    UNKNOWN,
    Array,
    List,
    Number,
    Opaque,
    Scalar,
    Tuple,
    Type,
    is_number,
    shape_of,
)

_PYTHONS = Opaque(random.Random.__name__)
GENERATORS = (Opaque("Generator"), Opaque("RandomState"), _PYTHONS)


def generator_of(function: object) -> Opaque | None:
    """The type of the generator of random numbers that a function or class makes; else None."""
    if isinstance(function, type) and issubclass(function, random.Random):
        return _PYTHONS
    made = np.random.Generator if function is np.random.default_rng else function
    if made is np.random.Generator or made is np.random.RandomState:
        return Opaque(made.__name__, made)
    return None


# method -> where its parameter `size` stands
_SIZE = {
    "random": 0, "random_sample": 0, "standard_normal": 0, "standard_exponential": 0,
    "standard_cauchy": 0, "standard_gamma": 1, "exponential": 1, "poisson": 1, "rayleigh": 1,
    "chisquare": 1, "standard_t": 1, "weibull": 1, "pareto": 1, "power": 1, "geometric": 1,
    "logseries": 1, "zipf": 1, "normal": 2, "uniform": 2, "lognormal": 2, "gumbel": 2,
    "laplace": 2, "logistic": 2, "gamma": 2, "beta": 2, "binomial": 2, "negative_binomial": 2,
    "f": 2, "noncentral_chisquare": 2, "vonmises": 2, "wald": 2, "integers": 2, "randint": 2,
    "triangular": 3, "noncentral_f": 3, "hypergeometric": 3,
}  # fmt: skip
_WHOLE = frozenset(
    {
        "poisson", "geometric", "logseries", "zipf", "binomial", "negative_binomial", "integers",
        "randint", "hypergeometric",
    }
)  # fmt: skip


def drawn_by(owner: Type, name: str, args: tuple[Expr, ...], kwargs: dict[str, Expr]) -> Type:
    """The type of what a method of a generator in a variable draws."""
    if owner == _PYTHONS:
        return python_drawn_type(name, [e.type for e in (*args, *kwargs.values())]) or Number()
    return drawn_type(name, args, kwargs)


def drawn_type(name: str, args: tuple[Expr, ...], kwargs: dict[str, Expr]) -> Type:
    """The type of what a method of a generator draws."""
    if name in ("rand", "randn") and not kwargs:
        return _drawn(tuple(size_of(a) for a in args), whole=False)
    if name == "permutation" and len(args) == 1 and not kwargs:
        return _permuted(args[0])
    if name == "permuted" and len(args) == 1 and kwargs.keys() <= {"axis"}:
        return args[0].type if isinstance(args[0].type, Array) else Number()
    if name == "choice" and args and "axis" not in kwargs and len(args) < 5:
        return _chosen(args[0].type, kwargs.get("size", args[1] if len(args) > 1 else None))
    at = _SIZE.get(name)
    if at is None or not kwargs.keys() <= {"size", "loc", "scale", "low", "high", "lam", "p", "n"}:
        return Number()
    size = kwargs.get("size", args[at] if len(args) > at else None)
    shape = _of_parameters(args, kwargs) if size is None or size.type == NONE else _asked(size)
    return Number() if shape is None else _drawn(shape, name in _WHOLE)


def _chosen(source: Type, size: Expr | None) -> Type:
    """Some of the entries of a vector or list, or of the numbers below one."""
    items = (source.item,) if isinstance(source, List) else getattr(source, "items", (source,))
    one = isinstance(source, Array) and (source.shape is None or len(source.shape) != 1)
    shape = () if size is None or size.type == NONE else _asked(size)
    dtypes = {getattr(item, "dtype", None) for item in items}
    if one or shape is None or not all(isinstance(i, Scalar | Array) for i in items):
        return Number()
    if isinstance(items[0], Array) and items[0] is not source:  # rows
        return Number()
    whole, floats = dtypes <= {"int", "int64"}, dtypes <= {"float", "float64"}
    below = isinstance(source, Scalar)
    return _drawn(shape, whole) if whole or (floats and not below) else Number()


def _drawn(shape: Shape, whole: bool) -> Type:
    if shape == ():
        return Scalar("int" if whole else "float")
    return Array("int64" if whole else "float64", shape)


def _permuted(expr: Expr) -> Type:
    """An array in another order, or the numbers below one."""
    if isinstance(expr.type, Scalar) and expr.type.dtype.startswith("int"):
        return Array("int64", (size_of(expr),))
    return expr.type if isinstance(expr.type, Array) else Number()


def _asked(size: Expr) -> Shape | None:
    """The shape that `size=` asks for."""
    if isinstance(size, nodes.Sequence):
        return tuple(size_of(item) for item in size.items)
    match size.type:
        case Scalar(dtype=dtype) if dtype.startswith("int"):
            return (size_of(size),)
        case Tuple(items=items) if all(isinstance(i, Scalar) for i in items):
            return tuple(i.size for i in items)  # type: ignore[attr-defined]
    return None


def _of_parameters(args: tuple[Expr, ...], kwargs: dict[str, Expr]) -> Shape | None:
    """Without `size`, one number is drawn for each entry of the parameters."""
    shape: Shape = ()
    for expr in (*args, *kwargs.values()):
        found = shape_of(expr.type) if is_number(expr.type) else None
        if found is None:
            return None
        shape = sizes.broadcast(shape, found)
    return shape


def python_drawn_type(name: str, args: Sequence[Type]) -> Type | None:
    """The type of what a function of Python's `random` draws, for arguments of these types.

    Whole numbers and `random()` are Python's own whatever they are asked for with; the others
    compute with their arguments, and an array makes an array of them.
    """
    if name in ("randint", "randrange", "getrandbits"):
        return Scalar("int")
    own = all(isinstance(t, Scalar) and t.dtype in ("int", "float", "bool") for t in args)
    if name == "choice":
        return _one_of(args)
    if name == "random" or (name in _PYTHON_FLOATS and own):
        return Scalar("float")
    return None


def _one_of(args: Sequence[Type]) -> Type | None:
    """The type of an entry of a list of numbers that are all of one type."""
    match args:
        case [Tuple(items=items)] | [List(item=_) as items]:
            found = items if isinstance(items, tuple) else (items.item,)
            own = {replace(t, size=None, value=UNKNOWN) for t in found if isinstance(t, Scalar)}
            whole = all(isinstance(t, Scalar) for t in found)
            return own.pop() if whole and len(own) == 1 else None
    return None


_PYTHON_FLOATS = frozenset(
    {
        "uniform", "gauss", "normalvariate", "lognormvariate", "expovariate", "triangular",
        "betavariate", "gammavariate", "paretovariate", "weibullvariate", "vonmisesvariate",
    }
)  # fmt: skip


def of_module(expr: Expr) -> bool:
    """Whether a call draws from, or seeds, the generator of `np.random` or of Python's `random`."""
    match expr:
        case nodes.Call(form="method", args=(nodes.Ref(value=value), *_)):
            return value is np.random or value is random
    return False


__all__ = ["GENERATORS", "drawn_by", "drawn_type", "generator_of", "of_module", "python_drawn_type"]
