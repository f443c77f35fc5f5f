"""Floor 4: the families of np.polynomial, each by how x times its polynomials reads in them.

A family is a function of n that gives three lists `up, same, down` of n numbers, with
x p_i = up_i p_(i+1) + same_i p_i + down_i p_(i-1). Products, quotients, roots and changes of basis
follow from it; integrals have the same shape. Coefficients are kept as they are given: those of
the highest powers are not cut off where they are zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Family = Callable[[int], tuple[Any, Any, Any]]


def coefficients(c: Any) -> Any:
    """Coefficients as NumPy takes them: one axis at least, and no integers."""
    return np.atleast_1d(c) * 1.0


def longer(c: Any, n: int) -> Any:
    """The same polynomial with n coefficients at least, in the same precision."""
    return np.concatenate((c, np.zeros(max(n - len(c), 0), c.dtype)))


def powers(n: int) -> tuple[Any, Any, Any]:
    """1, x, x**2, ..."""
    return np.ones(n), np.zeros(n), np.zeros(n)


def chebyshev(n: int) -> tuple[Any, Any, Any]:
    """T_0, T_1, ..."""
    half = np.full(n, 0.5)
    return np.where(np.arange(n) == 0, 1.0, half), np.zeros(n), half


def legendre(n: int) -> tuple[Any, Any, Any]:
    """P_0, P_1, ..."""
    i = np.arange(n)
    return (i + 1) / (2 * i + 1), np.zeros(n), i / (2 * i + 1)


def hermite(n: int) -> tuple[Any, Any, Any]:
    """H_0, H_1, ... of the physicists."""
    return np.full(n, 0.5), np.zeros(n), 1.0 * np.arange(n)


def hermite_e(n: int) -> tuple[Any, Any, Any]:
    """He_0, He_1, ... of the statisticians."""
    return np.ones(n), np.zeros(n), 1.0 * np.arange(n)


def laguerre(n: int) -> tuple[Any, Any, Any]:
    """L_0, L_1, ..."""
    i = 1.0 * np.arange(n)
    return -(i + 1), 2 * i + 1, -i


def chebyshev_integral(n: int) -> tuple[Any, Any, Any]:
    """The integral of T_i is T_(i+1) / 2(i+1) - T_(i-1) / 2(i-1), and that of T_0 is T_1."""
    i = np.arange(n)
    down = np.where(i > 1, -0.5 / np.maximum(i - 1, 1), 0.0)
    return np.where(i == 0, 1.0, 0.5 / (i + 1)), np.zeros(n), down


def legendre_integral(n: int) -> tuple[Any, Any, Any]:
    """The integral of P_i is (P_(i+1) - P_(i-1)) / (2i + 1)."""
    over = 1 / (2 * np.arange(n) + 1)
    return over, np.zeros(n), -over


def hermite_integral(n: int) -> tuple[Any, Any, Any]:
    """The integral of H_i is H_(i+1) / 2(i+1)."""
    return 0.5 / np.arange(1, n + 1), np.zeros(n), np.zeros(n)


def power_integral(n: int) -> tuple[Any, Any, Any]:
    """The integral of x**i, and that of He_i, is the next one over i + 1."""
    return 1 / np.arange(1, n + 1), np.zeros(n), np.zeros(n)


def laguerre_integral(n: int) -> tuple[Any, Any, Any]:
    """The integral of L_i is L_i - L_(i+1)."""
    return -np.ones(n), np.ones(n), np.zeros(n)


def three_terms(c: Any, up: Any, same: Any, down: Any) -> Any:
    """The coefficients of the sum of c_i (up_i p_(i+1) + same_i p_i + down_i p_(i-1)).

    c: one axis of coefficients, first; others behind.
    """
    shape = (len(c),) + (1,) * (np.ndim(c) - 1)
    none = 0.0 * c[:1]
    raised = np.concatenate((none, c * np.reshape(up, shape).astype(c.dtype)))
    kept = np.concatenate((c * np.reshape(same, shape).astype(c.dtype), none))
    lowered = np.concatenate((c * np.reshape(down, shape).astype(c.dtype), none, none))
    return raised + kept + lowered[1:]


def times_x(c: Any, family: Family) -> Any:
    """The coefficients of x times a polynomial."""
    up, same, down = family(len(c))
    return three_terms(c, up, same, down)


def combined(c: Any, family: Family, start: Any, other: Family) -> Any:
    """The coefficients, in another family, of start times the polynomial that c has in this one."""
    n = len(c) + len(start) - 1
    up, same, down = family(n)
    raised, kept, lowered = other(n)
    term = longer(start, n)
    before = 0.0 * term
    found = c[0] * term
    for k in range(len(c) - 1):
        following = three_terms(term, raised, kept, lowered)[:n]
        following = (following - float(same[k]) * term - float(down[k]) * before) / float(up[k])
        before, term = term, following
        found = found + c[k + 1] * term
    return found


def odd_steps(i: Any, j: Any) -> Any:
    """Where the derivative of p_i reads p_j, of every second degree below."""
    return (i > j) & ((i - j) % 2 == 1)


def chebyshev_slopes(i: Any, j: Any) -> Any:
    """The derivative of T_i as a sum of T_j."""
    return np.where(odd_steps(i, j), np.where(j == 0, 1.0, 2.0) * i, 0.0)


def legendre_slopes(i: Any, j: Any) -> Any:
    """The derivative of P_i as a sum of P_j."""
    return np.where(odd_steps(i, j), 2.0 * j + 1.0, 0.0)


def hermite_slopes(i: Any, j: Any) -> Any:
    """The derivative of H_i as a sum of H_j."""
    return np.where(i == j + 1, 2.0 * i, 0.0)


def power_slopes(i: Any, j: Any) -> Any:
    """The derivative of x**i, or He_i, as a sum of the others."""
    return np.where(i == j + 1, 1.0 * i, 0.0)


def laguerre_slopes(i: Any, j: Any) -> Any:
    """The derivative of L_i as a sum of L_j."""
    return np.where(i > j, -1.0, 0.0)


def differentiated(c: Any, slopes: Any, m: int, scl: Any, axis: int) -> Any:
    """Coefficients of the m-th derivative along an axis."""
    found = np.moveaxis(coefficients(c), axis, -1)
    for _ in range(m):
        n = np.shape(found)[-1]
        if n > 1:
            table = slopes(np.arange(n)[:, None], np.arange(n - 1))
            found = scl * (found @ table.astype(found.dtype))
        else:
            found = 0.0 * found
    return np.moveaxis(found, -1, axis)


def integrated(
    c: Any, integral: Family, val: Any, m: int, k: Any, lbnd: Any, scl: Any, axis: int
) -> Any:
    """Coefficients of the m-th integral along an axis."""
    constants = list(k) if np.iterable(k) else [k]
    found = np.moveaxis(coefficients(c), axis, 0)
    for i in range(m):
        up, same, down = integral(len(found))
        raised = scl * three_terms(found, up, same, down)
        constant = constants[i] if i < len(constants) else 0.0
        first = raised[:1] + (constant - val(lbnd, raised))
        found = np.concatenate((first, raised[1:]))
    return np.moveaxis(found, 0, axis)


def companion(c: Any, family: Family) -> Any:
    """The matrix with the roots as eigenvalues, symmetric where only c's last number is there."""
    n = len(c) - 1
    up, same, down = family(n)
    inner = np.sqrt(up[:-1] * down[1:]) * np.sign(up[:-1])
    table = (np.diag(same) + np.diag(inner, 1) + np.diag(inner, -1)).astype(c.dtype)
    scales = np.cumprod(np.concatenate((np.ones(1), np.sqrt(down[1:] / up[:-1]))))
    weights = (up[-1] * scales / scales[-1]).astype(c.dtype)
    return table - np.outer(c[:-1] / c[-1] * weights, (np.arange(n) == n - 1).astype(c.dtype))


def divided(c1: Any, c2: Any, family: Family) -> Any:
    """Quotient and remainder."""
    n = len(c2)
    if len(c1) < n:
        return 0.0 * c1[:1], c1
    rest = c1
    found = []
    for k in range(len(c1) - n, -1, -1):
        unit = np.concatenate((np.zeros(k, c1.dtype), np.ones(1, c1.dtype)))
        p = combined(unit, family, c2, family)
        q = rest[-1] / p[-1]
        rest = rest[:-1] - q * p[:-1]
        found.append(q)
    return np.stack(found[::-1]), rest if n > 1 else 0.0 * c1[:1]
