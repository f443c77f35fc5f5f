"""Floor 3: what an operator gives on known numbers, as Python computes it."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from s2sgrad.ir.types import UNKNOWN, Scalar

_LARGE = 1024  # exponents up to which powers are computed beforehand
_PYTHONS = {
    np.add: operator.add, np.subtract: operator.sub, np.multiply: operator.mul,
    np.true_divide: operator.truediv, np.floor_divide: operator.floordiv,
    np.remainder: operator.mod, np.power: operator.pow, np.negative: operator.neg,
    np.positive: operator.pos, np.invert: operator.invert, np.left_shift: operator.lshift,
    np.right_shift: operator.rshift, np.bitwise_and: operator.and_,
    np.bitwise_or: operator.or_, np.bitwise_xor: operator.xor, np.absolute: abs,
    np.equal: operator.eq, np.not_equal: operator.ne, np.less: operator.lt,
    np.less_equal: operator.le, np.greater: operator.gt, np.greater_equal: operator.ge,
}  # fmt: skip


def folded(function: Any, args: tuple[Scalar, ...], dtype: str) -> Any:
    """The constant an operator gives on constants: Python's own, whose integers have no end."""
    values = [a.value for a in args]
    if any(v is UNKNOWN for v in values):
        return UNKNOWN
    try:
        if function is np.power and abs(values[1]) > _LARGE:
            return UNKNOWN
        with np.errstate(all="raise"):
            found = _PYTHONS.get(function, function)(*values)
            found = {"int": int, "float": float, "complex": complex, "bool": bool}[dtype](found)
    except (ArithmeticError, TypeError, ValueError):
        return UNKNOWN
    return found if dtype != "float" or np.isfinite(found) else UNKNOWN
