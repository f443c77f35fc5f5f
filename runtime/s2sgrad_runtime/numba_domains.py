"""Python's functions and operators on numbers in compiled code, with the errors that Python raises.

There `math.log(0.0)` and `1.0 / 0.0` are infinite, and `(-8.0) ** 0.5` is nan. The functions raise
what Python's do. Of operators it is only noticed that something is amiss: Python runs the code
again then, and says what it is, or finds a complex number.
"""

from __future__ import annotations

import cmath
import math
from typing import Any

from numba.extending import register_jitable

__all__ = ["FUNCTIONS", "WHOLE", "noticed_complex_power", "noticed_divisor", "noticed_power"]

DOMAIN, RANGE = "math domain error", "math range error"
LARGEST = 9.2e18  # about: what is larger does not fit into 64 bits
AMISS = "a power of Python's numbers is not finite"
_OVERFLOWING = ("exp", "expm1", "cosh", "sinh", "gamma")
_OTHERS = (
    "log", "log2", "log10", "log1p", "sqrt", "asin", "acos", "acosh", "atanh", "lgamma",
    "sin", "cos", "tan",
)  # fmt: skip


def _checked(function: Any, overflows: bool, of_poles: bool = False) -> Any:
    """A function of one float. overflows: infinite results are too large; of_poles: except at
    whole numbers."""

    def of_float(x: Any) -> Any:
        value = function(x)
        if not math.isfinite(value) and not math.isnan(x):
            if math.isnan(value) or (math.isfinite(x) and not overflows):
                raise ValueError(DOMAIN)
            if math.isfinite(x) and of_poles and x <= 0 and x == math.floor(x):
                raise ValueError(DOMAIN)
            if math.isfinite(x):
                raise OverflowError(RANGE)
        return value

    return _named(of_float, function)


def _checked_complex(function: Any, overflows: bool) -> Any:
    """A function of one complex number."""

    def of_complex(z: Any) -> Any:
        value = function(z)
        if not cmath.isfinite(value) and cmath.isfinite(z):
            if overflows:
                raise OverflowError(RANGE)
            raise ValueError(DOMAIN)
        return value

    return _named(of_complex, function)


def _checked_pair(function: Any) -> Any:
    """`math.pow`, or another function of two floats."""

    def of_floats(x: Any, y: Any) -> Any:
        value = function(x, y)
        if not math.isfinite(value) and not math.isnan(x) and not math.isnan(y):
            if math.isnan(value) or (x == 0.0 and math.isfinite(y)):
                raise ValueError(DOMAIN)
            if math.isfinite(x) and math.isfinite(y):
                raise OverflowError(RANGE)
        return value

    return _named(of_floats, function)


def _checked_whole(function: Any) -> Any:
    """`int`, or another function that makes an integer of a float."""

    def of_float(x: Any) -> Any:
        if not abs(x) < LARGEST:
            if math.isnan(x):
                raise ValueError("cannot convert float NaN to integer")
            raise OverflowError("cannot convert float infinity to integer")
        return function(x)

    return _named(of_float, function)


def _named(compiled: Any, function: Any) -> Any:
    name = f"checked_{function.__name__}"
    if function.__module__ == "cmath":
        name = f"checked_complex_{function.__name__}"
    compiled.__qualname__ = compiled.__name__ = name
    compiled.__doc__ = f"`{function.__module__}.{function.__name__}`."
    globals()[name] = register_jitable(compiled)
    return globals()[name]


@register_jitable  # type: ignore[untyped-decorator]
def noticed_power(value: Any) -> Any:
    """What `x ** y` gives, if it is finite."""
    if not math.isfinite(value):
        raise OverflowError(AMISS)
    return value


@register_jitable  # type: ignore[untyped-decorator]
def noticed_complex_power(value: Any) -> Any:
    """The same of complex numbers."""
    if not cmath.isfinite(value):
        raise OverflowError(AMISS)
    return value


@register_jitable  # type: ignore[untyped-decorator]
def noticed_divisor(y: Any) -> Any:
    """What Python divides by, if it is not zero."""
    if y == 0:
        raise ZeroDivisionError("division by zero")
    return y


# Python's function -> the one that raises its errors.
FUNCTIONS = {
    **{getattr(math, n): _checked(getattr(math, n), True, n == "gamma") for n in _OVERFLOWING},
    **{getattr(math, n): _checked(getattr(math, n), False) for n in _OTHERS},
    **{f: _checked_pair(f) for f in (math.pow, math.hypot)},
    **{f: _checked_complex(f, True) for f in (cmath.exp, cmath.sinh, cmath.cosh)},
    **{f: _checked_complex(f, False) for f in (cmath.log, cmath.log10, cmath.atanh, cmath.atan)},
}
WHOLE = {f: _checked_whole(f) for f in (int, round, math.floor, math.ceil, math.trunc)}
__all__ += [f.__name__ for f in (*FUNCTIONS.values(), *WHOLE.values())]
