"""Python's round(x, digits) in compiled code: by the digits that x has, not by those of x * 10**n.

round(1.115, 2) is 1.11, as 1.115 is a little less than it says; NumPy's and Numba's give 1.12.
"""

from __future__ import annotations

import math
from typing import Any

from numba.extending import register_jitable

__all__ = ["rounded"]

LARGEST = 9007199254740992.0  # 2**53: whole numbers up to there are floats
EXACT = 22  # 10**22 is the last power of ten that a float holds exactly
SPLIT = 134217729.0  # 2**27 + 1: halves the digits of a float


@register_jitable  # type: ignore[untyped-decorator]
def rounded(x: Any, digits: Any) -> Any:
    """The number with so many decimals that is nearest to x; of two the one that ends evenly."""
    power = 10.0 ** abs(digits)
    if not 0 <= digits <= EXACT or not math.isfinite(x):
        return round(x, digits)
    size = abs(x)
    if not size * power <= LARGEST:
        return x  # it has no more decimals
    product = size * power
    whole = math.floor(product)
    above = (product - whole - 0.5) + _rest(size, power, product)
    if above > 0.0 or (above == 0.0 and whole % 2.0 == 1.0):
        whole += 1.0
    return math.copysign(whole / power, x)


@register_jitable  # type: ignore[untyped-decorator]
def _rest(a: Any, b: Any, product: Any) -> Any:
    """a * b - product, exactly (T. J. Dekker, A floating-point technique, 1971)."""
    big = SPLIT * a
    a_high = big - (big - a)
    big = SPLIT * b
    b_high = big - (big - b)
    a_low, b_low = a - a_high, b - b_high
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
