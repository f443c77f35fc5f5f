"""Python's integers in compiled code, which has 64 bits for them: what goes beyond is an error.

Python runs the code instead then: there integers have as many digits as they need.
"""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.extending import intrinsic, overload, register_jitable

__all__ = [
    "whole_difference", "whole_power", "whole_product", "whole_quotient", "whole_remainder",
    "whole_shift", "whole_sum",
]  # fmt: skip

BEYOND = "an integer beyond 64 bits: compiled code can't hold it; begin with a float, as 1.0"
BY_ZERO = "integer division or modulo by zero"
BELOW = "an integer to a negative power is a float: write float(n) ** m"


def _checked(instruction: str) -> Any:
    """(result, whether it is too long for 64 bits) of two integers."""

    def compute(context: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            both = getattr(builder, instruction)(*args)
            parts = [builder.extract_value(both, i) for i in (0, 1)]
            return context.make_tuple(builder, signature.return_type, parts)

        pair = types.Tuple((types.int64, types.boolean))
        return pair(types.int64, types.int64), generate

    return intrinsic(compute)


_compiled_product, _compiled_sum = _checked("smul_with_overflow"), _checked("sadd_with_overflow")
_compiled_difference = _checked("ssub_with_overflow")


def _product(a: Any, b: Any) -> Any:
    return a * b, False


def _sum(a: Any, b: Any) -> Any:
    return a + b, False


def _difference(a: Any, b: Any) -> Any:
    return a - b, False


@overload(_difference, strict=False)
def _(a: Any, b: Any) -> Any:
    return lambda a, b: _compiled_difference(a, b)


@overload(_product, strict=False)
def _(a: Any, b: Any) -> Any:
    return lambda a, b: _compiled_product(a, b)


@overload(_sum, strict=False)
def _(a: Any, b: Any) -> Any:
    return lambda a, b: _compiled_sum(a, b)


@register_jitable  # type: ignore[untyped-decorator]
def whole_product(a: Any, b: Any) -> Any:
    """a * b."""
    value, beyond = _product(a, b)
    if beyond:
        raise ValueError(BEYOND)
    return value


@register_jitable  # type: ignore[untyped-decorator]
def whole_sum(a: Any, b: Any) -> Any:
    """a + b."""
    value, beyond = _sum(a, b)
    if beyond:
        raise ValueError(BEYOND)
    return value


@register_jitable  # type: ignore[untyped-decorator]
def whole_difference(a: Any, b: Any) -> Any:
    """a - b."""
    value, beyond = _difference(a, b)
    if beyond:
        raise ValueError(BEYOND)
    return value


@register_jitable  # type: ignore[untyped-decorator]
def whole_power(a: Any, n: Any) -> Any:
    """a ** n, by squaring."""
    if n < 0:
        raise ValueError(BELOW)
    value = 1
    while n:
        if n & 1:
            value = whole_product(value, a)
        n >>= 1
        if n:
            a = whole_product(a, a)
    return value


@register_jitable  # type: ignore[untyped-decorator]
def whole_shift(a: Any, n: Any) -> Any:
    """a << n."""
    if not 0 <= n < 63 or (a << n) >> n != a:
        raise ValueError(BEYOND)
    return a << n


@register_jitable  # type: ignore[untyped-decorator]
def whole_quotient(a: Any, b: Any) -> Any:
    """a // b."""
    if b == 0:
        raise ValueError(BY_ZERO)
    return a // b


@register_jitable  # type: ignore[untyped-decorator]
def whole_remainder(a: Any, b: Any) -> Any:
    """a % b."""
    if b == 0:
        raise ValueError(BY_ZERO)
    return a % b
