"""Floor 4: the types of random numbers that NumPy's generators draw."""

from __future__ import annotations

import numpy as np

from s2sgrad.analysis.indexing import size_of
from s2sgrad.ir import nodes, sizes
from s2sgrad.ir.nodes import Expr
from s2sgrad.ir.sizes import Shape
from s2sgrad.ir.types import NONE, Array, Number, Opaque, Scalar, Tuple, Type, is_number, shape_of

GENERATORS = (Opaque("Generator"), Opaque("RandomState"))

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


def drawn_type(name: str, args: tuple[Expr, ...], kwargs: dict[str, Expr]) -> Type:
    """The type of what a method of a generator draws."""
    if name in ("rand", "randn") and not kwargs:
        return _drawn(tuple(size_of(a) for a in args), whole=False)
    if name == "permutation" and len(args) == 1 and not kwargs:
        return _permuted(args[0])
    at = _SIZE.get(name)
    if at is None or not kwargs.keys() <= {"size", "loc", "scale", "low", "high", "lam", "p", "n"}:
        return Number()
    size = kwargs.get("size", args[at] if len(args) > at else None)
    shape = _of_parameters(args, kwargs) if size is None or size.type == NONE else _asked(size)
    return Number() if shape is None else _drawn(shape, name in _WHOLE)


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


def of_module(expr: Expr) -> bool:
    """Whether a call draws from, or seeds, NumPy's own generator."""
    match expr:
        case nodes.Call(form="method", args=(nodes.Ref(value=value), *_)):
            return value is np.random
    return False


__all__ = ["GENERATORS", "drawn_type", "of_module"]
