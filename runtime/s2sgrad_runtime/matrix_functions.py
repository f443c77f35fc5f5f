"""Derivatives of matrix functions, first and second, of the same size as the matrix.

The algorithm of the function itself runs on a matrix with its changes along one direction or
two: [a, e] for a + s e modulo s**2, [a, e, d, 0] for a + s e + r d modulo s**2 and r**2. A product
of such is three or nine products of matrices, where the block matrix [[a, e], [0, a]] takes eight,
and one of these sixty-four. Directions of any size are followed as exactly as a is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from s2sgrad_runtime.linalg import adjoint, block_upper, upper_right
from s2sgrad_runtime.scipy_helpers import (
    lazy,
    scipy_fractional_matrix_power,
    scipy_logm,
    scipy_sqrtm,
)

__all__ = [
    "matrix_function_along",
    "matrix_function_along_both",
    "matrix_function_along_three",
    "matrix_power_along",
]

Parts = list[Any]  # a matrix, its change along one direction, along another, along both
PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0,
    129060195264000.0, 10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0,
    960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip
LARGEST, NEAR_ONE, ROOTS, NODES = 4.0, 0.25, 60, 9

scipy_schur = lazy("scipy.linalg.schur")
scipy_rsf2csf = lazy("scipy.linalg.rsf2csf")
scipy_ztrsyl = lazy("scipy.linalg.lapack.ztrsyl")


def matrix_function_along(function: str, a: Any, e: Any) -> Any:
    """The derivative of a matrix function (expm, cosm, ..., logm) at a along e, shaped as a."""
    return _applied(function, [a, e])


def matrix_function_along_both(function: str, a: Any, e: Any, d: Any) -> Any:
    """The second derivative of a matrix function at a along e and d."""
    return _applied(function, [a, e, d, np.zeros_like(a)])


def matrix_function_along_three(function: str, a: Any, e: Any, d: Any, c: Any) -> Any:
    """The third derivative, along e, d and c: the second of block matrices."""
    nothing = np.zeros_like(a)
    twice_e = block_upper(e, nothing)
    twice_d = block_upper(d, nothing)
    both = matrix_function_along_both(function, block_upper(a, c), twice_e, twice_d)
    return upper_right(both, a)


def matrix_power_along(a: Any, e: Any, t: Any) -> Any:
    """The derivative of a**t at a along e; a may be singular where t is whole."""
    if t == int(t):
        return upper_right(scipy_fractional_matrix_power(block_upper(a, e), t), a)
    return matrix_function_along("expm", t * scipy_logm(a), t * matrix_function_along("logm", a, e))


def _applied(function: str, parts: Parts) -> Any:
    """The change of the function along all directions."""
    if np.size(parts[0]) == 0:
        return np.zeros_like(parts[-1])
    return FUNCTIONS[function](parts)[-1]


def _product(x: Parts, y: Parts) -> Parts:
    found = [x[0] @ y[0], x[0] @ y[1] + x[1] @ y[0]]
    if len(x) == 2:
        return found
    mixed = x[0] @ y[3] + x[1] @ y[2] + x[2] @ y[1] + x[3] @ y[0]
    return [*found, x[0] @ y[2] + x[2] @ y[0], mixed]


def _quotient(x: Parts, y: Parts) -> Parts:
    """The inverse of x times y."""
    inverse = np.linalg.inv(x[0])
    one = inverse @ y[0]
    found = [one, inverse @ (y[1] - x[1] @ one)]
    if len(x) == 2:
        return found
    other = inverse @ (y[2] - x[2] @ one)
    mixed = y[3] - x[1] @ other - x[2] @ found[1] - x[3] @ one
    return [*found, other, inverse @ mixed]


def _sum(weights: Any, terms: list[Parts], unit: float = 0.0) -> Parts:
    """The weighted sum of terms, and `unit` times the identity."""
    parts = zip(*terms, strict=True)
    total = [sum(w * part for w, part in zip(weights, group, strict=True)) for group in parts]
    if unit:
        total[0] = total[0] + unit * np.eye(total[0].shape[-1])
    return total


def _exponential(x: Parts) -> Parts:
    """By scaling, the Pade approximant of order 13, and squaring."""
    sizes = np.sum(np.abs(x[0]), axis=-2)
    size = np.max(sizes, initial=0.0, where=np.isfinite(sizes))
    squarings = max(0, int(np.ceil(np.log2(size / LARGEST)))) if size > LARGEST else 0
    x = [part * 0.5**squarings for part in x]
    second = _product(x, x)
    fourth = _product(second, second)
    sixth = _product(fourth, second)
    powers = [second, fourth, sixth]
    high_odd, high_even = _sum(PADE[9::2], powers), _sum(PADE[8:13:2], powers)
    low_odd = _sum(PADE[3:8:2], powers, PADE[1])
    low_even = _sum(PADE[2:7:2], powers, PADE[0])
    odd = _product(x, _sum((1.0, 1.0), [_product(sixth, high_odd), low_odd]))
    even = _sum((1.0, 1.0), [_product(sixth, high_even), low_even])
    denominator = _sum((1.0, -1.0), [even, odd])
    found = _sum((2.0,), [_quotient(denominator, odd)], 1.0)
    for _ in range(squarings):
        found = _product(found, found)
    return found


def _is_real(x: Parts) -> bool:
    return not any(map(np.iscomplexobj, x))


def _turned(x: Parts) -> tuple[Parts, Parts]:
    """The cosine and the sine."""
    there = _exponential([1j * part for part in x])
    if _is_real(x):
        return [part.real for part in there], [part.imag for part in there]
    back = _exponential([-1j * part for part in x])
    return _sum((0.5, 0.5), [there, back]), _sum((-0.5j, 0.5j), [there, back])


def _hyperbolic(x: Parts) -> tuple[Parts, Parts]:
    """The hyperbolic cosine and sine."""
    there, back = _exponential(x), _exponential([-part for part in x])
    return _sum((0.5, 0.5), [there, back]), _sum((0.5, -0.5), [there, back])


def _logarithm(x: Parts) -> Parts:
    """By square roots, until near the identity, and Gauss's rule for an integral."""
    if np.ndim(x[0]) > 2:
        each = [_logarithm(list(parts)) for parts in zip(*x, strict=True)]
        return [np.stack(group) for group in zip(*each, strict=True)]
    if not all(np.all(np.isfinite(part)) for part in x):
        return [np.full_like(part, np.nan) for part in x]
    triangle, basis = _triangle(x[0])
    y = [triangle, *(adjoint(basis) @ part @ basis for part in x[1:])]
    eigenvalues, one, roots = np.diag(triangle), np.eye(len(triangle)), 0
    while np.linalg.norm(y[0] - one, 1) > NEAR_ONE and roots < ROOTS:
        y, roots = _root(y), roots + 1
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    nodes, weights = 0.5 * (nodes + 1.0), 0.5 * weights
    identity = [one, *(np.zeros_like(one) for _ in y[1:])]
    shifted = ([one + s * (y[0] - one), *(s * part for part in y[1:])] for s in nodes)
    terms = [_quotient(each, identity) for each in shifted]
    total = _sum(-weights / nodes, terms, np.sum(weights / nodes))
    found = [2.0**roots * (basis @ part @ adjoint(basis)) for part in total]
    cut = np.any((eigenvalues.imag == 0.0) & (eigenvalues.real <= 0.0))
    return [part.real for part in found] if _is_real(x) and not cut else found


def _triangle(a: Any) -> tuple[Any, Any]:
    """The complex Schur form; negative eigenvalues of real matrices have no imaginary part."""
    triangle, basis = scipy_schur(a)
    if not np.iscomplexobj(a) and np.any(np.tril(triangle, -1)):
        triangle, basis = scipy_rsf2csf(triangle, basis)
    return triangle.astype(complex), basis


def _root(x: Parts) -> Parts:
    """The square root, where x[0] is upper triangular: y y = x."""
    y = np.asarray(scipy_sqrtm(x[0]), dtype=complex)
    found = [y, _halves(y, x[1])]
    if len(x) == 2:
        return found
    other = _halves(y, x[2])
    return [*found, other, _halves(y, x[3] - found[1] @ other - other @ found[1])]


def _halves(y: Any, whole: Any) -> Any:
    """z of y z + z y = whole, y upper triangular."""
    z, scale, _ = scipy_ztrsyl(y, y, whole)
    return z / scale


FUNCTIONS: dict[str, Callable[[Parts], Parts]] = {
    "expm": _exponential,
    "cosm": lambda x: _turned(x)[0],
    "sinm": lambda x: _turned(x)[1],
    "tanm": lambda x: _quotient(*_turned(x)),
    "coshm": lambda x: _hyperbolic(x)[0],
    "sinhm": lambda x: _hyperbolic(x)[1],
    "tanhm": lambda x: _quotient(*_hyperbolic(x)),
    "logm": _logarithm,
}
