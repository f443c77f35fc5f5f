"""Pieces of elementwise rules that need more than one expression."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np

from s2sgrad_runtime._declare import entrywise

__all__ = [
    "angle_unit",
    "bessel_i",
    "circle_height",
    "counted",
    "edge_ratio",
    "gap",
    "inverse_point",
    "masked",
    "polygamma",
    "power_bar_base",
    "power_bar_exponent",
    "refuse_complex",
    "safe_divide",
    "sinc_slope",
    "tie_share",
]


def tie_share(x1: Any, x2: Any) -> Any:
    """The share of x1 in np.fmax(x1, x2): 1 where it is larger or x2 is NaN, 1/2 on ties, or 0."""
    larger = np.where((x1 > x2) | (x2 != x2), 1.0, 0.0)
    kind = np.result_type(np.result_type(x1, x2), np.float16)  # a float of Python is a float64
    return np.where(x1 == x2, 0.5, larger).astype(kind, copy=False)


def circle_height(x: Any) -> Any:
    """1 - x**2. Of a complex x the sign of zero in its imaginary part tells the side of the cut
    that x lies on: `1.0 - x * x` loses it."""
    return -(x * x - 1.0) if np.iscomplexobj(x) else 1.0 - x * x


def power_bar_base(y_bar: Any, x1: Any, x2: Any) -> Any:
    """Cotangent of x1 in x1**x2, not yet summed down to its shape; 0 where x2 == 0."""
    if np.ndim(x2) == 0:
        exponent = 0 if x2 == 0 else x2 - 1
    else:
        exponent = np.where(x2 == 0, 0, x2 - 1)
    return y_bar * x2 * np.power(x1, exponent)  # inf, not an error, for a Python 0.0


def power_bar_exponent(y_bar: Any, y: Any, x1: Any, x2: Any) -> Any:
    """Cotangent of x2 in y = x1**x2: y ln x1, and 0 where x1 == 0 <= re x2, or y_bar is 0.

    NaN for negative real x1, where real powers have no derivative in the exponent.
    """
    if all(isinstance(v, float) for v in (y_bar, y, x1, x2)):  # the same, five times as fast
        return y_bar * 0.0 if y_bar == 0 or x1 == 0 <= x2 else y_bar * y * np.log(x1)
    flat = ((x1 == 0) & ((np.real(x2) > 0) | (x2 == 0))) | np.equal(y_bar, 0.0)
    base = np.where(flat, 1.0, x1)
    return y_bar * np.where(flat, 0.0, y) * np.log(base + 0j if np.iscomplexobj(x2) else base)


def safe_divide(x: Any, y: Any) -> Any:
    """x / y, and 0 where y is 0."""
    if np.ndim(y) == 0:
        return x / y if y != 0 else np.where(y == 0, 0.0, x)[()]
    zero = y == 0
    return np.where(zero, 0.0, x / np.where(zero, 1.0, y))


@entrywise
def edge_ratio(x: Any, y: Any) -> Any:
    """x / y, and 0 where both are 0: the slope of x log(y), a power's logarithm, at the edge."""
    flat = (x == 0) & (y == 0)
    return x / np.where(flat, 1.0, y)


def gap(x: Any, y: Any) -> Any:
    """x - y, and 0 where they are the same infinity."""
    if isinstance(x, float) and isinstance(y, float):
        return x - y if x != y else type(x)(0.0)
    with np.errstate(invalid="ignore", over="ignore"):
        difference = x - y
        if cmath.isfinite(np.add.reduce(difference, axis=None)):  # the fastest look at them all
            return difference
    return np.where(np.equal(x, y), 0.0, difference)[()]


SMALL, LARGE = 1e-290, 2.0**600  # the square of a small number times LARGE is an ordinary one


def inverse_point(x1: Any, x2: Any, square: Any) -> Any:
    """x1 / (x1**2 + x2**2), and 0 where both are 0; square: the sum as it was computed.

    The first coordinate of the inverse of a point in the unit circle.
    """
    if isinstance(square, float) and square > SMALL:
        return x1 / square
    wide = getattr(square, "dtype", None) == np.float64
    if wide and np.minimum.reduce(square, axis=None, initial=math.inf) > SMALL:
        return x1 / square
    kind = np.asarray(square).dtype  # what a Python number is beside float32, too
    scale = np.where(np.asarray(square, np.float64) > SMALL, 1.0, LARGE)
    a, b = np.asarray(x1, kind) * scale, np.asarray(x2, kind) * scale
    low = a * a + b * b
    found = a / np.where(low == 0.0, 1.0, low) * scale
    return found.astype(kind, copy=False)[()]


def masked(x_bar: Any, y_bar: Any) -> Any:
    """x_bar, and 0 where y_bar is zero and x_bar is not finite: a branch that was not taken."""
    if isinstance(x_bar, float) and isinstance(y_bar, float):  # the same, ten times as fast
        return x_bar if math.isfinite(x_bar) or y_bar != 0 else type(x_bar)(0.0)
    if np.all(np.isfinite(x_bar)):
        return x_bar
    kept = counted(x_bar, y_bar)
    if np.ndim(kept) == 0:
        return x_bar if kept else np.zeros_like(x_bar)[()]
    return np.where(kept, x_bar, 0.0).astype(np.asarray(x_bar).dtype, copy=False)


def counted(x_bar: Any, y_bar: Any) -> Any:
    """Where `masked(x_bar, y_bar)` keeps x_bar."""
    return np.isfinite(x_bar) | (np.asarray(y_bar) != 0)


def sinc_slope(x: Any) -> Any:
    """The derivative of np.sinc: (cos(pi x) - sinc(x)) / x, by its series near 0."""
    near = np.abs(x) < 0.3
    s = (np.pi * np.where(near, x, 0.0)) ** 2
    series: Any = 0.0
    for k in range(10, 1, -1):
        series = 1.0 - s * series * (k / ((k - 1) * (2 * k + 1) * (2 * k)))
    far = (np.cos(np.pi * x) - np.sinc(x)) / np.where(near, 1.0, x)
    return np.where(near, -(np.pi**2) / 3.0 * x * series, far)[()]


def angle_unit(deg: bool) -> float:
    """How many units np.angle counts for one radian."""
    return 180.0 / np.pi if deg else 1.0


def refuse_complex(value: Any, name: str) -> None:
    """Raise TypeError if the function of that name returned a complex number."""
    if np.iscomplexobj(value):
        raise TypeError(
            f"grad needs a function that returns a real scalar, but {name} returned {value}; "
            "use s2sgrad.vjp or s2sgrad.jacobian for other results"
        )


OVERFLOWS = 720.0  # I_n of it is more than a number can hold


def bessel_i(n: int, x: Any) -> Any:
    """The modified Bessel function I_n of integer order, for real x.

    I_n(x) = 1/m sum_k e**(x cos t_k) cos(n t_k), over m points of the circle: the error falls
    faster than any power once m**2 is well above x (Trefethen and Weideman, 2014). Opposite
    points together are a sinh or cosh.
    """
    x = np.asarray(x, dtype=np.result_type(np.asarray(x).dtype, np.float32))
    x = np.clip(x, -OVERFLOWS, OVERFLOWS)
    largest = float(np.fmax.reduce(np.abs(x), axis=None, initial=0.0))
    count = 2 * int(20 + abs(n) + 6 * np.sqrt(largest))
    pair, total = np.sinh if n % 2 else np.cosh, np.zeros_like(x)
    for t in 2.0 * np.pi / count * np.arange(count // 2):
        total = total + pair(x * float(np.cos(t))) * float(np.cos(n * t))
    return total / (count // 2)


# Bernoulli numbers B_2, B_4, ... B_16.
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510)


def polygamma(n: int, x: float) -> float:
    """Derivative n of the digamma function at a number x (n = 0: digamma itself).

    Recurrence up to x > n + 12, then the asymptotic series (Abramowitz and Stegun 6.3.18,
    6.4.6, 6.4.11). NaN at the poles.
    """
    x = float(x)
    if x <= 0.0:
        return _polygamma_left(n, x)
    total, sign = 0.0, (-1.0) ** (n + 1)
    factorial = float(math.factorial(n))
    while x < n + 12.0:
        total += sign * factorial / x ** (n + 1)
        x += 1.0
    if n == 0:
        tail = math.log(x) - 0.5 / x
        tail -= sum(b / (2 * k * x ** (2 * k)) for k, b in enumerate(_BERNOULLI, 1))
        return total + tail
    tail = math.factorial(n - 1) / x**n + 0.5 * factorial / x ** (n + 1)
    for k, b in enumerate(_BERNOULLI, 1):
        rising = math.factorial(2 * k + n - 1) / math.factorial(2 * k)
        tail += b * rising / x ** (2 * k + n)
    return total + sign * tail


def _polygamma_left(n: int, x: float) -> float:
    """psi_n(x) for x <= 0 by the recurrence psi_n(x) = psi_n(x + 1) - (-1)**n n! / x**(n + 1)."""
    if x == math.floor(x):
        return math.nan
    steps = int(-math.floor(x))
    total = sum(math.factorial(n) / (x + k) ** (n + 1) for k in range(steps))
    return polygamma(n, x + steps) - (-1.0) ** n * total
