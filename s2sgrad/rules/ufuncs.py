"""Floor 2: rules of NumPy's arithmetic ufuncs (operators lower to these)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from s2sgrad.rules.declare import RULES, elementwise, structural, tangent
from s2sgrad_runtime import power_bar_base, power_bar_exponent, tie_share, unbroadcast


@elementwise(np.add, linear=("x1", "x2"))
def add(y_bar, y, x1, x2):
    """y = x1 + x2."""
    return y_bar, y_bar


@elementwise(np.subtract, linear=("x1", "x2"))
def subtract(y_bar, y, x1, x2):
    """y = x1 - x2."""
    return y_bar, -y_bar


@elementwise(np.multiply, linear=("x1", "x2"))
def multiply(y_bar, y, x1, x2):
    """y = x1 * x2."""
    return y_bar * x2, y_bar * x1


@elementwise(np.divide, linear=("x1",), singular=True, harmless=bool)
def divide(y_bar, y, x1, x2):
    """y = x1 / x2, dy/dx2 = -y / x2."""
    scaled_bar = y_bar / x2
    return scaled_bar, -scaled_bar * y


def inverse(y_bar, y, x1, x2):
    """y = 1 / x2, dy/dx2 = -y**2: where x1 is written as the number 1."""
    return y_bar / x2, -(y_bar * y * y)


INVERSE = replace(RULES[np.divide], declaration=inverse)


@elementwise(np.negative, linear=("x",))
def negative(y_bar, y, x):
    """y = -x."""
    return -y_bar


@elementwise(np.positive, linear=("x",))
def positive(y_bar, y, x):
    """y = +x."""
    return y_bar


@elementwise(np.reciprocal, singular=True)
def reciprocal(y_bar, y, x):
    """y = 1 / x, dy/dx = -y**2."""
    return -y_bar * y * y


@elementwise(np.square)
def square(y_bar, y, x):
    """y = x**2."""
    return 2.0 * y_bar * x


@elementwise(np.sqrt, singular=True, rooted=True)
def sqrt(y_bar, y, x):
    """y = sqrt(x), dy/dx = 1 / (2 y): infinite at 0."""
    return 0.5 * y_bar / y


@elementwise(np.cbrt, singular=True, rooted=True)
def cbrt(y_bar, y, x):
    """y = x**(1/3), dy/dx = 1 / (3 y**2): infinite at 0."""
    return y_bar / (3.0 * y * y)


@elementwise(
    np.power,
    np.float_power,
    singular=True,
    harmless=lambda exponent: exponent >= 1 and float(exponent).is_integer(),
    rooted=lambda exponent: 0 < exponent < 1,
)
def power(y_bar, y, x1, x2):
    """y = x1**x2; each partial stands alone, and is 0 where x2 == 0 or x1 == 0 <= x2."""
    return power_bar_base(y_bar, x1, x2), power_bar_exponent(y_bar, y, x1, x2)


@elementwise(np.maximum, selects=True)
def maximum(y_bar, y, x1, x2):
    """The larger argument gets the cotangent, infinite or not; a tie is shared evenly."""
    return (
        np.where(x1 < x2, 0.0, np.where(x1 == x2, 0.5 * y_bar, y_bar)),
        np.where(x2 < x1, 0.0, np.where(x1 == x2, 0.5 * y_bar, y_bar)),
    )


@elementwise(np.minimum, selects=True)
def minimum(y_bar, y, x1, x2):
    """The smaller argument gets the cotangent, infinite or not; a tie is shared evenly."""
    return (
        np.where(x1 > x2, 0.0, np.where(x1 == x2, 0.5 * y_bar, y_bar)),
        np.where(x2 > x1, 0.0, np.where(x1 == x2, 0.5 * y_bar, y_bar)),
    )


@elementwise(np.fmax, selects=True)
def fmax(y_bar, y, x1, x2):
    """As np.maximum, but a number beside NaN gets all."""
    share = tie_share(x1, x2)
    return (
        np.where(share > 0.0, y_bar * share, 0.0),
        np.where(share < 1.0, y_bar * (1.0 - share), 0.0),
    )


@elementwise(np.fmin, selects=True)
def fmin(y_bar, y, x1, x2):
    """As np.minimum, but a number beside NaN gets all."""
    share = tie_share(-x1, -x2)
    return (
        np.where(share > 0.0, y_bar * share, 0.0),
        np.where(share < 1.0, y_bar * (1.0 - share), 0.0),
    )


@elementwise(np.fmod, singular=True)
def fmod(y_bar, y, x1, x2):
    """y = x1 - n x2, where the integer n = (x1 - y) / x2 is flat almost everywhere."""
    return y_bar, -y_bar * ((x1 - y) / x2)


@elementwise(np.remainder, singular=True)
def remainder(y_bar, y, x1, x2):
    """y = x1 - floor(x1 / x2) x2."""
    return y_bar, -y_bar * (x1 // x2)


@elementwise(np.fabs)
def fabs(y_bar, y, x):
    """y = |x| for real x; 0 at the kink."""
    return y_bar * np.sign(x)


@elementwise(np.copysign, singular=False)
def copysign(y_bar, y, x1, x2):
    """y = |x1| with the sign of x2; 0 at x1 == 0, flat in x2."""
    return y_bar * np.sign(x1) * np.copysign(1.0, x2), np.zeros_like(y_bar)


@elementwise(np.heaviside)
def heaviside(y_bar, y, x1, x2):
    """y = 0, x2 or 1 for x1 below, at or above 0; flat in x1."""
    return np.zeros_like(y_bar), y_bar * (x1 == 0.0)


@elementwise(np.ldexp, linear=("x1",))
def ldexp(y_bar, y, x1, x2):
    """y = x1 2**x2, with an integer x2."""
    return np.ldexp(y_bar, x2), None


@structural(np.divmod, tuple_output=True)
def divmod_(y_bar, y, x1, x2):
    """(q, r) = (x1 // x2, x1 - q x2); q is flat almost everywhere."""
    return unbroadcast(y_bar[1], x1), unbroadcast(-y_bar[1] * y[0], x2)


@tangent(np.divmod)
def divmod_dot(y, x1, x2, *, x1_dot, x2_dot):
    """r_dot = x1_dot - q x2_dot."""
    zero = np.zeros_like(y[0])
    return (zero, zero + x1_dot), (zero, -y[0] * x2_dot)


@structural(np.modf, tuple_output=True)
def modf(y_bar, y, x):
    """(fraction, whole) of x; whole is flat almost everywhere."""
    return y_bar[0]


@tangent(np.modf)
def modf_dot(y, x, *, x_dot):
    """fraction_dot = x_dot."""
    return x_dot, np.zeros_like(x_dot)


@structural(np.frexp, tuple_output=True)
def frexp(y_bar, y, x):
    """x = mantissa 2**exponent, with an integer exponent."""
    return np.ldexp(y_bar[0], -y[1])


@tangent(np.frexp)
def frexp_dot(y, x, *, x_dot):
    """mantissa_dot = x_dot 2**-exponent; the exponent is an integer."""
    return np.ldexp(x_dot, -y[1]), np.zeros_like(y[1])


@elementwise(np.nan_to_num, selects=True)
def nan_to_num(y_bar, y, x, copy=True, nan=0.0, posinf=None, neginf=None):
    """x where it is finite, constants elsewhere."""
    return np.where(np.isfinite(x), y_bar, 0.0)


@elementwise(
    np.clip,
    optional=("a_min", "a_max"),
    aliases={"min": "a_min", "max": "a_max"},
    selects=True,
)
def clip(y_bar, y, a, a_min=None, a_max=None, out=None):
    """a inside the bounds, and at them; otherwise the bound that y is."""
    return (
        np.where(y == a, y_bar, 0.0),
        np.where((y != a) & (y == a_min), y_bar, 0.0),
        np.where((y != a) & (y != a_min), y_bar, 0.0),
    )


@elementwise(np.where, optional=("x1", "x2"), selects=True, flat=("condition",))
def where(y_bar, y, condition, x1=None, x2=None):
    """y = x1 where the condition holds, x2 elsewhere; the branch not taken gets exact zeros."""
    return None, np.where(condition, y_bar, 0.0), np.where(condition, 0.0, y_bar)
