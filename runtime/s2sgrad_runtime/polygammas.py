"""The derivatives of the digamma function, by recurrence and an asymptotic series.

SciPy has them for real numbers only, by the Hurwitz zeta function, at 0.2 microseconds an entry
and more, where digamma takes 0.01. The first of them, which the second order of the whole gamma
family reads, ends in Gauss's quadrature of an integral in place of the series: all of it is one
sum of reciprocals, so that a hundred numbers take eight calls of NumPy. Numbers up to 0 are
reflected.
"""

from __future__ import annotations

import importlib
import math
from functools import cache
from typing import Any

import numpy as np

from s2sgrad_runtime.elementwise import _BERNOULLI
from s2sgrad_runtime.scipy_helpers import scipy_digamma, scipy_polygamma

__all__ = ["polygamma_at"]

MOST = 10_000  # steps of complex numbers; NaN further to the left
FAR = 9.0  # from this real part, and two more for each order, the series is good to the last digit
LEFT = -30.0  # further to the left SciPy takes many steps
FEW, FEWER = 75, 14  # numbers, for which SciPy is faster; where n = 1
MIRRORED = 27  # the same where n = 1 and some are reflected
BLOCK = 2048  # numbers taken at once: their steps stay in the processor's cache
NEAR = 6.5  # from here five nodes of Gauss's rule are good to the last digit
LEAST, GREATEST = 1e-150, 1e150  # of these no square overflows, nor does its reciprocal
MANY = 20_000  # reciprocals, which are no longer made at once
HIGHEST = 20  # orders from which the series would need more terms

_DOUBLE = np.dtype(np.float64)
_STEPS, _ONES = np.arange(64.0)[:, None], np.ones(64)
# The rule for the weight pi / cosh(pi t)**2 in the variable t**2, whose moments are those of
# Bernoulli's numbers, (1 - 2**(1 - 2k)) |B(2k)|: psi'(u + 1/2) = u * sum of weight / (u**2 + node).
_NODES = np.array([
    0.034514054582165962408, 0.40942436713475114258, 1.6264829219902906899,
    4.5731754467891021551, 11.316929525293163734,
])  # fmt: skip
_WEIGHTS = np.array([
    0.8799621930194882887, 0.11694730726908378527, 0.0030720171294257360099,
    0.000018469915588339264752, 1.2666413850758563612e-8,
])  # fmt: skip


def _derivatives_of_cot() -> Any:
    """Derivative n of cot(t), n up to HIGHEST, as a polynomial in cot(t): rows of coefficients.
    That of a power of cot is two powers beside it: P becomes -(1 + c**2) P'."""
    rows = [[0, 1]]
    while len(rows) <= HIGHEST:
        slope = [k * value for k, value in enumerate(rows[-1])][1:]
        rows.append([-one - two for one, two in zip([*slope, 0, 0], [0, 0, *slope], strict=True)])
    return np.array([row + [0] * (HIGHEST + 2 - len(row)) for row in rows], _DOUBLE)


TURNS = _derivatives_of_cot()


def polygamma_at(n: int, z: Any) -> Any:
    """Derivative n of digamma at z (n = 0: digamma itself).

    >>> float(polygamma_at(1, 1.0).round(12))  # pi**2 / 6
    1.644934066848
    """
    first = type(z) is np.ndarray and z.dtype is _DOUBLE and type(n) is int and n == 1
    if first and z.ndim == 1 and 0 < len(z) <= BLOCK:
        return _of_block(1, z, FEWER)
    if np.iscomplexobj(z):
        return scipy_digamma(z) if np.ndim(n) == 0 and n == 0 else _of_complex(int(n), z)
    if np.ndim(n) != 0 or not 1 <= n <= HIGHEST:
        return scipy_polygamma(n, z)
    found = _of_doubles(int(n), np.asarray(z, _DOUBLE))[()]
    kind = np.asarray(z).dtype
    return found.astype(kind, copy=False) if kind.kind == "f" else found


@cache
def _hurwitz() -> Any:
    """scipy.special.zeta itself: ten numbers take less time than one more call around them."""
    return importlib.import_module("scipy.special").zeta


def _of_doubles(n: int, x: Any) -> Any:
    """The same for an array of real numbers."""
    flat, few = x.ravel(), FEWER if n == 1 else FEW
    if 0 < len(flat) <= BLOCK:
        return _of_block(n, flat, few).reshape(x.shape)
    found = np.empty_like(flat)
    for k in range(0, len(flat), BLOCK):
        found[k : k + BLOCK] = _of_block(n, flat[k : k + BLOCK], few)
    return found.reshape(x.shape)


def _of_block(n: int, x: Any, few: int) -> Any:
    """The same for a vector of them; SciPy is asked about few numbers."""
    least = x.item(x.argmin())  # NaN, where one is
    few = MIRRORED if few == FEWER and least < LEAST else few
    if len(x) < few and not least < LEFT:
        found = _hurwitz()(n + 1.0, x)
        return found if n == 1 else (-1) ** (n + 1) * math.factorial(n) * found
    greatest = x.item(x.argmax()) if n == 1 else math.inf
    if least > LEAST and greatest < GREATEST:
        return _trigamma(x, least)
    if least > 0.1:  # no power overflows
        return _by_recurrence(n, x, least)
    if least > -GREATEST and greatest < GREATEST:
        return _reflected_trigamma(x, greatest)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return _by_reflection(n, x)


def _reflected_trigamma(x: Any, greatest: float) -> Any:
    """psi'(x) = (pi / sin(pi x))**2 - psi'(1 - x), for the numbers up to 0; at whole ones inf."""
    left = None if greatest < LEAST else x < LEAST  # None: all of them
    right = 1.0 - x if left is None else np.where(left, 1.0 - x, x)
    found = _trigamma(right, right.item(right.argmin()))
    sine = np.rint(x)
    np.subtract(x, sine, out=sine)  # 0 between whole numbers, and exactly
    sine *= np.pi
    np.sin(sine, out=sine)
    sine *= 1.0 / np.pi
    with np.errstate(divide="ignore", over="ignore"):
        turn = np.reciprocal(sine * sine)
        mirrored = turn - found
    return mirrored if left is None else np.where(left, mirrored, found)


def _by_reflection(n: int, x: Any) -> Any:
    """psi_n(x) = (-1)**n psi_n(1 - x) - pi**(n + 1) cot^(n)(pi x), for the numbers up to 0; at
    whole ones inf, and -inf for even n, as SciPy has it."""
    left = x < LEAST
    right = np.where(left, 1.0 - x, x)
    found = _by_recurrence(n, right, np.fmin.reduce(right))
    if not left.any():
        return found
    near = np.where(np.isinf(x), 0.0, x - np.rint(x))
    cot = np.sin(np.pi * (0.5 - np.abs(near))) / np.sin(np.pi * near)  # 0 between whole numbers
    turn = TURNS[n, n + 1] * np.ones_like(x)
    for k in range(n, -1, -1):
        turn = turn * cot + TURNS[n, k] if TURNS[n, k] else turn * cot
    return np.where(left, (found if n % 2 == 0 else -found) - np.pi ** (n + 1) * turn, found)


def _trigamma(x: Any, least: Any) -> Any:
    """Steps to the right, then Gauss's rule, for positive numbers. Each term is a reciprocal:
    of (x + k)**2, and of (u + node / u) / weight, which are combinations of 1, x, x**2 and 1 / u;
    one matrix makes all of them."""
    steps = max(0, math.ceil(NEAR + 0.5 - least))
    parts, shift, ones = _terms_of_trigamma(steps)
    powers = np.empty((4, len(x)))
    powers[0], powers[1] = 1.0, x
    np.multiply(x, x, out=powers[2])
    np.reciprocal(x + shift, out=powers[3])
    rows = parts.dot(powers)
    return ones.dot(np.reciprocal(rows, out=rows))


@cache
def _terms_of_trigamma(steps: int) -> tuple[Any, Any, Any]:
    """The coefficients of the denominators, u - x (an array: NumPy adds those faster than
    numbers of Python's), and ones."""
    shift, k = steps - 0.5, np.arange(float(steps))
    parts = np.zeros((steps + len(_NODES), 4))
    parts[:steps, :3] = np.stack([k * k, 2.0 * k, np.ones_like(k)], axis=1)
    parts[steps:, 0], parts[steps:, 1] = shift / _WEIGHTS, 1.0 / _WEIGHTS
    parts[steps:, 3] = _NODES / _WEIGHTS
    return parts, np.array(shift), np.ones(len(parts))


def _of_complex(n: int, z: Any) -> Any:
    """The same for complex numbers."""
    z = np.where(np.real(z) > -MOST, z, np.nan)
    return _by_recurrence(n, z, np.fmin.reduce(np.ravel(z.real), initial=FAR + 2 * n))


def _by_recurrence(n: int, z: Any, least: Any) -> Any:
    """Steps to the right, then the asymptotic series (Abramowitz and Stegun 6.4.6, 6.4.11).
    least: the smallest real part."""
    flat = z.ravel()
    steps = max(0, math.ceil(FAR + 2 * n - least)) if least < math.inf else 0
    total = _of_steps(n, flat, steps)
    inverse = 1.0 / (flat + float(steps))
    powers = np.empty((len(_BERNOULLI) + 1, len(flat)), flat.dtype)
    powers[0] = inverse
    square = np.multiply(inverse, inverse, out=powers[1])
    for k in range(2, len(powers)):
        np.multiply(powers[k - 1], square, out=powers[k])
    tail = math.factorial(n - 1) + _coefficients(n) @ powers
    found = (math.factorial(n) * total + tail * _power(inverse, n)).reshape(z.shape)[()]
    return found if n % 2 else -found


@cache
def _coefficients(n: int) -> Any:
    """Of the series: of 1/w, 1/w**2, 1/w**4, and so on."""
    rising = [math.factorial(2 * k + n - 1) / math.factorial(2 * k) for k in range(1, 9)]
    even = [r * b for r, b in zip(rising, _BERNOULLI, strict=True)]
    return np.array([0.5 * math.factorial(n), *even])


def _of_steps(n: int, z: Any, steps: int) -> Any:
    """The sum of (z + k)**(-n - 1) for k < steps: for few numbers in one array of all steps."""
    if steps <= len(_STEPS) and steps * len(z) < MANY:
        rows = _STEPS[:steps] + z
        return _ONES[:steps] @ _power(np.reciprocal(rows, out=rows), n + 1)
    total = np.zeros_like(z)
    for k in range(steps):
        total += _power(1.0 / (z + float(k)), n + 1)
    return total


def _power(x: Any, n: int) -> Any:
    """x**n for n >= 1, by products."""
    if n == 1:
        return x
    half = _power(x * x, n // 2)
    return half * x if n % 2 else half
