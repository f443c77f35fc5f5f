"""Floor 5: what a rule computes of narrow numbers alone is computed in the result's dtype.

`np.arctan2(c, x)` of bytes c and doubles x is a double, but `c * c` in its slope would be a byte.
"""

from __future__ import annotations

import functools
import inspect
import sys
from dataclasses import replace
from typing import Any

import numpy as np

from s2sgrad.ir.nodes import Const, Expr
from s2sgrad.ir.types import Array, Scalar, Type
from s2sgrad.rules.declare import Rule
from s2sgrad.transform.writing import build


def wide_of(rule: Rule, kind: Type) -> str | None:
    """The dtype in which a rule that acts entry by entry computes, if it is known."""
    dtype = kind.dtype if isinstance(kind, Array | Scalar) else None
    if rule.kind != "elementwise" or dtype is None or np.dtype(dtype).kind not in "fc":
        return None
    return str(np.empty(0, dtype).real.dtype)


def _is_narrow(expr: Expr, wide: str) -> bool:
    kind = expr.type
    if isinstance(expr, Const) or not isinstance(kind, Array | Scalar) or kind.dtype is None:
        return False
    if kind.dtype in ("int", "float", "bool", "str"):
        return False  # Python's own have any width
    found = np.dtype(kind.dtype)
    return found.kind in "iu" or (found.kind == "f" and found.itemsize < np.dtype(wide).itemsize)


def _widened(expr: Expr, wide: str) -> Expr:
    if isinstance(expr.type, Array):
        return replace(build.copied_as(expr, wide), type=Array(wide, expr.type.shape))
    return build.call(float, "float", expr)


def widened_pair(sign: str, a: Expr, b: Expr, wide: str | None) -> tuple[Expr, Expr]:
    """Operands of an operator; a signed integer and a written number stay as they are."""
    if wide is None or sign in ("&", "|", "^"):
        return a, b
    if _is_narrow(a, wide) and _is_narrow(b, wide):
        return _widened(a, wide), b
    if _is_narrow(a, wide) and isinstance(b, Const):
        return _beside(a, b, wide), b
    if _is_narrow(b, wide) and isinstance(a, Const):
        return a, _beside(b, a, wide)
    return a, b


def _beside(expr: Expr, written: Const, wide: str) -> Expr:
    """A narrow operand of arithmetic with a written number, that nothing may be lost."""
    kind = np.dtype(getattr(expr.type, "dtype", None)).kind
    if kind == "i" or (kind == "u" and not isinstance(written.value, int)):
        return expr
    return _widened(expr, "int64" if kind == "u" and isinstance(expr.type, Array) else wide)


def widened_one(a: Expr, wide: str | None) -> Expr:
    """The operand of a minus sign; unsigned integers have no negatives."""
    unsigned = wide is not None and _is_narrow(a, wide)
    unsigned = unsigned and np.dtype(getattr(a.type, "dtype", None)).kind == "u"
    return _widened(a, str(wide)) if unsigned else a


def widened_all(function: Any, args: list[Expr], wide: str | None) -> list[Expr]:
    """The arguments of a function of entries: what is narrow, widened, where it would compute with
    that alone. Helpers written in Python compute as they like; functions of integers keep them."""
    if wide is None:
        return args
    own = inspect.isfunction(function) and not hasattr(function, "path")
    counts = _counting_places(function)
    narrow = [
        _is_narrow(a, wide) and not (own and _is_long(a)) and k not in counts
        for k, a in enumerate(args)
    ]
    alone = all(
        n or isinstance(a, Const) or k in counts
        for k, (n, a) in enumerate(zip(narrow, args, strict=True))
    )
    if not (own or (alone and not _of_integers(function))):
        return args
    return [_widened(a, wide) if n else a for n, a in zip(narrow, args, strict=True)]


def _is_long(expr: Expr) -> bool:
    return np.dtype(getattr(expr.type, "dtype", None)).itemsize == 8


@functools.cache
def _of_integers(function: Any) -> bool:
    """Whether a ufunc gives integers for integers."""
    return any(kinds[-1] == "l" for kinds in getattr(function, "types", ()))


@functools.cache
def _counting_places(function: Any) -> frozenset[int]:
    """The arguments that a function of SciPy's takes as integers only, such as a degree."""
    module, _, name = getattr(function, "path", "").rpartition(".")
    ufunc = getattr(sys.modules.get(module), name, None) if name else function
    loops = [kinds.partition("->")[0] for kinds in getattr(ufunc, "types", ())]
    places = range(min(map(len, loops), default=0))
    return frozenset(k for k in places if all(kinds[k] in "lpqi" for kinds in loops))
