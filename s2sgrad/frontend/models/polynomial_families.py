"""Floor 4: the functions that np.polynomial's modules have in each family, from its recurrence."""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.frontend.models import polynomial_bases as bases
from s2sgrad.frontend.models import polynomials
from s2sgrad.frontend.models.polynomial_bases import Family, coefficients, combined, powers

Functions = dict[str, Any]  # name without the module's prefix -> what is read in its place


def algebra(family: Family) -> Functions:
    """Products, powers and quotients, and polynomials by their roots."""

    def mulx(c: Any) -> Any:
        return bases.times_x(coefficients(c), family)

    def mul(c1: Any, c2: Any) -> Any:
        return combined(coefficients(c1), family, coefficients(c2), family)

    def pow(c: Any, pow: int, maxpower: Any = 16) -> Any:
        base = coefficients(c)
        found = base if pow > 0 else np.ones(1, base.dtype)
        for _ in range(pow - 1):
            found = combined(base, family, found, family)
        return found

    def div(c1: Any, c2: Any) -> Any:
        return bases.divided(coefficients(c1), coefficients(c2), family)

    def fromroots(roots: Any) -> Any:
        found = np.ones(1, coefficients(roots).dtype)
        for root in coefficients(roots):
            found = bases.times_x(found, family) - root * bases.longer(found, len(found) + 1)
        return found

    return {"mulx": mulx, "mul": mul, "pow": pow, "div": div, "fromroots": fromroots}


def roots_of(family: Family) -> Functions:
    """Roots, and the matrix with them as eigenvalues."""

    def companion(c: Any) -> Any:
        return bases.companion(coefficients(c), family)

    def roots(c: Any) -> Any:
        c = coefficients(c)
        return np.sort(np.linalg.eigvals(bases.companion(c, family))) if len(c) > 1 else c[:0]

    return {"companion": companion, "roots": roots}


def calculus(slopes: Any, integral: Family, val: Any) -> Functions:
    """Derivatives and integrals."""

    def der(c: Any, m: int = 1, scl: Any = 1, axis: int = 0) -> Any:
        return bases.differentiated(c, slopes, m, scl, axis)

    def int(c: Any, m: Any = 1, k: Any = (), lbnd: Any = 0, scl: Any = 1, axis: Any = 0) -> Any:
        return bases.integrated(c, integral, val, m, k, lbnd, scl, axis)

    return {"der": der, "int": int}


def several(val: Any, vander: Any) -> Functions:
    """Values in two and three variables, and the tables that give them."""

    def val2d(x: Any, y: Any, c: Any) -> Any:
        return val(y, val(x, c), tensor=False)

    def val3d(x: Any, y: Any, z: Any, c: Any) -> Any:
        return val(z, val(y, val(x, c), tensor=False), tensor=False)

    def grid2d(x: Any, y: Any, c: Any) -> Any:
        return val(y, val(x, c))

    def grid3d(x: Any, y: Any, z: Any, c: Any) -> Any:
        return val(z, val(y, val(x, c)))

    def vander2d(x: Any, y: Any, deg: Any) -> Any:
        table = vander(x, deg[0])[..., :, None] * vander(y, deg[1])[..., None, :]
        return np.reshape(table, (*np.shape(table)[:-2], -1))

    def vander3d(x: Any, y: Any, z: Any, deg: Any) -> Any:
        table = vander2d(x, y, deg[:2])[..., :, None] * vander(z, deg[2])[..., None, :]
        return np.reshape(table, (*np.shape(table)[:-2], -1))

    return {
        "val2d": val2d, "val3d": val3d, "grid2d": grid2d, "grid3d": grid3d,
        "vander2d": vander2d, "vander3d": vander3d,
    }  # fmt: skip


def from_powers(family: Family) -> Any:
    """poly2cheb and its like."""

    def read(pol: Any) -> Any:
        c = coefficients(pol)
        return combined(c, powers, np.ones(1, c.dtype), family)

    return read


def to_powers(family: Family) -> Any:
    """cheb2poly and its like."""

    def read(c: Any) -> Any:
        c = coefficients(c)
        return combined(c, family, np.ones(1, c.dtype), powers)

    return read


def valued(val: Any) -> Any:
    """chebvander and its like."""

    def vander(x: Any, deg: int) -> Any:
        x = coefficients(x)
        return np.moveaxis(val(x, np.eye(deg + 1, dtype=x.dtype)), 0, -1)

    return vander


def fitting(vander: Any) -> Any:
    """chebfit and its like: the coefficients alone."""

    def fit(x: Any, y: Any, deg: Any, rcond: Any = None, *, w: Any = None) -> Any:
        return polynomials.fitted_to_some(vander, x, y, deg, rcond, w)

    return fit


def chebline(off: Any, scl: Any) -> Any:
    """off + scl x in powers, and in each family whose second polynomial is x."""
    return np.array([off, scl])


def hermline(off: Any, scl: Any) -> Any:
    """np.polynomial.hermite.hermline."""
    return np.array([off, scl / 2])


def lagline(off: Any, scl: Any) -> Any:
    """np.polynomial.laguerre.lagline."""
    return np.array([off + scl, -scl])


def chebweight(x: Any) -> Any:
    """np.polynomial.chebyshev.chebweight."""
    return 1.0 / (np.sqrt(1.0 + x) * np.sqrt(1.0 - x))


def legweight(x: Any) -> Any:
    """np.polynomial.legendre.legweight."""
    return x * 0.0 + 1.0


def hermweight(x: Any) -> Any:
    """np.polynomial.hermite.hermweight."""
    return np.exp(-(x**2))


def hermeweight(x: Any) -> Any:
    """np.polynomial.hermite_e.hermeweight."""
    return np.exp(-0.5 * x**2)


def lagweight(x: Any) -> Any:
    """np.polynomial.laguerre.lagweight."""
    return np.exp(-x)


def chebinterpolate(func: Any, deg: int, args: Any = ()) -> Any:
    """np.polynomial.chebyshev.chebinterpolate."""
    points = np.polynomial.chebyshev.chebpts1(deg + 1)
    table = np.polynomial.chebyshev.chebvander(points, deg)
    found = table.T @ func(points, *args) / (0.5 * (deg + 1))
    return np.concatenate((found[:1] / 2, found[1:]))


_FAMILIES: tuple[tuple[Any, ...], ...] = (
    (np.polynomial.chebyshev, "cheb", bases.chebyshev, bases.chebyshev_slopes,
     bases.chebyshev_integral, polynomials.chebval, chebline, chebweight),
    (np.polynomial.legendre, "leg", bases.legendre, bases.legendre_slopes,
     bases.legendre_integral, polynomials.legval, chebline, legweight),
    (np.polynomial.hermite, "herm", bases.hermite, bases.hermite_slopes,
     bases.hermite_integral, polynomials.hermval, hermline, hermweight),
    (np.polynomial.hermite_e, "herme", bases.hermite_e, bases.power_slopes,
     bases.power_integral, polynomials.hermeval, chebline, hermeweight),
    (np.polynomial.laguerre, "lag", bases.laguerre, bases.laguerre_slopes,
     bases.laguerre_integral, polynomials.lagval, lagline, lagweight),
)  # fmt: skip


def standins() -> dict[Any, Any]:
    """Function of NumPy -> what is read in its place, for all families."""
    found: dict[Any, Any] = {np.polynomial.chebyshev.chebinterpolate: chebinterpolate}
    for module, prefix, family, slopes, integral, val, line, weight in _FAMILIES:
        vander = valued(val)
        functions = {
            **algebra(family), **roots_of(family), **calculus(slopes, integral, val),
            **several(val, vander), "val": val, "vander": vander, "fit": fitting(vander),
            "line": line, "weight": weight,
        }  # fmt: skip
        found |= {getattr(module, prefix + name): read for name, read in functions.items()}
        found[getattr(module, f"poly2{prefix}")] = from_powers(family)
        found[getattr(module, f"{prefix}2poly")] = to_powers(family)
    return found
