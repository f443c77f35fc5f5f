"""Floor 4: functions of np.polynomial's modules, coefficients from the constant up.

Coefficients are kept as they are given: those of the highest powers are not cut off where they
are zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2sgrad.frontend.models import polynomial_bases as bases
from s2sgrad.frontend.models import polynomial_families as families
from s2sgrad.frontend.models.polynomial_bases import coefficients, longer
from s2sgrad.frontend.models.polynomials import fitted_to_some, polyval, polyvander


def polyadd(c1: Any, c2: Any) -> Any:
    """np.polynomial.polynomial.polyadd, and that of the other bases."""
    c1, c2 = coefficients(c1), coefficients(c2)
    return longer(c1, len(c2)) + longer(c2, len(c1))


def polysub(c1: Any, c2: Any) -> Any:
    """np.polynomial.polynomial.polysub, and that of the other bases."""
    return polyadd(c1, -coefficients(c2))


def polymul(c1: Any, c2: Any) -> Any:
    """np.polynomial.polynomial.polymul."""
    return np.convolve(np.atleast_1d(c1), np.atleast_1d(c2))


def polymulx(c: Any) -> Any:
    """np.polynomial.polynomial.polymulx."""
    c = coefficients(c)
    return np.concatenate((0.0 * c[:1], c))


def polypow(c: Any, pow: int, maxpower: Any = None) -> Any:
    """np.polynomial.polynomial.polypow."""
    c = coefficients(c)
    found = np.ones(1, c.dtype)
    for _ in range(pow):
        found = np.convolve(found, c)
    return found


def polydiv(c1: Any, c2: Any) -> Any:
    """np.polynomial.polynomial.polydiv."""
    return bases.divided(coefficients(c1), coefficients(c2), bases.powers)


def polyder(c: Any, m: int = 1, scl: Any = 1, axis: int = 0) -> Any:
    """np.polynomial.polynomial.polyder."""
    found = np.moveaxis(coefficients(c), axis, -1)
    for _ in range(m):
        n = np.shape(found)[-1]
        found = scl * found[..., 1:] * np.arange(1, n).astype(found.dtype) if n > 1 else 0.0 * found
    return np.moveaxis(found, -1, axis)


def polyint(c: Any, m: int = 1, k: Any = (), lbnd: Any = 0, scl: Any = 1, axis: int = 0) -> Any:
    """np.polynomial.polynomial.polyint."""
    return bases.integrated(c, bases.power_integral, polyval, m, k, lbnd, scl, axis)


def polyfromroots(roots: Any) -> Any:
    """np.polynomial.polynomial.polyfromroots."""
    return np.poly(roots)[::-1]


def polyroots(c: Any) -> Any:
    """np.polynomial.polynomial.polyroots."""
    return np.sort(np.roots(np.asarray(c)[::-1]))


def polyline(off: Any, scl: Any) -> Any:
    """np.polynomial.polynomial.polyline."""
    return np.array([off, scl])


def polyvalfromroots(x: Any, r: Any, tensor: bool = True) -> Any:
    """np.polynomial.polynomial.polyvalfromroots, of one list of roots."""
    return np.prod(np.asarray(x)[..., None] - r, axis=-1)


def polycompanion(c: Any) -> Any:
    """np.polynomial.polynomial.polycompanion."""
    c = np.asarray(c)
    last = np.reshape(-c[:-1] / c[-1], (-1, 1))
    return np.eye(len(c) - 1, k=-1) + last * np.eye(len(c) - 1)[-1]


def polyfit(x: Any, y: Any, deg: Any, rcond: Any = None, *, w: Any = None) -> Any:
    """np.polynomial.polynomial.polyfit, its coefficients alone."""
    return fitted_to_some(polyvander, x, y, deg, rcond, w)


_POWERS = (
    polyadd, polysub, polymul, polymulx, polypow, polydiv, polyder, polyint, polyfromroots,
    polyroots, polyline, polyvalfromroots, polyfit, polycompanion,
)  # fmt: skip
STANDINS = {
    **{getattr(np.polynomial.polynomial, read.__name__): read for read in _POWERS},
    **families.standins(),
    **{
        getattr(module, prefix + name): read
        for module, prefix in (
            (np.polynomial.chebyshev, "cheb"), (np.polynomial.legendre, "leg"),
            (np.polynomial.hermite, "herm"), (np.polynomial.hermite_e, "herme"),
            (np.polynomial.laguerre, "lag"),
        )
        for name, read in (("add", polyadd), ("sub", polysub))
    },
    **{
        getattr(np.polynomial.polynomial, "poly" + name): read
        for name, read in families.several(polyval, polyvander).items()
    },
}  # fmt: skip
