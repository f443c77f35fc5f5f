"""Floor 5: what a rule of SciPy's divides by is a number of NumPy's.

`gamma.logpdf(x, 1.0)` has a slope at Python's 0.0, where its support ends: `(a - 1.0) / x` would
raise an error instead. The user's own `1.0 / x` and `math.log(x)` have raised theirs before their
slopes are computed, and the slopes of NumPy's functions stay as one writes them.
"""

from __future__ import annotations

from dataclasses import replace
from operator import is_
from typing import Any

import numpy as np

from s2sgrad.ir.nodes import Call, Const, Expr
from s2sgrad.ir.types import Scalar
from s2sgrad.transform.writing import build
from s2sgrad.transform.writing.rewrite import map_expr

_NUMPYS = {"float": np.float64, "complex": np.complex128}
_HOMES = ("scipy", "s2sgrad_runtime", "s2sgrad")


def goes_to_edges(call: Call, wide: str | None) -> bool:
    """Whether a function gives numbers where the division in its slope would raise an error.

    wide: the dtype of its entries; a double of NumPy's beside narrower ones would widen them.
    """
    if isinstance(call.function, str) or call.form not in ("call", "method"):
        return False
    home = getattr(call.function, "__module__", None) or ""
    ours = call.text.startswith("scipy") or home.split(".")[0] in _HOMES
    return ours and wide in (None, "float64")


def at_edges(sign: str, a: Expr, b: Expr) -> tuple[Expr, Expr]:
    """The operands of a quotient or power that may meet its edge, as numbers of NumPy's."""
    if not isinstance(a.type, Scalar) or not isinstance(b.type, Scalar):
        return a, b
    if sign == "/" and not (isinstance(b, Const) and b.value):
        return a, _of_numpy(b)
    if sign == "**" and not (isinstance(b, Const) and _is_natural(b.value)):
        return _of_numpy(a), b
    return a, b


def written_at_edges(expr: Expr) -> Expr:
    """The same in an expression that a helper was written out as."""

    def change(part: Expr) -> Expr:
        if isinstance(part, Call) and part.form == "operator" and len(part.args) == 2:
            args = at_edges(part.text, *part.args)
            return part if all(map(is_, args, part.args)) else replace(part, args=args)
        return part

    return map_expr(expr, change)


def _of_numpy(expr: Expr) -> Expr:
    kind = _NUMPYS.get(expr.type.dtype) if isinstance(expr.type, Scalar) else None
    if kind is None:
        return expr
    name = f"np.{kind.__name__}"
    return build.call(kind, name, expr, kind=Scalar(kind.__name__))


def _is_natural(power: Any) -> bool:
    return isinstance(power, int | float) and power >= 0 and power == int(power)


__all__ = ["at_edges", "goes_to_edges", "written_at_edges"]
